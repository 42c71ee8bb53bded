// RUN: agir-dump %s --pass compare-without-signs | filecheck %s
module {
  func.func @item(%list: memref<?xi64>, %index: index, %length: index) -> i64 {
    %zero = arith.constant 0 : index
    %none = arith.constant 0 : i64
    %negative = arith.cmpi slt, %index, %zero : index
    %from_end = arith.addi %index, %length : index
    %place = arith.select %negative, %from_end, %index : index
    %low = arith.cmpi sge, %place, %zero : index
    %high = arith.cmpi slt, %place, %length : index
    %inside = arith.andi %low, %high {agir.inside} : i1
    %found = scf.if %inside -> (i64) {
      %item = memref.load %list[%place] : memref<?xi64>
      scf.yield %item : i64
    } else {
      scf.yield %none : i64
    }
    return %found : i64
  }
  func.func @not_of_a_list(%place: index, %end: index) -> i1 {
    %zero = arith.constant 0 : index
    %low = arith.cmpi sge, %place, %zero : index
    %high = arith.cmpi slt, %place, %end : index
    %inside = arith.andi %low, %high : i1
    return %inside : i1
  }
}
// CHECK: module {
// CHECK-NEXT:   func.func @item(%arg0: memref<?xi64>, %arg1: index, %arg2: index) -> i64 {
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %c0_i64 = arith.constant 0 : i64
// CHECK-NEXT:     %0 = arith.cmpi slt, %arg1, %c0 : index
// CHECK-NEXT:     %1 = arith.addi %arg1, %arg2 : index
// CHECK-NEXT:     %2 = arith.select %0, %1, %arg1 : index
// CHECK-NEXT:     %3 = arith.cmpi sge, %2, %c0 : index
// CHECK-NEXT:     %4 = arith.cmpi slt, %2, %arg2 : index
// CHECK-NEXT:     %5 = arith.cmpi ult, %2, %arg2 : index
// CHECK-NEXT:     %6 = scf.if %5 -> (i64) {
// CHECK-NEXT:       %7 = memref.load %arg0[%2] : memref<?xi64>
// CHECK-NEXT:       scf.yield %7 : i64
// CHECK-NEXT:     } else {
// CHECK-NEXT:       scf.yield %c0_i64 : i64
// CHECK-NEXT:     }
// CHECK-NEXT:     return %6 : i64
// CHECK-NEXT:   }
// CHECK-NEXT:   func.func @not_of_a_list(%arg0: index, %arg1: index) -> i1 {
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %0 = arith.cmpi sge, %arg0, %c0 : index
// CHECK-NEXT:     %1 = arith.cmpi slt, %arg0, %arg1 : index
// CHECK-NEXT:     %2 = arith.andi %0, %1 : i1
// CHECK-NEXT:     return %2 : i1
// CHECK-NEXT:   }
// CHECK-NEXT: }
