"""Integers: ``math.comb`` and its like, ``pow`` with a modulus, ``int.bit_length``."""

from __future__ import annotations

import math

__ag_convert__ = True

_SQUARED = 3037000499
"""The square of this is the last one that fits 64 bits."""


def factorial(n: int) -> int:
    """The product of the numbers up to ``n``."""
    if n < 0:
        raise ValueError("factorial() not defined for negative values")
    result = 1
    for factor in range(2, n + 1):
        result *= factor
    return result


def perm(n: int, k: int | None = None) -> int:
    """In how many orders ``k`` of ``n`` things can be taken."""
    if k is None:
        return factorial(n)
    _check(n, k)
    result = 1
    for taken in range(k if k <= n else 0):
        result *= n - taken
    return result if k <= n else 0


def comb(n: int, k: int) -> int:
    """In how many ways ``k`` of ``n`` things can be chosen."""
    _check(n, k)
    count = min(k, n - k)
    result = 1
    for chosen in range(count):  # the product of both would need more bits than the result
        divisor = math.gcd(result, chosen + 1)
        result = result // divisor * ((n - chosen) // ((chosen + 1) // divisor))
    return result if k <= n else 0


def _check(n: int, k: int) -> None:
    if n < 0:
        raise ValueError("n must be a non-negative integer")
    if k < 0:
        raise ValueError("k must be a non-negative integer")


def lcm(*integers: int) -> int:
    """The least common multiple."""
    result = 1
    for each in integers:
        divisor = math.gcd(result, each)
        result = 0 if divisor == 0 else abs(result // divisor * each)
    return result


def raised(base: int, exponent: int) -> int:
    """``base ** exponent``; no number is computed that the result is no multiple of."""
    result, factor, left = 1, base, exponent
    while left > 0:
        if left % 2 == 1:
            result *= factor
        left //= 2
        if left > 0:
            factor *= factor
    return result


def power(base: int, exponent: int, modulus: int) -> int:
    """``pow(base, exponent, modulus)``."""
    if modulus == 0:
        raise ValueError("pow() 3rd argument cannot be 0")
    size = abs(modulus)
    factor, left = base % size, exponent
    if exponent < 0:
        factor, left = _inverse(factor, size), -exponent
    result = 1 % size
    while left > 0:
        if left % 2 == 1:
            result = _product(result, factor, size)
        factor = _product(factor, factor, size)
        left //= 2
    return result + modulus if modulus < 0 and result > 0 else result


def _inverse(number: int, modulus: int) -> int:
    """What gives 1 when it is multiplied by a number."""
    before, rest = modulus, number
    last, this = 0, 1
    while rest > 0:
        quotient = before // rest
        before, rest = rest, before - quotient * rest
        last, this = this, last - quotient * this
    if before != 1:
        raise ValueError("base is not invertible for the given modulus")
    return last % modulus


def _product(left: int, right: int, modulus: int) -> int:
    """The product of two numbers below a modulus, of which no more than its bits are needed."""
    if modulus <= _SQUARED:
        return left * right % modulus
    total, addend, times = 0, left, right
    while times > 0:
        if times % 2 == 1:
            total = _sum(total, addend, modulus)
        addend = _sum(addend, addend, modulus)
        times //= 2
    return total


def _sum(left: int, right: int, modulus: int) -> int:
    return left - (modulus - right) if left >= modulus - right else left + right


def bit_length(number: int) -> int:
    """How many bits the number has without its sign."""
    rest, count = number, 0
    if number < 0:  # the least number of 64 bits has no absolute value: half of it has
        rest, count = -((number + 1) // 2) if number % 2 else -(number // 2), 1
    while rest > 0:
        rest //= 2
        count += 1
    return count
