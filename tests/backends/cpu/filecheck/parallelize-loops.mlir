// RUN: agir-dump %s --pass parallelize-loops | filecheck %s
module {
  func.func @f(%arg0: index, %arg1: index) {
    %c1 = arith.constant 1 : index
    scf.for %arg2 = %arg1 to %arg0 step %c1 {
    }
    return
  }
}
// CHECK: module {
// CHECK-NEXT:   func.func @f(%arg0: index, %arg1: index) {
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     %0 = arith.subi %arg0, %arg1 : index
// CHECK-NEXT:     %1 = arith.ceildivsi %0, %c1 : index
// CHECK-NEXT:     %c1_0 = arith.constant 1 : index
// CHECK-NEXT:     %2 = arith.muli %1, %c1_0 : index
// CHECK-NEXT:     %c5000000 = arith.constant 5000000 : index
// CHECK-NEXT:     %3 = arith.cmpi sge, %2, %c5000000 : index
// CHECK-NEXT:     scf.if %3 {
// CHECK-NEXT:       func.call @agir.parallel.0.run(%arg1, %arg0, %arg1, %arg0, %2) : (index, index, index, index, index) -> ()
// CHECK-NEXT:     } else {
// CHECK-NEXT:       func.call @agir.parallel.0(%arg1, %arg0, %arg1, %arg0) : (index, index, index, index) -> ()
// CHECK-NEXT:     }
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT:   func.func private @agir.parallel.0.run(index, index, index, index, index)
// CHECK-NEXT:   func.func private @agir.parallel.0(%arg0: index, %arg1: index, %arg2: index, %arg3: index) attributes {agir.step = 1 : i64} {
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     scf.for %arg4 = %arg0 to %arg1 step %c1 {
// CHECK-NEXT:     }
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
