// RUN: agir-dump %s --pass narrow-boolean-counts | filecheck %s
#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0) -> ()>
module {
  func.func @total(%arg0: memref<?xi1>, %arg1: memref<i64>) {
    linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["reduction"]} ins(%arg0 : memref<?xi1>) outs(%arg1 : memref<i64>) {
    ^bb0(%in: i1, %out: i64):
      %0 = arith.extui %in : i1 to i64
      %1 = arith.addi %0, %out : i64
      linalg.yield %1 : i64
    }
    return
  }
}
// CHECK: module {
// CHECK-NEXT:   func.func @total(%arg0: memref<?xi1>, %arg1: memref<i64>) {
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %c32768 = arith.constant 32768 : index
// CHECK-NEXT:     %c0_i16 = arith.constant 0 : i16
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     %c0_0 = arith.constant 0 : index
// CHECK-NEXT:     %dim = memref.dim %arg0, %c0 : memref<?xi1>
// CHECK-NEXT:     %0 = memref.load %arg1[] : memref<i64>
// CHECK-NEXT:     %1 = scf.for %arg2 = %c0 to %dim step %c32768 iter_args(%arg3 = %0) -> (i64) {
// CHECK-NEXT:       %2 = arith.addi %arg2, %c32768 : index
// CHECK-NEXT:       %3 = arith.minsi %2, %dim : index
// CHECK-NEXT:       %4 = scf.for %arg4 = %arg2 to %3 step %c1 iter_args(%arg5 = %c0_i16) -> (i16) {
// CHECK-NEXT:         %7 = memref.load %arg0[%arg4] : memref<?xi1>
// CHECK-NEXT:         %8 = arith.extui %7 : i1 to i16
// CHECK-NEXT:         %9 = arith.addi %arg5, %8 : i16
// CHECK-NEXT:         scf.yield %9 : i16
// CHECK-NEXT:       }
// CHECK-NEXT:       %5 = arith.extui %4 : i16 to i64
// CHECK-NEXT:       %6 = arith.addi %arg3, %5 : i64
// CHECK-NEXT:       scf.yield %6 : i64
// CHECK-NEXT:     }
// CHECK-NEXT:     memref.store %1, %arg1[] : memref<i64>
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
