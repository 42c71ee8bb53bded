"""Python assigns to several targets from left to right: parts of objects among variables, too."""

import pytest

import agir as ag
from agir import autograph


class Point:
    pass


def subscript_before(n):
    a, i = [0] * 6, n
    a[i], i = 7, 2
    return a, i


def subscript_after(n):
    a, i = [0] * 6, n
    i, a[i] = 2, 7
    return a, i


def nested(n):
    a, i = [0] * 6, n
    (a[i], i), a[i] = (7, 2), 9
    return a, i


def nested_later(n):
    a, i = [0] * 6, n
    a[i], (i, a[i]) = 7, (2, 8)
    return a, i


def starred(n):
    a, i = [0] * 6, n
    a[i], *i = 7, n, 3
    return a, i


def attribute(n):
    p, q = Point(), Point()
    r = p
    p.x, p = n, q
    return r.x, p is q


def rotated(n):
    p, q = Point(), Point()
    p.next, q.next, p.v, q.v = q, None, n, 2
    if n > 0:
        p.next, q.next, p = q.next, p, q
    return p.v, p.next is not None and p.next.v, p.next is not None and p.next.next is None


def of_a_loop(n):
    a, i = [0] * 6, 0
    for a[i], i in [(5, 1), (6, 2), (7, n)]:
        pass
    return a, i


def chained(n):
    a, i = [0] * 6, n
    a[i] = i = 3
    return a, i


def by_a_call(n):
    found, i = {}, n

    def following():
        nonlocal i
        i += 1
        return i

    found[following()], i = 7, 20
    return found, i


PROGRAMS = [
    subscript_before,
    subscript_after,
    nested,
    nested_later,
    starred,
    attribute,
    rotated,
    of_a_loop,
    chained,
    by_a_call,
]


@pytest.mark.parametrize("function", PROGRAMS, ids=lambda each: each.__name__)
@pytest.mark.parametrize("make", [autograph.convert, ag.jit])
def test_from_left_to_right(function, make):
    assert make(function)(1) == function(1)


def a_set_of_a_list(n):
    e = [set(), set()]
    for _ in range(n):
        e[-1] |= {1}
    return e


def a_set(n):
    e = set()
    for _ in range(n):
        e |= {1}
    return e


def a_set_in_a_branch(n):
    e = [{1, 2}, set()]
    x = e[0]
    if n > 3:
        x -= {1}
    return e


def a_dict(n):
    d = {"x": {1: 2}}
    for _ in range(n):
        d["x"] |= {1: 3}
    return d


def an_attribute(n):
    p = Point()
    p.x = {1, 2}
    for _ in range(n):
        p.x &= {2}
    return p.x


@pytest.mark.parametrize("n", [0, 5])
@pytest.mark.parametrize(
    "function", [a_set_of_a_list, a_set, a_set_in_a_branch, a_dict, an_attribute]
)
def test_sets_and_dicts_that_operators_change_in_place(function, n):
    assert ag.jit(function)(n) == function(n)
