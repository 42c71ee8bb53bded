// RUN: agir-dump %s --pass call-team | filecheck %s
module {
  llvm.func @agir.parallel.0.run(i64, i64, i64, !llvm.ptr, !llvm.ptr, i64, i64, i64, !llvm.ptr, !llvm.ptr, i64, i64, i64, i64) attributes {sym_visibility = "private"}
  llvm.func internal @agir.parallel.0(%arg0: i64, %arg1: i64, %arg2: i64, %arg3: !llvm.ptr, %arg4: !llvm.ptr, %arg5: i64, %arg6: i64, %arg7: i64, %arg8: !llvm.ptr, %arg9: !llvm.ptr, %arg10: i64, %arg11: i64, %arg12: i64) attributes {agir.step = 1 : i64, sym_visibility = "private"} {
    %0 = llvm.mlir.constant(1 : index) : i64
    llvm.br ^bb1(%arg0 : i64)
  ^bb1(%1: i64):  // 2 preds: ^bb0, ^bb2
    %2 = llvm.icmp "slt" %1, %arg1 : i64
    llvm.cond_br %2, ^bb2, ^bb3
  ^bb2:  // pred: ^bb1
    %3 = llvm.load %arg4 : !llvm.ptr -> f64
    %4 = llvm.load %arg9 : !llvm.ptr -> f64
    llvm.br ^bb1(%1 : i64)
  ^bb3:  // pred: ^bb1
    llvm.return
  }
}
// CHECK: module {
// CHECK-NEXT:   llvm.func internal @agir.parallel.0(%arg0: i64, %arg1: i64, %arg2: i64, %arg3: !llvm.ptr, %arg4: !llvm.ptr, %arg5: i64, %arg6: i64, %arg7: i64, %arg8: !llvm.ptr, %arg9: !llvm.ptr, %arg10: i64, %arg11: i64, %arg12: i64) attributes {agir.step = 1 : i64, no_inline, sym_visibility = "private"} {
// CHECK-NEXT:     %0 = llvm.mlir.constant(1 : index) : i64
// CHECK-NEXT:     llvm.br ^bb1(%arg0 : i64)
// CHECK-NEXT:   ^bb1(%1: i64):  // 2 preds: ^bb0, ^bb2
// CHECK-NEXT:     %2 = llvm.icmp "slt" %1, %arg1 : i64
// CHECK-NEXT:     llvm.cond_br %2, ^bb2, ^bb3
// CHECK-NEXT:   ^bb2:  // pred: ^bb1
// CHECK-NEXT:     %3 = llvm.load %arg4 : !llvm.ptr -> f64
// CHECK-NEXT:     %4 = llvm.load %arg9 : !llvm.ptr -> f64
// CHECK-NEXT:     llvm.br ^bb1(%1 : i64)
// CHECK-NEXT:   ^bb3:  // pred: ^bb1
// CHECK-NEXT:     llvm.return
// CHECK-NEXT:   }
// CHECK-NEXT:   llvm.func @agir_run_iterations(!llvm.ptr, !llvm.ptr, i64, i64, i64)
// CHECK-NEXT:   llvm.func internal @agir.parallel.0.run(%arg0: i64, %arg1: i64, %arg2: i64, %arg3: !llvm.ptr, %arg4: !llvm.ptr, %arg5: i64, %arg6: i64, %arg7: i64, %arg8: !llvm.ptr, %arg9: !llvm.ptr, %arg10: i64, %arg11: i64, %arg12: i64, %arg13: i64) attributes {no_inline} {
// CHECK-NEXT:     %0 = llvm.mlir.constant(1 : i64) : i64
// CHECK-NEXT:     %1 = llvm.mlir.constant(2 : i64) : i64
// CHECK-NEXT:     %2 = llvm.mlir.constant(1 : i64) : i64
// CHECK-NEXT:     %3 = llvm.sub %arg1, %arg0 : i64
// CHECK-NEXT:     %4 = llvm.add %3, %2 : i64
// CHECK-NEXT:     %5 = llvm.sub %4, %0 : i64
// CHECK-NEXT:     %6 = llvm.sdiv %5, %2 : i64
// CHECK-NEXT:     %7 = llvm.alloca %0 x !llvm.struct<(i64, i64, i64, ptr, ptr, i64, i64, i64, ptr, ptr, i64, i64, i64)> : (i64) -> !llvm.ptr
// CHECK-NEXT:     %8 = llvm.getelementptr %7[0, 0] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(i64, i64, i64, ptr, ptr, i64, i64, i64, ptr, ptr, i64, i64, i64)>
// CHECK-NEXT:     %9 = llvm.getelementptr %7[0, 1] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(i64, i64, i64, ptr, ptr, i64, i64, i64, ptr, ptr, i64, i64, i64)>
// CHECK-NEXT:     %10 = llvm.getelementptr %7[0, 2] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(i64, i64, i64, ptr, ptr, i64, i64, i64, ptr, ptr, i64, i64, i64)>
// CHECK-NEXT:     %11 = llvm.getelementptr %7[0, 3] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(i64, i64, i64, ptr, ptr, i64, i64, i64, ptr, ptr, i64, i64, i64)>
// CHECK-NEXT:     %12 = llvm.getelementptr %7[0, 4] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(i64, i64, i64, ptr, ptr, i64, i64, i64, ptr, ptr, i64, i64, i64)>
// CHECK-NEXT:     %13 = llvm.getelementptr %7[0, 5] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(i64, i64, i64, ptr, ptr, i64, i64, i64, ptr, ptr, i64, i64, i64)>
// CHECK-NEXT:     %14 = llvm.getelementptr %7[0, 6] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(i64, i64, i64, ptr, ptr, i64, i64, i64, ptr, ptr, i64, i64, i64)>
// CHECK-NEXT:     %15 = llvm.getelementptr %7[0, 7] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(i64, i64, i64, ptr, ptr, i64, i64, i64, ptr, ptr, i64, i64, i64)>
// CHECK-NEXT:     %16 = llvm.getelementptr %7[0, 8] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(i64, i64, i64, ptr, ptr, i64, i64, i64, ptr, ptr, i64, i64, i64)>
// CHECK-NEXT:     %17 = llvm.getelementptr %7[0, 9] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(i64, i64, i64, ptr, ptr, i64, i64, i64, ptr, ptr, i64, i64, i64)>
// CHECK-NEXT:     %18 = llvm.getelementptr %7[0, 10] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(i64, i64, i64, ptr, ptr, i64, i64, i64, ptr, ptr, i64, i64, i64)>
// CHECK-NEXT:     %19 = llvm.getelementptr %7[0, 11] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(i64, i64, i64, ptr, ptr, i64, i64, i64, ptr, ptr, i64, i64, i64)>
// CHECK-NEXT:     %20 = llvm.getelementptr %7[0, 12] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(i64, i64, i64, ptr, ptr, i64, i64, i64, ptr, ptr, i64, i64, i64)>
// CHECK-NEXT:     llvm.store %arg0, %8 : i64, !llvm.ptr
// CHECK-NEXT:     llvm.store %arg1, %9 : i64, !llvm.ptr
// CHECK-NEXT:     llvm.store %arg2, %10 : i64, !llvm.ptr
// CHECK-NEXT:     llvm.store %arg3, %11 : !llvm.ptr, !llvm.ptr
// CHECK-NEXT:     llvm.store %arg4, %12 : !llvm.ptr, !llvm.ptr
// CHECK-NEXT:     llvm.store %arg5, %13 : i64, !llvm.ptr
// CHECK-NEXT:     llvm.store %arg6, %14 : i64, !llvm.ptr
// CHECK-NEXT:     llvm.store %arg7, %15 : i64, !llvm.ptr
// CHECK-NEXT:     llvm.store %arg8, %16 : !llvm.ptr, !llvm.ptr
// CHECK-NEXT:     llvm.store %arg9, %17 : !llvm.ptr, !llvm.ptr
// CHECK-NEXT:     llvm.store %arg10, %18 : i64, !llvm.ptr
// CHECK-NEXT:     llvm.store %arg11, %19 : i64, !llvm.ptr
// CHECK-NEXT:     llvm.store %arg12, %20 : i64, !llvm.ptr
// CHECK-NEXT:     %21 = llvm.mlir.addressof @agir.parallel.0.task : !llvm.ptr
// CHECK-NEXT:     llvm.call @agir_run_iterations(%21, %7, %6, %arg13, %1) : (!llvm.ptr, !llvm.ptr, i64, i64, i64) -> ()
// CHECK-NEXT:     llvm.return
// CHECK-NEXT:   }
// CHECK-NEXT:   llvm.func internal @agir.parallel.0.task(%arg0: !llvm.ptr, %arg1: i64, %arg2: i64) {
// CHECK-NEXT:     %0 = llvm.getelementptr %arg0[0, 0] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(i64, i64, i64, ptr, ptr, i64, i64, i64, ptr, ptr, i64, i64, i64)>
// CHECK-NEXT:     %1 = llvm.getelementptr %arg0[0, 1] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(i64, i64, i64, ptr, ptr, i64, i64, i64, ptr, ptr, i64, i64, i64)>
// CHECK-NEXT:     %2 = llvm.getelementptr %arg0[0, 2] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(i64, i64, i64, ptr, ptr, i64, i64, i64, ptr, ptr, i64, i64, i64)>
// CHECK-NEXT:     %3 = llvm.getelementptr %arg0[0, 3] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(i64, i64, i64, ptr, ptr, i64, i64, i64, ptr, ptr, i64, i64, i64)>
// CHECK-NEXT:     %4 = llvm.getelementptr %arg0[0, 4] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(i64, i64, i64, ptr, ptr, i64, i64, i64, ptr, ptr, i64, i64, i64)>
// CHECK-NEXT:     %5 = llvm.getelementptr %arg0[0, 5] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(i64, i64, i64, ptr, ptr, i64, i64, i64, ptr, ptr, i64, i64, i64)>
// CHECK-NEXT:     %6 = llvm.getelementptr %arg0[0, 6] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(i64, i64, i64, ptr, ptr, i64, i64, i64, ptr, ptr, i64, i64, i64)>
// CHECK-NEXT:     %7 = llvm.getelementptr %arg0[0, 7] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(i64, i64, i64, ptr, ptr, i64, i64, i64, ptr, ptr, i64, i64, i64)>
// CHECK-NEXT:     %8 = llvm.getelementptr %arg0[0, 8] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(i64, i64, i64, ptr, ptr, i64, i64, i64, ptr, ptr, i64, i64, i64)>
// CHECK-NEXT:     %9 = llvm.getelementptr %arg0[0, 9] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(i64, i64, i64, ptr, ptr, i64, i64, i64, ptr, ptr, i64, i64, i64)>
// CHECK-NEXT:     %10 = llvm.getelementptr %arg0[0, 10] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(i64, i64, i64, ptr, ptr, i64, i64, i64, ptr, ptr, i64, i64, i64)>
// CHECK-NEXT:     %11 = llvm.getelementptr %arg0[0, 11] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(i64, i64, i64, ptr, ptr, i64, i64, i64, ptr, ptr, i64, i64, i64)>
// CHECK-NEXT:     %12 = llvm.getelementptr %arg0[0, 12] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(i64, i64, i64, ptr, ptr, i64, i64, i64, ptr, ptr, i64, i64, i64)>
// CHECK-NEXT:     %13 = llvm.load %0 : !llvm.ptr -> i64
// CHECK-NEXT:     %14 = llvm.load %1 : !llvm.ptr -> i64
// CHECK-NEXT:     %15 = llvm.load %2 : !llvm.ptr -> i64
// CHECK-NEXT:     %16 = llvm.load %3 : !llvm.ptr -> !llvm.ptr
// CHECK-NEXT:     %17 = llvm.load %4 : !llvm.ptr -> !llvm.ptr
// CHECK-NEXT:     %18 = llvm.load %5 : !llvm.ptr -> i64
// CHECK-NEXT:     %19 = llvm.load %6 : !llvm.ptr -> i64
// CHECK-NEXT:     %20 = llvm.load %7 : !llvm.ptr -> i64
// CHECK-NEXT:     %21 = llvm.load %8 : !llvm.ptr -> !llvm.ptr
// CHECK-NEXT:     %22 = llvm.load %9 : !llvm.ptr -> !llvm.ptr
// CHECK-NEXT:     %23 = llvm.load %10 : !llvm.ptr -> i64
// CHECK-NEXT:     %24 = llvm.load %11 : !llvm.ptr -> i64
// CHECK-NEXT:     %25 = llvm.load %12 : !llvm.ptr -> i64
// CHECK-NEXT:     %26 = llvm.mlir.constant(1 : i64) : i64
// CHECK-NEXT:     %27 = llvm.mul %arg1, %26 : i64
// CHECK-NEXT:     %28 = llvm.add %13, %27 : i64
// CHECK-NEXT:     %29 = llvm.mul %arg2, %26 : i64
// CHECK-NEXT:     %30 = llvm.add %13, %29 : i64
// CHECK-NEXT:     %31 = llvm.intr.smin(%30, %14) : (i64, i64) -> i64
// CHECK-NEXT:     llvm.call @agir.parallel.0(%28, %31, %15, %16, %17, %18, %19, %20, %21, %22, %23, %24, %25) : (i64, i64, i64, !llvm.ptr, !llvm.ptr, i64, i64, i64, !llvm.ptr, !llvm.ptr, i64, i64, i64) -> ()
// CHECK-NEXT:     llvm.return
// CHECK-NEXT:   }
// CHECK-NEXT: }
