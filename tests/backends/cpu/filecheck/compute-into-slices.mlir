// RUN: agir-dump %s --pass compute-into-slices | filecheck %s
#map = affine_map<(d0) -> (d0)>
module {
  func.func @stencil_in_place(%arg0: tensor<300xf64>, %arg1: f64, %arg2: tensor<298xf64>, %arg3: tensor<298xf64>, %arg4: tensor<300xf64>, %arg5: index, %arg6: index, %arg7: index) {
    %0:2 = scf.for %arg8 = %arg6 to %arg5 step %arg7 iter_args(%arg9 = %arg0, %arg10 = %arg4) -> (tensor<300xf64>, tensor<300xf64>) {
      %1 = tensor.empty() : tensor<298xf64>
      %2 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel"]} ins(%arg3, %arg2 : tensor<298xf64>, tensor<298xf64>) outs(%1 : tensor<298xf64>) {
      ^bb0(%in: f64, %in_0: f64, %out: f64):
        linalg.yield %arg1 : f64
      } -> tensor<298xf64>
      %inserted_slice = tensor.insert_slice %2 into %arg10[1] [298] [1] : tensor<298xf64> into tensor<300xf64>
      scf.yield %inserted_slice, %arg9 : tensor<300xf64>, tensor<300xf64>
    }
    return
  }
}
// CHECK: #map = affine_map<(d0) -> (d0)>
// CHECK-NEXT: module {
// CHECK-NEXT:   func.func @stencil_in_place(%arg0: tensor<300xf64>, %arg1: f64, %arg2: tensor<298xf64>, %arg3: tensor<298xf64>, %arg4: tensor<300xf64>, %arg5: index, %arg6: index, %arg7: index) {
// CHECK-NEXT:     %0:2 = scf.for %arg8 = %arg6 to %arg5 step %arg7 iter_args(%arg9 = %arg0, %arg10 = %arg4) -> (tensor<300xf64>, tensor<300xf64>) {
// CHECK-NEXT:       %1 = tensor.empty() : tensor<298xf64>
// CHECK-NEXT:       %extracted_slice = tensor.extract_slice %arg10[1] [298] [1] : tensor<300xf64> to tensor<298xf64>
// CHECK-NEXT:       %2 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel"]} ins(%arg3, %arg2 : tensor<298xf64>, tensor<298xf64>) outs(%extracted_slice : tensor<298xf64>) {
// CHECK-NEXT:       ^bb0(%in: f64, %in_0: f64, %out: f64):
// CHECK-NEXT:         linalg.yield %arg1 : f64
// CHECK-NEXT:       } -> tensor<298xf64>
// CHECK-NEXT:       %inserted_slice = tensor.insert_slice %2 into %arg10[1] [298] [1] : tensor<298xf64> into tensor<300xf64>
// CHECK-NEXT:       scf.yield %inserted_slice, %arg9 : tensor<300xf64>, tensor<300xf64>
// CHECK-NEXT:     }
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
