"""NumPy's functions that rearrange, join, split and repeat arrays."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from agir.errors import StagingError
from agir.ir import recording
from agir.ir.building.types import DType, float64
from agir.ir.emission import emit
from agir.ir.ops.core import layouts, views_or_copies
from agir.ir.ops.core.checked import require
from agir.ir.ops.core.folding import greatest, least
from agir.ir.ops.core.operands import axis_index, axis_indices, needing_sizes
from agir.ir.ops.core.rearranged import seen_through
from agir.ir.ops.core.recorded import (
    dimension_size,
    dimension_sizes,
    known,
    lone_axis,
    rank,
    records,
    store_by_copy,
    store_whole,
    tensor,
)
from agir.ir.ops.core.repeating import resized
from agir.ir.ops.core.zero_dimensional import as_array, as_array_like, as_number
from agir.ir.ops.shapes.numpy_creation import ordered
from agir.ir.ops.shapes.shapes import flattened
from agir.ir.tensors import dispatch
from agir.ir.tensors.symbolic import SymbolicTensor
from agir.ir.tensors.tensor import Tensor

call = dispatch.call
_NOTHING: Any = np._NoValue


def along(axis: int, key: Any) -> tuple[Any, ...]:
    """The key that takes ``key`` of one axis and all of those before it."""
    return (*(slice(None),) * axis, key)


# Rearranged.


@records(np.ravel)
def ravel(a: Any, order: str = "C") -> Any:
    """The elements in one dimension: a view where they lie in that order without gaps."""
    x = tensor(a)
    if order not in ("C", "F", "A", "K"):
        raise ValueError(f"ravel(): the order is 'C', 'F', 'A' or 'K', not {order!r}")
    trace = recording.current()
    if trace is None or not (isinstance(x, SymbolicTensor) and trace.convention.arrays_are_mutable):
        return call("reshape", call("transpose", x) if order == "F" else x, (-1,))
    return _raveled(trace, x, order)


def _raveled(trace: Any, x: SymbolicTensor, order: str) -> Any:
    assumed = len(trace.assumes)
    by_columns = order == "F" or (order == "A" and views_or_copies.lies_by_columns(x, only=False))
    if not isinstance(by_columns, bool):
        columns = flattened(call("transpose", x), True, assumed)
        return views_or_copies.one_of_two(by_columns, columns, _raveled(trace, x, "C"))
    if by_columns:
        x = call("transpose", x)
    elif order == "K":
        x = call("transpose", x, views_or_copies.order_of_axes(x))
    return flattened(x, views_or_copies.lies_in(x, "C"), assumed)


def _lies_in_columns(x: Any) -> bool:
    if not isinstance(x, SymbolicTensor) or not x.recorder.convention.arrays_are_mutable:
        return False
    found = views_or_copies.lies_by_columns(x)
    if not isinstance(found, bool):
        raise StagingError(layouts.UNKNOWN)
    return found


@records(np.reshape)
def reshape(
    a: Any, /, shape: Any = None, order: str = "C", *, newshape: Any = None, copy: Any = None
) -> Any:
    """The elements in another shape."""
    shape, x = newshape if shape is None else shape, tensor(a)
    if order == "F" or (order == "A" and _lies_in_columns(x)):
        whole = shape if isinstance(shape, (tuple, list)) else (shape,)
        back = call("reshape", call("transpose", x), tuple(whole)[::-1])
        return call("transpose", back)
    made = call("reshape", x, shape)
    return call("copy", made) if copy else made


@records(np.rollaxis)
def rollaxis(a: Any, axis: int, start: int = 0) -> Any:
    """An axis moved to stand before another one."""
    x = tensor(a)
    first = axis_index(axis, rank(x), "rollaxis")
    before = start + rank(x) if start < 0 else start
    return call("moveaxis", x, first, before - (before > first))


@records(np.rot90)
def rot90(m: Any, k: int = 1, axes: Any = (0, 1)) -> Any:
    """The array turned by 90 degrees, so many times, in the plane of two axes."""
    x = tensor(m)
    first, second = (axis_index(a, rank(x), "rot90") for a in axes)
    if first == second:
        raise ValueError(f"rot90(): the axes {tuple(axes)} are one; two are needed")
    iterations = operator.index(known(k)[()]) % 4
    if iterations == 2:
        return call("flip", x, (first, second))
    turned = call("flip", x, second) if iterations == 1 else x
    turned = call("swapaxes", turned, first, second) if iterations else turned[...]
    return call("flip", turned, second) if iterations == 3 else turned


@records(np.flip)
def flip(m: Any, axis: Any = None) -> Any:
    """The elements along the axes in reverse order."""
    made = call("flip", tensor(m), axis)
    return as_number(made) if axis is None else made


@records(np.fliplr)
def fliplr(m: Any) -> Any:
    """The columns in reverse order."""
    if rank(m) < 2:
        raise ValueError("fliplr(): the array needs two dimensions")
    return call("flip", m, 1)


@records(np.flipud)
def flipud(m: Any) -> Any:
    """The rows in reverse order."""
    if rank(m) < 1:
        raise ValueError("flipud(): the array needs a dimension")
    return call("flip", m, 0)


def _of_the_trace(value: Any) -> Any:
    """The value as a tensor, which may be written into although it is known."""
    x, trace = tensor(value), recording.current()
    return x if trace is None else emit.lift(trace, x)


def _at_least(least: int, function: Any) -> None:
    @records(function)
    def at_least(*arys: Any) -> Any:
        made = tuple(_with_axes(_of_the_trace(a), least) for a in arys)
        return made[0] if len(made) == 1 else made


def _with_axes(x: Any, least: int) -> Any:
    missing = least - rank(x)
    if missing <= 0:
        return x
    if least == 3 and rank(x) > 0:
        key: Any = (None, slice(None), None) if rank(x) == 1 else (..., None)
        return x[key]
    return call("reshape", x, (1,) * missing + dimension_sizes(x))


_at_least(1, np.atleast_1d)
_at_least(2, np.atleast_2d)
_at_least(3, np.atleast_3d)


@records(np.resize)
def resize(a: Any, new_shape: Any) -> Any:
    """An array of the shape, which repeats the elements where they are too few."""
    return resized(a, new_shape)


@records(np.broadcast_arrays)
def broadcast_arrays(*args: Any, subok: bool = False) -> Any:
    """The arrays in the shape that they broadcast to."""
    tensors = [_of_the_trace(a) for a in args]
    shapes = {x.type.shape for x in tensors}
    if len(shapes) == 1 and None not in next(iter(shapes)):
        return tuple(map(as_array, tensors))  # themselves, which may be written into
    ones = [call("fill_like", x, 0, "int8") for x in tensors]
    total = ones[0]
    for each in ones[1:]:
        total = call("add", total, each)
    return tuple(_broadcast(x, dimension_sizes(total)) for x in tensors)


@records(np.roll)
def roll(a: Any, shift: Any, axis: Any = None) -> Any:
    """The elements moved on; those that fall off come in again."""
    if axis is None and rank(shift):  # one after the other
        shift = call("sum", tensor(shift, "int64"))
    made = call("roll", tensor(a), shift, axis)
    if axis is not None:
        layouts.note_like(made, a)
    return made


@records(np.copy)
def copy(a: Any, order: str = "K", subok: bool = False) -> Any:
    """An array of its own."""
    return as_array_like(ordered(call("copy", tensor(a)), order, a), a)


@records(np.squeeze)
def squeeze(a: Any, axis: Any = None) -> Any:
    """Without dimensions of size 1."""
    x, axis = tensor(a), lone_axis(a, axis)
    trace = recording.current()
    if axis is None and None in x.type.shape and trace and trace.convention.arrays_are_mutable:
        if trace.has_open_arguments:
            raise needing_sizes(
                "squeeze() of an array with sizes that only the run time knows: which of them are 1 "
                "decides how many dimensions there are; give axis="
            )
        axis = _surely_one(x)
    return call("squeeze", x, axis)


def _surely_one(x: Any) -> tuple[int, ...]:
    """The axes that are known to have the size 1; none of the others may turn out to have it."""
    for size, size_ in zip(dimension_sizes(x), x.type.shape, strict=True):
        if size_ is None:
            require(
                call("not_equal", size, 1),
                "squeeze() of a size that turns out to be 1 when the function runs: how many "
                "dimensions there are is settled before; give axis=",
            )
    return tuple(axis for axis, size_ in enumerate(x.type.shape) if size_ == 1)


@records(np.broadcast_to)
def broadcast_to(array: Any, shape: Any, subok: bool = False) -> Any:
    """The array repeated to a shape; it cannot be written into."""
    return as_array(_broadcast(tensor(array), shape))


def _broadcast(x: Any, shape: Any) -> Any:
    """A read-only view with NumPy's conventions."""

    def repeated(each: Any) -> Any:
        return call("broadcast_to", each, shape)

    return seen_through(x, repeated, layouts.repeated)


