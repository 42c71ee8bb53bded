// RUN: agir-dump %s --pass forget-same-buffers | filecheck %s
module {
  func.func @caught(%arg0: f64, %arg1: memref<2x2xf64>, %arg2: memref<2x2xf64>, %arg3: memref<2x2xf64>, %arg4: memref<2x2xf64>, %arg5: f64, %arg6: index, %arg7: index, %arg8: index, %arg9: i64, %arg10: index, %arg11: f64, %arg12: i1, %arg13: f64, %arg14: i1) {
    %0:4 = scf.for %arg15 = %arg8 to %arg7 step %arg6 iter_args(%arg16 = %arg5, %arg17 = %arg9, %arg18 = %arg9, %arg19 = %arg9) -> (f64, i64, i64, i64) {
      %1:4 = scf.for %arg20 = %arg8 to %arg10 step %arg6 iter_args(%arg21 = %arg4, %arg22 = %arg3, %arg23 = %arg11, %arg24 = %arg12) -> (memref<2x2xf64>, memref<2x2xf64>, f64, i1) {
        %2 = func.call @same_buffer_0(%arg2) : (memref<2x2xf64>) -> memref<2x2xf64>
        scf.yield %arg1, %2, %arg13, %arg14 : memref<2x2xf64>, memref<2x2xf64>, f64, i1
      }
      scf.yield %arg0, %arg9, %arg9, %arg9 : f64, i64, i64, i64
    }
    return
  }
  func.func @same_buffer_0(%arg0: memref<2x2xf64>) -> memref<2x2xf64> {
    return %arg0 : memref<2x2xf64>
  }
}
// CHECK: module {
// CHECK-NEXT:   func.func @caught(%arg0: f64, %arg1: memref<2x2xf64>, %arg2: memref<2x2xf64>, %arg3: memref<2x2xf64>, %arg4: memref<2x2xf64>, %arg5: f64, %arg6: index, %arg7: index, %arg8: index, %arg9: i64, %arg10: index, %arg11: f64, %arg12: i1, %arg13: f64, %arg14: i1) {
// CHECK-NEXT:     %0:4 = scf.for %arg15 = %arg8 to %arg7 step %arg6 iter_args(%arg16 = %arg5, %arg17 = %arg9, %arg18 = %arg9, %arg19 = %arg9) -> (f64, i64, i64, i64) {
// CHECK-NEXT:       %1:4 = scf.for %arg20 = %arg8 to %arg10 step %arg6 iter_args(%arg21 = %arg4, %arg22 = %arg3, %arg23 = %arg11, %arg24 = %arg12) -> (memref<2x2xf64>, memref<2x2xf64>, f64, i1) {
// CHECK-NEXT:         scf.yield %arg1, %arg2, %arg13, %arg14 : memref<2x2xf64>, memref<2x2xf64>, f64, i1
// CHECK-NEXT:       }
// CHECK-NEXT:       scf.yield %arg0, %arg9, %arg9, %arg9 : f64, i64, i64, i64
// CHECK-NEXT:     }
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
