// RUN: agir-dump %s --pass lower-clones | filecheck %s
module {
  func.func @of_an_argument(%rows: memref<?x4xf32>) -> memref<?x4xf32> {
    %0 = bufferization.clone %rows : memref<?x4xf32> to memref<?x4xf32>
    return %0 : memref<?x4xf32>
  }
  func.func @of_a_part(%part: memref<3xi64, strided<[2], offset: ?>>) -> memref<3xi64, strided<[?], offset: ?>> {
    %0 = bufferization.clone %part : memref<3xi64, strided<[2], offset: ?>> to memref<3xi64, strided<[?], offset: ?>>
    return %0 : memref<3xi64, strided<[?], offset: ?>>
  }
}
// CHECK: module {
// CHECK-NEXT:   func.func @of_an_argument(%arg0: memref<?x4xf32>) -> memref<?x4xf32> {
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %dim = memref.dim %arg0, %c0 : memref<?x4xf32>
// CHECK-NEXT:     %alloc = memref.alloc(%dim) : memref<?x4xf32>
// CHECK-NEXT:     memref.copy %arg0, %alloc : memref<?x4xf32> to memref<?x4xf32>
// CHECK-NEXT:     return %alloc : memref<?x4xf32>
// CHECK-NEXT:   }
// CHECK-NEXT:   func.func @of_a_part(%arg0: memref<3xi64, strided<[2], offset: ?>>) -> memref<3xi64, strided<[?], offset: ?>> {
// CHECK-NEXT:     %alloc = memref.alloc() : memref<3xi64>
// CHECK-NEXT:     memref.copy %arg0, %alloc : memref<3xi64, strided<[2], offset: ?>> to memref<3xi64>
// CHECK-NEXT:     %cast = memref.cast %alloc : memref<3xi64> to memref<3xi64, strided<[?], offset: ?>>
// CHECK-NEXT:     return %cast : memref<3xi64, strided<[?], offset: ?>>
// CHECK-NEXT:   }
// CHECK-NEXT: }
