// RUN: agir-dump %s --pass split-min-max-checks | filecheck %s
#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0) -> ()>
module {
  func.func @own_bounds(%arg0: i64, %arg1: i64, %arg2: i64, %arg3: tensor<5xi64>, %arg4: i64, %arg5: index, %arg6: index, %arg7: index) {
    %cst = arith.constant dense<-9223372036854775808> : tensor<i64>
    %cst_0 = arith.constant dense<9223372036854775807> : tensor<i64>
    %0 = scf.for %arg8 = %arg7 to %arg6 step %arg5 iter_args(%arg9 = %arg4) -> (i64) {
      %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["reduction"]} ins(%arg3 : tensor<5xi64>) outs(%cst_0 : tensor<i64>) {
      ^bb0(%in: i64, %out: i64):
        %6 = arith.minsi %in, %out : i64
        linalg.yield %6 : i64
      } -> tensor<i64>
      %extracted = tensor.extract %1[] : tensor<i64>
      %2 = arith.cmpi sge, %extracted, %arg0 : i64
      %3 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["reduction"]} ins(%arg3 : tensor<5xi64>) outs(%cst : tensor<i64>) {
      ^bb0(%in: i64, %out: i64):
        %6 = arith.maxsi %in, %out : i64
        linalg.yield %6 : i64
      } -> tensor<i64>
      %extracted_1 = tensor.extract %3[] : tensor<i64>
      %4 = arith.cmpi slt, %extracted_1, %arg1 : i64
      %5 = arith.andi %2, %4 : i1
      scf.yield %arg2 : i64
    }
    return
  }
}
// CHECK: #map = affine_map<(d0) -> (d0)>
// CHECK-NEXT: #map1 = affine_map<(d0) -> ()>
// CHECK-NEXT: module {
// CHECK-NEXT:   func.func @own_bounds(%arg0: i64, %arg1: i64, %arg2: i64, %arg3: tensor<5xi64>, %arg4: i64, %arg5: index, %arg6: index, %arg7: index) {
// CHECK-NEXT:     %cst = arith.constant dense<-9223372036854775808> : tensor<i64>
// CHECK-NEXT:     %cst_0 = arith.constant dense<9223372036854775807> : tensor<i64>
// CHECK-NEXT:     %0 = scf.for %arg8 = %arg7 to %arg6 step %arg5 iter_args(%arg9 = %arg4) -> (i64) {
// CHECK-NEXT:       %cst_1 = arith.constant dense<true> : tensor<i1>
// CHECK-NEXT:       %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["reduction"]} ins(%arg3 : tensor<5xi64>) outs(%cst_1 : tensor<i1>) {
// CHECK-NEXT:       ^bb0(%in: i64, %out: i1):
// CHECK-NEXT:         %6 = arith.cmpi sge, %in, %arg0 : i64
// CHECK-NEXT:         %7 = arith.cmpi slt, %in, %arg1 : i64
// CHECK-NEXT:         %8 = arith.andi %6, %7 : i1
// CHECK-NEXT:         %9 = arith.andi %out, %8 : i1
// CHECK-NEXT:         linalg.yield %9 : i1
// CHECK-NEXT:       } -> tensor<i1>
// CHECK-NEXT:       %extracted = tensor.extract %1[] : tensor<i1>
// CHECK-NEXT:       %c9223372036854775807_i64 = arith.constant 9223372036854775807 : i64
// CHECK-NEXT:       %c-9223372036854775808_i64 = arith.constant -9223372036854775808 : i64
// CHECK-NEXT:       %2 = arith.cmpi sge, %c9223372036854775807_i64, %arg0 : i64
// CHECK-NEXT:       %3 = arith.cmpi slt, %c-9223372036854775808_i64, %arg1 : i64
// CHECK-NEXT:       %4 = arith.andi %2, %3 : i1
// CHECK-NEXT:       %5 = arith.andi %extracted, %4 : i1
// CHECK-NEXT:       scf.yield %arg2 : i64
// CHECK-NEXT:     }
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
