"""Whole numbers and flags that say what is recorded are constants, with a trace for each value."""

from __future__ import annotations

import numpy as np
import pytest

import agir as ag

X = np.arange(12.0).reshape(3, 4)


def summed(x, axis, keep):
    return x.sum(axis=axis, keepdims=keep)


def of_computed_numbers(x, n):
    return np.moveaxis(x, n - 1, -n), np.diff(x, n=n + 1), np.rot90(x, -n)


def of_several(x, axes):
    return np.sum(x, axes), np.flip(x, axes)


def of_as_many_dimensions(x, n):
    first = x[(0,) * n]
    return np.zeros((2,) * n) + np.ones([2] * n), x.reshape([-1] + [1] * n), first


def of_a_computed_rank(x, n):
    return np.sum(x, axis=tuple(range(n))), x.reshape((*tuple(1 for _ in range(n)), 12))


def of_a_flag(x, flag):
    return np.isclose(x, np.nan, equal_nan=flag), np.vander(x[0], increasing=flag)


def of_a_key(x, n):
    return {1: x, 2: x * 2}[n], {n: 3}[n]


def of_parts(x, n):
    return np.split(x, n), list(np.array_split(x, n))[-1]


def flat(values):
    return [np.asarray(each) for v in values for each in (v if isinstance(v, list) else [v])]


@pytest.mark.parametrize(
    ("function", "calls"),
    [
        (summed, [(0, True), (1, False), (-1, True), (np.int64(1), False), (None, False)]),
        (of_computed_numbers, [(1,), (2,), (1,)]),
        (of_several, [((0, 1),), (1,), ((1,),)]),
        (of_as_many_dimensions, [(1,), (2,)]),
        (of_a_computed_rank, [(1,), (2,), (0,)]),
        (of_a_flag, [(True,), (False,), (np.True_,)]),
        (of_a_key, [(1,), (2,)]),
        (of_parts, [(1,), (3,)]),
    ],
)
def test_what_says_what_is_recorded(function, calls):
    decorated = ag.jit(function)
    for arguments in calls:
        results = [f(X.copy(), *arguments) for f in (decorated, function)]
        found, wanted = (flat(r if isinstance(r, tuple) else (r,)) for r in results)
        for one, other in zip(found, wanted, strict=True):
            np.testing.assert_array_equal(one, other)
            assert one.dtype == other.dtype


def test_one_trace_for_each_value_and_only_of_what_was_asked_for():
    @ag.jit
    def f(x, axis, n, scale):
        return x.sum(axis=axis) * scale + n

    for axis, n, scale in ((0, 1, 0.5), (0, 2, 0.7), (1, 3, 0.5), (1, 4, 2.0), (0, 9, 3.0)):
        np.testing.assert_array_equal(f(X, axis, n, scale), X.sum(axis=axis) * scale + n)
    assert f.experimental_get_tracing_count() == 2
    assert "argument 'axis' has another value, 1 and not 0" in f.explain_retracing()


def test_many_calls_with_values_in_turn():
    f = ag.jit(lambda x, axis: x.sum(axis=axis))
    for number in range(2000):
        axis = number % 3 - 1
        np.testing.assert_array_equal(f(X, axis), X.sum(axis=axis))
    assert f.experimental_get_tracing_count() == 3


def test_keyword_arguments_defaults_and_methods():
    class Turning:
        @ag.jit
        def turned(self, x, k=1, *more, axes=(0, 1)):
            return np.rot90(x, k, axes)

    turning = Turning()
    for arguments, named in (((), {}), ((2,), {}), ((), {"k": 3}), ((1,), {"axes": (1, 0)})):
        found = turning.turned(X, *arguments, **named)
        np.testing.assert_array_equal(found, np.rot90(X, *arguments, **named))


def test_numbers_of_the_function_that_calls():
    inner = ag.jit(lambda x, axis: x.sum(axis=axis))
    outer = ag.jit(lambda x, n: inner(x, n - 1) + n)
    for n in (0, 1, 2):
        np.testing.assert_array_equal(outer(X, n), X.sum(axis=n - 1) + n)


def test_errors_are_those_of_the_value():
    f = ag.jit(summed)
    with pytest.raises(ag.errors.AxisError, match="axis 2 is out of bounds"):
        f(X, 2, False)
    with pytest.raises(TypeError, match="an axis is an integer"):
        f(X, True, False)
    np.testing.assert_array_equal(f(X, 1, False), X.sum(axis=1))


def test_a_handler_sees_them():
    @ag.jit
    def f(x, n):
        try:
            return np.diff(x, n=n)
        except ValueError:
            return x

    for n in (1, -1, 2):
        np.testing.assert_array_equal(f(X, n), f.python_function(X, n))


@pytest.mark.parametrize(
    "call",
    [
        lambda f: f(X, 5000),
        lambda f: f(X, np.array([1])[0] * 2000),
        lambda f: f.get_concrete_function(X, ag.TensorSpec([], np.int64)),
        lambda f: ag.jit(lambda x, n: f(x, n[0]))(X, np.array([1])),
        lambda f: ag.jit(
            f.python_function, input_signature=[ag.TensorSpec([3, 4]), ag.TensorSpec([], "int64")]
        )(X.astype(np.float32), np.int64(1)),
    ],
)
def test_others_are_refused(call):
    with pytest.raises(ag.errors.OperatorNotAllowedInGraphError, match="this argument"):
        call(ag.jit(lambda x, n: np.diff(x, n=n)))


def test_floats_are_no_constants():
    with pytest.raises(TypeError):
        ag.jit(lambda x, n: np.diff(x, n=n))(X, 1.0)


def test_under_tensorflows_conventions_numbers_of_numpy_are_tensors():
    with pytest.raises(ag.errors.OperatorNotAllowedInGraphError):
        ag.function(lambda x, n: np.diff(x, n=n))(X, np.int64(1))
    found = ag.function(lambda x, n: np.diff(x, n=n))(X, 1)
    np.testing.assert_array_equal(found.numpy(), np.diff(X))
