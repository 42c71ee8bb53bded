// RUN: agir-dump %s --pass keep-entry-points-apart | filecheck %s
module {
  llvm.func @total(%arg0: !llvm.ptr, %arg1: !llvm.ptr, %arg2: i64, %arg3: i64, %arg4: i64, %arg5: i64, %arg6: i64) -> f64 attributes {agir.signature = (memref<200x200xf64>) -> f64} {
    %0 = llvm.mlir.constant(0.000000e+00 : f64) : f64
    %1 = llvm.mlir.constant(1 : index) : i64
    %2 = llvm.mlir.constant(40000 : index) : i64
    %3 = llvm.mlir.constant(0 : index) : i64
    llvm.br ^bb1(%3, %0 : i64, f64)
  ^bb1(%4: i64, %5: f64):  // 2 preds: ^bb0, ^bb2
    %6 = llvm.icmp "slt" %4, %2 : i64
    llvm.cond_br %6, ^bb2, ^bb3
  ^bb2:  // pred: ^bb1
    %7 = llvm.load %arg1 : !llvm.ptr -> f64
    llvm.br ^bb1(%4, %5 : i64, f64)
  ^bb3:  // pred: ^bb1
    llvm.return %5 : f64
  }
}
// CHECK: module {
// CHECK-NEXT:   llvm.func @total(%arg0: !llvm.ptr, %arg1: !llvm.ptr, %arg2: i64, %arg3: i64, %arg4: i64, %arg5: i64, %arg6: i64) -> f64 attributes {agir.signature = (memref<200x200xf64>) -> f64, no_inline} {
// CHECK-NEXT:     %0 = llvm.mlir.constant(0.000000e+00 : f64) : f64
// CHECK-NEXT:     %1 = llvm.mlir.constant(1 : index) : i64
// CHECK-NEXT:     %2 = llvm.mlir.constant(40000 : index) : i64
// CHECK-NEXT:     %3 = llvm.mlir.constant(0 : index) : i64
// CHECK-NEXT:     llvm.br ^bb1(%3, %0 : i64, f64)
// CHECK-NEXT:   ^bb1(%4: i64, %5: f64):  // 2 preds: ^bb0, ^bb2
// CHECK-NEXT:     %6 = llvm.icmp "slt" %4, %2 : i64
// CHECK-NEXT:     llvm.cond_br %6, ^bb2, ^bb3
// CHECK-NEXT:   ^bb2:  // pred: ^bb1
// CHECK-NEXT:     %7 = llvm.load %arg1 : !llvm.ptr -> f64
// CHECK-NEXT:     llvm.br ^bb1(%4, %5 : i64, f64)
// CHECK-NEXT:   ^bb3:  // pred: ^bb1
// CHECK-NEXT:     llvm.return %5 : f64
// CHECK-NEXT:   }
// CHECK-NEXT: }
