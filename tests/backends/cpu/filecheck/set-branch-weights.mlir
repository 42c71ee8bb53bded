// RUN: agir-dump %s --pass set-branch-weights | filecheck %s
module {
  func.func @grad_scaled(%arg0: f64, %arg1: f64, %arg2: i1, %arg3: index, %arg4: index, %arg5: index, %arg6: i1, %arg7: index, %arg8: index, %arg9: f64) {
    %0:2 = scf.while (%arg10 = %arg7, %arg11 = %arg9) : (index, f64) -> (index, f64) {
      scf.condition(%arg6) %arg10, %arg11 : index, f64
    } do {
    ^bb0(%arg10: index, %arg11: f64):
      %1 = scf.for %arg12 = %arg5 to %arg4 step %arg8 iter_args(%arg13 = %arg11) -> (f64) {
        %2 = scf.if %arg2 -> (f64) {
          scf.yield %arg1 : f64
        } else {
          scf.yield %arg0 : f64
        } {agir.likely}
        scf.yield %2 : f64
      }
      scf.yield %arg3, %1 : index, f64
    }
    return
  }
}
// CHECK: module {
// CHECK-NEXT:   func.func @grad_scaled(%arg0: f64, %arg1: f64, %arg2: i1, %arg3: index, %arg4: index, %arg5: index, %arg6: i1, %arg7: index, %arg8: index, %arg9: f64) {
// CHECK-NEXT:     %0:2 = scf.while (%arg10 = %arg7, %arg11 = %arg9) : (index, f64) -> (index, f64) {
// CHECK-NEXT:       scf.condition(%arg6) %arg10, %arg11 : index, f64
// CHECK-NEXT:     } do {
// CHECK-NEXT:     ^bb0(%arg10: index, %arg11: f64):
// CHECK-NEXT:       %1 = scf.for %arg12 = %arg5 to %arg4 step %arg8 iter_args(%arg13 = %arg11) -> (f64) {
// CHECK-NEXT:         %true = arith.constant true
// CHECK-NEXT:         %2 = llvm.intr.expect %arg2, %true : i1
// CHECK-NEXT:         %3 = scf.if %2 -> (f64) {
// CHECK-NEXT:           scf.yield %arg1 : f64
// CHECK-NEXT:         } else {
// CHECK-NEXT:           scf.yield %arg0 : f64
// CHECK-NEXT:         }
// CHECK-NEXT:         scf.yield %3 : f64
// CHECK-NEXT:       }
// CHECK-NEXT:       scf.yield %arg3, %1 : index, f64
// CHECK-NEXT:     }
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
