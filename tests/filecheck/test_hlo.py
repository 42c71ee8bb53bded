"""The recorded IR, beside the Python that records it."""

import numpy as np
import pytest

import agir as ag

F = np.zeros(8)


def test_a_text_that_is_not_there_fails_the_check(check):
    @ag.jit
    def f(x):
        """
        CHECK: arith.mulf
        """
        return x + 1.0

    with pytest.raises(AssertionError, match="addf"):
        check(f, 1.0)


def test_scalars_are_mlir_scalars_and_while_is_functional(check):
    @ag.jit
    def halve(n):
        """
        CHECK: func.func @halve(%n: i64) -> i64 {
        CHECK: %[[R:[0-9]+]]:2 = scf.while (%{{n_?.*}} = %n, %steps = %{{.*}}) : (i64, i64)
        CHECK: arith.cmpi sgt
        CHECK: scf.condition
        CHECK: arith.floordivsi
        CHECK: %[[S:steps.*]] = arith.addi %steps
        CHECK: scf.yield {{.*}}, %[[S]] : i64, i64
        CHECK: return %[[R]]#1 : i64
        """
        steps = 0
        while n > 1:
            n = n // 2
            steps += 1
        return steps

    check(halve, 8)


def test_a_counted_loop_is_scf_for_without_checks_of_its_subscripts(check):
    @ag.jit
    def running(x):
        """
        CHECK-NOT: fail_unless
        CHECK: %[[R:.*]] = scf.for %i = {{.*}} iter_args(%[[X:.*]] = %x)
        CHECK: tensor.extract %[[X]][%i]
        CHECK: tensor.insert {{.*}} into %[[X]][
        CHECK: scf.yield
        CHECK-NOT: fail_unless
        """
        for i in range(7):
            x[i + 1] = x[i] + 1

    check(running, F)


def test_array_expressions_are_operations_on_tensors(check):
    @ag.jit
    def f(x, k):
        """
        CHECK: %[[K:.*]] = tensor.splat %k : tensor<8xf64>
        CHECK: %[[M:.*]] = arith.mulf %x, %[[K]] : tensor<8xf64>
        CHECK: %[[C:.*]] = arith.constant dense<1.000000e+00> : tensor<8xf64>
        CHECK: %y = arith.addf %[[M]], %[[C]] : tensor<8xf64>
        CHECK: return %y
        """
        y = x * k + 1
        return y

    check(f, F, 2.0)


def test_a_slice_assignment_is_insert_slice(check):
    @ag.jit
    def f(x):
        """
        CHECK-DAG: %[[A:.*]] = tensor.extract_slice %x[0] [6] [1]
        CHECK-DAG: %[[B:.*]] = tensor.extract_slice %x[2] [6] [1]
        CHECK: %[[S:.*]] = arith.addf %[[A]], %[[B]] : tensor<6xf64>
        CHECK: tensor.insert_slice %[[S]] into %x[1] [6] [1]
        """
        x[1:-1] = x[:-2] + x[2:]

    check(f, F)


def test_a_check_that_can_fail_is_a_call(check):
    @ag.jit
    def f(x, i):
        """
        CHECK: %[[OK:.*]] = arith.cmpi ult
        CHECK: call @fail_unless(%[[OK]],
        CHECK: arith.select %[[OK]]
        CHECK: tensor.extract
        CHECK: func.func private @fail_unless
        """
        return x[i]

    check(f, F, 1)


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
