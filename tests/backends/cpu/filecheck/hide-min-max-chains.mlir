// RUN: agir-dump %s --pass hide-min-max-chains | filecheck %s
module {
  llvm.func @sorted(%arg0: i64, %arg1: i64) -> i64 {
    %0 = llvm.intr.smin(%arg0, %arg1) : (i64, i64) -> i64
    %1 = llvm.intr.smax(%arg0, %arg1) : (i64, i64) -> i64
    %2 = llvm.intr.smin(%0, %1) : (i64, i64) -> i64
    %3 = llvm.intr.smax(%0, %1) : (i64, i64) -> i64
    %4 = llvm.intr.smin(%2, %3) : (i64, i64) -> i64
    %5 = llvm.intr.smax(%2, %3) : (i64, i64) -> i64
    %6 = llvm.intr.smin(%4, %5) : (i64, i64) -> i64
    %7 = llvm.intr.smax(%4, %5) : (i64, i64) -> i64
    %8 = llvm.intr.smin(%6, %7) : (i64, i64) -> i64
    %9 = llvm.intr.smax(%6, %7) : (i64, i64) -> i64
    %10 = llvm.intr.smin(%8, %9) : (i64, i64) -> i64
    %11 = llvm.intr.smax(%8, %9) : (i64, i64) -> i64
    %12 = llvm.intr.smin(%10, %11) : (i64, i64) -> i64
    %13 = llvm.intr.smax(%10, %11) : (i64, i64) -> i64
    %14 = llvm.add %12, %13 : i64
    llvm.return %14 : i64
  }
}
// CHECK: module {
// CHECK-NEXT:   llvm.func @sorted(%arg0: i64, %arg1: i64) -> i64 {
// CHECK-NEXT:     %0 = llvm.intr.smin(%arg0, %arg1) : (i64, i64) -> i64
// CHECK-NEXT:     %1 = llvm.intr.smax(%arg0, %arg1) : (i64, i64) -> i64
// CHECK-NEXT:     %2 = llvm.intr.smin(%0, %1) : (i64, i64) -> i64
// CHECK-NEXT:     %3 = llvm.intr.smax(%0, %1) : (i64, i64) -> i64
// CHECK-NEXT:     %4 = llvm.intr.smin(%2, %3) : (i64, i64) -> i64
// CHECK-NEXT:     %5 = llvm.intr.smax(%2, %3) : (i64, i64) -> i64
// CHECK-NEXT:     %6 = llvm.intr.smin(%4, %5) : (i64, i64) -> i64
// CHECK-NEXT:     %7 = llvm.intr.smax(%4, %5) : (i64, i64) -> i64
// CHECK-NEXT:     %8 = llvm.intr.smin(%6, %7) : (i64, i64) -> i64
// CHECK-NEXT:     %9 = llvm.intr.smax(%6, %7) : (i64, i64) -> i64
// CHECK-NEXT:     %10 = llvm.intr.smin(%8, %9) : (i64, i64) -> i64
// CHECK-NEXT:     %11 = llvm.intr.smax(%8, %9) : (i64, i64) -> i64
// CHECK-NEXT:     %12 = llvm.intr.smin(%10, %11) : (i64, i64) -> i64
// CHECK-NEXT:     %13 = llvm.inline_asm "", "=r,0" %12 : (i64) -> i64
// CHECK-NEXT:     %14 = llvm.intr.smax(%10, %11) : (i64, i64) -> i64
// CHECK-NEXT:     %15 = llvm.inline_asm "", "=r,0" %14 : (i64) -> i64
// CHECK-NEXT:     %16 = llvm.add %13, %15 : i64
// CHECK-NEXT:     llvm.return %16 : i64
// CHECK-NEXT:   }
// CHECK-NEXT: }
