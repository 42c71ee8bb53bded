"""Operators of a user's class: what they make and change is seen, in branches and loops as well."""

from __future__ import annotations

import copy
import functools
import itertools
import math
import operator
from typing import Any

import pytest

import agir as ag


class Account:
    """An object that its operators change."""

    def __init__(self, x=0):
        self.x = x
        self.log = []
        self.asked = 0

    def __iadd__(self, k):
        self.x += k
        return self

    def __lshift__(self, k):
        self.log.append(k)
        return self

    def __neg__(self):
        self.x = -self.x
        return self

    def __eq__(self, other):
        self.asked += 1
        return self.x == other

    __hash__ = None

    def __lt__(self, other):
        self.asked += 1
        return self.x < other.x

    def __add__(self, k):
        return Account(self.x + k)

    def __radd__(self, k):
        return Account(k + self.x)

    def __pos__(self):
        return Account(self.x)

    def __mul__(self, k):
        made = Account(self.x)
        for _ in range(k):
            made += self.x
        return made


class Ratio:
    """A value that nothing changes, which may be a key."""

    __slots__ = ("a", "b")

    def __init__(self, a, b=1):
        divisor = math.gcd(a, b) or 1
        self.a, self.b = a // divisor, b // divisor

    def __add__(self, other):
        other = other if isinstance(other, Ratio) else Ratio(other)
        return Ratio(self.a * other.b + other.a * self.b, self.b * other.b)

    __radd__ = __add__

    def __neg__(self):
        return Ratio(-self.a, self.b)

    def __lt__(self, other):
        return self.a * other.b < other.a * self.b

    def __eq__(self, other):
        return isinstance(other, Ratio) and self.a == other.a and self.b == other.b

    def __hash__(self):
        return hash((self.a, self.b))


def added(n):
    return Account(n) + 1


def added_after_a_number(n):
    return [3 + Account(n), sum([Account(n), Account(1)])]


def of_the_same(n):
    return +Account(n), Account(n) * 3, Account(n) * n


def two_names(n):
    a = Account(n) + 1
    b = a
    b.x = 7
    return [a, b, Account(n) + 1]


def changed_in_a_branch(n):
    a = Account(n) + 1
    if n > 2:
        a += 5
        a << 1 << n
        -a  # noqa: B018
    else:
        a += 1
    if n > 4:
        a.x = 70
    a.log.append(n)
    return a


def changed_in_a_loop(n):
    a = Account()
    for i in range(n):
        a += i
        a << i << 2
        a = a + i if i % 2 else a
    return a.x, a.log


def asked_in_a_branch(n):
    a, b = Account(n), Account(2)
    if a < b:
        pass
    if n > 2:
        a < b  # noqa: B015
        a == 3  # noqa: B015
    return a.asked, b.asked, max(a, b).x


def in_a_dict(n):
    a = Account(n) + 1
    found = {"a": a}
    found["b"] = a + n
    return found


def of_an_argument(a, n):
    a += n
    if n > 1:
        a << 3
    return a, a + n


def of_a_list(accounts, n):
    return [each + n for each in accounts]


def by_a_helper(n):
    return twice(made(n)).x


def made(n):
    return Account(n)


def twice(account):
    return account + account.x


def sums(n):
    ratios = [Ratio(i, n + 1) for i in range(n)]
    return sum(ratios), sum(ratios, Ratio(1)), list(itertools.accumulate(ratios))


def functions(n):
    a, b = Ratio(1, n + 1), Ratio(n, 2)
    pairs = list(map(operator.add, [a, b], [b, 1]))
    return functools.reduce(operator.add, [a, b, a]), operator.lt(a, b), operator.neg(a), pairs


def changed_by_functions(n):
    a = Account(n)
    if n > 2:
        operator.iadd(a, 3)
        operator.lshift(a, n)
    return a


def keys(n):
    ratios = [Ratio(i, n) for i in range(1, n + 1)]
    return {each: i for i, each in enumerate(ratios)}, set(ratios)


QUARTERS = Ratio(3, 4)
SOME = [Ratio(1, 2), Ratio(2, 3)]


class Rates:
    one = Ratio(1, 5)


def of_outside(n):
    return (
        QUARTERS + n,
        [each + n for each in SOME],
        SOME[0] + n,
        Rates.one + n,
        QUARTERS < Ratio(n, 2),
    )


NUMBERS = [(3,), (0,), (10,), (2,)]
CALLS: list[tuple[Any, list[tuple[Any, ...]]]] = [
    *((each, NUMBERS) for each in (added, added_after_a_number, of_the_same, two_names)),
    *((each, NUMBERS) for each in (changed_in_a_branch, changed_in_a_loop, asked_in_a_branch)),
    *((each, NUMBERS) for each in (in_a_dict, by_a_helper, sums, functions, changed_by_functions)),
    (keys, NUMBERS),
    (of_outside, NUMBERS),
    (of_an_argument, [(Account(3), 2), (Account(0), 0), (Account(5), 1)]),
    (of_a_list, [([Account(3), Account(4)], 2), ([], 0), ([Account(1)] * 5, 3)]),
]


def shown(value: Any) -> Any:
    """What a value is, with classes, to be compared."""
    if isinstance(value, Account):
        return "Account", shown(value.x), shown(value.log), shown(value.asked)
    if isinstance(value, Ratio):
        return "Ratio", shown(value.a), shown(value.b)
    if isinstance(value, list | tuple):
        return type(value), [shown(each) for each in value]
    if isinstance(value, dict):
        return type(value), [(shown(key), shown(each)) for key, each in value.items()]
    if isinstance(value, set):
        return type(value), sorted(repr(shown(each)) for each in value)
    return type(value), value


@pytest.mark.parametrize(("function", "calls"), CALLS, ids=[each.__name__ for each, _ in CALLS])
def test_operators_do_what_they_do_in_plain_python(
    function: Any, calls: list[tuple[Any, ...]]
) -> None:
    compiled = ag.jit(function)
    for args in calls:
        plain, own = copy.deepcopy(args), copy.deepcopy(args)
        expected = shown(function(*plain)), shown(list(plain))
        assert (shown(compiled(*own)), shown(list(own))) == expected
