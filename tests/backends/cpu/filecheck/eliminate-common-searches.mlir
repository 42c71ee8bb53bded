// RUN: agir-dump %s --pass eliminate-common-searches | filecheck %s
module {
  func.func @count(%arg0: i64, %arg1: tensor<?xi64>, %arg2: i64, %arg3: tensor<?xi64>, %arg4: i64, %arg5: tensor<?xi1>, %arg6: i64, %arg7: tensor<?xi64>, %arg8: i64, %arg9: i64, %arg10: tensor<?xi1>, %arg11: tensor<?xi64>, %arg12: tensor<?xi64>, %arg13: index, %arg14: index, %arg15: i64, %arg16: index, %arg17: i64, %arg18: i64, %arg19: i64, %arg20: i64) {
    %0:12 = scf.for %arg21 = %arg14 to %arg13 step %arg16 iter_args(%arg22 = %arg15, %arg23 = %arg12, %arg24 = %arg15, %arg25 = %arg17, %arg26 = %arg11, %arg27 = %arg15, %arg28 = %arg12, %arg29 = %arg15, %arg30 = %arg10, %arg31 = %arg15, %arg32 = %arg15, %arg33 = %arg15) -> (i64, tensor<?xi64>, i64, i64, tensor<?xi64>, i64, tensor<?xi64>, i64, tensor<?xi1>, i64, i64, i64) {
      %1 = func.call @find_place(%arg25, %arg26, %arg22, %arg23, %arg9) {no_inline} : (i64, tensor<?xi64>, i64, tensor<?xi64>, i64) -> i64
      %2 = func.call @find_place(%arg25, %arg26, %arg22, %arg23, %arg9) {no_inline} : (i64, tensor<?xi64>, i64, tensor<?xi64>, i64) -> i64
      scf.yield %arg2, %arg3, %arg8, %arg6, %arg7, %arg0, %arg1, %arg4, %arg5, %arg20, %arg19, %arg18 : i64, tensor<?xi64>, i64, i64, tensor<?xi64>, i64, tensor<?xi64>, i64, tensor<?xi1>, i64, i64, i64
    }
    return
  }
  func.func private @find_place(%arg0: i64, %arg1: tensor<?xi64>, %arg2: i64, %arg3: tensor<?xi64>, %arg4: i64) -> i64 attributes {agir.library = false} {
    %c9_i64 = arith.constant 9 : i64
    %c0_i64 = arith.constant 0 : i64
    %c-1_i64 = arith.constant -1 : i64
    %c-2305843009213693951_i64 = arith.constant -2305843009213693951 : i64
    %0 = arith.cmpi sgt, %arg4, %c-2305843009213693951_i64 : i64
    %1 = scf.if %0 -> (i64) {
      scf.yield %arg4 : i64
    } else {
      %7 = arith.cmpi slt, %arg4, %c0_i64 : i64
      %8 = scf.if %7 -> (i64) {
        scf.yield %arg4 : i64
      } else {
        scf.yield %arg4 : i64
      }
      scf.yield %8 : i64
    }
    %2 = arith.index_cast %1 : i64 to index
    %3 = arith.index_cast %arg0 : i64 to index
    %4 = arith.cmpi ult, %2, %3 : index
    %5 = scf.if %4 -> (i64) {
      %extracted = tensor.extract %arg1[%2] : tensor<?xi64>
      scf.yield %extracted : i64
    } else {
      scf.yield %c0_i64 : i64
    }
    %6:7 = scf.while (%arg5 = %1, %arg6 = %c9_i64, %arg7 = %1, %arg8 = %arg0, %arg9 = %1, %arg10 = %c-1_i64, %arg11 = %5) : (i64, i64, i64, i64, i64, i64, i64) -> (i64, i64, i64, i64, i64, i64, i64) {
      %7 = arith.cmpi sgt, %arg8, %c0_i64 : i64
      scf.condition(%7) %arg5, %arg6, %arg7, %arg8, %arg9, %arg10, %arg11 : i64, i64, i64, i64, i64, i64, i64
    } do {
    ^bb0(%arg5: i64, %arg6: i64, %arg7: i64, %arg8: i64, %arg9: i64, %arg10: i64, %arg11: i64):
      %7 = arith.cmpi sgt, %arg6, %c0_i64 : i64
      %8:5 = scf.if %7 -> (i64, i64, i64, i64, i64) {
        scf.yield %arg5, %arg6, %arg7, %arg8, %arg9 : i64, i64, i64, i64, i64
      } else {
        scf.yield %arg7, %c9_i64, %arg7, %arg8, %arg9 : i64, i64, i64, i64, i64
      }
      %9 = arith.index_cast %8#0 : i64 to index
      %10 = arith.cmpi ult, %9, %3 : index
      %11 = scf.if %10 -> (i64) {
        %extracted = tensor.extract %arg1[%9] : tensor<?xi64>
        scf.yield %extracted : i64
      } else {
        scf.yield %c0_i64 : i64
      }
      scf.yield %8#0, %8#1, %8#2, %8#3, %8#4, %arg5, %11 : i64, i64, i64, i64, i64, i64, i64
    }
    return %6#5 : i64
  }
}
// CHECK: module {
// CHECK-NEXT:   func.func @count(%arg0: i64, %arg1: tensor<?xi64>, %arg2: i64, %arg3: tensor<?xi64>, %arg4: i64, %arg5: tensor<?xi1>, %arg6: i64, %arg7: tensor<?xi64>, %arg8: i64, %arg9: i64, %arg10: tensor<?xi1>, %arg11: tensor<?xi64>, %arg12: tensor<?xi64>, %arg13: index, %arg14: index, %arg15: i64, %arg16: index, %arg17: i64, %arg18: i64, %arg19: i64, %arg20: i64) {
// CHECK-NEXT:     %0:12 = scf.for %arg21 = %arg14 to %arg13 step %arg16 iter_args(%arg22 = %arg15, %arg23 = %arg12, %arg24 = %arg15, %arg25 = %arg17, %arg26 = %arg11, %arg27 = %arg15, %arg28 = %arg12, %arg29 = %arg15, %arg30 = %arg10, %arg31 = %arg15, %arg32 = %arg15, %arg33 = %arg15) -> (i64, tensor<?xi64>, i64, i64, tensor<?xi64>, i64, tensor<?xi64>, i64, tensor<?xi1>, i64, i64, i64) {
// CHECK-NEXT:       %1 = func.call @find_place(%arg25, %arg26, %arg22, %arg23, %arg9) {no_inline} : (i64, tensor<?xi64>, i64, tensor<?xi64>, i64) -> i64
// CHECK-NEXT:       scf.yield %arg2, %arg3, %arg8, %arg6, %arg7, %arg0, %arg1, %arg4, %arg5, %arg20, %arg19, %arg18 : i64, tensor<?xi64>, i64, i64, tensor<?xi64>, i64, tensor<?xi64>, i64, tensor<?xi1>, i64, i64, i64
// CHECK-NEXT:     }
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT:   func.func private @find_place(%arg0: i64, %arg1: tensor<?xi64>, %arg2: i64, %arg3: tensor<?xi64>, %arg4: i64) -> i64 attributes {agir.library = false} {
// CHECK-NEXT:     %c9_i64 = arith.constant 9 : i64
// CHECK-NEXT:     %c0_i64 = arith.constant 0 : i64
// CHECK-NEXT:     %c-1_i64 = arith.constant -1 : i64
// CHECK-NEXT:     %c-2305843009213693951_i64 = arith.constant -2305843009213693951 : i64
// CHECK-NEXT:     %0 = arith.cmpi sgt, %arg4, %c-2305843009213693951_i64 : i64
// CHECK-NEXT:     %1 = scf.if %0 -> (i64) {
// CHECK-NEXT:       scf.yield %arg4 : i64
// CHECK-NEXT:     } else {
// CHECK-NEXT:       %7 = arith.cmpi slt, %arg4, %c0_i64 : i64
// CHECK-NEXT:       %8 = scf.if %7 -> (i64) {
// CHECK-NEXT:         scf.yield %arg4 : i64
// CHECK-NEXT:       } else {
// CHECK-NEXT:         scf.yield %arg4 : i64
// CHECK-NEXT:       }
// CHECK-NEXT:       scf.yield %8 : i64
// CHECK-NEXT:     }
// CHECK-NEXT:     %2 = arith.index_cast %1 : i64 to index
// CHECK-NEXT:     %3 = arith.index_cast %arg0 : i64 to index
// CHECK-NEXT:     %4 = arith.cmpi ult, %2, %3 : index
// CHECK-NEXT:     %5 = scf.if %4 -> (i64) {
// CHECK-NEXT:       %extracted = tensor.extract %arg1[%2] : tensor<?xi64>
// CHECK-NEXT:       scf.yield %extracted : i64
// CHECK-NEXT:     } else {
// CHECK-NEXT:       scf.yield %c0_i64 : i64
// CHECK-NEXT:     }
// CHECK-NEXT:     %6:7 = scf.while (%arg5 = %1, %arg6 = %c9_i64, %arg7 = %1, %arg8 = %arg0, %arg9 = %1, %arg10 = %c-1_i64, %arg11 = %5) : (i64, i64, i64, i64, i64, i64, i64) -> (i64, i64, i64, i64, i64, i64, i64) {
// CHECK-NEXT:       %7 = arith.cmpi sgt, %arg8, %c0_i64 : i64
// CHECK-NEXT:       scf.condition(%7) %arg5, %arg6, %arg7, %arg8, %arg9, %arg10, %arg11 : i64, i64, i64, i64, i64, i64, i64
// CHECK-NEXT:     } do {
// CHECK-NEXT:     ^bb0(%arg5: i64, %arg6: i64, %arg7: i64, %arg8: i64, %arg9: i64, %arg10: i64, %arg11: i64):
// CHECK-NEXT:       %7 = arith.cmpi sgt, %arg6, %c0_i64 : i64
// CHECK-NEXT:       %8:5 = scf.if %7 -> (i64, i64, i64, i64, i64) {
// CHECK-NEXT:         scf.yield %arg5, %arg6, %arg7, %arg8, %arg9 : i64, i64, i64, i64, i64
// CHECK-NEXT:       } else {
// CHECK-NEXT:         scf.yield %arg7, %c9_i64, %arg7, %arg8, %arg9 : i64, i64, i64, i64, i64
// CHECK-NEXT:       }
// CHECK-NEXT:       %9 = arith.index_cast %8#0 : i64 to index
// CHECK-NEXT:       %10 = arith.cmpi ult, %9, %3 : index
// CHECK-NEXT:       %11 = scf.if %10 -> (i64) {
// CHECK-NEXT:         %extracted = tensor.extract %arg1[%9] : tensor<?xi64>
// CHECK-NEXT:         scf.yield %extracted : i64
// CHECK-NEXT:       } else {
// CHECK-NEXT:         scf.yield %c0_i64 : i64
// CHECK-NEXT:       }
// CHECK-NEXT:       scf.yield %8#0, %8#1, %8#2, %8#3, %8#4, %arg5, %11 : i64, i64, i64, i64, i64, i64, i64
// CHECK-NEXT:     }
// CHECK-NEXT:     return %6#5 : i64
// CHECK-NEXT:   }
// CHECK-NEXT: }
