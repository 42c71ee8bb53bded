// RUN: agir-dump %s --pass restore-while-exits | filecheck %s
module {
  func.func @by_while(%arg0: i64, %arg1: i8, %arg2: i64, %arg3: i64, %arg4: i1, %arg5: i8, %arg6: i64, %arg7: i64, %arg8: i64, %arg9: i64, %arg10: i1, %arg11: index, %arg12: index, %arg13: index, %arg14: i8, %arg15: i64) {
    %c0_i64 = arith.constant 0 : i64
    %0:5 = scf.if %arg10 -> (i8, i64, i64, i64, i64) {
      scf.yield %arg5, %arg6, %arg7, %arg8, %arg9 : i8, i64, i64, i64, i64
    } else {
      %1:5 = scf.for %arg16 = %arg13 to %arg12 step %arg11 iter_args(%arg17 = %arg14, %arg18 = %c0_i64, %arg19 = %c0_i64, %arg20 = %c0_i64, %arg21 = %c0_i64) -> (i8, i64, i64, i64, i64) {
        %2 = arith.cmpi eq, %arg19, %c0_i64 : i64
        %3 = arith.andi %arg4, %2 : i1
        %4 = arith.select %3, %arg15, %arg19 : i64
        scf.yield %arg1, %arg0, %4, %arg3, %arg2 : i8, i64, i64, i64, i64
      } {agir.stops = 2 : i64}
      scf.yield %1#0, %1#1, %1#2, %1#3, %1#4 : i8, i64, i64, i64, i64
    }
    return
  }
}
// CHECK: module {
// CHECK-NEXT:   func.func @by_while(%arg0: i64, %arg1: i8, %arg2: i64, %arg3: i64, %arg4: i1, %arg5: i8, %arg6: i64, %arg7: i64, %arg8: i64, %arg9: i64, %arg10: i1, %arg11: index, %arg12: index, %arg13: index, %arg14: i8, %arg15: i64) {
// CHECK-NEXT:     %c0_i64 = arith.constant 0 : i64
// CHECK-NEXT:     %0:5 = scf.if %arg10 -> (i8, i64, i64, i64, i64) {
// CHECK-NEXT:       scf.yield %arg5, %arg6, %arg7, %arg8, %arg9 : i8, i64, i64, i64, i64
// CHECK-NEXT:     } else {
// CHECK-NEXT:       %1:6 = scf.while (%arg16 = %arg13, %arg17 = %arg14, %arg18 = %c0_i64, %arg19 = %c0_i64, %arg20 = %c0_i64, %arg21 = %c0_i64) : (index, i8, i64, i64, i64, i64) -> (index, i8, i64, i64, i64, i64) {
// CHECK-NEXT:         %c0_i64_0 = arith.constant 0 : i64
// CHECK-NEXT:         %2 = arith.cmpi eq, %arg19, %c0_i64_0 : i64
// CHECK-NEXT:         %3 = arith.cmpi slt, %arg16, %arg12 : index
// CHECK-NEXT:         %4 = arith.andi %3, %2 : i1
// CHECK-NEXT:         scf.condition(%4) %arg16, %arg17, %arg18, %arg19, %arg20, %arg21 : index, i8, i64, i64, i64, i64
// CHECK-NEXT:       } do {
// CHECK-NEXT:       ^bb0(%arg16: index, %arg17: i8, %arg18: i64, %arg19: i64, %arg20: i64, %arg21: i64):
// CHECK-NEXT:         %2 = arith.cmpi eq, %arg19, %c0_i64 : i64
// CHECK-NEXT:         %3 = arith.andi %arg4, %2 : i1
// CHECK-NEXT:         %4 = arith.select %3, %arg15, %arg19 : i64
// CHECK-NEXT:         %5 = arith.addi %arg16, %arg11 : index
// CHECK-NEXT:         scf.yield %5, %arg1, %arg0, %4, %arg3, %arg2 : index, i8, i64, i64, i64, i64
// CHECK-NEXT:       }
// CHECK-NEXT:       scf.yield %1#1, %1#2, %1#3, %1#4, %1#5 : i8, i64, i64, i64, i64
// CHECK-NEXT:     }
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
