// RUN: agir-dump %s --pass generalize-simple-operations | filecheck %s
module {
  func.func @lambda_(%arg0: tensor<5993x8xf64>, %arg1: f64, %arg2: tensor<5993xf64>) {
    %reduced = linalg.reduce ins(%arg0 : tensor<5993x8xf64>) outs(%arg2 : tensor<5993xf64>) dimensions = [1] 
      (%in: f64, %init: f64) {
        linalg.yield %arg1 : f64
      }
    return
  }
}
// CHECK: #map = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-NEXT: #map1 = affine_map<(d0, d1) -> (d0)>
// CHECK-NEXT: module {
// CHECK-NEXT:   func.func @lambda_(%arg0: tensor<5993x8xf64>, %arg1: f64, %arg2: tensor<5993xf64>) {
// CHECK-NEXT:     %0 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%arg0 : tensor<5993x8xf64>) outs(%arg2 : tensor<5993xf64>) {
// CHECK-NEXT:     ^bb0(%in: f64, %out: f64):
// CHECK-NEXT:       linalg.yield %arg1 : f64
// CHECK-NEXT:     } -> tensor<5993xf64>
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
