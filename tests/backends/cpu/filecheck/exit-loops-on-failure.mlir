// RUN: agir-dump %s --pass exit-loops-on-failure | filecheck %s
module {
  func.func @f(%arg0: i1, %arg1: i64, %arg2: i64, %arg3: i1, %arg4: index, %arg5: index, %arg6: index, %arg7: i1, %arg8: index, %arg9: index, %arg10: i1) -> i64 attributes {agir.record, agir.signature = (memref<40xf64>, i64, i64) -> (memref<40xf64>, i64, i64, i64)} {
    %c1_i64 = arith.constant 1 : i64
    %c0_i64 = arith.constant 0 : i64
    %0:5 = scf.while (%arg11 = %arg8, %arg12 = %c0_i64, %arg13 = %c0_i64, %arg14 = %c0_i64, %arg15 = %arg10) : (index, i64, i64, i64, i1) -> (index, i64, i64, i64, i1) {
      scf.condition(%arg7) %arg11, %arg12, %arg13, %arg14, %arg15 : index, i64, i64, i64, i1
    } do {
    ^bb0(%arg11: index, %arg12: i64, %arg13: i64, %arg14: i64, %arg15: i1):
      %1:4 = scf.for %arg16 = %arg6 to %arg5 step %arg9 iter_args(%arg17 = %arg12, %arg18 = %arg13, %arg19 = %arg14, %arg20 = %arg15) -> (i64, i64, i64, i1) {
        %2:3 = scf.if %arg3 -> (i64, i64, i64) {
          %3 = arith.cmpi eq, %arg17, %c0_i64 : i64
          %4 = arith.select %3, %c1_i64, %arg17 : i64
          scf.yield %4, %arg2, %arg1 : i64, i64, i64
        } else {
          scf.yield %arg17, %arg18, %arg19 : i64, i64, i64
        }
        scf.yield %2#0, %2#1, %2#2, %arg0 : i64, i64, i64, i1
      }
      scf.yield %arg4, %1#0, %1#1, %1#2, %1#3 : index, i64, i64, i64, i1
    }
    return %0#1 : i64
  }
}
// CHECK: module {
// CHECK-NEXT:   func.func @f(%arg0: i1, %arg1: i64, %arg2: i64, %arg3: i1, %arg4: index, %arg5: index, %arg6: index, %arg7: i1, %arg8: index, %arg9: index, %arg10: i1) -> i64 attributes {agir.record, agir.signature = (memref<40xf64>, i64, i64) -> (memref<40xf64>, i64, i64, i64)} {
// CHECK-NEXT:     %0 = llvm.mlir.constant(1 : i64) : i64
// CHECK-NEXT:     %1 = llvm.alloca %0 x i64 : (i64) -> !llvm.ptr
// CHECK-NEXT:     %2 = llvm.getelementptr %1[0] : (!llvm.ptr) -> !llvm.ptr, i64
// CHECK-NEXT:     %3 = llvm.mlir.constant(0 : i64) : i64
// CHECK-NEXT:     llvm.store %3, %2 : i64, !llvm.ptr
// CHECK-NEXT:     %c1_i64 = arith.constant 1 : i64
// CHECK-NEXT:     %c0_i64 = arith.constant 0 : i64
// CHECK-NEXT:     llvm.store %c0_i64, %1 : i64, !llvm.ptr
// CHECK-NEXT:     %c0_i64_0 = arith.constant 0 : i64
// CHECK-NEXT:     %4 = arith.cmpi eq, %c0_i64, %c0_i64_0 : i64
// CHECK-NEXT:     %5:5 = scf.while (%arg11 = %arg8, %arg12 = %c0_i64, %arg13 = %c0_i64, %arg14 = %c0_i64, %arg15 = %arg10) : (index, i64, i64, i64, i1) -> (index, i64, i64, i64, i1) {
// CHECK-NEXT:       scf.condition(%arg7) %arg11, %c0_i64, %arg13, %arg14, %arg15 : index, i64, i64, i64, i1
// CHECK-NEXT:     } do {
// CHECK-NEXT:     ^bb0(%arg11: index, %arg12: i64, %arg13: i64, %arg14: i64, %arg15: i1):
// CHECK-NEXT:       %7:4 = scf.for %arg16 = %arg6 to %arg5 step %arg9 iter_args(%arg17 = %c0_i64, %arg18 = %arg13, %arg19 = %arg14, %arg20 = %arg15) -> (i64, i64, i64, i1) {
// CHECK-NEXT:         %8:3 = scf.if %arg3 -> (i64, i64, i64) {
// CHECK-NEXT:           %9 = arith.cmpi eq, %c0_i64, %c0_i64 : i64
// CHECK-NEXT:           %true = arith.constant true
// CHECK-NEXT:           scf.if %true {
// CHECK-NEXT:             %10 = arith.select %4, %c1_i64, %c0_i64 : i64
// CHECK-NEXT:             llvm.store %10, %1 : i64, !llvm.ptr
// CHECK-NEXT:             func.call @agir_leave_loop() {agir.loop = 0 : i64} : () -> ()
// CHECK-NEXT:           }
// CHECK-NEXT:           scf.yield %c0_i64, %arg2, %arg1 : i64, i64, i64
// CHECK-NEXT:         } else {
// CHECK-NEXT:           scf.yield %c0_i64, %arg18, %arg19 : i64, i64, i64
// CHECK-NEXT:         }
// CHECK-NEXT:         scf.yield %c0_i64, %8#1, %8#2, %arg0 : i64, i64, i64, i1
// CHECK-NEXT:       }
// CHECK-NEXT:       scf.yield %arg4, %c0_i64, %7#1, %7#2, %7#3 : index, i64, i64, i64, i1
// CHECK-NEXT:     }
// CHECK-NEXT:     call @agir_left_loop() {agir.loop = 0 : i64} : () -> ()
// CHECK-NEXT:     %6 = llvm.load %1 : !llvm.ptr -> i64
// CHECK-NEXT:     return %6 : i64
// CHECK-NEXT:   }
// CHECK-NEXT:   func.func private @agir_leave_loop()
// CHECK-NEXT:   func.func private @agir_left_loop()
// CHECK-NEXT: }
