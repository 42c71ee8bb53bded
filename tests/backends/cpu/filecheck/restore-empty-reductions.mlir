// RUN: agir-dump %s --pass restore-empty-reductions | filecheck %s
#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0) -> ()>
module {
  func.func @total(%arg0: tensor<0xi1>, %arg1: i64, %arg2: tensor<i64>) {
    %0 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["reduction"]} ins(%arg0 : tensor<0xi1>) outs(%arg2 : tensor<i64>) {
    ^bb0(%in: i1, %out: i64):
      %from_elements = tensor.from_elements %out : tensor<1xi64>
      linalg.yield %arg1 : i64
    } -> tensor<i64>
    return
  }
}
// CHECK: #map = affine_map<(d0) -> (d0)>
// CHECK-NEXT: #map1 = affine_map<(d0) -> ()>
// CHECK-NEXT: module {
// CHECK-NEXT:   func.func @total(%arg0: tensor<0xi1>, %arg1: i64, %arg2: tensor<i64>) {
// CHECK-NEXT:     %0 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["reduction"]} ins(%arg0 : tensor<0xi1>) outs(%arg2 : tensor<i64>) {
// CHECK-NEXT:     ^bb0(%in: i1, %out: i64):
// CHECK-NEXT:       linalg.yield %arg1 : i64
// CHECK-NEXT:     } -> tensor<i64>
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
