// RUN: agir-dump %s --pass refine-slice-shapes | filecheck %s
module {
  func.func @lambda_(%arg0: tensor<100xf32>, %arg1: tensor<116xf32>, %arg2: tensor<100xf32>, %arg3: i64, %arg4: i1, %arg5: index, %arg6: index, %arg7: tensor<100xf32>, %arg8: i1, %arg9: i64, %arg10: tensor<116xf32>, %arg11: index, %arg12: index, %arg13: index, %arg14: i64, %arg15: i64) {
    %0:4 = scf.if %arg8 -> (tensor<100xf32>, i64, i64, i64) {
      scf.yield %arg7, %arg9, %arg9, %arg9 : tensor<100xf32>, i64, i64, i64
    } else {
      %1:4 = scf.for %arg16 = %arg11 to %arg12 step %arg13 iter_args(%arg17 = %arg10, %arg18 = %arg9, %arg19 = %arg9, %arg20 = %arg9) -> (tensor<116xf32>, i64, i64, i64) {
        %extracted_slice = tensor.extract_slice %arg17[%arg5] [%arg6] [1] : tensor<116xf32> to tensor<?xf32>
        %2 = scf.if %arg4 -> (tensor<100xf32>) {
          %cast = tensor.cast %extracted_slice : tensor<?xf32> to tensor<100xf32>
          scf.yield %cast : tensor<100xf32>
        } else {
          scf.yield %arg2 : tensor<100xf32>
        }
        scf.yield %arg1, %arg14, %arg15, %arg3 : tensor<116xf32>, i64, i64, i64
      }
      scf.yield %arg0, %1#1, %1#2, %1#3 : tensor<100xf32>, i64, i64, i64
    }
    return
  }
}
// CHECK: module {
// CHECK-NEXT:   func.func @lambda_(%arg0: tensor<100xf32>, %arg1: tensor<116xf32>, %arg2: tensor<100xf32>, %arg3: i64, %arg4: i1, %arg5: index, %arg6: index, %arg7: tensor<100xf32>, %arg8: i1, %arg9: i64, %arg10: tensor<116xf32>, %arg11: index, %arg12: index, %arg13: index, %arg14: i64, %arg15: i64) {
// CHECK-NEXT:     %0:4 = scf.if %arg8 -> (tensor<100xf32>, i64, i64, i64) {
// CHECK-NEXT:       scf.yield %arg7, %arg9, %arg9, %arg9 : tensor<100xf32>, i64, i64, i64
// CHECK-NEXT:     } else {
// CHECK-NEXT:       %1:4 = scf.for %arg16 = %arg11 to %arg12 step %arg13 iter_args(%arg17 = %arg10, %arg18 = %arg9, %arg19 = %arg9, %arg20 = %arg9) -> (tensor<116xf32>, i64, i64, i64) {
// CHECK-NEXT:         %extracted_slice = tensor.extract_slice %arg17[%arg5] [%arg6] [1] : tensor<116xf32> to tensor<?xf32>
// CHECK-NEXT:         %2 = scf.if %arg4 -> (tensor<100xf32>) {
// CHECK-NEXT:           %extracted_slice_0 = tensor.extract_slice %arg17[%arg5] [100] [1] : tensor<116xf32> to tensor<100xf32>
// CHECK-NEXT:           scf.yield %extracted_slice_0 : tensor<100xf32>
// CHECK-NEXT:         } else {
// CHECK-NEXT:           scf.yield %arg2 : tensor<100xf32>
// CHECK-NEXT:         }
// CHECK-NEXT:         scf.yield %arg1, %arg14, %arg15, %arg3 : tensor<116xf32>, i64, i64, i64
// CHECK-NEXT:       }
// CHECK-NEXT:       scf.yield %arg0, %1#1, %1#2, %1#3 : tensor<100xf32>, i64, i64, i64
// CHECK-NEXT:     }
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
