// RUN: agir-dump %s --pass copy-into-contiguous-layout | filecheck %s
module {
  func.func @pairs_above(%arg0: memref<?xi64, strided<[1]>>) {
    %cast = memref.cast %arg0 : memref<?xi64, strided<[1]>> to memref<?xi64>
    return
  }
}
// CHECK: module {
// CHECK-NEXT:   func.func @pairs_above(%arg0: memref<?xi64, strided<[1]>>) {
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %dim = memref.dim %arg0, %c0 : memref<?xi64, strided<[1]>>
// CHECK-NEXT:     %alloc = memref.alloc(%dim) : memref<?xi64>
// CHECK-NEXT:     memref.copy %arg0, %alloc : memref<?xi64, strided<[1]>> to memref<?xi64>
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
