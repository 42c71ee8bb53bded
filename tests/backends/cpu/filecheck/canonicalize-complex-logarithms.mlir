// RUN: agir-dump %s --pass canonicalize-complex-logarithms | filecheck %s
module {
  func.func @lambda_(%arg0: tensor<5xcomplex<f32>>, %arg1: tensor<5xcomplex<f32>>, %arg2: tensor<5xcomplex<f32>>) {
    %mapped = linalg.map { complex.exp } ins(%arg2 : tensor<5xcomplex<f32>>) outs(%arg1 : tensor<5xcomplex<f32>>)
    %mapped_0 = linalg.map { complex.log } ins(%mapped : tensor<5xcomplex<f32>>) outs(%arg0 : tensor<5xcomplex<f32>>)
    return
  }
}
// CHECK: module {
// CHECK-NEXT:   func.func @lambda_(%arg0: tensor<5xcomplex<f32>>, %arg1: tensor<5xcomplex<f32>>, %arg2: tensor<5xcomplex<f32>>) {
// CHECK-NEXT:     %mapped = linalg.map { complex.exp } ins(%arg2 : tensor<5xcomplex<f32>>) outs(%arg1 : tensor<5xcomplex<f32>>)
// CHECK-NEXT:     %mapped_0 = linalg.map ins(%mapped : tensor<5xcomplex<f32>>) outs(%arg0 : tensor<5xcomplex<f32>>)
// CHECK-NEXT:       (%in: complex<f32>, %init: complex<f32>) {
// CHECK-NEXT:         %0 = complex.conj %in : complex<f32>
// CHECK-NEXT:         %1 = complex.log %0 : complex<f32>
// CHECK-NEXT:         %2 = complex.conj %1 : complex<f32>
// CHECK-NEXT:         linalg.yield %2 : complex<f32>
// CHECK-NEXT:       }
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
