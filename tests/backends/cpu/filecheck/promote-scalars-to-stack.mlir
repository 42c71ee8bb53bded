// RUN: agir-dump %s --pass promote-scalars-to-stack | filecheck %s
module {
  func.func @f(%arg0: index, %arg1: index, %arg2: index) {
    scf.for %arg3 = %arg2 to %arg0 step %arg1 {
      %alloc = memref.alloc() {alignment = 64 : i64} : memref<f64>
    }
    return
  }
}
// CHECK: module {
// CHECK-NEXT:   func.func @f(%arg0: index, %arg1: index, %arg2: index) {
// CHECK-NEXT:     %alloca = memref.alloca() {alignment = 64 : i64} : memref<f64>
// CHECK-NEXT:     scf.for %arg3 = %arg2 to %arg0 step %arg1 {
// CHECK-NEXT:     }
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
