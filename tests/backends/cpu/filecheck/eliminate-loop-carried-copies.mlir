// RUN: agir-dump %s --pass eliminate-loop-carried-copies | filecheck %s
module {
  func.func @of_names(%arg0: memref<6xi64>, %arg1: memref<6xi64>, %arg2: memref<6xi64>, %arg3: index, %arg4: index, %arg5: index) {
    %0:2 = scf.for %arg6 = %arg5 to %arg3 step %arg4 iter_args(%arg7 = %arg2, %arg8 = %arg1) -> (memref<6xi64>, memref<6xi64>) {
      %alloc = memref.alloc() {alignment = 64 : i64} : memref<6xi64>
      memref.copy %arg8, %alloc : memref<6xi64> to memref<6xi64>
      scf.yield %alloc, %arg0 : memref<6xi64>, memref<6xi64>
    }
    return
  }
}
// CHECK: module {
// CHECK-NEXT:   func.func @of_names(%arg0: memref<6xi64>, %arg1: memref<6xi64>, %arg2: memref<6xi64>, %arg3: index, %arg4: index, %arg5: index) {
// CHECK-NEXT:     %0:2 = scf.for %arg6 = %arg5 to %arg3 step %arg4 iter_args(%arg7 = %arg2, %arg8 = %arg1) -> (memref<6xi64>, memref<6xi64>) {
// CHECK-NEXT:       scf.yield %arg8, %arg0 : memref<6xi64>, memref<6xi64>
// CHECK-NEXT:     }
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
