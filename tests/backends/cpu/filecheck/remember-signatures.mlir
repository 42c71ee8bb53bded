// RUN: agir-dump %s --pass remember-signatures | filecheck %s
module {
  func.func @assigned() {
    return
  }
}
// CHECK: module {
// CHECK-NEXT:   func.func @assigned() attributes {agir.signature = () -> ()} {
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
