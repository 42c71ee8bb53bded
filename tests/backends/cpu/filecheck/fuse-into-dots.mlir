// RUN: agir-dump %s --pass fuse-into-dots | filecheck %s
#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0) -> ()>
module {
  func.func @weighted(%arg0: tensor<13xf64>, %arg1: f64, %arg2: tensor<?xf64>, %arg3: i64, %arg4: i64, %arg5: i64, %arg6: tensor<?xi64>, %arg7: index, %arg8: index, %arg9: index, %arg10: tensor<13xf64>, %arg11: i64, %arg12: tensor<f64>, %arg13: tensor<?xf64>) {
    %0:4 = scf.for %arg14 = %arg9 to %arg8 step %arg7 iter_args(%arg15 = %arg11, %arg16 = %arg11, %arg17 = %arg11, %arg18 = %arg10) -> (i64, i64, i64, tensor<13xf64>) {
      %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg6 : tensor<?xi64>) outs(%arg2 : tensor<?xf64>) {
      ^bb0(%in: i64, %out: f64):
        linalg.yield %arg1 : f64
      } -> tensor<?xf64>
      %2 = linalg.contract indexing_maps = [#map, #map, #map1] ins(%arg13, %1 : tensor<?xf64>, tensor<?xf64>) outs(%arg12 : tensor<f64>) -> tensor<f64>
      scf.yield %arg5, %arg4, %arg3, %arg0 : i64, i64, i64, tensor<13xf64>
    }
    return
  }
}
// CHECK: #map = affine_map<(d0) -> (d0)>
// CHECK-NEXT: #map1 = affine_map<(d0) -> ()>
// CHECK-NEXT: module {
// CHECK-NEXT:   func.func @weighted(%arg0: tensor<13xf64>, %arg1: f64, %arg2: tensor<?xf64>, %arg3: i64, %arg4: i64, %arg5: i64, %arg6: tensor<?xi64>, %arg7: index, %arg8: index, %arg9: index, %arg10: tensor<13xf64>, %arg11: i64, %arg12: tensor<f64>, %arg13: tensor<?xf64>) {
// CHECK-NEXT:     %0:4 = scf.for %arg14 = %arg9 to %arg8 step %arg7 iter_args(%arg15 = %arg11, %arg16 = %arg11, %arg17 = %arg11, %arg18 = %arg10) -> (i64, i64, i64, tensor<13xf64>) {
// CHECK-NEXT:       %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg6 : tensor<?xi64>) outs(%arg2 : tensor<?xf64>) {
// CHECK-NEXT:       ^bb0(%in: i64, %out: f64):
// CHECK-NEXT:         linalg.yield %arg1 : f64
// CHECK-NEXT:       } -> tensor<?xf64>
// CHECK-NEXT:       %2 = linalg.generic {indexing_maps = [#map, #map, #map1], iterator_types = ["reduction"]} ins(%arg13, %1 : tensor<?xf64>, tensor<?xf64>) outs(%arg12 : tensor<f64>) {
// CHECK-NEXT:       ^bb0(%in: f64, %in_0: f64, %out: f64):
// CHECK-NEXT:         %3 = arith.mulf %in, %in_0 : f64
// CHECK-NEXT:         %4 = arith.addf %out, %3 : f64
// CHECK-NEXT:         linalg.yield %4 : f64
// CHECK-NEXT:       } -> tensor<f64>
// CHECK-NEXT:       scf.yield %arg5, %arg4, %arg3, %arg0 : i64, i64, i64, tensor<13xf64>
// CHECK-NEXT:     }
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
