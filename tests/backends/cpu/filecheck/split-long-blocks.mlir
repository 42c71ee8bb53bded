// RUN: agir-dump %s --pass split-long-blocks | filecheck %s
module {
  func.func private @next(i64) -> i64
  func.func @many(%arg0: i64) -> i64 {
    %0 = call @next(%arg0) : (i64) -> i64
    %1 = call @next(%0) : (i64) -> i64
    %2 = call @next(%1) : (i64) -> i64
    %3 = call @next(%2) : (i64) -> i64
    %4 = call @next(%3) : (i64) -> i64
    %5 = call @next(%4) : (i64) -> i64
    %6 = call @next(%5) : (i64) -> i64
    %7 = call @next(%6) : (i64) -> i64
    %8 = call @next(%7) : (i64) -> i64
    %9 = call @next(%8) : (i64) -> i64
    %10 = call @next(%9) : (i64) -> i64
    %11 = call @next(%10) : (i64) -> i64
    %12 = call @next(%11) : (i64) -> i64
    %13 = call @next(%12) : (i64) -> i64
    %14 = call @next(%13) : (i64) -> i64
    %15 = call @next(%14) : (i64) -> i64
    %16 = call @next(%15) : (i64) -> i64
    %17 = call @next(%16) : (i64) -> i64
    %18 = call @next(%17) : (i64) -> i64
    %19 = call @next(%18) : (i64) -> i64
    return %19 : i64
  }
}
// CHECK: module {
// CHECK-NEXT:   func.func private @next(i64) -> i64
// CHECK-NEXT:   func.func @many(%arg0: i64) -> i64 {
// CHECK-NEXT:     %0 = call @agir.part_828734e46b737148(%arg0) : (i64) -> i64
// CHECK-NEXT:     %1 = call @next(%0) : (i64) -> i64
// CHECK-NEXT:     %2 = call @next(%1) : (i64) -> i64
// CHECK-NEXT:     %3 = call @next(%2) : (i64) -> i64
// CHECK-NEXT:     %4 = call @next(%3) : (i64) -> i64
// CHECK-NEXT:     %5 = call @next(%4) : (i64) -> i64
// CHECK-NEXT:     %6 = call @next(%5) : (i64) -> i64
// CHECK-NEXT:     %7 = call @next(%6) : (i64) -> i64
// CHECK-NEXT:     %8 = call @next(%7) : (i64) -> i64
// CHECK-NEXT:     %9 = call @next(%8) : (i64) -> i64
// CHECK-NEXT:     %10 = call @next(%9) : (i64) -> i64
// CHECK-NEXT:     %11 = call @next(%10) : (i64) -> i64
// CHECK-NEXT:     %12 = call @next(%11) : (i64) -> i64
// CHECK-NEXT:     return %12 : i64
// CHECK-NEXT:   }
// CHECK-NEXT:   func.func private @agir.part_828734e46b737148(%arg0: i64) -> i64 attributes {agir.part} {
// CHECK-NEXT:     %0 = call @next(%arg0) : (i64) -> i64
// CHECK-NEXT:     %1 = call @next(%0) : (i64) -> i64
// CHECK-NEXT:     %2 = call @next(%1) : (i64) -> i64
// CHECK-NEXT:     %3 = call @next(%2) : (i64) -> i64
// CHECK-NEXT:     %4 = call @next(%3) : (i64) -> i64
// CHECK-NEXT:     %5 = call @next(%4) : (i64) -> i64
// CHECK-NEXT:     %6 = call @next(%5) : (i64) -> i64
// CHECK-NEXT:     %7 = call @next(%6) : (i64) -> i64
// CHECK-NEXT:     return %7 : i64
// CHECK-NEXT:   }
// CHECK-NEXT: }
