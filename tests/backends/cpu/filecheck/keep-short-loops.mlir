// RUN: agir-dump %s --pass keep-short-loops | filecheck %s
module {
  func.func @smooth(%arg0: index, %arg1: index, %arg2: index, %arg3: i1, %arg4: index, %arg5: memref<28xf64>, %arg6: f64) {
    %c28 = arith.constant 28 : index
    %c1 = arith.constant 1 : index
    %c0 = arith.constant 0 : index
    %0 = scf.while (%arg7 = %arg4) : (index) -> index {
      scf.condition(%arg3) %arg7 : index
    } do {
    ^bb0(%arg7: index):
      scf.for %arg8 = %arg2 to %arg1 step %c1 {
        scf.for %arg9 = %c0 to %c28 step %c1 {
          memref.store %arg6, %arg5[%arg9] : memref<28xf64>
        }
      }
      scf.yield %arg0 : index
    }
    return
  }
}
// CHECK: #loop_unroll = #llvm.loop_unroll<disable = true>
// CHECK-NEXT: #loop_annotation = #llvm.loop_annotation<unroll = #loop_unroll>
// CHECK-NEXT: module {
// CHECK-NEXT:   func.func @smooth(%arg0: index, %arg1: index, %arg2: index, %arg3: i1, %arg4: index, %arg5: memref<28xf64>, %arg6: f64) {
// CHECK-NEXT:     %c28 = arith.constant 28 : index
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %0 = scf.while (%arg7 = %arg4) : (index) -> index {
// CHECK-NEXT:       scf.condition(%arg3) %arg7 : index
// CHECK-NEXT:     } do {
// CHECK-NEXT:     ^bb0(%arg7: index):
// CHECK-NEXT:       scf.for %arg8 = %arg2 to %arg1 step %c1 {
// CHECK-NEXT:         scf.for %arg9 = %c0 to %c28 step %c1 {
// CHECK-NEXT:           memref.store %arg6, %arg5[%arg9] : memref<28xf64>
// CHECK-NEXT:         } {llvm.loop_annotation = #loop_annotation}
// CHECK-NEXT:       }
// CHECK-NEXT:       scf.yield %arg0 : index
// CHECK-NEXT:     }
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
