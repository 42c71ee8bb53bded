// RUN: agir-dump %s --pass vectorize-while-loops | filecheck %s
module {
  func.func @up_to_what_a_caller_gives(%arg0: memref<12xi64>, %arg1: i64, %arg2: i64, %arg3: i1, %arg4: i64, %arg5: index, %arg6: index) {
    %c1 = arith.constant 1 : index
    %0 = scf.for %arg7 = %arg6 to %arg5 step %c1 iter_args(%arg8 = %arg4) -> (i64) {
      %1 = scf.while (%arg9 = %arg4) : (i64) -> i64 {
        %2 = memref.load %arg0[%arg7] : memref<12xi64>
        scf.condition(%arg3) %arg9 : i64
      } do {
      ^bb0(%arg9: i64):
        scf.yield %arg2 : i64
      }
      scf.yield %arg1 : i64
    }
    return
  }
}
// CHECK: module {
// CHECK-NEXT:   func.func @up_to_what_a_caller_gives(%arg0: memref<12xi64>, %arg1: i64, %arg2: i64, %arg3: i1, %arg4: i64, %arg5: index, %arg6: index) {
// CHECK-NEXT:     %alloca = memref.alloca() {agir.scratch, alignment = 64 : i64} : memref<16xi64>
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     %c16 = arith.constant 16 : index
// CHECK-NEXT:     %0 = scf.for %arg7 = %arg6 to %arg5 step %c16 iter_args(%arg8 = %arg4) -> (i64) {
// CHECK-NEXT:       %1 = arith.subi %arg5, %arg7 : index
// CHECK-NEXT:       %c16_0 = arith.constant 16 : index
// CHECK-NEXT:       %2 = arith.minsi %1, %c16_0 : index
// CHECK-NEXT:       %c0 = arith.constant 0 : index
// CHECK-NEXT:       %c1_1 = arith.constant 1 : index
// CHECK-NEXT:       scf.for %arg9 = %c0 to %2 step %c1_1 {
// CHECK-NEXT:         %15 = arith.addi %arg9, %arg7 : index
// CHECK-NEXT:       }
// CHECK-NEXT:       %3 = vector.broadcast %arg4 : i64 to vector<16xi64>
// CHECK-NEXT:       %c0_2 = arith.constant 0 : index
// CHECK-NEXT:       %4 = vector.step : vector<16xindex>
// CHECK-NEXT:       %5 = vector.broadcast %arg7 : index to vector<16xindex>
// CHECK-NEXT:       %6 = arith.addi %4, %5 : vector<16xindex>
// CHECK-NEXT:       %7 = vector.step : vector<16xindex>
// CHECK-NEXT:       %8 = vector.broadcast %2 : index to vector<16xindex>
// CHECK-NEXT:       %9 = arith.cmpi slt, %7, %8 : vector<16xindex>
// CHECK-NEXT:       %cst = arith.constant dense<0> : vector<16xi64>
// CHECK-NEXT:       %c0_3 = arith.constant 0 : index
// CHECK-NEXT:       %10 = arith.addi %c0_3, %arg7 : index
// CHECK-NEXT:       %11 = vector.broadcast %arg3 : i1 to vector<16xi1>
// CHECK-NEXT:       %12 = vector.broadcast %arg2 : i64 to vector<16xi64>
// CHECK-NEXT:       %13:2 = scf.while (%arg9 = %3, %arg10 = %9) : (vector<16xi64>, vector<16xi1>) -> (vector<16xi64>, vector<16xi1>) {
// CHECK-NEXT:         %15 = vector.maskedload %arg0[%10], %arg10, %cst : memref<12xi64>, vector<16xi1>, vector<16xi64> into vector<16xi64>
// CHECK-NEXT:         %16 = arith.andi %arg10, %11 : vector<16xi1>
// CHECK-NEXT:         %17 = vector.reduction <or>, %16 : vector<16xi1> into i1
// CHECK-NEXT:         scf.condition(%17) %arg9, %16 : vector<16xi64>, vector<16xi1>
// CHECK-NEXT:       } do {
// CHECK-NEXT:       ^bb0(%arg9: vector<16xi64>, %arg10: vector<16xi1>):
// CHECK-NEXT:         %15 = arith.select %arg10, %12, %arg9 : vector<16xi1>, vector<16xi64>
// CHECK-NEXT:         scf.yield %15, %arg10 : vector<16xi64>, vector<16xi1>
// CHECK-NEXT:       }
// CHECK-NEXT:       vector.store %13#0, %alloca[%c0_2] : memref<16xi64>, vector<16xi64>
// CHECK-NEXT:       %c0_4 = arith.constant 0 : index
// CHECK-NEXT:       %c1_5 = arith.constant 1 : index
// CHECK-NEXT:       %14 = scf.for %arg9 = %c0_4 to %2 step %c1_5 iter_args(%arg10 = %arg8) -> (i64) {
// CHECK-NEXT:         %15 = arith.addi %arg9, %arg7 : index
// CHECK-NEXT:         scf.yield %arg1 : i64
// CHECK-NEXT:       }
// CHECK-NEXT:       scf.yield %14 : i64
// CHECK-NEXT:     }
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
