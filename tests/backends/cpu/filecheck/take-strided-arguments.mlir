// RUN: agir-dump %s --pass take-strided-arguments | filecheck %s
module {
  func.func @lambda_(%arg0: tensor<100x80xf64>) attributes {agir.strided = array<i64: 0>} {
    return
  }
}
// CHECK: module {
// CHECK-NEXT:   func.func @lambda_(%arg0: memref<100x80xf64, strided<[?, ?], offset: ?>>) attributes {agir.strided = array<i64: 0>} {
// CHECK-NEXT:     %0 = bufferization.to_tensor %arg0 restrict : memref<100x80xf64, strided<[?, ?], offset: ?>> to tensor<100x80xf64>
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
