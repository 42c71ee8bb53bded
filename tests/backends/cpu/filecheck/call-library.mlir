// RUN: agir-dump %s --pass call-library | filecheck %s
module {
  func.func @f(%arg0: i1, %arg1: f64, %arg2: index, %arg3: index, %arg4: index, %arg5: i1, %arg6: index) {
    %0 = scf.for %arg7 = %arg3 to %arg2 step %arg4 iter_args(%arg8 = %arg5) -> (i1) {
      scf.for %arg9 = %arg3 to %arg6 step %arg4 {
        %1 = math.tanh %arg1 : f64
      }
      scf.yield %arg0 : i1
    }
    return
  }
}
// CHECK: module {
// CHECK-NEXT:   func.func @f(%arg0: i1, %arg1: f64, %arg2: index, %arg3: index, %arg4: index, %arg5: i1, %arg6: index) {
// CHECK-NEXT:     %0 = scf.for %arg7 = %arg3 to %arg2 step %arg4 iter_args(%arg8 = %arg5) -> (i1) {
// CHECK-NEXT:       scf.for %arg9 = %arg3 to %arg6 step %arg4 {
// CHECK-NEXT:         %1 = func.call @agir.tanh_f64(%arg1) {always_inline} : (f64) -> f64
// CHECK-NEXT:       }
// CHECK-NEXT:       scf.yield %arg0 : i1
// CHECK-NEXT:     }
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT:   func.func private @agir.times_power_f64_2(%arg0: vector<2xf64>, %arg1: vector<2xf64>, %arg2: vector<2xf64>, %arg3: i8, %arg4: i32) -> vector<2xf64> attributes {llvm.linkage = #llvm.linkage<linkonce_odr>, llvm.memory_effects = #llvm.memory_effects<other = none, argMem = none, inaccessibleMem = none, errnoMem = none, targetMem0 = none, targetMem1 = none>, llvm.no_inline, llvm.no_unwind, llvm.passthrough = ["no_caller_saved_registers"], llvm.will_return} {
// CHECK-NEXT:     %c-1_i8 = arith.constant -1 : i8
// CHECK-NEXT:     %c-1_i16 = arith.constant -1 : i16
// CHECK-NEXT:     %c4_i32 = arith.constant 4 : i32
// CHECK-NEXT:     %0 = llvm.call_intrinsic "llvm.x86.avx512.mask.scalef.pd.128"(%arg0, %arg1, %arg0, %c-1_i8) : (vector<2xf64>, vector<2xf64>, vector<2xf64>, i8) -> vector<2xf64>
// CHECK-NEXT:     return %0 : vector<2xf64>
// CHECK-NEXT:   }
// CHECK-NEXT:   func.func private @agir.times_power_f64_4(%arg0: vector<4xf64>, %arg1: vector<4xf64>, %arg2: vector<4xf64>, %arg3: i8, %arg4: i32) -> vector<4xf64> attributes {llvm.linkage = #llvm.linkage<linkonce_odr>, llvm.memory_effects = #llvm.memory_effects<other = none, argMem = none, inaccessibleMem = none, errnoMem = none, targetMem0 = none, targetMem1 = none>, llvm.no_inline, llvm.no_unwind, llvm.passthrough = ["no_caller_saved_registers"], llvm.will_return} {
// CHECK-NEXT:     %c-1_i8 = arith.constant -1 : i8
// CHECK-NEXT:     %c-1_i16 = arith.constant -1 : i16
// CHECK-NEXT:     %c4_i32 = arith.constant 4 : i32
// CHECK-NEXT:     %0 = llvm.call_intrinsic "llvm.x86.avx512.mask.scalef.pd.256"(%arg0, %arg1, %arg0, %c-1_i8) : (vector<4xf64>, vector<4xf64>, vector<4xf64>, i8) -> vector<4xf64>
// CHECK-NEXT:     return %0 : vector<4xf64>
// CHECK-NEXT:   }
// CHECK-NEXT:   func.func private @agir.times_power_f64(%arg0: f64, %arg1: f64, %arg2: f64, %arg3: i8, %arg4: i32) -> f64 attributes {llvm.linkage = #llvm.linkage<linkonce_odr>, llvm.memory_effects = #llvm.memory_effects<other = none, argMem = none, inaccessibleMem = none, errnoMem = none, targetMem0 = none, targetMem1 = none>, llvm.no_inline, llvm.no_unwind, llvm.passthrough = ["nosync", "nofree", ["vector-function-abi-variant", "_ZGV_LLVM_N2vvvuu_agir.times_power_f64(agir.times_power_f64_2),_ZGV_LLVM_N4vvvuu_agir.times_power_f64(agir.times_power_f64_4),_ZGV_LLVM_N8vvvuu_agir.times_power_f64(llvm.x86.avx512.mask.scalef.pd.512)"{{\]\]}}, llvm.will_return} {
// CHECK-NEXT:     %c-1_i8 = arith.constant -1 : i8
// CHECK-NEXT:     %c-1_i16 = arith.constant -1 : i16
// CHECK-NEXT:     %c4_i32 = arith.constant 4 : i32
// CHECK-NEXT:     %c0_i64 = arith.constant 0 : i64
// CHECK-NEXT:     %0 = arith.cmpi eq, %arg4, %c4_i32 : i32
// CHECK-NEXT:     %1 = scf.if %0 -> (f64) {
// CHECK-NEXT:       %2 = llvm.mlir.poison : vector<2xf64>
// CHECK-NEXT:       %3 = llvm.insertelement %arg0, %2[%c0_i64 : i64] : vector<2xf64>
// CHECK-NEXT:       %4 = llvm.insertelement %arg1, %2[%c0_i64 : i64] : vector<2xf64>
// CHECK-NEXT:       %5 = llvm.call_intrinsic "llvm.x86.avx512.mask.scalef.pd.128"(%3, %4, %3, %c-1_i8) : (vector<2xf64>, vector<2xf64>, vector<2xf64>, i8) -> vector<2xf64>
// CHECK-NEXT:       %6 = llvm.extractelement %5[%c0_i64 : i64] : vector<2xf64>
// CHECK-NEXT:       scf.yield %6 : f64
// CHECK-NEXT:     } else {
// CHECK-NEXT:       %2 = llvm.mlir.poison : vector<4xf64>
// CHECK-NEXT:       %3 = llvm.insertelement %arg0, %2[%c0_i64 : i64] : vector<4xf64>
// CHECK-NEXT:       %4 = llvm.insertelement %arg1, %2[%c0_i64 : i64] : vector<4xf64>
// CHECK-NEXT:       %5 = llvm.call_intrinsic "llvm.x86.avx512.mask.scalef.pd.256"(%3, %4, %3, %c-1_i8) : (vector<4xf64>, vector<4xf64>, vector<4xf64>, i8) -> vector<4xf64>
// CHECK-NEXT:       %6 = llvm.extractelement %5[%c0_i64 : i64] : vector<4xf64>
// CHECK-NEXT:       %7 = llvm.mlir.poison : vector<8xf64>
// CHECK-NEXT:       %8 = llvm.insertelement %arg0, %7[%c0_i64 : i64] : vector<8xf64>
// CHECK-NEXT:       %9 = llvm.insertelement %arg1, %7[%c0_i64 : i64] : vector<8xf64>
// CHECK-NEXT:       %10 = llvm.call_intrinsic "llvm.x86.avx512.mask.scalef.pd.512"(%8, %9, %8, %c-1_i8, %c4_i32) : (vector<8xf64>, vector<8xf64>, vector<8xf64>, i8, i32) -> vector<8xf64>
// CHECK-NEXT:       %11 = llvm.extractelement %10[%c0_i64 : i64] : vector<8xf64>
// CHECK-NEXT:       %12 = arith.addf %6, %11 : f64
// CHECK-NEXT:       scf.yield %12 : f64
// CHECK-NEXT:     }
// CHECK-NEXT:     return %1 : f64
// CHECK-NEXT:   }
// CHECK-NEXT:   func.func private @agir.tanh_f64(%arg0: f64) -> f64 attributes {llvm.linkage = #llvm.linkage<internal>, llvm.memory_effects = #llvm.memory_effects<other = none, argMem = none, inaccessibleMem = none, errnoMem = none, targetMem0 = none, targetMem1 = none>, llvm.no_unwind, llvm.will_return} {
// CHECK-NEXT:     %cst = arith.constant 2.000000e+01 : f64
// CHECK-NEXT:     %cst_0 = arith.constant 1.4426950408889634 : f64
// CHECK-NEXT:     %cst_1 = arith.constant 0x4338000000000000 : f64
// CHECK-NEXT:     %c4843621399236968448_i64 = arith.constant 4843621399236968448 : i64
// CHECK-NEXT:     %cst_2 = arith.constant -0.69314718055994529 : f64
// CHECK-NEXT:     %cst_3 = arith.constant -2.3190468138462996E-17 : f64
// CHECK-NEXT:     %cst_4 = arith.constant 1.000000e+00 : f64
// CHECK-NEXT:     %c-1_i8 = arith.constant -1 : i8
// CHECK-NEXT:     %c4_i32 = arith.constant 4 : i32
// CHECK-NEXT:     %cst_5 = arith.constant 5.000000e-01 : f64
// CHECK-NEXT:     %cst_6 = arith.constant 0.16666666666666677 : f64
// CHECK-NEXT:     %cst_7 = arith.constant 0.041666666666666699 : f64
// CHECK-NEXT:     %cst_8 = arith.constant 0.0083333333333214364 : f64
// CHECK-NEXT:     %cst_9 = arith.constant 0.0013888888888866472 : f64
// CHECK-NEXT:     %cst_10 = arith.constant 1.9841269886671206E-4 : f64
// CHECK-NEXT:     %cst_11 = arith.constant 2.4801587361326472E-5 : f64
// CHECK-NEXT:     %cst_12 = arith.constant 2.755724361152894E-6 : f64
// CHECK-NEXT:     %cst_13 = arith.constant 2.7557242092769358E-7 : f64
// CHECK-NEXT:     %cst_14 = arith.constant 2.5109260928588638E-8 : f64
// CHECK-NEXT:     %cst_15 = arith.constant 2.0924648225829298E-9 : f64
// CHECK-NEXT:     %cst_16 = arith.constant 2.000000e+00 : f64
// CHECK-NEXT:     %0 = math.absf %arg0 : f64
// CHECK-NEXT:     %1 = arith.cmpf ogt, %0, %cst : f64
// CHECK-NEXT:     %2 = arith.select %1, %cst, %0 : f64
// CHECK-NEXT:     %3 = arith.addf %2, %2 : f64
// CHECK-NEXT:     %4 = math.fma %3, %cst_0, %cst_1 : f64
// CHECK-NEXT:     %5 = arith.bitcast %4 : f64 to i64
// CHECK-NEXT:     %6 = arith.subi %5, %c4843621399236968448_i64 : i64
// CHECK-NEXT:     %7 = arith.subf %4, %cst_1 : f64
// CHECK-NEXT:     %8 = math.fma %7, %cst_2, %3 : f64
// CHECK-NEXT:     %9 = math.fma %7, %cst_3, %8 : f64
// CHECK-NEXT:     %10 = arith.subf %8, %9 : f64
// CHECK-NEXT:     %11 = math.fma %7, %cst_3, %10 : f64
// CHECK-NEXT:     %12 = call @agir.times_power_f64(%cst_4, %7, %cst_4, %c-1_i8, %c4_i32) : (f64, f64, f64, i8, i32) -> f64
// CHECK-NEXT:     %13 = math.fma %cst_7, %9, %cst_6 : f64
// CHECK-NEXT:     %14 = math.fma %cst_9, %9, %cst_8 : f64
// CHECK-NEXT:     %15 = math.fma %cst_11, %9, %cst_10 : f64
// CHECK-NEXT:     %16 = math.fma %cst_13, %9, %cst_12 : f64
// CHECK-NEXT:     %17 = math.fma %cst_15, %9, %cst_14 : f64
// CHECK-NEXT:     %18 = arith.mulf %9, %9 : f64
// CHECK-NEXT:     %19 = math.fma %14, %18, %13 : f64
// CHECK-NEXT:     %20 = math.fma %16, %18, %15 : f64
// CHECK-NEXT:     %21 = arith.mulf %18, %18 : f64
// CHECK-NEXT:     %22 = math.fma %20, %21, %19 : f64
// CHECK-NEXT:     %23 = arith.mulf %21, %21 : f64
// CHECK-NEXT:     %24 = math.fma %17, %23, %22 : f64
// CHECK-NEXT:     %25 = math.fma %24, %9, %cst_5 : f64
// CHECK-NEXT:     %26 = arith.mulf %9, %9 : f64
// CHECK-NEXT:     %27 = math.fma %26, %25, %11 : f64
// CHECK-NEXT:     %28 = arith.addf %9, %27 : f64
// CHECK-NEXT:     %29 = arith.subf %12, %cst_4 : f64
// CHECK-NEXT:     %30 = math.fma %12, %28, %29 : f64
// CHECK-NEXT:     %31 = arith.addf %30, %cst_16 : f64
// CHECK-NEXT:     %32 = arith.subf %31, %cst_16 : f64
// CHECK-NEXT:     %33 = arith.subf %30, %32 : f64
// CHECK-NEXT:     %34 = arith.divf %cst_4, %31 : f64
// CHECK-NEXT:     %35 = arith.mulf %30, %34 : f64
// CHECK-NEXT:     %36 = arith.negf %35 : f64
// CHECK-NEXT:     %37 = arith.negf %35 : f64
// CHECK-NEXT:     %38 = math.fma %37, %31, %30 : f64
// CHECK-NEXT:     %39 = math.fma %36, %33, %38 : f64
// CHECK-NEXT:     %40 = math.fma %39, %34, %35 : f64
// CHECK-NEXT:     %41 = math.copysign %40, %arg0 : f64
// CHECK-NEXT:     return %41 : f64
// CHECK-NEXT:   }
// CHECK-NEXT: }
