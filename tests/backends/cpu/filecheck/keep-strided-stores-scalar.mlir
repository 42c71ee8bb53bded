// RUN: agir-dump %s --pass keep-strided-stores-scalar | filecheck %s
module {
  func.func @channel(%arg0: f32, %arg1: memref<50xf32, strided<[3], offset: 1>>, %arg2: index, %arg3: index, %arg4: index) {
    scf.for %arg5 = %arg2 to %arg3 step %arg4 {
      memref.store %arg0, %arg1[%arg5] : memref<50xf32, strided<[3], offset: 1>>
    }
    return
  }
}
// CHECK: #loop_vectorize = #llvm.loop_vectorize<disable = true>
// CHECK-NEXT: #loop_annotation = #llvm.loop_annotation<vectorize = #loop_vectorize>
// CHECK-NEXT: module {
// CHECK-NEXT:   func.func @channel(%arg0: f32, %arg1: memref<50xf32, strided<[3], offset: 1>>, %arg2: index, %arg3: index, %arg4: index) {
// CHECK-NEXT:     scf.for %arg5 = %arg2 to %arg3 step %arg4 {
// CHECK-NEXT:       memref.store %arg0, %arg1[%arg5] : memref<50xf32, strided<[3], offset: 1>>
// CHECK-NEXT:     } {llvm.loop_annotation = #loop_annotation}
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
