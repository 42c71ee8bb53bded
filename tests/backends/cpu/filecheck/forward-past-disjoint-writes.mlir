// RUN: agir-dump %s --pass forward-past-disjoint-writes | filecheck %s
module {
  func.func @sweep(%arg0: tensor<40x90xf64>, %arg1: tensor<40x90xf64>, %arg2: tensor<40xf64>, %arg3: tensor<40x90xf64>, %arg4: tensor<40xf64>, %arg5: index, %arg6: index, %arg7: index, %arg8: index) {
    %c1_i64 = arith.constant 1 : i64
    %0:2 = scf.for %arg9 = %arg8 to %arg7 step %arg6 iter_args(%arg10 = %arg1, %arg11 = %arg0) -> (tensor<40x90xf64>, tensor<40x90xf64>) {
      %1 = arith.index_cast %arg5 : index to i64
      %inserted_slice = tensor.insert_slice %arg4 into %arg11[0, %arg5] [40, 1] [1, 1] : tensor<40xf64> into tensor<40x90xf64>
      %2 = arith.subi %1, %c1_i64 : i64
      %3 = arith.index_cast %2 : i64 to index
      %extracted_slice = tensor.extract_slice %inserted_slice[0, %3] [40, 1] [1, 1] : tensor<40x90xf64> to tensor<40xf64>
      %inserted_slice_0 = tensor.insert_slice %arg2 into %arg11[0, %arg5] [40, 1] [1, 1] : tensor<40xf64> into tensor<40x90xf64>
      scf.yield %arg3, %inserted_slice_0 : tensor<40x90xf64>, tensor<40x90xf64>
    }
    return
  }
}
// CHECK: module {
// CHECK-NEXT:   func.func @sweep(%arg0: tensor<40x90xf64>, %arg1: tensor<40x90xf64>, %arg2: tensor<40xf64>, %arg3: tensor<40x90xf64>, %arg4: tensor<40xf64>, %arg5: index, %arg6: index, %arg7: index, %arg8: index) {
// CHECK-NEXT:     %c1_i64 = arith.constant 1 : i64
// CHECK-NEXT:     %0:2 = scf.for %arg9 = %arg8 to %arg7 step %arg6 iter_args(%arg10 = %arg1, %arg11 = %arg0) -> (tensor<40x90xf64>, tensor<40x90xf64>) {
// CHECK-NEXT:       %1 = arith.index_cast %arg5 : index to i64
// CHECK-NEXT:       %inserted_slice = tensor.insert_slice %arg4 into %arg11[0, %arg5] [40, 1] [1, 1] : tensor<40xf64> into tensor<40x90xf64>
// CHECK-NEXT:       %2 = arith.subi %1, %c1_i64 : i64
// CHECK-NEXT:       %3 = arith.index_cast %2 : i64 to index
// CHECK-NEXT:       %extracted_slice = tensor.extract_slice %arg11[0, %3] [40, 1] [1, 1] : tensor<40x90xf64> to tensor<40xf64>
// CHECK-NEXT:       %inserted_slice_0 = tensor.insert_slice %arg2 into %arg11[0, %arg5] [40, 1] [1, 1] : tensor<40xf64> into tensor<40x90xf64>
// CHECK-NEXT:       scf.yield %arg3, %inserted_slice_0 : tensor<40x90xf64>, tensor<40x90xf64>
// CHECK-NEXT:     }
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
