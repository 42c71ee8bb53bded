// RUN: agir-dump %s --pass count-iterations | filecheck %s
module {
  func.func @stencil_with_edges(%arg0: index, %arg1: index) {
    %c1 = arith.constant 1 : index
    scf.for %arg2 = %arg1 to %arg0 step %c1 {
    }
    return
  }
}
// CHECK: module {
// CHECK-NEXT:   func.func @stencil_with_edges(%arg0: index, %arg1: index) {
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     %0 = arith.cmpi slt, %arg1, %arg0 : index
// CHECK-NEXT:     %1 = arith.subi %arg0, %arg1 : index
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %2 = arith.select %0, %1, %c0 : index
// CHECK-NEXT:     %c0_0 = arith.constant 0 : index
// CHECK-NEXT:     %3 = scf.while (%arg2 = %c0_0) : (index) -> index {
// CHECK-NEXT:       %4 = arith.cmpi ult, %arg2, %2 : index
// CHECK-NEXT:       scf.condition(%4) %arg2 : index
// CHECK-NEXT:     } do {
// CHECK-NEXT:     ^bb0(%arg2: index):
// CHECK-NEXT:       %c65536_i64 = arith.constant 65536 : i64
// CHECK-NEXT:       %4 = func.call @agir_iterations_left(%c65536_i64) : (i64) -> i64
// CHECK-NEXT:       %5 = arith.index_cast %4 : i64 to index
// CHECK-NEXT:       %6 = arith.muli %5, %c1 : index
// CHECK-NEXT:       %7 = arith.subi %2, %arg2 : index
// CHECK-NEXT:       %8 = arith.minui %7, %6 : index
// CHECK-NEXT:       %9 = arith.addi %arg1, %arg2 : index
// CHECK-NEXT:       %10 = arith.addi %9, %8 : index
// CHECK-NEXT:       %11 = arith.divui %8, %c1 : index
// CHECK-NEXT:       %12 = arith.remui %8, %c1 : index
// CHECK-NEXT:       %c1_1 = arith.constant 1 : index
// CHECK-NEXT:       %13 = arith.minui %12, %c1_1 : index
// CHECK-NEXT:       %14 = arith.addi %arg2, %8 : index
// CHECK-NEXT:       scf.for %arg3 = %9 to %10 step %c1 {
// CHECK-NEXT:       }
// CHECK-NEXT:       %15 = arith.addi %11, %13 : index
// CHECK-NEXT:       %16 = arith.index_cast %15 : index to i64
// CHECK-NEXT:       func.call @agir_iterations_done(%4, %16) : (i64, i64) -> ()
// CHECK-NEXT:       scf.yield %14 : index
// CHECK-NEXT:     }
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT:   func.func private @agir_iterations_left(i64) -> i64
// CHECK-NEXT:   func.func private @agir_iterations_done(i64, i64)
// CHECK-NEXT: }
