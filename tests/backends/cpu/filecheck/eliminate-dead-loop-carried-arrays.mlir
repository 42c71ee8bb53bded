// RUN: agir-dump %s --pass eliminate-dead-loop-carried-arrays | filecheck %s
module {
  func.func @unread(%arg0: tensor<4xf64>, %arg1: f64, %arg2: index) -> f64 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %0:2 = scf.for %arg3 = %c0 to %arg2 step %c1 iter_args(%arg4 = %arg0, %arg5 = %arg1) -> (tensor<4xf64>, f64) {
      %1 = arith.addf %arg4, %arg4 : tensor<4xf64>
      %2 = arith.mulf %arg5, %arg5 : f64
      scf.yield %1, %2 : tensor<4xf64>, f64
    }
    return %0#1 : f64
  }
}
// CHECK: module {
// CHECK-NEXT:   func.func @unread(%arg0: tensor<4xf64>, %arg1: f64, %arg2: index) -> f64 {
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     %0:2 = scf.for %arg3 = %c0 to %arg2 step %c1 iter_args(%arg4 = %arg0, %arg5 = %arg1) -> (tensor<4xf64>, f64) {
// CHECK-NEXT:       %1 = arith.addf %arg4, %arg4 : tensor<4xf64>
// CHECK-NEXT:       %2 = arith.mulf %arg5, %arg5 : f64
// CHECK-NEXT:       scf.yield %arg4, %2 : tensor<4xf64>, f64
// CHECK-NEXT:     }
// CHECK-NEXT:     return %0#1 : f64
// CHECK-NEXT:   }
// CHECK-NEXT: }
