"""Elements at computed places, under TensorFlow's names: gather, scatter, masks, slices."""

from __future__ import annotations

from collections.abc import Sequence as _Sequence
from typing import Any

import numpy as np

from agir.families.signatures import plain as _plain
from agir.families.signatures import rank as _rank
from agir.families.signatures import require as _require
from agir.families.signatures import require_same as _require_same
from agir.families.signatures import sizes as _sizes
from agir.families.signatures import tensor as _tensor
from agir.ir.building.types import as_dtype as _as_dtype
from agir.ir.building.types import bool_ as _bool
from agir.ir.building.types import int64 as _int64
from agir.ir.ops.core.operands import composition as _composition
from agir.ir.tensors.dispatch import call as _call
from agir.ir.tensors.likes import AxisLike as _AxisLike
from agir.ir.tensors.likes import DTypeLike as _DTypeLike
from agir.ir.tensors.likes import ShapeLike as _ShapeLike
from agir.ir.tensors.likes import TensorLike as _TensorLike


def _inside(indices: Any, size: Any, axis: int, name: str) -> None:
    """Check indices, which may not be negative, against the size of an axis."""
    low, high = _call("greater_equal", indices, 0), _call("less", indices, size)
    _require(
        _call("logical_and", low, high),
        f"{name}(): an index lies outside of axis {axis}, or is negative",
    )


def _positions(x: Any, count: int, total: int) -> list[Any]:
    """For the first dimensions of a tensor, positions that broadcast over ``total`` dimensions."""
    found = []
    for axis, size in enumerate(_sizes(x)[:count]):
        line = _call("range", size, dtype=_int64)
        found.append(_call("reshape", line, [1] * axis + [-1] + [1] * (total - axis - 1)))
    return found


def _batch_rank(batch_dims: int, indices: Any) -> int:
    count = int(batch_dims)
    own = _rank(indices)
    found = count + own if count < 0 else count
    if not 0 <= found <= own:
        raise ValueError(f"batch_dims={count} for indices of {own} dimensions")
    return found


@_composition()
def gather(
    params: _TensorLike,
    indices: _TensorLike,
    validate_indices: Any = None,
    axis: int | None = None,
    batch_dims: int = 0,
    name: str | None = None,
) -> Any:
    """The slices of ``params`` at the indices along an axis; each must lie inside it.

    The first ``batch_dims`` dimensions of both belong together.

    >>> ag.gather([10.0, 20.0, 30.0], [2, 0]).numpy()
    array([30., 10.], dtype=float32)

    Shapes: params [n, ...], indices [m] -> [m, ...]; along axis 0, indices of any shape stand
        in its place
    Dtypes: bool, int, uint, float, complex -> the same
    Raises: RuntimeIndexError for an index outside of the axis
    """
    batch = _batch_rank(batch_dims, indices) if batch_dims else 0
    along = batch if axis is None else int(axis)
    if not batch:
        return _call("gather", params, indices, along)
    x, places = _tensor(params), _tensor(indices)
    total = len(x.shape)
    if not -total <= along < total or along % total < batch:
        raise ValueError(f"gather(): axis={axis} with batch_dims={batch} and {total} dimensions")
    along %= total
    _require_same(x, places, batch, "gather(): params and indices")
    _inside(places, _sizes(x)[along], along, "gather")
    moved = _call("moveaxis", x, along, batch)
    own, between = len(places.shape) - batch, along - batch
    at = (*_positions(x, batch, batch + own), places)
    taken = moved[at]
    order = list(range(len(taken.shape)))
    middle, free = order[batch + own : batch + own + between], order[batch : batch + own]
    order[batch : batch + own + between] = middle + free
    return _call("transpose", taken, order)


@_composition()
def gather_nd(
    params: _TensorLike, indices: _TensorLike, batch_dims: int = 0, name: str | None = None
) -> Any:
    """The slices of ``params`` at places that are rows of indices, one for each of its first axes.

    >>> ag.gather_nd([[1.0, 2.0], [3.0, 4.0]], [[1, 0], [0, 1]]).numpy()
    array([3., 2.], dtype=float32)

    Shapes: params [a, b, ...], indices [n, 2] -> [n, ...]; each row of indices names one
        element for each axis
    Dtypes: bool, int, uint, float, complex -> the same
    Raises: InvalidArgumentError for a place outside
    """
    x, places = _tensor(params), _tensor(indices)
    batch = int(batch_dims)
    _require_same(x, places, batch, "gather_nd(): params and indices")
    key = _key(x, places, batch, "gather_nd")
    outer = len(places.shape) - 1
    if not key:
        shape = [*_sizes(places)[:-1], *_sizes(x)]
        return _call("broadcast_to", x, shape)
    at = (*_positions(x, batch, outer), *key)
    return x[at]


