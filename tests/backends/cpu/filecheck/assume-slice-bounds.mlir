// RUN: agir-dump %s --pass assume-slice-bounds | filecheck %s
module {
  func.func @assigned(%arg0: index, %arg1: index, %arg2: index, %arg3: memref<1xf64>, %arg4: index, %arg5: index) {
    %c0 = arith.constant 0 : index
    scf.for %arg6 = %c0 to %arg5 step %arg4 {
      %0 = arith.cmpi slt, %arg2, %c0 : index
      %1 = arith.addi %arg2, %arg4 : index
      %2 = arith.select %0, %1, %arg2 : index
      %3 = arith.minsi %2, %arg4 : index
      %4 = arith.maxsi %3, %c0 : index
      %subview = memref.subview %arg3[%arg0] [%arg1] [1] : memref<1xf64> to memref<?xf64, strided<[1], offset: ?>>
    }
    return
  }
}
// CHECK: module {
// CHECK-NEXT:   func.func @assigned(%arg0: index, %arg1: index, %arg2: index, %arg3: memref<1xf64>, %arg4: index, %arg5: index) {
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     scf.for %arg6 = %c0 to %arg5 step %arg4 {
// CHECK-NEXT:       %0 = arith.cmpi slt, %arg2, %c0 : index
// CHECK-NEXT:       %1 = arith.addi %arg2, %arg4 : index
// CHECK-NEXT:       %2 = arith.select %0, %1, %arg2 : index
// CHECK-NEXT:       %3 = arith.minsi %2, %arg4 : index
// CHECK-NEXT:       %4 = arith.cmpi ule, %arg2, %arg4 : index
// CHECK-NEXT:       %true = arith.constant true
// CHECK-NEXT:       %5 = llvm.intr.expect %4, %true : i1
// CHECK-NEXT:       %6 = scf.if %5 -> (index) {
// CHECK-NEXT:         scf.yield %arg2 : index
// CHECK-NEXT:       } else {
// CHECK-NEXT:         %8 = arith.minsi %2, %arg4 : index
// CHECK-NEXT:         %9 = arith.maxsi %8, %c0 : index
// CHECK-NEXT:         scf.yield %9 : index
// CHECK-NEXT:       }
// CHECK-NEXT:       %7 = arith.maxsi %3, %c0 : index
// CHECK-NEXT:       %subview = memref.subview %arg3[%arg0] [%arg1] [1] : memref<1xf64> to memref<?xf64, strided<[1], offset: ?>>
// CHECK-NEXT:     }
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
