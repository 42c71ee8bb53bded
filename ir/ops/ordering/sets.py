"""NumPy's sets: unique, isin, union, intersection, differences."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from agir.autograph import operators
from agir.ir.building.types import promote
from agir.ir.ops.core import layouts
from agir.ir.ops.core.operands import axis_index
from agir.ir.ops.core.recorded import (
    dimension_size,
    dimension_sizes,
    dtype_of,
    rank,
    records,
    tensor,
)
from agir.ir.ops.core.zero_dimensional import as_array
from agir.ir.ops.ordering.order import argsorted, sorted_
from agir.ir.tensors import dispatch

call = dispatch.call


def _flat(value: Any) -> Any:
    return call("reshape", tensor(value), (-1,))


def _is_new(ordered: Any, equal_nan: bool = True) -> Any:
    """For each element of a sorted vector whether it differs from the one before it."""
    later, before = ordered[1:], ordered[:-1]
    differs = call("not_equal", later, before)
    if equal_nan and dtype_of(ordered).kind in "fc":
        bad = call("logical_and", call("isnan", later), call("isnan", before))
        differs = call("logical_and", differs, call("logical_not", bad))
    first = call("fill_like", ordered[:1], True, "bool")
    return call("concat", [first, differs], 0)


def distinct(
    x: Any, index: bool, inverse: bool, counts: bool, equal_nan: bool
) -> tuple[Any, Any, Any, Any]:
    """The distinct elements of a vector in order; where each is first, which each is, how many."""
    order: Any = None
    if not (index or inverse):
        ordered = sorted_(x, 0)
    else:
        order = argsorted(x, 0)
        ordered = x[order]
    return _told(ordered, order, _is_new(ordered, equal_nan), (index, inverse, counts))


def _distinct_rows(rows: Any, asked: tuple[bool, bool, bool]) -> tuple[Any, Any, Any, Any]:
    """The same of the rows of a matrix, in the order of their elements from the first on."""
    order = [call("range", dimension_size(rows, 0), dtype="int64")]

    def sort_by(column: Any) -> None:
        order[0] = order[0][argsorted(column[order[0]], 0)]

    def restore(found: tuple[Any, ...]) -> None:
        order[0] = found[0]

    columns = call("flip", call("transpose", rows), 0)  # the last one counts least
    if columns.type.shape[0] is not None and columns.type.shape[0] <= FEW:
        for k in range(columns.type.shape[0]):
            sort_by(columns[k])
    else:
        state = operators.State(lambda: (order[0],), restore, ("order",))
        operators.for_stmt(columns, sort_by, None, state, operators.LoopOptions())
    ordered = rows[order[0]]
    differs = call("any", call("not_equal", ordered[1:], ordered[:-1]), 1)
    first = call("full", (call("minimum", dimension_size(rows, 0), 1),), True)
    return _told(ordered, order[0], call("concat", [first, differs], 0), asked)


FEW = 8
"""Rows of so many elements are ordered without a recorded loop."""


def _told(
    ordered: Any, order: Any, new: Any, asked: tuple[bool, bool, bool]
) -> tuple[Any, Any, Any, Any]:
    """What is new among ordered elements, and what is asked for besides."""
    index, inverse, counts = asked
    values = ordered[new]
    first = order[new] if index else None
    number = None
    if inverse:
        which = call("numpy_cumsum", new, 0) - 1
        number = call("scatter", which, call("reshape", order, (-1, 1)), which, "update")
    count = None
    if counts:
        starts = call("reshape", call("nonzero", new), (-1,))
        whole = tensor([dimension_size(new, 0)], "int64")
        count = call("concat", [starts[1:], whole], 0)[: dimension_size(starts, 0)] - starts
    return values, first, number, count


@records(np.unique)
def unique(
    ar: Any,
    return_index: bool = False,
    return_inverse: bool = False,
    return_counts: bool = False,
    axis: Any = None,
    *,
    equal_nan: bool = True,
    sorted: bool = True,
) -> Any:
    """The distinct elements in order, and what is asked for besides."""
    x = tensor(ar)
    if axis is not None:
        axis_index(axis, rank(x), "unique")
    if axis is not None and rank(x) > 1:
        along = axis_index(axis, rank(x), "unique")
        moved = call("moveaxis", x, along, 0)
        rows = call(
            "reshape", moved, (dimension_size(moved, 0), _product(dimension_sizes(moved)[1:]))
        )
        found = _distinct_rows(rows, (return_index, return_inverse, return_counts))
        values, first, number, count = found
        whole = call("reshape", values, (dimension_size(values, 0), *dimension_sizes(moved)[1:]))
        values = call("moveaxis", whole, 0, along)
    else:
        found = distinct(_flat(x), return_index, return_inverse, return_counts, equal_nan)
        values, first, number, count = found
    if number is not None and (axis is None or rank(x) < 2):
        number = call("reshape", number, dimension_sizes(x))
    asked = (first, return_index), (number, return_inverse), (count, return_counts)
    more = [value for value, wanted in asked if wanted]
    return (values, *more) if more else values


def _product(sizes: Any) -> Any:
    total: Any = 1
    for size in sizes:
        total = total * size
    return total


class UniqueCounts(NamedTuple):
    """The distinct elements, and how many of each there are."""

    values: Any
    counts: Any


class UniqueInverse(NamedTuple):
    """The distinct elements, and which of them each element is."""

    values: Any
    inverse_indices: Any


class UniqueAll(NamedTuple):
    """The distinct elements and all that is known of them."""

    values: Any
    indices: Any
    inverse_indices: Any
    counts: Any


@records(np.unique_values)
def unique_values(x: Any) -> Any:
    """The distinct elements."""
    return unique(x, equal_nan=False)


@records(np.unique_counts)
def unique_counts(x: Any) -> Any:
    """The distinct elements, and how many of each there are."""
    return UniqueCounts(*unique(x, return_counts=True, equal_nan=False))


@records(np.unique_inverse)
def unique_inverse(x: Any) -> Any:
    """The distinct elements, and which of them each element is."""
    return UniqueInverse(*unique(x, return_inverse=True, equal_nan=False))


@records(np.unique_all)
def unique_all(x: Any) -> Any:
    """The distinct elements, where each is first, which each element is, and how many there are."""
    return UniqueAll(*unique(x, True, True, True, equal_nan=False))


@records(np.isin, *([np.in1d] if hasattr(np, "in1d") else []))
def isin(
    element: Any,
    test_elements: Any,
    assume_unique: bool = False,
    invert: bool = False,
    *,
    kind: Any = None,
) -> Any:
    """Whether each element is among others."""
    if kind not in (None, "sort", "table"):
        raise ValueError(f"isin(): the kind is None, 'sort' or 'table', not {kind!r}")
    x, others = tensor(element), _flat(test_elements)
    common, _ = promote(x.type, others.type)
    x, others = call("cast", x, common), call("cast", others, common)
    count = others.type.shape[0]
    if common.is_complex or (count is not None and count <= 16):
        found = call("any", call("equal", x[..., None], others), -1)
    else:
        ordered = call("sort", others)
        place = call("numpy_searchsorted", ordered, x)
        last = call("maximum", dimension_size(ordered, 0) - 1, 0)
        # one more, for there may be none
        padded = call("concat", [ordered, call("full", [1], 0, common)], 0)
        there = padded[call("minimum", place, last)]
        inside = call("less", place, dimension_size(ordered, 0))
        found = call("logical_and", inside, call("equal", there, x))
    found = call("logical_not", found) if invert else found
    layouts.by_rows(found)  # NumPy looks for the elements one after the other
    return as_array(found)


@records(np.union1d)
def union1d(ar1: Any, ar2: Any) -> Any:
    """What is in one of two arrays."""
    return unique(call("concat", [_flat(ar1), _flat(ar2)], 0))


@records(np.intersect1d)
def intersect1d(
    ar1: Any, ar2: Any, assume_unique: bool = False, return_indices: bool = False
) -> Any:
    """What is in both of two arrays."""
    x, y = _flat(ar1), _flat(ar2)
    firsts = [None, None]
    if not assume_unique:
        (x, *a), (y, *b) = (distinct(v, return_indices, False, False, True) for v in (x, y))
        firsts = [a[0], b[0]]
    both = call("concat", [x, y], 0)
    order = argsorted(both, 0)
    ordered = both[order]
    twice = call("equal", ordered[1:], ordered[:-1])
    values = ordered[:-1][twice]
    if not return_indices:
        return values
    one, other = order[:-1][twice], order[1:][twice] - dimension_size(x, 0)
    if firsts[0] is not None:
        one, other = firsts[0][one], firsts[1][other]
    return values, one, other


@records(np.setdiff1d)
def setdiff1d(ar1: Any, ar2: Any, assume_unique: bool = False) -> Any:
    """What is in the first array and not in the second."""
    x = _flat(ar1) if assume_unique else unique(ar1)
    return x[isin(x, _flat(ar2), invert=True)]


@records(np.setxor1d)
def setxor1d(ar1: Any, ar2: Any, assume_unique: bool = False) -> Any:
    """What is in just one of two arrays."""
    x, y = (_flat(v) if assume_unique else unique(v) for v in (ar1, ar2))
    ordered = sorted_(call("concat", [x, y], 0), 0)
    new = call("not_equal", ordered[1:], ordered[:-1])
    edge = call("fill_like", ordered[:1], True, "bool")
    new = call("concat", [edge, new, call("fill_like", edge, True)], 0)
    return ordered[
        call(
            "logical_and",
            new[1 : dimension_size(ordered, 0) + 1],
            new[: dimension_size(ordered, 0)],
        )
    ]