def _key(x: Any, places: Any, batch: int, name: str) -> list[Any]:
    """The columns of a matrix of indices, each checked against its axis."""
    depth = places.shape[-1] if places.shape else None
    if depth is None:
        raise ValueError(f"{name}(): the last size of the indices must be known")
    if batch + depth > len(x.shape):
        raise ValueError(f"{name}(): {depth} indices for a tensor of {len(x.shape)} dimensions")
    sizes = _sizes(x)
    columns = [places[..., axis] for axis in range(depth)]
    for axis, column in enumerate(columns):
        _inside(column, sizes[batch + axis], batch + axis, name)
    return columns


_ANY = "bool, int, uint, float, complex"
_ORDERED = "bool, int, uint, float"
_DTYPES = {
    "update": _ANY, "add": _ANY, "sub": _ANY.removeprefix("bool, "), "min": _ORDERED,
    "max": _ORDERED,
}  # fmt: skip


def _scattered(how: str, what: str, shown: str) -> Any:
    @_composition()
    def scatter(tensor: Any, indices: Any, updates: Any, name: Any = None) -> Any:
        x = _tensor(tensor)
        return _call("scatter", x, indices, _tensor(updates), how)

    scatter.__doc__ = f"""The tensor with updates {what} the elements that rows of indices name.

    >>> ag.tensor_scatter_nd_{how}([1.0, 9.0, 3.0], [[0], [1]], [5.0, 6.0]).numpy()
    {shown}

    Shapes: tensor [m, ...], indices [n, 1], updates [n, ...] -> [m, ...]
    Dtypes: {_DTYPES[how]} -> the same
    Raises: RuntimeIndexError for a place outside; OperandTypeError for other dtypes
    """
    scatter.__name__ = scatter.__qualname__ = f"tensor_scatter_nd_{how}"
    return scatter


tensor_scatter_nd_update = _scattered(
    "update", "in the place of", "array([5., 6., 3.], dtype=float32)"
)
tensor_scatter_nd_add = _scattered("add", "added to", "array([ 6., 15.,  3.], dtype=float32)")
tensor_scatter_nd_sub = _scattered(
    "sub", "subtracted from", "array([-4.,  3.,  3.], dtype=float32)"
)
tensor_scatter_nd_min = _scattered(
    "min", "that are less in the place of", "array([1., 6., 3.], dtype=float32)"
)
tensor_scatter_nd_max = _scattered(
    "max", "that are greater in the place of", "array([5., 9., 3.], dtype=float32)"
)


@_composition()
def scatter_nd(
    indices: _TensorLike, updates: _TensorLike, shape: _ShapeLike, name: str | None = None
) -> Any:
    """Zeros of the shape with updates added at the places that rows of indices name.

    >>> ag.scatter_nd([[1], [3]], [10.0, 20.0], [5]).numpy()
    array([ 0., 10.,  0., 20.,  0.], dtype=float32)

    Shapes: updates [n, ...], indices [n, 1], shape [k] -> shape; each row of indices names a
        place
    Dtypes: bool, int, uint, float, complex -> the same
    Raises: RuntimeIndexError for a place outside; OperandTypeError for other dtypes
    """
    values = _tensor(updates)
    sizes = list(shape) if isinstance(shape, (list, tuple)) else shape
    return _call("scatter", _call("full", sizes, 0, values.dtype), indices, values, "add")


