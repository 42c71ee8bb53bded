// RUN: agir-dump %s --pass remove-fusion-marks | filecheck %s
module {
  func.func @overwritten(%arg0: tensor<2x2000xf64>, %arg1: i64, %arg2: i64, %arg3: tensor<2x2000xf64>, %arg4: tensor<4000xf64>, %arg5: tensor<4000xf64>, %arg6: i1, %arg7: i1, %arg8: i64, %arg9: i64, %arg10: i64, %arg11: i1, %arg12: tensor<4000xf64>, %arg13: i64, %arg14: i1) {
    %0:6 = scf.while (%arg15 = %arg13, %arg16 = %arg13, %arg17 = %arg13, %arg18 = %arg14, %arg19 = %arg12, %arg20 = %arg0) : (i64, i64, i64, i1, tensor<4000xf64>, tensor<2x2000xf64>) -> (i64, i64, i64, i1, tensor<2x2000xf64>, tensor<4000xf64>) {
      scf.condition(%arg11) %arg15, %arg10, %arg9, %arg18, %arg20, %arg19 : i64, i64, i64, i1, tensor<2x2000xf64>, tensor<4000xf64>
    } do {
    ^bb0(%arg15: i64, %arg16: i64, %arg17: i64, %arg18: i1, %arg19: tensor<2x2000xf64>, %arg20: tensor<4000xf64>):
      %1:2 = scf.if %arg7 -> (tensor<4000xf64>, tensor<2x2000xf64>) {
        scf.yield %arg20, %arg19 : tensor<4000xf64>, tensor<2x2000xf64>
      } else {
        bufferization.dealloc_tensor %arg5 : tensor<4000xf64>
        scf.yield %arg4, %arg3 : tensor<4000xf64>, tensor<2x2000xf64>
      }
      scf.yield %arg8, %arg2, %arg1, %arg6, %1#0, %1#1 : i64, i64, i64, i1, tensor<4000xf64>, tensor<2x2000xf64>
    }
    return
  }
}
// CHECK: module {
// CHECK-NEXT:   func.func @overwritten(%arg0: tensor<2x2000xf64>, %arg1: i64, %arg2: i64, %arg3: tensor<2x2000xf64>, %arg4: tensor<4000xf64>, %arg5: tensor<4000xf64>, %arg6: i1, %arg7: i1, %arg8: i64, %arg9: i64, %arg10: i64, %arg11: i1, %arg12: tensor<4000xf64>, %arg13: i64, %arg14: i1) {
// CHECK-NEXT:     %0:6 = scf.while (%arg15 = %arg13, %arg16 = %arg13, %arg17 = %arg13, %arg18 = %arg14, %arg19 = %arg12, %arg20 = %arg0) : (i64, i64, i64, i1, tensor<4000xf64>, tensor<2x2000xf64>) -> (i64, i64, i64, i1, tensor<2x2000xf64>, tensor<4000xf64>) {
// CHECK-NEXT:       scf.condition(%arg11) %arg15, %arg10, %arg9, %arg18, %arg20, %arg19 : i64, i64, i64, i1, tensor<2x2000xf64>, tensor<4000xf64>
// CHECK-NEXT:     } do {
// CHECK-NEXT:     ^bb0(%arg15: i64, %arg16: i64, %arg17: i64, %arg18: i1, %arg19: tensor<2x2000xf64>, %arg20: tensor<4000xf64>):
// CHECK-NEXT:       %1:2 = scf.if %arg7 -> (tensor<4000xf64>, tensor<2x2000xf64>) {
// CHECK-NEXT:         scf.yield %arg20, %arg19 : tensor<4000xf64>, tensor<2x2000xf64>
// CHECK-NEXT:       } else {
// CHECK-NEXT:         scf.yield %arg4, %arg3 : tensor<4000xf64>, tensor<2x2000xf64>
// CHECK-NEXT:       }
// CHECK-NEXT:       scf.yield %arg8, %arg2, %arg1, %arg6, %1#0, %1#1 : i64, i64, i64, i1, tensor<4000xf64>, tensor<2x2000xf64>
// CHECK-NEXT:     }
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
