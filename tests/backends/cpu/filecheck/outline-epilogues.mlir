// RUN: agir-dump %s --pass outline-epilogues | filecheck %s
module {
  func.func @lambda_(%arg0: index, %arg1: index) {
    %c5 = arith.constant 5 : index
    scf.for %arg2 = %arg0 to %c5 step %arg1 {
    } {agir.apart}
    return
  }
}
// CHECK: module {
// CHECK-NEXT:   func.func @lambda_(%arg0: index, %arg1: index) {
// CHECK-NEXT:     %c5 = arith.constant 5 : index
// CHECK-NEXT:     call @agir.kernel_aabb803593abe895(%arg0, %arg1) : (index, index) -> ()
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT:   func.func private @agir.kernel_aabb803593abe895(%arg0: index, %arg1: index) attributes {agir.kernel, llvm.bareptr} {
// CHECK-NEXT:     %c5 = arith.constant 5 : index
// CHECK-NEXT:     scf.for %arg2 = %arg0 to %c5 step %arg1 {
// CHECK-NEXT:     } {agir.apart}
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
