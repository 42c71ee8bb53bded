"""Sums, extrema, averages, running totals, and what holds for all or any."""

from __future__ import annotations

from typing import Any

from agir.ir.tensors.dispatch import call
from agir.numpy.arguments import array_function, element_type


@array_function("x")
def sum(x: Any, /, axis: Any = None, dtype: Any = None, *, keepdims: Any = False) -> Any:
    """The sum over the axes; of integers narrower than 64 bits and of bools in 64 bits.

    >>> ag.numpy.sum([[1, 2], [3, 4]], axis=0).numpy()
    array([4, 6])
    """
    return call("sum", x, axis, element_type(dtype), keepdims)


@array_function("x")
def prod(x: Any, /, axis: Any = None, dtype: Any = None, *, keepdims: Any = False) -> Any:
    """The product over the axes; of integers narrower than 64 bits and of bools in 64 bits.

    >>> int(ag.numpy.prod([2, 3]))
    6
    """
    return call("prod", x, axis, element_type(dtype), keepdims)


@array_function("x")
def max(x: Any, /, axis: Any = None, *, keepdims: Any = False) -> Any:
    """The greatest element over the axes; NaN where there is one.

    >>> ag.numpy.max([[1, 5], [3, 2]], axis=0).numpy()
    array([3, 5])
    """
    return call("max", x, axis, keepdims)


@array_function("x")
def min(x: Any, /, axis: Any = None, *, keepdims: Any = False) -> Any:
    """The least element over the axes; NaN where there is one.

    >>> ag.numpy.min([[1, 5], [3, 2]], axis=0).numpy()
    array([1, 2])
    """
    return call("min", x, axis, keepdims)


@array_function("x")
def mean(x: Any, /, axis: Any = None, dtype: Any = None, *, keepdims: Any = False) -> Any:
    """The arithmetic mean over the axes; of integers in float64.

    >>> float(ag.numpy.mean([1, 2, 6]))
    3.0
    """
    return call("mean", x, axis, element_type(dtype), keepdims)


@array_function("x")
def var(
    x: Any,
    /,
    axis: Any = None,
    dtype: Any = None,
    *,
    correction: Any = 0.0,
    ddof: Any = None,
    keepdims: Any = False,
) -> Any:
    """The variance over the axes; ``correction`` (NumPy's ``ddof``) lowers the number divided by.

    >>> float(ag.numpy.var([1.0, 3.0], correction=1))
    2.0
    """
    free = correction if ddof is None else ddof
    return call("var", x, axis, element_type(dtype), free, keepdims)


@array_function("x")
def std(
    x: Any,
    /,
    axis: Any = None,
    dtype: Any = None,
    *,
    correction: Any = 0.0,
    ddof: Any = None,
    keepdims: Any = False,
) -> Any:
    """The standard deviation over the axes: the square root of :func:`var`.

    >>> float(ag.numpy.std([1.0, 3.0]))
    1.0
    """
    free = correction if ddof is None else ddof
    return call("std", x, axis, element_type(dtype), free, keepdims)


@array_function("x")
def all(x: Any, /, axis: Any = None, *, keepdims: Any = False) -> Any:
    """Whether every element over the axes is true (not zero).

    >>> bool(ag.numpy.all([1, 0]))
    False
    """
    return call("all", x, axis, keepdims)


@array_function("x")
def any(x: Any, /, axis: Any = None, *, keepdims: Any = False) -> Any:
    """Whether an element over the axes is true (not zero).

    >>> bool(ag.numpy.any([1, 0]))
    True
    """
    return call("any", x, axis, keepdims)


@array_function("x")
def cumulative_sum(
    x: Any, /, *, axis: Any = None, dtype: Any = None, include_initial: Any = False
) -> Any:
    """The running sum along an axis, after a zero with ``include_initial``.

    >>> ag.numpy.cumulative_sum([1, 2, 3], include_initial=True).numpy()
    array([0, 1, 3, 6])
    """
    kind = element_type(dtype)
    return call("cumulative_sum", x, axis=axis, dtype=kind, include_initial=include_initial)


@array_function("x")
def cumulative_prod(
    x: Any, /, *, axis: Any = None, dtype: Any = None, include_initial: Any = False
) -> Any:
    """The running product along an axis, after a one with ``include_initial``.

    >>> ag.numpy.cumulative_prod([1, 2, 3]).numpy()
    array([1, 2, 6])
    """
    kind = element_type(dtype)
    return call("cumulative_prod", x, axis=axis, dtype=kind, include_initial=include_initial)


@array_function("x", "prepend", "append")
def diff(x: Any, /, n: int = 1, axis: int = -1, prepend: Any = None, append: Any = None) -> Any:
    """Each element less the one before it along an axis, ``n`` times.

    >>> ag.numpy.diff([1, 4, 9]).numpy()
    array([3, 5])
    """
    return call("diff", x, n, axis, prepend, append)


amax, amin = max, min

__all__ = [
    "all",
    "amax",
    "amin",
    "any",
    "cumulative_prod",
    "cumulative_sum",
    "diff",
    "max",
    "mean",
    "min",
    "prod",
    "std",
    "sum",
    "var",
]
