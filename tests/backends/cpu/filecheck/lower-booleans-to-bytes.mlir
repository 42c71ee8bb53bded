// RUN: agir-dump %s --pass lower-booleans-to-bytes | filecheck %s
module {
  llvm.mlir.global private constant @__constant_xi8(0 : i8) {addr_space = 0 : i32, alignment = 64 : i64} : i8
  llvm.func @count(%arg0: !llvm.ptr, %arg1: !llvm.ptr, %arg2: i64, %arg3: i64, %arg4: i64) -> !llvm.struct<(i8, i8)> {
    %0 = llvm.mlir.poison : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
    %1 = llvm.mlir.constant(0 : index) : i64
    %2 = llvm.mlir.constant(0 : i64) : i64
    %3 = llvm.mlir.constant(0 : i8) : i8
    %4 = llvm.mlir.constant(1 : index) : i64
    %5 = llvm.alloca %4 x i8 {alignment = 64 : i64} : (i64) -> !llvm.ptr
    %6 = llvm.mlir.poison : !llvm.struct<(ptr, ptr, i64)>
    %7 = llvm.mlir.constant(0 : index) : i64
    %8 = llvm.mlir.constant(1 : index) : i64
    %9 = llvm.alloca %8 x i8 {alignment = 64 : i64} : (i64) -> !llvm.ptr
    %10 = llvm.mlir.poison : !llvm.struct<(ptr, ptr, i64)>
    %11 = llvm.mlir.constant(0 : index) : i64
    %12 = llvm.mlir.constant(1 : index) : i64
    %13 = llvm.mlir.zero : !llvm.ptr
    %14 = llvm.ptrtoint %13 : !llvm.ptr to i64
    %15 = llvm.mlir.addressof @__constant_xi8 : !llvm.ptr
    %16 = llvm.mlir.constant(3735928559 : index) : i64
    %17 = llvm.inttoptr %16 : i64 to !llvm.ptr
    %18 = llvm.mlir.poison : !llvm.struct<(ptr, ptr, i64)>
    %19 = llvm.mlir.constant(0 : index) : i64
    %20 = llvm.extractvalue %10[1] : !llvm.struct<(ptr, ptr, i64)> 
    %21 = llvm.mlir.constant(1 : index) : i64
    %22 = llvm.mlir.zero : !llvm.ptr
    %23 = llvm.ptrtoint %22 : !llvm.ptr to i64
    %24 = llvm.extractvalue %18[1] : !llvm.struct<(ptr, ptr, i64)> 
    %25 = llvm.extractvalue %18[2] : !llvm.struct<(ptr, ptr, i64)> 
    %26 = llvm.extractvalue %6[1] : !llvm.struct<(ptr, ptr, i64)> 
    %27 = llvm.extractvalue %6[2] : !llvm.struct<(ptr, ptr, i64)> 
    %28 = llvm.extractvalue %0[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
    %29 = llvm.load %28 : !llvm.ptr -> i1
    %30 = llvm.extractvalue %6[1] : !llvm.struct<(ptr, ptr, i64)> 
    %31 = llvm.load %30 : !llvm.ptr -> i8
    %32 = llvm.extractvalue %10[1] : !llvm.struct<(ptr, ptr, i64)> 
    %33 = llvm.load %32 : !llvm.ptr -> i8
    %34 = llvm.zext %29 : i1 to i8
    %35 = llvm.zext %29 : i1 to i64
    %36 = llvm.icmp "sgt" %35, %2 : i64
    %37 = llvm.zext %36 : i1 to i8
    %38 = llvm.extractvalue %6[1] : !llvm.struct<(ptr, ptr, i64)> 
    %39 = llvm.extractvalue %10[1] : !llvm.struct<(ptr, ptr, i64)> 
    %40 = llvm.extractvalue %6[1] : !llvm.struct<(ptr, ptr, i64)> 
    %41 = llvm.load %40 : !llvm.ptr -> i8
    %42 = llvm.extractvalue %10[1] : !llvm.struct<(ptr, ptr, i64)> 
    %43 = llvm.load %42 : !llvm.ptr -> i8
    %44 = llvm.mlir.poison : !llvm.struct<(i8, i8)>
    llvm.return %44 : !llvm.struct<(i8, i8)>
  }
}
// CHECK: module {
// CHECK-NEXT:   llvm.mlir.global private constant @__constant_xi8(0 : i8) {addr_space = 0 : i32, alignment = 64 : i64} : i8
// CHECK-NEXT:   llvm.func @count(%arg0: !llvm.ptr, %arg1: !llvm.ptr, %arg2: i64, %arg3: i64, %arg4: i64) -> !llvm.struct<(i8, i8)> {
// CHECK-NEXT:     %0 = llvm.mlir.poison : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// CHECK-NEXT:     %1 = llvm.mlir.constant(0 : index) : i64
// CHECK-NEXT:     %2 = llvm.mlir.constant(0 : i64) : i64
// CHECK-NEXT:     %3 = llvm.mlir.constant(0 : i8) : i8
// CHECK-NEXT:     %4 = llvm.mlir.constant(1 : index) : i64
// CHECK-NEXT:     %5 = llvm.alloca %4 x i8 {alignment = 64 : i64} : (i64) -> !llvm.ptr
// CHECK-NEXT:     %6 = llvm.mlir.poison : !llvm.struct<(ptr, ptr, i64)>
// CHECK-NEXT:     %7 = llvm.mlir.constant(0 : index) : i64
// CHECK-NEXT:     %8 = llvm.mlir.constant(1 : index) : i64
// CHECK-NEXT:     %9 = llvm.alloca %8 x i8 {alignment = 64 : i64} : (i64) -> !llvm.ptr
// CHECK-NEXT:     %10 = llvm.mlir.poison : !llvm.struct<(ptr, ptr, i64)>
// CHECK-NEXT:     %11 = llvm.mlir.constant(0 : index) : i64
// CHECK-NEXT:     %12 = llvm.mlir.constant(1 : index) : i64
// CHECK-NEXT:     %13 = llvm.mlir.zero : !llvm.ptr
// CHECK-NEXT:     %14 = llvm.ptrtoint %13 : !llvm.ptr to i64
// CHECK-NEXT:     %15 = llvm.mlir.addressof @__constant_xi8 : !llvm.ptr
// CHECK-NEXT:     %16 = llvm.mlir.constant(3735928559 : index) : i64
// CHECK-NEXT:     %17 = llvm.inttoptr %16 : i64 to !llvm.ptr
// CHECK-NEXT:     %18 = llvm.mlir.poison : !llvm.struct<(ptr, ptr, i64)>
// CHECK-NEXT:     %19 = llvm.mlir.constant(0 : index) : i64
// CHECK-NEXT:     %20 = llvm.extractvalue %10[1] : !llvm.struct<(ptr, ptr, i64)> 
// CHECK-NEXT:     %21 = llvm.mlir.constant(1 : index) : i64
// CHECK-NEXT:     %22 = llvm.mlir.zero : !llvm.ptr
// CHECK-NEXT:     %23 = llvm.ptrtoint %22 : !llvm.ptr to i64
// CHECK-NEXT:     %24 = llvm.extractvalue %18[1] : !llvm.struct<(ptr, ptr, i64)> 
// CHECK-NEXT:     %25 = llvm.extractvalue %18[2] : !llvm.struct<(ptr, ptr, i64)> 
// CHECK-NEXT:     %26 = llvm.extractvalue %6[1] : !llvm.struct<(ptr, ptr, i64)> 
// CHECK-NEXT:     %27 = llvm.extractvalue %6[2] : !llvm.struct<(ptr, ptr, i64)> 
// CHECK-NEXT:     %28 = llvm.extractvalue %0[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
// CHECK-NEXT:     %29 = llvm.load %28 : !llvm.ptr -> i8
// CHECK-NEXT:     %30 = llvm.mlir.constant(0 : i8) : i8
// CHECK-NEXT:     %31 = llvm.icmp "ne" %29, %30 : i8
// CHECK-NEXT:     %32 = llvm.extractvalue %6[1] : !llvm.struct<(ptr, ptr, i64)> 
// CHECK-NEXT:     %33 = llvm.load %32 : !llvm.ptr -> i8
// CHECK-NEXT:     %34 = llvm.extractvalue %10[1] : !llvm.struct<(ptr, ptr, i64)> 
// CHECK-NEXT:     %35 = llvm.load %34 : !llvm.ptr -> i8
// CHECK-NEXT:     %36 = llvm.zext %31 : i1 to i8
// CHECK-NEXT:     %37 = llvm.zext %31 : i1 to i64
// CHECK-NEXT:     %38 = llvm.icmp "sgt" %37, %2 : i64
// CHECK-NEXT:     %39 = llvm.zext %38 : i1 to i8
// CHECK-NEXT:     %40 = llvm.extractvalue %6[1] : !llvm.struct<(ptr, ptr, i64)> 
// CHECK-NEXT:     %41 = llvm.extractvalue %10[1] : !llvm.struct<(ptr, ptr, i64)> 
// CHECK-NEXT:     %42 = llvm.extractvalue %6[1] : !llvm.struct<(ptr, ptr, i64)> 
// CHECK-NEXT:     %43 = llvm.load %42 : !llvm.ptr -> i8
// CHECK-NEXT:     %44 = llvm.extractvalue %10[1] : !llvm.struct<(ptr, ptr, i64)> 
// CHECK-NEXT:     %45 = llvm.load %44 : !llvm.ptr -> i8
// CHECK-NEXT:     %46 = llvm.mlir.poison : !llvm.struct<(i8, i8)>
// CHECK-NEXT:     llvm.return %46 : !llvm.struct<(i8, i8)>
// CHECK-NEXT:   }
// CHECK-NEXT: }
