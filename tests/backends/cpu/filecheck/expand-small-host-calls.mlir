// RUN: agir-dump %s --pass expand-small-host-calls | filecheck %s
module {
  func.func private @call_0(tensor<1x1xf64> {bufferization.access = "read"}) -> i64 attributes {agir.callback = "call", agir.operation = "inv", agir.values = ["float64"], llvm.emit_c_interface}
  func.func private @fetch_0(i64) -> tensor<1x1xf64> attributes {agir.callback = "fetch", agir.dtype = "float64", agir.result = 0 : i64, agir.shape = "1x1", agir.values = ["int64"], llvm.emit_c_interface}
  func.func @inverse(%arg0: tensor<1x1xf64>) {
    %0 = call @call_0(%arg0) : (tensor<1x1xf64>) -> i64
    %1 = call @fetch_0(%0) : (i64) -> tensor<1x1xf64>
    return
  }
}
// CHECK: module {
// CHECK-NEXT:   func.func private @call_0(tensor<1x1xf64> {bufferization.access = "read"}) -> i64 attributes {agir.callback = "call", agir.operation = "inv", agir.values = ["float64"], llvm.emit_c_interface}
// CHECK-NEXT:   func.func private @fetch_0(i64) -> tensor<1x1xf64> attributes {agir.callback = "fetch", agir.dtype = "float64", agir.result = 0 : i64, agir.shape = "1x1", agir.values = ["int64"], llvm.emit_c_interface}
// CHECK-NEXT:   func.func @inverse(%arg0: tensor<1x1xf64>) {
// CHECK-NEXT:     %0:2 = call @native_call_0(%arg0) : (tensor<1x1xf64>) -> (tensor<1x1xf64>, i1)
// CHECK-NEXT:     %1 = scf.if %0#1 -> (i64) {
// CHECK-NEXT:       %c1_i64 = arith.constant 1 : i64
// CHECK-NEXT:       scf.yield %c1_i64 : i64
// CHECK-NEXT:     } else {
// CHECK-NEXT:       %2 = func.call @call_0(%arg0) : (tensor<1x1xf64>) -> i64
// CHECK-NEXT:       scf.yield %2 : i64
// CHECK-NEXT:     }
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT:   func.func private @native_call_0_eliminate(%arg0: tensor<1x1xf64>, %arg1: tensor<1x1xf64>) -> (tensor<1x1xf64>, tensor<1x1xf64>, f64, i1) {
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     %c1_0 = arith.constant 1 : index
// CHECK-NEXT:     %c1_1 = arith.constant 1 : index
// CHECK-NEXT:     %cst = arith.constant 0.000000e+00 : f64
// CHECK-NEXT:     %cst_2 = arith.constant 1.000000e+00 : f64
// CHECK-NEXT:     %cst_3 = arith.constant 0.000000e+00 : f64
// CHECK-NEXT:     %true = arith.constant true
// CHECK-NEXT:     %0:4 = scf.for %arg2 = %c0 to %c1_0 step %c1 iter_args(%arg3 = %arg0, %arg4 = %arg1, %arg5 = %cst_2, %arg6 = %true) -> (tensor<1x1xf64>, tensor<1x1xf64>, f64, i1) {
// CHECK-NEXT:       %1 = arith.addi %arg2, %c1 : index
// CHECK-NEXT:       %extracted = tensor.extract %arg3[%arg2, %arg2] : tensor<1x1xf64>
// CHECK-NEXT:       %2 = math.absf %extracted : f64
// CHECK-NEXT:       %3:2 = scf.for %arg7 = %1 to %c1_0 step %c1 iter_args(%arg8 = %2, %arg9 = %arg2) -> (f64, index) {
// CHECK-NEXT:         %extracted_5 = tensor.extract %arg3[%arg7, %arg2] : tensor<1x1xf64>
// CHECK-NEXT:         %12 = math.absf %extracted_5 : f64
// CHECK-NEXT:         %13 = arith.cmpf ogt, %12, %arg8 : f64
// CHECK-NEXT:         %14 = arith.select %13, %12, %arg8 : f64
// CHECK-NEXT:         %15 = arith.select %13, %arg7, %arg9 : index
// CHECK-NEXT:         scf.yield %14, %15 : f64, index
// CHECK-NEXT:       }
// CHECK-NEXT:       %4 = arith.cmpf une, %3#0, %cst : f64
// CHECK-NEXT:       %5 = arith.andi %arg6, %4 : i1
// CHECK-NEXT:       %6 = arith.cmpi eq, %3#1, %arg2 : index
// CHECK-NEXT:       %7 = arith.negf %arg5 : f64
// CHECK-NEXT:       %8 = arith.select %6, %arg5, %7 : f64
// CHECK-NEXT:       %9 = scf.for %arg7 = %arg2 to %c1_0 step %c1 iter_args(%arg8 = %arg3) -> (tensor<1x1xf64>) {
// CHECK-NEXT:         %extracted_5 = tensor.extract %arg8[%arg2, %arg7] : tensor<1x1xf64>
// CHECK-NEXT:         %extracted_6 = tensor.extract %arg8[%3#1, %arg7] : tensor<1x1xf64>
// CHECK-NEXT:         %inserted = tensor.insert %extracted_6 into %arg8[%arg2, %arg7] : tensor<1x1xf64>
// CHECK-NEXT:         %inserted_7 = tensor.insert %extracted_5 into %inserted[%3#1, %arg7] : tensor<1x1xf64>
// CHECK-NEXT:         scf.yield %inserted_7 : tensor<1x1xf64>
// CHECK-NEXT:       }
// CHECK-NEXT:       %10 = scf.for %arg7 = %c0 to %c1_1 step %c1 iter_args(%arg8 = %arg4) -> (tensor<1x1xf64>) {
// CHECK-NEXT:         %extracted_5 = tensor.extract %arg8[%arg2, %arg7] : tensor<1x1xf64>
// CHECK-NEXT:         %extracted_6 = tensor.extract %arg8[%3#1, %arg7] : tensor<1x1xf64>
// CHECK-NEXT:         %inserted = tensor.insert %extracted_6 into %arg8[%arg2, %arg7] : tensor<1x1xf64>
// CHECK-NEXT:         %inserted_7 = tensor.insert %extracted_5 into %inserted[%3#1, %arg7] : tensor<1x1xf64>
// CHECK-NEXT:         scf.yield %inserted_7 : tensor<1x1xf64>
// CHECK-NEXT:       }
// CHECK-NEXT:       %extracted_4 = tensor.extract %9[%arg2, %arg2] : tensor<1x1xf64>
// CHECK-NEXT:       %11:2 = scf.for %arg7 = %1 to %c1_0 step %c1 iter_args(%arg8 = %9, %arg9 = %10) -> (tensor<1x1xf64>, tensor<1x1xf64>) {
// CHECK-NEXT:         %extracted_5 = tensor.extract %arg8[%arg7, %arg2] : tensor<1x1xf64>
// CHECK-NEXT:         %12 = arith.divf %extracted_5, %extracted_4 : f64
// CHECK-NEXT:         %13 = arith.select %4, %12, %cst_3 : f64
// CHECK-NEXT:         %14 = scf.for %arg10 = %1 to %c1_0 step %c1 iter_args(%arg11 = %arg8) -> (tensor<1x1xf64>) {
// CHECK-NEXT:           %extracted_6 = tensor.extract %arg11[%arg2, %arg10] : tensor<1x1xf64>
// CHECK-NEXT:           %extracted_7 = tensor.extract %arg11[%arg7, %arg10] : tensor<1x1xf64>
// CHECK-NEXT:           %16 = arith.mulf %13, %extracted_6 : f64
// CHECK-NEXT:           %17 = arith.subf %extracted_7, %16 : f64
// CHECK-NEXT:           %inserted = tensor.insert %17 into %arg11[%arg7, %arg10] : tensor<1x1xf64>
// CHECK-NEXT:           scf.yield %inserted : tensor<1x1xf64>
// CHECK-NEXT:         }
// CHECK-NEXT:         %15 = scf.for %arg10 = %c0 to %c1_1 step %c1 iter_args(%arg11 = %arg9) -> (tensor<1x1xf64>) {
// CHECK-NEXT:           %extracted_6 = tensor.extract %arg11[%arg2, %arg10] : tensor<1x1xf64>
// CHECK-NEXT:           %extracted_7 = tensor.extract %arg11[%arg7, %arg10] : tensor<1x1xf64>
// CHECK-NEXT:           %16 = arith.mulf %13, %extracted_6 : f64
// CHECK-NEXT:           %17 = arith.subf %extracted_7, %16 : f64
// CHECK-NEXT:           %inserted = tensor.insert %17 into %arg11[%arg7, %arg10] : tensor<1x1xf64>
// CHECK-NEXT:           scf.yield %inserted : tensor<1x1xf64>
// CHECK-NEXT:         }
// CHECK-NEXT:         scf.yield %14, %15 : tensor<1x1xf64>, tensor<1x1xf64>
// CHECK-NEXT:       }
// CHECK-NEXT:       scf.yield %11#0, %11#1, %8, %5 : tensor<1x1xf64>, tensor<1x1xf64>, f64, i1
// CHECK-NEXT:     }
// CHECK-NEXT:     return %0#0, %0#1, %0#2, %0#3 : tensor<1x1xf64>, tensor<1x1xf64>, f64, i1
// CHECK-NEXT:   }
// CHECK-NEXT:   func.func private @native_call_0(%arg0: tensor<1x1xf64>) -> (tensor<1x1xf64>, i1) {
// CHECK-NEXT:     %cst = arith.constant dense<1.000000e+00> : tensor<1x1xf64>
// CHECK-NEXT:     %0:4 = call @native_call_0_eliminate(%arg0, %cst) : (tensor<1x1xf64>, tensor<1x1xf64>) -> (tensor<1x1xf64>, tensor<1x1xf64>, f64, i1)
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     %c1_0 = arith.constant 1 : index
// CHECK-NEXT:     %1 = arith.subi %c1_0, %c1 : index
// CHECK-NEXT:     %c1_1 = arith.constant 1 : index
// CHECK-NEXT:     %2 = scf.for %arg1 = %c0 to %c1_0 step %c1 iter_args(%arg2 = %0#1) -> (tensor<1x1xf64>) {
// CHECK-NEXT:       %3 = arith.subi %1, %arg1 : index
// CHECK-NEXT:       %extracted = tensor.extract %0#0[%3, %3] : tensor<1x1xf64>
// CHECK-NEXT:       %4 = scf.for %arg3 = %c0 to %c1_1 step %c1 iter_args(%arg4 = %arg2) -> (tensor<1x1xf64>) {
// CHECK-NEXT:         %extracted_2 = tensor.extract %arg4[%3, %arg3] : tensor<1x1xf64>
// CHECK-NEXT:         %6 = arith.divf %extracted_2, %extracted : f64
// CHECK-NEXT:         %inserted = tensor.insert %6 into %arg4[%3, %arg3] : tensor<1x1xf64>
// CHECK-NEXT:         scf.yield %inserted : tensor<1x1xf64>
// CHECK-NEXT:       }
// CHECK-NEXT:       %5 = scf.for %arg3 = %c0 to %3 step %c1 iter_args(%arg4 = %4) -> (tensor<1x1xf64>) {
// CHECK-NEXT:         %extracted_2 = tensor.extract %0#0[%arg3, %3] : tensor<1x1xf64>
// CHECK-NEXT:         %6 = scf.for %arg5 = %c0 to %c1_1 step %c1 iter_args(%arg6 = %arg4) -> (tensor<1x1xf64>) {
// CHECK-NEXT:           %extracted_3 = tensor.extract %arg6[%3, %arg5] : tensor<1x1xf64>
// CHECK-NEXT:           %extracted_4 = tensor.extract %arg6[%arg3, %arg5] : tensor<1x1xf64>
// CHECK-NEXT:           %7 = arith.mulf %extracted_2, %extracted_3 : f64
// CHECK-NEXT:           %8 = arith.subf %extracted_4, %7 : f64
// CHECK-NEXT:           %inserted = tensor.insert %8 into %arg6[%arg3, %arg5] : tensor<1x1xf64>
// CHECK-NEXT:           scf.yield %inserted : tensor<1x1xf64>
// CHECK-NEXT:         }
// CHECK-NEXT:         scf.yield %6 : tensor<1x1xf64>
// CHECK-NEXT:       }
// CHECK-NEXT:       scf.yield %5 : tensor<1x1xf64>
// CHECK-NEXT:     }
// CHECK-NEXT:     return %2, %0#3 : tensor<1x1xf64>, i1
// CHECK-NEXT:   }
// CHECK-NEXT: }
