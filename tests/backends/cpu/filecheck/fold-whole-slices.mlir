// RUN: agir-dump %s --pass fold-whole-slices | filecheck %s
module {
  func.func @outer(%arg0: index) {
    %0 = tensor.empty(%arg0) : tensor<?xf64>
    %extracted_slice = tensor.extract_slice %0[0] [%arg0] [1] : tensor<?xf64> to tensor<?xf64>
    return
  }
}
// CHECK: module {
// CHECK-NEXT:   func.func @outer(%arg0: index) {
// CHECK-NEXT:     %0 = tensor.empty(%arg0) : tensor<?xf64>
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
