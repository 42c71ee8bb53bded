// RUN: agir-dump %s --pass lower-loop-exits | filecheck %s
module {
  func.func @one_in_the_condition(%arg0: i64, %arg1: i1, %arg2: i64, %arg3: i1, %arg4: i1, %arg5: i64) {
    cf.br ^bb1(%arg5, %arg5, %arg5, %arg5 : i64, i64, i64, i64)
  ^bb1(%0: i64, %1: i64, %2: i64, %3: i64):  // 2 preds: ^bb0, ^bb7
    cf.br ^bb2(%arg5, %arg5, %arg5, %arg5 : i64, i64, i64, i64)
  ^bb2(%4: i64, %5: i64, %6: i64, %7: i64):  // 2 preds: ^bb1, ^bb5
    cf.cond_br %arg4, ^bb3, ^bb4
  ^bb3:  // pred: ^bb2
    cf.br ^bb4
  ^bb4:  // 2 preds: ^bb2, ^bb3
    cf.cond_br %arg3, ^bb5(%4, %arg5, %arg5, %arg5 : i64, i64, i64, i64), ^bb6
  ^bb5(%8: i64, %9: i64, %10: i64, %11: i64):  // pred: ^bb4
    cf.br ^bb2(%arg2, %arg5, %arg5, %arg5 : i64, i64, i64, i64)
  ^bb6:  // pred: ^bb4
    cf.cond_br %arg1, ^bb7(%0, %arg5, %arg5, %arg5 : i64, i64, i64, i64), ^bb8
  ^bb7(%12: i64, %13: i64, %14: i64, %15: i64):  // pred: ^bb6
    cf.br ^bb1(%arg0, %arg5, %arg5, %arg5 : i64, i64, i64, i64)
  ^bb8:  // pred: ^bb6
    call @agir_left_loop() {agir.loop = 0 : i64} : () -> ()
    return
  }
  func.func private @agir_left_loop()
}
// CHECK: module {
// CHECK-NEXT:   func.func @one_in_the_condition(%arg0: i64, %arg1: i1, %arg2: i64, %arg3: i1, %arg4: i1, %arg5: i64) {
// CHECK-NEXT:     cf.br ^bb1(%arg5, %arg5, %arg5, %arg5 : i64, i64, i64, i64)
// CHECK-NEXT:   ^bb1(%0: i64, %1: i64, %2: i64, %3: i64):  // 2 preds: ^bb0, ^bb7
// CHECK-NEXT:     cf.br ^bb2(%arg5, %arg5, %arg5, %arg5 : i64, i64, i64, i64)
// CHECK-NEXT:   ^bb2(%4: i64, %5: i64, %6: i64, %7: i64):  // 2 preds: ^bb1, ^bb5
// CHECK-NEXT:     cf.cond_br %arg4, ^bb3, ^bb4
// CHECK-NEXT:   ^bb3:  // pred: ^bb2
// CHECK-NEXT:     cf.br ^bb4
// CHECK-NEXT:   ^bb4:  // 2 preds: ^bb2, ^bb3
// CHECK-NEXT:     cf.cond_br %arg3, ^bb5(%4, %arg5, %arg5, %arg5 : i64, i64, i64, i64), ^bb6
// CHECK-NEXT:   ^bb5(%8: i64, %9: i64, %10: i64, %11: i64):  // pred: ^bb4
// CHECK-NEXT:     cf.br ^bb2(%arg2, %arg5, %arg5, %arg5 : i64, i64, i64, i64)
// CHECK-NEXT:   ^bb6:  // pred: ^bb4
// CHECK-NEXT:     cf.cond_br %arg1, ^bb7(%0, %arg5, %arg5, %arg5 : i64, i64, i64, i64), ^bb8
// CHECK-NEXT:   ^bb7(%12: i64, %13: i64, %14: i64, %15: i64):  // pred: ^bb6
// CHECK-NEXT:     cf.br ^bb1(%arg0, %arg5, %arg5, %arg5 : i64, i64, i64, i64)
// CHECK-NEXT:   ^bb8:  // pred: ^bb6
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
