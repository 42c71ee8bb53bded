// RUN: agir-dump %s --pass reassociate-min-max | filecheck %s
module {
  func.func @by_branches(%arg0: f32, %arg1: f32, %arg2: f32, %arg3: index, %arg4: index, %arg5: index) {
    %0:2 = scf.for %arg6 = %arg4 to %arg3 step %arg5 iter_args(%arg7 = %arg0, %arg8 = %arg1) -> (f32, f32) {
      %1 = arith.cmpf olt, %arg2, %arg7 : f32
      %2 = arith.select %1, %arg2, %arg7 : f32
      %3 = arith.cmpf ogt, %arg2, %arg8 : f32
      %4 = arith.select %3, %arg2, %arg8 : f32
      scf.yield %2, %4 : f32, f32
    }
    return
  }
}
// CHECK: module {
// CHECK-NEXT:   func.func @by_branches(%arg0: f32, %arg1: f32, %arg2: f32, %arg3: index, %arg4: index, %arg5: index) {
// CHECK-NEXT:     %c2147483647_i32 = arith.constant 2147483647 : i32
// CHECK-NEXT:     %0 = arith.bitcast %arg0 : f32 to i32
// CHECK-NEXT:     %c31_i32 = arith.constant 31 : i32
// CHECK-NEXT:     %1 = arith.shrsi %0, %c31_i32 : i32
// CHECK-NEXT:     %c2147483647_i32_0 = arith.constant 2147483647 : i32
// CHECK-NEXT:     %2 = arith.andi %1, %c2147483647_i32_0 : i32
// CHECK-NEXT:     %3 = arith.xori %0, %2 : i32
// CHECK-NEXT:     %4 = arith.cmpf uno, %arg0, %arg0 : f32
// CHECK-NEXT:     %5 = arith.select %4, %c2147483647_i32, %3 : i32
// CHECK-NEXT:     %c-2147483648_i32 = arith.constant -2147483648 : i32
// CHECK-NEXT:     %6 = arith.bitcast %arg1 : f32 to i32
// CHECK-NEXT:     %c31_i32_1 = arith.constant 31 : i32
// CHECK-NEXT:     %7 = arith.shrsi %6, %c31_i32_1 : i32
// CHECK-NEXT:     %c2147483647_i32_2 = arith.constant 2147483647 : i32
// CHECK-NEXT:     %8 = arith.andi %7, %c2147483647_i32_2 : i32
// CHECK-NEXT:     %9 = arith.xori %6, %8 : i32
// CHECK-NEXT:     %10 = arith.cmpf uno, %arg1, %arg1 : f32
// CHECK-NEXT:     %11 = arith.select %10, %c-2147483648_i32, %9 : i32
// CHECK-NEXT:     %12:2 = scf.for %arg6 = %arg4 to %arg3 step %arg5 iter_args(%arg7 = %5, %arg8 = %11) -> (i32, i32) {
// CHECK-NEXT:       %c2147483647_i32_7 = arith.constant 2147483647 : i32
// CHECK-NEXT:       %25 = arith.bitcast %arg2 : f32 to i32
// CHECK-NEXT:       %c31_i32_8 = arith.constant 31 : i32
// CHECK-NEXT:       %26 = arith.shrsi %25, %c31_i32_8 : i32
// CHECK-NEXT:       %c2147483647_i32_9 = arith.constant 2147483647 : i32
// CHECK-NEXT:       %27 = arith.andi %26, %c2147483647_i32_9 : i32
// CHECK-NEXT:       %28 = arith.xori %25, %27 : i32
// CHECK-NEXT:       %29 = arith.cmpf uno, %arg2, %arg2 : f32
// CHECK-NEXT:       %30 = arith.select %29, %c2147483647_i32_7, %28 : i32
// CHECK-NEXT:       %31 = arith.minsi %arg7, %30 : i32
// CHECK-NEXT:       %c-2147483648_i32_10 = arith.constant -2147483648 : i32
// CHECK-NEXT:       %32 = arith.bitcast %arg2 : f32 to i32
// CHECK-NEXT:       %c31_i32_11 = arith.constant 31 : i32
// CHECK-NEXT:       %33 = arith.shrsi %32, %c31_i32_11 : i32
// CHECK-NEXT:       %c2147483647_i32_12 = arith.constant 2147483647 : i32
// CHECK-NEXT:       %34 = arith.andi %33, %c2147483647_i32_12 : i32
// CHECK-NEXT:       %35 = arith.xori %32, %34 : i32
// CHECK-NEXT:       %36 = arith.cmpf uno, %arg2, %arg2 : f32
// CHECK-NEXT:       %37 = arith.select %36, %c-2147483648_i32_10, %35 : i32
// CHECK-NEXT:       %38 = arith.maxsi %arg8, %37 : i32
// CHECK-NEXT:       scf.yield %31, %38 : i32, i32
// CHECK-NEXT:     }
// CHECK-NEXT:     %c31_i32_3 = arith.constant 31 : i32
// CHECK-NEXT:     %13 = arith.shrsi %12#1, %c31_i32_3 : i32
// CHECK-NEXT:     %c2147483647_i32_4 = arith.constant 2147483647 : i32
// CHECK-NEXT:     %14 = arith.andi %13, %c2147483647_i32_4 : i32
// CHECK-NEXT:     %15 = arith.xori %12#1, %14 : i32
// CHECK-NEXT:     %16 = arith.bitcast %15 : i32 to f32
// CHECK-NEXT:     %17 = arith.cmpf uno, %arg1, %arg1 : f32
// CHECK-NEXT:     %18 = arith.select %17, %arg1, %16 : f32
// CHECK-NEXT:     %c31_i32_5 = arith.constant 31 : i32
// CHECK-NEXT:     %19 = arith.shrsi %12#0, %c31_i32_5 : i32
// CHECK-NEXT:     %c2147483647_i32_6 = arith.constant 2147483647 : i32
// CHECK-NEXT:     %20 = arith.andi %19, %c2147483647_i32_6 : i32
// CHECK-NEXT:     %21 = arith.xori %12#0, %20 : i32
// CHECK-NEXT:     %22 = arith.bitcast %21 : i32 to f32
// CHECK-NEXT:     %23 = arith.cmpf uno, %arg0, %arg0 : f32
// CHECK-NEXT:     %24 = arith.select %23, %arg0, %22 : f32
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
