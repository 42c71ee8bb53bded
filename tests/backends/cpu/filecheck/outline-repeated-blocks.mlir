// RUN: agir-dump %s --pass outline-repeated-blocks | filecheck %s
module {
  func.func @grad_total(%arg0: tensor<8xf64>) {
    %cst = arith.constant dense<1.000000e-01> : tensor<8xf64>
    %c-1 = arith.constant -1 : index
    %cst_0 = arith.constant dense<2.000000e+00> : tensor<8xf64>
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    %c1 = arith.constant 1 : index
    %0 = tensor.empty() : tensor<8xf64>
    %1 = arith.mulf %arg0, %cst : tensor<8xf64>
    %2 = scf.for %arg1 = %c0 to %c8 step %c1 iter_args(%arg2 = %arg0) -> (tensor<8xf64>) {
      %25 = arith.subi %arg1, %c-1 : index
      %26 = arith.remsi %25, %c8 : index
      %27 = arith.cmpi slt, %26, %c0 : index
      %28 = arith.addi %26, %c8 : index
      %29 = arith.select %27, %28, %26 : index
      %extracted = tensor.extract %1[%arg1] : tensor<8xf64>
      %extracted_1 = tensor.extract %arg2[%29] : tensor<8xf64>
      %30 = arith.addf %extracted_1, %extracted : f64
      %inserted = tensor.insert %30 into %arg2[%29] : tensor<8xf64>
      scf.yield %inserted : tensor<8xf64>
    }
    %3 = arith.negf %1 : tensor<8xf64>
    %4 = arith.mulf %3, %cst_0 : tensor<8xf64>
    %5 = arith.addf %2, %4 : tensor<8xf64>
    %6 = scf.for %arg1 = %c0 to %c8 step %c1 iter_args(%arg2 = %5) -> (tensor<8xf64>) {
      %25 = arith.subi %arg1, %c1 : index
      %26 = arith.remsi %25, %c8 : index
      %27 = arith.cmpi slt, %26, %c0 : index
      %28 = arith.addi %26, %c8 : index
      %29 = arith.select %27, %28, %26 : index
      %extracted = tensor.extract %1[%arg1] : tensor<8xf64>
      %extracted_1 = tensor.extract %arg2[%29] : tensor<8xf64>
      %30 = arith.addf %extracted_1, %extracted : f64
      %inserted = tensor.insert %30 into %arg2[%29] : tensor<8xf64>
      scf.yield %inserted : tensor<8xf64>
    }
    %7 = arith.mulf %6, %cst : tensor<8xf64>
    %8 = scf.for %arg1 = %c0 to %c8 step %c1 iter_args(%arg2 = %6) -> (tensor<8xf64>) {
      %25 = arith.subi %arg1, %c-1 : index
      %26 = arith.remsi %25, %c8 : index
      %27 = arith.cmpi slt, %26, %c0 : index
      %28 = arith.addi %26, %c8 : index
      %29 = arith.select %27, %28, %26 : index
      %extracted = tensor.extract %7[%arg1] : tensor<8xf64>
      %extracted_1 = tensor.extract %arg2[%29] : tensor<8xf64>
      %30 = arith.addf %extracted_1, %extracted : f64
      %inserted = tensor.insert %30 into %arg2[%29] : tensor<8xf64>
      scf.yield %inserted : tensor<8xf64>
    }
    %9 = arith.negf %7 : tensor<8xf64>
    %10 = arith.mulf %9, %cst_0 : tensor<8xf64>
    %11 = arith.addf %8, %10 : tensor<8xf64>
    %12 = scf.for %arg1 = %c0 to %c8 step %c1 iter_args(%arg2 = %11) -> (tensor<8xf64>) {
      %25 = arith.subi %arg1, %c1 : index
      %26 = arith.remsi %25, %c8 : index
      %27 = arith.cmpi slt, %26, %c0 : index
      %28 = arith.addi %26, %c8 : index
      %29 = arith.select %27, %28, %26 : index
      %extracted = tensor.extract %7[%arg1] : tensor<8xf64>
      %extracted_1 = tensor.extract %arg2[%29] : tensor<8xf64>
      %30 = arith.addf %extracted_1, %extracted : f64
      %inserted = tensor.insert %30 into %arg2[%29] : tensor<8xf64>
      scf.yield %inserted : tensor<8xf64>
    }
    %13 = arith.mulf %12, %cst : tensor<8xf64>
    %14 = scf.for %arg1 = %c0 to %c8 step %c1 iter_args(%arg2 = %12) -> (tensor<8xf64>) {
      %25 = arith.subi %arg1, %c-1 : index
      %26 = arith.remsi %25, %c8 : index
      %27 = arith.cmpi slt, %26, %c0 : index
      %28 = arith.addi %26, %c8 : index
      %29 = arith.select %27, %28, %26 : index
      %extracted = tensor.extract %13[%arg1] : tensor<8xf64>
      %extracted_1 = tensor.extract %arg2[%29] : tensor<8xf64>
      %30 = arith.addf %extracted_1, %extracted : f64
      %inserted = tensor.insert %30 into %arg2[%29] : tensor<8xf64>
      scf.yield %inserted : tensor<8xf64>
    }
    %15 = arith.negf %13 : tensor<8xf64>
    %16 = arith.mulf %15, %cst_0 : tensor<8xf64>
    %17 = arith.addf %14, %16 : tensor<8xf64>
    %18 = scf.for %arg1 = %c0 to %c8 step %c1 iter_args(%arg2 = %17) -> (tensor<8xf64>) {
      %25 = arith.subi %arg1, %c1 : index
      %26 = arith.remsi %25, %c8 : index
      %27 = arith.cmpi slt, %26, %c0 : index
      %28 = arith.addi %26, %c8 : index
      %29 = arith.select %27, %28, %26 : index
      %extracted = tensor.extract %13[%arg1] : tensor<8xf64>
      %extracted_1 = tensor.extract %arg2[%29] : tensor<8xf64>
      %30 = arith.addf %extracted_1, %extracted : f64
      %inserted = tensor.insert %30 into %arg2[%29] : tensor<8xf64>
      scf.yield %inserted : tensor<8xf64>
    }
    %19 = arith.mulf %18, %cst : tensor<8xf64>
    %20 = scf.for %arg1 = %c0 to %c8 step %c1 iter_args(%arg2 = %18) -> (tensor<8xf64>) {
      %25 = arith.subi %arg1, %c-1 : index
      %26 = arith.remsi %25, %c8 : index
      %27 = arith.cmpi slt, %26, %c0 : index
      %28 = arith.addi %26, %c8 : index
      %29 = arith.select %27, %28, %26 : index
      %extracted = tensor.extract %19[%arg1] : tensor<8xf64>
      %extracted_1 = tensor.extract %arg2[%29] : tensor<8xf64>
      %30 = arith.addf %extracted_1, %extracted : f64
      %inserted = tensor.insert %30 into %arg2[%29] : tensor<8xf64>
      scf.yield %inserted : tensor<8xf64>
    }
    %21 = arith.negf %19 : tensor<8xf64>
    %22 = arith.mulf %21, %cst_0 : tensor<8xf64>
    %23 = arith.addf %20, %22 : tensor<8xf64>
    %24 = scf.for %arg1 = %c0 to %c8 step %c1 iter_args(%arg2 = %23) -> (tensor<8xf64>) {
      %25 = arith.subi %arg1, %c1 : index
      %26 = arith.remsi %25, %c8 : index
      %27 = arith.cmpi slt, %26, %c0 : index
      %28 = arith.addi %26, %c8 : index
      %29 = arith.select %27, %28, %26 : index
      %extracted = tensor.extract %19[%arg1] : tensor<8xf64>
      %extracted_1 = tensor.extract %arg2[%29] : tensor<8xf64>
      %30 = arith.addf %extracted_1, %extracted : f64
      %inserted = tensor.insert %30 into %arg2[%29] : tensor<8xf64>
      scf.yield %inserted : tensor<8xf64>
    }
    return
  }
}
// CHECK: module {
// CHECK-NEXT:   func.func @grad_total(%arg0: tensor<8xf64>) {
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %c4 = arith.constant 4 : index
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     %0 = scf.for %arg1 = %c0 to %c4 step %c1 iter_args(%arg2 = %arg0) -> (tensor<8xf64>) {
// CHECK-NEXT:       %cst = arith.constant dense<1.000000e-01> : tensor<8xf64>
// CHECK-NEXT:       %1 = arith.mulf %arg2, %cst : tensor<8xf64>
// CHECK-NEXT:       %c0_0 = arith.constant 0 : index
// CHECK-NEXT:       %c8 = arith.constant 8 : index
// CHECK-NEXT:       %c1_1 = arith.constant 1 : index
// CHECK-NEXT:       %c-1 = arith.constant -1 : index
// CHECK-NEXT:       %2 = scf.for %arg3 = %c0_0 to %c8 step %c1_1 iter_args(%arg4 = %arg2) -> (tensor<8xf64>) {
// CHECK-NEXT:         %7 = arith.subi %arg3, %c-1 : index
// CHECK-NEXT:         %8 = arith.remsi %7, %c8 : index
// CHECK-NEXT:         %9 = arith.cmpi slt, %8, %c0_0 : index
// CHECK-NEXT:         %10 = arith.addi %8, %c8 : index
// CHECK-NEXT:         %11 = arith.select %9, %10, %8 : index
// CHECK-NEXT:         %extracted = tensor.extract %1[%arg3] : tensor<8xf64>
// CHECK-NEXT:         %extracted_3 = tensor.extract %arg4[%11] : tensor<8xf64>
// CHECK-NEXT:         %12 = arith.addf %extracted_3, %extracted : f64
// CHECK-NEXT:         %inserted = tensor.insert %12 into %arg4[%11] : tensor<8xf64>
// CHECK-NEXT:         scf.yield %inserted : tensor<8xf64>
// CHECK-NEXT:       }
// CHECK-NEXT:       %3 = arith.negf %1 : tensor<8xf64>
// CHECK-NEXT:       %cst_2 = arith.constant dense<2.000000e+00> : tensor<8xf64>
// CHECK-NEXT:       %4 = arith.mulf %3, %cst_2 : tensor<8xf64>
// CHECK-NEXT:       %5 = arith.addf %2, %4 : tensor<8xf64>
// CHECK-NEXT:       %6 = scf.for %arg3 = %c0_0 to %c8 step %c1_1 iter_args(%arg4 = %5) -> (tensor<8xf64>) {
// CHECK-NEXT:         %7 = arith.subi %arg3, %c1_1 : index
// CHECK-NEXT:         %8 = arith.remsi %7, %c8 : index
// CHECK-NEXT:         %9 = arith.cmpi slt, %8, %c0_0 : index
// CHECK-NEXT:         %10 = arith.addi %8, %c8 : index
// CHECK-NEXT:         %11 = arith.select %9, %10, %8 : index
// CHECK-NEXT:         %extracted = tensor.extract %1[%arg3] : tensor<8xf64>
// CHECK-NEXT:         %extracted_3 = tensor.extract %arg4[%11] : tensor<8xf64>
// CHECK-NEXT:         %12 = arith.addf %extracted_3, %extracted : f64
// CHECK-NEXT:         %inserted = tensor.insert %12 into %arg4[%11] : tensor<8xf64>
// CHECK-NEXT:         scf.yield %inserted : tensor<8xf64>
// CHECK-NEXT:       }
// CHECK-NEXT:       scf.yield %6 : tensor<8xf64>
// CHECK-NEXT:     }
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
