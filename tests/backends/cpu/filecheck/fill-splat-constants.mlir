// RUN: agir-dump %s --pass fill-splat-constants | filecheck %s
#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d0)>
module {
  func.func @lambda_(%arg0: tensor<5993x8xf64>, %arg1: f64) {
    %cst = arith.constant dense<0.000000e+00> : tensor<5993xf64>
    %0 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%arg0 : tensor<5993x8xf64>) outs(%cst : tensor<5993xf64>) {
    ^bb0(%in: f64, %out: f64):
      linalg.yield %arg1 : f64
    } -> tensor<5993xf64>
    return
  }
}
// CHECK: #map = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-NEXT: #map1 = affine_map<(d0, d1) -> (d0)>
// CHECK-NEXT: module {
// CHECK-NEXT:   func.func @lambda_(%arg0: tensor<5993x8xf64>, %arg1: f64) {
// CHECK-NEXT:     %cst = arith.constant 0.000000e+00 : f64
// CHECK-NEXT:     %0 = tensor.empty() : tensor<5993xf64>
// CHECK-NEXT:     %1 = linalg.fill ins(%cst : f64) outs(%0 : tensor<5993xf64>) -> tensor<5993xf64>
// CHECK-NEXT:     %2 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%arg0 : tensor<5993x8xf64>) outs(%1 : tensor<5993xf64>) {
// CHECK-NEXT:     ^bb0(%in: f64, %out: f64):
// CHECK-NEXT:       linalg.yield %arg1 : f64
// CHECK-NEXT:     } -> tensor<5993xf64>
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