# Joined.


def _cast(result: Any, dtype: Any, out: Any) -> Any:
    result = result if dtype is None else call("cast", result, dtype)
    return result if out is None else store_whole(result, out, "same_kind")


def _tensors(arrays: Any) -> list[Any]:
    return [arrays] if not isinstance(arrays, (list, tuple)) else [tensor(a) for a in arrays]


@records(np.concatenate)
def concatenate(
    arrays: Any, /, axis: Any = 0, out: Any = None, *, dtype: Any = None, casting: str = "same_kind"
) -> Any:
    """The arrays one after the other along an axis; flattened where it is None."""
    parts = _rows(arrays)
    if axis is None and isinstance(parts, Tensor):
        return _cast(call("reshape", parts, (-1,)), dtype, out)
    if axis is None:
        parts, axis = [call("reshape", p, (-1,)) for p in parts], 0
    return _cast(call("concat", parts, axis), dtype, out)


@records(np.stack)
def stack(
    arrays: Any, axis: int = 0, out: Any = None, *, dtype: Any = None, casting: str = "same_kind"
) -> Any:
    """The arrays side by side along a new axis."""
    return _cast(call("stack", _rows(arrays), axis), dtype, out)


def _rows(arrays: Any) -> Any:
    """The arrays; the rows of an array that is given for them, or it, if their number is unknown."""
    if not isinstance(arrays, Tensor):
        return [tensor(each) for each in arrays]
    known = not arrays.shape or arrays.shape[0] is not None
    return [*arrays] if known else arrays  # type: ignore[misc]


