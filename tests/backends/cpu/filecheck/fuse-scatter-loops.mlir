// RUN: agir-dump %s --pass fuse-scatter-loops | filecheck %s
#map = affine_map<(d0) -> (d0)>
module {
  func.func @histograms(%arg0: tensor<500xf64>, %arg1: i64, %arg2: tensor<1x10xi64>, %arg3: f64, %arg4: index, %arg5: i64, %arg6: i1, %arg7: tensor<?xi64>, %arg8: index, %arg9: index, %arg10: tensor<?x10xf64>, %arg11: f64, %arg12: f64, %arg13: f64, %arg14: f64, %arg15: index, %arg16: i64, %arg17: index, %arg18: index, %arg19: f64, %arg20: index, %arg21: index, %arg22: i64, %arg23: i1, %arg24: i64, %arg25: f64, %arg26: i64, %arg27: i1, %arg28: i1, %arg29: i1, %arg30: f64, %arg31: tensor<?xi64>) {
    %cst = arith.constant dense<0xFFF0000000000000> : tensor<f64>
    %0 = tensor.empty() : tensor<10xf64>
    %1 = scf.for %arg32 = %arg15 to %arg21 step %arg18 iter_args(%arg33 = %arg10) -> (tensor<?x10xf64>) {
      %extracted_slice = tensor.extract_slice %arg0[%arg9] [%arg8] [1] : tensor<500xf64> to tensor<?xf64>
      %3 = scf.for %arg34 = %arg15 to %arg8 step %arg18 iter_args(%arg35 = %arg33) -> (tensor<?x10xf64>) {
        %extracted = tensor.extract %arg7[%arg34] : tensor<?xi64>
        %4 = scf.if %arg6 -> (i64) {
          scf.yield %arg5 : i64
        } else {
          scf.yield %extracted : i64
        }
        %5 = arith.index_cast %4 : i64 to index
        %inserted = tensor.insert %arg3 into %arg35[%arg4, %5] : tensor<?x10xf64>
        scf.yield %inserted : tensor<?x10xf64>
      }
      scf.yield %3 : tensor<?x10xf64>
    }
    %2 = scf.for %arg32 = %arg15 to %arg21 step %arg18 iter_args(%arg33 = %arg2) -> (tensor<1x10xi64>) {
      %3 = arith.muli %arg32, %arg20 : index
      %4 = arith.subi %arg17, %3 : index
      %5 = arith.minsi %4, %arg20 : index
      %extracted_slice = tensor.extract_slice %arg0[%3] [%5] [1] : tensor<500xf64> to tensor<?xf64>
      %6 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%extracted_slice : tensor<?xf64>) outs(%arg31 : tensor<?xi64>) {
      ^bb0(%in: f64, %out: i64):
        %8 = arith.subf %in, %arg14 : f64
        %9 = arith.mulf %8, %arg12 : f64
        %10 = math.floor %9 : f64
        %11 = arith.cmpf ogt, %arg30, %arg11 : f64
        %12 = arith.andi %arg29, %arg28 : i1
        %13 = arith.select %arg27, %10, %arg19 : f64
        %14 = arith.fptosi %13 : f64 to i64
        linalg.yield %arg26 : i64
      } -> tensor<?xi64>
      %7 = scf.for %arg34 = %arg15 to %5 step %arg18 iter_args(%arg35 = %arg33) -> (tensor<1x10xi64>) {
        %8 = arith.addi %3, %arg34 : index
        %extracted = tensor.extract %6[%arg34] : tensor<?xi64>
        %9 = arith.cmpi slt, %extracted, %arg16 : i64
        %10 = scf.if %9 -> (i64) {
          %12 = arith.divf %arg25, %arg13 : f64
          %13 = arith.maxsi %arg24, %arg16 : i64
          %14 = arith.extui %arg23 : i1 to i64
          scf.yield %arg22 : i64
        } else {
          scf.yield %extracted : i64
        }
        %11 = arith.index_cast %10 : i64 to index
        %inserted = tensor.insert %arg1 into %arg35[%arg15, %11] : tensor<1x10xi64>
        scf.yield %inserted : tensor<1x10xi64>
      }
      scf.yield %7 : tensor<1x10xi64>
    }
    return
  }
}
// CHECK: module {
// CHECK-NEXT:   func.func @histograms(%arg0: tensor<500xf64>, %arg1: i64, %arg2: tensor<1x10xi64>, %arg3: f64, %arg4: index, %arg5: i64, %arg6: i1, %arg7: tensor<?xi64>, %arg8: index, %arg9: index, %arg10: tensor<?x10xf64>, %arg11: f64, %arg12: f64, %arg13: f64, %arg14: f64, %arg15: index, %arg16: i64, %arg17: index, %arg18: index, %arg19: f64, %arg20: index, %arg21: index, %arg22: i64, %arg23: i1, %arg24: i64, %arg25: f64, %arg26: i64, %arg27: i1, %arg28: i1, %arg29: i1, %arg30: f64, %arg31: tensor<?xi64>) {
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