@_composition()
def boolean_mask(
    tensor: _TensorLike, mask: _TensorLike, axis: _AxisLike = None, name: str | None = None
) -> Any:
    """The elements (or slices) of the tensor where a mask, over axes from ``axis`` on, is true.

    >>> ag.boolean_mask([1.0, 2.0, 3.0], [True, False, True]).numpy()
    array([1., 3.], dtype=float32)

    Shapes: tensor [n, ...], mask [n] -> [m, ...]; a mask of several dimensions takes as many
        axes
    Dtypes: bool, int, uint, float, complex -> the same
    Raises: OperandTypeError for a mask that is not bool; RuntimeIndexError for one of another
        shape
    """
    x, chosen = _tensor(tensor), _tensor(mask)
    if not chosen.shape:
        raise ValueError("boolean_mask(): the mask is a scalar")
    if chosen.dtype != _bool:
        raise TypeError(f"boolean_mask(): the mask is of {chosen.dtype}, not bool")
    first = 0 if axis is None else int(_plain(axis))
    first += len(x.shape) if first < 0 else 0
    return x[(slice(None),) * first + (chosen,)]


@_composition()
def where(
    condition: _TensorLike,
    x: _TensorLike | None = None,
    y: _TensorLike | None = None,
    name: str | None = None,
) -> Any:
    """``x`` where the condition is true, ``y`` elsewhere, all three broadcast.

    With the condition alone the places where it is true: a row of int64 indices for each.

    >>> ag.where([True, False], [1, 2], [3, 4]).numpy()
    array([1, 4], dtype=int32)

    Shapes: condition, x, y broadcast; the condition alone [...] -> [n, k]
    Dtypes: bool, int, uint, float, complex -> as NumPy promotes x and y
    Raises: OperandValueError for one of x and y alone, and where the shapes do not broadcast
    """
    if x is None and y is None:
        return _call("nonzero", _tensor(condition))
    if x is None or y is None:
        raise ValueError("where(): x and y go together; give both of them, or neither")
    return _call("where", condition, x, y)


@_composition()
def slice_(input_: Any, begin: Any, size: Any, name: str | None = None) -> Any:
    """The part of a tensor that begins there and has these sizes; -1 is all that is left.

    >>> ag.slice([[1, 2, 3], [4, 5, 6]], [0, 1], [2, 2]).numpy()
    array([[2, 3],
           [5, 6]], dtype=int32)

    Shapes: input_ [...], begin [k], size [k] -> size
    Dtypes: bool, int, uint, float -> the same
    Raises: OperandValueError, or RuntimeIndexError in a compiled function, for a part outside;
        OperandTypeError for other dtypes
    """
    x = _tensor(input_)
    key = []
    for axis, (first, count) in enumerate(zip(_each(begin), _each(size), strict=True)):
        dim_size = _sizes(x)[axis]
        whole = isinstance(count, int) and count == -1
        last = dim_size if whole else first + count
        if all(isinstance(v, int) for v in (first, last, dim_size)):
            if not 0 <= first <= last <= dim_size:
                raise ValueError(
                    f"slice(): {count} elements from {first} on do not lie in axis {axis}, which "
                    f"has {dim_size}"
                )
        else:
            fits = _call(
                "logical_and", _call("less_equal", first, last), _call("greater_equal", first, 0)
            )
            fits = _call("logical_and", fits, _call("less_equal", last, dim_size))
            _require(fits, f"slice(): the part does not lie in axis {axis}")
        key.append(slice(first, last))
    if len(key) != len(x.shape):
        raise ValueError(f"slice(): {len(key)} sizes for {len(x.shape)} dimensions")
    return x[tuple(key)]


slice_.__name__ = slice_.__qualname__ = "slice"


def _each(vector: Any) -> list[Any]:
    """The numbers of a vector: ints where they are known."""
    found = _plain(vector)
    if isinstance(found, np.ndarray):
        return list(found.tolist())
    if not isinstance(found, (list, tuple)):
        found = [found[i] for i in range(found.shape[0])]
    return [v if getattr(v, "is_symbolic", False) else int(v) for v in found]


