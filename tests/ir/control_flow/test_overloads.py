"""Operators of the user's classes, comparisons of tuples: with branches on run-time values in them."""

from __future__ import annotations

import dataclasses

import pytest

import agir as ag


class Clipped:
    """A number that never leaves -10 ... 10."""

    def __init__(self, v):
        if v > 10:
            v = 10
        elif v < -10:
            v = -10
        self.v = v

    def __add__(self, other):
        if isinstance(other, Clipped):
            return Clipped(self.v + other.v)
        if isinstance(other, str):
            return NotImplemented
        return Clipped(self.v + other)

    def __radd__(self, other):
        return self + other if other > 0 else self

    def __sub__(self, other):
        while other > 0:
            other -= 3
        return Clipped(self.v + other)

    def __iadd__(self, other):
        if other > 2:
            self.v += other
        return self

    def __neg__(self):
        return Clipped(-self.v) if self.v > 2 else self

    def __invert__(self):
        return 1 if self.v > 2 else 0

    def __lt__(self, other):
        if self.v > 5:
            return False
        return self.v < other.v

    def __eq__(self, other):
        return self.v == other.v and self.v != 3

    __hash__ = None

    def __getitem__(self, i):
        if self.v > i:
            return i
        return self.v

    def __int__(self):
        return int(self.v) if self.v > 0 else 0

    def __float__(self):
        return float(self.v) if self.v > 0 else 0.5

    def __str__(self):
        return "big" if self.v > 3 else "small"


class Loud(Clipped):
    def __radd__(self, other):
        return Clipped(7) if self.v > 3 else Clipped(8)


def arithmetic(n):
    p = Clipped(n)
    return (p + 1).v, (p + p).v, (1 + p).v, (p - n).v, (-p).v, ~p


def augmented(n):
    p = q = Clipped(n)
    p += n
    n += 1
    p += n
    return p.v, q.v, n


def comparisons(n):
    p, q = Clipped(n), Clipped(3)
    return p < q, p > q, p == q, p != q, p == p, 1 if p < q else 2


def conditions(n):
    p, c = Clipped(n), 0
    while p < Clipped(8) and p != Clipped(5):
        p = p + 1
        c += 1
    return c, p.v


def items(n):
    p = Clipped(n)
    return p[2], p[n]


def conversions(n):
    p = Clipped(n)
    return int(p), float(p), str(p), str(p) + "!"


def subclasses_first(n):
    return (Clipped(n) + Loud(n)).v, (Loud(n) + Clipped(n)).v


def of_alternatives(n):
    p = Clipped(0)
    for i in range(n):
        p = p + i
    q = Loud(1) if n > 3 else p
    return (p + q).v, p < Clipped(3), q == p, (-q).v


def in_functions_and_comprehensions(n):
    def bump(p):
        if p < Clipped(4):
            p = p + 1
        return p

    made = [Clipped(n) + k for k in range(3)]
    return bump(Clipped(n)).v, [each.v for each in made], (lambda p: -p)(made[1]).v


def tuples(n):
    return (n, 1) < (4, 2), (n, 1) <= (4, 1), (n, 1, 2) > (n, 1), (n,) >= (4,), (n, 1) != (4, 1)


def lists(n):
    return [n, 1] < [4, 2], [n] == [4], [n, 2] != [4], [] < [n], [1, [n, 2]] < [1, [4, 3]]


def best_pair(n):
    best = (0, 0)
    for i in range(n):
        pair = ((i * 7) % 5, -i)
        if pair > best:
            best = pair
    return best


@dataclasses.dataclass(order=True)
class Version:
    major: object
    minor: object
    name: object = dataclasses.field(default="", compare=False)


def dataclass_order(n):
    a, b = Version(n, 2, "a"), Version(4, n, "b")
    return a == b, a != b, a < b, a >= b, 5 if a > b else 6


CASES = [
    arithmetic, augmented, comparisons, conditions, items, conversions, subclasses_first,
    of_alternatives, in_functions_and_comprehensions, tuples, lists, best_pair, dataclass_order,
]  # fmt: skip


@pytest.mark.parametrize("function", CASES, ids=lambda f: f.__name__)
def test_operators_do_what_they_do_in_python(agrees, function):
    agrees(function, (4,), (3,), (0,), (12,))


def unsupported(n):
    p = Clipped(n)
    if p < Clipped(100):
        return p * 2
    return p


def test_operators_that_a_class_does_not_have():
    with pytest.raises(TypeError, match=r"unsupported operand type\(s\) for \*"):
        ag.jit(unsupported)(3)


def test_only_functions_that_need_it_are_converted_so():
    @ag.jit
    def plain(n):
        return Version(n, 1).major + 1 < 3

    plain(3)
    assert "binary" not in ag.autograph.to_code(plain)

    @ag.jit
    def overloaded(n):
        return (Clipped(n) + 1).v

    assert "binary" not in ag.autograph.to_code(overloaded)
    overloaded(3)
    assert "ag__.binary('add', " in ag.autograph.to_code(overloaded)


def test_what_tracing_has_done_before_is_rolled_back():
    log = []

    @ag.jit
    def f(n):
        log.append("called")
        return (Clipped(n) + 1).v

    assert f(3) == 4
    assert f(4) == 5
    assert log == ["called", "called"]


def extrema_of_pairs(n):
    best = (100, -1)
    for i in range(n):
        best = min(best, ((i * 3) % 5, i))
    return best, max([(n, 1), (4, 2), (n, 0)]), min((n, 1), (4, 0)), max([n, 2], [4])


def sorted_pairs(n):
    pairs = sorted([(n, 1), (4, 2), (n, 0)])
    return pairs[0], pairs[-1]


@pytest.mark.parametrize("function", [extrema_of_pairs, sorted_pairs], ids=lambda f: f.__name__)
def test_functions_that_compare_tuples(agrees, function):
    agrees(function, (4,), (3,), (5,))
