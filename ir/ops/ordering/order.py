"""NumPy's functions of order: sorting, partitions, several keys, searching."""

from __future__ import annotations

from typing import Any

import numpy as np

from agir.ir.building.types import int64
from agir.ir.ops.core import repeating
from agir.ir.ops.core.assigned import as_stored
from agir.ir.ops.core.checked import require
from agir.ir.ops.core.operands import axis_index
from agir.ir.ops.core.recorded import (
    check_casting,
    check_sizes,
    dimension_size,
    dimension_sizes,
    dtype_of,
    lone_axis,
    rank,
    records,
    store_whole,
    tensor,
    type_of,
)
from agir.ir.ops.shapes.numpy_creation import ordered
from agir.ir.tensors import dispatch

call = dispatch.call


def argsorted(x: Any, axis: int) -> Any:
    """Where the elements stand in their order; complex numbers go by their parts."""
    if not dtype_of(x).is_complex:
        return call("argsort", x, axis)
    real, imaginary = call("real", x), call("imag", x)
    bad = [call("cast", call("isnan", part), "int8") for part in (real, imaginary)]
    group = call("add", call("multiply", bad[0], np.int8(2)), bad[1])
    order = call("argsort", imaginary, axis)
    for key in (real, group):
        taken = call("take_along_axis", key, order, axis)
        order = call("take_along_axis", order, call("argsort", taken, axis), axis)
    return order


def sorted_(x: Any, axis: int, stable: bool = False) -> Any:
    """The elements in order along an axis; ``stable`` also for zeros, which are equal."""
    if dtype_of(x).is_complex or (stable and dtype_of(x).is_floating):
        return call("take_along_axis", x, argsorted(x, axis), axis)
    return call("sort", x, axis)


def _whole(a: Any, axis: Any, order: Any) -> tuple[Any, int]:
    if order is not None:
        raise TypeError(f"order={order!r} names fields, which tensors do not have")
    x = tensor(a)
    if axis is None:
        return call("reshape", x, (-1,)), 0
    return x, axis_index(axis, rank(x), "sort")


@records(np.sort)
def sort(a: Any, axis: Any = -1, kind: Any = None, order: Any = None, *, stable: Any = None) -> Any:
    """The elements in order along an axis; of the flattened array where it is None."""
    _check_kind(kind)
    is_stable = bool(stable) or str(kind)[:1].lower() in ("m", "s")
    return sorted_(*_whole(a, axis, order), is_stable)


@records(np.argsort)
def argsort(
    a: Any, axis: Any = -1, kind: Any = None, order: Any = None, *, stable: Any = None
) -> Any:
    """Where the elements stand in their order, always stable."""
    _check_kind(kind)
    return argsorted(*_whole(a, lone_axis(a, axis), order))


def _check_kind(kind: Any) -> None:
    if kind is not None and str(kind)[:1].lower() not in ("q", "h", "m", "s"):
        raise ValueError(
            f"the kind of a sort is 'quick', 'heap', 'merge' or 'stable', not {kind!r}"
        )


@records(np.partition)
def partition(
    a: Any, kth: Any, axis: Any = -1, kind: str = "introselect", order: Any = None
) -> Any:
    """The elements in order, which is more than a partition asks for."""
    x, along = _whole(a, axis, order)
    _check_places(kth, dimension_size(x, along))
    return sorted_(x, along)


@records(np.argpartition)
def argpartition(
    a: Any, kth: Any, axis: Any = -1, kind: str = "introselect", order: Any = None
) -> Any:
    """Where the elements stand in their order."""
    x, along = _whole(a, axis, order)
    _check_places(kth, dimension_size(x, along))
    return argsorted(x, along)


def _check_places(kth: Any, count: Any) -> None:
    places = tensor(kth)
    if not places.dtype.is_integer:
        raise TypeError(f"partition(): the places are integers, not {places.dtype}")
    if rank(places) > 1:
        raise ValueError("partition(): the places are one number or a vector")
    below, above = call("less", places, count), call("greater_equal", places, -count)
    inside = call("logical_or", call("logical_and", below, above), call("equal", count, 0))
    require(inside, "partition(): kth is out of bounds for so many elements")


