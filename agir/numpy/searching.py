"""Searching, sorting, choosing, and the distinct elements."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from agir.ir.ops.core.operands import composition
from agir.ir.tensors.dispatch import call
from agir.numpy.arguments import array, array_function, operand


@array_function("x")
def argmax(x: Any, /, axis: Any = None, *, keepdims: Any = False) -> Any:
    """Where the first greatest element stands along an axis, or in the flattened array.

    >>> int(ag.numpy.argmax([1, 5, 2]))
    1
    """
    return call("argmax", x, axis, keepdims)


@array_function("x")
def argmin(x: Any, /, axis: Any = None, *, keepdims: Any = False) -> Any:
    """Where the first least element stands along an axis, or in the flattened array.

    >>> int(ag.numpy.argmin([1, 5, 2]))
    0
    """
    return call("argmin", x, axis, keepdims)


@array_function("x")
def count_nonzero(x: Any, /, axis: Any = None, *, keepdims: Any = False) -> Any:
    """How many elements are not zero (``False``).

    >>> int(ag.numpy.count_nonzero([0, 3, 1]))
    2
    """
    return call("count_nonzero", x, axis, keepdims)


@array_function("x")
def nonzero(x: Any, /) -> tuple[Any, ...]:
    """Where the elements are that are not zero: a vector of indices for each axis.

    >>> ag.numpy.nonzero([0, 3, 1])[0].numpy()
    array([1, 2])
    """
    return call("numpy_nonzero", x)  # type: ignore[no-any-return]


@array_function("x1", "x2", "sorter")
def searchsorted(x1: Any, x2: Any, /, side: str = "left", sorter: Any = None) -> Any:
    """Where the elements of ``x2`` would go in the sorted vector ``x1``.

    >>> ag.numpy.searchsorted([1, 3, 5], [2, 5]).numpy()
    array([1, 2])
    """
    return call("numpy_searchsorted", x1, x2, side, sorter)


@composition()
def where(condition: Any, x1: Any = None, x2: Any = None, /) -> Any:
    """The elements of ``x1`` where the condition is true, else those of ``x2``.

    With the condition alone, the places where it is true.

    >>> ag.numpy.where([True, False], 1, [5, 6]).numpy()
    array([1, 6])
    """
    if x1 is None and x2 is None:
        return nonzero(condition)
    if x1 is None or x2 is None:
        raise ValueError("where() takes both of x1 and x2, or neither")
    return call("where", array(condition), operand(x1), operand(x2))


@array_function("x")
def sort(
    x: Any, /, axis: Any = -1, kind: Any = None, *, descending: Any = False, stable: Any = True
) -> Any:
    """The elements in order along an axis, or of the flattened array where it is None.

    >>> ag.numpy.sort([3, 1, 2], descending=True).numpy()
    array([3, 2, 1])
    """
    return call("sort", *_along(x, axis), bool(descending))


@array_function("x")
def argsort(
    x: Any, /, axis: Any = -1, kind: Any = None, *, descending: Any = False, stable: Any = True
) -> Any:
    """Where the elements stand that :func:`sort` puts in order; equal ones keep theirs.

    >>> ag.numpy.argsort([3, 1, 2]).numpy()
    array([1, 2, 0])
    """
    return call("argsort", *_along(x, axis), bool(descending))


def _along(x: Any, axis: Any) -> tuple[Any, Any]:
    return (call("ravel", x), 0) if axis is None else (x, axis)


@array_function("x", "indices")
def take(x: Any, indices: Any, /, axis: Any = None) -> Any:
    """The elements at the indices along an axis, or of the flattened array where it is None.

    >>> ag.numpy.take([5, 6, 7], [2, 0]).numpy()
    array([7, 5])
    """
    return call("numpy_take", x, indices, axis)


@array_function("x", "indices")
def take_along_axis(x: Any, indices: Any, /, axis: Any = -1) -> Any:
    """For each line along an axis the elements at its own indices.

    >>> ag.numpy.take_along_axis([[1, 2], [3, 4]], [[1], [0]], axis=1).numpy()
    array([[2],
           [3]])
    """
    return call("take_along_axis", x, indices, axis)


class UniqueAllResult(NamedTuple):
    """Distinct elements, where they first stand, which each element is, how many there are."""

    values: Any
    indices: Any
    inverse_indices: Any
    counts: Any


class UniqueCountsResult(NamedTuple):
    """Distinct elements, and how many there are of each."""

    values: Any
    counts: Any


class UniqueInverseResult(NamedTuple):
    """Distinct elements, and which of them each element is."""

    values: Any
    inverse_indices: Any


@array_function("x")
def unique_all(x: Any, /) -> UniqueAllResult:
    """The distinct elements in order, and all that is known of them; NaNs are distinct.

    >>> ag.numpy.unique_all([3, 1, 3]).counts.numpy()
    array([1, 2])
    """
    return UniqueAllResult(*call("unique_all", x))


@array_function("x")
def unique_counts(x: Any, /) -> UniqueCountsResult:
    """The distinct elements in order, and how many there are of each.

    >>> ag.numpy.unique_counts([3, 1, 3]).values.numpy()
    array([1, 3])
    """
    return UniqueCountsResult(*call("unique_counts", x))


@array_function("x")
def unique_inverse(x: Any, /) -> UniqueInverseResult:
    """The distinct elements in order, and which of them each element of ``x`` is.

    >>> ag.numpy.unique_inverse([3, 1, 3]).inverse_indices.numpy()
    array([1, 0, 1])
    """
    return UniqueInverseResult(*call("unique_inverse", x))


@array_function("x")
def unique_values(x: Any, /) -> Any:
    """The distinct elements in order.

    >>> ag.numpy.unique_values([3, 1, 3]).numpy()
    array([1, 3])
    """
    return call("unique_values", x)


def extract(condition: Any, x: Any) -> Any:
    """The elements where the condition is true, in one dimension.

    >>> ag.numpy.extract([True, False, True], [1, 2, 3]).numpy()
    array([1, 3])
    """
    mask = call("ravel", call("cast", array(condition), "bool"))
    return call("ravel", array(x))[mask]


def iscomplexobj(x: Any) -> Any:
    """Whether the dtype is complex.

    >>> ag.numpy.iscomplexobj([1j])
    True
    """
    return np.dtype(getattr(array(x).dtype, "numpy", array(x).dtype)).kind == "c"


__all__ = [
    "argmax",
    "argmin",
    "argsort",
    "count_nonzero",
    "extract",
    "iscomplexobj",
    "nonzero",
    "searchsorted",
    "sort",
    "take",
    "take_along_axis",
    "unique_all",
    "unique_counts",
    "unique_inverse",
    "unique_values",
    "where",
]
