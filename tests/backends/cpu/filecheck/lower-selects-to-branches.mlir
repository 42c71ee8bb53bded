// RUN: agir-dump %s --pass lower-selects-to-branches | filecheck %s
module {
  func.func @only_if_better(%arg0: tensor<?xf64>, %arg1: f64, %arg2: i1, %arg3: tensor<?xf64>, %arg4: index, %arg5: f64, %arg6: index, %arg7: index) {
    %0:2 = scf.for %arg8 = %arg6 to %arg4 step %arg7 iter_args(%arg9 = %arg0, %arg10 = %arg5) -> (tensor<?xf64>, f64) {
      %1 = arith.select %arg2, %arg3, %arg9 : tensor<?xf64>
      scf.yield %1, %arg1 : tensor<?xf64>, f64
    }
    return
  }
}
// CHECK: module {
// CHECK-NEXT:   func.func @only_if_better(%arg0: tensor<?xf64>, %arg1: f64, %arg2: i1, %arg3: tensor<?xf64>, %arg4: index, %arg5: f64, %arg6: index, %arg7: index) {
// CHECK-NEXT:     %0:2 = scf.for %arg8 = %arg6 to %arg4 step %arg7 iter_args(%arg9 = %arg0, %arg10 = %arg5) -> (tensor<?xf64>, f64) {
// CHECK-NEXT:       %1 = scf.if %arg2 -> (tensor<?xf64>) {
// CHECK-NEXT:         scf.yield %arg3 : tensor<?xf64>
// CHECK-NEXT:       } else {
// CHECK-NEXT:         scf.yield %arg9 : tensor<?xf64>
// CHECK-NEXT:       }
// CHECK-NEXT:       scf.yield %1, %arg1 : tensor<?xf64>, f64
// CHECK-NEXT:     }
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
