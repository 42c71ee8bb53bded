// RUN: agir-dump %s --pass reduce-division-strength | filecheck %s
#map = affine_map<(d0, d1) -> (d0, d1)>
module {
  func.func @halved(%arg0: i32, %arg1: tensor<13x45xi32>, %arg2: tensor<13x45xf64>) {
    %c2_i32 = arith.constant 2 : i32
    %0 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg2 : tensor<13x45xf64>) outs(%arg1 : tensor<13x45xi32>) {
    ^bb0(%in: f64, %out: i32):
      %1 = arith.floordivsi %arg0, %c2_i32 : i32
      linalg.yield %1 : i32
    } -> tensor<13x45xi32>
    return
  }
}
// CHECK: #map = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-NEXT: module {
// CHECK-NEXT:   func.func @halved(%arg0: i32, %arg1: tensor<13x45xi32>, %arg2: tensor<13x45xf64>) {
// CHECK-NEXT:     %c2_i32 = arith.constant 2 : i32
// CHECK-NEXT:     %0 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg2 : tensor<13x45xf64>) outs(%arg1 : tensor<13x45xi32>) {
// CHECK-NEXT:     ^bb0(%in: f64, %out: i32):
// CHECK-NEXT:       %c1_i32 = arith.constant 1 : i32
// CHECK-NEXT:       %1 = arith.shrsi %arg0, %c1_i32 : i32
// CHECK-NEXT:       linalg.yield %1 : i32
// CHECK-NEXT:     } -> tensor<13x45xi32>
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
