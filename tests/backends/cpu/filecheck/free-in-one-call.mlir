// RUN: agir-dump %s --pass free-in-one-call | filecheck %s
module {
  func.func @two_lists(%one: memref<f64>, %other: memref<4xi64>, %owned: i1, %other_owned: i1, %kept: memref<?xf64>) -> i1 {
    %0 = bufferization.dealloc (%one, %other : memref<f64>, memref<4xi64>) if (%owned, %other_owned) retain (%kept : memref<?xf64>)
    return %0 : i1
  }
}
// CHECK: module {
// CHECK-NEXT:   func.func @two_lists(%arg0: memref<f64>, %arg1: memref<4xi64>, %arg2: i1, %arg3: i1, %arg4: memref<?xf64>) -> i1 {
// CHECK-NEXT:     %alloca = memref.alloca() : memref<4xi64>
// CHECK-NEXT:     %cast = memref.cast %alloca : memref<4xi64> to memref<?xi64>
// CHECK-NEXT:     %c0_i64 = arith.constant 0 : i64
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     %c2 = arith.constant 2 : index
// CHECK-NEXT:     %c3 = arith.constant 3 : index
// CHECK-NEXT:     %0 = builtin.unrealized_conversion_cast %arg0 : memref<f64> to !llvm.struct<(ptr, ptr, i64)>
// CHECK-NEXT:     %1 = llvm.extractvalue %0[0] : !llvm.struct<(ptr, ptr, i64)> 
// CHECK-NEXT:     %2 = llvm.ptrtoint %1 : !llvm.ptr to i64
// CHECK-NEXT:     %3 = arith.select %arg2, %2, %c0_i64 : i64
// CHECK-NEXT:     %4 = builtin.unrealized_conversion_cast %arg1 : memref<4xi64> to !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// CHECK-NEXT:     %5 = llvm.extractvalue %4[0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
// CHECK-NEXT:     %6 = llvm.ptrtoint %5 : !llvm.ptr to i64
// CHECK-NEXT:     %7 = arith.select %arg3, %6, %c0_i64 : i64
// CHECK-NEXT:     %8 = builtin.unrealized_conversion_cast %arg4 : memref<?xf64> to !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// CHECK-NEXT:     %9 = llvm.extractvalue %8[0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
// CHECK-NEXT:     %10 = llvm.ptrtoint %9 : !llvm.ptr to i64
// CHECK-NEXT:     memref.store %3, %cast[%c0] : memref<?xi64>
// CHECK-NEXT:     memref.store %7, %cast[%c1] : memref<?xi64>
// CHECK-NEXT:     memref.store %10, %cast[%c2] : memref<?xi64>
// CHECK-NEXT:     %c2_0 = arith.constant 2 : index
// CHECK-NEXT:     %c1_1 = arith.constant 1 : index
// CHECK-NEXT:     call @free_unless_kept(%cast, %c2_0, %c1_1) : (memref<?xi64>, index, index) -> ()
// CHECK-NEXT:     %11 = memref.load %cast[%c3] : memref<?xi64>
// CHECK-NEXT:     %12 = arith.trunci %11 : i64 to i1
// CHECK-NEXT:     return %12 : i1
// CHECK-NEXT:   }
// CHECK-NEXT:   llvm.func @free(!llvm.ptr)
// CHECK-NEXT:   func.func private @free_unless_kept(%arg0: memref<?xi64>, %arg1: index, %arg2: index) {
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     %c0_i64 = arith.constant 0 : i64
// CHECK-NEXT:     %c1_i64 = arith.constant 1 : i64
// CHECK-NEXT:     %false = arith.constant false
// CHECK-NEXT:     %0 = arith.addi %arg1, %arg2 : index
// CHECK-NEXT:     scf.for %arg3 = %arg1 to %0 step %c1 {
// CHECK-NEXT:       %1 = arith.addi %arg3, %arg2 : index
// CHECK-NEXT:       memref.store %c0_i64, %arg0[%1] : memref<?xi64>
// CHECK-NEXT:     }
// CHECK-NEXT:     scf.for %arg3 = %c0 to %arg1 step %c1 {
// CHECK-NEXT:       %1 = memref.load %arg0[%arg3] : memref<?xi64>
// CHECK-NEXT:       %2 = arith.cmpi ne, %1, %c0_i64 : i64
// CHECK-NEXT:       scf.if %2 {
// CHECK-NEXT:         %3 = scf.for %arg4 = %arg1 to %0 step %c1 iter_args(%arg5 = %false) -> (i1) {
// CHECK-NEXT:           %5 = memref.load %arg0[%arg4] : memref<?xi64>
// CHECK-NEXT:           %6 = arith.cmpi eq, %5, %1 : i64
// CHECK-NEXT:           scf.if %6 {
// CHECK-NEXT:             %8 = arith.addi %arg4, %arg2 : index
// CHECK-NEXT:             memref.store %c1_i64, %arg0[%8] : memref<?xi64>
// CHECK-NEXT:           }
// CHECK-NEXT:           %7 = arith.ori %arg5, %6 : i1
// CHECK-NEXT:           scf.yield %7 : i1
// CHECK-NEXT:         }
// CHECK-NEXT:         %4 = scf.for %arg4 = %c0 to %arg3 step %c1 iter_args(%arg5 = %3) -> (i1) {
// CHECK-NEXT:           %5 = memref.load %arg0[%arg4] : memref<?xi64>
// CHECK-NEXT:           %6 = arith.cmpi eq, %5, %1 : i64
// CHECK-NEXT:           %7 = arith.ori %arg5, %6 : i1
// CHECK-NEXT:           scf.yield %7 : i1
// CHECK-NEXT:         }
// CHECK-NEXT:         scf.if %4 {
// CHECK-NEXT:         } else {
// CHECK-NEXT:           %5 = llvm.inttoptr %1 : i64 to !llvm.ptr
// CHECK-NEXT:           llvm.call @free(%5) : (!llvm.ptr) -> ()
// CHECK-NEXT:         }
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
