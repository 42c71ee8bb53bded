// RUN: agir-dump %s --pass version-loops-with-rollback | filecheck %s
module {
  func.func @by_a_call() attributes {agir.destinations = array<i64: 0>, agir.record} {
    %0 = builtin.unrealized_conversion_cast to i1
    return
  }
}
// CHECK: module {
// CHECK-NEXT:   func.func @by_a_call() attributes {agir.destinations = array<i64: 0>, agir.record} {
// CHECK-NEXT:     %true = arith.constant true
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
