"""NumPy's functions of lists, of nothing, and of values that have no order."""

from __future__ import annotations

import itertools
import re

import numpy as np
import pytest

import agir as ag
import agir.numba as numba

pytestmark = pytest.mark.filterwarnings("ignore::agir.errors.RetraceWarning")
NAN, INF = np.nan, np.inf
DECORATORS = pytest.mark.parametrize("decorated", [ag.jit, numba.njit], ids=["jit", "njit"])


def outcome(function, *args):
    """What a call gives, or the class of Python's of what it raises."""
    given = [each.copy() if isinstance(each, np.ndarray) else each for each in args]
    try:
        return function(*given)
    except (ValueError, TypeError, IndexError) as error:
        return next(c for c in (ValueError, TypeError, IndexError) if isinstance(error, c))


def agree(function, decorated, *args):
    wanted, found = outcome(function, *args), outcome(decorated, *args)
    if isinstance(wanted, type):
        assert found is wanted, args
        return
    assert np.asarray(found).dtype == np.asarray(wanted).dtype, args
    assert np.shape(found) == np.shape(wanted), args
    np.testing.assert_allclose(found, wanted, rtol=1e-13, err_msg=str(args))


def bincount(x, weights, least):
    return np.bincount(x, weights, least)


@DECORATORS
def test_lists_are_counted(decorated):
    made = decorated(bincount)
    for args in (
        ([1, 2, 2], None, 0),
        ((3, 1), None, 2),
        ([0], [0.5], 4),
        ([1, 2, 2], [0.5, 0.25, 1], 0),
        (np.array([1, 2, 2], np.uint8), (1, 2, 3), 7),
        ([2, -1], None, 0),
        ([1, 2], [1.0, 2.0], -1),
    ):
        agree(bincount, made, *args)


@DECORATORS
@pytest.mark.parametrize("right", [False, True])
def test_bins_that_hold_nan(decorated, right):
    def places(x, bins):
        return np.digitize(x, bins, right)

    made, x = decorated(places), np.array([0.5, 1, 2.5, 3, NAN, INF, -INF])
    for bins in (
        [1.0, 2, 3, NAN], [NAN, 3.0, 2], [NAN, 1.5, 2.5, NAN], [1.5, NAN], [1.5, 1.5, NAN], [NAN],
        [2.0, 2], [3.0, 2, 2], [1.0, 3, 2], [1.0, 1, 0, 1], [1.0], [], [NAN, NAN], [1.0, NAN, NAN],
    ):  # fmt: skip
        agree(places, made, x, np.array(bins))


@DECORATORS
def test_whether_a_flag_among_all_arguments_is_known(decorated):
    def places(*args):
        return np.digitize(*args)

    def summed(*args):
        return np.sum(*args)

    made, sums = decorated(places), decorated(summed)
    for right in (True, False, True):
        agree(places, made, np.arange(4), np.array([1, 2]), right)
    for axis in (0, 1, -1, None):
        agree(summed, sums, np.arange(6.0).reshape(2, 3), axis)


def places_of_complex(a, v):
    return np.searchsorted(a, v), np.searchsorted(a, v, "right")


@DECORATORS
@pytest.mark.parametrize("dtype", ["complex64", "complex128"])
def test_complex_numbers_without_order_are_searched(decorated, dtype):
    parts = (0, 1, NAN)
    numbers = np.array([complex(*each) for each in itertools.product(parts, parts)], dtype)
    made = decorated(places_of_complex)
    for a in (np.sort(numbers), np.sort(np.tile(numbers, 3)), numbers[:0]):
        for v in (numbers, np.arange(2.0), numbers[3]):
            agree(lambda *args: places_of_complex(*args)[0], lambda *args: made(*args)[0], a, v)
            agree(lambda *args: places_of_complex(*args)[1], lambda *args: made(*args)[1], a, v)


def interpolated(x, xp, fp):
    return np.interp(x, xp, fp)


@DECORATORS
def test_values_between_points_that_are_not_finite(decorated):
    made = decorated(interpolated)
    x = np.array([NAN, -INF, 1.0, 1.5, 2, 2.5, 3, INF])
    for xp, fp in (
        ([3.0], [4.0]), ([1.0, 2, 3], [INF, 4, INF]), ([1.0, 2, 3], [NAN, 4, 5j]),
        ([1.0, 2, 3], [complex(INF, 1), complex(2, NAN), complex(3, -INF)]),
        ([1.0, 2, 2, 3], [1.0, 2, 3, 4j]), ([1.0, 2], [-INF, INF]), ([1.0, 2, INF], [1.0, 2, 3]),
    ):  # fmt: skip
        agree(interpolated, made, x, np.array(xp), np.array(fp))
        agree(interpolated, made, NAN, np.array(xp), np.array(fp))
    agree(interpolated, made, 1j, np.array([1.0, 2]), np.array([2.0, 3]))
    agree(interpolated, made, 1.0, np.array([1j, 2]), np.array([2.0, 3]))


