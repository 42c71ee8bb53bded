// RUN: agir-dump %s --pass rematerialize-where-read | filecheck %s
#map = affine_map<(d0, d1) -> (d0, d1)>
module {
  func.func @lambda_(%arg0: i64, %arg1: tensor<3x7xi64>, %arg2: tensor<5x7xi64>, %arg3: tensor<5x7xi64>, %arg4: tensor<5x7xi64>) {
    %0 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg4, %arg3 : tensor<5x7xi64>, tensor<5x7xi64>) outs(%arg2 : tensor<5x7xi64>) {
    ^bb0(%in: i64, %in_0: i64, %out: i64):
      %2 = arith.addi %in, %in_0 : i64
      linalg.yield %2 : i64
    } -> tensor<5x7xi64>
    %extracted_slice = tensor.extract_slice %0[0, 0] [3, 7] [2, 1] : tensor<5x7xi64> to tensor<3x7xi64>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%extracted_slice : tensor<3x7xi64>) outs(%arg1 : tensor<3x7xi64>) {
    ^bb0(%in: i64, %out: i64):
      linalg.yield %arg0 : i64
    } -> tensor<3x7xi64>
    return
  }
}
// CHECK: #map = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-NEXT: module {
// CHECK-NEXT:   func.func @lambda_(%arg0: i64, %arg1: tensor<3x7xi64>, %arg2: tensor<5x7xi64>, %arg3: tensor<5x7xi64>, %arg4: tensor<5x7xi64>) {
// CHECK-NEXT:     %0 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg4, %arg3 : tensor<5x7xi64>, tensor<5x7xi64>) outs(%arg2 : tensor<5x7xi64>) {
// CHECK-NEXT:     ^bb0(%in: i64, %in_2: i64, %out: i64):
// CHECK-NEXT:       %2 = arith.addi %in, %in_2 : i64
// CHECK-NEXT:       linalg.yield %2 : i64
// CHECK-NEXT:     } -> tensor<5x7xi64>
// CHECK-NEXT:     %extracted_slice = tensor.extract_slice %0[0, 0] [3, 7] [2, 1] : tensor<5x7xi64> to tensor<3x7xi64>
// CHECK-NEXT:     %extracted_slice_0 = tensor.extract_slice %arg4[0, 0] [3, 7] [2, 1] : tensor<5x7xi64> to tensor<3x7xi64>
// CHECK-NEXT:     %extracted_slice_1 = tensor.extract_slice %arg3[0, 0] [3, 7] [2, 1] : tensor<5x7xi64> to tensor<3x7xi64>
// CHECK-NEXT:     %1 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%extracted_slice_0, %extracted_slice_1 : tensor<3x7xi64>, tensor<3x7xi64>) outs(%arg1 : tensor<3x7xi64>) {
// CHECK-NEXT:     ^bb0(%in: i64, %in_2: i64, %out: i64):
// CHECK-NEXT:       %2 = arith.addi %in, %in_2 : i64
// CHECK-NEXT:       linalg.yield %arg0 : i64
// CHECK-NEXT:     } -> tensor<3x7xi64>
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
