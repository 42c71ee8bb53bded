// RUN: agir-dump %s --pass branch-on-failure | filecheck %s
module {
  func.func @handled_in_turns(%arg0: i64, %arg1: index, %arg2: index, %arg3: index, %arg4: i64) {
    %c0_i64 = arith.constant 0 : i64
    %c0 = arith.constant 0 : index
    %0:4 = scf.for %arg5 = %c0 to %arg3 step %arg2 iter_args(%arg6 = %c0_i64, %arg7 = %c0_i64, %arg8 = %c0_i64, %arg9 = %c0_i64) -> (i64, i64, i64, i64) {
      %1 = arith.cmpi slt, %arg1, %c0 : index
      %2 = arith.addi %arg1, %arg3 : index
      %3 = arith.select %1, %2, %arg1 : index
      %4 = arith.cmpi eq, %arg7, %c0_i64 : i64
      %5 = arith.cmpi uge, %3, %arg3 : index
      %6 = arith.andi %5, %4 : i1
      %7 = arith.select %6, %arg4, %arg7 : i64
      scf.yield %arg0, %c0_i64, %c0_i64, %c0_i64 : i64, i64, i64, i64
    }
    return
  }
}
// CHECK: module {
// CHECK-NEXT:   func.func @handled_in_turns(%arg0: i64, %arg1: index, %arg2: index, %arg3: index, %arg4: i64) {
// CHECK-NEXT:     %c0_i64 = arith.constant 0 : i64
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %0:4 = scf.for %arg5 = %c0 to %arg3 step %arg2 iter_args(%arg6 = %c0_i64, %arg7 = %c0_i64, %arg8 = %c0_i64, %arg9 = %c0_i64) -> (i64, i64, i64, i64) {
// CHECK-NEXT:       %1 = arith.cmpi slt, %arg1, %c0 : index
// CHECK-NEXT:       %2 = arith.addi %arg1, %arg3 : index
// CHECK-NEXT:       %3 = arith.select %1, %2, %arg1 : index
// CHECK-NEXT:       %4 = arith.cmpi eq, %arg7, %c0_i64 : i64
// CHECK-NEXT:       %5 = arith.cmpi uge, %3, %arg3 : index
// CHECK-NEXT:       %6 = arith.andi %5, %4 : i1
// CHECK-NEXT:       %7 = arith.cmpi uge, %arg1, %arg3 : index
// CHECK-NEXT:       %false = arith.constant false
// CHECK-NEXT:       %8 = llvm.intr.expect %7, %false : i1
// CHECK-NEXT:       %9 = scf.if %8 -> (i64) {
// CHECK-NEXT:         %10 = arith.select %6, %arg4, %arg7 : i64
// CHECK-NEXT:         scf.yield %10 : i64
// CHECK-NEXT:       } else {
// CHECK-NEXT:         scf.yield %arg7 : i64
// CHECK-NEXT:       }
// CHECK-NEXT:       scf.yield %arg0, %c0_i64, %c0_i64, %c0_i64 : i64, i64, i64, i64
// CHECK-NEXT:     }
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
