"""The test of a ``while`` may write to lists, dicts and arrays, which are not copied for it."""

from __future__ import annotations

import re

import numpy as np
import pytest

import agir as ag


def divisors(n, known):
    if n in known:
        return known[n]
    count = 0
    for i in range(1, n + 1):
        count += n % i == 0
    known[n] = count
    return count


def with_memory(limit):
    known = {0: 0}
    n = triangle = 1
    while divisors(triangle % 40, known) + n // 5 < limit:
        n += 1
        triangle += n
    return n, triangle, known


def taken(stack):
    stack.append(len(stack))
    return stack.pop(0)


def from_a_list(items, n):
    seen, stack = [], list(items)
    while taken(stack) != n:
        seen.append(stack[0])
        if len(seen) > 20:
            break
    else:
        seen.append(-1)
    return seen, stack


def counted(x, i):
    x[i % 3] += i
    return x.sum()


def in_an_array(x, limit):
    i = 0
    while counted(x, i) < limit:
        i += 1
        if i % 7 == 3:
            x[0] -= 1
            continue
        x[1] += 1
    return i


def that_fails(items, n):
    stack, found = list(items), 0
    try:
        while taken(stack) < 100:
            found += 10 // (n - found)
    except ZeroDivisionError:
        return found, stack, True
    return found, stack, False


CASES = [
    (with_memory, (10,)),
    (from_a_list, ([5, 1, 4], 4)),
    (from_a_list, ([5, 1, 4], 9)),
    (in_an_array, (np.zeros(3), 40.0)),
    (that_fails, ([3, 1, 2], 10)),
    (that_fails, ([200], 12)),
]


@pytest.mark.parametrize(("function", "arguments"), CASES)
def test_test_writes(function, arguments):
    mine = tuple(
        each.copy() if isinstance(each, (list, np.ndarray)) else each for each in arguments
    )
    assert ag.jit(function)(*mine) == function(*arguments)
    np.testing.assert_equal(mine, arguments)


def test_nothing_is_copied_in_each_iteration():
    text = ag.jit(with_memory).experimental_get_compiler_ir(10)("bufferized")
    loop = text[text.index("scf.while") :]
    tested = loop[: loop.index("} do {")]
    assert not re.search(r"memref\.copy|find_place", tested)
