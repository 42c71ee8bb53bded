// RUN: agir-dump %s --pass split-argmin-argmax | filecheck %s
module {
  func.func @greatest(%arg0: memref<100xf64>, %arg1: f64, %arg2: index, %arg3: index, %arg4: index) {
    %0 = scf.for %arg5 = %arg2 to %arg3 step %arg4 iter_args(%arg6 = %arg1) -> (f64) {
      %1 = arith.addi %arg5, %arg4 : index
      %2 = memref.load %arg0[%1] : memref<100xf64>
      %3 = arith.cmpf ogt, %2, %arg6 : f64
      %4 = arith.select %3, %2, %arg6 : f64
      scf.yield %4 : f64
    }
    return
  }
}
// CHECK: module {
// CHECK-NEXT:   func.func @greatest(%arg0: memref<100xf64>, %arg1: f64, %arg2: index, %arg3: index, %arg4: index) {
// CHECK-NEXT:     %c64 = arith.constant 64 : index
// CHECK-NEXT:     %0 = arith.muli %arg4, %c64 : index
// CHECK-NEXT:     %1 = arith.subi %arg3, %arg2 : index
// CHECK-NEXT:     %2 = arith.cmpi sge, %1, %0 : index
// CHECK-NEXT:     %3 = scf.if %2 -> (f64) {
// CHECK-NEXT:       %c-9223372036854775808_i64 = arith.constant -9223372036854775808 : i64
// CHECK-NEXT:       %4 = scf.for %arg5 = %arg2 to %arg3 step %arg4 iter_args(%arg6 = %c-9223372036854775808_i64) -> (i64) {
// CHECK-NEXT:         %11 = arith.addi %arg5, %arg4 : index
// CHECK-NEXT:         %12 = memref.load %arg0[%11] : memref<100xf64>
// CHECK-NEXT:         %13 = arith.cmpf ogt, %12, %arg1 : f64
// CHECK-NEXT:         %14 = arith.select %13, %12, %arg1 : f64
// CHECK-NEXT:         %15 = arith.cmpf uno, %12, %12 : f64
// CHECK-NEXT:         %16 = arith.bitcast %12 : f64 to i64
// CHECK-NEXT:         %c63_i64_0 = arith.constant 63 : i64
// CHECK-NEXT:         %17 = arith.shrsi %16, %c63_i64_0 : i64
// CHECK-NEXT:         %c9223372036854775807_i64_1 = arith.constant 9223372036854775807 : i64
// CHECK-NEXT:         %18 = arith.andi %17, %c9223372036854775807_i64_1 : i64
// CHECK-NEXT:         %19 = arith.xori %16, %18 : i64
// CHECK-NEXT:         %20 = arith.select %15, %c-9223372036854775808_i64, %19 : i64
// CHECK-NEXT:         %21 = arith.maxsi %arg6, %20 : i64
// CHECK-NEXT:         scf.yield %21 : i64
// CHECK-NEXT:       }
// CHECK-NEXT:       %c63_i64 = arith.constant 63 : i64
// CHECK-NEXT:       %5 = arith.shrsi %4, %c63_i64 : i64
// CHECK-NEXT:       %c9223372036854775807_i64 = arith.constant 9223372036854775807 : i64
// CHECK-NEXT:       %6 = arith.andi %5, %c9223372036854775807_i64 : i64
// CHECK-NEXT:       %7 = arith.xori %4, %6 : i64
// CHECK-NEXT:       %8 = arith.bitcast %7 : i64 to f64
// CHECK-NEXT:       %9 = arith.cmpf ogt, %8, %arg1 : f64
// CHECK-NEXT:       %10 = scf.if %9 -> (f64) {
// CHECK-NEXT:         %11 = scf.for %arg5 = %arg2 to %arg3 step %arg4 iter_args(%arg6 = %arg3) -> (index) {
// CHECK-NEXT:           %18 = arith.addi %arg5, %arg4 : index
// CHECK-NEXT:           %19 = memref.load %arg0[%18] : memref<100xf64>
// CHECK-NEXT:           %20 = arith.cmpf ogt, %19, %arg1 : f64
// CHECK-NEXT:           %21 = arith.select %20, %19, %arg1 : f64
// CHECK-NEXT:           %22 = arith.cmpf oeq, %19, %8 : f64
// CHECK-NEXT:           %23 = arith.select %22, %arg5, %arg3 : index
// CHECK-NEXT:           %24 = arith.minsi %arg6, %23 : index
// CHECK-NEXT:           scf.yield %24 : index
// CHECK-NEXT:         }
// CHECK-NEXT:         %12 = arith.cmpi eq, %11, %arg3 : index
// CHECK-NEXT:         %13 = arith.select %12, %arg2, %11 : index
// CHECK-NEXT:         %14 = arith.addi %13, %arg4 : index
// CHECK-NEXT:         %15 = memref.load %arg0[%14] : memref<100xf64>
// CHECK-NEXT:         %16 = arith.cmpf ogt, %15, %arg1 : f64
// CHECK-NEXT:         %17 = arith.select %16, %15, %arg1 : f64
// CHECK-NEXT:         scf.yield %15 : f64
// CHECK-NEXT:       } else {
// CHECK-NEXT:         scf.yield %arg1 : f64
// CHECK-NEXT:       }
// CHECK-NEXT:       scf.yield %10 : f64
// CHECK-NEXT:     } else {
// CHECK-NEXT:       %4 = scf.for %arg5 = %arg2 to %arg3 step %arg4 iter_args(%arg6 = %arg1) -> (f64) {
// CHECK-NEXT:         %5 = arith.addi %arg5, %arg4 : index
// CHECK-NEXT:         %6 = memref.load %arg0[%5] : memref<100xf64>
// CHECK-NEXT:         %7 = arith.cmpf ogt, %6, %arg6 : f64
// CHECK-NEXT:         %8 = arith.select %7, %6, %arg6 : f64
// CHECK-NEXT:         scf.yield %8 : f64
// CHECK-NEXT:       }
// CHECK-NEXT:       scf.yield %4 : f64
// CHECK-NEXT:     }
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
