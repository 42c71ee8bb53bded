// RUN: agir-dump %s --pass rematerialize-fills | filecheck %s
module {
  func.func @written_beside_nothing(%arg0: f64) {
    %splat = tensor.splat %arg0 : tensor<0xf64>
    return
  }
}
// CHECK: module {
// CHECK-NEXT:   func.func @written_beside_nothing(%arg0: f64) {
// CHECK-NEXT:     %0 = tensor.empty() : tensor<0xf64>
// CHECK-NEXT:     %1 = linalg.fill ins(%arg0 : f64) outs(%0 : tensor<0xf64>) -> tensor<0xf64>
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
