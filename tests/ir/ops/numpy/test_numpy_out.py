"""What NumPy's functions take as ``out=``: shapes and dtypes, and which error comes of others."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import agir as ag

TWO = np.array([0, 2])
FUNCTIONS: dict[str, Callable[[Any, Any], Any]] = {
    "add": lambda a, o: np.add(a, a, out=o),
    "all": lambda a, o: a.all(0, out=o),
    "any": lambda a, o: np.any(a, 0, out=o),
    "argmax": lambda a, o: np.argmax(a, axis=0, out=o),
    "argmin": lambda a, o: a.argmin(0, out=o),
    "choose": lambda a, o: np.choose(np.array([0, 1, 0, 1]), a, out=o),
    "clip": lambda a, o: np.clip(a, 0, 1, out=o),
    "compress": lambda a, o: np.compress([True, False, True], a, axis=0, out=o),
    "concatenate": lambda a, o: np.concatenate((a, a), out=o),
    "cumprod": lambda a, o: a.cumprod(1, out=o),
    "cumsum": lambda a, o: np.cumsum(a, axis=0, out=o),
    "dot": lambda a, o: np.dot(np.ones(3), a, out=o),
    "einsum": lambda a, o: np.einsum("ij->j", a, out=o),
    "isposinf": lambda a, o: np.isposinf(a, out=o),
    "less": lambda a, o: np.less(a, 1, out=o),
    "matmul": lambda a, o: np.matmul(np.ones(3), a, out=o),
    "max": lambda a, o: a.max(0, out=o),
    "mean": lambda a, o: a.mean(0, out=o),
    "median": lambda a, o: np.median(a, 0, out=o),
    "multi_dot": lambda a, o: np.linalg.multi_dot([a, a.T, a], out=o),
    "nanargmax": lambda a, o: np.nanargmax(a, 0, out=o),
    "nancumsum": lambda a, o: np.nancumsum(a, 0, out=o),
    "nanmax": lambda a, o: np.nanmax(a, 0, out=o),
    "nanmean": lambda a, o: np.nanmean(a, 0, out=o),
    "nanmedian": lambda a, o: np.nanmedian(a, 0, out=o),
    "nanstd": lambda a, o: np.nanstd(a, 0, out=o),
    "nansum": lambda a, o: np.nansum(a, 0, out=o),
    "outer": lambda a, o: np.outer(a[0], a[0], out=o),
    "percentile": lambda a, o: np.percentile(a, 30, axis=0, out=o),
    "prod": lambda a, o: np.prod(a, 0, out=o),
    "ptp": lambda a, o: np.ptp(a, 0, out=o),
    "round": lambda a, o: np.round(a, 1, out=o),
    "sqrt": lambda a, o: np.sqrt(a, out=o),
    "stack": lambda a, o: np.stack((a, a), out=o),
    "std": lambda a, o: np.std(a, 0, out=o),
    "sum": lambda a, o: np.sum(a, axis=0, out=o),
    "take": lambda a, o: np.take(a, TWO, 1, out=o),
    "trace": lambda a, o: np.trace(a, out=o),
    "var": lambda a, o: np.var(a, 0, out=o),
    "add.accumulate": lambda a, o: np.add.accumulate(a, axis=0, out=o),
    "add.reduce": lambda a, o: np.add.reduce(a, axis=0, out=o),
}
SHAPES: list[tuple[int, ...]] = [(4,), (3,), (3, 4), (1, 4), (), (2, 4), (3, 2)]


def outcome(function: Callable[[Any, Any], Any], a: Any, out: Any) -> str | None:
    """The class of Python's of the error, or nothing."""
    try:
        function(a, out)
    except (TypeError, ValueError) as error:
        names = [each.__name__ for each in type(error).__mro__ if each.__module__ == "builtins"]
        return names[0]
    return None


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("dtype", ["f8", "f4", "i8", "u1", "c16", "?"])
@pytest.mark.parametrize("name", FUNCTIONS)
def test_what_is_taken_is_what_numpy_takes(name: str, dtype: str) -> None:
    a = np.arange(12).reshape(3, 4) if name == "choose" else np.arange(12.0).reshape(3, 4)
    function = FUNCTIONS[name]
    recorded = ag.jit(function, jit_compile=False)
    for shape in SHAPES:
        plain, given = np.zeros(shape, dtype), np.zeros(shape, dtype)
        expected = outcome(function, a, plain)
        assert (outcome(recorded, a, given), shape) == (expected, shape)
        if expected is None:
            np.testing.assert_allclose(given, plain, rtol=1e-6)


RUNNING = {
    "cumsum": lambda a, o, axis: np.cumsum(a, axis=axis, out=o),
    "cumprod": lambda a, o, axis: a.cumprod(axis, out=o),
    "add": lambda a, o, axis: np.add.accumulate(a, axis=axis, out=o),
    "maximum": lambda a, o, axis: np.maximum.accumulate(a, axis=axis, out=o),
}


@pytest.mark.parametrize("axis", [0, 1])
@pytest.mark.parametrize("name", RUNNING)
def test_longer_arrays_for_running_sums_of_one_element(name: str, axis: int) -> None:
    function = RUNNING[name]
    for shape in ((1, 3), (3, 1), (1, 1), (2, 3)):
        a = np.arange(2.0, 2.0 + np.prod(shape)).reshape(shape)
        for wanted in ((4, 3), (3, 4), (2, 3), (1, 3)):
            plain, given, cut = (-np.ones(wanted) for _ in range(3))
            expected = outcome(lambda a, o: function(a, o, axis), a, plain)
            recorded = ag.jit(lambda a, o: function(a, o, axis), jit_compile=False)
            assert (outcome(recorded, a, given), shape, wanted) == (expected, shape, wanted)
            np.testing.assert_array_equal(given, plain)
            dynamic = ag.jit(lambda a, o, n, m: function(a[:n], o[:m], axis), jit_compile=False)
            found = outcome(lambda a, o, f=dynamic: f(a, o, len(a), len(o)), a, cut)
            assert (found, shape, wanted) == (expected, shape, wanted)
            np.testing.assert_array_equal(cut, plain)


@pytest.mark.parametrize("function", [np.minimum, np.maximum])
def test_running_extrema_in_a_complex_dtype(function: Any) -> None:
    def f(x: Any) -> Any:
        return function.accumulate(x, -2, dtype=np.complex128)

    x = np.array([[1.5, 2.0], [-1.0, 3.0], [2.0, 0.5]])
    expected, got = f(x), ag.jit(f, jit_compile=False)(x)
    assert got.dtype == expected.dtype
    np.testing.assert_array_equal(got, expected)
