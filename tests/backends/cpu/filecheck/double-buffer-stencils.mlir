// RUN: agir-dump %s --pass double-buffer-stencils | filecheck %s
module {
  func.func @stencil_in_place(%arg0: tensor<2000xf64>, %arg1: index, %arg2: index, %arg3: index) {
    %0 = scf.for %arg4 = %arg2 to %arg1 step %arg3 iter_args(%arg5 = %arg0) -> (tensor<2000xf64>) {
      %extracted_slice = tensor.extract_slice %arg5[0] [1998] [1] : tensor<2000xf64> to tensor<1998xf64>
      %inserted_slice = tensor.insert_slice %extracted_slice into %arg5[1] [1998] [1] : tensor<1998xf64> into tensor<2000xf64>
      scf.yield %inserted_slice : tensor<2000xf64>
    }
    return
  }
}
// CHECK: module {
// CHECK-NEXT:   func.func @stencil_in_place(%arg0: tensor<2000xf64>, %arg1: index, %arg2: index, %arg3: index) {
// CHECK-NEXT:     %0 = bufferization.alloc_tensor() copy(%arg0) : tensor<2000xf64>
// CHECK-NEXT:     %1:2 = scf.for %arg4 = %arg2 to %arg1 step %arg3 iter_args(%arg5 = %arg0, %arg6 = %0) -> (tensor<2000xf64>, tensor<2000xf64>) {
// CHECK-NEXT:       %extracted_slice = tensor.extract_slice %arg5[0] [1998] [1] : tensor<2000xf64> to tensor<1998xf64>
// CHECK-NEXT:       %inserted_slice = tensor.insert_slice %extracted_slice into %arg6[1] [1998] [1] : tensor<1998xf64> into tensor<2000xf64>
// CHECK-NEXT:       scf.yield %inserted_slice, %arg5 : tensor<2000xf64>, tensor<2000xf64>
// CHECK-NEXT:     }
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
