// RUN: agir-dump %s --pass fold-transposes-into-contractions | filecheck %s
#map = affine_map<(d0, d1, d2) -> (d0, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d2, d1)>
#map2 = affine_map<(d0, d1, d2) -> (d0, d1)>
module {
  func.func @lambda_(%arg0: tensor<1000x3xf32>, %arg1: tensor<9x3xf32>, %arg2: tensor<3x9xf32>, %arg3: tensor<1000x9xf32>) {
    %transposed = linalg.transpose ins(%arg1 : tensor<9x3xf32>) outs(%arg2 : tensor<3x9xf32>) permutation = [1, 0] 
    %0 = linalg.contract indexing_maps = [#map, #map1, #map2] ins(%arg0, %transposed : tensor<1000x3xf32>, tensor<3x9xf32>) outs(%arg3 : tensor<1000x9xf32>) -> tensor<1000x9xf32>
    return
  }
}
// CHECK: #map = affine_map<(d0, d1, d2) -> (d0, d2)>
// CHECK-NEXT: #map1 = affine_map<(d0, d1, d2) -> (d1, d2)>
// CHECK-NEXT: #map2 = affine_map<(d0, d1, d2) -> (d0, d1)>
// CHECK-NEXT: module {
// CHECK-NEXT:   func.func @lambda_(%arg0: tensor<1000x3xf32>, %arg1: tensor<9x3xf32>, %arg2: tensor<3x9xf32>, %arg3: tensor<1000x9xf32>) {
// CHECK-NEXT:     %transposed = linalg.transpose ins(%arg1 : tensor<9x3xf32>) outs(%arg2 : tensor<3x9xf32>) permutation = [1, 0] 
// CHECK-NEXT:     %0 = linalg.contract indexing_maps = [#map, #map1, #map2] ins(%arg0, %arg1 : tensor<1000x3xf32>, tensor<9x3xf32>) outs(%arg3 : tensor<1000x9xf32>) -> tensor<1000x9xf32>
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
