// RUN: agir-dump %s --pass guard-deallocations | filecheck %s
module {
  func.func @in_nested_loops(%arg0: memref<i64>, %arg1: memref<i64>, %arg2: memref<6xi64>, %arg3: memref<6xi64>, %arg4: memref<6xi64>, %arg5: memref<6xi64>, %arg6: index, %arg7: index, %arg8: index, %arg9: i1) {
    %0:4 = scf.for %arg10 = %arg8 to %arg6 step %arg7 iter_args(%arg11 = %arg5, %arg12 = %arg4, %arg13 = %arg9, %arg14 = %arg9) -> (memref<6xi64>, memref<6xi64>, i1, i1) {
      %1:2 = bufferization.dealloc (%arg1, %arg0 : memref<i64>, memref<i64>) if (%arg13, %arg14) retain (%arg3, %arg2 : memref<6xi64>, memref<6xi64>)
      scf.yield %arg3, %arg2, %1#0, %1#1 : memref<6xi64>, memref<6xi64>, i1, i1
    }
    return
  }
  func.func @grows(%arg0: memref<?xi64>, %arg1: index, %arg2: index, %arg3: index, %arg4: i1) -> (memref<?xi64>, i1) {
    %false = arith.constant false
    %true = arith.constant true
    %0:2 = scf.for %arg5 = %arg1 to %arg2 step %arg3 iter_args(%arg6 = %arg0, %arg7 = %arg4) -> (memref<?xi64>, i1) {
      %1 = arith.cmpi eq, %arg5, %arg2 : index
      %2:2 = scf.if %arg4 -> (memref<?xi64>, i1) {
        %3 = scf.if %1 -> (memref<?xi64>) {
          %alloc = memref.alloc(%arg5) : memref<?xi64>
          scf.yield %alloc : memref<?xi64>
        } else {
          scf.yield %arg6 : memref<?xi64>
        }
        scf.yield %3, %1 : memref<?xi64>, i1
      } else {
        scf.yield %arg6, %false : memref<?xi64>, i1
      }
      %base_buffer, %offset, %sizes, %strides = memref.extract_strided_metadata %arg6 : memref<?xi64> -> memref<i64>, index, index, index
      %4 = bufferization.dealloc (%base_buffer : memref<i64>) if (%arg7) retain (%2#0 : memref<?xi64>)
      %5 = arith.ori %4, %2#1 : i1
      scf.yield %2#0, %5 : memref<?xi64>, i1
    }
    return %0#0, %0#1 : memref<?xi64>, i1
  }
  func.func @may_be_another(%arg0: memref<?xi64>, %arg1: index, %arg2: index, %arg3: index, %arg4: i1, %arg5: memref<?xi64>) -> (memref<?xi64>, i1) {
    %0:2 = scf.for %arg6 = %arg1 to %arg2 step %arg3 iter_args(%arg7 = %arg0, %arg8 = %arg4) -> (memref<?xi64>, i1) {
      %1 = scf.if %arg4 -> (memref<?xi64>) {
        scf.yield %arg5 : memref<?xi64>
      } else {
        scf.yield %arg7 : memref<?xi64>
      }
      %base_buffer, %offset, %sizes, %strides = memref.extract_strided_metadata %arg7 : memref<?xi64> -> memref<i64>, index, index, index
      %2 = bufferization.dealloc (%base_buffer : memref<i64>) if (%arg8) retain (%1 : memref<?xi64>)
      scf.yield %1, %2 : memref<?xi64>, i1
    }
    return %0#0, %0#1 : memref<?xi64>, i1
  }
}
// CHECK: module {
// CHECK-NEXT:   func.func @in_nested_loops(%arg0: memref<i64>, %arg1: memref<i64>, %arg2: memref<6xi64>, %arg3: memref<6xi64>, %arg4: memref<6xi64>, %arg5: memref<6xi64>, %arg6: index, %arg7: index, %arg8: index, %arg9: i1) {
// CHECK-NEXT:     %0:4 = scf.for %arg10 = %arg8 to %arg6 step %arg7 iter_args(%arg11 = %arg5, %arg12 = %arg4, %arg13 = %arg9, %arg14 = %arg9) -> (memref<6xi64>, memref<6xi64>, i1, i1) {
// CHECK-NEXT:       %false = arith.constant false
// CHECK-NEXT:       %intptr = memref.extract_aligned_pointer_as_index %arg3 : memref<6xi64> -> index
// CHECK-NEXT:       %intptr_0 = memref.extract_aligned_pointer_as_index %arg2 : memref<6xi64> -> index
// CHECK-NEXT:       %intptr_1 = memref.extract_aligned_pointer_as_index %arg1 : memref<i64> -> index
// CHECK-NEXT:       %1 = arith.cmpi eq, %intptr_1, %intptr : index
// CHECK-NEXT:       %2 = arith.ori %false, %1 : i1
// CHECK-NEXT:       %3 = arith.andi %arg13, %1 : i1
// CHECK-NEXT:       %4 = arith.ori %false, %3 : i1
// CHECK-NEXT:       %5 = arith.cmpi eq, %intptr_1, %intptr_0 : index
// CHECK-NEXT:       %6 = arith.ori %2, %5 : i1
// CHECK-NEXT:       %7 = arith.andi %arg13, %5 : i1
// CHECK-NEXT:       %8 = arith.ori %false, %7 : i1
// CHECK-NEXT:       %true = arith.constant true
// CHECK-NEXT:       %9 = arith.xori %6, %true : i1
// CHECK-NEXT:       %10 = arith.andi %arg13, %9 : i1
// CHECK-NEXT:       %11 = arith.ori %false, %10 : i1
// CHECK-NEXT:       %intptr_2 = memref.extract_aligned_pointer_as_index %arg0 : memref<i64> -> index
// CHECK-NEXT:       %12 = arith.cmpi eq, %intptr_2, %intptr : index
// CHECK-NEXT:       %13 = arith.ori %false, %12 : i1
// CHECK-NEXT:       %14 = arith.andi %arg14, %12 : i1
// CHECK-NEXT:       %15 = arith.ori %4, %14 : i1
// CHECK-NEXT:       %16 = arith.cmpi eq, %intptr_2, %intptr_0 : index
// CHECK-NEXT:       %17 = arith.ori %13, %16 : i1
// CHECK-NEXT:       %18 = arith.andi %arg14, %16 : i1
// CHECK-NEXT:       %19 = arith.ori %8, %18 : i1
// CHECK-NEXT:       %true_3 = arith.constant true
// CHECK-NEXT:       %20 = arith.xori %17, %true_3 : i1
// CHECK-NEXT:       %21 = arith.andi %arg14, %20 : i1
// CHECK-NEXT:       %22 = arith.ori %11, %21 : i1
// CHECK-NEXT:       %23:2 = scf.if %22 -> (i1, i1) {
// CHECK-NEXT:         %24:2 = bufferization.dealloc (%arg1, %arg0 : memref<i64>, memref<i64>) if (%arg13, %arg14) retain (%arg3, %arg2 : memref<6xi64>, memref<6xi64>)
// CHECK-NEXT:         scf.yield %24#0, %24#1 : i1, i1
// CHECK-NEXT:       } else {
// CHECK-NEXT:         scf.yield %15, %19 : i1, i1
// CHECK-NEXT:       }
// CHECK-NEXT:       scf.yield %arg3, %arg2, %23#0, %23#1 : memref<6xi64>, memref<6xi64>, i1, i1
// CHECK-NEXT:     }
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT:   func.func @grows(%arg0: memref<?xi64>, %arg1: index, %arg2: index, %arg3: index, %arg4: i1) -> (memref<?xi64>, i1) {
// CHECK-NEXT:     %false = arith.constant false
// CHECK-NEXT:     %true = arith.constant true
// CHECK-NEXT:     %0:2 = scf.for %arg5 = %arg1 to %arg2 step %arg3 iter_args(%arg6 = %arg0, %arg7 = %arg4) -> (memref<?xi64>, i1) {
// CHECK-NEXT:       %1 = arith.cmpi eq, %arg5, %arg2 : index
// CHECK-NEXT:       %2:2 = scf.if %arg4 -> (memref<?xi64>, i1) {
// CHECK-NEXT:         %7 = scf.if %1 -> (memref<?xi64>) {
// CHECK-NEXT:           %alloc = memref.alloc(%arg5) : memref<?xi64>
// CHECK-NEXT:           scf.yield %alloc : memref<?xi64>
// CHECK-NEXT:         } else {
// CHECK-NEXT:           scf.yield %arg6 : memref<?xi64>
// CHECK-NEXT:         }
// CHECK-NEXT:         scf.yield %7, %1 : memref<?xi64>, i1
// CHECK-NEXT:       } else {
// CHECK-NEXT:         scf.yield %arg6, %false : memref<?xi64>, i1
// CHECK-NEXT:       }
// CHECK-NEXT:       %base_buffer, %offset, %sizes, %strides = memref.extract_strided_metadata %arg6 : memref<?xi64> -> memref<i64>, index, index, index
// CHECK-NEXT:       %3 = arith.andi %arg7, %2#1 : i1
// CHECK-NEXT:       scf.if %3 {
// CHECK-NEXT:         memref.dealloc %base_buffer : memref<i64>
// CHECK-NEXT:       }
// CHECK-NEXT:       %true_0 = arith.constant true
// CHECK-NEXT:       %4 = arith.xori %2#1, %true_0 : i1
// CHECK-NEXT:       %5 = arith.andi %arg7, %4 : i1
// CHECK-NEXT:       %6 = arith.ori %5, %2#1 : i1
// CHECK-NEXT:       scf.yield %2#0, %6 : memref<?xi64>, i1
// CHECK-NEXT:     }
// CHECK-NEXT:     return %0#0, %0#1 : memref<?xi64>, i1
// CHECK-NEXT:   }
// CHECK-NEXT:   func.func @may_be_another(%arg0: memref<?xi64>, %arg1: index, %arg2: index, %arg3: index, %arg4: i1, %arg5: memref<?xi64>) -> (memref<?xi64>, i1) {
// CHECK-NEXT:     %0:2 = scf.for %arg6 = %arg1 to %arg2 step %arg3 iter_args(%arg7 = %arg0, %arg8 = %arg4) -> (memref<?xi64>, i1) {
// CHECK-NEXT:       %1 = scf.if %arg4 -> (memref<?xi64>) {
// CHECK-NEXT:         scf.yield %arg5 : memref<?xi64>
// CHECK-NEXT:       } else {
// CHECK-NEXT:         scf.yield %arg7 : memref<?xi64>
// CHECK-NEXT:       }
// CHECK-NEXT:       %base_buffer, %offset, %sizes, %strides = memref.extract_strided_metadata %arg7 : memref<?xi64> -> memref<i64>, index, index, index
// CHECK-NEXT:       %2 = bufferization.dealloc (%base_buffer : memref<i64>) if (%arg8) retain (%1 : memref<?xi64>)
// CHECK-NEXT:       scf.yield %1, %2 : memref<?xi64>, i1
// CHECK-NEXT:     }
// CHECK-NEXT:     return %0#0, %0#1 : memref<?xi64>, i1
// CHECK-NEXT:   }
// CHECK-NEXT: }
