// RUN: agir-dump %s --pass scan-recurrences | filecheck %s
module {
  func.func @running_greatest(%arg0: memref<100xi64>, %arg1: i64, %arg2: index, %arg3: index, %arg4: memref<100xi64>) {
    %c1 = arith.constant 1 : index
    %0 = scf.for %arg5 = %arg2 to %arg3 step %c1 iter_args(%arg6 = %arg1) -> (i64) {
      %1 = memref.load %arg0[%arg5] : memref<100xi64>
      %2 = arith.maxsi %arg6, %1 : i64
      memref.store %2, %arg4[%arg5] : memref<100xi64>
      scf.yield %2 : i64
    }
    return
  }
}
// CHECK: module {
// CHECK-NEXT:   func.func @running_greatest(%arg0: memref<100xi64>, %arg1: i64, %arg2: index, %arg3: index, %arg4: memref<100xi64>) {
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %c8 = arith.constant 8 : index
// CHECK-NEXT:     %cst = arith.constant dense<[0, 1, 2, 3, 4, 5, 6, 7]> : vector<8xindex>
// CHECK-NEXT:     %cst_0 = arith.constant dense<0> : vector<8xi64>
// CHECK-NEXT:     %c-1 = arith.constant -1 : index
// CHECK-NEXT:     %c0_1 = arith.constant 0 : index
// CHECK-NEXT:     %0 = arith.subi %arg3, %arg2 : index
// CHECK-NEXT:     %1 = arith.maxsi %0, %c0 : index
// CHECK-NEXT:     %2 = arith.remsi %1, %c8 : index
// CHECK-NEXT:     %3 = arith.addi %arg2, %1 : index
// CHECK-NEXT:     %4 = arith.subi %3, %2 : index
// CHECK-NEXT:     %5 = vector.broadcast %arg1 : i64 to vector<8xi64>
// CHECK-NEXT:     %6 = scf.for %arg5 = %arg2 to %4 step %c8 iter_args(%arg6 = %5) -> (vector<8xi64>) {
// CHECK-NEXT:       %24 = vector.load %arg0[%arg5] : memref<100xi64>, vector<8xi64>
// CHECK-NEXT:       %25 = vector.shuffle %24, %24 [0, 0, 1, 2, 3, 4, 5, 6] : vector<8xi64>, vector<8xi64>
// CHECK-NEXT:       %26 = arith.maxsi %24, %25 : vector<8xi64>
// CHECK-NEXT:       %27 = vector.shuffle %26, %26 [0, 0, 0, 1, 2, 3, 4, 5] : vector<8xi64>, vector<8xi64>
// CHECK-NEXT:       %28 = arith.maxsi %26, %27 : vector<8xi64>
// CHECK-NEXT:       %29 = vector.shuffle %28, %28 [0, 0, 0, 0, 0, 1, 2, 3] : vector<8xi64>, vector<8xi64>
// CHECK-NEXT:       %30 = arith.maxsi %28, %29 : vector<8xi64>
// CHECK-NEXT:       %31 = arith.maxsi %30, %arg6 : vector<8xi64>
// CHECK-NEXT:       %32 = vector.shuffle %31, %31 [7, 7, 7, 7, 7, 7, 7, 7] : vector<8xi64>, vector<8xi64>
// CHECK-NEXT:       vector.store %31, %arg4[%arg5] : memref<100xi64>, vector<8xi64>
// CHECK-NEXT:       scf.yield %32 : vector<8xi64>
// CHECK-NEXT:     }
// CHECK-NEXT:     %7 = vector.broadcast %2 : index to vector<8xindex>
// CHECK-NEXT:     %8 = arith.cmpi slt, %cst, %7 : vector<8xindex>
// CHECK-NEXT:     %9 = vector.maskedload %arg0[%4], %8, %cst_0 : memref<100xi64>, vector<8xi1>, vector<8xi64> into vector<8xi64>
// CHECK-NEXT:     %10 = vector.shuffle %9, %9 [0, 0, 1, 2, 3, 4, 5, 6] : vector<8xi64>, vector<8xi64>
// CHECK-NEXT:     %11 = arith.maxsi %9, %10 : vector<8xi64>
// CHECK-NEXT:     %12 = vector.shuffle %11, %11 [0, 0, 0, 1, 2, 3, 4, 5] : vector<8xi64>, vector<8xi64>
// CHECK-NEXT:     %13 = arith.maxsi %11, %12 : vector<8xi64>
// CHECK-NEXT:     %14 = vector.shuffle %13, %13 [0, 0, 0, 0, 0, 1, 2, 3] : vector<8xi64>, vector<8xi64>
// CHECK-NEXT:     %15 = arith.maxsi %13, %14 : vector<8xi64>
// CHECK-NEXT:     %16 = arith.maxsi %15, %6 : vector<8xi64>
// CHECK-NEXT:     %17 = vector.shuffle %16, %16 [7, 7, 7, 7, 7, 7, 7, 7] : vector<8xi64>, vector<8xi64>
// CHECK-NEXT:     vector.maskedstore %arg4[%4], %8, %16 : memref<100xi64>, vector<8xi1>, vector<8xi64>
// CHECK-NEXT:     %18 = arith.cmpi eq, %2, %c0 : index
// CHECK-NEXT:     %19 = arith.addi %2, %c-1 : index
// CHECK-NEXT:     %20 = arith.select %18, %c0, %19 : index
// CHECK-NEXT:     %21 = vector.extract %16[%20] : i64 from vector<8xi64>
// CHECK-NEXT:     %22 = vector.extract %6[0] : i64 from vector<8xi64>
// CHECK-NEXT:     %23 = arith.select %18, %22, %21 : i64
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