@records(np.vstack, *([np.row_stack] if hasattr(np, "row_stack") else []))
def vstack(tup: Any, *, dtype: Any = None, casting: str = "same_kind") -> Any:
    """The arrays one below the other."""
    parts = _rows(tup)
    if isinstance(parts, Tensor):
        x = parts if rank(parts) > 1 else call("expand_dims", parts, 1)
        return _cast(x if rank(x) == 2 else call("concat", x, 0), dtype, None)
    return _cast(call("concat", [_with_axes(t, 2) for t in parts], 0), dtype, None)


@records(np.hstack)
def hstack(tup: Any, *, dtype: Any = None, casting: str = "same_kind") -> Any:
    """The arrays next to each other."""
    parts = _rows(tup)
    if isinstance(parts, Tensor):
        whole = parts if rank(parts) == 1 else call("concat", parts, 0 if rank(parts) == 2 else 1)
        return _cast(whole, dtype, None)
    parts = [_with_axes(t, 1) for t in parts]
    return _cast(call("concat", parts, 0 if rank(parts[0]) == 1 else 1), dtype, None)


@records(np.dstack)
def dstack(tup: Any) -> Any:
    """The arrays behind each other."""
    return call("concat", [_with_axes(t, 3) for t in _rows(tup)], 2)


@records(np.column_stack)
def column_stack(tup: Any) -> Any:
    """Vectors as columns, and matrices, next to each other."""
    parts = [call("reshape", t, (-1, 1)) if rank(t) < 2 else t for t in _rows(tup)]
    return call("concat", parts, 1)


