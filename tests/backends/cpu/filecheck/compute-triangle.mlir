// RUN: agir-dump %s --pass compute-triangle | filecheck %s
#map = affine_map<(d0, d1, d2) -> (d0, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d1, d2)>
#map2 = affine_map<(d0, d1, d2) -> (d0, d1)>
module {
  func.func @gram(%arg0: memref<256x128xf64>) -> memref<256x256xf64> {
    %alloc = memref.alloc() : memref<256x256xf64>
    %cst = arith.constant 0.000000e+00 : f64
    linalg.fill ins(%cst : f64) outs(%alloc : memref<256x256xf64>)
    linalg.contract indexing_maps = [#map, #map1, #map2] ins(%arg0, %arg0 : memref<256x128xf64>, memref<256x128xf64>) outs(%alloc : memref<256x256xf64>)
    return %alloc : memref<256x256xf64>
  }
}
// CHECK: #map = affine_map<(d0, d1, d2) -> (d0, d2)>
// CHECK-NEXT: #map1 = affine_map<(d0, d1, d2) -> (d1, d2)>
// CHECK-NEXT: #map2 = affine_map<(d0, d1, d2) -> (d0, d1)>
// CHECK-NEXT: #map3 = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-NEXT: #map4 = affine_map<(d0, d1) -> (d1, d0)>
// CHECK-NEXT: module {
// CHECK-NEXT:   func.func @gram(%arg0: memref<256x128xf64>) -> memref<256x256xf64> {
// CHECK-NEXT:     %alloc = memref.alloc() : memref<256x256xf64>
// CHECK-NEXT:     %cst = arith.constant 0.000000e+00 : f64
// CHECK-NEXT:     linalg.fill ins(%cst : f64) outs(%alloc : memref<256x256xf64>)
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %c256 = arith.constant 256 : index
// CHECK-NEXT:     %c64 = arith.constant 64 : index
// CHECK-NEXT:     scf.for %arg1 = %c0 to %c256 step %c64 {
// CHECK-NEXT:       %c64_0 = arith.constant 64 : index
// CHECK-NEXT:       %0 = arith.addi %arg1, %c64_0 : index
// CHECK-NEXT:       %subview = memref.subview %arg0[%arg1, 0] [64, 128] [1, 1] : memref<256x128xf64> to memref<64x128xf64, strided<[128, 1], offset: ?>>
// CHECK-NEXT:       %subview_1 = memref.subview %arg0[0, 0] [%0, 128] [1, 1] : memref<256x128xf64> to memref<?x128xf64, strided<[128, 1]>>
// CHECK-NEXT:       %subview_2 = memref.subview %alloc[%arg1, 0] [64, %0] [1, 1] : memref<256x256xf64> to memref<64x?xf64, strided<[256, 1], offset: ?>>
// CHECK-NEXT:       linalg.contract indexing_maps = [#map, #map1, #map2] ins(%subview, %subview_1 : memref<64x128xf64, strided<[128, 1], offset: ?>>, memref<?x128xf64, strided<[128, 1]>>) outs(%subview_2 : memref<64x?xf64, strided<[256, 1], offset: ?>>)
// CHECK-NEXT:       %subview_3 = memref.subview %alloc[%arg1, 0] [64, %arg1] [1, 1] : memref<256x256xf64> to memref<64x?xf64, strided<[256, 1], offset: ?>>
// CHECK-NEXT:       %subview_4 = memref.subview %alloc[0, %arg1] [%arg1, 64] [1, 1] : memref<256x256xf64> to memref<?x64xf64, strided<[256, 1], offset: ?>>
// CHECK-NEXT:       linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel"]} ins(%subview_3 : memref<64x?xf64, strided<[256, 1], offset: ?>>) outs(%subview_4 : memref<?x64xf64, strided<[256, 1], offset: ?>>) {
// CHECK-NEXT:       ^bb0(%in: f64, %out: f64):
// CHECK-NEXT:         linalg.yield %in : f64
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:     return %alloc : memref<256x256xf64>
// CHECK-NEXT:   }
// CHECK-NEXT: }