@records(np.sort_complex)
def sort_complex(a: Any) -> Any:
    """The elements in order, as complex numbers."""
    x = sorted_(tensor(a), rank(a) - 1)
    narrow = dtype_of(x).itemsize < 4 and dtype_of(x).kind in "iu"
    single = narrow or dtype_of(x).name == "complex64"  # and no floats
    return call("cast", x, "complex64" if single else "complex128")


@records(np.lexsort)
def lexsort(keys: Any, axis: int = -1) -> Any:
    """The order by several keys, of which the last one counts first."""
    each = [tensor(k) for k in keys]
    if not each:
        raise TypeError("lexsort(): at least one key is needed")
    if not rank(each[0]) and lone_axis(each[0], axis) is None:
        return tensor(0, "int64")
    along = axis_index(axis, rank(each[0]), "lexsort")
    order = argsorted(each[0], along)
    for key in each[1:]:
        taken = call("take_along_axis", key, order, along)
        order = call("take_along_axis", order, argsorted(taken, along), along)
    return order


@records(np.searchsorted)
def searchsorted(a: Any, v: Any, side: str = "left", sorter: Any = None) -> Any:
    """Where values would go in a sorted vector."""
    if sorter is not None:
        same = call("equal", call("numpy_size", sorter), call("numpy_size", a))
        require(same, "searchsorted(): the sorter has as many places as the vector has elements")
    return call("numpy_searchsorted", tensor(a), tensor(v), side, sorter)


@records(np.digitize)
def digitize(x: Any, bins: Any, right: bool = False) -> Any:
    """The number of the bin of each value; the bins rise or fall."""
    edges, values = tensor(bins), tensor(x)
    if rank(edges) != 1:
        raise ValueError(f"digitize(): bins are a vector, not of {rank(edges)} dimensions")
    if dtype_of(values).is_complex:
        raise TypeError("digitize(): complex numbers lie in no bins")
    side = "left" if right else "right"
    rising = call("numpy_searchsorted", edges, values, side)
    if edges.type.shape[0] in (0, 1):
        return rising
    falls = _falls(edges)
    against = (call(name, edges[:-1], edges[1:]) for name in ("less", "greater"))
    wrong = call("any", call("where", falls, *against))
    require(call("logical_not", wrong), "bins must be monotonically increasing or decreasing")
    falling = dimension_size(edges, 0) - call(
        "numpy_searchsorted", call("flip", edges), values, side
    )
    return call("where", falls, falling, rising)


def _falls(edges: Any) -> Any:
    """Whether the first two neighbours that differ do not rise; a NaN differs from everything."""
    low, high = edges[:-1], edges[1:]
    differ = call("concat", [call("not_equal", low, high), tensor([True])], 0)
    is_first = call("equal", call("range", dimension_size(low, 0)), call("argmax", differ, 0))
    return call("any", call("logical_and", is_first, call("logical_not", call("less", low, high))))


# Where elements are.


@records(np.flatnonzero)
def flatnonzero(a: Any) -> Any:
    """The positions in the flattened array of what is not zero."""
    return call("reshape", call("nonzero", call("reshape", tensor(a), (-1,))), (-1,))


@records(np.nonzero)
def nonzero(a: Any) -> Any:
    """The positions of what is not zero, a vector for each axis."""
    if rank(a) == 0:
        raise ValueError("nonzero() of a scalar: it has no axis")
    return call("numpy_nonzero", tensor(a))


@records(np.argwhere)
def argwhere(a: Any) -> Any:
    """The positions of what is not zero, as rows of an array that lies by columns."""
    return ordered(call("nonzero", tensor(a)), "F")


@records(np.ravel_multi_index)
def ravel_multi_index(multi_index: Any, dims: Any, mode: Any = "raise", order: str = "C") -> Any:
    """The positions in the flattened array of indices along each axis."""
    parts = [tensor(i, "int64") for i in multi_index]
    modes = mode if isinstance(mode, tuple) else (mode,) * len(parts)
    total: Any = None
    pairs = list(zip(parts, dims, modes, strict=True))
    for part, size, how in pairs if order == "C" else pairs[::-1]:
        if how == "raise":
            inside = (
                tensor(np.arange(size))
                if isinstance(size, int)
                else call("range", size, dtype="int64")
            )
            place = call("gather", inside, part, 0)
        else:
            place = part % size if how == "wrap" else call("clip", part, 0, size - 1)
        total = place if total is None else call("add", call("multiply", total, size), place)
    return total


