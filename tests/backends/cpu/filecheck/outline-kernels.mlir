// RUN: agir-dump %s --pass outline-kernels | filecheck %s
module {
  func.func @f(%arg0: memref<?xf64>, %arg1: memref<?xf64>, %arg2: memref<?xf64>) {
    linalg.copy ins(%arg0 : memref<?xf64>) outs(%arg2 : memref<?xf64>)
    linalg.copy ins(%arg1 : memref<?xf64>) outs(%arg0 : memref<?xf64>)
    return
  }
}
// CHECK: module {
// CHECK-NEXT:   func.func @f(%arg0: memref<?xf64>, %arg1: memref<?xf64>, %arg2: memref<?xf64>) {
// CHECK-NEXT:     call @agir.kernel_copy_2872120afb5bb79e(%arg0, %arg2) : (memref<?xf64>, memref<?xf64>) -> ()
// CHECK-NEXT:     call @agir.kernel_copy_2872120afb5bb79e(%arg1, %arg0) : (memref<?xf64>, memref<?xf64>) -> ()
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT:   func.func private @agir.kernel_copy_2872120afb5bb79e(%arg0: memref<?xf64>, %arg1: memref<?xf64>) attributes {agir.kernel} {
// CHECK-NEXT:     linalg.copy ins(%arg0 : memref<?xf64>) outs(%arg1 : memref<?xf64>)
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
