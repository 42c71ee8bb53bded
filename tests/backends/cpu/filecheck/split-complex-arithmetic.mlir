// RUN: agir-dump %s --pass split-complex-arithmetic | filecheck %s
module {
  func.func @lambda_(%arg0: tensor<1x1xcomplex<f32>>, %arg1: tensor<1x1xcomplex<f32>>, %arg2: tensor<1x1xcomplex<f32>>) {
    %mapped = linalg.map { complex.mul } ins(%arg2, %arg1 : tensor<1x1xcomplex<f32>>, tensor<1x1xcomplex<f32>>) outs(%arg0 : tensor<1x1xcomplex<f32>>)
    return
  }
}
// CHECK: module {
// CHECK-NEXT:   func.func @lambda_(%arg0: tensor<1x1xcomplex<f32>>, %arg1: tensor<1x1xcomplex<f32>>, %arg2: tensor<1x1xcomplex<f32>>) {
// CHECK-NEXT:     %mapped = linalg.map ins(%arg2, %arg1 : tensor<1x1xcomplex<f32>>, tensor<1x1xcomplex<f32>>) outs(%arg0 : tensor<1x1xcomplex<f32>>)
// CHECK-NEXT:       (%in: complex<f32>, %in_0: complex<f32>, %init: complex<f32>) {
// CHECK-NEXT:         %0 = complex.re %in : complex<f32>
// CHECK-NEXT:         %1 = complex.im %in : complex<f32>
// CHECK-NEXT:         %2 = complex.re %in_0 : complex<f32>
// CHECK-NEXT:         %3 = complex.im %in_0 : complex<f32>
// CHECK-NEXT:         %4 = arith.mulf %0, %2 : f32
// CHECK-NEXT:         %5 = arith.mulf %1, %3 : f32
// CHECK-NEXT:         %6 = arith.subf %4, %5 : f32
// CHECK-NEXT:         %7 = arith.mulf %1, %2 : f32
// CHECK-NEXT:         %8 = arith.mulf %0, %3 : f32
// CHECK-NEXT:         %9 = arith.addf %7, %8 : f32
// CHECK-NEXT:         %10 = complex.create %6, %9 : complex<f32>
// CHECK-NEXT:         linalg.yield %10 : complex<f32>
// CHECK-NEXT:       }
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
