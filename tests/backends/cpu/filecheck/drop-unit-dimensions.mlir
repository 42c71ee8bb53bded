// RUN: agir-dump %s --pass drop-unit-dimensions | filecheck %s
#map = affine_map<(d0, d1) -> (d0, d1)>
module {
  func.func @two_columns(%arg0: tensor<1xf64>) {
    %cst = arith.constant dense<2.000000e+00> : tensor<1x1xf64>
    %expanded = tensor.expand_shape %arg0 [[0, 1]] output_shape [1, 1] : tensor<1xf64> into tensor<1x1xf64>
    %0 = tensor.empty() : tensor<1x1xf64>
    %1 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%expanded, %cst : tensor<1x1xf64>, tensor<1x1xf64>) outs(%0 : tensor<1x1xf64>) {
    ^bb0(%in: f64, %in_0: f64, %out: f64):
      linalg.yield %in_0 : f64
    } -> tensor<1x1xf64>
    %collapsed = tensor.collapse_shape %1 [[0, 1]] : tensor<1x1xf64> into tensor<1xf64>
    return
  }
}
// CHECK: #map = affine_map<(d0) -> (d0)>
// CHECK-NEXT: module {
// CHECK-NEXT:   func.func @two_columns(%arg0: tensor<1xf64>) {
// CHECK-NEXT:     %cst = arith.constant dense<2.000000e+00> : tensor<1x1xf64>
// CHECK-NEXT:     %expanded = tensor.expand_shape %arg0 {{\[\[}}0, 1{{\]\]}} output_shape [1, 1] : tensor<1xf64> into tensor<1x1xf64>
// CHECK-NEXT:     %0 = tensor.empty() : tensor<1x1xf64>
// CHECK-NEXT:     %collapsed = tensor.collapse_shape %cst {{\[\[}}0, 1{{\]\]}} : tensor<1x1xf64> into tensor<1xf64>
// CHECK-NEXT:     %1 = tensor.empty() : tensor<1xf64>
// CHECK-NEXT:     %2 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel"]} ins(%arg0, %collapsed : tensor<1xf64>, tensor<1xf64>) outs(%1 : tensor<1xf64>) {
// CHECK-NEXT:     ^bb0(%in: f64, %in_0: f64, %out: f64):
// CHECK-NEXT:       linalg.yield %in_0 : f64
// CHECK-NEXT:     } -> tensor<1xf64>
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
