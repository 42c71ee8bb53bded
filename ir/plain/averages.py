"""``statistics.mean`` and its like: exact, as Python's are, which compute with fractions.

Sums of floats, and of their products, are held by floats that do not overlap (`floats.summed`); the
result is rounded once.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from statistics import StatisticsError
from typing import Any

from agir.ir.plain.entering import refused, refused_unless
from agir.ir.plain.floats import fsum, summed

__ag_convert__ = True

_OF_SUMS, _OF_SQUARES = 2.0**900, 2.0**250
"""Up to these, and down to their inverses, nothing that is computed overflows or gets lost."""
_SPLIT = 134217729.0
"""A product with it tells the upper half of a float's bits."""


def mean(data: Iterable[Any]) -> Any:
    """The arithmetic mean."""
    items = _items(data, "mean", 1)
    if type(items[0]) is int:
        return _quotient(sum(items), len(items))
    special = _special(items, "mean", _OF_SUMS)
    return special / len(items) if special != 0.0 else _divided(_parts(items), len(items))


def fmean(data: Iterable[Any], weights: Any = None) -> Any:
    """The same of floats, whose sum is rounded before."""
    items = list(data)
    if weights is not None:
        refused("statistics.fmean with weights")
    if len(items) < 1:
        raise StatisticsError("fmean requires at least one data point")
    return fsum(items) / len(items)


def median(data: Iterable[Any]) -> Any:
    """The middle value, or the mean of the two in the middle."""
    items = _in_order(data)
    half = len(items) // 2
    return items[half] if len(items) % 2 == 1 else (items[half - 1] + items[half]) / 2


def median_low(data: Iterable[Any]) -> Any:
    """The lower one of these."""
    items = _in_order(data)
    return items[(len(items) - 1) // 2]


def median_high(data: Iterable[Any]) -> Any:
    """The higher one of these."""
    items = _in_order(data)
    return items[len(items) // 2]


def _in_order(data: Iterable[Any]) -> list[Any]:
    items = sorted(data)
    if len(items) < 1:
        raise StatisticsError("no median for empty data")
    return items


def pvariance(data: Iterable[Any], mu: Any = None) -> Any:
    """The variance of a whole population."""
    items = _items(data, "pvariance", 1, mu)
    return _variance(items, "pvariance", len(items))


def variance(data: Iterable[Any], xbar: Any = None) -> Any:
    """The variance of a sample."""
    items = _items(data, "variance", 2, xbar)
    return _variance(items, "variance", len(items) - 1)


def pstdev(data: Iterable[Any], mu: Any = None) -> Any:
    """The square root of the variance of a whole population."""
    items = _items(data, "pstdev", 1, mu)
    return _deviation(items, "pstdev", len(items))


def stdev(data: Iterable[Any], xbar: Any = None) -> Any:
    """The square root of the variance of a sample."""
    items = _items(data, "stdev", 2, xbar)
    return _deviation(items, "stdev", len(items) - 1)


def _items(data: Iterable[Any], name: str, least: int, centre: Any = None) -> list[Any]:
    """The data, which are ints or floats."""
    items = list(data)
    if centre is not None:
        refused(f"statistics.{name} around another number")
    if len(items) < least:
        points = "one data point" if least == 1 else "two data points"
        raise StatisticsError(f"{name} requires at least {points}")
    kind = type(items[0])
    for each in items:
        if type(each) is not kind or (kind is not int and kind is not float):
            refused(f"statistics.{name} of other numbers than ints, or than floats,")
    return items


def _special(items: list[float], name: str, most: float) -> float:
    """The sum of what is infinite or NaN; 0 if all is finite, and of a size that can be summed."""
    special, largest, least = 0.0, 0.0, 1.0
    for each in items:
        if not math.isfinite(each):
            special += each
        elif each != 0.0:
            largest, least = max(largest, abs(each)), min(least, abs(each))
    fine = largest <= most and least >= 1.0 / most
    refused_unless(fine, f"statistics.{name} of floats that are so large, or so near to 0,")
    return special


def _variance(items: list[Any], name: str, freedom: int) -> Any:
    whole = len(items) * freedom
    if type(items[0]) is int:
        return _quotient(_squares_of_ints(items), whole)
    special = _special(items, name, _OF_SQUARES)
    return special / freedom if special != 0.0 else _divided(_squares(items), whole)


def _deviation(items: list[Any], name: str, freedom: int) -> float:
    whole = len(items) * freedom
    if type(items[0]) is int:
        squares = _squares_of_ints(items)
        low = squares % 4294967296
        return _root([float(low), float(squares - low)], whole)
    if _special(items, name, _OF_SQUARES) != 0.0:
        raise AttributeError("'float' object has no attribute 'numerator'")
    return _root(_squares(items), whole)


def _squares_of_ints(items: list[int]) -> int:
    """So many times the sum of squares around the mean as there are items."""
    total = sum(items)
    return len(items) * sum([each * each for each in items]) - total * total


def _squares(items: list[float]) -> list[float]:
    """The same of floats, as floats whose sum it is."""
    squares, total = [], _parts(items)
    for each in items:
        high, low = _product(each, each)
        squares.append(high)
        squares.append(low)
    made = _products([float(len(items))], _parts(squares))
    for each in _products(total, total):
        made.append(-each)
    return _parts(made)


def _parts(terms: list[float]) -> list[float]:
    return summed(terms)[0]


def _product(one: float, other: float) -> tuple[float, float]:
    """Two floats whose sum is the product (Dekker, Numerische Mathematik 18, 1971)."""
    whole = one * other
    a, b = _upper(one), _upper(other)
    c, d = one - a, other - b
    return whole, ((a * b - whole) + a * d + c * b) + c * d


def _upper(one: float) -> float:
    large = one * _SPLIT
    return large - (large - one)


def _products(ones: list[float], others: list[float]) -> list[float]:
    """Floats whose sum is the product of two sums."""
    made = []
    for one in ones:
        for other in others:
            high, low = _product(one, other)
            made.append(high)
            made.append(low)
    return made


def _quotient(whole: Any, parts: Any) -> Any:
    return whole // parts if whole % parts == 0 else whole / parts


def _divided(terms: list[float], parts: int) -> float:
    """The sum of some floats divided by a number, rounded once."""
    return _nearest(fsum(terms) / parts, terms, float(parts), False)


def _root(terms: list[float], parts: int) -> float:
    """The square root of that."""
    return _nearest(math.sqrt(fsum(terms) / parts), terms, float(parts), True)


def _nearest(found: float, terms: list[float], parts: float, is_root: bool) -> float:
    """The float that is nearest to what another one is near to; of two the even one."""
    for _ in range(3):
        rest = _rest(terms, [found], parts, is_root)
        step = math.nextafter(found, math.inf if rest > 0.0 else -math.inf) - found
        beyond = _rest(terms, [found, step / 2.0], parts, is_root)
        is_odd = rest != 0.0 and beyond == 0.0 and math.fmod(found / step, 2.0) != 0.0
        if beyond * rest > 0.0 or is_odd:
            found += step
    return found


def _rest(terms: list[float], found: list[float], parts: float, is_root: bool) -> float:
    """By how much the terms are more than so many times a number, or its square."""
    rest = list(terms)
    for each in _products([parts], _products(found, found) if is_root else found):
        rest.append(-each)
    return fsum(rest)
