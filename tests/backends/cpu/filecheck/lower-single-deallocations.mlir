// RUN: agir-dump %s --pass lower-single-deallocations | filecheck %s
module {
  func.func @at_the_end(%buffer: memref<4xf64>, %owned: i1) {
    bufferization.dealloc (%buffer : memref<4xf64>) if (%owned)
    return
  }
  func.func @unless_handed_on(%buffer: memref<f64>, %owned: i1, %one: memref<?xf64>, %two: memref<4xf64>) -> (i1, i1) {
    %0:2 = bufferization.dealloc (%buffer : memref<f64>) if (%owned) retain (%one, %two : memref<?xf64>, memref<4xf64>)
    return %0#0, %0#1 : i1, i1
  }
}
// CHECK: module {
// CHECK-NEXT:   func.func @at_the_end(%arg0: memref<4xf64>, %arg1: i1) {
// CHECK-NEXT:     %false = arith.constant false
// CHECK-NEXT:     scf.if %arg1 {
// CHECK-NEXT:       memref.dealloc %arg0 : memref<4xf64>
// CHECK-NEXT:     }
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT:   func.func @unless_handed_on(%arg0: memref<f64>, %arg1: i1, %arg2: memref<?xf64>, %arg3: memref<4xf64>) -> (i1, i1) {
// CHECK-NEXT:     %false = arith.constant false
// CHECK-NEXT:     %intptr = memref.extract_aligned_pointer_as_index %arg0 : memref<f64> -> index
// CHECK-NEXT:     %intptr_0 = memref.extract_aligned_pointer_as_index %arg2 : memref<?xf64> -> index
// CHECK-NEXT:     %0 = arith.cmpi eq, %intptr, %intptr_0 : index
// CHECK-NEXT:     %intptr_1 = memref.extract_aligned_pointer_as_index %arg3 : memref<4xf64> -> index
// CHECK-NEXT:     %1 = arith.cmpi eq, %intptr, %intptr_1 : index
// CHECK-NEXT:     %2 = arith.ori %0, %1 : i1
// CHECK-NEXT:     %true = arith.constant true
// CHECK-NEXT:     %3 = arith.xori %2, %true : i1
// CHECK-NEXT:     %4 = arith.andi %arg1, %3 : i1
// CHECK-NEXT:     %5 = arith.andi %arg1, %0 : i1
// CHECK-NEXT:     %6 = arith.andi %arg1, %1 : i1
// CHECK-NEXT:     scf.if %4 {
// CHECK-NEXT:       memref.dealloc %arg0 : memref<f64>
// CHECK-NEXT:     }
// CHECK-NEXT:     return %5, %6 : i1, i1
// CHECK-NEXT:   }
// CHECK-NEXT: }
