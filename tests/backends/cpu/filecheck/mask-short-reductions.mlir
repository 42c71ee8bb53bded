// RUN: agir-dump %s --pass mask-short-reductions | filecheck %s
#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0) -> ()>
module {
  func.func @totals(%arg0: memref<9xf64>, %arg1: i64, %arg2: i64, %arg3: i64, %arg4: index, %arg5: i1, %arg6: index, %arg7: memref<f64>, %arg8: memref<i1>, %arg9: index, %arg10: index, %arg11: index, %arg12: i64, %arg13: i1, %arg14: memref<?xi64, strided<[1], offset: ?>>) {
    %0:3 = scf.for %arg15 = %arg11 to %arg10 step %arg9 iter_args(%arg16 = %arg12, %arg17 = %arg12, %arg18 = %arg12) -> (i64, i64, i64) {
      linalg.generic {indexing_maps = [#map, #map1, #map1], iterator_types = ["reduction"]} ins(%arg14 : memref<?xi64, strided<[1], offset: ?>>) outs(%arg8, %arg7 : memref<i1>, memref<f64>) {
      ^bb0(%in: i64, %out: i1, %out_0: f64):
        %1 = arith.andi %out, %arg13 : i1
        %2 = arith.select %arg5, %arg4, %arg6 : index
        %3 = memref.load %arg0[%2] : memref<9xf64>
        %4 = arith.addf %3, %out_0 : f64
        linalg.yield %1, %4 : i1, f64
      }
      scf.yield %arg3, %arg2, %arg1 : i64, i64, i64
    }
    return
  }
}
// CHECK: module {
// CHECK-NEXT:   func.func @totals(%arg0: memref<9xf64>, %arg1: i64, %arg2: i64, %arg3: i64, %arg4: index, %arg5: i1, %arg6: index, %arg7: memref<f64>, %arg8: memref<i1>, %arg9: index, %arg10: index, %arg11: index, %arg12: i64, %arg13: i1, %arg14: memref<?xi64, strided<[1], offset: ?>>) {
// CHECK-NEXT:     %0:3 = scf.for %arg15 = %arg11 to %arg10 step %arg9 iter_args(%arg16 = %arg12, %arg17 = %arg12, %arg18 = %arg12) -> (i64, i64, i64) {
// CHECK-NEXT:       %c0 = arith.constant 0 : index
// CHECK-NEXT:       %c1 = arith.constant 1 : index
// CHECK-NEXT:       %cst = arith.constant dense<true> : vector<4xi1>
// CHECK-NEXT:       %cst_0 = arith.constant dense<-0.000000e+00> : vector<4xf64>
// CHECK-NEXT:       %c4 = arith.constant 4 : index
// CHECK-NEXT:       %cst_1 = arith.constant dense<[0, 1, 2, 3]> : vector<4xindex>
// CHECK-NEXT:       %cst_2 = arith.constant dense<0> : vector<4xi64>
// CHECK-NEXT:       %cst_3 = arith.constant dense<0.000000e+00> : vector<4xf64>
// CHECK-NEXT:       %c0_4 = arith.constant 0 : index
// CHECK-NEXT:       %dim = memref.dim %arg14, %c0 : memref<?xi64, strided<[1], offset: ?>>
// CHECK-NEXT:       %1 = arith.maxsi %dim, %c1 : index
// CHECK-NEXT:       %2:2 = scf.for %arg19 = %c0 to %1 step %c4 iter_args(%arg20 = %cst, %arg21 = %cst_0) -> (vector<4xi1>, vector<4xf64>) {
// CHECK-NEXT:         %9 = arith.subi %dim, %arg19 : index
// CHECK-NEXT:         %10 = vector.broadcast %9 : index to vector<4xindex>
// CHECK-NEXT:         %11 = arith.cmpi slt, %cst_1, %10 : vector<4xindex>
// CHECK-NEXT:         %12 = vector.maskedload %arg14[%arg19], %11, %cst_2 : memref<?xi64, strided<[1], offset: ?>>, vector<4xi1>, vector<4xi64> into vector<4xi64>
// CHECK-NEXT:         %13 = vector.broadcast %arg13 : i1 to vector<4xi1>
// CHECK-NEXT:         %14 = arith.andi %arg20, %13 : vector<4xi1>
// CHECK-NEXT:         %15 = vector.broadcast %arg5 : i1 to vector<4xi1>
// CHECK-NEXT:         %16 = vector.broadcast %arg4 : index to vector<4xindex>
// CHECK-NEXT:         %17 = vector.broadcast %arg6 : index to vector<4xindex>
// CHECK-NEXT:         %18 = arith.select %15, %16, %17 : vector<4xi1>, vector<4xindex>
// CHECK-NEXT:         %19 = vector.gather %arg0[%c0] [%18], %11, %cst_3 : memref<9xf64>, vector<4xindex>, vector<4xi1>, vector<4xf64> into vector<4xf64>
// CHECK-NEXT:         %20 = arith.addf %19, %arg21 fastmath<contract> : vector<4xf64>
// CHECK-NEXT:         %21 = arith.select %11, %14, %arg20 : vector<4xi1>, vector<4xi1>
// CHECK-NEXT:         %22 = arith.select %11, %20, %arg21 : vector<4xi1>, vector<4xf64>
// CHECK-NEXT:         scf.yield %21, %22 : vector<4xi1>, vector<4xf64>
// CHECK-NEXT:       }
// CHECK-NEXT:       %3 = memref.load %arg8[] : memref<i1>
// CHECK-NEXT:       %4 = vector.reduction <and>, %2#0 : vector<4xi1> into i1
// CHECK-NEXT:       %5 = arith.andi %3, %4 : i1
// CHECK-NEXT:       memref.store %5, %arg8[] : memref<i1>
// CHECK-NEXT:       %6 = memref.load %arg7[] : memref<f64>
// CHECK-NEXT:       %7 = vector.reduction <add>, %2#1 fastmath<reassoc> : vector<4xf64> into f64
// CHECK-NEXT:       %8 = arith.addf %6, %7 fastmath<reassoc> : f64
// CHECK-NEXT:       memref.store %8, %arg7[] : memref<f64>
// CHECK-NEXT:       scf.yield %arg3, %arg2, %arg1 : i64, i64, i64
// CHECK-NEXT:     }
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
