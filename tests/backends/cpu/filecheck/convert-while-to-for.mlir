// RUN: agir-dump %s --pass convert-while-to-for | filecheck %s
module {
  func.func @from_the_caller(%arg0: memref<11xi64>, %arg1: i64, %arg2: i64, %arg3: i1, %arg4: i64, %arg5: i64, %arg6: i64) {
    %c1_i64 = arith.constant 1 : i64
    %0:6 = scf.while (%arg7 = %arg1, %arg8 = %arg4, %arg9 = %c1_i64, %arg10 = %arg4, %arg11 = %arg4, %arg12 = %arg4) : (i64, i64, i64, i64, i64, i64) -> (i64, i64, i64, i64, i64, i64) {
      %1 = arith.cmpi slt, %arg7, %arg5 : i64
      %2 = arith.andi %1, %arg3 : i1
      scf.condition(%2) %arg7, %arg8, %arg9, %arg10, %arg11, %arg12 : i64, i64, i64, i64, i64, i64
    } do {
    ^bb0(%arg7: i64, %arg8: i64, %arg9: i64, %arg10: i64, %arg11: i64, %arg12: i64):
      %1 = arith.index_cast %arg7 : i64 to index
      %2 = memref.load %arg0[%1] : memref<11xi64>
      %3 = arith.addi %arg7, %c1_i64 : i64
      scf.yield %3, %arg2, %arg6, %c1_i64, %arg7, %arg5 : i64, i64, i64, i64, i64, i64
    }
    return
  }
}
// CHECK: module {
// CHECK-NEXT:   func.func @from_the_caller(%arg0: memref<11xi64>, %arg1: i64, %arg2: i64, %arg3: i1, %arg4: i64, %arg5: i64, %arg6: i64) {
// CHECK-NEXT:     %c1_i64 = arith.constant 1 : i64
// CHECK-NEXT:     %0 = arith.index_cast %arg1 : i64 to index
// CHECK-NEXT:     %1 = arith.index_cast %arg5 : i64 to index
// CHECK-NEXT:     %2 = arith.select %arg3, %1, %0 : index
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     %3:5 = scf.for %arg7 = %0 to %2 step %c1 iter_args(%arg8 = %arg4, %arg9 = %c1_i64, %arg10 = %arg4, %arg11 = %arg4, %arg12 = %arg4) -> (i64, i64, i64, i64, i64) {
// CHECK-NEXT:       %4 = arith.index_cast %arg7 : index to i64
// CHECK-NEXT:       %5 = arith.index_cast %4 : i64 to index
// CHECK-NEXT:       %6 = memref.load %arg0[%5] : memref<11xi64>
// CHECK-NEXT:       %7 = arith.addi %4, %c1_i64 : i64
// CHECK-NEXT:       scf.yield %arg2, %arg6, %c1_i64, %4, %arg5 : i64, i64, i64, i64, i64
// CHECK-NEXT:     }
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
