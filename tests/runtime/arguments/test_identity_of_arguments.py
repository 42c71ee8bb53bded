"""``is`` between arrays and tuples: which of the arguments are one object."""

from __future__ import annotations

import copy

import numpy as np
import pytest

import agir as ag


def difference(a, b):
    return a.sum() if a is b else a.sum() - b.sum()


def written(a, b):
    if a is b:
        a[0] = 7
    else:
        b[0] = 1
    return a[0] + b[0]


def in_loop(a, b):
    count = 0
    for i in range(3):
        chosen = a if i == 0 else b
        if chosen is not a:
            count += 1
    return count


def parts(p, q):
    return p is q, p[0] is q[0], p[1] is q[1]


def made_here(a, b):
    name, part, more = a, a[:], a + 0
    return a is name, part is a, more is a, more is part, (a, b) is (a, b)


X, Y = np.arange(3.0), np.arange(3.0)
L = [1, 2]
PAIR = (X, L)


@pytest.mark.parametrize("order", [1, -1])
@pytest.mark.parametrize("function", [difference, written, in_loop, made_here])
def test_arrays(function, order):
    compiled = ag.jit(function)
    for arguments in [(X, X), (X, Y), (Y, Y), (Y, X)][::order]:
        for _ in range(2):
            plain, given = copy.deepcopy(arguments), copy.deepcopy(arguments)
            assert compiled(*given) == function(*plain)
            np.testing.assert_array_equal(given, plain)


def test_tuples_and_what_is_in_them():
    compiled = ag.jit(parts)
    for pair in [
        (PAIR, PAIR),
        (PAIR, (X, L)),
        (PAIR, (Y, L)),
        ((X, [1, 2]), PAIR),
        ((Y, L), (X, [1, 2])),
    ]:
        assert compiled(*pair) == parts(*pair)


def test_calls_in_calls():
    inner = ag.jit(lambda a, b: a is b)

    @ag.jit
    def outer(x, y):
        pair, more = (x, y), x + 1
        return inner(x, x), inner(x, y), inner(pair, pair), inner(more, more), inner(more, x + 1)

    assert outer(X, Y) == (True, False, True, True, False)
    assert outer(X, X) == (True, True, True, True, False)


def test_after_many_calls():
    compiled = ag.jit(difference)
    for _ in range(40):
        assert compiled(X, Y) == 0
    assert compiled(X, X) == 3
    assert compiled(Y, X) == 0


def test_a_concrete_function_is_for_the_same_objects():
    function = ag.jit(lambda a, b: a is b)
    for one, other in (([1], [2]), (X, Y)):
        apart = function.get_concrete_function(one, other)
        assert apart(one, other) is False
        with pytest.raises(TypeError, match="traced for arguments of which others are one object"):
            apart(one, one)
        same = function.get_concrete_function(one, one)
        assert same(one, one) is True
        with pytest.raises(TypeError, match="traced for arguments of which others are one object"):
            same(one, other)


def test_an_input_signature_says_nothing_of_it():
    vector = ag.TensorSpec([None], ag.float64)
    compiled = ag.jit(difference, input_signature=[vector, vector])
    with pytest.raises(ag.errors.StagingError, match="the input signature says nothing of that"):
        compiled(X, Y)
