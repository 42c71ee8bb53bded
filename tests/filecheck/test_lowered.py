"""What the passes make of what was recorded, beside the Python that records it."""

import numpy as np

import agir as ag

F = np.zeros(8)


def test_elementwise_operations_are_one_loop(check):
    @ag.jit
    def f(x, y):
        """
        CHECK: linalg.generic
        CHECK: arith.mulf
        CHECK-NEXT: arith.addf
        CHECK: linalg.yield
        CHECK-NOT: linalg.generic
        """
        return x * y + x

    check(f, F, F, stage="optimized_hlo")


def test_a_reduction_takes_what_it_reduces_with_it(check):
    @ag.jit
    def f(x, y):
        """
        CHECK-COUNT-1: linalg.generic
        CHECK-NOT: linalg.generic
        """
        return (x * y).sum()

    check(f, F, F, stage="optimized_hlo")


def test_division_by_a_power_of_two_is_a_shift(check):
    @ag.jit
    def f(n):
        """
        CHECK-NOT: arith.floordivsi
        CHECK: arith.shrsi %n
        """
        return n // 8

    check(f, 3, stage="optimized_hlo")


def test_a_call_of_a_small_function_is_inlined(check):
    @ag.jit
    def f(x, i):
        """
        CHECK: func.func @f(
        CHECK-NOT: call @fail_unless
        CHECK: tensor.extract
        """
        return x[i]

    check(f, F, 1, stage="optimized_hlo")


def test_the_results_memory_is_all_that_is_allocated(check):
    @ag.jit
    def f(x):
        """
        CHECK: func.func @f(%{{.*}}: memref<8xf64>) -> memref<8xf64>
        CHECK-COUNT-1: memref.alloc
        CHECK-NOT: memref.alloc
        CHECK-NOT: memref.copy
        CHECK: return
        """
        return (x + 1.0) * (x - 1.0)

    check(f, F, stage="bufferized")


def test_a_slice_is_computed_where_it_goes(check):
    @ag.jit
    def f(x, y):
        """
        CHECK-NOT: memref.alloc
        CHECK: memref.subview
        CHECK-NOT: memref.copy
        CHECK: return
        """
        x[2:6] = y[2:6] * 2.0

    check(f, F, F, stage="bufferized")


def test_a_copy_that_is_written_to_leaves_the_argument_alone(check):
    @ag.jit
    def f(x):
        """
        CHECK: %[[NEW:.*]] = memref.alloc()
        CHECK: memref.copy %x, %[[NEW]]
        CHECK: memref.store %{{.*}}, %[[NEW]]
        CHECK: return %[[NEW]]
        """
        y = x.copy()
        y[0] = 1.0
        return y

    check(f, F, stage="bufferized")


def test_an_array_expression_is_a_loop_over_its_elements(check):
    @ag.jit
    def f(x):
        """
        CHECK: scf.for %[[I:.*]] =
        CHECK: %[[V:.*]] = memref.load %{{.*}}[%[[I]]]
        CHECK: %[[W:.*]] = arith.mulf %[[V]], %[[V]]
        CHECK: memref.store %[[W]], %{{.*}}[%[[I]]]
        """
        return x * x

    check(f, F, stage="loops")


def test_a_fallible_function_gives_its_error_record_in_the_llvm_dialect(check):
    @ag.jit
    def f(a, b):
        """
        CHECK: llvm.func {{.*}}@f(%{{.*}}: i64, %{{.*}}: i64) -> !llvm.struct<(i64, i64, i64, i64)>
        CHECK: llvm.icmp
        CHECK-NOT: arith.
        """
        return a // b

    check(f, 1, 2, stage="llvm")


def test_in_place_updates_copy_nothing(check):
    @ag.jit
    def sweep(a, n):
        """
        CHECK: scf.for
        CHECK-NOT: memref.alloc
        CHECK-NOT: memref.copy
        CHECK: return
        """
        for _ in range(n):
            for i in range(1, 7):
                a[i] = 0.5 * (a[i - 1] + a[i + 1])

    check(sweep, F, 3, stage="bufferized")
