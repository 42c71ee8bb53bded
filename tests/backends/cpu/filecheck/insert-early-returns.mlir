// RUN: agir-dump %s --pass insert-early-returns | filecheck %s
module {
  llvm.func @malloc(i64) -> !llvm.ptr
  llvm.func @assigned(%arg0: !llvm.ptr, %arg1: !llvm.ptr, %arg2: i64, %arg3: i64, %arg4: i64, %arg5: !llvm.ptr, %arg6: !llvm.ptr, %arg7: i64, %arg8: i64, %arg9: i64, %arg10: !llvm.ptr, %arg11: !llvm.ptr, %arg12: i64, %arg13: i64, %arg14: i64) -> !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> {
    %0 = llvm.mlir.poison : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
    %1 = llvm.mlir.constant(0 : index) : i64
    %2 = llvm.mlir.constant(1 : index) : i64
    %3 = llvm.mlir.zero : !llvm.ptr
    %4 = llvm.ptrtoint %3 : !llvm.ptr to i64
    %5 = llvm.call @malloc(%4) : (i64) -> !llvm.ptr
    llvm.return %0 : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
  }
}
// CHECK: module {
// CHECK-NEXT:   llvm.func @malloc(i64) -> !llvm.ptr
// CHECK-NEXT:   llvm.func @assigned(%arg0: !llvm.ptr, %arg1: !llvm.ptr, %arg2: i64, %arg3: i64, %arg4: i64, %arg5: !llvm.ptr, %arg6: !llvm.ptr, %arg7: i64, %arg8: i64, %arg9: i64, %arg10: !llvm.ptr, %arg11: !llvm.ptr, %arg12: i64, %arg13: i64, %arg14: i64) -> !llvm.struct<(struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>, i64, i64, i64)> {
// CHECK-NEXT:     %0 = llvm.mlir.poison : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// CHECK-NEXT:     %1 = llvm.mlir.constant(0 : index) : i64
// CHECK-NEXT:     %2 = llvm.mlir.constant(1 : index) : i64
// CHECK-NEXT:     %3 = llvm.mlir.zero : !llvm.ptr
// CHECK-NEXT:     %4 = llvm.ptrtoint %3 : !llvm.ptr to i64
// CHECK-NEXT:     %5 = llvm.sitofp %4 : i64 to f64
// CHECK-NEXT:     %6 = llvm.mlir.constant(0x42D0000000000000 : f64) : f64
// CHECK-NEXT:     %7 = llvm.fcmp "ogt" %5, %6 : f64
// CHECK-NEXT:     %8 = llvm.mlir.constant(4611686018427387904 : i64) : i64
// CHECK-NEXT:     %9 = llvm.select %7, %8, %4 : i1, i64
// CHECK-NEXT:     %10 = llvm.call @malloc(%9) : (i64) -> !llvm.ptr
// CHECK-NEXT:     %11 = llvm.mlir.zero : !llvm.ptr
// CHECK-NEXT:     %12 = llvm.icmp "eq" %10, %11 : !llvm.ptr
// CHECK-NEXT:     %13 = llvm.bitcast %5 : f64 to i64
// CHECK-NEXT:     %14 = llvm.mlir.constant(1 : i64) : i64
// CHECK-NEXT:     %15 = llvm.mlir.constant(0 : i64) : i64
// CHECK-NEXT:     llvm.cond_br %12, ^bb2(%14, %13, %15 : i64, i64, i64), ^bb1 {agir.left_at = 0 : i64}
// CHECK-NEXT:   ^bb1:  // pred: ^bb0
// CHECK-NEXT:     %16 = llvm.mlir.zero : !llvm.struct<(struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>, i64, i64, i64)>
// CHECK-NEXT:     %17 = llvm.insertvalue %0, %16[0] : !llvm.struct<(struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>, i64, i64, i64)> 
// CHECK-NEXT:     llvm.return %17 : !llvm.struct<(struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>, i64, i64, i64)>
// CHECK-NEXT:   ^bb2(%18: i64, %19: i64, %20: i64):  // pred: ^bb0
// CHECK-NEXT:     %21 = llvm.mlir.zero : !llvm.struct<(struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>, i64, i64, i64)>
// CHECK-NEXT:     %22 = llvm.insertvalue %18, %21[1] : !llvm.struct<(struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>, i64, i64, i64)> 
// CHECK-NEXT:     %23 = llvm.insertvalue %19, %22[2] : !llvm.struct<(struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>, i64, i64, i64)> 
// CHECK-NEXT:     %24 = llvm.insertvalue %20, %23[3] : !llvm.struct<(struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>, i64, i64, i64)> 
// CHECK-NEXT:     llvm.return %24 : !llvm.struct<(struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>, i64, i64, i64)>
// CHECK-NEXT:   }
// CHECK-NEXT: }
