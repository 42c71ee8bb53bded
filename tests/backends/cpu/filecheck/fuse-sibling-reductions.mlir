// RUN: agir-dump %s --pass fuse-sibling-reductions | filecheck %s
#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0) -> ()>
module {
  func.func @count(%arg0: tensor<1xi1>, %arg1: i8, %arg2: i8) {
    %cst = arith.constant dense<0> : tensor<i8>
    %0 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["reduction"]} ins(%arg0 : tensor<1xi1>) outs(%cst : tensor<i8>) {
    ^bb0(%in: i1, %out: i8):
      linalg.yield %arg2 : i8
    } -> tensor<i8>
    %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["reduction"]} ins(%arg0 : tensor<1xi1>) outs(%cst : tensor<i8>) {
    ^bb0(%in: i1, %out: i8):
      linalg.yield %arg1 : i8
    } -> tensor<i8>
    return
  }
}
// CHECK: #map = affine_map<(d0) -> (d0)>
// CHECK-NEXT: #map1 = affine_map<(d0) -> ()>
// CHECK-NEXT: module {
// CHECK-NEXT:   func.func @count(%arg0: tensor<1xi1>, %arg1: i8, %arg2: i8) {
// CHECK-NEXT:     %cst = arith.constant dense<0> : tensor<i8>
// CHECK-NEXT:     %cst_0 = arith.constant dense<0> : tensor<i8>
// CHECK-NEXT:     %cst_1 = arith.constant dense<0> : tensor<i8>
// CHECK-NEXT:     %0:2 = linalg.generic {indexing_maps = [#map, #map1, #map1], iterator_types = ["reduction"]} ins(%arg0 : tensor<1xi1>) outs(%cst_0, %cst_1 : tensor<i8>, tensor<i8>) {
// CHECK-NEXT:     ^bb0(%in: i1, %out: i8, %out_2: i8):
// CHECK-NEXT:       linalg.yield %arg2, %arg1 : i8, i8
// CHECK-NEXT:     } -> (tensor<i8>, tensor<i8>)
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
