// RUN: agir-dump %s --pass shorten-type-queries | filecheck %s
module {
  func.func @caught(%arg0: f64, %arg1: tensor<2x2xf64>, %arg2: tensor<2x2xf64>, %arg3: f64, %arg4: i1, %arg5: index, %arg6: tensor<2x2xf64>, %arg7: f64, %arg8: index, %arg9: index, %arg10: index, %arg11: i64, %arg12: tensor<2x2xf64>, %arg13: index, %arg14: f64, %arg15: i1, %arg16: tensor<2x2xf64>) {
    %0:4 = scf.for %arg17 = %arg10 to %arg9 step %arg8 iter_args(%arg18 = %arg7, %arg19 = %arg11, %arg20 = %arg11, %arg21 = %arg11) -> (f64, i64, i64, i64) {
      %1:4 = scf.for %arg22 = %arg10 to %arg13 step %arg8 iter_args(%arg23 = %arg6, %arg24 = %arg12, %arg25 = %arg14, %arg26 = %arg15) -> (tensor<2x2xf64>, tensor<2x2xf64>, f64, i1) {
        %2 = scf.for %arg27 = %arg22 to %arg13 step %arg8 iter_args(%arg28 = %arg23) -> (tensor<2x2xf64>) {
          scf.yield %arg28 : tensor<2x2xf64>
        }
        %3:2 = scf.for %arg27 = %arg5 to %arg13 step %arg8 iter_args(%arg28 = %2, %arg29 = %arg2) -> (tensor<2x2xf64>, tensor<2x2xf64>) {
          %4 = scf.for %arg30 = %arg5 to %arg13 step %arg8 iter_args(%arg31 = %arg28) -> (tensor<2x2xf64>) {
            scf.yield %arg16 : tensor<2x2xf64>
          }
          scf.yield %4, %arg1 : tensor<2x2xf64>, tensor<2x2xf64>
        }
        scf.yield %3#0, %3#1, %arg3, %arg4 : tensor<2x2xf64>, tensor<2x2xf64>, f64, i1
      }
      scf.yield %arg0, %arg11, %arg11, %arg11 : f64, i64, i64, i64
    }
    return
  }
}
// CHECK: module {
// CHECK-NEXT:   func.func @caught(%arg0: f64, %arg1: tensor<2x2xf64>, %arg2: tensor<2x2xf64>, %arg3: f64, %arg4: i1, %arg5: index, %arg6: tensor<2x2xf64>, %arg7: f64, %arg8: index, %arg9: index, %arg10: index, %arg11: i64, %arg12: tensor<2x2xf64>, %arg13: index, %arg14: f64, %arg15: i1, %arg16: tensor<2x2xf64>) {
// CHECK-NEXT:     %0:4 = scf.for %arg17 = %arg10 to %arg9 step %arg8 iter_args(%arg18 = %arg7, %arg19 = %arg11, %arg20 = %arg11, %arg21 = %arg11) -> (f64, i64, i64, i64) {
// CHECK-NEXT:       %1:4 = scf.for %arg22 = %arg10 to %arg13 step %arg8 iter_args(%arg23 = %arg6, %arg24 = %arg12, %arg25 = %arg14, %arg26 = %arg15) -> (tensor<2x2xf64>, tensor<2x2xf64>, f64, i1) {
// CHECK-NEXT:         %2 = scf.for %arg27 = %arg22 to %arg13 step %arg8 iter_args(%arg28 = %arg23) -> (tensor<2x2xf64>) {
// CHECK-NEXT:           scf.yield %arg28 : tensor<2x2xf64>
// CHECK-NEXT:         }
// CHECK-NEXT:         %3:2 = scf.for %arg27 = %arg5 to %arg13 step %arg8 iter_args(%arg28 = %2, %arg29 = %arg2) -> (tensor<2x2xf64>, tensor<2x2xf64>) {
// CHECK-NEXT:           %5 = scf.for %arg30 = %arg5 to %arg13 step %arg8 iter_args(%arg31 = %arg28) -> (tensor<2x2xf64>) {
// CHECK-NEXT:             scf.yield %arg16 : tensor<2x2xf64>
// CHECK-NEXT:           }
// CHECK-NEXT:           scf.yield %5, %arg1 : tensor<2x2xf64>, tensor<2x2xf64>
// CHECK-NEXT:         }
// CHECK-NEXT:         %4 = func.call @same_buffer_0(%3#0) : (tensor<2x2xf64>) -> tensor<2x2xf64>
// CHECK-NEXT:         scf.yield %4, %3#1, %arg3, %arg4 : tensor<2x2xf64>, tensor<2x2xf64>, f64, i1
// CHECK-NEXT:       }
// CHECK-NEXT:       scf.yield %arg0, %arg11, %arg11, %arg11 : f64, i64, i64, i64
// CHECK-NEXT:     }
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT:   func.func private @same_buffer_0(%arg0: tensor<2x2xf64>) -> tensor<2x2xf64> {
// CHECK-NEXT:     return %arg0 : tensor<2x2xf64>
// CHECK-NEXT:   }
// CHECK-NEXT: }
