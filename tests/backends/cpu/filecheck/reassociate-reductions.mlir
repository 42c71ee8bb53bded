// RUN: agir-dump %s --pass reassociate-reductions | filecheck %s
#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d0)>
module {
  func.func @lambda_(%arg0: memref<5993x8xf64>, %arg1: memref<5993xf64>) {
    linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%arg0 : memref<5993x8xf64>) outs(%arg1 : memref<5993xf64>) {
    ^bb0(%in: f64, %out: f64):
      %0 = arith.addf %in, %out : f64
      linalg.yield %0 : f64
    }
    return
  }
}
// CHECK: #map = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-NEXT: #map1 = affine_map<(d0, d1) -> (d0)>
// CHECK-NEXT: module {
// CHECK-NEXT:   func.func @lambda_(%arg0: memref<5993x8xf64>, %arg1: memref<5993xf64>) {
// CHECK-NEXT:     linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%arg0 : memref<5993x8xf64>) outs(%arg1 : memref<5993xf64>) {
// CHECK-NEXT:     ^bb0(%in: f64, %out: f64):
// CHECK-NEXT:       %0 = arith.addf %in, %out fastmath<reassoc,contract> : f64
// CHECK-NEXT:       linalg.yield %0 : f64
// CHECK-NEXT:     }
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
