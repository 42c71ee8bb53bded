"""Ints of Python's are exact, or the call raises an ``OverflowError`` and has written nothing."""

from __future__ import annotations

import math
import operator
import sys
from pathlib import Path

import numpy as np
import pytest

import agir as ag

sys.path.insert(0, str(Path(__file__).parent.parent / "ir"))

from exact_programs import Writer, wrong

LEAST, GREATEST = -(2**63), 2**63 - 1
EDGES = [LEAST, LEAST + 1, LEAST // 2, -(2**32), -3, -1, 0, 1, 2, 7, 3037000499, 2**62, GREATEST]


def agrees(compiled, function, *arguments):
    expected = function(*arguments)
    fits = all(LEAST <= each <= GREATEST for each in np.ravel(np.array(expected, object)))
    if fits:
        assert compiled(*arguments) == expected
    else:
        with pytest.raises(OverflowError, match="needs more than the 64 bits"):
            compiled(*arguments)


@pytest.mark.parametrize("name", ["add", "sub", "mul"])
def test_arithmetic(name):
    apply = getattr(operator, name)

    def both(a, b):
        return apply(a, b)

    compiled = ag.jit(both)
    for a in EDGES:
        for b in EDGES:
            agrees(compiled, both, a, b)


@pytest.mark.parametrize("number", [LEAST, -7, -1, 0, 1, 3, 2**40, GREATEST])
@pytest.mark.parametrize("name", ["add", "sub", "mul"])
def test_arithmetic_with_constants(name, number):
    apply = getattr(operator, name)

    def left(a):
        return apply(number, a)

    def right(a):
        return apply(a, number)

    for function in (left, right):
        compiled = ag.jit(function)
        around = {limit // (number or 1) + d for limit in (LEAST, GREATEST) for d in (-1, 0, 1)}
        for a in {*EDGES, *(each for each in around if LEAST <= each <= GREATEST)}:
            agrees(compiled, function, a)


FUNCTIONS = {
    "power": (lambda a, b: a**b, [(2, 62), (2, 63), (-2, 63), (-2, 64), (10, 18), (10, 30), (0, 0)]),
    "shift": (lambda a, b: a << b, [(1, 62), (1, 63), (-1, 63), (-1, 64), (0, 1000), (3, 61)]),
    "absolute": (lambda a, b: abs(a) + b, [(LEAST, 0), (LEAST + 1, 0), (-5, 1)]),
    "negative": (lambda a, b: -a, [(LEAST, 0), (GREATEST, 0)]),
    "quotient": (lambda a, b: a // b, [(LEAST, -1), (LEAST, 1), (7, -2)]),
    "factorial": (lambda a, b: math.factorial(a), [(20, 0), (21, 0), (25, 0)]),
    "combinations": (lambda a, b: math.comb(a, b), [(66, 33), (68, 34)]),
    "arrangements": (lambda a, b: math.perm(a, b), [(20, 19), (21, 20)]),
    "multiple": (lambda a, b: math.lcm(a, b), [(2**62, 3), (2**40, 3**14)]),
    "product": (lambda a, b: math.prod([a] * b), [(2, 62), (2, 63), (-2, 63), (-2, 64)]),
    "sum of two": (lambda a, b: sum([a, b]), [(2**62, 2**62), (2**62, 2**61)]),
    "sum of a list": (lambda a, b: sum([a for _ in range(b)]), [(2**62, 2), (2**62, 1), (-(2**62), 3)]),
    "sum of a generator": (lambda a, b: sum(a for _ in range(b)), [(2**62, 2), (-(2**62), 2)]),
    "induction": (lambda a, b: [i * a for i in range(b)][-1], [(2**62, 2), (2**62, 3)]),
}  # fmt: skip


@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions(name):
    function, arguments = FUNCTIONS[name]
    compiled = ag.jit(function)
    for each in arguments:
        agrees(compiled, function, *each)


def fibonacci(n):
    a, b = 0, 1
    for _ in range(n):
        a, b = b, a + b
    return a


def counted(n, m):
    found = 0
    for i in range(n):
        for j in range(m):
            if (i + j) % 3 == 0:
                found += 1
    return found


def steps(n):
    total = 0
    for i in range(1, n):
        k = i
        while k > 1:
            k //= 2
            total += 1
    return total


def squares(n):
    total = 0
    for i in range(n):
        total += i * i
    return total


def fails(function, *arguments):
    text = ag.jit(function).experimental_get_compiler_ir(*arguments)(stage="hlo")
    return text.count("call @fail_unless")


def test_counts_need_no_checks():
    assert fails(counted, 3, 4) == 0
    assert fails(steps, 9) == 0
    assert fails(fibonacci, 9) == 1
    assert ag.jit(counted)(30, 40) == counted(30, 40)
    assert ag.jit(steps)(90) == steps(90)


def test_sums_in_loops():
    compiled = ag.jit(fibonacci)
    assert compiled(91) == fibonacci(91)
    with pytest.raises(OverflowError, match=r"at .*: a, b = b, a \+ b"):
        compiled(100)
    compiled = ag.jit(squares)
    for n in (0, 10, 2**20 + 3):
        assert compiled(n) == (n - 1) * n * (2 * n - 1) // 6


def test_loops_are_checked_once():
    """One comparison before the loop, which is then as if nothing were checked."""
    text = ag.jit(squares).experimental_get_compiler_ir(9)(stage="loops")
    fast = text.partition("} else {")[0]
    assert "i128" not in fast
    assert "i128" in text


def test_nothing_has_been_written():
    @ag.jit
    def filled(x, a):
        for i in range(len(x)):
            x[i] = i
            a *= 10
        return a

    x = np.zeros(30)
    with pytest.raises(OverflowError):
        filled(x, 1)
    assert not x.any()
    assert filled(x[:5], 1) == 10**5


def test_an_overflow_is_no_error_that_a_program_handles():
    @ag.jit
    def f(a):
        try:
            b = a * 4
        except ArithmeticError:
            b = 0
        return b

    assert f(5) == 20
    with pytest.raises(OverflowError):
        f(2**62)


def test_a_number_beyond_64_bits_on_a_path_that_is_not_taken():
    @ag.jit
    def f(n):
        return 2**70 if n > 62 else n

    assert f(3) == 3
    with pytest.raises(OverflowError, match="1180591620717411303424 needs more than the 64 bits"):
        f(63)


def test_numpys_integers_wrap_around():
    @ag.jit
    def f(a):
        with np.errstate(over="ignore"):
            return np.int64(a) * np.int64(4)

    assert f(2**62) == 0


@pytest.mark.parametrize("first", range(1, 61, 10))
def test_random_programs(first):
    found = {seed: wrong(Writer(seed).program()) for seed in range(first, first + 10)}
    bad = {seed: each for seed, each in found.items() if each and each[0] != "refused"}
    assert not bad


@pytest.mark.parametrize("name", ["lt", "le", "gt", "ge", "eq", "ne"])
def test_ints_are_compared_with_floats_without_being_rounded(name):
    apply = getattr(operator, name)

    def both(a, x):
        return apply(a, x), apply(x, a)

    compiled = ag.jit(both)
    floats = [2.0**53, -(2.0**53), 2.0**63, -(2.0**63), 0.5, math.inf, -math.inf, math.nan, 1e300]
    for a in (*EDGES, 2**53 + 1, 2**53 - 1, -(2**53) - 1):
        for x in (*floats, float(a)):
            assert compiled(a, x) == both(a, x), (a, x)


def test_enumerate_counts_on_from_any_int():
    def numbered(first, values):
        return [i for i, _ in enumerate(values, first)]

    compiled = ag.jit(numbered)
    for first in (0, 5, LEAST, GREATEST - 2):
        assert compiled(first, np.zeros(3)) == numbered(first, np.zeros(3))
    with pytest.raises(OverflowError):
        compiled(GREATEST - 1, np.zeros(3))
