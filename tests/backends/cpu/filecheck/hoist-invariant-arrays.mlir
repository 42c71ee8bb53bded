// RUN: agir-dump %s --pass hoist-invariant-arrays | filecheck %s
module {
  func.func @total(%arg0: tensor<200x200xf64>, %arg1: f64, %arg2: f64, %arg3: index, %arg4: index, %arg5: index) {
    %0 = scf.for %arg6 = %arg5 to %arg4 step %arg3 iter_args(%arg7 = %arg2) -> (f64) {
      %collapsed = tensor.collapse_shape %arg0 [[0, 1]] : tensor<200x200xf64> into tensor<40000xf64>
      scf.yield %arg1 : f64
    }
    return
  }
}
// CHECK: module {
// CHECK-NEXT:   func.func @total(%arg0: tensor<200x200xf64>, %arg1: f64, %arg2: f64, %arg3: index, %arg4: index, %arg5: index) {
// CHECK-NEXT:     %collapsed = tensor.collapse_shape %arg0 {{\[\[}}0, 1{{\]\]}} : tensor<200x200xf64> into tensor<40000xf64>
// CHECK-NEXT:     %0 = scf.for %arg6 = %arg5 to %arg4 step %arg3 iter_args(%arg7 = %arg2) -> (f64) {
// CHECK-NEXT:       scf.yield %arg1 : f64
// CHECK-NEXT:     }
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
