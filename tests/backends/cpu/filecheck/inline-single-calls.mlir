// RUN: agir-dump %s --pass inline-single-calls | filecheck %s
module {
  func.func @count(%arg0: i64, %arg1: tensor<?xi64>, %arg2: i64, %arg3: tensor<?xi1>, %arg4: i64, %arg5: tensor<?xi64>, %arg6: i64, %arg7: tensor<?xi64>, %arg8: i64, %arg9: i64, %arg10: tensor<?xi64>, %arg11: i64, %arg12: tensor<?xi64>, %arg13: i64, %arg14: tensor<?xi64>, %arg15: i1, %arg16: i1, %arg17: tensor<?xi64>, %arg18: i1, %arg19: i64, %arg20: i64, %arg21: i64, %arg22: i64, %arg23: tensor<?xi1>, %arg24: tensor<?xi64>, %arg25: tensor<?xi64>, %arg26: i64, %arg27: tensor<?xi64>, %arg28: i64, %arg29: i64, %arg30: index, %arg31: index, %arg32: i64, %arg33: index) {
    %0:12 = scf.for %arg34 = %arg31 to %arg33 step %arg30 iter_args(%arg35 = %arg28, %arg36 = %arg27, %arg37 = %arg29, %arg38 = %arg26, %arg39 = %arg25, %arg40 = %arg28, %arg41 = %arg24, %arg42 = %arg28, %arg43 = %arg23, %arg44 = %arg32, %arg45 = %arg32, %arg46 = %arg32) -> (i64, tensor<?xi64>, i64, i64, tensor<?xi64>, i64, tensor<?xi64>, i64, tensor<?xi1>, i64, i64, i64) {
      %1:10 = scf.if %arg18 -> (i64, i64, tensor<?xi64>, i64, tensor<?xi64>, i64, tensor<?xi1>, i64, tensor<?xi64>, i64) {
        scf.yield %arg19, %arg40, %arg17, %arg35, %arg36, %arg42, %arg43, %arg38, %arg39, %arg37 : i64, i64, tensor<?xi64>, i64, tensor<?xi64>, i64, tensor<?xi1>, i64, tensor<?xi64>, i64
      } else {
        %2:9 = scf.if %arg16 -> (i64, i64, tensor<?xi64>, i64, tensor<?xi64>, i64, tensor<?xi1>, i64, tensor<?xi64>) {
          %3:6 = scf.if %arg15 -> (i64, tensor<?xi64>, i64, tensor<?xi64>, i64, tensor<?xi1>) {
            %4:2 = func.call @compacted_1(%arg42, %arg43, %arg42, %arg43) {no_inline} : (i64, tensor<?xi1>, i64, tensor<?xi1>) -> (i64, tensor<?xi1>)
            scf.yield %arg13, %arg14, %arg11, %arg12, %4#0, %4#1 : i64, tensor<?xi64>, i64, tensor<?xi64>, i64, tensor<?xi1>
          } else {
            scf.yield %arg40, %arg41, %arg35, %arg36, %arg42, %arg43 : i64, tensor<?xi64>, i64, tensor<?xi64>, i64, tensor<?xi1>
          }
          scf.yield %arg8, %3#0, %3#1, %3#2, %3#3, %3#4, %3#5, %arg9, %arg10 : i64, i64, tensor<?xi64>, i64, tensor<?xi64>, i64, tensor<?xi1>, i64, tensor<?xi64>
        } else {
          scf.yield %arg19, %arg40, %arg41, %arg35, %arg36, %arg42, %arg43, %arg38, %arg39 : i64, i64, tensor<?xi64>, i64, tensor<?xi64>, i64, tensor<?xi1>, i64, tensor<?xi64>
        }
        scf.yield %2#0, %arg2, %arg1, %arg6, %arg5, %arg4, %arg3, %2#7, %arg7, %arg0 : i64, i64, tensor<?xi64>, i64, tensor<?xi64>, i64, tensor<?xi1>, i64, tensor<?xi64>, i64
      }
      scf.yield %1#3, %1#4, %1#9, %1#7, %1#8, %1#1, %1#2, %1#5, %1#6, %arg20, %arg21, %arg22 : i64, tensor<?xi64>, i64, i64, tensor<?xi64>, i64, tensor<?xi64>, i64, tensor<?xi1>, i64, i64, i64
    }
    return
  }
  func.func private @compacted_1(%arg0: i64, %arg1: tensor<?xi1>, %arg2: i64, %arg3: tensor<?xi1>) -> (i64, tensor<?xi1>) attributes {agir.library = true} {
    %c0 = arith.constant 0 : index
    %0 = arith.index_cast %arg0 : i64 to index
    %c1 = arith.constant 1 : index
    %c0_i64 = arith.constant 0 : i64
    %1:3 = scf.for %arg4 = %c0 to %0 step %c1 iter_args(%arg5 = %c0_i64, %arg6 = %arg0, %arg7 = %arg1) -> (i64, i64, tensor<?xi1>) {
      %4 = arith.index_cast %arg2 : i64 to index
      %5 = arith.cmpi ult, %arg4, %4 : index
      %6:3 = scf.if %5 -> (i64, i64, tensor<?xi1>) {
        %7 = arith.index_cast %arg5 : i64 to index
        %8 = arith.index_cast %arg6 : i64 to index
        %9 = arith.cmpi ult, %7, %8 : index
        %10 = scf.if %9 -> (tensor<?xi1>) {
          scf.yield %arg7 : tensor<?xi1>
        } else {
          scf.yield %arg7 : tensor<?xi1>
        }
        scf.yield %arg5, %arg6, %10 : i64, i64, tensor<?xi1>
      } else {
        scf.yield %arg5, %arg6, %arg7 : i64, i64, tensor<?xi1>
      }
      scf.yield %6#0, %6#1, %6#2 : i64, i64, tensor<?xi1>
    }
    %2 = arith.index_cast %1#1 : i64 to index
    %3 = arith.index_cast %2 : index to i64
    return %3, %1#2 : i64, tensor<?xi1>
  }
}
// CHECK: module {
// CHECK-NEXT:   func.func @count(%arg0: i64, %arg1: tensor<?xi64>, %arg2: i64, %arg3: tensor<?xi1>, %arg4: i64, %arg5: tensor<?xi64>, %arg6: i64, %arg7: tensor<?xi64>, %arg8: i64, %arg9: i64, %arg10: tensor<?xi64>, %arg11: i64, %arg12: tensor<?xi64>, %arg13: i64, %arg14: tensor<?xi64>, %arg15: i1, %arg16: i1, %arg17: tensor<?xi64>, %arg18: i1, %arg19: i64, %arg20: i64, %arg21: i64, %arg22: i64, %arg23: tensor<?xi1>, %arg24: tensor<?xi64>, %arg25: tensor<?xi64>, %arg26: i64, %arg27: tensor<?xi64>, %arg28: i64, %arg29: i64, %arg30: index, %arg31: index, %arg32: i64, %arg33: index) {
// CHECK-NEXT:     %0:12 = scf.for %arg34 = %arg31 to %arg33 step %arg30 iter_args(%arg35 = %arg28, %arg36 = %arg27, %arg37 = %arg29, %arg38 = %arg26, %arg39 = %arg25, %arg40 = %arg28, %arg41 = %arg24, %arg42 = %arg28, %arg43 = %arg23, %arg44 = %arg32, %arg45 = %arg32, %arg46 = %arg32) -> (i64, tensor<?xi64>, i64, i64, tensor<?xi64>, i64, tensor<?xi64>, i64, tensor<?xi1>, i64, i64, i64) {
// CHECK-NEXT:       %1:10 = scf.if %arg18 -> (i64, i64, tensor<?xi64>, i64, tensor<?xi64>, i64, tensor<?xi1>, i64, tensor<?xi64>, i64) {
// CHECK-NEXT:         scf.yield %arg19, %arg40, %arg17, %arg35, %arg36, %arg42, %arg43, %arg38, %arg39, %arg37 : i64, i64, tensor<?xi64>, i64, tensor<?xi64>, i64, tensor<?xi1>, i64, tensor<?xi64>, i64
// CHECK-NEXT:       } else {
// CHECK-NEXT:         %2:9 = scf.if %arg16 -> (i64, i64, tensor<?xi64>, i64, tensor<?xi64>, i64, tensor<?xi1>, i64, tensor<?xi64>) {
// CHECK-NEXT:           %3:6 = scf.if %arg15 -> (i64, tensor<?xi64>, i64, tensor<?xi64>, i64, tensor<?xi1>) {
// CHECK-NEXT:             %4:2 = func.call @compacted_1(%arg42, %arg43, %arg42, %arg43) : (i64, tensor<?xi1>, i64, tensor<?xi1>) -> (i64, tensor<?xi1>)
// CHECK-NEXT:             scf.yield %arg13, %arg14, %arg11, %arg12, %4#0, %4#1 : i64, tensor<?xi64>, i64, tensor<?xi64>, i64, tensor<?xi1>
// CHECK-NEXT:           } else {
// CHECK-NEXT:             scf.yield %arg40, %arg41, %arg35, %arg36, %arg42, %arg43 : i64, tensor<?xi64>, i64, tensor<?xi64>, i64, tensor<?xi1>
// CHECK-NEXT:           }
// CHECK-NEXT:           scf.yield %arg8, %3#0, %3#1, %3#2, %3#3, %3#4, %3#5, %arg9, %arg10 : i64, i64, tensor<?xi64>, i64, tensor<?xi64>, i64, tensor<?xi1>, i64, tensor<?xi64>
// CHECK-NEXT:         } else {
// CHECK-NEXT:           scf.yield %arg19, %arg40, %arg41, %arg35, %arg36, %arg42, %arg43, %arg38, %arg39 : i64, i64, tensor<?xi64>, i64, tensor<?xi64>, i64, tensor<?xi1>, i64, tensor<?xi64>
// CHECK-NEXT:         }
// CHECK-NEXT:         scf.yield %2#0, %arg2, %arg1, %arg6, %arg5, %arg4, %arg3, %2#7, %arg7, %arg0 : i64, i64, tensor<?xi64>, i64, tensor<?xi64>, i64, tensor<?xi1>, i64, tensor<?xi64>, i64
// CHECK-NEXT:       }
// CHECK-NEXT:       scf.yield %1#3, %1#4, %1#9, %1#7, %1#8, %1#1, %1#2, %1#5, %1#6, %arg20, %arg21, %arg22 : i64, tensor<?xi64>, i64, i64, tensor<?xi64>, i64, tensor<?xi64>, i64, tensor<?xi1>, i64, i64, i64
// CHECK-NEXT:     }
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT:   func.func private @compacted_1(%arg0: i64, %arg1: tensor<?xi1>, %arg2: i64, %arg3: tensor<?xi1>) -> (i64, tensor<?xi1>) attributes {agir.library = true} {
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %0 = arith.index_cast %arg0 : i64 to index
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     %c0_i64 = arith.constant 0 : i64
// CHECK-NEXT:     %1:3 = scf.for %arg4 = %c0 to %0 step %c1 iter_args(%arg5 = %c0_i64, %arg6 = %arg0, %arg7 = %arg1) -> (i64, i64, tensor<?xi1>) {
// CHECK-NEXT:       %4 = arith.index_cast %arg2 : i64 to index
// CHECK-NEXT:       %5 = arith.cmpi ult, %arg4, %4 : index
// CHECK-NEXT:       %6:3 = scf.if %5 -> (i64, i64, tensor<?xi1>) {
// CHECK-NEXT:         %7 = arith.index_cast %arg5 : i64 to index
// CHECK-NEXT:         %8 = arith.index_cast %arg6 : i64 to index
// CHECK-NEXT:         %9 = arith.cmpi ult, %7, %8 : index
// CHECK-NEXT:         %10 = scf.if %9 -> (tensor<?xi1>) {
// CHECK-NEXT:           scf.yield %arg7 : tensor<?xi1>
// CHECK-NEXT:         } else {
// CHECK-NEXT:           scf.yield %arg7 : tensor<?xi1>
// CHECK-NEXT:         }
// CHECK-NEXT:         scf.yield %arg5, %arg6, %10 : i64, i64, tensor<?xi1>
// CHECK-NEXT:       } else {
// CHECK-NEXT:         scf.yield %arg5, %arg6, %arg7 : i64, i64, tensor<?xi1>
// CHECK-NEXT:       }
// CHECK-NEXT:       scf.yield %6#0, %6#1, %6#2 : i64, i64, tensor<?xi1>
// CHECK-NEXT:     }
// CHECK-NEXT:     %2 = arith.index_cast %1#1 : i64 to index
// CHECK-NEXT:     %3 = arith.index_cast %2 : index to i64
// CHECK-NEXT:     return %3, %1#2 : i64, tensor<?xi1>
// CHECK-NEXT:   }
// CHECK-NEXT: }