@_composition()
def strided_slice(
    input_: Any,
    begin: Any,
    end: Any,
    strides: Any = None,
    begin_mask: int = 0,
    end_mask: int = 0,
    ellipsis_mask: int = 0,
    new_axis_mask: int = 0,
    shrink_axis_mask: int = 0,
    name: str | None = None,
) -> Any:
    """``input_[begin:end:strides]`` in each axis; bits of the masks stand for the rest of a key.

    >>> ag.strided_slice([1, 2, 3, 4, 5], [1], [5], [2]).numpy()
    array([2, 4], dtype=int32)

    Shapes: input_ [...], begin [k], end [k], strides [k] -> what the key leaves
    Dtypes: bool, int, uint, float -> the same
    Raises: OperandTypeError for other dtypes
    """
    first, last = _each(begin), _each(end)
    steps = [1] * len(first) if strides is None else _each(strides)
    key: list[Any] = []
    for i, (a, b, step) in enumerate(zip(first, last, steps, strict=True)):
        bit = 1 << i
        if ellipsis_mask & bit:
            key.append(Ellipsis)
        elif new_axis_mask & bit:
            key.append(None)
        elif shrink_axis_mask & bit:
            key.append(a)
        else:
            key.append(slice(None if begin_mask & bit else a, None if end_mask & bit else b, step))
    return _tensor(input_)[tuple(key)]


@_composition()
def reverse_sequence(
    input: _TensorLike,
    seq_lengths: Any,
    seq_axis: int = 0,
    batch_axis: int = 0,
    name: str | None = None,
) -> Any:
    """The first ``seq_lengths[i]`` elements of each slice along ``batch_axis`` in reverse order.

    >>> ag.reverse_sequence([[1, 2, 3], [4, 5, 6]], [2, 3], seq_axis=1).numpy()
    array([[2, 1, 3],
           [6, 5, 4]], dtype=int32)

    Shapes: input [n, m, ...], seq_lengths [n] -> [n, m, ...]
    Dtypes: bool, int, uint, float -> the same
    Raises: OperandTypeError for other dtypes
    """
    x, lengths = _tensor(input), _tensor(seq_lengths)
    dims = len(x.shape)
    along, batch = int(seq_axis) % dims, int(batch_axis) % dims
    if along == batch:
        raise ValueError(f"reverse_sequence(): seq_axis and batch_axis are both {along}")
    size = _sizes(x)[along]
    _require(
        _call("logical_and", lengths >= 0, lengths <= size),
        f"reverse_sequence(): a length is negative, or more than the size of axis {along}",
    )
    place = _call("range", size, dtype=_int64)
    count = _call("expand_dims", _call("cast", lengths, _int64), 1)
    from_there = _call("where", place < count, count - 1 - place, place)
    moved = _call("moveaxis", x, (batch, along), (0, 1))
    found = gather(moved, from_there, axis=1, batch_dims=1)
    return _call("moveaxis", found, (0, 1), (batch, along))


@_composition()
def dynamic_partition(
    data: _TensorLike, partitions: Any, num_partitions: int, name: str | None = None
) -> list[Any]:
    """For each number below ``num_partitions`` the slices of the data that have that number.

    >>> [part.numpy().tolist() for part in ag.dynamic_partition([1.0, 2.0, 3.0], [0, 1, 0], 2)]
    [[1.0, 3.0], [2.0]]

    Shapes: data [n, ...], partitions [n] -> list of [m', ...]
    Dtypes: bool, int, uint, float, complex -> the same
    Raises: InvalidArgumentError for a partition that is none
    """
    x, numbers = _tensor(data), _tensor(partitions)
    count = int(_plain(num_partitions))
    _inside(numbers, count, 0, "dynamic_partition")
    return [x[numbers == i] for i in range(count)]


@_composition()
def dynamic_stitch(
    indices: _Sequence[_TensorLike], data: _Sequence[_TensorLike], name: str | None = None
) -> Any:
    """Tensors interleaved: slice ``i`` of each goes where its index says, and the last one counts.

    >>> ag.dynamic_stitch([[0, 2], [1]], [[1.0, 3.0], [2.0]]).numpy()
    array([1., 2., 3.], dtype=float32)

    Shapes: data list of [n', ...], indices list of [n'] -> [m, ...]
    Dtypes: bool, int, uint, float, complex -> the same
    Raises: OperandTypeError for other dtypes
    """
    places = [_call("ravel", _tensor(each)) for each in indices]
    parts = []
    for each, own in zip(data, indices, strict=True):
        x = _tensor(each)
        inner = _sizes(x)[len(_tensor(own).shape) :]
        parts.append(_call("reshape", x, [-1, *inner]))
    order, rows = _call("concat", places, 0), _call("concat", parts, 0)
    longest = _call("max", _call("concat", [_call("cast", order, _int64), [-1]], 0)) + 1
    whole = _call("full", [longest, *_sizes(rows)[1:]], 0, rows.dtype)
    return _call("scatter", whole, _call("expand_dims", order, 1), rows, "update")


