// RUN: agir-dump %s --pass tile-contractions | filecheck %s
#map = affine_map<(d0, d1, d2, d3) -> (d0, d2, d3)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d1, d3, d2)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d1)>
module {
  func.func @lambda_(%arg0: memref<13x21x27xf32>, %arg1: memref<5x27x21xf32>, %arg2: memref<13x5xf32>) {
    linalg.contract indexing_maps = [#map, #map1, #map2] ins(%arg0, %arg1 : memref<13x21x27xf32>, memref<5x27x21xf32>) outs(%arg2 : memref<13x5xf32>)
    return
  }
}
// CHECK: #map = affine_map<(d0, d1, d2, d3) -> (d0, d2, d3)>
// CHECK-NEXT: #map1 = affine_map<(d0, d1, d2, d3) -> (d1, d3, d2)>
// CHECK-NEXT: #map2 = affine_map<(d0, d1, d2, d3) -> (d0, d1)>
// CHECK-NEXT: module {
// CHECK-NEXT:   func.func @lambda_(%arg0: memref<13x21x27xf32>, %arg1: memref<5x27x21xf32>, %arg2: memref<13x5xf32>) {
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %reinterpret_cast = memref.reinterpret_cast %arg0 to offset: [0], sizes: [7371], strides: [1] : memref<13x21x27xf32> to memref<7371xf32>
// CHECK-NEXT:     %reinterpret_cast_0 = memref.reinterpret_cast %arg1 to offset: [0], sizes: [2835], strides: [1] : memref<5x27x21xf32> to memref<2835xf32>
// CHECK-NEXT:     %reinterpret_cast_1 = memref.reinterpret_cast %arg2 to offset: [0], sizes: [65], strides: [1] : memref<13x5xf32> to memref<65xf32>
// CHECK-NEXT:     linalg.contract indexing_maps = [#map, #map1, #map2] ins(%arg0, %arg1 : memref<13x21x27xf32>, memref<5x27x21xf32>) outs(%arg2 : memref<13x5xf32>)
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
