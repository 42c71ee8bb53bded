// RUN: agir-dump %s --pass copy-aliased-loop-arrays | filecheck %s
module {
  func.func @twice(%arg0: tensor<5xf64>, %arg1: index, %arg2: tensor<5xf64>, %arg3: tensor<5xf64>, %arg4: index, %arg5: index) {
    %0:2 = scf.for %arg6 = %arg4 to %arg1 step %arg5 iter_args(%arg7 = %arg3, %arg8 = %arg2) -> (tensor<5xf64>, tensor<5xf64>) {
      scf.yield %arg0, %arg0 : tensor<5xf64>, tensor<5xf64>
    }
    return
  }
}
// CHECK: module {
// CHECK-NEXT:   func.func @twice(%arg0: tensor<5xf64>, %arg1: index, %arg2: tensor<5xf64>, %arg3: tensor<5xf64>, %arg4: index, %arg5: index) {
// CHECK-NEXT:     %0:2 = scf.for %arg6 = %arg4 to %arg1 step %arg5 iter_args(%arg7 = %arg3, %arg8 = %arg2) -> (tensor<5xf64>, tensor<5xf64>) {
// CHECK-NEXT:       %1 = bufferization.alloc_tensor() copy(%arg0) : tensor<5xf64>
// CHECK-NEXT:       %2 = bufferization.alloc_tensor() copy(%arg0) : tensor<5xf64>
// CHECK-NEXT:       scf.yield %1, %2 : tensor<5xf64>, tensor<5xf64>
// CHECK-NEXT:     }
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
