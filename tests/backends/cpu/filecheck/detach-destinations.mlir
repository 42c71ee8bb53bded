// RUN: agir-dump %s --pass detach-destinations | filecheck %s
#map = affine_map<(d0) -> (d0)>
module {
  func.func @f(%arg0: tensor<?xf64>, %arg1: tensor<?xf64>, %arg2: f64) {
    %0 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel"]} ins(%arg0, %arg1 : tensor<?xf64>, tensor<?xf64>) outs(%arg0 : tensor<?xf64>) {
    ^bb0(%in: f64, %in_0: f64, %out: f64):
      linalg.yield %arg2 : f64
    } -> tensor<?xf64>
    return
  }
}
// CHECK: #map = affine_map<(d0) -> (d0)>
// CHECK-NEXT: module {
// CHECK-NEXT:   func.func @f(%arg0: tensor<?xf64>, %arg1: tensor<?xf64>, %arg2: f64) {
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %dim = tensor.dim %arg0, %c0 : tensor<?xf64>
// CHECK-NEXT:     %0 = tensor.empty(%dim) : tensor<?xf64>
// CHECK-NEXT:     %1 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel"]} ins(%arg0, %arg1 : tensor<?xf64>, tensor<?xf64>) outs(%0 : tensor<?xf64>) {
// CHECK-NEXT:     ^bb0(%in: f64, %in_0: f64, %out: f64):
// CHECK-NEXT:       linalg.yield %arg2 : f64
// CHECK-NEXT:     } -> tensor<?xf64>
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
