// RUN: agir-dump %s --pass mark-branches | filecheck %s
#loop_unroll = #llvm.loop_unroll<disable = true>
#loop_annotation = #llvm.loop_annotation<unroll = #loop_unroll>
module {
  llvm.func @lambda_(%arg0: !llvm.ptr, %arg1: !llvm.ptr, %arg2: i64, %arg3: i64, %arg4: i64, %arg5: !llvm.ptr, %arg6: !llvm.ptr, %arg7: i64, %arg8: i64, %arg9: i64) -> f32 {
    %0 = llvm.mlir.poison : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
    %1 = llvm.mlir.poison : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
    %2 = llvm.mlir.constant(1 : index) : i64
    %3 = llvm.mlir.constant(41 : index) : i64
    %4 = llvm.mlir.constant(0 : index) : i64
    %5 = llvm.mlir.constant(0.000000e+00 : f32) : f32
    %6 = llvm.mlir.constant(1 : index) : i64
    %7 = llvm.alloca %6 x f32 {alignment = 64 : i64} : (i64) -> !llvm.ptr
    %8 = llvm.mlir.poison : !llvm.struct<(ptr, ptr, i64)>
    %9 = llvm.mlir.constant(0 : index) : i64
    %10 = llvm.extractvalue %8[1] : !llvm.struct<(ptr, ptr, i64)> 
    llvm.br ^bb1(%4 : i64)
  ^bb1(%11: i64):  // 2 preds: ^bb0, ^bb2
    %12 = llvm.icmp "slt" %11, %3 : i64
    llvm.cond_br %12, ^bb2, ^bb3
  ^bb2:  // pred: ^bb1
    %13 = llvm.extractvalue %1[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
    %14 = llvm.load %13 : !llvm.ptr -> f32
    %15 = llvm.extractvalue %0[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
    %16 = llvm.load %15 : !llvm.ptr -> f32
    %17 = llvm.extractvalue %8[1] : !llvm.struct<(ptr, ptr, i64)> 
    %18 = llvm.load %17 : !llvm.ptr -> f32
    %19 = llvm.extractvalue %8[1] : !llvm.struct<(ptr, ptr, i64)> 
    llvm.br ^bb1(%11 : i64) {llvm.loop_annotation = #loop_annotation}
  ^bb3:  // pred: ^bb1
    %20 = llvm.extractvalue %8[1] : !llvm.struct<(ptr, ptr, i64)> 
    %21 = llvm.load %20 : !llvm.ptr -> f32
    llvm.return %21 : f32
  }
}
// CHECK: #loop_unroll = #llvm.loop_unroll<disable = true>
// CHECK-NEXT: #loop_annotation = #llvm.loop_annotation<unroll = #loop_unroll>
// CHECK-NEXT: module {
// CHECK-NEXT:   llvm.func @lambda_(%arg0: !llvm.ptr, %arg1: !llvm.ptr, %arg2: i64, %arg3: i64, %arg4: i64, %arg5: !llvm.ptr, %arg6: !llvm.ptr, %arg7: i64, %arg8: i64, %arg9: i64) -> f32 {
// CHECK-NEXT:     %0 = llvm.mlir.poison : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// CHECK-NEXT:     %1 = llvm.mlir.poison : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// CHECK-NEXT:     %2 = llvm.mlir.constant(1 : index) : i64
// CHECK-NEXT:     %3 = llvm.mlir.constant(41 : index) : i64
// CHECK-NEXT:     %4 = llvm.mlir.constant(0 : index) : i64
// CHECK-NEXT:     %5 = llvm.mlir.constant(0.000000e+00 : f32) : f32
// CHECK-NEXT:     %6 = llvm.mlir.constant(1 : index) : i64
// CHECK-NEXT:     %7 = llvm.alloca %6 x f32 {alignment = 64 : i64} : (i64) -> !llvm.ptr
// CHECK-NEXT:     %8 = llvm.mlir.poison : !llvm.struct<(ptr, ptr, i64)>
// CHECK-NEXT:     %9 = llvm.mlir.constant(0 : index) : i64
// CHECK-NEXT:     %10 = llvm.extractvalue %8[1] : !llvm.struct<(ptr, ptr, i64)> 
// CHECK-NEXT:     llvm.br ^bb1(%4 : i64)
// CHECK-NEXT:   ^bb1(%11: i64):  // 2 preds: ^bb0, ^bb2
// CHECK-NEXT:     %12 = llvm.icmp "slt" %11, %3 : i64
// CHECK-NEXT:     llvm.cond_br %12, ^bb2, ^bb3
// CHECK-NEXT:   ^bb2:  // pred: ^bb1
// CHECK-NEXT:     %13 = llvm.extractvalue %1[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
// CHECK-NEXT:     %14 = llvm.load %13 : !llvm.ptr -> f32
// CHECK-NEXT:     %15 = llvm.extractvalue %0[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
// CHECK-NEXT:     %16 = llvm.load %15 : !llvm.ptr -> f32
// CHECK-NEXT:     %17 = llvm.extractvalue %8[1] : !llvm.struct<(ptr, ptr, i64)> 
// CHECK-NEXT:     %18 = llvm.load %17 : !llvm.ptr -> f32
// CHECK-NEXT:     %19 = llvm.extractvalue %8[1] : !llvm.struct<(ptr, ptr, i64)> 
// CHECK-NEXT:     llvm.br ^bb1(%11 : i64) {loop_annotation = #loop_annotation}
// CHECK-NEXT:   ^bb3:  // pred: ^bb1
// CHECK-NEXT:     %20 = llvm.extractvalue %8[1] : !llvm.struct<(ptr, ptr, i64)> 
// CHECK-NEXT:     %21 = llvm.load %20 : !llvm.ptr -> f32
// CHECK-NEXT:     llvm.return %21 : f32
// CHECK-NEXT:   }
// CHECK-NEXT: }
