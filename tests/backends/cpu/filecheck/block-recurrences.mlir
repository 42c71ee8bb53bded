// RUN: agir-dump %s --pass block-recurrences | filecheck %s
module {
  func.func @forward(%arg0: memref<8xf64>, %arg1: f64, %arg2: f64, %arg3: f64, %arg4: f64, %arg5: memref<f64>, %arg6: index) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %arg7 = %c0 to %arg6 step %c1 {
      %subview = memref.subview %arg0[0] [%arg7] [1] : memref<8xf64> to memref<?xf64, strided<[1]>>
      scf.for %arg8 = %c0 to %arg7 step %c1 {
        %2 = memref.load %subview[%arg8] : memref<?xf64, strided<[1]>>
        %3 = memref.load %arg5[] : memref<f64>
        %4 = arith.mulf %arg3, %2 fastmath<contract> : f64
        %5 = arith.addf %3, %4 fastmath<reassoc,contract> : f64
        memref.store %5, %arg5[] : memref<f64>
      }
      %0 = arith.subf %arg4, %arg2 : f64
      %1 = arith.divf %0, %arg1 : f64
      memref.store %1, %arg0[%arg7] : memref<8xf64>
    }
    return
  }
}
// CHECK: module {
// CHECK-NEXT:   func.func @forward(%arg0: memref<8xf64>, %arg1: f64, %arg2: f64, %arg3: f64, %arg4: f64, %arg5: memref<f64>, %arg6: index) {
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     %c0_0 = arith.constant 0 : index
// CHECK-NEXT:     %c4 = arith.constant 4 : index
// CHECK-NEXT:     %c1_1 = arith.constant 1 : index
// CHECK-NEXT:     %c2 = arith.constant 2 : index
// CHECK-NEXT:     %c3 = arith.constant 3 : index
// CHECK-NEXT:     %cst = arith.constant -0.000000e+00 : f64
// CHECK-NEXT:     %c0_2 = arith.constant 0 : index
// CHECK-NEXT:     %0 = arith.subi %arg6, %c0 : index
// CHECK-NEXT:     %1 = arith.maxsi %0, %c0_0 : index
// CHECK-NEXT:     %2 = arith.remui %1, %c4 : index
// CHECK-NEXT:     %3 = arith.subi %1, %2 : index
// CHECK-NEXT:     %4 = arith.addi %c0, %3 : index
// CHECK-NEXT:     scf.for %arg7 = %c0 to %4 step %c4 {
// CHECK-NEXT:       %5 = arith.maxsi %arg7, %c0_0 : index
// CHECK-NEXT:       %6 = arith.addi %arg7, %c1_1 : index
// CHECK-NEXT:       %7 = arith.addi %arg7, %c2 : index
// CHECK-NEXT:       %8 = arith.addi %arg7, %c3 : index
// CHECK-NEXT:       %subview = memref.subview %arg0[0] [%arg7] [1] : memref<8xf64> to memref<?xf64, strided<[1]>>
// CHECK-NEXT:       %subview_3 = memref.subview %arg0[0] [%6] [1] : memref<8xf64> to memref<?xf64, strided<[1]>>
// CHECK-NEXT:       %subview_4 = memref.subview %arg0[0] [%7] [1] : memref<8xf64> to memref<?xf64, strided<[1]>>
// CHECK-NEXT:       %subview_5 = memref.subview %arg0[0] [%8] [1] : memref<8xf64> to memref<?xf64, strided<[1]>>
// CHECK-NEXT:       %9:4 = scf.for %arg8 = %c0_0 to %5 step %c1_1 iter_args(%arg9 = %cst, %arg10 = %cst, %arg11 = %cst, %arg12 = %cst) -> (f64, f64, f64, f64) {
// CHECK-NEXT:         %26 = memref.load %subview[%arg8] : memref<?xf64, strided<[1]>>
// CHECK-NEXT:         %27 = arith.mulf %arg3, %26 fastmath<contract> : f64
// CHECK-NEXT:         %28 = arith.addf %arg9, %27 fastmath<reassoc,contract> : f64
// CHECK-NEXT:         %29 = memref.load %subview_3[%arg8] : memref<?xf64, strided<[1]>>
// CHECK-NEXT:         %30 = arith.mulf %arg3, %29 fastmath<contract> : f64
// CHECK-NEXT:         %31 = arith.addf %arg10, %30 fastmath<reassoc,contract> : f64
// CHECK-NEXT:         %32 = memref.load %subview_4[%arg8] : memref<?xf64, strided<[1]>>
// CHECK-NEXT:         %33 = arith.mulf %arg3, %32 fastmath<contract> : f64
// CHECK-NEXT:         %34 = arith.addf %arg11, %33 fastmath<reassoc,contract> : f64
// CHECK-NEXT:         %35 = memref.load %subview_5[%arg8] : memref<?xf64, strided<[1]>>
// CHECK-NEXT:         %36 = arith.mulf %arg3, %35 fastmath<contract> : f64
// CHECK-NEXT:         %37 = arith.addf %arg12, %36 fastmath<reassoc,contract> : f64
// CHECK-NEXT:         scf.yield %28, %31, %34, %37 : f64, f64, f64, f64
// CHECK-NEXT:       }
// CHECK-NEXT:       %subview_6 = memref.subview %arg0[0] [%arg7] [1] : memref<8xf64> to memref<?xf64, strided<[1]>>
// CHECK-NEXT:       %10 = memref.load %arg5[] : memref<f64>
// CHECK-NEXT:       %11 = arith.addf %10, %9#0 fastmath<reassoc> : f64
// CHECK-NEXT:       memref.store %11, %arg5[] : memref<f64>
// CHECK-NEXT:       scf.for %arg8 = %5 to %arg7 step %c1 {
// CHECK-NEXT:         %26 = memref.load %subview_6[%arg8] : memref<?xf64, strided<[1]>>
// CHECK-NEXT:         %27 = memref.load %arg5[] : memref<f64>
// CHECK-NEXT:         %28 = arith.mulf %arg3, %26 fastmath<contract> : f64
// CHECK-NEXT:         %29 = arith.addf %27, %28 fastmath<reassoc,contract> : f64
// CHECK-NEXT:         memref.store %29, %arg5[] : memref<f64>
// CHECK-NEXT:       }
// CHECK-NEXT:       %12 = arith.subf %arg4, %arg2 : f64
// CHECK-NEXT:       %13 = arith.divf %12, %arg1 : f64
// CHECK-NEXT:       memref.store %13, %arg0[%arg7] : memref<8xf64>
// CHECK-NEXT:       %subview_7 = memref.subview %arg0[0] [%6] [1] : memref<8xf64> to memref<?xf64, strided<[1]>>
// CHECK-NEXT:       %14 = memref.load %arg5[] : memref<f64>
// CHECK-NEXT:       %15 = arith.addf %14, %9#1 fastmath<reassoc> : f64
// CHECK-NEXT:       memref.store %15, %arg5[] : memref<f64>
// CHECK-NEXT:       scf.for %arg8 = %5 to %6 step %c1 {
// CHECK-NEXT:         %26 = memref.load %subview_7[%arg8] : memref<?xf64, strided<[1]>>
// CHECK-NEXT:         %27 = memref.load %arg5[] : memref<f64>
// CHECK-NEXT:         %28 = arith.mulf %arg3, %26 fastmath<contract> : f64
// CHECK-NEXT:         %29 = arith.addf %27, %28 fastmath<reassoc,contract> : f64
// CHECK-NEXT:         memref.store %29, %arg5[] : memref<f64>
// CHECK-NEXT:       }
// CHECK-NEXT:       %16 = arith.subf %arg4, %arg2 : f64
// CHECK-NEXT:       %17 = arith.divf %16, %arg1 : f64
// CHECK-NEXT:       memref.store %17, %arg0[%6] : memref<8xf64>
// CHECK-NEXT:       %subview_8 = memref.subview %arg0[0] [%7] [1] : memref<8xf64> to memref<?xf64, strided<[1]>>
// CHECK-NEXT:       %18 = memref.load %arg5[] : memref<f64>
// CHECK-NEXT:       %19 = arith.addf %18, %9#2 fastmath<reassoc> : f64
// CHECK-NEXT:       memref.store %19, %arg5[] : memref<f64>
// CHECK-NEXT:       scf.for %arg8 = %5 to %7 step %c1 {
// CHECK-NEXT:         %26 = memref.load %subview_8[%arg8] : memref<?xf64, strided<[1]>>
// CHECK-NEXT:         %27 = memref.load %arg5[] : memref<f64>
// CHECK-NEXT:         %28 = arith.mulf %arg3, %26 fastmath<contract> : f64
// CHECK-NEXT:         %29 = arith.addf %27, %28 fastmath<reassoc,contract> : f64
// CHECK-NEXT:         memref.store %29, %arg5[] : memref<f64>
// CHECK-NEXT:       }
// CHECK-NEXT:       %20 = arith.subf %arg4, %arg2 : f64
// CHECK-NEXT:       %21 = arith.divf %20, %arg1 : f64
// CHECK-NEXT:       memref.store %21, %arg0[%7] : memref<8xf64>
// CHECK-NEXT:       %subview_9 = memref.subview %arg0[0] [%8] [1] : memref<8xf64> to memref<?xf64, strided<[1]>>
// CHECK-NEXT:       %22 = memref.load %arg5[] : memref<f64>
// CHECK-NEXT:       %23 = arith.addf %22, %9#3 fastmath<reassoc> : f64
// CHECK-NEXT:       memref.store %23, %arg5[] : memref<f64>
// CHECK-NEXT:       scf.for %arg8 = %5 to %8 step %c1 {
// CHECK-NEXT:         %26 = memref.load %subview_9[%arg8] : memref<?xf64, strided<[1]>>
// CHECK-NEXT:         %27 = memref.load %arg5[] : memref<f64>
// CHECK-NEXT:         %28 = arith.mulf %arg3, %26 fastmath<contract> : f64
// CHECK-NEXT:         %29 = arith.addf %27, %28 fastmath<reassoc,contract> : f64
// CHECK-NEXT:         memref.store %29, %arg5[] : memref<f64>
// CHECK-NEXT:       }
// CHECK-NEXT:       %24 = arith.subf %arg4, %arg2 : f64
// CHECK-NEXT:       %25 = arith.divf %24, %arg1 : f64
// CHECK-NEXT:       memref.store %25, %arg0[%8] : memref<8xf64>
// CHECK-NEXT:     }
// CHECK-NEXT:     scf.for %arg7 = %4 to %arg6 step %c1 {
// CHECK-NEXT:       %subview = memref.subview %arg0[0] [%arg7] [1] : memref<8xf64> to memref<?xf64, strided<[1]>>
// CHECK-NEXT:       scf.for %arg8 = %c0 to %arg7 step %c1 {
// CHECK-NEXT:         %7 = memref.load %subview[%arg8] : memref<?xf64, strided<[1]>>
// CHECK-NEXT:         %8 = memref.load %arg5[] : memref<f64>
// CHECK-NEXT:         %9 = arith.mulf %arg3, %7 fastmath<contract> : f64
// CHECK-NEXT:         %10 = arith.addf %8, %9 fastmath<reassoc,contract> : f64
// CHECK-NEXT:         memref.store %10, %arg5[] : memref<f64>
// CHECK-NEXT:       }
// CHECK-NEXT:       %5 = arith.subf %arg4, %arg2 : f64
// CHECK-NEXT:       %6 = arith.divf %5, %arg1 : f64
// CHECK-NEXT:       memref.store %6, %arg0[%arg7] : memref<8xf64>
// CHECK-NEXT:     }
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