@records(np.append)
def append(arr: Any, values: Any, axis: Any = None) -> Any:
    """The array with values behind it."""
    x, more = tensor(arr), tensor(values)
    if axis is None:
        return call("concat", [call("reshape", v, (-1,)) for v in (x, more)], 0)
    return call("concat", [x, more], axis)


@records(np.block)
def block(arrays: Any) -> Any:
    """An array put together of nested lists of blocks."""
    depth = _depth(arrays)
    if depth == 0:
        return call("copy", tensor(arrays))
    ranks = max(depth, max(rank(each) for each in _leaves(arrays)))
    return _joined(arrays, depth, ranks)


def _depth(arrays: Any) -> int:
    if not isinstance(arrays, list):
        return 0
    if not arrays:
        raise ValueError("block(): a list of blocks is empty")
    found = {_depth(each) for each in arrays}
    if len(found) > 1:
        raise ValueError("block(): the lists of blocks are not nested equally deep")
    return found.pop() + 1


def _leaves(arrays: Any) -> list[Any]:
    if not isinstance(arrays, list):
        return [arrays]
    return [leaf for each in arrays for leaf in _leaves(each)]


def _joined(arrays: Any, depth: int, ranks: int) -> Any:
    if depth == 0:
        return _with_leading(tensor(arrays), ranks)
    return call("concat", [_joined(each, depth - 1, ranks) for each in arrays], ranks - depth)


def _with_leading(x: Any, ranks: int) -> Any:
    missing = ranks - rank(x)
    return call("reshape", x, (1,) * missing + dimension_sizes(x)) if missing > 0 else x


# Split.


def _bounds(sections: Any, count: Any, uneven: bool) -> list[tuple[Any, Any]]:
    """From where to where each part goes."""
    if isinstance(sections, (list, tuple)) or rank(sections):
        cuts = [*sections] if isinstance(sections, (list, tuple)) else known(sections).tolist()
        return list(zip([None, *cuts], [*cuts, None], strict=True))
    number = int(known(sections))
    if number <= 0:
        raise ValueError(f"split(): {number} parts; there must be one or more")
    if isinstance(count, int) and not uneven and count % number:
        raise ValueError("array split does not result in an equal division")
    each, more = count // number, count % number
    if isinstance(count, int):
        ends = [(i + 1) * each + min(i + 1, more) for i in range(number)]
    else:
        ends = [(i + 1) * each + call("minimum", more, i + 1) for i in range(number)]
    return list(zip([0, *ends], ends, strict=False))


@records(np.array_split)
def array_split(ary: Any, indices_or_sections: Any, axis: int = 0) -> Any:
    """Parts along an axis, of equal length as far as it goes."""
    x = tensor(ary)
    at = axis_index(axis, rank(x), "array_split")
    bounds = _bounds(indices_or_sections, dimension_size(x, at), uneven=True)
    return [x[along(at, slice(*pair))] for pair in bounds]


@records(np.split)
def split(ary: Any, indices_or_sections: Any, axis: int = 0) -> Any:
    """Parts along an axis, of equal length or between the indices."""
    x = tensor(ary)
    at = axis_index(axis, rank(x), "split")
    count = dimension_size(x, at)
    if not isinstance(count, int) and not isinstance(indices_or_sections, (list, tuple, Tensor)):
        return call("numpy_split", x, indices_or_sections, axis)
    return [x[along(at, slice(*pair))] for pair in _bounds(indices_or_sections, count, False)]


def _splitting(axis: int, function: Any) -> None:
    @records(function)
    def parts(ary: Any, indices_or_sections: Any) -> Any:
        where = 0 if axis == 1 and rank(ary) == 1 else axis
        if rank(ary) <= max(where, (1, 1, 3)[axis] - 1):
            raise ValueError(f"{function.__name__}() of an array of {rank(ary)} dimensions")
        return split(ary, indices_or_sections, where)


