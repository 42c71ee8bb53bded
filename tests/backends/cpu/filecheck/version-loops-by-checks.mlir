// RUN: agir-dump %s --pass version-loops-by-checks | filecheck %s
module {
  func.func @total(%arg0: memref<10xf64>, %arg1: index, %arg2: i64, %arg3: i64, %arg4: index, %arg5: index, %arg6: index, %arg7: f64, %arg8: index, %arg9: i64) {
    %c0_i64 = arith.constant 0 : i64
    %0:4 = scf.for %arg10 = %arg5 to %arg4 step %arg6 iter_args(%arg11 = %arg7, %arg12 = %c0_i64, %arg13 = %c0_i64, %arg14 = %c0_i64) -> (f64, i64, i64, i64) {
      %1 = arith.index_cast %arg10 : index to i64
      %2 = arith.cmpi eq, %arg12, %c0_i64 : i64
      %3 = arith.cmpi uge, %arg10, %arg8 : index
      %4 = arith.andi %3, %2 : i1
      %5 = arith.select %4, %arg9, %arg12 : i64
      %6 = memref.load %arg0[%arg1] : memref<10xf64>
      %7 = arith.addf %arg11, %6 : f64
      scf.yield %7, %5, %arg3, %arg2 : f64, i64, i64, i64
    }
    return
  }
}
// CHECK: module {
// CHECK-NEXT:   func.func @total(%arg0: memref<10xf64>, %arg1: index, %arg2: i64, %arg3: i64, %arg4: index, %arg5: index, %arg6: index, %arg7: f64, %arg8: index, %arg9: i64) {
// CHECK-NEXT:     %c0_i64 = arith.constant 0 : i64
// CHECK-NEXT:     %c-281474976710656 = arith.constant -281474976710656 : index
// CHECK-NEXT:     %0 = arith.subi %arg5, %c-281474976710656 : index
// CHECK-NEXT:     %c562949953421312 = arith.constant 562949953421312 : index
// CHECK-NEXT:     %1 = arith.cmpi ule, %0, %c562949953421312 : index
// CHECK-NEXT:     %c-281474976710656_0 = arith.constant -281474976710656 : index
// CHECK-NEXT:     %2 = arith.subi %arg4, %c-281474976710656_0 : index
// CHECK-NEXT:     %c562949953421312_1 = arith.constant 562949953421312 : index
// CHECK-NEXT:     %3 = arith.cmpi ule, %2, %c562949953421312_1 : index
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %4 = arith.cmpi sge, %arg5, %c0 : index
// CHECK-NEXT:     %c-1 = arith.constant -1 : index
// CHECK-NEXT:     %5 = arith.addi %arg4, %c-1 : index
// CHECK-NEXT:     %6 = arith.cmpi slt, %5, %arg8 : index
// CHECK-NEXT:     %7 = arith.andi %1, %3 : i1
// CHECK-NEXT:     %8 = arith.andi %7, %4 : i1
// CHECK-NEXT:     %9 = arith.andi %8, %6 : i1
// CHECK-NEXT:     %10:4 = scf.if %9 -> (f64, i64, i64, i64) {
// CHECK-NEXT:       %false = arith.constant false
// CHECK-NEXT:       %11:4 = scf.for %arg10 = %arg5 to %arg4 step %arg6 iter_args(%arg11 = %arg7, %arg12 = %c0_i64, %arg13 = %c0_i64, %arg14 = %c0_i64) -> (f64, i64, i64, i64) {
// CHECK-NEXT:         %12 = arith.index_cast %arg10 : index to i64
// CHECK-NEXT:         %13 = arith.cmpi eq, %arg12, %c0_i64 : i64
// CHECK-NEXT:         %14 = arith.cmpi uge, %arg10, %arg8 : index
// CHECK-NEXT:         %15 = arith.andi %false, %13 : i1
// CHECK-NEXT:         %16 = arith.select %15, %arg9, %arg12 : i64
// CHECK-NEXT:         %17 = memref.load %arg0[%arg1] : memref<10xf64>
// CHECK-NEXT:         %18 = arith.addf %arg11, %17 : f64
// CHECK-NEXT:         scf.yield %18, %16, %arg3, %arg2 : f64, i64, i64, i64
// CHECK-NEXT:       }
// CHECK-NEXT:       scf.yield %11#0, %11#1, %11#2, %11#3 : f64, i64, i64, i64
// CHECK-NEXT:     } else {
// CHECK-NEXT:       %11:4 = scf.for %arg10 = %arg5 to %arg4 step %arg6 iter_args(%arg11 = %arg7, %arg12 = %c0_i64, %arg13 = %c0_i64, %arg14 = %c0_i64) -> (f64, i64, i64, i64) {
// CHECK-NEXT:         %12 = arith.index_cast %arg10 : index to i64
// CHECK-NEXT:         %13 = arith.cmpi eq, %arg12, %c0_i64 : i64
// CHECK-NEXT:         %14 = arith.cmpi uge, %arg10, %arg8 : index
// CHECK-NEXT:         %15 = arith.andi %14, %13 : i1
// CHECK-NEXT:         %16 = arith.select %15, %arg9, %arg12 : i64
// CHECK-NEXT:         %17 = memref.load %arg0[%arg1] : memref<10xf64>
// CHECK-NEXT:         %18 = arith.addf %arg11, %17 : f64
// CHECK-NEXT:         scf.yield %18, %16, %arg3, %arg2 : f64, i64, i64, i64
// CHECK-NEXT:       }
// CHECK-NEXT:       scf.yield %11#0, %11#1, %11#2, %11#3 : f64, i64, i64, i64
// CHECK-NEXT:     }
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
