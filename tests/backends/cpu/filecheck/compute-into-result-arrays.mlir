// RUN: agir-dump %s --pass compute-into-result-arrays | filecheck %s
module {
  func.func private @agir.kernel_contract_addf_tanh_mulf_eb5888904fbfb403(%arg0: tensor<40x40xf64>) -> tensor<40x40xf64> attributes {agir.kernel} {
    return %arg0 : tensor<40x40xf64>
  }
}
// CHECK: module {
// CHECK-NEXT:   func.func private @agir.kernel_contract_addf_tanh_mulf_eb5888904fbfb403(%arg0: tensor<40x40xf64>) -> tensor<40x40xf64> attributes {agir.kernel} {
// CHECK-NEXT:     %0 = bufferization.materialize_in_destination %arg0 in %arg0 : (tensor<40x40xf64>, tensor<40x40xf64>) -> tensor<40x40xf64>
// CHECK-NEXT:     return %0 : tensor<40x40xf64>
// CHECK-NEXT:   }
// CHECK-NEXT: }