_splitting(0, np.vsplit)
_splitting(1, np.hsplit)
_splitting(2, np.dsplit)


@records(np.unstack)
def unstack(x: Any, /, *, axis: int = 0) -> Any:
    """The parts of an array along an axis, without it."""
    x = tensor(x)
    if x.type.shape[axis_index(axis, rank(x), "unstack")] is None:
        raise needing_sizes(
            f"unstack(): the size of axis {axis}, which is the number of parts, is known only at "
            "run time: take the parts in a loop"
        )
    return tuple(call("unstack", x, None, axis))


# Without some elements, or with more.


@records(np.delete)
def delete(arr: Any, obj: Any, axis: Any = None) -> Any:
    """Without the parts at positions along an axis."""
    x = tensor(arr)
    x, axis = (call("reshape", x, (-1,)), 0) if axis is None else (x, axis)
    at = axis_index(axis, rank(x), "delete")
    count = dimension_size(x, at)
    if isinstance(obj, slice):
        where: Any = call("range", count, dtype="int64")[obj]
    else:
        where = tensor(obj)
    if where.dtype.is_bool:
        return numpy_compress(call("logical_not", where), x, at)
    if 0 in where.type.shape:
        where = tensor(where, "int64")
    kept = call("full", (count,), True, "bool")
    kept[where] = False
    rest = x[along(at, kept)]
    return _lying_as(x, rest) if isinstance(obj, slice) or rank(where) == 0 else rest


@records(np.insert)
def insert(arr: Any, obj: Any, values: Any, axis: Any = None) -> Any:
    """With values put in before positions along an axis."""
    x = tensor(arr)
    x, axis = (call("reshape", x, (-1,)), 0) if axis is None else (x, axis)
    at = axis_index(axis, rank(x), "insert")
    count = dimension_size(x, at)
    where = tensor(np.arange(count)[obj] if isinstance(obj, slice) else obj)
    if isinstance(obj, (list, tuple)) and not obj:
        where = tensor(obj, "int64")
    if not where.dtype.is_bool:
        inside = call(
            "logical_and", call("less_equal", where, count), call("greater_equal", where, -count)
        )
        require(inside, "insert(): a place is outside of the axis", IndexError)
    given = tensor(values, x.dtype)
    if rank(where) == 0:
        place = call("where", where < 0, where + count, where)
        rows = _inserted_rows(x, given, at, scalar=True)
        parts = [x[along(at, slice(None, place))], rows, x[along(at, slice(place, None))]]
        return _lying_as(x, call("concat", parts, at))
    if where.dtype.is_bool:
        where = call("nonzero", where)[..., 0]
    where = call("where", where < 0, where + count, where)
    where = _place_of_each(where, given, at - rank(x))
    number = dimension_size(where, 0)
    order = call("argsort", where, 0)
    places = call("scatter", where, call("reshape", order, (-1, 1)),
                  where[order] + call("range", number, dtype=where.dtype), "update")  # fmt: skip
    total = count + number
    old = call("full", (total,), True, "bool")
    old[places] = False
    shape = [total if i == at else e for i, e in enumerate(dimension_sizes(x))]
    made = call("full", shape, 0, x.dtype)
    made[along(at, old)] = x
    made[along(at, places)] = given
    return _lying_as(x, made)


def _place_of_each(where: Any, given: Any, axis: int) -> Any:
    """The places, of which a single one is that of all the values along the axis."""
    if where.type.shape[0] not in (1, None) or -axis > rank(given):
        return where
    number = dimension_size(where, 0)
    each = call(
        "where", call("equal", number, 1), dimension_size(given, rank(given) + axis), number
    )
    return call("take", where, call("minimum", call("range", each), number - 1), 0)


