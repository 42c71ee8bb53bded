// RUN: agir-dump %s --pass reuse-dying-operands | filecheck %s
#map = affine_map<(d0, d1) -> (d0, d1)>
module {
  func.func @lambda_(%arg0: f32, %arg1: tensor<256x256xf32>, %arg2: f32) {
    %0 = linalg.fill ins(%arg2 : f32) outs(%arg1 : tensor<256x256xf32>) -> tensor<256x256xf32>
    %1 = tensor.empty() : tensor<256x256xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%0 : tensor<256x256xf32>) outs(%1 : tensor<256x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %arg0 : f32
    } -> tensor<256x256xf32>
    return
  }
}
// CHECK: #map = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-NEXT: module {
// CHECK-NEXT:   func.func @lambda_(%arg0: f32, %arg1: tensor<256x256xf32>, %arg2: f32) {
// CHECK-NEXT:     %0 = linalg.fill ins(%arg2 : f32) outs(%arg1 : tensor<256x256xf32>) -> tensor<256x256xf32>
// CHECK-NEXT:     %1 = tensor.empty() : tensor<256x256xf32>
// CHECK-NEXT:     %2 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%0 : tensor<256x256xf32>) outs(%0 : tensor<256x256xf32>) {
// CHECK-NEXT:     ^bb0(%in: f32, %out: f32):
// CHECK-NEXT:       linalg.yield %arg0 : f32
// CHECK-NEXT:     } -> tensor<256x256xf32>
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
