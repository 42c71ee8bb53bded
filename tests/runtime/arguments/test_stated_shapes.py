"""``ensure_shape`` and ``Tensor.set_shape``: what is stated is known from there on, and checked."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import agir as ag
from agir.errors import InvalidArgumentError

from ..ways import everywhere, line

F64 = ag.float64
X = np.ones((2, 3))
COMPILED = [None, False]


@everywhere
@pytest.mark.parametrize("shape", [None, [2, 3], [None, 3], (None, None), ag.TensorSpec([2, None])])
def test_a_shape_that_fits(wrap: Any, shape: Any) -> None:
    np.testing.assert_array_equal(wrap(lambda x: ag.ensure_shape(x, shape))(X), X)


@everywhere
@pytest.mark.parametrize("shape", [[2], [3, 2], [None, 4], [], [2, 3, 1]])
def test_a_shape_that_does_not_fit(wrap: Any, shape: Any) -> None:
    def f(x: Any) -> Any:
        x = x * 1.0
        ag.convert_to_tensor(x).set_shape(shape)
        return x

    with pytest.raises(ValueError, match=r"\[2, 3\] instead of \[") as caught:
        wrap(lambda x: ag.ensure_shape(x, shape))(X)
    assert isinstance(caught.value, InvalidArgumentError)
    with pytest.raises(ValueError, match=r"\[2, 3\] instead of \["):
        wrap(f)(X)


@pytest.mark.parametrize("compiled", COMPILED)
def test_it_is_known_from_there_on(compiled: Any) -> None:
    shapes = []

    def f(x: Any) -> Any:
        y = ag.ensure_shape(x, [2, None])
        shapes.append(y.shape)
        z = x + 1
        z.set_shape([None, 3])
        shapes.append(z.shape)
        return y[0] + y[1], z

    f = ag.function(f, input_signature=[ag.TensorSpec([None, None], F64)], jit_compile=compiled)
    rows, z = f(X)
    assert shapes == [(2, None), (None, 3)]
    np.testing.assert_array_equal(rows, [2, 2, 2])
    np.testing.assert_array_equal(z, X + 1)


@pytest.mark.parametrize("compiled", COMPILED)
@pytest.mark.parametrize("shape", [(3, 3), (0, 3), (200, 3), (1, 3)])
def test_it_is_checked_at_run_time(compiled: Any, shape: Any) -> None:
    def f(x: Any) -> Any:
        y = ag.ensure_shape(x, [2, None])
        return y[0] + y[1]

    g = ag.function(f, input_signature=[ag.TensorSpec([None, None], F64)], jit_compile=compiled)
    with pytest.raises(ValueError, match=rf"in dimension 0: {shape[0]} and 2") as caught:
        g(np.ones(shape))
    assert line(f, "ensure_shape") in str(caught.value)


@pytest.mark.parametrize("compiled", COMPILED)
def test_in_a_branch_it_holds_where_the_branch_runs(compiled: Any) -> None:
    def f(x: Any, check: Any) -> Any:
        y = x * 2
        if check:
            y.set_shape([2])
        return y

    specs = [ag.TensorSpec([None], F64), ag.TensorSpec([], ag.bool)]
    f = ag.function(f, input_signature=specs, jit_compile=compiled)
    np.testing.assert_array_equal(f(np.ones(3), False), [2, 2, 2])
    np.testing.assert_array_equal(f(np.ones(2), True), [2, 2])
    with pytest.raises(ValueError, match="3 and 2"):
        f(np.ones(3), True)


def test_shapes_that_make_no_sense() -> None:
    with pytest.raises(ValueError, match="a dimension is negative"):
        ag.ensure_shape(X, [-2, 3])