def _inserted_rows(x: Any, given: Any, at: int, scalar: bool) -> Any:
    """What is put in at one place: the values, in the array's shape along the other axes."""
    shape = list(dimension_sizes(x))
    if rank(given) == rank(x):
        moved = call("moveaxis", given, 0, at) if scalar else given
        shape[at] = dimension_size(moved, at)
        return call("broadcast_to", moved, shape)
    if (rank(given) and at != rank(x) - 1) or rank(given) == 0:
        shape[at] = 1
        return call("broadcast_to", call("expand_dims", given, at) if rank(given) == rank(x) - 1
                    else given, shape)  # fmt: skip
    if rank(x) == 1:
        return given
    shape[at] = 1
    return call("broadcast_to", call("expand_dims", given, at), shape)


def numpy_compress(condition: Any, x: Any, axis: Any = None) -> Any:
    """``numpy.compress``: the parts along an axis where a vector of bools is true."""
    values, axis = tensor(x), lone_axis(x, axis)
    values, axis = (call("reshape", values, (-1,)), 0) if axis is None else (values, axis)
    places = call("nonzero", tensor(condition, "bool"))
    flat = call("reshape", places, (-1,))
    return call("take_reached", values, flat, axis_index(axis, rank(values), "compress"))


@records(np.compress)
def compress(condition: Any, a: Any, axis: Any = None, out: Any = None) -> Any:
    """The parts along an axis where a vector of bools is true."""
    result = numpy_compress(condition, a, axis)
    return result if out is None else store_by_copy(result, out)


@records(np.extract)
def extract(condition: Any, arr: Any) -> Any:
    """The elements where the condition is true."""
    return numpy_compress(call("reshape", tensor(condition), (-1,)), arr)


@records(np.repeat)
def repeat(a: Any, repeats: Any, axis: Any = None) -> Any:
    """Each element so many times."""
    return call(
        "numpy_repeat", tensor(a), tensor(repeats) if isinstance(repeats, list) else repeats, axis
    )


@records(np.trim_zeros)
def trim_zeros(filt: Any, trim: str = "fb", axis: Any = None) -> Any:
    """Without the zeros in front and behind."""
    x, ends = tensor(filt), trim.lower()
    if not ends or set(ends) - set("fb"):
        raise ValueError(f"trim_zeros(): unexpected characters in {trim!r}")
    axes = axis_indices(axis, rank(x), "trim_zeros")
    full, end = x != 0, np.ones(1, bool)  # behind the end, so that there is always a first one
    key = [slice(None)] * rank(x)
    for i in axes:
        line = call("any", full, [other for other in range(rank(x)) if other != i])
        places = [
            call("argmax", call("concat", [each, end], 0)) for each in (line, call("flip", line))
        ]
        first, last = places[0], dimension_size(line, 0) - places[1]
        key[i] = slice(first if "f" in ends else 0, last if "b" in ends else None)
    return x[tuple(key)] if axes else x


# pad


@records(np.pad)
def pad(array: Any, pad_width: Any, mode: Any = "constant", **kwargs: Any) -> Any:
    """The array with more elements around it."""
    x = tensor(array)
    widths = _pairs(pad_width, rank(x))
    for axis, pair in enumerate(widths):
        _check_widths(pair, dimension_size(x, axis), mode)
    if mode in _PLACES:
        odd = _is_odd(x, mode, **kwargs)
        made = x
        for axis, (before, after) in enumerate(widths):
            made = _picked(made, axis, before, after, mode, odd)
        return _lying_as(x, made)
    if mode not in _VALUES:
        raise ValueError(f"pad(): the mode {mode!r} cannot be recorded; {', '.join(_VALUES)} and "
                         f"{', '.join(_PLACES)} can")  # fmt: skip
    return _lying_as(x, _VALUES[mode](x, widths, **kwargs))


def _is_odd(x: Any, mode: str, **kwargs: Any) -> bool:
    """Whether the mirrored elements go on from the outermost one: ``2 * end - element``."""
    kind = kwargs.pop("reflect_type", "even") if mode in ("reflect", "symmetric") else "even"
    if kwargs:
        raise ValueError(f"pad(): mode {mode!r} has no argument {', '.join(sorted(kwargs))}")
    if kind == "odd" and x.dtype.is_bool:
        raise TypeError("pad(): reflect_type='odd' is not defined for bool")
    return bool(kind == "odd")


