// RUN: agir-dump %s --pass write-results-into-arguments | filecheck %s
module {
  func.func @f(%arg0: tensor<?xf64> {agir.writable}, %arg1: tensor<?xf64>) -> (tensor<?xf64> {agir.destination = 0 : i64}, tensor<?xf64>) {
    return %arg1, %arg1 : tensor<?xf64>, tensor<?xf64>
  }
}
// CHECK: module {
// CHECK-NEXT:   func.func @f(%arg0: memref<?xf64> {agir.writable}, %arg1: tensor<?xf64>) -> tensor<?xf64> attributes {agir.destinations = array<i64: 0>} {
// CHECK-NEXT:     %0 = bufferization.to_tensor %arg0 restrict writable : memref<?xf64> to tensor<?xf64>
// CHECK-NEXT:     %1 = linalg.copy ins(%arg1 : tensor<?xf64>) outs(%0 : tensor<?xf64>) -> tensor<?xf64>
// CHECK-NEXT:     bufferization.materialize_in_destination %1 in restrict writable %arg0 : (tensor<?xf64>, memref<?xf64>) -> ()
// CHECK-NEXT:     return %arg1 : tensor<?xf64>
// CHECK-NEXT:   }
// CHECK-NEXT: }