def shares(x, q):
    return np.quantile(x, q)


@DECORATORS
def test_lists_of_quantiles(decorated):
    made = decorated(shares)
    percent, whole = decorated(lambda x, q: np.percentile(x, q)), lambda x, q: np.percentile(x, q)
    for x in (np.arange(5.0), np.arange(5, dtype=np.float32), np.arange(4)):
        for q in ([0.25, 0.5], (1, 0), (0, 0.5), [0.75], 0.3, np.array([0.1])):
            if x.dtype.kind == "f" or np.asarray(q).dtype.kind == "f":
                agree(shares, made, x, q)
        agree(whole, percent, x, [10, 62.5])
        agree(whole, percent, x, (50,))


def inserted(x, places, values, axis):
    return np.insert(x, places, values, axis)


@DECORATORS
def test_several_values_are_inserted_at_one_place(decorated):
    made = decorated(inserted)
    x = np.arange(6.0).reshape(2, 3)
    calls = itertools.product(
        (0, 1),
        ([1], np.array([-1]), 1, [0, 1], []),
        (7, [7, 8], [7.0, 8, 9], [[7], [8]], [[7, 8, 9], [1, 2, 3]], [[1, 2], [3, 4]]),
    )
    # each decorator has every other call: they differ in what a call is checked for
    for axis, places, values in itertools.islice(calls, decorated is ag.jit, None, 2):
        agree(inserted, made, x, places, values, axis)
    for places, values in (([1], []), ([2], [5, 6, 7]), ([0, 0], [5, 6]), ([1, 3], [5, 6, 7])):
        agree(inserted, made, np.arange(4), places, values, None)


def on_diagonal(v, k):
    return np.diagflat(v, k)


@DECORATORS
def test_nothing_on_a_diagonal(decorated):
    made = decorated(on_diagonal)
    for v, k in itertools.product(([], np.array([]), np.zeros((0, 2)), (1, 2), 3), (0, 1, -2)):
        agree(on_diagonal, made, v, k)


def covariances(x, ddof):
    return np.cov(x, ddof=ddof)


@DECORATORS
def test_a_float_that_is_whole_counts_degrees_of_freedom(decorated):
    made, x = decorated(covariances), np.arange(6.0).reshape(2, 3) ** 2
    for ddof in (0, 1.0, np.float32(1), 1.5, np.array([1.0])):
        agree(covariances, made, x, ddof)


def without_jumps(p, period):
    return np.unwrap(p, period=period)


@DECORATORS
def test_jumps_by_whole_periods(decorated):
    made = decorated(without_jumps)
    for period in (255, 360, 255.0, 6):
        for p in (np.array([0, 75, 150, 225, 300, 430]), np.array([0, 200.5, 400])):
            agree(without_jumps, made, p, period)


def test_numbers_and_arrays_without_dimensions():
    def found(x, others):
        return np.isin(x, others), np.flip(x), np.cov([x, 2.0, 4.0])

    f = ag.jit(found)
    for x, others in ((3, [1, 3]), (np.array(2.0), np.arange(40)), (np.float32(1), [])):
        for one, other in zip(f(x, others), found(x, others), strict=True):
            assert type(one) is type(other)
            np.testing.assert_allclose(one, other)


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (lambda x: np.percentile(x, [10.0, 110.0]), "Percentiles must be in the range [0, 100]"),
        (lambda x: np.quantile(x, x[2] + 1), "Quantiles must be in the range [0, 1]"),
        (lambda x: np.split(x, 2), "array split does not result in an equal division"),
        (lambda x: np.interp(x, x[:0], x[:0]), "array of sample points is empty"),
        (lambda x: np.interp(x, x, x[1:]), "fp and xp are not of the same length."),
        (lambda x: x[x > 5].argmax(), "attempt to get argmax of an empty sequence"),
        (lambda x: [x[0], x[1]].remove(x[2]), "list.remove(x): x not in list"),
    ],
)
def test_errors_say_what_numpys_and_pythons_say(function, message):
    x = np.arange(3.0)
    for one in (function, ag.jit(function)):
        with pytest.raises(ValueError, match=re.escape(message)):
            one(x)
