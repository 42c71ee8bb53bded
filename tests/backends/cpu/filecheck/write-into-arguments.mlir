// RUN: agir-dump %s --pass write-into-arguments | filecheck %s
module {
  func.func private @one_or_the_other_1(%arg0: i64, %arg1: i64, %arg2: i64, %arg3: i64, %arg4: i64, %arg5: i64, %arg6: tensor<?xf64>, %arg7: tensor<?xi64>, %arg8: tensor<?xi64>) -> (i64, i64, tensor<?xf64>, tensor<?xi64>, tensor<?xi64>, i64, i64, i64) attributes {agir.depth_limit = 1000 : i64} {
    %c-1_i64 = arith.constant -1 : i64
    %c2_i64 = arith.constant 2 : i64
    %c1_i64 = arith.constant 1 : i64
    %c0 = arith.constant 0 : index
    %c0_i64 = arith.constant 0 : i64
    %c3_i64 = arith.constant 3 : i64
    %0 = arith.index_cast %arg1 : i64 to index
    %extracted = tensor.extract %arg8[%0] : tensor<?xi64>
    %1 = arith.index_cast %extracted : i64 to index
    %2 = arith.cmpi sgt, %1, %c0 : index
    %3 = scf.if %2 -> (tensor<?xf64>) {
      scf.yield %arg6 : tensor<?xf64>
    } else {
      scf.yield %arg6 : tensor<?xf64>
    }
    %4 = arith.cmpi sgt, %arg3, %c0_i64 : i64
    %5:8 = scf.if %4 -> (i64, i64, i64, i64, i64, tensor<?xf64>, tensor<?xi64>, tensor<?xi64>) {
      %6 = arith.cmpi eq, %c2_i64, %c0_i64 : i64
      %7:8 = scf.if %6 -> (i64, i64, tensor<?xf64>, tensor<?xi64>, tensor<?xi64>, i64, i64, i64) {
        %12:8 = func.call @one_or_the_other_1(%arg0, %arg1, %arg2, %arg3, %arg4, %arg5, %3, %arg7, %arg8) : (i64, i64, i64, i64, i64, i64, tensor<?xf64>, tensor<?xi64>, tensor<?xi64>) -> (i64, i64, tensor<?xf64>, tensor<?xi64>, tensor<?xi64>, i64, i64, i64)
        scf.yield %12#0, %12#1, %12#2, %12#3, %12#4, %12#5, %12#6, %12#7 : i64, i64, tensor<?xf64>, tensor<?xi64>, tensor<?xi64>, i64, i64, i64
      } else {
        scf.yield %arg4, %arg5, %3, %arg7, %arg8, %c2_i64, %c0_i64, %c0_i64 : i64, i64, tensor<?xf64>, tensor<?xi64>, tensor<?xi64>, i64, i64, i64
      }
      %8 = arith.index_cast %arg2 : i64 to index
      %extracted_0 = tensor.extract %7#4[%8] : tensor<?xi64>
      %9 = arith.index_cast %extracted_0 : i64 to index
      %10 = arith.cmpi sge, %9, %c0 : index
      %11 = scf.if %10 -> (tensor<?xf64>) {
        scf.yield %7#2 : tensor<?xf64>
      } else {
        scf.yield %7#2 : tensor<?xf64>
      }
      scf.yield %7#0, %7#1, %c3_i64, %c-1_i64, %extracted_0, %11, %7#3, %7#4 : i64, i64, i64, i64, i64, tensor<?xf64>, tensor<?xi64>, tensor<?xi64>
    } else {
      scf.yield %arg4, %arg5, %c1_i64, %c0_i64, %extracted, %3, %arg7, %arg8 : i64, i64, i64, i64, i64, tensor<?xf64>, tensor<?xi64>, tensor<?xi64>
    }
    return %5#0, %5#1, %5#5, %5#6, %5#7, %5#2, %5#3, %5#4 : i64, i64, tensor<?xf64>, tensor<?xi64>, tensor<?xi64>, i64, i64, i64
  }
}
// CHECK: module {
// CHECK-NEXT:   func.func private @one_or_the_other_1(%arg0: i64, %arg1: i64, %arg2: i64, %arg3: i64, %arg4: i64, %arg5: i64, %arg6: tensor<?xf64> {agir.writable}, %arg7: tensor<?xi64> {agir.writable}, %arg8: tensor<?xi64> {agir.writable}) -> (i64, i64, tensor<?xf64> {agir.destination = 6 : i64}, tensor<?xi64> {agir.destination = 7 : i64}, tensor<?xi64> {agir.destination = 8 : i64}, i64, i64, i64) attributes {agir.depth_limit = 1000 : i64} {
// CHECK-NEXT:     %c-1_i64 = arith.constant -1 : i64
// CHECK-NEXT:     %c2_i64 = arith.constant 2 : i64
// CHECK-NEXT:     %c1_i64 = arith.constant 1 : i64
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %c0_i64 = arith.constant 0 : i64
// CHECK-NEXT:     %c3_i64 = arith.constant 3 : i64
// CHECK-NEXT:     %0 = arith.index_cast %arg1 : i64 to index
// CHECK-NEXT:     %extracted = tensor.extract %arg8[%0] : tensor<?xi64>
// CHECK-NEXT:     %1 = arith.index_cast %extracted : i64 to index
// CHECK-NEXT:     %2 = arith.cmpi sgt, %1, %c0 : index
// CHECK-NEXT:     %3 = scf.if %2 -> (tensor<?xf64>) {
// CHECK-NEXT:       scf.yield %arg6 : tensor<?xf64>
// CHECK-NEXT:     } else {
// CHECK-NEXT:       scf.yield %arg6 : tensor<?xf64>
// CHECK-NEXT:     }
// CHECK-NEXT:     %4 = arith.cmpi sgt, %arg3, %c0_i64 : i64
// CHECK-NEXT:     %5:8 = scf.if %4 -> (i64, i64, i64, i64, i64, tensor<?xf64>, tensor<?xi64>, tensor<?xi64>) {
// CHECK-NEXT:       %6 = arith.cmpi eq, %c2_i64, %c0_i64 : i64
// CHECK-NEXT:       %7:8 = scf.if %6 -> (i64, i64, tensor<?xf64>, tensor<?xi64>, tensor<?xi64>, i64, i64, i64) {
// CHECK-NEXT:         %12:8 = func.call @one_or_the_other_1(%arg0, %arg1, %arg2, %arg3, %arg4, %arg5, %3, %arg7, %arg8) : (i64, i64, i64, i64, i64, i64, tensor<?xf64>, tensor<?xi64>, tensor<?xi64>) -> (i64, i64, tensor<?xf64>, tensor<?xi64>, tensor<?xi64>, i64, i64, i64)
// CHECK-NEXT:         scf.yield %12#0, %12#1, %12#2, %12#3, %12#4, %12#5, %12#6, %12#7 : i64, i64, tensor<?xf64>, tensor<?xi64>, tensor<?xi64>, i64, i64, i64
// CHECK-NEXT:       } else {
// CHECK-NEXT:         scf.yield %arg4, %arg5, %3, %arg7, %arg8, %c2_i64, %c0_i64, %c0_i64 : i64, i64, tensor<?xf64>, tensor<?xi64>, tensor<?xi64>, i64, i64, i64
// CHECK-NEXT:       }
// CHECK-NEXT:       %8 = arith.index_cast %arg2 : i64 to index
// CHECK-NEXT:       %extracted_0 = tensor.extract %7#4[%8] : tensor<?xi64>
// CHECK-NEXT:       %9 = arith.index_cast %extracted_0 : i64 to index
// CHECK-NEXT:       %10 = arith.cmpi sge, %9, %c0 : index
// CHECK-NEXT:       %11 = scf.if %10 -> (tensor<?xf64>) {
// CHECK-NEXT:         scf.yield %7#2 : tensor<?xf64>
// CHECK-NEXT:       } else {
// CHECK-NEXT:         scf.yield %7#2 : tensor<?xf64>
// CHECK-NEXT:       }
// CHECK-NEXT:       scf.yield %7#0, %7#1, %c3_i64, %c-1_i64, %extracted_0, %11, %7#3, %7#4 : i64, i64, i64, i64, i64, tensor<?xf64>, tensor<?xi64>, tensor<?xi64>
// CHECK-NEXT:     } else {
// CHECK-NEXT:       scf.yield %arg4, %arg5, %c1_i64, %c0_i64, %extracted, %3, %arg7, %arg8 : i64, i64, i64, i64, i64, tensor<?xf64>, tensor<?xi64>, tensor<?xi64>
// CHECK-NEXT:     }
// CHECK-NEXT:     return %5#0, %5#1, %5#5, %5#6, %5#7, %5#2, %5#3, %5#4 : i64, i64, tensor<?xf64>, tensor<?xi64>, tensor<?xi64>, i64, i64, i64
// CHECK-NEXT:   }
// CHECK-NEXT: }
