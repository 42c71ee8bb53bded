"""Values of arguments that are errors in NumPy: out of bounds, out of order, zero, of another kind."""

import numpy as np
import pytest

import agir as ag

X = np.array([3.0, 1.0, 2.0])
N = np.nan


CALLS = [
    (ValueError, lambda x, k: np.partition(x, k), [5, -4]),
    (ValueError, lambda x, k: np.argpartition(x, [0, k]), [3]),
    (TypeError, lambda x, k: np.partition(x, k + 0.5), [1]),
    (ValueError, lambda x, k: np.argpartition(x, np.array([[k]])), [1]),
    (ValueError, lambda x, k: np.digitize(x, [1.0, 3.0, k]), [2]),
    (ValueError, lambda x, k: np.digitize(x, x), [0]),
    (TypeError, lambda x, k: np.digitize(x + 1j, [1.0]), [0]),
    (ZeroDivisionError, lambda x, k: np.average(x, weights=x * k), [0]),
    (ZeroDivisionError, lambda x, k: np.average(x, weights=[1, -1, k]), [0]),
    (IndexError, lambda x, k: np.insert(x, k, 1), [9, -4]),
    (IndexError, lambda x, k: np.insert(x, [0, k], 1), [4]),
    (ValueError, lambda x, k: np.interp(x, [1, 2], [1, 2], period=k), [0]),
    (ValueError, lambda x, k: np.searchsorted(np.sort(x), x, sorter=[0, k]), [1]),
    (ValueError, lambda x, k: np.cov(x, ddof=k + 0.5), [1]),
    (ValueError, lambda x, k: np.histogram(x, [1, 3, k]), [2]),
    (ValueError, lambda x, k: np.bincount(x.astype(int), minlength=k), [-1]),
    (ValueError, lambda x, k: np.choose([0, k, 1], [x, x]), [2, -1]),
    (ValueError, lambda x, k: np.nanargmax(x * N), [0]),
    (ValueError, lambda x, k: np.nanargmin(np.stack([x, x * N]), axis=1), [0]),
    (TypeError, lambda x, k: np.round(x, k + 0.5), [1]),
    (ValueError, lambda x, k: np.sort(x, kind="z"), [0]),
    (ValueError, lambda x, k: np.isin(x, x, kind="z"), [0]),
    (ValueError, lambda x, k: np.unique(x, axis=2), [0]),
    (ValueError, lambda x, k: np.resize(x, (k,)), [-1]),
    (ValueError, lambda x, k: np.linspace(0, 1, k), [-1]),
    (ValueError, lambda x, k: np.percentile(x, k), [101, -1, N]),
    (ValueError, lambda x, k: np.quantile(x, [0.5, k]), [1.5]),
    (ValueError, lambda x, k: np.full(1 << 62, 1), [0]),
]


@pytest.mark.parametrize(("error", "function", "values"), CALLS)
def test_errors_are_numpys(error, function, values):
    decorated = ag.jit(function)
    for value in values:
        with pytest.raises(error):
            function(X.copy(), value)
        with pytest.raises(error):
            decorated(X.copy(), value)
        with pytest.raises(error):
            ag.jit(lambda x, value=value: function(x, value), static=("value",))(X.copy())


@pytest.mark.parametrize(
    "function",
    [
        lambda x, k: np.partition(x, [k, -1]),
        lambda x, k: np.digitize(x, [3.0, 2.0, k]),
        lambda x, k: np.digitize(x, [k, k, 3.0]),
        lambda x, k: np.digitize(x, np.array([N, 1.0])),
        lambda x, k: np.average(x, weights=[k, 1, 2]),
        lambda x, k: np.insert(x, [k, 3, -3], 7),
        lambda x, k: np.interp(x, [1, 2], [1, 5], period=k),
        lambda x, k: np.histogram(x, [1, k, 2]),
        lambda x, k: np.choose([0, k, 1], [x, x * 2]),
        lambda x, k: np.nanargmax(x * np.array([N, 1, 1])),
        lambda x, k: np.finfo(x[0]).eps + np.iinfo(x.astype(int)[0]).max,
        lambda x, k: np.broadcast_shapes((k, 3), (1, 1)),
        lambda x, k: np.mean(np.copysign(0.0 * x[0], -1)),
    ],
)
def test_values_that_are_none(function):
    results = [f(X.copy(), 1) for f in (ag.jit(function), function)]
    for one, other in zip(*(r if isinstance(r, tuple) else (r,) for r in results), strict=True):
        np.testing.assert_array_equal(one, other)
        np.testing.assert_array_equal(np.signbit(one), np.signbit(other))
