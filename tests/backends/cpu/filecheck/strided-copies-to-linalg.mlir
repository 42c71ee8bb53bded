// RUN: agir-dump %s --pass strided-copies-to-linalg | filecheck %s
module {
  func.func @of_parts(%arg0: memref<3xi64, strided<[1]>>, %arg1: index, %arg2: index, %arg3: index, %arg4: memref<3xi64>) {
    scf.for %arg5 = %arg3 to %arg1 step %arg2 {
      memref.copy %arg0, %arg4 : memref<3xi64, strided<[1]>> to memref<3xi64>
    }
    return
  }
}
// CHECK: #map = affine_map<(d0) -> (d0)>
// CHECK-NEXT: module {
// CHECK-NEXT:   func.func @of_parts(%arg0: memref<3xi64, strided<[1]>>, %arg1: index, %arg2: index, %arg3: index, %arg4: memref<3xi64>) {
// CHECK-NEXT:     scf.for %arg5 = %arg3 to %arg1 step %arg2 {
// CHECK-NEXT:       linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg0 : memref<3xi64, strided<[1]>>) outs(%arg4 : memref<3xi64>) {
// CHECK-NEXT:       ^bb0(%in: i64, %out: i64):
// CHECK-NEXT:         linalg.yield %in : i64
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
