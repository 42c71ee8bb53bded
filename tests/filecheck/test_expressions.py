"""Array expressions, as they are recorded."""

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


def test_what_is_broadcast_says_so(check):
    @ag.jit
    def f(x, y):
        """
        CHECK: %[[Y:.*]] = linalg.broadcast ins(%y : tensor<4xf64>) {{.*}} dimensions = [0]
        CHECK: arith.addf %x, %{{.*}} : tensor<3x4xf64>
        """
        return x + y

    check(f, np.zeros((3, 4)), np.zeros(4))


def test_a_product_of_matrices_is_a_contraction(check):
    @ag.jit
    def f(a, b):
        """
        CHECK: linalg.{{matmul|contract}} {{.*}}ins(%a, %b : tensor<3x4xf64>, tensor<4x5xf64>)
        """
        return a @ b

    check(f, np.zeros((3, 4)), np.zeros((4, 5)))


def test_a_number_takes_the_dtype_of_the_array_that_it_meets(check):
    @ag.jit
    def f(x):
        """
        CHECK: arith.constant dense<1.500000e+00> : tensor<8xf32>
        CHECK: arith.mulf %x
        CHECK-SAME: tensor<8xf32>
        """
        return x * 1.5

    check(f, np.zeros(8, np.float32))
