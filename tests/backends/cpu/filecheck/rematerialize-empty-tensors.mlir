// RUN: agir-dump %s --pass rematerialize-empty-tensors | filecheck %s
#map = affine_map<(d0) -> (d0)>
module {
  func.func @histograms(%arg0: f64, %arg1: f64) {
    %0 = tensor.empty() : tensor<10xf64>
    %1 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel"]} outs(%0 : tensor<10xf64>) {
    ^bb0(%out: f64):
      %3 = linalg.index 0 : index
      linalg.yield %arg0 : f64
    } -> tensor<10xf64>
    %2 = linalg.fill ins(%arg1 : f64) outs(%0 : tensor<10xf64>) -> tensor<10xf64>
    return
  }
}
// CHECK: #map = affine_map<(d0) -> (d0)>
// CHECK-NEXT: module {
// CHECK-NEXT:   func.func @histograms(%arg0: f64, %arg1: f64) {
// CHECK-NEXT:     %0 = tensor.empty() : tensor<10xf64>
// CHECK-NEXT:     %1 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel"]} outs(%0 : tensor<10xf64>) {
// CHECK-NEXT:     ^bb0(%out: f64):
// CHECK-NEXT:       %4 = linalg.index 0 : index
// CHECK-NEXT:       linalg.yield %arg0 : f64
// CHECK-NEXT:     } -> tensor<10xf64>
// CHECK-NEXT:     %2 = tensor.empty() : tensor<10xf64>
// CHECK-NEXT:     %3 = linalg.fill ins(%arg1 : f64) outs(%2 : tensor<10xf64>) -> tensor<10xf64>
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
