// RUN: agir-dump %s --pass inline-recursion | filecheck %s
module {
  func.func private @exchange_1(%arg0: i64, %arg1: memref<3xf64>, %arg2: memref<3xf64>, %arg3: i64) -> (f64, i64, i64, i64) attributes {agir.depth_limit = 1000 : i64, agir.destinations = array<i64: 1, 2>} {
    %c0_i64 = arith.constant 0 : i64
    %c0 = arith.constant 0 : index
    %cst = arith.constant 2.000000e+00 : f64
    %c3_i64 = arith.constant 3 : i64
    %c-3074457345618258602_i64 = arith.constant -3074457345618258602 : i64
    %c3074457345618258602_i64 = arith.constant 3074457345618258602 : i64
    %c1_i64 = arith.constant 1 : i64
    %cst_0 = arith.constant 0.000000e+00 : f64
    %true = arith.constant true
    %0 = arith.cmpi eq, %arg3, %c0_i64 : i64
    %1:4 = scf.if %0 -> (f64, i64, i64, i64) {
      %2 = memref.load %arg1[%c0] : memref<3xf64>
      %3 = arith.mulf %2, %cst : f64
      %4 = memref.load %arg2[%c0] : memref<3xf64>
      %5 = arith.addf %3, %4 : f64
      scf.yield %5, %c0_i64, %c0_i64, %c0_i64 : f64, i64, i64, i64
    } else {
      %2 = arith.floordivsi %arg3, %c3_i64 : i64
      %3 = arith.muli %2, %c3_i64 : i64
      %4 = arith.subi %arg3, %3 : i64
      %5 = arith.index_cast %4 : i64 to index
      %6 = memref.load %arg1[%5] : memref<3xf64>
      %7 = arith.sitofp %arg3 : i64 to f64
      memref.store %6, %arg1[%5] : memref<3xf64>
      %8 = arith.cmpi sge, %arg3, %c-3074457345618258602_i64 : i64
      %9 = arith.cmpi sle, %arg3, %c3074457345618258602_i64 : i64
      %10 = arith.andi %8, %9 : i1
      %11 = arith.xori %10, %true : i1
      %12 = arith.extui %11 : i1 to i64
      %13 = arith.select %10, %c0_i64, %arg3 : i64
      %14 = arith.index_cast %arg3 : i64 to index
      %15 = memref.load %arg2[%14] : memref<3xf64>
      %16 = memref.load %arg1[%c0] : memref<3xf64>
      %17 = arith.subf %15, %16 : f64
      %18 = arith.addi %arg0, %c1_i64 : i64
      %19 = arith.cmpi eq, %c3_i64, %c0_i64 : i64
      %20:4 = scf.if %19 -> (f64, i64, i64, i64) {
        %21:4 = func.call @exchange_1(%18, %arg2, %arg1, %arg3) : (i64, memref<3xf64>, memref<3xf64>, i64) -> (f64, i64, i64, i64)
        scf.yield %21#0, %21#1, %21#2, %21#3 : f64, i64, i64, i64
      } else {
        scf.yield %cst_0, %c3_i64, %c0_i64, %c0_i64 : f64, i64, i64, i64
      }
      scf.yield %20#0, %20#1, %20#2, %20#3 : f64, i64, i64, i64
    }
    return %1#0, %1#1, %1#2, %1#3 : f64, i64, i64, i64
  }
}
// CHECK: module {
// CHECK-NEXT:   func.func private @exchange_1(%arg0: i64, %arg1: memref<3xf64>, %arg2: memref<3xf64>, %arg3: i64) -> (f64, i64, i64, i64) attributes {agir.depth_limit = 1000 : i64, agir.destinations = array<i64: 1, 2>} {
// CHECK-NEXT:     %c0_i64 = arith.constant 0 : i64
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %cst = arith.constant 2.000000e+00 : f64
// CHECK-NEXT:     %c3_i64 = arith.constant 3 : i64
// CHECK-NEXT:     %c-3074457345618258602_i64 = arith.constant -3074457345618258602 : i64
// CHECK-NEXT:     %c3074457345618258602_i64 = arith.constant 3074457345618258602 : i64
// CHECK-NEXT:     %c1_i64 = arith.constant 1 : i64
// CHECK-NEXT:     %cst_0 = arith.constant 0.000000e+00 : f64
// CHECK-NEXT:     %true = arith.constant true
// CHECK-NEXT:     %0 = arith.cmpi eq, %arg3, %c0_i64 : i64
// CHECK-NEXT:     %1:4 = scf.if %0 -> (f64, i64, i64, i64) {
// CHECK-NEXT:       %2 = memref.load %arg1[%c0] : memref<3xf64>
// CHECK-NEXT:       %3 = arith.mulf %2, %cst : f64
// CHECK-NEXT:       %4 = memref.load %arg2[%c0] : memref<3xf64>
// CHECK-NEXT:       %5 = arith.addf %3, %4 : f64
// CHECK-NEXT:       scf.yield %5, %c0_i64, %c0_i64, %c0_i64 : f64, i64, i64, i64
// CHECK-NEXT:     } else {
// CHECK-NEXT:       %2 = arith.floordivsi %arg3, %c3_i64 : i64
// CHECK-NEXT:       %3 = arith.muli %2, %c3_i64 : i64
// CHECK-NEXT:       %4 = arith.subi %arg3, %3 : i64
// CHECK-NEXT:       %5 = arith.index_cast %4 : i64 to index
// CHECK-NEXT:       %6 = memref.load %arg1[%5] : memref<3xf64>
// CHECK-NEXT:       %7 = arith.sitofp %arg3 : i64 to f64
// CHECK-NEXT:       memref.store %6, %arg1[%5] : memref<3xf64>
// CHECK-NEXT:       %8 = arith.cmpi sge, %arg3, %c-3074457345618258602_i64 : i64
// CHECK-NEXT:       %9 = arith.cmpi sle, %arg3, %c3074457345618258602_i64 : i64
// CHECK-NEXT:       %10 = arith.andi %8, %9 : i1
// CHECK-NEXT:       %11 = arith.xori %10, %true : i1
// CHECK-NEXT:       %12 = arith.extui %11 : i1 to i64
// CHECK-NEXT:       %13 = arith.select %10, %c0_i64, %arg3 : i64
// CHECK-NEXT:       %14 = arith.index_cast %arg3 : i64 to index
// CHECK-NEXT:       %15 = memref.load %arg2[%14] : memref<3xf64>
// CHECK-NEXT:       %16 = memref.load %arg1[%c0] : memref<3xf64>
// CHECK-NEXT:       %17 = arith.subf %15, %16 : f64
// CHECK-NEXT:       %18 = arith.addi %arg0, %c1_i64 : i64
// CHECK-NEXT:       %19 = arith.cmpi eq, %c3_i64, %c0_i64 : i64
// CHECK-NEXT:       %20:4 = scf.if %19 -> (f64, i64, i64, i64) {
// CHECK-NEXT:         %c0_i64_1 = arith.constant 0 : i64
// CHECK-NEXT:         %c0_2 = arith.constant 0 : index
// CHECK-NEXT:         %cst_3 = arith.constant 2.000000e+00 : f64
// CHECK-NEXT:         %c3_i64_4 = arith.constant 3 : i64
// CHECK-NEXT:         %c-3074457345618258602_i64_5 = arith.constant -3074457345618258602 : i64
// CHECK-NEXT:         %c3074457345618258602_i64_6 = arith.constant 3074457345618258602 : i64
// CHECK-NEXT:         %c1_i64_7 = arith.constant 1 : i64
// CHECK-NEXT:         %cst_8 = arith.constant 0.000000e+00 : f64
// CHECK-NEXT:         %true_9 = arith.constant true
// CHECK-NEXT:         %21 = arith.cmpi eq, %arg3, %c0_i64_1 : i64
// CHECK-NEXT:         %22:4 = scf.if %21 -> (f64, i64, i64, i64) {
// CHECK-NEXT:           %23 = memref.load %arg2[%c0_2] : memref<3xf64>
// CHECK-NEXT:           %24 = arith.mulf %23, %cst_3 : f64
// CHECK-NEXT:           %25 = memref.load %arg1[%c0_2] : memref<3xf64>
// CHECK-NEXT:           %26 = arith.addf %24, %25 : f64
// CHECK-NEXT:           scf.yield %26, %c0_i64_1, %c0_i64_1, %c0_i64_1 : f64, i64, i64, i64
// CHECK-NEXT:         } else {
// CHECK-NEXT:           %23 = arith.floordivsi %arg3, %c3_i64_4 : i64
// CHECK-NEXT:           %24 = arith.muli %23, %c3_i64_4 : i64
// CHECK-NEXT:           %25 = arith.subi %arg3, %24 : i64
// CHECK-NEXT:           %26 = arith.index_cast %25 : i64 to index
// CHECK-NEXT:           %27 = memref.load %arg2[%26] : memref<3xf64>
// CHECK-NEXT:           %28 = arith.sitofp %arg3 : i64 to f64
// CHECK-NEXT:           memref.store %27, %arg2[%26] : memref<3xf64>
// CHECK-NEXT:           %29 = arith.cmpi sge, %arg3, %c-3074457345618258602_i64_5 : i64
// CHECK-NEXT:           %30 = arith.cmpi sle, %arg3, %c3074457345618258602_i64_6 : i64
// CHECK-NEXT:           %31 = arith.andi %29, %30 : i1
// CHECK-NEXT:           %32 = arith.xori %31, %true_9 : i1
// CHECK-NEXT:           %33 = arith.extui %32 : i1 to i64
// CHECK-NEXT:           %34 = arith.select %31, %c0_i64_1, %arg3 : i64
// CHECK-NEXT:           %35 = arith.index_cast %arg3 : i64 to index
// CHECK-NEXT:           %36 = memref.load %arg1[%35] : memref<3xf64>
// CHECK-NEXT:           %37 = memref.load %arg2[%c0_2] : memref<3xf64>
// CHECK-NEXT:           %38 = arith.subf %36, %37 : f64
// CHECK-NEXT:           %39 = arith.addi %18, %c1_i64_7 : i64
// CHECK-NEXT:           %40 = arith.cmpi eq, %c3_i64_4, %c0_i64_1 : i64
// CHECK-NEXT:           %41:4 = scf.if %40 -> (f64, i64, i64, i64) {
// CHECK-NEXT:             %c0_i64_10 = arith.constant 0 : i64
// CHECK-NEXT:             %c0_11 = arith.constant 0 : index
// CHECK-NEXT:             %cst_12 = arith.constant 2.000000e+00 : f64
// CHECK-NEXT:             %c3_i64_13 = arith.constant 3 : i64
// CHECK-NEXT:             %c-3074457345618258602_i64_14 = arith.constant -3074457345618258602 : i64
// CHECK-NEXT:             %c3074457345618258602_i64_15 = arith.constant 3074457345618258602 : i64
// CHECK-NEXT:             %c1_i64_16 = arith.constant 1 : i64
// CHECK-NEXT:             %cst_17 = arith.constant 0.000000e+00 : f64
// CHECK-NEXT:             %true_18 = arith.constant true
// CHECK-NEXT:             %42 = arith.cmpi eq, %arg3, %c0_i64_10 : i64
// CHECK-NEXT:             %43:4 = scf.if %42 -> (f64, i64, i64, i64) {
// CHECK-NEXT:               %44 = memref.load %arg1[%c0_11] : memref<3xf64>
// CHECK-NEXT:               %45 = arith.mulf %44, %cst_12 : f64
// CHECK-NEXT:               %46 = memref.load %arg2[%c0_11] : memref<3xf64>
// CHECK-NEXT:               %47 = arith.addf %45, %46 : f64
// CHECK-NEXT:               scf.yield %47, %c0_i64_10, %c0_i64_10, %c0_i64_10 : f64, i64, i64, i64
// CHECK-NEXT:             } else {
// CHECK-NEXT:               %44 = arith.floordivsi %arg3, %c3_i64_13 : i64
// CHECK-NEXT:               %45 = arith.muli %44, %c3_i64_13 : i64
// CHECK-NEXT:               %46 = arith.subi %arg3, %45 : i64
// CHECK-NEXT:               %47 = arith.index_cast %46 : i64 to index
// CHECK-NEXT:               %48 = memref.load %arg1[%47] : memref<3xf64>
// CHECK-NEXT:               %49 = arith.sitofp %arg3 : i64 to f64
// CHECK-NEXT:               memref.store %48, %arg1[%47] : memref<3xf64>
// CHECK-NEXT:               %50 = arith.cmpi sge, %arg3, %c-3074457345618258602_i64_14 : i64
// CHECK-NEXT:               %51 = arith.cmpi sle, %arg3, %c3074457345618258602_i64_15 : i64
// CHECK-NEXT:               %52 = arith.andi %50, %51 : i1
// CHECK-NEXT:               %53 = arith.xori %52, %true_18 : i1
// CHECK-NEXT:               %54 = arith.extui %53 : i1 to i64
// CHECK-NEXT:               %55 = arith.select %52, %c0_i64_10, %arg3 : i64
// CHECK-NEXT:               %56 = arith.index_cast %arg3 : i64 to index
// CHECK-NEXT:               %57 = memref.load %arg2[%56] : memref<3xf64>
// CHECK-NEXT:               %58 = memref.load %arg1[%c0_11] : memref<3xf64>
// CHECK-NEXT:               %59 = arith.subf %57, %58 : f64
// CHECK-NEXT:               %60 = arith.addi %39, %c1_i64_16 : i64
// CHECK-NEXT:               %61 = arith.cmpi eq, %c3_i64_13, %c0_i64_10 : i64
// CHECK-NEXT:               %62:4 = scf.if %61 -> (f64, i64, i64, i64) {
// CHECK-NEXT:                 %c0_i64_19 = arith.constant 0 : i64
// CHECK-NEXT:                 %c0_20 = arith.constant 0 : index
// CHECK-NEXT:                 %cst_21 = arith.constant 2.000000e+00 : f64
// CHECK-NEXT:                 %c3_i64_22 = arith.constant 3 : i64
// CHECK-NEXT:                 %c-3074457345618258602_i64_23 = arith.constant -3074457345618258602 : i64
// CHECK-NEXT:                 %c3074457345618258602_i64_24 = arith.constant 3074457345618258602 : i64
// CHECK-NEXT:                 %c1_i64_25 = arith.constant 1 : i64
// CHECK-NEXT:                 %cst_26 = arith.constant 0.000000e+00 : f64
// CHECK-NEXT:                 %true_27 = arith.constant true
// CHECK-NEXT:                 %63 = arith.cmpi eq, %arg3, %c0_i64_19 : i64
// CHECK-NEXT:                 %64:4 = scf.if %63 -> (f64, i64, i64, i64) {
// CHECK-NEXT:                   %65 = memref.load %arg2[%c0_20] : memref<3xf64>
// CHECK-NEXT:                   %66 = arith.mulf %65, %cst_21 : f64
// CHECK-NEXT:                   %67 = memref.load %arg1[%c0_20] : memref<3xf64>
// CHECK-NEXT:                   %68 = arith.addf %66, %67 : f64
// CHECK-NEXT:                   scf.yield %68, %c0_i64_19, %c0_i64_19, %c0_i64_19 : f64, i64, i64, i64
// CHECK-NEXT:                 } else {
// CHECK-NEXT:                   %65 = arith.floordivsi %arg3, %c3_i64_22 : i64
// CHECK-NEXT:                   %66 = arith.muli %65, %c3_i64_22 : i64
// CHECK-NEXT:                   %67 = arith.subi %arg3, %66 : i64
// CHECK-NEXT:                   %68 = arith.index_cast %67 : i64 to index
// CHECK-NEXT:                   %69 = memref.load %arg2[%68] : memref<3xf64>
// CHECK-NEXT:                   %70 = arith.sitofp %arg3 : i64 to f64
// CHECK-NEXT:                   memref.store %69, %arg2[%68] : memref<3xf64>
// CHECK-NEXT:                   %71 = arith.cmpi sge, %arg3, %c-3074457345618258602_i64_23 : i64
// CHECK-NEXT:                   %72 = arith.cmpi sle, %arg3, %c3074457345618258602_i64_24 : i64
// CHECK-NEXT:                   %73 = arith.andi %71, %72 : i1
// CHECK-NEXT:                   %74 = arith.xori %73, %true_27 : i1
// CHECK-NEXT:                   %75 = arith.extui %74 : i1 to i64
// CHECK-NEXT:                   %76 = arith.select %73, %c0_i64_19, %arg3 : i64
// CHECK-NEXT:                   %77 = arith.index_cast %arg3 : i64 to index
// CHECK-NEXT:                   %78 = memref.load %arg1[%77] : memref<3xf64>
// CHECK-NEXT:                   %79 = memref.load %arg2[%c0_20] : memref<3xf64>
// CHECK-NEXT:                   %80 = arith.subf %78, %79 : f64
// CHECK-NEXT:                   %81 = arith.addi %60, %c1_i64_25 : i64
// CHECK-NEXT:                   %82 = arith.cmpi eq, %c3_i64_22, %c0_i64_19 : i64
// CHECK-NEXT:                   %83:4 = scf.if %82 -> (f64, i64, i64, i64) {
// CHECK-NEXT:                     %c0_i64_28 = arith.constant 0 : i64
// CHECK-NEXT:                     %c0_29 = arith.constant 0 : index
// CHECK-NEXT:                     %cst_30 = arith.constant 2.000000e+00 : f64
// CHECK-NEXT:                     %c3_i64_31 = arith.constant 3 : i64
// CHECK-NEXT:                     %c-3074457345618258602_i64_32 = arith.constant -3074457345618258602 : i64
// CHECK-NEXT:                     %c3074457345618258602_i64_33 = arith.constant 3074457345618258602 : i64
// CHECK-NEXT:                     %c1_i64_34 = arith.constant 1 : i64
// CHECK-NEXT:                     %cst_35 = arith.constant 0.000000e+00 : f64
// CHECK-NEXT:                     %true_36 = arith.constant true
// CHECK-NEXT:                     %84 = arith.cmpi eq, %arg3, %c0_i64_28 : i64
// CHECK-NEXT:                     %85:4 = scf.if %84 -> (f64, i64, i64, i64) {
// CHECK-NEXT:                       %86 = memref.load %arg1[%c0_29] : memref<3xf64>
// CHECK-NEXT:                       %87 = arith.mulf %86, %cst_30 : f64
// CHECK-NEXT:                       %88 = memref.load %arg2[%c0_29] : memref<3xf64>
// CHECK-NEXT:                       %89 = arith.addf %87, %88 : f64
// CHECK-NEXT:                       scf.yield %89, %c0_i64_28, %c0_i64_28, %c0_i64_28 : f64, i64, i64, i64
// CHECK-NEXT:                     } else {
// CHECK-NEXT:                       %86 = arith.floordivsi %arg3, %c3_i64_31 : i64
// CHECK-NEXT:                       %87 = arith.muli %86, %c3_i64_31 : i64
// CHECK-NEXT:                       %88 = arith.subi %arg3, %87 : i64
// CHECK-NEXT:                       %89 = arith.index_cast %88 : i64 to index
// CHECK-NEXT:                       %90 = memref.load %arg1[%89] : memref<3xf64>
// CHECK-NEXT:                       %91 = arith.sitofp %arg3 : i64 to f64
// CHECK-NEXT:                       memref.store %90, %arg1[%89] : memref<3xf64>
// CHECK-NEXT:                       %92 = arith.cmpi sge, %arg3, %c-3074457345618258602_i64_32 : i64
// CHECK-NEXT:                       %93 = arith.cmpi sle, %arg3, %c3074457345618258602_i64_33 : i64
// CHECK-NEXT:                       %94 = arith.andi %92, %93 : i1
// CHECK-NEXT:                       %95 = arith.xori %94, %true_36 : i1
// CHECK-NEXT:                       %96 = arith.extui %95 : i1 to i64
// CHECK-NEXT:                       %97 = arith.select %94, %c0_i64_28, %arg3 : i64
// CHECK-NEXT:                       %98 = arith.index_cast %arg3 : i64 to index
// CHECK-NEXT:                       %99 = memref.load %arg2[%98] : memref<3xf64>
// CHECK-NEXT:                       %100 = memref.load %arg1[%c0_29] : memref<3xf64>
// CHECK-NEXT:                       %101 = arith.subf %99, %100 : f64
// CHECK-NEXT:                       %102 = arith.addi %81, %c1_i64_34 : i64
// CHECK-NEXT:                       %103 = arith.cmpi eq, %c3_i64_31, %c0_i64_28 : i64
// CHECK-NEXT:                       %104:4 = scf.if %103 -> (f64, i64, i64, i64) {
// CHECK-NEXT:                         %c0_i64_37 = arith.constant 0 : i64
// CHECK-NEXT:                         %c0_38 = arith.constant 0 : index
// CHECK-NEXT:                         %cst_39 = arith.constant 2.000000e+00 : f64
// CHECK-NEXT:                         %c3_i64_40 = arith.constant 3 : i64
// CHECK-NEXT:                         %c-3074457345618258602_i64_41 = arith.constant -3074457345618258602 : i64
// CHECK-NEXT:                         %c3074457345618258602_i64_42 = arith.constant 3074457345618258602 : i64
// CHECK-NEXT:                         %c1_i64_43 = arith.constant 1 : i64
// CHECK-NEXT:                         %cst_44 = arith.constant 0.000000e+00 : f64
// CHECK-NEXT:                         %true_45 = arith.constant true
// CHECK-NEXT:                         %105 = arith.cmpi eq, %arg3, %c0_i64_37 : i64
// CHECK-NEXT:                         %106:4 = scf.if %105 -> (f64, i64, i64, i64) {
// CHECK-NEXT:                           %107 = memref.load %arg2[%c0_38] : memref<3xf64>
// CHECK-NEXT:                           %108 = arith.mulf %107, %cst_39 : f64
// CHECK-NEXT:                           %109 = memref.load %arg1[%c0_38] : memref<3xf64>
// CHECK-NEXT:                           %110 = arith.addf %108, %109 : f64
// CHECK-NEXT:                           scf.yield %110, %c0_i64_37, %c0_i64_37, %c0_i64_37 : f64, i64, i64, i64
// CHECK-NEXT:                         } else {
// CHECK-NEXT:                           %107 = arith.floordivsi %arg3, %c3_i64_40 : i64
// CHECK-NEXT:                           %108 = arith.muli %107, %c3_i64_40 : i64
// CHECK-NEXT:                           %109 = arith.subi %arg3, %108 : i64
// CHECK-NEXT:                           %110 = arith.index_cast %109 : i64 to index
// CHECK-NEXT:                           %111 = memref.load %arg2[%110] : memref<3xf64>
// CHECK-NEXT:                           %112 = arith.sitofp %arg3 : i64 to f64
// CHECK-NEXT:                           memref.store %111, %arg2[%110] : memref<3xf64>
// CHECK-NEXT:                           %113 = arith.cmpi sge, %arg3, %c-3074457345618258602_i64_41 : i64
// CHECK-NEXT:                           %114 = arith.cmpi sle, %arg3, %c3074457345618258602_i64_42 : i64
// CHECK-NEXT:                           %115 = arith.andi %113, %114 : i1
// CHECK-NEXT:                           %116 = arith.xori %115, %true_45 : i1
// CHECK-NEXT:                           %117 = arith.extui %116 : i1 to i64
// CHECK-NEXT:                           %118 = arith.select %115, %c0_i64_37, %arg3 : i64
// CHECK-NEXT:                           %119 = arith.index_cast %arg3 : i64 to index
// CHECK-NEXT:                           %120 = memref.load %arg1[%119] : memref<3xf64>
// CHECK-NEXT:                           %121 = memref.load %arg2[%c0_38] : memref<3xf64>
// CHECK-NEXT:                           %122 = arith.subf %120, %121 : f64
// CHECK-NEXT:                           %123 = arith.addi %102, %c1_i64_43 : i64
// CHECK-NEXT:                           %124 = arith.cmpi eq, %c3_i64_40, %c0_i64_37 : i64
// CHECK-NEXT:                           %125:4 = scf.if %124 -> (f64, i64, i64, i64) {
// CHECK-NEXT:                             %126:4 = func.call @exchange_1(%123, %arg1, %arg2, %arg3) : (i64, memref<3xf64>, memref<3xf64>, i64) -> (f64, i64, i64, i64)
// CHECK-NEXT:                             scf.yield %126#0, %126#1, %126#2, %126#3 : f64, i64, i64, i64
// CHECK-NEXT:                           } else {
// CHECK-NEXT:                             scf.yield %cst_44, %c3_i64_40, %c0_i64_37, %c0_i64_37 : f64, i64, i64, i64
// CHECK-NEXT:                           }
// CHECK-NEXT:                           scf.yield %125#0, %125#1, %125#2, %125#3 : f64, i64, i64, i64
// CHECK-NEXT:                         }
// CHECK-NEXT:                         scf.yield %106#0, %106#1, %106#2, %106#3 : f64, i64, i64, i64
// CHECK-NEXT:                       } else {
// CHECK-NEXT:                         scf.yield %cst_35, %c3_i64_31, %c0_i64_28, %c0_i64_28 : f64, i64, i64, i64
// CHECK-NEXT:                       }
// CHECK-NEXT:                       scf.yield %104#0, %104#1, %104#2, %104#3 : f64, i64, i64, i64
// CHECK-NEXT:                     }
// CHECK-NEXT:                     scf.yield %85#0, %85#1, %85#2, %85#3 : f64, i64, i64, i64
// CHECK-NEXT:                   } else {
// CHECK-NEXT:                     scf.yield %cst_26, %c3_i64_22, %c0_i64_19, %c0_i64_19 : f64, i64, i64, i64
// CHECK-NEXT:                   }
// CHECK-NEXT:                   scf.yield %83#0, %83#1, %83#2, %83#3 : f64, i64, i64, i64
// CHECK-NEXT:                 }
// CHECK-NEXT:                 scf.yield %64#0, %64#1, %64#2, %64#3 : f64, i64, i64, i64
// CHECK-NEXT:               } else {
// CHECK-NEXT:                 scf.yield %cst_17, %c3_i64_13, %c0_i64_10, %c0_i64_10 : f64, i64, i64, i64
// CHECK-NEXT:               }
// CHECK-NEXT:               scf.yield %62#0, %62#1, %62#2, %62#3 : f64, i64, i64, i64
// CHECK-NEXT:             }
// CHECK-NEXT:             scf.yield %43#0, %43#1, %43#2, %43#3 : f64, i64, i64, i64
// CHECK-NEXT:           } else {
// CHECK-NEXT:             scf.yield %cst_8, %c3_i64_4, %c0_i64_1, %c0_i64_1 : f64, i64, i64, i64
// CHECK-NEXT:           }
// CHECK-NEXT:           scf.yield %41#0, %41#1, %41#2, %41#3 : f64, i64, i64, i64
// CHECK-NEXT:         }
// CHECK-NEXT:         scf.yield %22#0, %22#1, %22#2, %22#3 : f64, i64, i64, i64
// CHECK-NEXT:       } else {
// CHECK-NEXT:         scf.yield %cst_0, %c3_i64, %c0_i64, %c0_i64 : f64, i64, i64, i64
// CHECK-NEXT:       }
// CHECK-NEXT:       scf.yield %20#0, %20#1, %20#2, %20#3 : f64, i64, i64, i64
// CHECK-NEXT:     }
// CHECK-NEXT:     return %1#0, %1#1, %1#2, %1#3 : f64, i64, i64, i64
// CHECK-NEXT:   }
// CHECK-NEXT: }
