// RUN: agir-dump %s --pass pass-buffers | filecheck %s
module {
  func.func private @given_by_a_function_that_calls_itself_1(%arg0: i64, %arg1: i64, %arg2: i64) -> (tensor<?x?xf64>, i64, i64, i64) attributes {agir.depth_limit = 1000 : i64} {
    %c3_i64 = arith.constant 3 : i64
    %c2_i64 = arith.constant 2 : i64
    %c0_i64 = arith.constant 0 : i64
    %0 = arith.cmpi sle, %arg2, %c0_i64 : i64
    %1:4 = scf.if %0 -> (tensor<?x?xf64>, i64, i64, i64) {
      %2 = arith.index_cast %arg1 : i64 to index
      %3 = tensor.empty(%2, %2) : tensor<?x?xf64>
      scf.yield %3, %c2_i64, %arg1, %c0_i64 : tensor<?x?xf64>, i64, i64, i64
    } else {
      %2 = arith.cmpi eq, %c3_i64, %c0_i64 : i64
      %3:4 = scf.if %2 -> (tensor<?x?xf64>, i64, i64, i64) {
        %4:4 = func.call @given_by_a_function_that_calls_itself_1(%arg0, %arg1, %arg2) : (i64, i64, i64) -> (tensor<?x?xf64>, i64, i64, i64)
        scf.yield %4#0, %4#1, %4#2, %4#3 : tensor<?x?xf64>, i64, i64, i64
      } else {
        %4 = tensor.empty() : tensor<0x0xf64>
        %cast = tensor.cast %4 : tensor<0x0xf64> to tensor<?x?xf64>
        scf.yield %cast, %c3_i64, %c0_i64, %c0_i64 : tensor<?x?xf64>, i64, i64, i64
      }
      scf.yield %3#0, %3#1, %3#2, %3#3 : tensor<?x?xf64>, i64, i64, i64
    }
    return %1#0, %1#1, %1#2, %1#3 : tensor<?x?xf64>, i64, i64, i64
  }
}
// CHECK: module {
// CHECK-NEXT:   func.func private @given_by_a_function_that_calls_itself_1(%arg0: i64, %arg1: i64, %arg2: i64) -> (memref<?x?xf64>, i64, i64, i64) attributes {agir.depth_limit = 1000 : i64} {
// CHECK-NEXT:     %c3_i64 = arith.constant 3 : i64
// CHECK-NEXT:     %c2_i64 = arith.constant 2 : i64
// CHECK-NEXT:     %c0_i64 = arith.constant 0 : i64
// CHECK-NEXT:     %0 = arith.cmpi sle, %arg2, %c0_i64 : i64
// CHECK-NEXT:     %1:4 = scf.if %0 -> (tensor<?x?xf64>, i64, i64, i64) {
// CHECK-NEXT:       %3 = arith.index_cast %arg1 : i64 to index
// CHECK-NEXT:       %4 = tensor.empty(%3, %3) : tensor<?x?xf64>
// CHECK-NEXT:       scf.yield %4, %c2_i64, %arg1, %c0_i64 : tensor<?x?xf64>, i64, i64, i64
// CHECK-NEXT:     } else {
// CHECK-NEXT:       %3 = arith.cmpi eq, %c3_i64, %c0_i64 : i64
// CHECK-NEXT:       %4:4 = scf.if %3 -> (tensor<?x?xf64>, i64, i64, i64) {
// CHECK-NEXT:         %5:4 = func.call @given_by_a_function_that_calls_itself_1(%arg0, %arg1, %arg2) : (i64, i64, i64) -> (memref<?x?xf64>, i64, i64, i64)
// CHECK-NEXT:         %6 = bufferization.to_tensor %5#0 restrict writable : memref<?x?xf64> to tensor<?x?xf64>
// CHECK-NEXT:         scf.yield %6, %5#1, %5#2, %5#3 : tensor<?x?xf64>, i64, i64, i64
// CHECK-NEXT:       } else {
// CHECK-NEXT:         %5 = tensor.empty() : tensor<0x0xf64>
// CHECK-NEXT:         %cast = tensor.cast %5 : tensor<0x0xf64> to tensor<?x?xf64>
// CHECK-NEXT:         scf.yield %cast, %c3_i64, %c0_i64, %c0_i64 : tensor<?x?xf64>, i64, i64, i64
// CHECK-NEXT:       }
// CHECK-NEXT:       scf.yield %4#0, %4#1, %4#2, %4#3 : tensor<?x?xf64>, i64, i64, i64
// CHECK-NEXT:     }
// CHECK-NEXT:     %2 = bufferization.to_buffer %1#0 : tensor<?x?xf64> to memref<?x?xf64>
// CHECK-NEXT:     return %2, %1#1, %1#2, %1#3 : memref<?x?xf64>, i64, i64, i64
// CHECK-NEXT:   }
// CHECK-NEXT: }