@_composition()
def one_hot(
    indices: _TensorLike,
    depth: Any,
    on_value: Any = None,
    off_value: Any = None,
    axis: int | None = None,
    dtype: _DTypeLike | None = None,
    name: str | None = None,
) -> Any:
    """``on_value`` (1) at each index along a new axis of ``depth`` elements, ``off_value`` (0) else.

    >>> ag.one_hot([0, 2], 3).numpy()
    array([[1., 0., 0.],
           [0., 0., 1.]], dtype=float32)

    Shapes: indices [...] -> [..., depth]; the new axis may stand elsewhere
    Dtypes: int, uint, float -> float32
    Raises: OperandTypeError for other dtypes
    """
    given = [v for v in (on_value, off_value) if v is not None]
    kind = (
        _as_dtype(dtype) if dtype is not None else _tensor(given[0]).dtype if given else "float32"
    )
    places = _tensor(indices)
    where_to = -1 if axis is None else int(axis)
    total = len(places.shape) + 1
    if not -total <= where_to < total:
        raise ValueError(f"one_hot(): axis {axis} is out of bounds for {total} dimensions")
    line = _call("range", _plain(depth), dtype=places.dtype)
    line = _call("reshape", line, [-1] + [1] * (total - 1 - where_to % total))
    here = _call("equal", _call("expand_dims", places, where_to), line)
    on, off = (
        _call("cast", default if value is None else value, kind)
        for value, default in ((on_value, 1), (off_value, 0))
    )
    return _call("where", here, on, off)


@_composition()
def sequence_mask(
    lengths: _TensorLike, maxlen: Any = None, dtype: _DTypeLike = _bool, name: str | None = None
) -> Any:
    """True for the first ``lengths[i]`` of ``maxlen`` places (by default the greatest length).

    >>> ag.sequence_mask([1, 3], 3).numpy()
    array([[ True, False, False],
           [ True,  True,  True]])

    Shapes: lengths [...] -> [..., maxlen]
    Dtypes: int, uint, float -> bool
    Raises: OperandTypeError for other dtypes
    """
    counts = _tensor(lengths)
    size = _call("maximum", _call("max", counts), 0) if maxlen is None else _plain(maxlen)
    line = _call("range", size, dtype=counts.dtype)
    found = _call("less", line, _call("expand_dims", counts, -1))
    return found if _as_dtype(dtype) == _bool else _call("cast", found, dtype)


@_composition()
def invert_permutation(x: _TensorLike, name: str | None = None) -> Any:
    """The permutation that undoes this one; each number up to the length must be there once.

    >>> ag.math.invert_permutation([2, 0, 1]).numpy()
    array([1, 2, 0], dtype=int32)

    Shapes: x [n] -> [n]
    Dtypes: int, uint -> the same
    Raises: InvalidArgumentError for what is no permutation; OperandTypeError for other dtypes
    """
    order = _tensor(x)
    if not order.dtype.is_integer:
        raise TypeError(f"invert_permutation() is not defined for {order.dtype}")
    if len(order.shape) != 1:
        raise ValueError("invert_permutation() takes a vector")
    line = _call("range", _sizes(order)[0], dtype=_int64)
    unset = _call("full", [_sizes(order)[0]], -1, _int64)
    found = _call("scatter", unset, _call("expand_dims", order, 1), line)
    _require(found >= 0, "invert_permutation(): a number is missing, or there twice")
    return _call("cast", found, order.dtype)


__all__ = [
    "boolean_mask",
    "dynamic_partition",
    "dynamic_stitch",
    "gather",
    "gather_nd",
    "invert_permutation",
    "one_hot",
    "reverse_sequence",
    "scatter_nd",
    "sequence_mask",
    "strided_slice",
    "tensor_scatter_nd_add",
    "tensor_scatter_nd_max",
    "tensor_scatter_nd_min",
    "tensor_scatter_nd_sub",
    "tensor_scatter_nd_update",
    "where",
]
