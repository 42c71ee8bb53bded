// RUN: agir-dump %s --pass forward-kept-copies | filecheck %s
module {
  func.func @step(%arg0: tensor<10xf64>, %arg1: tensor<4x10xf64>, %arg2: index, %arg3: tensor<8xf64>) -> (tensor<4x10xf64>, tensor<8xf64>, tensor<10xf64>) {
    %inserted_slice = tensor.insert_slice %arg0 into %arg1[%arg2, 0] [1, 10] [1, 1] : tensor<10xf64> into tensor<4x10xf64>
    %extracted_slice = tensor.extract_slice %arg0[2] [8] [1] : tensor<10xf64> to tensor<8xf64>
    %inserted_slice_0 = tensor.insert_slice %arg3 into %arg0[1] [8] [1] : tensor<8xf64> into tensor<10xf64>
    return %inserted_slice, %extracted_slice, %inserted_slice_0 : tensor<4x10xf64>, tensor<8xf64>, tensor<10xf64>
  }
}
// CHECK: module {
// CHECK-NEXT:   func.func @step(%arg0: tensor<10xf64>, %arg1: tensor<4x10xf64>, %arg2: index, %arg3: tensor<8xf64>) -> (tensor<4x10xf64>, tensor<8xf64>, tensor<10xf64>) {
// CHECK-NEXT:     %inserted_slice = tensor.insert_slice %arg0 into %arg1[%arg2, 0] [1, 10] [1, 1] : tensor<10xf64> into tensor<4x10xf64>
// CHECK-NEXT:     %extracted_slice = tensor.extract_slice %inserted_slice[%arg2, 0] [1, 10] [1, 1] : tensor<4x10xf64> to tensor<10xf64>
// CHECK-NEXT:     %extracted_slice_0 = tensor.extract_slice %extracted_slice[2] [8] [1] : tensor<10xf64> to tensor<8xf64>
// CHECK-NEXT:     %inserted_slice_1 = tensor.insert_slice %arg3 into %arg0[1] [8] [1] : tensor<8xf64> into tensor<10xf64>
// CHECK-NEXT:     return %inserted_slice, %extracted_slice_0, %inserted_slice_1 : tensor<4x10xf64>, tensor<8xf64>, tensor<10xf64>
// CHECK-NEXT:   }
// CHECK-NEXT: }
