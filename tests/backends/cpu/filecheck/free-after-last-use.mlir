// RUN: agir-dump %s --pass free-after-last-use | filecheck %s
module {
  func.func @smooth(%arg0: memref<140x54xf64>, %arg1: memref<138x52xf64>) {
    %subview = memref.subview %arg0[1, 1] [138, 52] [1, 1] : memref<140x54xf64> to memref<138x52xf64, strided<[54, 1], offset: 55>>
    memref.dealloc %arg1 : memref<138x52xf64>
    memref.dealloc %arg0 : memref<140x54xf64>
    return
  }
}
// CHECK: module {
// CHECK-NEXT:   func.func @smooth(%arg0: memref<140x54xf64>, %arg1: memref<138x52xf64>) {
// CHECK-NEXT:     %subview = memref.subview %arg0[1, 1] [138, 52] [1, 1] : memref<140x54xf64> to memref<138x52xf64, strided<[54, 1], offset: 55>>
// CHECK-NEXT:     memref.dealloc %arg0 : memref<140x54xf64>
// CHECK-NEXT:     memref.dealloc %arg1 : memref<138x52xf64>
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
