// RUN: agir-dump %s --pass mark-empty-reductions | filecheck %s
#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> ()>
module {
  func.func @f(%arg0: i64, %arg1: tensor<i64>, %arg2: tensor<6x0xi64>) {
    %0 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["reduction", "reduction"]} ins(%arg2 : tensor<6x0xi64>) outs(%arg1 : tensor<i64>) {
    ^bb0(%in: i64, %out: i64):
      linalg.yield %arg0 : i64
    } -> tensor<i64>
    return
  }
}
// CHECK: #map = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-NEXT: #map1 = affine_map<(d0, d1) -> ()>
// CHECK-NEXT: module {
// CHECK-NEXT:   func.func @f(%arg0: i64, %arg1: tensor<i64>, %arg2: tensor<6x0xi64>) {
// CHECK-NEXT:     %0 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["reduction", "reduction"]} ins(%arg2 : tensor<6x0xi64>) outs(%arg1 : tensor<i64>) {
// CHECK-NEXT:     ^bb0(%in: i64, %out: i64):
// CHECK-NEXT:       %from_elements = tensor.from_elements %out : tensor<1xi64>
// CHECK-NEXT:       bufferization.dealloc_tensor %from_elements : tensor<1xi64>
// CHECK-NEXT:       linalg.yield %arg0 : i64
// CHECK-NEXT:     } -> tensor<i64>
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
