// RUN: agir-dump %s --pass declare-writable-arguments | filecheck %s
module {
  func.func @f(%arg0: tensor<?xf64>) {
    return
  }
}
// CHECK: module {
// CHECK-NEXT:   func.func @f(%arg0: tensor<?xf64> {bufferization.writable = false}) {
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
