"""Programs in which random ones have found a mistake, each as small as it can be."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

import agir as ag
from agir.runtime.recording import tracing


class Point:
    """An object that is compared by its identity."""

    def __init__(self, x, y):
        self.x = x
        self.y = y


def one_of_several_or_none(a, n):
    p, q = Point(a, 0), None
    for _ in range(n):
        p = Point(3, p.x)
        q = p
    for _ in range(n):
        q = p
    return p is q, q is p, p is not q, p == q, p != q, q is None


def after_while_loops(a, n):
    p, q = Point(a, 0), None
    k = n
    while k < n + 3:
        p = Point(3, p.x)
        for _ in range(n % 3):
            q = p
            p = Point(p.y, p.x)
        k += 2
    if a > 1:
        for _ in range(a % 5, n):
            q = p
    return p is q, p.x


def none_or_a_list(a, n):
    p, q = [a], None
    for _ in range(n):
        p = [3, p[0]]
        q = p
    for _ in range(n):
        q = p
    return p is q, p == q


@pytest.mark.parametrize("program", [one_of_several_or_none, after_while_loops, none_or_a_list])
def test_what_may_be_none_is_told_apart_from_one_of_several(program):
    compiled = ag.jit(program)
    for arguments in ((7, 9), (7, 0), (0, 3), (3, 1), (2, 2)):
        found, expected = compiled(*arguments), program(*arguments)
        assert found == expected, arguments
        assert [type(each) for each in found] == [type(each) for each in expected]


def counters_and_lists(a, b, n):
    counted = Counter([a, b, a])
    lists = {0: [a]}
    for _ in range(n):
        counted = counted + Counter([a % 5])
    found = lists.get(n)
    if found is not None:
        found.append(a)
    return counted, lists


def test_what_is_returned_may_tell_what_lists_hold():
    compiled = ag.jit(counters_and_lists)
    for arguments in ((3, 5, 2), (5, 3, 3), (1, 1, 0)):
        assert compiled(*arguments) == counters_and_lists(*arguments)


def growing_texts(a, n):
    found = {}
    k = n
    while k < n + 5:
        if (3, 1) in found:
            found[3, 1] = found.get((3, 1), "") + "v"
        found.pop((a, 7), None)
        found[k % 7, 2] = str(k % 5)
        found[3, 1] = found.get((3, 1), "u")
        k += 1
    return found


def test_texts_that_grow_are_not_met_one_in_each_trace(monkeypatch):
    traces = []
    record = tracing._record
    monkeypatch.setattr(tracing, "_record", lambda *given: traces.append(1) or record(*given))
    compiled = ag.jit(growing_texts)
    for arguments in ((3, 2), (0, 5), (2, 0)):
        assert compiled(*arguments) == growing_texts(*arguments)
    assert len(traces) <= 24  # some texts, and what is known of the dict


def test_the_transposes_of_matrices_as_an_attribute():
    @ag.jit
    def transposed(x):
        y = x.mT
        y[..., 0] += 1
        return y.sum(axis=-1), x

    for shape in ((2, 3), (4, 2, 3)):
        x, own = np.arange(24.0)[: np.prod(shape)].reshape(shape), None
        own = x.copy()
        for found, expected in zip(transposed(own), transposed.python_function(x), strict=True):
            np.testing.assert_array_equal(found, expected)
    with pytest.raises(ValueError, match=r"ndim|dimensions"):
        transposed(np.arange(3.0))


def test_a_context_manager_of_a_library_is_entered_once_in_each_trace():
    @ag.jit
    def divided(x, y, n):
        with np.errstate(divide="ignore"):
            z = x
            if n > 2:
                z = y
            z[0] = 1 / z[1]
        return x, y

    for n in (1, 3):
        given = [np.arange(3.0), np.arange(3.0) + 5]
        expected = divided.python_function(*(each.copy() for each in given), n)
        for mine, other in zip(divided(*given, n), expected, strict=True):
            np.testing.assert_array_equal(mine, other)

    @ag.jit
    def refused(x, y):
        with np.errstate(divide="ignore"):
            z = x
            if (x != 0).any():
                z = y
            z += 1
        return z

    with pytest.raises(ag.errors.StagingError, match="another number of dimensions"):
        refused(np.ones((3, 1)), np.ones(0))


def test_a_later_result_has_a_list_that_an_earlier_one_knows_nothing_of():
    @ag.jit
    def several(a, b, n):
        rows = [[a, 1], [b, n, 2], [3]]
        s = -4 + n - n
        p = rows[0]
        q = [4, n]
        rows[0] = rows[0]
        q = p
        if (n + 2147483647) > q[0]:
            q = rows[1][:]
        p = rows[s % 3]
        return rows, p, q, p is rows[0]

    assert several(3, 5, 2) == several.python_function(3, 5, 2)
