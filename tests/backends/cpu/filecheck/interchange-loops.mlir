// RUN: agir-dump %s --pass interchange-loops | filecheck %s
#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d1)>
module {
  func.func @with_a_row(%arg0: memref<40x1xf32>, %arg1: f32, %arg2: memref<40x1xf32>, %arg3: memref<1xf32, strided<[1]>>) {
    linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0, %arg3 : memref<40x1xf32>, memref<1xf32, strided<[1]>>) outs(%arg2 : memref<40x1xf32>) {
    ^bb0(%in: f32, %in_0: f32, %out: f32):
      linalg.yield %arg1 : f32
    }
    return
  }
}
// CHECK: #map = affine_map<(d0, d1) -> (d1, d0)>
// CHECK-NEXT: #map1 = affine_map<(d0, d1) -> (d0)>
// CHECK-NEXT: module {
// CHECK-NEXT:   func.func @with_a_row(%arg0: memref<40x1xf32>, %arg1: f32, %arg2: memref<40x1xf32>, %arg3: memref<1xf32, strided<[1]>>) {
// CHECK-NEXT:     linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0, %arg3 : memref<40x1xf32>, memref<1xf32, strided<[1]>>) outs(%arg2 : memref<40x1xf32>) {
// CHECK-NEXT:     ^bb0(%in: f32, %in_0: f32, %out: f32):
// CHECK-NEXT:       linalg.yield %arg1 : f32
// CHECK-NEXT:     }
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
