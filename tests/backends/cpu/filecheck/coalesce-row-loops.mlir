// RUN: agir-dump %s --pass coalesce-row-loops | filecheck %s
module {
  func.func @exchanged(%arg0: i1, %arg1: i64, %arg2: memref<2x3xf64>, %arg3: i1, %arg4: i64, %arg5: i1, %arg6: index) {
    %c3 = arith.constant 3 : index
    %c1 = arith.constant 1 : index
    %c0 = arith.constant 0 : index
    %0:2 = scf.while (%arg7 = %arg4, %arg8 = %arg5) : (i64, i1) -> (i64, i1) {
      scf.condition(%arg3) %arg7, %arg8 : i64, i1
    } do {
    ^bb0(%arg7: i64, %arg8: i1):
      scf.for %arg9 = %c0 to %arg6 step %c1 {
        scf.for %arg10 = %c0 to %c3 step %c1 {
          %1 = memref.load %arg2[%arg9, %arg10] : memref<2x3xf64>
        }
      }
      scf.yield %arg1, %arg0 : i64, i1
    }
    return
  }
}
// CHECK: module {
// CHECK-NEXT:   func.func @exchanged(%arg0: i1, %arg1: i64, %arg2: memref<2x3xf64>, %arg3: i1, %arg4: i64, %arg5: i1, %arg6: index) {
// CHECK-NEXT:     %collapse_shape = memref.collapse_shape %arg2 {{\[\[}}0, 1{{\]\]}} : memref<2x3xf64> into memref<6xf64>
// CHECK-NEXT:     %c3 = arith.constant 3 : index
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %c0_0 = arith.constant 0 : index
// CHECK-NEXT:     %0:2 = scf.while (%arg7 = %arg4, %arg8 = %arg5) : (i64, i1) -> (i64, i1) {
// CHECK-NEXT:       scf.condition(%arg3) %arg7, %arg8 : i64, i1
// CHECK-NEXT:     } do {
// CHECK-NEXT:     ^bb0(%arg7: i64, %arg8: i1):
// CHECK-NEXT:       %1 = arith.muli %arg6, %c3 : index
// CHECK-NEXT:       scf.for %arg9 = %c0 to %1 step %c1 {
// CHECK-NEXT:         %2 = memref.load %collapse_shape[%arg9] : memref<6xf64>
// CHECK-NEXT:       }
// CHECK-NEXT:       scf.yield %arg1, %arg0 : i64, i1
// CHECK-NEXT:     }
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
