// RUN: agir-dump %s --pass fold-ownership | filecheck %s
module {
  func.func @grows(%n: index, %list: memref<?xi64>) -> i1 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %true = arith.constant true
    %0:2 = scf.for %i = %c0 to %n step %c1 iter_args(%old = %list, %owned = %true) -> (memref<?xi64>, i1) {
      %is_full = arith.cmpi eq, %i, %n : index
      %new = scf.if %is_full -> (memref<?xi64>) {
        %alloc = memref.alloc(%i) : memref<?xi64>
        scf.yield %alloc : memref<?xi64>
      } else {
        scf.yield %old : memref<?xi64>
      }
      %stays = arith.xori %is_full, %true : i1
      %1 = arith.andi %owned, %stays : i1
      %2 = arith.ori %1, %is_full : i1
      scf.yield %new, %2 : memref<?xi64>, i1
    }
    return %0#1 : i1
  }
  func.func @may_end(%n: index, %other: i1) -> i1 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %true = arith.constant true
    %0 = scf.for %i = %c0 to %n step %c1 iter_args(%owned = %true) -> (i1) {
      %1 = arith.andi %owned, %other : i1
      scf.yield %1 : i1
    }
    return %0 : i1
  }
}
// CHECK: module {
// CHECK-NEXT:   func.func @grows(%arg0: index, %arg1: memref<?xi64>) -> i1 {
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     %true = arith.constant true
// CHECK-NEXT:     %0:2 = scf.for %arg2 = %c0 to %arg0 step %c1 iter_args(%arg3 = %arg1, %arg4 = %true) -> (memref<?xi64>, i1) {
// CHECK-NEXT:       %1 = arith.cmpi eq, %arg2, %arg0 : index
// CHECK-NEXT:       %2 = scf.if %1 -> (memref<?xi64>) {
// CHECK-NEXT:         %alloc = memref.alloc(%arg2) : memref<?xi64>
// CHECK-NEXT:         scf.yield %alloc : memref<?xi64>
// CHECK-NEXT:       } else {
// CHECK-NEXT:         scf.yield %arg3 : memref<?xi64>
// CHECK-NEXT:       }
// CHECK-NEXT:       %3 = arith.xori %1, %true : i1
// CHECK-NEXT:       %4 = arith.andi %true, %3 : i1
// CHECK-NEXT:       %5 = arith.ori %4, %1 : i1
// CHECK-NEXT:       scf.yield %2, %true : memref<?xi64>, i1
// CHECK-NEXT:     }
// CHECK-NEXT:     return %true : i1
// CHECK-NEXT:   }
// CHECK-NEXT:   func.func @may_end(%arg0: index, %arg1: i1) -> i1 {
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     %true = arith.constant true
// CHECK-NEXT:     %0 = scf.for %arg2 = %c0 to %arg0 step %c1 iter_args(%arg3 = %true) -> (i1) {
// CHECK-NEXT:       %1 = arith.andi %arg3, %arg1 : i1
// CHECK-NEXT:       scf.yield %1 : i1
// CHECK-NEXT:     }
// CHECK-NEXT:     return %0 : i1
// CHECK-NEXT:   }
// CHECK-NEXT: }
