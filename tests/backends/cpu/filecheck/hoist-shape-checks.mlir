// RUN: agir-dump %s --pass hoist-shape-checks | filecheck %s
#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d1)>
#map2 = affine_map<(d0, d1) -> (d0)>
#map3 = affine_map<(d0) -> (d0)>
module {
  func.func @f(%arg0: tensor<?x?xf64>, %arg1: tensor<?xf64>, %arg2: tensor<?xf64>, %arg3: tensor<?xf64>, %arg4: index, %arg5: tensor<?xf64>, %arg6: f64, %arg7: i1, %arg8: index, %arg9: i64, %arg10: i64, %arg11: i64, %arg12: i1, %arg13: i1, %arg14: i1, %arg15: tensor<?xf64>, %arg16: tensor<?xf64>, %arg17: i1, %arg18: i1, %arg19: index, %arg20: index, %arg21: index, %arg22: index, %arg23: index, %arg24: i64, %arg25: index, %arg26: i64, %arg27: i1, %arg28: f64) {
    %0:4 = scf.for %arg29 = %arg25 to %arg19 step %arg23 iter_args(%arg30 = %arg1, %arg31 = %arg24, %arg32 = %arg24, %arg33 = %arg24) -> (tensor<?xf64>, i64, i64, i64) {
      %dim = tensor.dim %arg30, %arg25 : tensor<?xf64>
      %1 = arith.index_cast %arg22 : index to i64
      %2 = arith.andi %arg17, %arg18 : i1
      %3 = arith.select %2, %arg26, %arg31 : i64
      %4 = arith.minui %arg22, %dim : index
      %extracted_slice = tensor.extract_slice %arg0[0, 0] [%arg21, %4] [1, 1] : tensor<?x?xf64> to tensor<?x?xf64>
      %5 = linalg.fill ins(%arg28 : f64) outs(%arg15 : tensor<?xf64>) -> tensor<?xf64>
      %6 = linalg.contract indexing_maps = [#map, #map1, #map2] ins(%extracted_slice, %arg16 : tensor<?x?xf64>, tensor<?xf64>) outs(%5 : tensor<?xf64>) -> tensor<?xf64>
      %7 = arith.ori %arg14, %arg13 : i1
      %8 = arith.xori %arg12, %arg27 : i1
      %9 = arith.cmpi eq, %arg21, %arg8 : index
      %10 = scf.if %9 -> (tensor<?xf64>) {
        scf.yield %6 : tensor<?xf64>
      } else {
        %14 = scf.if %arg7 -> (tensor<?xf64>) {
          %generated = tensor.generate %arg8 {
          ^bb0(%arg34: index):
            tensor.yield %arg6 : f64
          } : tensor<?xf64>
          scf.yield %generated : tensor<?xf64>
        } else {
          scf.yield %arg5 : tensor<?xf64>
        }
        scf.yield %14 : tensor<?xf64>
      }
      %11 = arith.cmpi eq, %arg20, %arg8 : index
      %12 = tensor.empty(%arg4) : tensor<?xf64>
      %13 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel"]} ins(%arg3 : tensor<?xf64>) outs(%arg2 : tensor<?xf64>) {
      ^bb0(%in: f64, %out: f64):
        %14 = math.tanh %in : f64
        linalg.yield %14 : f64
      } -> tensor<?xf64>
      scf.yield %13, %arg11, %arg10, %arg9 : tensor<?xf64>, i64, i64, i64
    }
    return
  }
}
// CHECK: #map = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-NEXT: #map1 = affine_map<(d0, d1) -> (d1)>
// CHECK-NEXT: #map2 = affine_map<(d0, d1) -> (d0)>
// CHECK-NEXT: #map3 = affine_map<(d0) -> (d0)>
// CHECK-NEXT: module {
// CHECK-NEXT:   func.func @f(%arg0: tensor<?x?xf64>, %arg1: tensor<?xf64>, %arg2: tensor<?xf64>, %arg3: tensor<?xf64>, %arg4: index, %arg5: tensor<?xf64>, %arg6: f64, %arg7: i1, %arg8: index, %arg9: i64, %arg10: i64, %arg11: i64, %arg12: i1, %arg13: i1, %arg14: i1, %arg15: tensor<?xf64>, %arg16: tensor<?xf64>, %arg17: i1, %arg18: i1, %arg19: index, %arg20: index, %arg21: index, %arg22: index, %arg23: index, %arg24: i64, %arg25: index, %arg26: i64, %arg27: i1, %arg28: f64) {
// CHECK-NEXT:     %0 = arith.cmpi eq, %arg21, %arg8 : index
// CHECK-NEXT:     %1:4 = scf.if %0 -> (tensor<?xf64>, i64, i64, i64) {
// CHECK-NEXT:       %2:4 = scf.for %arg29 = %arg25 to %arg19 step %arg23 iter_args(%arg30 = %arg1, %arg31 = %arg24, %arg32 = %arg24, %arg33 = %arg24) -> (tensor<?xf64>, i64, i64, i64) {
// CHECK-NEXT:         %dim = tensor.dim %arg30, %arg25 : tensor<?xf64>
// CHECK-NEXT:         %3 = arith.index_cast %arg22 : index to i64
// CHECK-NEXT:         %4 = arith.andi %arg17, %arg18 : i1
// CHECK-NEXT:         %5 = arith.select %4, %arg26, %arg31 : i64
// CHECK-NEXT:         %6 = arith.minui %arg22, %dim : index
// CHECK-NEXT:         %extracted_slice = tensor.extract_slice %arg0[0, 0] [%arg21, %6] [1, 1] : tensor<?x?xf64> to tensor<?x?xf64>
// CHECK-NEXT:         %7 = linalg.fill ins(%arg28 : f64) outs(%arg15 : tensor<?xf64>) -> tensor<?xf64>
// CHECK-NEXT:         %8 = linalg.contract indexing_maps = [#map, #map1, #map2] ins(%extracted_slice, %arg16 : tensor<?x?xf64>, tensor<?xf64>) outs(%7 : tensor<?xf64>) -> tensor<?xf64>
// CHECK-NEXT:         %9 = arith.ori %arg14, %arg13 : i1
// CHECK-NEXT:         %10 = arith.xori %arg12, %arg27 : i1
// CHECK-NEXT:         %11 = arith.cmpi eq, %arg20, %arg8 : index
// CHECK-NEXT:         %12 = tensor.empty(%arg4) : tensor<?xf64>
// CHECK-NEXT:         %13 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel"]} ins(%arg3 : tensor<?xf64>) outs(%arg2 : tensor<?xf64>) {
// CHECK-NEXT:         ^bb0(%in: f64, %out: f64):
// CHECK-NEXT:           %14 = math.tanh %in : f64
// CHECK-NEXT:           linalg.yield %14 : f64
// CHECK-NEXT:         } -> tensor<?xf64>
// CHECK-NEXT:         scf.yield %13, %arg11, %arg10, %arg9 : tensor<?xf64>, i64, i64, i64
// CHECK-NEXT:       }
// CHECK-NEXT:       scf.yield %2#0, %2#1, %2#2, %2#3 : tensor<?xf64>, i64, i64, i64
// CHECK-NEXT:     } else {
// CHECK-NEXT:       %2:4 = scf.for %arg29 = %arg25 to %arg19 step %arg23 iter_args(%arg30 = %arg1, %arg31 = %arg24, %arg32 = %arg24, %arg33 = %arg24) -> (tensor<?xf64>, i64, i64, i64) {
// CHECK-NEXT:         %dim = tensor.dim %arg30, %arg25 : tensor<?xf64>
// CHECK-NEXT:         %3 = arith.index_cast %arg22 : index to i64
// CHECK-NEXT:         %4 = arith.andi %arg17, %arg18 : i1
// CHECK-NEXT:         %5 = arith.select %4, %arg26, %arg31 : i64
// CHECK-NEXT:         %6 = arith.minui %arg22, %dim : index
// CHECK-NEXT:         %extracted_slice = tensor.extract_slice %arg0[0, 0] [%arg21, %6] [1, 1] : tensor<?x?xf64> to tensor<?x?xf64>
// CHECK-NEXT:         %7 = linalg.fill ins(%arg28 : f64) outs(%arg15 : tensor<?xf64>) -> tensor<?xf64>
// CHECK-NEXT:         %8 = linalg.contract indexing_maps = [#map, #map1, #map2] ins(%extracted_slice, %arg16 : tensor<?x?xf64>, tensor<?xf64>) outs(%7 : tensor<?xf64>) -> tensor<?xf64>
// CHECK-NEXT:         %9 = arith.ori %arg14, %arg13 : i1
// CHECK-NEXT:         %10 = arith.xori %arg12, %arg27 : i1
// CHECK-NEXT:         %11 = scf.if %0 -> (tensor<?xf64>) {
// CHECK-NEXT:           scf.yield %8 : tensor<?xf64>
// CHECK-NEXT:         } else {
// CHECK-NEXT:           %15 = scf.if %arg7 -> (tensor<?xf64>) {
// CHECK-NEXT:             %generated = tensor.generate %arg8 {
// CHECK-NEXT:             ^bb0(%arg34: index):
// CHECK-NEXT:               tensor.yield %arg6 : f64
// CHECK-NEXT:             } : tensor<?xf64>
// CHECK-NEXT:             scf.yield %generated : tensor<?xf64>
// CHECK-NEXT:           } else {
// CHECK-NEXT:             scf.yield %arg5 : tensor<?xf64>
// CHECK-NEXT:           }
// CHECK-NEXT:           scf.yield %15 : tensor<?xf64>
// CHECK-NEXT:         }
// CHECK-NEXT:         %12 = arith.cmpi eq, %arg20, %arg8 : index
// CHECK-NEXT:         %13 = tensor.empty(%arg4) : tensor<?xf64>
// CHECK-NEXT:         %14 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel"]} ins(%arg3 : tensor<?xf64>) outs(%arg2 : tensor<?xf64>) {
// CHECK-NEXT:         ^bb0(%in: f64, %out: f64):
// CHECK-NEXT:           %15 = math.tanh %in : f64
// CHECK-NEXT:           linalg.yield %15 : f64
// CHECK-NEXT:         } -> tensor<?xf64>
// CHECK-NEXT:         scf.yield %14, %arg11, %arg10, %arg9 : tensor<?xf64>, i64, i64, i64
// CHECK-NEXT:       }
// CHECK-NEXT:       scf.yield %2#0, %2#1, %2#2, %2#3 : tensor<?xf64>, i64, i64, i64
// CHECK-NEXT:     }
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
