// RUN: agir-dump %s --pass double-buffer-loops | filecheck %s
module {
  func.func @diffusion(%arg0: memref<0xf64>, %arg1: index, %arg2: index, %arg3: index) {
    %0 = scf.for %arg4 = %arg3 to %arg1 step %arg2 iter_args(%arg5 = %arg0) -> (memref<0xf64>) {
      %alloc = memref.alloc() {alignment = 64 : i64} : memref<0xf64>
      scf.yield %alloc : memref<0xf64>
    }
    return
  }
}
// CHECK: module {
// CHECK-NEXT:   func.func @diffusion(%arg0: memref<0xf64>, %arg1: index, %arg2: index, %arg3: index) {
// CHECK-NEXT:     scf.for %arg4 = %arg3 to %arg1 step %arg2 {
// CHECK-NEXT:     }
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