def _check_widths(widths: tuple[Any, Any], count: Any, mode: str) -> None:
    """``ValueError`` for negative widths, and where the values to pad with are those of no element."""
    for width in widths:
        require(call("greater_equal", width, 0), "pad(): widths are not negative")
    if mode not in ("constant", "empty") and (emit.is_symbolic(count) or count == 0):
        fits = [call("equal", width, 0) for width in widths]
        some = call("not_equal", count, 0)
        message = f"pad(): there is nothing in an empty axis to pad with in mode {mode!r}"
        require(call("logical_or", some, call("logical_and", *fits)), message)


def _lying_as(x: Any, made: Any) -> Any:
    """A copy with more or fewer elements, which lies by columns in NumPy if the array does."""
    made = call("copy", made) if made is x else made
    layouts.derive_by_columns(made, x)
    return made


def _pairs(given: Any, count: int) -> list[tuple[Any, Any]]:
    """A pair for each axis, of what may be one number, one pair, or a pair for each."""
    if isinstance(given, dict):
        found = {axis % count: value for axis, value in given.items()}
        wide = [found.get(i, 0) for i in range(count)]
        return [tuple(v) if isinstance(v, (tuple, list)) else (v, v) for v in wide]
    if isinstance(given, np.ndarray):
        given = given.tolist()
    if not isinstance(given, (tuple, list)):
        return [(given, given)] * count
    if all(isinstance(each, (tuple, list, np.ndarray)) for each in given):
        rows = [tuple(each) * (1 if len(each) == 2 else 2) for each in given]
        return rows * (count if len(rows) == 1 else 1)
    pair = tuple(given) * (1 if len(given) == 2 else 2)
    return [pair] * count


def _picked(x: Any, axis: int, before: Any, after: Any, mode: str, odd: bool) -> Any:
    """Elements of the axis itself at computed places."""
    if all(isinstance(width, int) and width == 0 for width in (before, after)):
        return x
    count = dimension_size(x, axis)
    places = call("range", count + before + after, dtype="int64") - before
    found = call("take", x, _PLACES[mode](places, count), axis)
    return _going_on(x, axis, found, places, mode) if odd else found


