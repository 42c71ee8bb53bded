// RUN: agir-dump %s --pass keep-reshapes-in-place | filecheck %s
#map = affine_map<(d0) -> (d0)>
module {
  func.func @overwritten(%arg0: tensor<2x3xf64>, %arg1: i64, %arg2: i64, %arg3: i1, %arg4: tensor<6xf64>, %arg5: f64, %arg6: tensor<6xf64>, %arg7: tensor<6xf64>, %arg8: tensor<6xf64>, %arg9: i1, %arg10: i1, %arg11: i64, %arg12: i64, %arg13: i64, %arg14: i1, %arg15: tensor<6xf64>, %arg16: i64, %arg17: i1) {
    %0:6 = scf.while (%arg18 = %arg16, %arg19 = %arg16, %arg20 = %arg16, %arg21 = %arg17, %arg22 = %arg15, %arg23 = %arg0) : (i64, i64, i64, i1, tensor<6xf64>, tensor<2x3xf64>) -> (i64, i64, i64, i1, tensor<2x3xf64>, tensor<6xf64>) {
      scf.condition(%arg14) %arg18, %arg13, %arg12, %arg21, %arg23, %arg22 : i64, i64, i64, i1, tensor<2x3xf64>, tensor<6xf64>
    } do {
    ^bb0(%arg18: i64, %arg19: i64, %arg20: i64, %arg21: i1, %arg22: tensor<2x3xf64>, %arg23: tensor<6xf64>):
      %1:2 = scf.if %arg10 -> (tensor<6xf64>, tensor<2x3xf64>) {
        scf.yield %arg23, %arg22 : tensor<6xf64>, tensor<2x3xf64>
      } else {
        %2 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel"]} ins(%arg8, %arg7 : tensor<6xf64>, tensor<6xf64>) outs(%arg6 : tensor<6xf64>) {
        ^bb0(%in: f64, %in_0: f64, %out: f64):
          linalg.yield %arg5 : f64
        } -> tensor<6xf64>
        %3 = scf.if %arg3 -> (tensor<2x3xf64>) {
          %expanded = tensor.expand_shape %2 [[0, 1]] output_shape [2, 3] : tensor<6xf64> into tensor<2x3xf64>
          scf.yield %expanded : tensor<2x3xf64>
        } else {
          scf.yield %arg22 : tensor<2x3xf64>
        }
        scf.yield %arg4, %3 : tensor<6xf64>, tensor<2x3xf64>
      }
      scf.yield %arg11, %arg2, %arg1, %arg9, %1#0, %1#1 : i64, i64, i64, i1, tensor<6xf64>, tensor<2x3xf64>
    }
    return
  }
}
// CHECK: #map = affine_map<(d0) -> (d0)>
// CHECK-NEXT: module {
// CHECK-NEXT:   func.func @overwritten(%arg0: tensor<2x3xf64>, %arg1: i64, %arg2: i64, %arg3: i1, %arg4: tensor<6xf64>, %arg5: f64, %arg6: tensor<6xf64>, %arg7: tensor<6xf64>, %arg8: tensor<6xf64>, %arg9: i1, %arg10: i1, %arg11: i64, %arg12: i64, %arg13: i64, %arg14: i1, %arg15: tensor<6xf64>, %arg16: i64, %arg17: i1) {
// CHECK-NEXT:     %0:6 = scf.while (%arg18 = %arg16, %arg19 = %arg16, %arg20 = %arg16, %arg21 = %arg17, %arg22 = %arg15, %arg23 = %arg0) : (i64, i64, i64, i1, tensor<6xf64>, tensor<2x3xf64>) -> (i64, i64, i64, i1, tensor<2x3xf64>, tensor<6xf64>) {
// CHECK-NEXT:       scf.condition(%arg14) %arg18, %arg13, %arg12, %arg21, %arg23, %arg22 : i64, i64, i64, i1, tensor<2x3xf64>, tensor<6xf64>
// CHECK-NEXT:     } do {
// CHECK-NEXT:     ^bb0(%arg18: i64, %arg19: i64, %arg20: i64, %arg21: i1, %arg22: tensor<2x3xf64>, %arg23: tensor<6xf64>):
// CHECK-NEXT:       %1:2 = scf.if %arg10 -> (tensor<6xf64>, tensor<2x3xf64>) {
// CHECK-NEXT:         scf.yield %arg23, %arg22 : tensor<6xf64>, tensor<2x3xf64>
// CHECK-NEXT:       } else {
// CHECK-NEXT:         %2 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel"]} ins(%arg8, %arg7 : tensor<6xf64>, tensor<6xf64>) outs(%arg6 : tensor<6xf64>) {
// CHECK-NEXT:         ^bb0(%in: f64, %in_0: f64, %out: f64):
// CHECK-NEXT:           linalg.yield %arg5 : f64
// CHECK-NEXT:         } -> tensor<6xf64>
// CHECK-NEXT:         bufferization.dealloc_tensor %2 : tensor<6xf64>
// CHECK-NEXT:         %3 = scf.if %arg3 -> (tensor<2x3xf64>) {
// CHECK-NEXT:           %expanded = tensor.expand_shape %2 {{\[\[}}0, 1{{\]\]}} output_shape [2, 3] : tensor<6xf64> into tensor<2x3xf64>
// CHECK-NEXT:           scf.yield %expanded : tensor<2x3xf64>
// CHECK-NEXT:         } else {
// CHECK-NEXT:           scf.yield %arg22 : tensor<2x3xf64>
// CHECK-NEXT:         }
// CHECK-NEXT:         scf.yield %arg4, %3 : tensor<6xf64>, tensor<2x3xf64>
// CHECK-NEXT:       }
// CHECK-NEXT:       scf.yield %arg11, %arg2, %arg1, %arg9, %1#0, %1#1 : i64, i64, i64, i1, tensor<6xf64>, tensor<2x3xf64>
// CHECK-NEXT:     }
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
