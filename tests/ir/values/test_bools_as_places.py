"""Bools of the run time: where Python takes them for 0 and 1, and where it asks which one they are."""

from __future__ import annotations

import cmath
import math
import operator

import numpy as np
import pytest

import agir as ag

A = np.arange(3.0)


def of_known_lists(p, x):
    return [1, 2][p], (1.0, 2.0)[x > 0], [A, A * 2][x > 0], [[1, 2], [3, 4]][p][x > 0]


def of_lists(p, x):
    values = [x, x + 1]
    values[x > 0] = 7.0
    return values[p], values[not p], values[p:]


def of_others(p, x):
    return range(5)[p], {True: 1, False: 2}[p], {0: 1, 1: 2}[x > 0], "ab"[p] == "b"


def repeated(p, x):
    return len([x] * p), (1, 2)[p] * p


def which(p, x):
    return p is True, p is not True, False is p, (x > 0) is True, (np.float64(x) > 0) is True


def numbers_of(truth):
    return truth + truth, -truth, [10, 20][truth], truth * 2.5, truth is True, 7 * (not truth)


def of_operators(p, x):
    return (
        *numbers_of(not x),
        *numbers_of(0 < x < 5),
        *numbers_of(x > 0 and p),
        *numbers_of(p or x > 3),
        *numbers_of(not (p and x)),
        *numbers_of(A[1] in (x, 1.0)),
    )


def of_functions(p, x):
    return (
        *numbers_of(any(v > x for v in A)),
        *numbers_of(all([p, x > 0])),
        *numbers_of(math.isclose(x, 1.0)),
        *numbers_of(cmath.isinf(x)),
        *numbers_of((x, 1) == (1.0, 1)),
        *numbers_of(operator.not_(p)),
        *numbers_of(isinstance(x, float) and bool(x > 0)),
        *numbers_of(2 in A * x),
    )


def of_numbers(p, x):
    return (
        *numbers_of(any([x])),
        *numbers_of(all([x, 2])),
        *numbers_of(any((x * 0, [x][:0]))),
        *numbers_of(all([[x], p])),
        *numbers_of(all(v for v in (x, p))),
        *numbers_of(any(A[1:2])),
    )


def branches(p, x):
    if p is True:
        x = x * 2
    return x if p is not False else x + 100


def counted(p, x):
    done, count = False, 0
    while done is False:
        count += 1
        if count > 3:
            done = True
    return count


def perhaps_none(p, x):
    flag = None
    if x > 0:
        flag = p
    if flag is True:
        return 1
    return 2 if flag is False else 3


@pytest.mark.parametrize(
    "function",
    [
        of_known_lists,
        of_lists,
        of_others,
        repeated,
        which,
        of_operators,
        of_functions,
        branches,
        counted,
        perhaps_none,
    ],
)
@pytest.mark.parametrize("x", [1.0, -1.0])
@pytest.mark.parametrize("p", [True, False])
def test_as_in_python(function, p, x):
    found, wanted = ag.jit(function)(p, x), function(p, x)
    if not isinstance(wanted, tuple):
        found, wanted = (found,), (wanted,)
    for one, other in zip(found, wanted, strict=True):
        np.testing.assert_array_equal(one, other)


def test_numpys_are_no_places_and_are_not_true():
    x = np.array([1.0])
    with pytest.raises(TypeError, match=r"indices are integers or slices, not numpy.bool"):
        ag.jit(lambda x: [1, 2][x[0] > 0])(x)
    assert not ag.jit(lambda x: (x[0] > 0) is True)(x)


@pytest.mark.parametrize("function", [any, all])
def test_rows_have_no_truth_value(function):
    decorated = ag.jit(lambda x: function(x))
    for shape in ((2, 2), (1, 3), (2, 0)):
        with pytest.raises(ValueError, match="ambiguous"):
            decorated(np.ones(shape))
    for shape in ((0, 3), (2, 1)):
        assert decorated(np.ones(shape)) == function(np.ones(shape))
