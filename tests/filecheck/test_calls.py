"""Checks, calls and callbacks, as they are recorded."""

import numpy as np

import agir as ag

F = np.zeros(8)


def factorial(n):
    if n <= 1:
        return 1
    return n * factorial(n - 1)


def test_a_raise_is_a_check_that_fails(check):
    @ag.jit
    def f(n):
        """
        CHECK: scf.if
        CHECK: %[[NO:.*]] = arith.constant false
        CHECK: func.call @fail_unless(%[[NO]]
        CHECK: } else {
        CHECK: return %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} : i64, i64, i64, i64
        """
        if n < 0:
            raise ValueError("negative")
        return n + 1

    check(f, 1)


def test_a_handler_is_a_branch_on_the_site_that_failed(check):
    @ag.jit
    def quotient(a, b):
        """
        CHECK: %[[OK:.*]] = arith.cmpi ne, %b
        CHECK: %[[E:.*]]:3 = call @fail_unless(%[[OK]], %[[SITE:[a-z0-9_]*]],
        CHECK: arith.select %[[OK]], %b
        CHECK: %[[ALL:.*]]:3 = call @fail_unless(%{{.*}}, %{{.*}}, %a, %{{.*}}, %[[E]]#0
        CHECK: %[[CAUGHT:.*]] = arith.cmpi eq, %[[ALL]]#0, %[[SITE]]
        CHECK: scf.if %[[CAUGHT]]
        """
        try:
            q = a // b
        except ZeroDivisionError:
            q = 0
        return q

    check(quotient, 1, 2)


def test_a_check_that_ranges_prove_is_not_recorded(check):
    @ag.jit
    def f(x, i):
        """
        CHECK-NOT: fail_unless
        CHECK: tensor.extract %x
        CHECK-NOT: fail_unless
        """
        return x[i % 8]

    check(f, F, 3)


def test_a_function_that_is_called_becomes_part_of_the_trace(check):
    @ag.jit
    def inner(x):
        return x * x

    @ag.jit
    def f(x):
        """
        CHECK: @f(%x: f64) -> f64
        CHECK-NOT: call
        CHECK: %[[S:.*]] = arith.mulf %x, %x
        CHECK: arith.addf %[[S]]
        """
        return inner(x) + 1.0

    check(f, 2.0)


def test_a_recursion_on_run_time_values_is_a_function_that_calls_itself(check):
    @ag.jit
    def f(n):
        """
        CHECK: func.func @f(%n: i64)
        CHECK: call @factorial(
        CHECK: func.func private @factorial(%depth: i64, %n: i64) -> (i64, i64, i64, i64)
        CHECK: arith.cmpi slt, %depth
        CHECK: call @factorial(
        """
        return factorial(n)

    check(f, 5)


def test_printing_is_a_callback_with_its_text(check):
    @ag.jit
    def f(n):
        """
        CHECK: func.func private @print_0(i64) attributes {agir.callback = "print"
        CHECK-SAME: agir.text = ["n is ",
        CHECK: call @print_0(%n) : (i64) -> ()
        CHECK-NEXT: return
        """
        print("n is", n)
        return n

    check(f, 1)


def test_a_python_function_is_called_and_may_fail(check):
    @ag.function
    def f(x):
        """
        CHECK: func.func private @call_0(tensor<8xf64> {bufferization.access = "read"}) -> i64
        CHECK: %[[N:.*]] = call @call_0(%x)
        CHECK: %[[OK:.*]] = arith.cmpi sgt, %[[N]]
        CHECK: call @fail_unless(%[[OK]]
        """
        return ag.numpy_function(np.sort, [x], ag.float64)

    check(f, ag.constant(F))


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
