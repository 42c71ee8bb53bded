// RUN: agir-dump %s --pass fuse-sweeps | filecheck %s
#map = affine_map<(d0) -> (d0)>
module {
  func.func @f(%arg0: memref<?xf64>, %arg1: memref<?xf64>, %arg2: memref<?xf64>) {
    linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel"]} ins(%arg0, %arg1 : memref<?xf64>, memref<?xf64>) outs(%arg2 : memref<?xf64>) {
    ^bb0(%in: f64, %in_0: f64, %out: f64):
      %0 = arith.addf %in, %in_0 : f64
      linalg.yield %0 : f64
    }
    linalg.copy ins(%arg1 : memref<?xf64>) outs(%arg0 : memref<?xf64>)
    return
  }
}
// CHECK: #map = affine_map<(d0) -> (d0)>
// CHECK-NEXT: module {
// CHECK-NEXT:   func.func @f(%arg0: memref<?xf64>, %arg1: memref<?xf64>, %arg2: memref<?xf64>) {
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %dim = memref.dim %arg0, %c0 : memref<?xf64>
// CHECK-NEXT:     %c1024 = arith.constant 1024 : index
// CHECK-NEXT:     %0 = arith.remui %dim, %c1024 : index
// CHECK-NEXT:     %1 = arith.subi %dim, %0 : index
// CHECK-NEXT:     %c0_0 = arith.constant 0 : index
// CHECK-NEXT:     %c1024_1 = arith.constant 1024 : index
// CHECK-NEXT:     scf.for %arg3 = %c0_0 to %1 step %c1024_1 {
// CHECK-NEXT:       %subview_6 = memref.subview %arg0[%arg3] [1024] [1] : memref<?xf64> to memref<1024xf64, strided<[1], offset: ?>>
// CHECK-NEXT:       %subview_7 = memref.subview %arg1[%arg3] [1024] [1] : memref<?xf64> to memref<1024xf64, strided<[1], offset: ?>>
// CHECK-NEXT:       %subview_8 = memref.subview %arg2[%arg3] [1024] [1] : memref<?xf64> to memref<1024xf64, strided<[1], offset: ?>>
// CHECK-NEXT:       linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel"]} ins(%subview_6, %subview_7 : memref<1024xf64, strided<[1], offset: ?>>, memref<1024xf64, strided<[1], offset: ?>>) outs(%subview_8 : memref<1024xf64, strided<[1], offset: ?>>) {
// CHECK-NEXT:       ^bb0(%in: f64, %in_11: f64, %out: f64):
// CHECK-NEXT:         %2 = arith.addf %in, %in_11 : f64
// CHECK-NEXT:         linalg.yield %2 : f64
// CHECK-NEXT:       }
// CHECK-NEXT:       %subview_9 = memref.subview %arg1[%arg3] [1024] [1] : memref<?xf64> to memref<1024xf64, strided<[1], offset: ?>>
// CHECK-NEXT:       %subview_10 = memref.subview %arg0[%arg3] [1024] [1] : memref<?xf64> to memref<1024xf64, strided<[1], offset: ?>>
// CHECK-NEXT:       linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%subview_9 : memref<1024xf64, strided<[1], offset: ?>>) outs(%subview_10 : memref<1024xf64, strided<[1], offset: ?>>) {
// CHECK-NEXT:       ^bb0(%in: f64, %out: f64):
// CHECK-NEXT:         linalg.yield %in : f64
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:     %subview = memref.subview %arg0[%1] [%0] [1] : memref<?xf64> to memref<?xf64, strided<[1], offset: ?>>
// CHECK-NEXT:     %subview_2 = memref.subview %arg1[%1] [%0] [1] : memref<?xf64> to memref<?xf64, strided<[1], offset: ?>>
// CHECK-NEXT:     %subview_3 = memref.subview %arg2[%1] [%0] [1] : memref<?xf64> to memref<?xf64, strided<[1], offset: ?>>
// CHECK-NEXT:     linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel"]} ins(%subview, %subview_2 : memref<?xf64, strided<[1], offset: ?>>, memref<?xf64, strided<[1], offset: ?>>) outs(%subview_3 : memref<?xf64, strided<[1], offset: ?>>) {
// CHECK-NEXT:     ^bb0(%in: f64, %in_6: f64, %out: f64):
// CHECK-NEXT:       %2 = arith.addf %in, %in_6 : f64
// CHECK-NEXT:       linalg.yield %2 : f64
// CHECK-NEXT:     }
// CHECK-NEXT:     %subview_4 = memref.subview %arg1[%1] [%0] [1] : memref<?xf64> to memref<?xf64, strided<[1], offset: ?>>
// CHECK-NEXT:     %subview_5 = memref.subview %arg0[%1] [%0] [1] : memref<?xf64> to memref<?xf64, strided<[1], offset: ?>>
// CHECK-NEXT:     linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%subview_4 : memref<?xf64, strided<[1], offset: ?>>) outs(%subview_5 : memref<?xf64, strided<[1], offset: ?>>) {
// CHECK-NEXT:     ^bb0(%in: f64, %out: f64):
// CHECK-NEXT:       linalg.yield %in : f64
// CHECK-NEXT:     }
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
