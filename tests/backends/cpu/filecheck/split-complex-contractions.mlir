// RUN: agir-dump %s --pass split-complex-contractions | filecheck %s
#map = affine_map<(d0, d1, d2, d3) -> (d0, d2, d3)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d1, d3, d2)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d1)>
module {
  func.func @lambda_(%arg0: tensor<9x31x31xcomplex<f64>>, %arg1: tensor<9x31x31xcomplex<f64>>, %arg2: tensor<9x9xcomplex<f64>>, %arg3: complex<f64>) {
    %0 = linalg.fill ins(%arg3 : complex<f64>) outs(%arg2 : tensor<9x9xcomplex<f64>>) -> tensor<9x9xcomplex<f64>>
    %1 = linalg.contract indexing_maps = [#map, #map1, #map2] ins(%arg0, %arg1 : tensor<9x31x31xcomplex<f64>>, tensor<9x31x31xcomplex<f64>>) outs(%0 : tensor<9x9xcomplex<f64>>) -> tensor<9x9xcomplex<f64>>
    return
  }
}
// CHECK: #map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
// CHECK-NEXT: #map1 = affine_map<(d0, d1, d2, d3) -> (d0, d2, d3)>
// CHECK-NEXT: #map2 = affine_map<(d0, d1, d2, d3) -> (d1, d3, d2)>
// CHECK-NEXT: #map3 = affine_map<(d0, d1, d2, d3) -> (d0, d1)>
// CHECK-NEXT: #map4 = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-NEXT: module {
// CHECK-NEXT:   func.func @lambda_(%arg0: tensor<9x31x31xcomplex<f64>>, %arg1: tensor<9x31x31xcomplex<f64>>, %arg2: tensor<9x9xcomplex<f64>>, %arg3: complex<f64>) {
// CHECK-NEXT:     %0 = linalg.fill ins(%arg3 : complex<f64>) outs(%arg2 : tensor<9x9xcomplex<f64>>) -> tensor<9x9xcomplex<f64>>
// CHECK-NEXT:     %1 = tensor.empty() : tensor<9x31x31xf64>
// CHECK-NEXT:     %2 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0 : tensor<9x31x31xcomplex<f64>>) outs(%1 : tensor<9x31x31xf64>) {
// CHECK-NEXT:     ^bb0(%in: complex<f64>, %out: f64):
// CHECK-NEXT:       %19 = complex.re %in : complex<f64>
// CHECK-NEXT:       linalg.yield %19 : f64
// CHECK-NEXT:     } -> tensor<9x31x31xf64>
// CHECK-NEXT:     %3 = tensor.empty() : tensor<9x31x31xf64>
// CHECK-NEXT:     %4 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0 : tensor<9x31x31xcomplex<f64>>) outs(%3 : tensor<9x31x31xf64>) {
// CHECK-NEXT:     ^bb0(%in: complex<f64>, %out: f64):
// CHECK-NEXT:       %19 = complex.im %in : complex<f64>
// CHECK-NEXT:       linalg.yield %19 : f64
// CHECK-NEXT:     } -> tensor<9x31x31xf64>
// CHECK-NEXT:     %5 = tensor.empty() : tensor<9x31x31xf64>
// CHECK-NEXT:     %6 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg1 : tensor<9x31x31xcomplex<f64>>) outs(%5 : tensor<9x31x31xf64>) {
// CHECK-NEXT:     ^bb0(%in: complex<f64>, %out: f64):
// CHECK-NEXT:       %19 = complex.re %in : complex<f64>
// CHECK-NEXT:       linalg.yield %19 : f64
// CHECK-NEXT:     } -> tensor<9x31x31xf64>
// CHECK-NEXT:     %7 = tensor.empty() : tensor<9x31x31xf64>
// CHECK-NEXT:     %8 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg1 : tensor<9x31x31xcomplex<f64>>) outs(%7 : tensor<9x31x31xf64>) {
// CHECK-NEXT:     ^bb0(%in: complex<f64>, %out: f64):
// CHECK-NEXT:       %19 = complex.im %in : complex<f64>
// CHECK-NEXT:       linalg.yield %19 : f64
// CHECK-NEXT:     } -> tensor<9x31x31xf64>
// CHECK-NEXT:     %9 = complex.re %arg3 : complex<f64>
// CHECK-NEXT:     %10 = tensor.empty() : tensor<9x9xf64>
// CHECK-NEXT:     %11 = linalg.fill ins(%9 : f64) outs(%10 : tensor<9x9xf64>) -> tensor<9x9xf64>
// CHECK-NEXT:     %12 = complex.im %arg3 : complex<f64>
// CHECK-NEXT:     %13 = tensor.empty() : tensor<9x9xf64>
// CHECK-NEXT:     %14 = linalg.fill ins(%12 : f64) outs(%13 : tensor<9x9xf64>) -> tensor<9x9xf64>
// CHECK-NEXT:     %15 = linalg.generic {indexing_maps = [#map1, #map1, #map2, #map2, #map3], iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%2, %4, %6, %8 : tensor<9x31x31xf64>, tensor<9x31x31xf64>, tensor<9x31x31xf64>, tensor<9x31x31xf64>) outs(%11 : tensor<9x9xf64>) {
// CHECK-NEXT:     ^bb0(%in: f64, %in_0: f64, %in_1: f64, %in_2: f64, %out: f64):
// CHECK-NEXT:       %19 = arith.mulf %in, %in_1 : f64
// CHECK-NEXT:       %20 = arith.addf %out, %19 : f64
// CHECK-NEXT:       %21 = arith.mulf %in_0, %in_2 : f64
// CHECK-NEXT:       %22 = arith.subf %20, %21 : f64
// CHECK-NEXT:       linalg.yield %22 : f64
// CHECK-NEXT:     } -> tensor<9x9xf64>
// CHECK-NEXT:     %16 = linalg.generic {indexing_maps = [#map1, #map1, #map2, #map2, #map3], iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%2, %4, %6, %8 : tensor<9x31x31xf64>, tensor<9x31x31xf64>, tensor<9x31x31xf64>, tensor<9x31x31xf64>) outs(%14 : tensor<9x9xf64>) {
// CHECK-NEXT:     ^bb0(%in: f64, %in_0: f64, %in_1: f64, %in_2: f64, %out: f64):
// CHECK-NEXT:       %19 = arith.mulf %in, %in_2 : f64
// CHECK-NEXT:       %20 = arith.addf %out, %19 : f64
// CHECK-NEXT:       %21 = arith.mulf %in_0, %in_1 : f64
// CHECK-NEXT:       %22 = arith.addf %20, %21 : f64
// CHECK-NEXT:       linalg.yield %22 : f64
// CHECK-NEXT:     } -> tensor<9x9xf64>
// CHECK-NEXT:     %17 = tensor.empty() : tensor<9x9xcomplex<f64>>
// CHECK-NEXT:     %18 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%15, %16 : tensor<9x9xf64>, tensor<9x9xf64>) outs(%17 : tensor<9x9xcomplex<f64>>) {
// CHECK-NEXT:     ^bb0(%in: f64, %in_0: f64, %out: complex<f64>):
// CHECK-NEXT:       %19 = complex.create %in, %in_0 : complex<f64>
// CHECK-NEXT:       linalg.yield %19 : complex<f64>
// CHECK-NEXT:     } -> tensor<9x9xcomplex<f64>>
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
