// RUN: agir-dump %s --pass reassociate-sums | filecheck %s
module {
  func.func @total(%arg0: f64, %arg1: f64, %arg2: index, %arg3: index, %arg4: index) {
    %0 = scf.for %arg5 = %arg4 to %arg3 step %arg2 iter_args(%arg6 = %arg1) -> (f64) {
      %1 = arith.addf %arg6, %arg0 : f64
      scf.yield %1 : f64
    }
    return
  }
}
// CHECK: module {
// CHECK-NEXT:   func.func @total(%arg0: f64, %arg1: f64, %arg2: index, %arg3: index, %arg4: index) {
// CHECK-NEXT:     %0 = scf.for %arg5 = %arg4 to %arg3 step %arg2 iter_args(%arg6 = %arg1) -> (f64) {
// CHECK-NEXT:       %1 = arith.addf %arg6, %arg0 fastmath<reassoc,contract> : f64
// CHECK-NEXT:       scf.yield %1 : f64
// CHECK-NEXT:     }
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