def _going_on(x: Any, axis: int, found: Any, places: Any, mode: str) -> Any:
    """What is mirrored goes on from the end: each iteration adds twice what the axis adds."""
    last = dimension_size(x, axis) - 1
    period = 2 * last if mode == "reflect" else 2 * last + 2
    period = call("maximum", period, 1)
    shape = [-1 if i == axis % rank(x) else 1 for i in range(rank(x))]
    iterations = tensor(call("reshape", places // period, shape), x.dtype)
    mirrored = call("reshape", places % period > last, shape)
    start, end = (x[along(axis, part)] for part in (slice(0, 1), slice(-1, None)))
    return call("where", mirrored, end + end - found, found) + iterations * (
        end - start + end - start
    )


def _edge(places: Any, count: Any) -> Any:
    return call("clip", places, 0, count - 1)


def _wrap(places: Any, count: Any) -> Any:
    return places % count


def _symmetric(places: Any, count: Any) -> Any:
    folded = places % (2 * count)
    return call("minimum", folded, 2 * count - 1 - folded)


def _reflect(places: Any, count: Any) -> Any:
    last = count - 1
    period = call("maximum", 2 * last, 1)
    folded = places % period
    return call("minimum", call("minimum", folded, period - folded), last)


_PLACES = {"edge": _edge, "wrap": _wrap, "symmetric": _symmetric, "reflect": _reflect}


def _around(x: Any, widths: Any, sides: Any) -> Any:
    """The array with constant parts around it: ``sides(x, axis)`` gives a value for each side."""
    for axis, (before, after) in enumerate(widths):
        first, last = sides(x, axis)
        parts = []
        for width, value in ((before, first), (None, x), (after, last)):
            if width is None:
                parts.append(value)
                continue
            shape = [width if i == axis else e for i, e in enumerate(dimension_sizes(x))]
            parts.append(call("broadcast_to", tensor(value, x.dtype), shape))
        x = call("concat", parts, axis)
    return x


def _constant(x: Any, widths: Any, constant_values: Any = 0) -> Any:
    values = _pairs(constant_values, rank(x))
    # NumPy makes an array of them, so an int that does not fit wraps around
    return _around(x, widths, lambda _, axis: [tensor(value) for value in values[axis]])


def _statistic(name: str) -> Any:
    def padded(x: Any, widths: Any, stat_length: Any = None) -> Any:
        lengths = _pairs(stat_length, rank(x))

        def sides(whole: Any, axis: int) -> tuple[Any, Any]:
            first, last = lengths[axis]
            found = _of_outermost(name, whole, axis, first, last=False)
            if first is None and last is None:
                return found, found
            return found, _of_outermost(name, whole, axis, last, last=True)

        return _around(x, widths, sides)

    return padded


def _of_outermost(name: str, x: Any, axis: int, length: Any, *, last: bool) -> Any:
    """The mean, median, least or greatest of so many elements at an end of an axis."""
    if length is not None:
        count = dimension_size(x, axis)
        require(call("greater_equal", length, 0), "pad(): stat_length= is not negative")
        length = call("minimum", length, count)
        start = count - length if last else 0
        x = x[along(axis, slice(start, start + length))]
    if name in _EXTREMA:
        if length is not None:
            some = call("logical_or", call("greater", length, 0), call("equal", count, 0))
            require(some, f"pad(): stat_length= is 0 in mode {name!r}")
        return _EXTREMA[name](x, axis, keepdims=True, initial=_farthest(name, x.dtype))
    found = getattr(np, name)(x, axis, keepdims=True)
    return call("rint", found) if x.dtype.is_integer else found


_EXTREMA = {"maximum": np.max, "minimum": np.min}


def _farthest(name: str, dtype: DType) -> Any:
    """What an extremum begins with, of arrays without elements, too: their axes may be 0 wide."""
    if dtype.is_bool:
        return name == "minimum"
    end = least if name == "maximum" else greatest
    return complex(end(float64), end(float64)) if dtype.is_complex else end(dtype)


def _uninitialised(x: Any, widths: Any) -> Any:
    return _constant(x, widths)


def _ramp(x: Any, widths: Any, end_values: Any = 0) -> Any:
    ends = _pairs(end_values, rank(x))
    for axis, (before, after) in enumerate(widths):
        sides = []
        for width, end, at in ((before, ends[axis][0], 0), (after, ends[axis][1], -1)):
            edge = x[along(axis, slice(at, None) if at else slice(0, 1))]
            shape = [width if i == axis else 1 for i in range(rank(x))]
            steps = call("reshape", call("range", width, dtype="float64"), shape)
            part = steps / width if at == 0 else (steps + 1) / width
            ramp = end + (edge - end) * part if at == 0 else edge + (end - edge) * part
            if x.dtype.is_integer:
                ramp = call("floor", ramp)
            sides.append(tensor(ramp, x.dtype))
        x = call("concat", [sides[0], x, sides[1]], axis)
    return x


_VALUES = {
    "constant": _constant, "empty": _uninitialised, "linear_ramp": _ramp,
    **{name: _statistic(name) for name in ("mean", "median", "minimum", "maximum")},
}  # fmt: skip


@records(np.tile)
def tile(A: Any, reps: Any) -> Any:  # noqa: N803 - NumPy's name
    """The array repeated along each axis."""
    made = call("tile", tensor(A), reps)
    times = reps if isinstance(reps, (list, tuple)) else [reps]
    once = all(type(each) is int and each == 1 for each in times)
    return ordered(made, "K", A) if once else made


def _matrix_transpose(x: Any, /) -> Any:
    """The last two dimensions in each other's place."""
    if rank(x) < 2:
        raise ValueError("matrix_transpose() of an array of less than two dimensions")
    return call("swapaxes", tensor(x), -1, -2)


records(np.matrix_transpose)(_matrix_transpose)
