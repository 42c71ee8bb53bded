// RUN: agir-dump %s --pass fold-fills-into-contractions | filecheck %s
#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0) -> ()>
module {
  func.func @relaxed(%arg0: tensor<2000xf64>, %arg1: f64, %arg2: f64, %arg3: tensor<2000xf64>, %arg4: i1, %arg5: f64) {
    %cst = arith.constant dense<0xFFF0000000000000> : tensor<f64>
    %0 = scf.while (%arg6 = %arg0, %arg7 = %arg5) : (tensor<2000xf64>, f64) -> tensor<2000xf64> {
      scf.condition(%arg4) %arg6 : tensor<2000xf64>
    } do {
    ^bb0(%arg6: tensor<2000xf64>):
      %1 = linalg.generic {indexing_maps = [#map, #map, #map1], iterator_types = ["reduction"]} ins(%arg3, %arg6 : tensor<2000xf64>, tensor<2000xf64>) outs(%cst : tensor<f64>) {
      ^bb0(%in: f64, %in_0: f64, %out: f64):
        linalg.yield %arg2 : f64
      } -> tensor<f64>
      scf.yield %arg3, %arg1 : tensor<2000xf64>, f64
    }
    return
  }
}
// CHECK: #map = affine_map<(d0) -> (d0)>
// CHECK-NEXT: #map1 = affine_map<(d0) -> ()>
// CHECK-NEXT: module {
// CHECK-NEXT:   func.func @relaxed(%arg0: tensor<2000xf64>, %arg1: f64, %arg2: f64, %arg3: tensor<2000xf64>, %arg4: i1, %arg5: f64) {
// CHECK-NEXT:     %cst = arith.constant dense<0xFFF0000000000000> : tensor<f64>
// CHECK-NEXT:     %0 = scf.while (%arg6 = %arg0, %arg7 = %arg5) : (tensor<2000xf64>, f64) -> tensor<2000xf64> {
// CHECK-NEXT:       scf.condition(%arg4) %arg6 : tensor<2000xf64>
// CHECK-NEXT:     } do {
// CHECK-NEXT:     ^bb0(%arg6: tensor<2000xf64>):
// CHECK-NEXT:       %cst_0 = arith.constant 0xFFF0000000000000 : f64
// CHECK-NEXT:       %1 = tensor.empty() : tensor<f64>
// CHECK-NEXT:       %2 = linalg.fill ins(%cst_0 : f64) outs(%1 : tensor<f64>) -> tensor<f64>
// CHECK-NEXT:       %3 = linalg.generic {indexing_maps = [#map, #map, #map1], iterator_types = ["reduction"]} ins(%arg3, %arg6 : tensor<2000xf64>, tensor<2000xf64>) outs(%2 : tensor<f64>) {
// CHECK-NEXT:       ^bb0(%in: f64, %in_1: f64, %out: f64):
// CHECK-NEXT:         linalg.yield %arg2 : f64
// CHECK-NEXT:       } -> tensor<f64>
// CHECK-NEXT:       scf.yield %arg3, %arg1 : tensor<2000xf64>, f64
// CHECK-NEXT:     }
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
