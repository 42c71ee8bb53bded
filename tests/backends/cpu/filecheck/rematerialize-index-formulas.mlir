// RUN: agir-dump %s --pass rematerialize-index-formulas | filecheck %s
#map = affine_map<(d0) -> (d0)>
module {
  func.func @grad_total(%arg0: tensor<8xf64>, %arg1: tensor<8xf64>, %arg2: f64, %arg3: index, %arg4: index, %arg5: tensor<8xf64>, %arg6: index) {
    %0 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel"]} outs(%arg1 : tensor<8xf64>) {
    ^bb0(%out: f64):
      linalg.yield %arg2 : f64
    } -> tensor<8xf64>
    %1 = scf.for %arg7 = %arg6 to %arg3 step %arg4 iter_args(%arg8 = %arg5) -> (tensor<8xf64>) {
      %extracted = tensor.extract %0[%arg7] : tensor<8xf64>
      scf.yield %arg0 : tensor<8xf64>
    }
    return
  }
}
// CHECK: #map = affine_map<(d0) -> (d0)>
// CHECK-NEXT: module {
// CHECK-NEXT:   func.func @grad_total(%arg0: tensor<8xf64>, %arg1: tensor<8xf64>, %arg2: f64, %arg3: index, %arg4: index, %arg5: tensor<8xf64>, %arg6: index) {
// CHECK-NEXT:     %0 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel"]} outs(%arg1 : tensor<8xf64>) {
// CHECK-NEXT:     ^bb0(%out: f64):
// CHECK-NEXT:       linalg.yield %arg2 : f64
// CHECK-NEXT:     } -> tensor<8xf64>
// CHECK-NEXT:     %1 = scf.for %arg7 = %arg6 to %arg3 step %arg4 iter_args(%arg8 = %arg5) -> (tensor<8xf64>) {
// CHECK-NEXT:       scf.yield %arg0 : tensor<8xf64>
// CHECK-NEXT:     }
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
