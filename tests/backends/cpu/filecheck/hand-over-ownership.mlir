// RUN: agir-dump %s --pass hand-over-ownership | filecheck %s
module {
  func.func @grows(%n: index, %value: i64) -> i64 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %false = arith.constant false
    %true = arith.constant true
    %alloc = memref.alloc() : memref<1xi64>
    memref.store %value, %alloc[%c0] : memref<1xi64>
    %cast = memref.cast %alloc : memref<1xi64> to memref<?xi64>
    %0:2 = scf.for %i = %c0 to %n step %c1 iter_args(%list = %cast, %owned = %false) -> (memref<?xi64>, i1) {
      scf.yield %list, %owned : memref<?xi64>, i1
    }
    %last = memref.load %0#0[%c0] : memref<?xi64>
    %base, %offset, %sizes, %strides = memref.extract_strided_metadata %0#0 : memref<?xi64> -> memref<i64>, index, index, index
    bufferization.dealloc (%alloc, %base : memref<1xi64>, memref<i64>) if (%true, %0#1)
    return %last : i64
  }
  func.func @is_read_afterwards(%n: index, %value: i64) -> i64 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %false = arith.constant false
    %true = arith.constant true
    %alloc = memref.alloc() : memref<1xi64>
    memref.store %value, %alloc[%c0] : memref<1xi64>
    %cast = memref.cast %alloc : memref<1xi64> to memref<?xi64>
    %0:2 = scf.for %i = %c0 to %n step %c1 iter_args(%list = %cast, %owned = %false) -> (memref<?xi64>, i1) {
      scf.yield %list, %owned : memref<?xi64>, i1
    }
    %first = memref.load %alloc[%c0] : memref<1xi64>
    %base, %offset, %sizes, %strides = memref.extract_strided_metadata %0#0 : memref<?xi64> -> memref<i64>, index, index, index
    bufferization.dealloc (%alloc, %base : memref<1xi64>, memref<i64>) if (%true, %0#1)
    return %first : i64
  }
}
// CHECK: module {
// CHECK-NEXT:   func.func @grows(%arg0: index, %arg1: i64) -> i64 {
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     %false = arith.constant false
// CHECK-NEXT:     %true = arith.constant true
// CHECK-NEXT:     %alloc = memref.alloc() : memref<1xi64>
// CHECK-NEXT:     memref.store %arg1, %alloc[%c0] : memref<1xi64>
// CHECK-NEXT:     %cast = memref.cast %alloc : memref<1xi64> to memref<?xi64>
// CHECK-NEXT:     %true_0 = arith.constant true
// CHECK-NEXT:     %0:2 = scf.for %arg2 = %c0 to %arg0 step %c1 iter_args(%arg3 = %cast, %arg4 = %true_0) -> (memref<?xi64>, i1) {
// CHECK-NEXT:       scf.yield %arg3, %arg4 : memref<?xi64>, i1
// CHECK-NEXT:     }
// CHECK-NEXT:     %1 = memref.load %0#0[%c0] : memref<?xi64>
// CHECK-NEXT:     %base_buffer, %offset, %sizes, %strides = memref.extract_strided_metadata %0#0 : memref<?xi64> -> memref<i64>, index, index, index
// CHECK-NEXT:     bufferization.dealloc (%base_buffer : memref<i64>) if (%0#1)
// CHECK-NEXT:     return %1 : i64
// CHECK-NEXT:   }
// CHECK-NEXT:   func.func @is_read_afterwards(%arg0: index, %arg1: i64) -> i64 {
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     %false = arith.constant false
// CHECK-NEXT:     %true = arith.constant true
// CHECK-NEXT:     %alloc = memref.alloc() : memref<1xi64>
// CHECK-NEXT:     memref.store %arg1, %alloc[%c0] : memref<1xi64>
// CHECK-NEXT:     %cast = memref.cast %alloc : memref<1xi64> to memref<?xi64>
// CHECK-NEXT:     %0:2 = scf.for %arg2 = %c0 to %arg0 step %c1 iter_args(%arg3 = %cast, %arg4 = %false) -> (memref<?xi64>, i1) {
// CHECK-NEXT:       scf.yield %arg3, %arg4 : memref<?xi64>, i1
// CHECK-NEXT:     }
// CHECK-NEXT:     %1 = memref.load %alloc[%c0] : memref<1xi64>
// CHECK-NEXT:     %base_buffer, %offset, %sizes, %strides = memref.extract_strided_metadata %0#0 : memref<?xi64> -> memref<i64>, index, index, index
// CHECK-NEXT:     bufferization.dealloc (%alloc, %base_buffer : memref<1xi64>, memref<i64>) if (%true, %0#1)
// CHECK-NEXT:     return %1 : i64
// CHECK-NEXT:   }
// CHECK-NEXT: }
