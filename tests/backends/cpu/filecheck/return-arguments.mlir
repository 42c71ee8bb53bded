// RUN: agir-dump %s --pass return-arguments | filecheck %s
module {
  func.func private @agir.kernel_muli_addi_addf_subf_c38267638a418e4c(%arg0: memref<2048xf32>, %arg1: memref<2048xf32>, %arg2: index, %arg3: index, %arg4: memref<2048xf32>, %arg5: index, %arg6: index) -> memref<2048xf32> attributes {agir.kernel} {
    %0:2 = scf.for %arg7 = %arg6 to %arg2 step %arg5 iter_args(%arg8 = %arg0, %arg9 = %arg1) -> (memref<2048xf32>, memref<2048xf32>) {
      %1:2 = scf.for %arg10 = %arg6 to %arg3 step %arg5 iter_args(%arg11 = %arg8, %arg12 = %arg9) -> (memref<2048xf32>, memref<2048xf32>) {
        scf.yield %arg11, %arg12 : memref<2048xf32>, memref<2048xf32>
      }
      scf.yield %1#0, %1#1 : memref<2048xf32>, memref<2048xf32>
    }
    return %arg4 : memref<2048xf32>
  }
}
// CHECK: module {
// CHECK-NEXT:   func.func private @agir.kernel_muli_addi_addf_subf_c38267638a418e4c(%arg0: memref<2048xf32>, %arg1: memref<2048xf32>, %arg2: index, %arg3: index, %arg4: memref<2048xf32>, %arg5: index, %arg6: index) -> memref<2048xf32> attributes {agir.kernel} {
// CHECK-NEXT:     %0:2 = scf.for %arg7 = %arg6 to %arg2 step %arg5 iter_args(%arg8 = %arg0, %arg9 = %arg1) -> (memref<2048xf32>, memref<2048xf32>) {
// CHECK-NEXT:       %1:2 = scf.for %arg10 = %arg6 to %arg3 step %arg5 iter_args(%arg11 = %arg8, %arg12 = %arg9) -> (memref<2048xf32>, memref<2048xf32>) {
// CHECK-NEXT:         scf.yield %arg11, %arg12 : memref<2048xf32>, memref<2048xf32>
// CHECK-NEXT:       }
// CHECK-NEXT:       scf.yield %arg0, %arg1 : memref<2048xf32>, memref<2048xf32>
// CHECK-NEXT:     }
// CHECK-NEXT:     return %arg4 : memref<2048xf32>
// CHECK-NEXT:   }
// CHECK-NEXT: }
