// RUN: agir-dump %s --pass protect-costly-values | filecheck %s
#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0, d1) -> (d0)>
#map2 = affine_map<(d0, d1) -> (d0, d1)>
module {
  func.func @covariance(%arg0: tensor<10x2xf64>, %arg1: tensor<10xf64>, %arg2: tensor<10xf64>, %arg3: tensor<10xf64>) {
    %0 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel"]} ins(%arg2, %arg3 : tensor<10xf64>, tensor<10xf64>) outs(%arg1 : tensor<10xf64>) {
    ^bb0(%in: f64, %in_0: f64, %out: f64):
      %2 = arith.divf %in, %in_0 : f64
      linalg.yield %2 : f64
    } -> tensor<10xf64>
    %1 = linalg.generic {indexing_maps = [#map1, #map2], iterator_types = ["parallel", "parallel"]} ins(%0 : tensor<10xf64>) outs(%arg0 : tensor<10x2xf64>) {
    ^bb0(%in: f64, %out: f64):
      linalg.yield %in : f64
    } -> tensor<10x2xf64>
    return
  }
}
// CHECK: #map = affine_map<(d0) -> (d0)>
// CHECK-NEXT: #map1 = affine_map<(d0, d1) -> (d0)>
// CHECK-NEXT: #map2 = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-NEXT: module {
// CHECK-NEXT:   func.func @covariance(%arg0: tensor<10x2xf64>, %arg1: tensor<10xf64>, %arg2: tensor<10xf64>, %arg3: tensor<10xf64>) {
// CHECK-NEXT:     %0 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel"]} ins(%arg2, %arg3 : tensor<10xf64>, tensor<10xf64>) outs(%arg1 : tensor<10xf64>) {
// CHECK-NEXT:     ^bb0(%in: f64, %in_0: f64, %out: f64):
// CHECK-NEXT:       %2 = arith.divf %in, %in_0 : f64
// CHECK-NEXT:       linalg.yield %2 : f64
// CHECK-NEXT:     } -> tensor<10xf64>
// CHECK-NEXT:     bufferization.dealloc_tensor %0 : tensor<10xf64>
// CHECK-NEXT:     %1 = linalg.generic {indexing_maps = [#map1, #map2], iterator_types = ["parallel", "parallel"]} ins(%0 : tensor<10xf64>) outs(%arg0 : tensor<10x2xf64>) {
// CHECK-NEXT:     ^bb0(%in: f64, %out: f64):
// CHECK-NEXT:       linalg.yield %in : f64
// CHECK-NEXT:     } -> tensor<10x2xf64>
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
