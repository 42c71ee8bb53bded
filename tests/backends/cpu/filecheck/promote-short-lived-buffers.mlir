// RUN: agir-dump %s --pass promote-short-lived-buffers | filecheck %s
module {
  func.func @of_parts(%arg0: index, %arg1: index, %arg2: index) {
    scf.for %arg3 = %arg2 to %arg0 step %arg1 {
      %alloc = memref.alloc() {alignment = 64 : i64} : memref<3xi64>
      memref.dealloc %alloc : memref<3xi64>
    }
    return
  }
}
// CHECK: module {
// CHECK-NEXT:   func.func @of_parts(%arg0: index, %arg1: index, %arg2: index) {
// CHECK-NEXT:     %alloca = memref.alloca() {alignment = 64 : i64} : memref<3xi64>
// CHECK-NEXT:     scf.for %arg3 = %arg2 to %arg0 step %arg1 {
// CHECK-NEXT:     }
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
