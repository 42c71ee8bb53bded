// RUN: agir-dump %s --pass save-for-rollback | filecheck %s
module {
  func.func @by_a_call(%arg0: memref<3xi64>, %arg1: i64, %arg2: i64) -> (i64, i64) attributes {agir.destinations = array<i64: 0>, agir.record} {
    return %arg1, %arg2 : i64, i64
  }
}
// CHECK: module {
// CHECK-NEXT:   func.func @by_a_call(%arg0: memref<3xi64>, %arg1: i64, %arg2: i64) -> (i64, i64) attributes {agir.destinations = array<i64: 0>, agir.record} {
// CHECK-NEXT:     %0 = builtin.unrealized_conversion_cast to i1
// CHECK-NEXT:     %1 = scf.if %0 -> (memref<3xi64>) {
// CHECK-NEXT:       scf.yield %arg0 : memref<3xi64>
// CHECK-NEXT:     } else {
// CHECK-NEXT:       %alloc = memref.alloc() {alignment = 64 : i64} : memref<3xi64>
// CHECK-NEXT:       memref.copy %arg0, %alloc : memref<3xi64> to memref<3xi64>
// CHECK-NEXT:       scf.yield %alloc : memref<3xi64>
// CHECK-NEXT:     }
// CHECK-NEXT:     scf.if %0 {
// CHECK-NEXT:     } else {
// CHECK-NEXT:       %c0_i64 = arith.constant 0 : i64
// CHECK-NEXT:       %2 = arith.cmpi ne, %arg2, %c0_i64 : i64
// CHECK-NEXT:       scf.if %2 {
// CHECK-NEXT:         memref.copy %1, %arg0 : memref<3xi64> to memref<3xi64>
// CHECK-NEXT:       }
// CHECK-NEXT:       memref.dealloc %1 : memref<3xi64>
// CHECK-NEXT:     }
// CHECK-NEXT:     return %arg1, %arg2 : i64, i64
// CHECK-NEXT:   }
// CHECK-NEXT: }
