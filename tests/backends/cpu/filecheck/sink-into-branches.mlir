// RUN: agir-dump %s --pass sink-into-branches | filecheck %s
module {
  func.func @f(%arg0: tensor<?xf64>, %arg1: i1, %arg2: index, %arg3: tensor<?xf64>) {
    %0 = scf.if %arg1 -> (tensor<?xf64>) {
      scf.yield %arg0 : tensor<?xf64>
    } else {
      %extracted_slice = tensor.extract_slice %arg3[0] [%arg2] [1] : tensor<?xf64> to tensor<?xf64>
      scf.yield %extracted_slice : tensor<?xf64>
    }
    %inserted_slice = tensor.insert_slice %0 into %arg3[0] [%arg2] [1] : tensor<?xf64> into tensor<?xf64>
    return
  }
}
// CHECK: module {
// CHECK-NEXT:   func.func @f(%arg0: tensor<?xf64>, %arg1: i1, %arg2: index, %arg3: tensor<?xf64>) {
// CHECK-NEXT:     %0 = scf.if %arg1 -> (tensor<?xf64>) {
// CHECK-NEXT:       %inserted_slice = tensor.insert_slice %arg0 into %arg3[0] [%arg2] [1] : tensor<?xf64> into tensor<?xf64>
// CHECK-NEXT:       scf.yield %inserted_slice : tensor<?xf64>
// CHECK-NEXT:     } else {
// CHECK-NEXT:       %extracted_slice = tensor.extract_slice %arg3[0] [%arg2] [1] : tensor<?xf64> to tensor<?xf64>
// CHECK-NEXT:       scf.yield %arg3 : tensor<?xf64>
// CHECK-NEXT:     }
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
