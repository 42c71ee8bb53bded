"""A number of Python's has no operators with a list or tuple but ``*``; one of NumPy's has."""

from __future__ import annotations

import operator

import numpy as np
import pytest

import agir as ag

OPERATORS = [
    operator.add, operator.sub, operator.truediv, operator.floordiv, operator.mod, operator.pow,
    operator.matmul, operator.and_, operator.or_, operator.xor, operator.lshift, operator.rshift,
    operator.lt, operator.ge, divmod, pow, operator.isub,
]  # fmt: skip
NUMBERS = (3, 1.5, True, 2j)


@pytest.mark.parametrize("of", OPERATORS, ids=lambda f: f.__name__)
def test_python_has_none(of):
    def right(values, x):
        return of(values, x)

    def left(values, x):
        return of(x, values)

    def made(values, x):
        return of([x, 2], x)

    for function in (right, left, made):
        for values in ([4, 5], (4, 5), []):
            for x in NUMBERS:
                with pytest.raises(TypeError):
                    function(values, x)
                with pytest.raises(TypeError):
                    ag.jit(function)(values, x)


def test_in_branches_and_handlers():
    @ag.jit
    def told(values, x):
        try:
            if x > 1:
                return values - x
        except TypeError:
            return "no"
        return "yes"

    assert told([1, 2], 3) == "no"
    assert told([1, 2], 0) == "yes"


def test_the_others_have_them():
    @ag.jit
    def some(values, x, a):
        return a - values, values / np.float64(x), values * 2, 2 * values, a[0] + values

    a = np.array([1.5, 2.5])
    expected = (a - [4, 5], [4, 5] / np.float64(3), [4, 5] * 2, 2 * [4, 5], a[0] + [4, 5])
    got = some([4, 5], 3, a)
    for one, other in zip(got, expected, strict=True):
        assert type(one) is type(other)
        np.testing.assert_array_equal(one, other)


def first(x):
    return x[0]


def flat(values, x):
    found = []
    for each in (values, x):
        try:
            found.append(each[0])
        except TypeError:
            found.append(each)
    return found


def taken(x):
    return x[()]


def added_axis(x):
    return x[None]


def test_a_number_has_no_items():
    for x, name in ((3, "int"), (1.5, "float"), (True, "bool"), (2j, "complex")):
        for function in (first, taken, added_axis):
            with pytest.raises(TypeError, match=f"'{name}' object is not subscriptable"):
                function(x)
            with pytest.raises(TypeError, match=f"'{name}' object is not subscriptable"):
                ag.jit(function)(x)
        assert ag.jit(flat)([4, 5], x) == flat([4, 5], x)
    assert ag.jit(taken)(np.float64(2.5)) == 2.5
    np.testing.assert_array_equal(ag.jit(added_axis)(np.float64(2.5)), [2.5])
    np.testing.assert_array_equal(ag.jit(added_axis)(np.array(2.5)), [2.5])
