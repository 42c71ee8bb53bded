"""``statistics.mean`` and the variances of ints: exact, and an int where that is the result."""

from __future__ import annotations

from collections.abc import Iterable
from statistics import StatisticsError
from typing import Any

from agir.ir.plain.entering import refused

__ag_convert__ = True


def mean(data: Iterable[Any]) -> Any:
    """The arithmetic mean."""
    items = _ints(data, "mean")
    if len(items) < 1:
        raise StatisticsError("mean requires at least one data point")
    return _quotient(sum(items), len(items))


def pvariance(data: Iterable[Any], mu: Any = None) -> Any:
    """The variance of a whole population."""
    items = _ints(data, "pvariance", mu)
    if len(items) < 1:
        raise StatisticsError("pvariance requires at least one data point")
    return _quotient(_deviation(items), len(items) * len(items))


def variance(data: Iterable[Any], xbar: Any = None) -> Any:
    """The variance of a sample."""
    items = _ints(data, "variance", xbar)
    if len(items) < 2:
        raise StatisticsError("variance requires at least two data points")
    return _quotient(_deviation(items), len(items) * (len(items) - 1))


def _ints(data: Iterable[Any], name: str, centre: Any = None) -> list[Any]:
    items = list(data)
    if centre is not None:
        refused(f"statistics.{name} around another number")
    for each in items:
        if type(each) is not int:
            refused(f"statistics.{name} of other numbers than ints, for which NumPy has functions,")
    return items


def _deviation(items: list[Any]) -> Any:
    """So many times the sum of squares around the mean as there are items."""
    total = sum(items)
    return len(items) * sum([each * each for each in items]) - total * total


def _quotient(whole: Any, parts: Any) -> Any:
    return whole // parts if whole % parts == 0 else whole / parts
