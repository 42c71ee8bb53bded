// RUN: agir-dump %s --pass eliminate-dead-stores | filecheck %s
module {
  func.func @stencil_with_edges(%arg0: memref<1xf64>, %arg1: index, %arg2: index, %arg3: index, %arg4: f64, %arg5: f64) {
    scf.for %arg6 = %arg2 to %arg1 step %arg3 {
      memref.store %arg4, %arg0[%arg2] : memref<1xf64>
      memref.store %arg5, %arg0[%arg2] : memref<1xf64>
    }
    return
  }
}
// CHECK: module {
// CHECK-NEXT:   func.func @stencil_with_edges(%arg0: memref<1xf64>, %arg1: index, %arg2: index, %arg3: index, %arg4: f64, %arg5: f64) {
// CHECK-NEXT:     scf.for %arg6 = %arg2 to %arg1 step %arg3 {
// CHECK-NEXT:       memref.store %arg5, %arg0[%arg2] : memref<1xf64>
// CHECK-NEXT:     }
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
