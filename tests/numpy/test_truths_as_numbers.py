"""Python's bools of the run time are the numbers 0 and 1 where they are computed with."""

import operator

import numpy as np
import pytest

import agir as ag

UNARY = [operator.neg, operator.pos, operator.invert, abs, round, int, float]
BINARY = [
    operator.add, operator.sub, operator.mul, operator.truediv, operator.floordiv, operator.mod,
    operator.pow, operator.lshift, operator.rshift, operator.and_, operator.or_, operator.xor,
]  # fmt: skip


@pytest.mark.filterwarnings("ignore:Bitwise inversion:DeprecationWarning")
@pytest.mark.parametrize("function", UNARY)
def test_one(function):
    def applied(a):
        return function(a > 0), function(bool(a))

    decorated = ag.jit(applied)
    for a in (1.0, 0.0):
        wanted, found = applied(a), decorated(a)
        assert found == wanted
        assert [np.asarray(v).dtype for v in found] == [np.asarray(v).dtype for v in wanted]


@pytest.mark.parametrize("function", BINARY)
def test_two(function):
    def applied(a, b):
        return function(a > 0, b > 0), function(a > 0, True), function(True, b > 0)

    decorated = ag.jit(applied)
    for a in (1.0, 0.0):
        wanted, found = applied(a, 1.0), decorated(a, 1.0)
        assert found == wanted
        assert [np.asarray(v).dtype for v in found] == [np.asarray(v).dtype for v in wanted]


def test_counted_truths():
    def counted(x, least):
        found = False
        for each in x:
            found += bool(each > least)
        return found, True + (least > 0), -(least > 0)

    x = np.array([1.0, 3.0, 4.0])
    assert ag.jit(counted)(x, 2.0) == counted(x, 2.0) == (2, 2, -1)


def test_those_of_arrays_stay_bools():
    def added(x):
        return (x[0] > 0) + (x[1] > 0), (x > 0) + (x[0] > 0), (x > 0) + True

    x = np.ones(2)
    for found, wanted in zip(ag.jit(added)(x), added(x), strict=True):
        assert np.asarray(found).dtype == np.asarray(wanted).dtype
        np.testing.assert_array_equal(found, wanted)