@records(np.unravel_index)
def unravel_index(indices: Any, shape: Any, order: str = "C") -> Any:
    """The indices along each axis of positions in the flattened array."""
    whole = tensor(indices, "int64")
    sizes = shape if isinstance(shape, (tuple, list)) else (shape,)
    found = []
    total = 1
    for size in sizes:
        total = total * size
    if isinstance(total, int):
        line = tensor(np.arange(total))
        whole = call("take", line, whole, 0)
    for size in sizes[::-1] if order == "C" else sizes:
        found.append(whole % size)
        whole = call("floor_divide", whole, size)
    return tuple(found[::-1] if order == "C" else found)


# Taking and putting.


def _places(indices: Any, count: Any, mode: str) -> Any:
    """Indices as the mode has those that are out of bounds."""
    where = tensor(indices)
    if where.dtype.is_bool or not where.dtype.is_integer:
        where = tensor(where, "int64") if where.dtype.is_bool or 0 in where.type.shape else where
    elif mode != "raise":
        where = tensor(where, "int64")  # the size need not fit the indices' dtype
    if mode == "wrap":
        return where % count
    if mode == "clip":
        return call("clip", where, 0, call("maximum", count - 1, 0))
    if mode != "raise":
        raise ValueError(f"the mode is 'raise', 'wrap' or 'clip', not {mode!r}")
    return where


@records(np.take)
def take(a: Any, indices: Any, axis: Any = None, out: Any = None, mode: str = "raise") -> Any:
    """The elements at positions along an axis, or of the flattened array."""
    x, axis = tensor(a), lone_axis(a, axis)
    if axis is None:
        x, axis = call("reshape", x, (-1,)), 0
    along = axis_index(axis, rank(x), "take")
    if out is not None:
        shape = (
            *dimension_sizes(x)[:along],
            *dimension_sizes(tensor(indices)),
            *dimension_sizes(x)[along + 1 :],
        )
        check_sizes(shape, out)
        check_casting(dtype_of(out), dtype_of(x), "safe")  # a copy of out= is what is written into
    places = _places(indices, dimension_size(x, along), mode)
    result = call("take_reached", x, places, along, mode != "raise")
    return result if out is None else store_whole(result, out)


@records(np.put)
def put(a: Any, ind: Any, v: Any, mode: str = "raise") -> None:
    """Write values to positions of the flattened array."""
    flat = a.flat
    if dtype_of(tensor(ind)).is_integer:
        check_casting(dtype_of(tensor(ind)), int64, "safe")
    if 0 in type_of(a).shape and 0 not in tensor(ind).type.shape:  # before the values are looked at
        raise IndexError("cannot replace elements of an empty array")
    values = repeating.flattened(as_stored(v, a.dtype))
    places = repeating.places_for(values, ind)
    if type_of(values).shape[0] != 0:
        flat[_places(places, dimension_size(flat, 0), mode)] = values


@records(np.take_along_axis)
def take_along_axis(arr: Any, indices: Any, axis: Any = -1) -> Any:
    """The elements at indices along an axis."""
    return call("take_along_axis", tensor(arr), tensor(indices), axis)


@records(np.put_along_axis)
def put_along_axis(arr: Any, indices: Any, values: Any, axis: Any) -> None:
    """Write values to indices along an axis."""
    places = tensor(indices)
    if axis is None:
        arr.flat[places] = values
        return
    along = axis_index(axis, rank(arr), "put_along_axis")
    key: list[Any] = []
    for i in range(rank(arr)):
        line = call("range", dimension_size(arr, i), dtype="int64")
        key.append(call("reshape", line, [1] * i + [-1] + [1] * (rank(arr) - i - 1)))
    key[along] = places
    arr[tuple(key)] = values
