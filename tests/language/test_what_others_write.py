"""Programs of the kinds that were wrong, crashed or did not compile when others wrote them."""

from __future__ import annotations

import copy
import math
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import agir as ag


def longest_chain(numbers):
    chains = [[n] for n in numbers]
    for i in range(1, len(numbers)):
        for j in range(i):
            if numbers[i] % numbers[j] == 0 and len(chains[j]) >= len(chains[i]):
                chains[i] = copy.copy(chains[j])
                chains[i].append(numbers[i])
    best = []
    for each in chains:
        if len(each) > len(best):
            best = each
    return best


def determinant(rows):
    sign, n = 1, len(rows)
    for k in range(n):
        if rows[k][k] == 0:
            for j in range(k + 1, n):
                if rows[j][k] != 0:
                    rows[k], rows[j] = rows[j], rows[k]
                    sign = -sign
                    break
            else:
                return 0
        for j in range(k + 1, n):
            factor = rows[j][k] / rows[k][k]
            for i in range(k, n):
                rows[j][i] -= factor * rows[k][i]
    product = sign
    for k in range(n):
        product *= rows[k][k]
    return product


def taken_while_counted(values):
    kept = [values[0]]
    for place, value in enumerate(values):
        if value >= kept[-1]:
            kept.append(value)
            values.pop(place)
    return kept, values


def attacked(board, row, column):
    n = len(board)
    return (
        any(board[i][j] for i, j in zip(range(row), [column] * row, strict=False))
        or any(
            board[i][j]
            for i, j in zip(range(row - 1, -1, -1), range(column - 1, -1, -1), strict=False)
        )
        or any(
            board[i][j] for i, j in zip(range(row - 1, -1, -1), range(column + 1, n), strict=False)
        )
    )


def sums_across_nests(x, y, n):
    a, b, z = 0.5, n, x.copy()
    for _ in range(n):
        b = z[0]
        if b - abs(a) < 2 + min(b, a):
            for _ in range(n):
                a = z[-1]
            for _ in range(3):
                z = np.cos(y)
                a = b
            z = np.where(y > a, x, y - abs(a)) + (z - x)
        a = b
    c = a
    for _ in range(n - 2):
        for _ in range(n - 2):
            for _ in range(3):
                b = min(abs(a + c), c)
                b = z[0]
            b = abs(c + c * a)
        for _ in range(3):
            if b + 2 > min(abs(c), a + c):
                z = np.where(x > a, y, (y - c) * abs(b))
        c = a
    return a, b, c, z


def arrays_that_change_places(x, y, n):
    a, b, c, z = 1.5, n, x[0], x.copy()
    for _ in range(n - 2):
        for _ in range(n - 2):
            if c > abs(a):
                z, b = np.tanh(y), 7
            else:
                b, a = c, 1e-3 * (a * (a - a))
            if b < 3:
                c = abs(z[0]) * (2 - c)
                a = c
                z[::2] = a - b
            else:
                a = z[2] * b
                z = np.where(x > a, z, np.where(y > b, y, x))
            k = 0
            while k < 4:
                k += 1
                z[1:3] = c
                c = abs(z[0]) * (2 - c)
            for _ in range(n):
                a, z = b, y
                if z[2] > 1e-3:
                    break
        if c != a:
            continue
    if z[2] > b:
        b = a - c
    else:
        z = z + x * (c * b)
    return a, b, c, z


def alternating_series(x, terms):
    total, sign = 0.0, 1
    for k in range(terms):
        total += sign * x ** (2 * k) / math.factorial(2 * k)
        sign = -sign
    return total


def lucky(n):
    number, total = 3**n, 0
    while number:
        total += number % 10
        number //= 10
    return total


def largest_factor_by_sieve_on_demand(n):
    primes, seen = [2, 3], {2: 0, 3: 0}

    def prime(k):
        last = primes[-1]
        while len(primes) <= k:
            last += 2
            if all(last % p for p in primes):
                primes.append(last)
                seen[last] = len(seen)
        return primes[k]

    k = 0
    while n > 1:
        while n % prime(k) == 0:  # the test makes the list longer, which the body reads
            n //= prime(k)
        k += 1
    return prime(k - 1), primes, list(seen.items())


def collatz_steps_by_queue(n):
    queue, seen = [n], set()

    def step():
        while queue and queue[0] in seen:
            queue.pop(0)
        return len(queue) > 0

    count = 0
    while step():
        value = queue[0]
        seen.add(value)
        queue.append(value // 2 if value % 2 == 0 else 3 * value + 1)
        count += 1
    return count, sorted(seen)


def trails(n, a):
    found = {(a, 1): "x"}
    for i in range(n):
        found[i % 3, 2] = found.get((i % 3, 1), "") + "v"
        if i % 2:
            found[i % 3, 1] = found.get((i % 3, 2), "-") + "w"
    lines = ["" for _ in range(3)]
    for i in range(n):
        lines[i % 3] = lines[(i + 1) % 3] + "ab"[i % 2]
    return found, lines


BOARD = [[0, 1, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]]
ARRAYS = np.linspace(-1, 1, 5), np.arange(5.0) * 0.3
PROGRAMS: list[tuple[Callable[..., Any], list[tuple[Any, ...]]]] = [
    (longest_chain, [([3, 4, 6, 12, 5, 24],), ([1, 2, 3],), ([7],)]),
    (
        determinant,
        [([[0, 2, 3], [4, 5, 6], [7, 8, 10]],), ([[1, 2], [2, 4]],), ([[0, 0], [1, 2]],)],
    ),
    (taken_while_counted, [([4, 2, 5, 3, 7, 1],), ([1, 2, 3],)]),
    (attacked, [(BOARD, 2, 1), (BOARD, 2, 0), (BOARD, 1, 2), (BOARD, 2, 3)]),
    (sums_across_nests, [(*ARRAYS, 5), (*ARRAYS, 0)]),
    (arrays_that_change_places, [(*ARRAYS, 5), (*ARRAYS, 2)]),
    (alternating_series, [(3.0, 8), (0.5, 4)]),
    (lucky, [(15,), (0,)]),
    (largest_factor_by_sieve_on_demand, [(2 * 49 * 11,), (13,), (2,)]),
    (collatz_steps_by_queue, [(6,), (27,), (1,)]),
    (trails, [(9, 1), (0, 2), (4, 0)]),
]


def _shown(result: Any) -> str:
    """What tells results apart: NumPy's floats are Python's, too, and one where paths meet."""
    items = result if isinstance(result, tuple) else (result,)
    return repr([float(each) if isinstance(each, float) else each for each in items])


@pytest.mark.parametrize("compiled", [None, False], ids=["compiled", "interpreted"])
@pytest.mark.parametrize(
    ("function", "calls"), PROGRAMS, ids=lambda each: getattr(each, "__name__", "")
)
def test_the_program_does_what_it_does_in_plain_python(
    function: Callable[..., Any], calls: list[tuple[Any, ...]], compiled: bool | None
) -> None:
    decorated = ag.jit(function, jit_compile=compiled)
    for given in calls:
        wanted = function(*copy.deepcopy(given))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ag.errors.SideEffectWarning)
            found = decorated(*copy.deepcopy(given))
        np.testing.assert_equal(found, wanted)
        assert _shown(found) == _shown(wanted)


@pytest.mark.parametrize(("function", "given"), [(alternating_series, (3.0, 20)), (lucky, (1000,))])
def test_what_needs_more_than_64_bits_is_an_error(
    function: Callable[..., Any], given: tuple[Any, ...]
) -> None:
    with pytest.raises(OverflowError):
        ag.jit(function)(*given)
