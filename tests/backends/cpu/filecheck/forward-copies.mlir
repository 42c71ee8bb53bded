// RUN: agir-dump %s --pass forward-copies | filecheck %s
module {
  func.func @pairs_above(%arg0: i64, %arg1: memref<?xf64>, %arg2: memref<?xf64>, %arg3: memref<?xi64, strided<[1]>>, %arg4: index, %arg5: i1, %arg6: index, %arg7: i64, %arg8: i1, %arg9: memref<?xf64>, %arg10: memref<?xf64>, %arg11: memref<?xi64>, %arg12: i64, %arg13: index, %arg14: index, %arg15: index) {
    %0:5 = scf.for %arg16 = %arg15 to %arg14 step %arg13 iter_args(%arg17 = %arg12, %arg18 = %arg11, %arg19 = %arg12, %arg20 = %arg10, %arg21 = %arg9) -> (i64, memref<?xi64>, i64, memref<?xf64>, memref<?xf64>) {
      %1:5 = scf.if %arg8 -> (i64, memref<?xi64>, i64, memref<?xf64>, memref<?xf64>) {
        %2 = scf.if %arg5 -> (memref<?xi64>) {
          %alloc = memref.alloc(%arg4) {alignment = 64 : i64} : memref<?xi64>
          %alloc_0 = memref.alloc(%arg6) {alignment = 64 : i64} : memref<?xi64>
          memref.copy %arg3, %alloc_0 : memref<?xi64, strided<[1]>> to memref<?xi64>
          %subview = memref.subview %alloc[0] [%arg6] [1] : memref<?xi64> to memref<?xi64, strided<[1]>>
          memref.copy %alloc_0, %subview : memref<?xi64> to memref<?xi64, strided<[1]>>
          scf.yield %alloc : memref<?xi64>
        } else {
          scf.yield %arg18 : memref<?xi64>
        }
        scf.yield %arg7, %2, %arg19, %arg20, %arg21 : i64, memref<?xi64>, i64, memref<?xf64>, memref<?xf64>
      } else {
        scf.yield %arg17, %arg18, %arg0, %arg1, %arg2 : i64, memref<?xi64>, i64, memref<?xf64>, memref<?xf64>
      }
      scf.yield %1#0, %1#1, %1#2, %1#3, %1#4 : i64, memref<?xi64>, i64, memref<?xf64>, memref<?xf64>
    }
    return
  }
}
// CHECK: module {
// CHECK-NEXT:   func.func @pairs_above(%arg0: i64, %arg1: memref<?xf64>, %arg2: memref<?xf64>, %arg3: memref<?xi64, strided<[1]>>, %arg4: index, %arg5: i1, %arg6: index, %arg7: i64, %arg8: i1, %arg9: memref<?xf64>, %arg10: memref<?xf64>, %arg11: memref<?xi64>, %arg12: i64, %arg13: index, %arg14: index, %arg15: index) {
// CHECK-NEXT:     %0:5 = scf.for %arg16 = %arg15 to %arg14 step %arg13 iter_args(%arg17 = %arg12, %arg18 = %arg11, %arg19 = %arg12, %arg20 = %arg10, %arg21 = %arg9) -> (i64, memref<?xi64>, i64, memref<?xf64>, memref<?xf64>) {
// CHECK-NEXT:       %1:5 = scf.if %arg8 -> (i64, memref<?xi64>, i64, memref<?xf64>, memref<?xf64>) {
// CHECK-NEXT:         %2 = scf.if %arg5 -> (memref<?xi64>) {
// CHECK-NEXT:           %alloc = memref.alloc(%arg4) {alignment = 64 : i64} : memref<?xi64>
// CHECK-NEXT:           %subview = memref.subview %alloc[0] [%arg6] [1] : memref<?xi64> to memref<?xi64, strided<[1]>>
// CHECK-NEXT:           memref.copy %arg3, %subview : memref<?xi64, strided<[1]>> to memref<?xi64, strided<[1]>>
// CHECK-NEXT:           scf.yield %alloc : memref<?xi64>
// CHECK-NEXT:         } else {
// CHECK-NEXT:           scf.yield %arg18 : memref<?xi64>
// CHECK-NEXT:         }
// CHECK-NEXT:         scf.yield %arg7, %2, %arg19, %arg20, %arg21 : i64, memref<?xi64>, i64, memref<?xf64>, memref<?xf64>
// CHECK-NEXT:       } else {
// CHECK-NEXT:         scf.yield %arg17, %arg18, %arg0, %arg1, %arg2 : i64, memref<?xi64>, i64, memref<?xf64>, memref<?xf64>
// CHECK-NEXT:       }
// CHECK-NEXT:       scf.yield %1#0, %1#1, %1#2, %1#3, %1#4 : i64, memref<?xi64>, i64, memref<?xf64>, memref<?xf64>
// CHECK-NEXT:     }
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
