"""Elements elsewhere: take, gather, pad, tile, repeat, flip, roll."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from agir.errors import RuntimeIndexError
from agir.ir.building import attributes
from agir.ir.building.types import Shape, TensorType, int64, mlir_type
from agir.ir.emission import broadcast, emit, gathering
from agir.ir.ops.core import folding
from agir.ir.ops.core.agreement import Size
from agir.ir.ops.core.checked import require
from agir.ir.ops.core.operands import axis_index, axis_indices, compose, operand_type
from agir.ir.ops.core.rearranged import rearranged
from agir.ir.ops.shapes.shapes import reshaped
from agir.ir.tensors import dispatch
from agir.ir.tensors.symbolic import Dim, Dims, SymbolicTensor, static_shape
from agir.ir.tensors.tensor import Tensor
from agir.ir.tracing.loops import if_ok
from agir.ir.tracing.trace import Trace

Positions = Callable[[list[Any]], list[Any]]


def _moved(
    trace: Trace, x: SymbolicTensor, dims: Dims, position: Positions, weak: bool = False
) -> SymbolicTensor:
    """The tensor of elements at computed positions of another one."""
    if not dims:
        return trace.make(x.ssa, x.dtype, (), weak)
    ssa = gathering.gather(trace, x.ssa, x.dtype, dims, position)
    return trace.make(ssa, x.dtype, dims, weak)


def _index(trace: Trace, name: str, left: Any, right: Any) -> Any:
    return trace.op(f"arith.{name}", trace.index_type(), left, right)


def _modulo(trace: Trace, value: Any, size: Any) -> Any:
    """The non-negative remainder by a size, which is not 0 where elements are read."""
    safe = _index(trace, "maxsi", size, trace.index(1))
    rest = _index(trace, "remsi", value, safe)
    negative = trace.compare("slt", rest, trace.index(0))
    return emit.select(trace, negative, _index(trace, "addi", rest, safe), rest)


def _scalar_index(trace: Trace, value: Any) -> Any:
    return emit.to_index(trace, value)


# take, gather


def _indexed_shape(x: Any, indices: Any, axis: Any, name: str) -> tuple[TensorType, Shape, int]:
    kind, chosen = operand_type(x), operand_type(indices)
    if not chosen.dtype.is_integer and 0 not in chosen.shape:
        raise TypeError(f"{name.partition('_')[0]}(): indices are integers, not {chosen.dtype}")
    if not kind.shape:
        raise ValueError(f"{name}(): a scalar has no elements to choose from")
    along = axis_index(axis, kind.rank, name)
    shape = (*kind.shape[:along], *chosen.shape, *kind.shape[along + 1 :])
    return kind, shape, along


def _choice(name: str, wraps: bool, doc: str, lazy: bool = False) -> Any:
    """The operation of this name; a ``lazy`` one looks at no index where there is nothing to take.

    NumPy does not where an axis before is empty, nor ``wholly`` (indices that are kept inside the
    axis) where the result is.
    """

    def unread(
        shape: Sequence[Any], dims: Sequence[Any], along: int, wholly: bool
    ) -> Sequence[Any]:
        return dims if wholly else shape[:along] if lazy else ()

    def rule(x: Any, indices: Any, axis: Any = 0, wholly: bool = False) -> TensorType:
        kind, shape, _ = _indexed_shape(x, indices, axis, name)
        return TensorType(kind.dtype, shape, kind.weak)

    def evaluate(x: Any, indices: Any, axis: Any = 0, wholly: bool = False) -> Any:
        values, chosen = np.asarray(x), np.asarray(indices)
        chosen = chosen if chosen.size else chosen.astype(np.int64)
        along = axis_index(axis, values.ndim, name)
        shape = (*values.shape[:along], *chosen.shape, *values.shape[along + 1 :])
        if 0 in unread(values.shape, shape, along, wholly):
            return np.zeros(shape, values.dtype)
        check_indices(chosen, values.shape[axis], along, wraps)
        return np.take(values, chosen, axis)

    def emission(
        trace: Trace, result: TensorType, x: Any, indices: Any, axis: Any, wholly: bool = False
    ) -> SymbolicTensor:
        tensor = emit.lift(trace, x)
        along = axis_index(axis, len(tensor.dims), name)
        size = tensor.dims[along]
        known = None if emit.is_symbolic(indices) else np.asarray(_plain(indices))
        places = emit.lift(trace, indices if known is None else known.astype(np.int64))
        dims = (*tensor.dims[:along], *places.dims, *tensor.dims[along + 1 :])
        free = unread(tensor.dims, dims, along, wholly)
        if any(isinstance(d, int) and d == 0 for d in free):
            ssa = emit.constant_like(trace, tensor.dtype, dims, 0)
            return trace.make(ssa, tensor.dtype, dims, result.weak)
        free = [d for d in free if not isinstance(d, int)]
        checked = False
        if known is not None and isinstance(size, int) and not free:
            check_indices(known, size, along, wraps)
            checked = True
        return _taken(trace, tensor, places, along, result, checked, wraps, free)

    def signature(x: Any, indices: Any, axis: Any = 0) -> None: ...

    return dispatch.define(
        name,
        operands=("x", "indices"),
        rule=rule,
        emit=emission,
        doc=doc,
        signature=evaluate if lazy else signature,
    )(evaluate)


def _plain(value: Any) -> Any:
    return value.numpy() if isinstance(value, Tensor) else value


def check_indices(indices: Any, size: int, axis: int, wraps: bool) -> None:
    """``IndexError`` for an index outside of the axis."""
    low = -size if wraps else 0
    bad = (indices < low) | (indices >= size)
    if np.any(bad):
        index = int(np.asarray(indices)[bad].flat[0])
        raise RuntimeIndexError(f"index {index} is out of bounds for axis {axis} with size {size}")


def _taken(
    trace: Trace,
    x: SymbolicTensor,
    indices: SymbolicTensor,
    axis: int,
    result: TensorType,
    checked: bool,
    wraps: bool,
    free: Sequence[Dim],
) -> SymbolicTensor:
    places = emit.convert(trace, indices.ssa, indices.dtype, int64, indices.dims)
    dim_size = x.dims[axis]
    size = emit.dim_value(trace, dim_size)
    dims = (*x.dims[:axis], *indices.dims, *x.dims[axis + 1 :])
    ok = None if checked else guard_indices(trace, places, indices.dims, size, axis, wraps, free)

    def gathered() -> Any:
        return _gathered(trace, x, places, len(indices.dims), axis, dims, size, not checked)

    if ok is None or (isinstance(dim_size, int) and dim_size > 0):
        return trace.make(gathered(), x.dtype, dims, result.weak)
    ssa = if_ok(trace, ok, gathered, lambda: emit.constant_like(trace, x.dtype, dims, 0))
    return trace.make(ssa, x.dtype, dims, result.weak)


def guard_indices(
    trace: Trace,
    places: Any,
    dims: Dims,
    size: Any,
    axis: int,
    wraps: bool,
    free: Sequence[Dim] = (),
) -> Any:
    """Check the least and the greatest index: i1 where both are inside the axis.

    Where one of the ``free`` sizes is 0 they need not be.
    """
    axes = range(len(dims))
    low = folding.fold(trace, places, int64, dims, axes, "arith.minsi", 0)
    high = folding.fold(trace, places, int64, dims, axes, "arith.maxsi", -1)
    dim_size = emit.from_index(trace, size)
    zero = trace.constant(int64, 0)
    least = trace.op("arith.subi", dim_size.type, zero, dim_size) if wraps else zero
    fits, above = trace.compare("sge", low, least), trace.compare("slt", high, dim_size)
    ok = trace.op("arith.andi", fits.type, fits, above)
    for each in free:
        none = trace.compare("eq", each.value(trace), trace.index(0))
        ok = trace.op("arith.ori", ok.type, ok, none)
    wrong = emit.select(trace, above, low, high)
    trace.guard(ok, trace.site("index", axis), wrong, dim_size)
    return ok


def _gathered(
    trace: Trace,
    x: SymbolicTensor,
    places: Any,
    rank: int,
    axis: int,
    dims: Dims,
    size: Any,
    clamp: bool,
) -> Any:
    """``linalg.generic`` over the indices, which are wrapped, and kept inside the axis."""

    def at(place: Any) -> Any:
        index = trace.op("arith.index_cast", trace.index_type(), place)
        zero = trace.index(0)
        negative = trace.compare("slt", index, zero)
        index = emit.select(trace, negative, _index(trace, "addi", index, size), index)
        if clamp:
            last = _index(trace, "subi", size, trace.index(1))
            index = _index(trace, "maxsi", _index(trace, "minsi", index, last), zero)
        return index

    def position(others: list[Any], place: Any) -> list[Any]:
        return [*others[:axis], at(place), *others[axis + rank :]]

    if not dims:
        return trace.op("tensor.extract", x.dtype.mlir(), x.ssa, at(places))
    init = emit.empty(trace, x.dtype, dims)
    letters = [f"d{i}" for i in range(len(dims))]
    space = ", ".join(letters)
    maps = [f"affine_map<({space}) -> ({', '.join(letters[axis : axis + rank])})>"] if rank else []
    source = x.ssa

    def element(*scalars: Any) -> tuple[Any, ...]:
        index = trace.index_type()
        others = [trace.op("linalg.index", index, dim=attributes.i64(i)) for i in range(len(dims))]
        where = position(others, scalars[0] if rank else places)
        return (trace.op("tensor.extract", x.dtype.mlir(), source, *where),)

    maps.append(gathering.identity_map(len(dims)))
    inputs = [places] if rank else []
    kinds = ["parallel"] * len(dims)
    return gathering.generic(trace, inputs, [init], maps, kinds, element).result


take_along = _choice(
    "take",
    True,
    """
    The elements at integer positions along an axis, which may be negative as in Python.

    A position outside the axis is an ``IndexError``.
    """,
)
gather = _choice(
    "gather",
    False,
    "The slices at integer positions along an axis; a position outside it is an ``IndexError``.",
)
take_reached = _choice(
    "take_reached",
    True,
    """
    The elements at integer positions along an axis, where an axis before it is not empty.

    Else no position is looked at; nor is any, if the positions are kept inside, for an empty result
    (``wholly``).
    """,
    lazy=True,
)


def numpy_take(x: Any, indices: Any, axis: Any = None) -> Any:
    """``numpy.take``: along an axis, or of the flattened array.

    >>> ag.take([10.0, 20.0, 30.0], [2, 0]).numpy()
    array([30., 10.], dtype=float32)

    Shapes: x [n, ...], indices [m] -> [m, ...]; along axis 0
    Dtypes: bool, int, uint, float, complex -> the same
    Raises: RuntimeIndexError for an index outside of the axis
    """
    if axis is None:
        return take_along(dispatch.call("reshape", x, (-1,)), indices, 0)
    return take_along(x, indices, axis)


compose("numpy_take", numpy_take, operands=("x", "indices"), numpy=(np.take,))


# flip, roll


def _like_rule(name: str) -> Callable[..., TensorType]:
    def rule(x: Any, axis: Any = None) -> TensorType:
        kind = operand_type(x)
        axis_indices(axis, kind.rank, name)
        return TensorType(kind.dtype, kind.shape, kind.weak)

    return rule


def _flip_emit(trace: Trace, result: TensorType, x: Any, axis: Any) -> SymbolicTensor:
    tensor = emit.lift(trace, x)
    dims, dtype = tensor.dims, tensor.dtype
    axes = [a for a in axis_indices(axis, len(dims), "flip") if dims[a] not in (0, 1)]

    def flipped(ssa: Any) -> Any:
        return gathering.reverse(trace, ssa, dtype, dims, axes) if axes else ssa

    every = axis_indices(axis, len(dims), "flip")
    return rearranged(
        trace, tensor, dims, flipped, flipped, result.weak, lambda layout: np.flip(layout, every)
    )


@dispatch.define(operands=("x",), rule=_like_rule("flip"), emit=_flip_emit, numpy=(np.flip,))
def flip(x: Any, axis: Any = None) -> Any:
    """The elements along the axes (all where None) in reverse order; a view.

    >>> ag.flip([1, 2, 3]).numpy()
    array([3, 2, 1], dtype=int32)

    Shapes: x [...] -> [...]
    Dtypes: bool, int, uint, float, complex -> the same
    Raises: OperandTypeError for what is no tensor
    """
    return np.flip(x, tuple(axis) if isinstance(axis, (list, np.ndarray)) else axis)


def _shifts(shift: Any, axis: Any, rank: int) -> list[tuple[int, Any]]:
    axes = list(axis) if isinstance(axis, (tuple, list)) else [axis]
    amounts = list(shift) if isinstance(shift, (tuple, list)) else [shift]
    count = max(len(axes), len(amounts))
    if {len(axes), len(amounts)} - {1, count}:
        raise ValueError(f"roll(): {len(amounts)} shifts for {len(axes)} axes")
    axes, amounts = ([*v] * (count if len(v) == 1 else 1) for v in (axes, amounts))
    return [(axis_index(a, rank, "roll"), s) for a, s in zip(axes, amounts, strict=True)]


def _roll_rule(x: Any, shift: Any, axis: Any = None) -> TensorType:
    kind = operand_type(x)
    if axis is not None:
        _shifts(shift, axis, kind.rank)
    return TensorType(kind.dtype, kind.shape, kind.weak)


def _roll_emit(trace: Trace, result: TensorType, x: Any, shift: Any, axis: Any) -> SymbolicTensor:
    tensor = emit.lift(trace, x)
    if axis is None:
        if len(tensor.dims) == 1:
            return _rolled(trace, tensor, _shifts(shift, 0, 1), result.weak)
        flat = dispatch.call("reshape", tensor, (-1,))
        return reshaped(trace, _rolled(trace, flat, _shifts(shift, 0, 1)), tensor.dims, result.weak)
    return _rolled(trace, tensor, _shifts(shift, axis, len(tensor.dims)), result.weak)


def _rolled(
    trace: Trace, x: SymbolicTensor, shifts: list[tuple[int, Any]], weak: bool = False
) -> SymbolicTensor:
    amounts: dict[int, Any] = {}
    for axis, shift in shifts:
        amount = _scalar_index(trace, shift)
        before = amounts.get(axis)
        amounts[axis] = amount if before is None else _index(trace, "addi", before, amount)
    sizes = {axis: emit.dim_value(trace, x.dims[axis]) for axis in amounts}

    def position(indices: list[Any]) -> list[Any]:
        return [
            _modulo(trace, _index(trace, "subi", i, amounts[a]), sizes[a]) if a in amounts else i
            for a, i in enumerate(indices)
        ]

    return _moved(trace, x, x.dims, position, weak)


@dispatch.define(operands=("x",), rule=_roll_rule, emit=_roll_emit, numpy=(np.roll,))
def roll(x: Any, shift: Any, axis: Any = None) -> Any:
    """The elements moved on by ``shift`` places along the axes; those that fall off come in again.

    >>> ag.roll([1, 2, 3], 1, axis=0).numpy()
    array([3, 1, 2], dtype=int32)

    Shapes: x [...] -> [...]
    Dtypes: bool, int, uint, float, complex -> the same
    Raises: OperandTypeError for what is no tensor
    """
    return np.roll(x, shift, axis)


# tile, repeat


def _repetitions(reps: Any, rank: int) -> list[Any]:
    """How often each dimension is repeated, with ones in front for those that are missing."""
    if isinstance(reps, Tensor) and not reps.is_symbolic:
        reps = reps.numpy()
    if isinstance(reps, SymbolicTensor) and reps.dims:
        reps = list(reps)
    if isinstance(reps, np.ndarray):
        reps = reps.tolist()
    given = list(reps) if isinstance(reps, (tuple, list)) else [reps]
    counts = [r if isinstance(r, SymbolicTensor) else int(r) for r in given]
    if any(not isinstance(c, SymbolicTensor) and c < 0 for c in counts):
        raise ValueError(f"negative repetitions are not allowed: {counts}")
    return [1] * (rank - len(counts)) + counts


def _times(size: int | None, count: Any) -> int | None:
    if isinstance(count, SymbolicTensor):
        return None
    if size is None:
        return 0 if count == 0 else None
    return size * int(count)


def _tile_rule(x: Any, reps: Any) -> TensorType:
    kind = operand_type(x)
    counts = _repetitions(reps, kind.rank)
    shape = (1,) * (len(counts) - kind.rank) + kind.shape
    repeated = tuple(_times(e, c) for e, c in zip(shape, counts, strict=True))
    return TensorType(kind.dtype, repeated, kind.weak)


def _repeated(trace: Trace, dim: Size, count: Any) -> Size:
    """The size times the number of repetitions, which is checked not to be negative."""
    if isinstance(count, int):
        if isinstance(dim, int):
            return dim * count
        if count in (0, 1):
            return dim if count else 0
        return Dim(value=_index(trace, "muli", dim.value(trace), trace.index(count)))
    number = emit.dim_of(trace, count)
    if isinstance(dim, int) and dim == 1:
        return number
    factors = [emit.dim_value(trace, size) for size in (dim, number)]
    return Dim(value=_index(trace, "muli", *factors))


def _tile_emit(trace: Trace, result: TensorType, x: Any, reps: Any) -> SymbolicTensor:
    tensor = emit.lift(trace, x)
    counts = _repetitions(reps, len(tensor.dims))
    lead = len(counts) - len(tensor.dims)
    source = (1,) * lead + tensor.dims
    dims = tuple(_repeated(trace, d, c) for d, c in zip(source, counts, strict=True))
    if not dims:
        return trace.make(tensor.ssa, tensor.dtype, (), result.weak)
    if not tensor.dims:
        return trace.make(emit.splat(trace, tensor.ssa, tensor.dtype, dims), tensor.dtype, dims)
    sizes = [emit.dim_value(trace, d) for d in tensor.dims]

    def position(indices: list[Any]) -> list[Any]:
        return [
            i if dims[lead + a] is source[lead + a] else _modulo(trace, i, sizes[a])
            for a, i in enumerate(indices[lead:])
        ]

    return _moved(trace, tensor, dims, position, result.weak)


@dispatch.define(operands=("x",), rule=_tile_rule, emit=_tile_emit, numpy=(np.tile,))
def tile(x: Any, reps: Any) -> Any:
    """The tensor repeated as a whole, ``reps`` times along each axis.

    >>> ag.tile([1.0, 2.0], [2]).numpy()
    array([1., 2., 1., 2.], dtype=float32)

    Shapes: x [n], reps [1] -> [m]; a number for each axis
    Dtypes: bool, int, uint, float, complex -> the same
    Raises: OperandTypeError for other dtypes
    """
    return np.tile(x, reps)


def _repeat_rule(x: Any, repeats: Any, axis: Any = None) -> TensorType:
    kind = operand_type(x)
    _repetitions(repeats, 1)
    shape = list(kind.shape)
    if axis is None:
        total: int | None = 1
        for size in shape:
            total = None if total is None or size is None else total * size
        return TensorType(kind.dtype, (_times(total, repeats),), kind.weak)
    along = axis_index(axis, kind.rank, "repeat")
    shape[along] = _times(shape[along], repeats)
    return TensorType(kind.dtype, tuple(shape), kind.weak)


def _repeat_emit(
    trace: Trace, result: TensorType, x: Any, repeats: Any, axis: Any
) -> SymbolicTensor:
    tensor = emit.lift(trace, x)
    if axis is None and len(tensor.dims) != 1:
        tensor = dispatch.call("reshape", tensor, (-1,))
    along = 0 if axis is None else axis_index(axis, len(tensor.dims), "repeat")
    (count,) = _repetitions(repeats, 1)
    number = count if isinstance(count, int) else emit.dim_of(trace, count)
    before, after = tensor.dims[: along + 1], tensor.dims[along + 1 :]
    size = _repeated(trace, tensor.dims[along], count)
    dims = (*before[:-1], size, *after)
    if 0 in (*before, number, *after):
        nothing = emit.constant_like(trace, tensor.dtype, dims, 0)
        return trace.make(nothing, tensor.dtype, dims, result.weak)
    # a further axis, along which nothing changes: no position has to be divided
    source, spread = (*before, 1, *after), (*before, number, *after)
    ssa = gathering.reshape_ssa(trace, tensor.ssa, tensor.dtype, tensor.dims, source)
    ssa = broadcast.to_dims(trace, ssa, tensor.dtype, source, spread)
    groups = [[a + (a > along)] for a in range(len(dims))]
    groups[along].append(along + 1)
    joined = gathering.collapse(trace, ssa, tensor.dtype, groups, dims)
    return trace.make(joined, tensor.dtype, dims, result.weak)


@dispatch.define(operands=("x",), rule=_repeat_rule, emit=_repeat_emit)
def repeat(x: Any, repeats: Any, axis: Any = None) -> Any:
    """Each element ``repeats`` times in a row along an axis; of the flattened tensor where None."""
    return np.repeat(x, repeats, axis)


def _times_of_some(x: Any, count: Any, axis: Any) -> Any:
    """The number of repetitions: NumPy takes a negative one where there is nothing to repeat."""
    if isinstance(count, (int, np.integer)) and count >= 0:
        return count
    sizes = operand_type(x).shape
    if axis is not None:
        sizes = (sizes[axis_index(axis, len(sizes), "repeat")],)
    if 0 in sizes or None not in sizes:
        return 0 if 0 in sizes else count
    call = dispatch.call
    return call("where", call("equal", call("numpy_size", x, axis), 0), 0, count)


def numpy_repeat(x: Any, repeats: Any, axis: Any = None) -> Any:
    """``numpy.repeat``: each element so many times in a row, or each its own number of times."""
    call = dispatch.call
    counts: Any = repeats if isinstance(repeats, (int, np.integer)) else call("copy", repeats)
    shape = getattr(counts, "shape", ())
    if shape in ((), (1,)):
        return repeat(x, _times_of_some(x, counts[0] if shape else repeats, axis), axis)
    flat = call("ravel", x) if axis is None else call("copy", x)
    along = 0 if axis is None else axis_index(axis, len(flat.shape), "repeat")
    counts = _one_for_each(counts, call("numpy_size", flat, along))
    ends = call("cumsum", call("cast", counts, int64))
    total = call("max", call("concat", [ends, [0]], 0))
    places = call("searchsorted", ends, call("range", total, dtype=int64), "right")
    return call("gather", flat, places, along)


_NEGATIVE = "repeat(): no number of repetitions is negative"


def _one_for_each(counts: Any, elements: Any) -> Any:
    """A number of repetitions for each element; there may be one for all."""
    call = dispatch.call
    given = call("numpy_size", counts)
    if isinstance(given, int) and isinstance(elements, int) and given != elements:
        raise ValueError(f"repeat(): {given} numbers of repetitions for {elements} elements")
    no_less = call("greater_equal", counts, 0)
    if isinstance(given, int) and isinstance(elements, int):
        require(no_less, _NEGATIVE)
        return counts
    nothing = call("logical_and", call("equal", given, 1), call("equal", elements, 0))
    require(call("logical_or", no_less, nothing), _NEGATIVE)
    fits = call("logical_or", call("equal", given, elements), call("equal", given, 1))
    require(fits, "repeat() of sizes that differ: as many numbers of repetitions as elements")
    if isinstance(given, int):
        return counts
    return call("gather", counts, call("remainder", call("range", elements, dtype=int64), given), 0)


compose("numpy_repeat", numpy_repeat, numpy=(np.repeat,))


# pad


def _widths(paddings: Any, rank: int) -> list[tuple[Any, Any]]:
    """(before, after) for each axis; an int or one pair stands for all, as in NumPy."""
    if isinstance(paddings, Tensor) and not paddings.is_symbolic:
        paddings = paddings.numpy()
    if not isinstance(paddings, SymbolicTensor) and not emit.is_symbolic(paddings):
        pairs = np.broadcast_to(np.asarray(paddings, np.int64), (rank, 2)).tolist()
        if any(width < 0 for pair in pairs for width in pair):
            raise ValueError(f"pad(): negative widths are not allowed: {pairs}")
        return [(int(a), int(b)) for a, b in pairs]
    if len(paddings) != rank:
        raise ValueError(f"pad(): {len(paddings)} pairs of widths for {rank} dimensions")
    return [(pair[0], pair[1]) for pair in paddings]


def _padded(size: int | None, widths: tuple[Any, Any]) -> int | None:
    if size is None or any(isinstance(w, SymbolicTensor) for w in widths):
        return None
    return int(size + widths[0] + widths[1])


def _mode(mode: Any) -> str:
    name = str(mode).lower()
    if name not in ("constant", *_SOURCES):
        raise ValueError(f"pad(): there is no mode {mode!r}; {', '.join(['constant', *_SOURCES])}")
    return name


def _pad_rule(
    x: Any, paddings: Any, mode: Any = "constant", constant_values: Any = 0
) -> TensorType:
    kind = operand_type(x)
    widths = _widths(paddings, kind.rank)
    if constant_values is not None and operand_type(constant_values).shape:
        raise ValueError("pad(): constant_values is one number")
    if _mode(mode) != "constant":
        for axis, (size, pair) in enumerate(zip(kind.shape, widths, strict=True)):
            if size == 0 and any(isinstance(w, SymbolicTensor) or w for w in pair):
                raise ValueError(f"pad(): axis {axis} is empty: there is nothing to pad it with")
    shape = tuple(_padded(e, w) for e, w in zip(kind.shape, widths, strict=True))
    return TensorType(kind.dtype, shape, kind.weak)


def _width(trace: Trace, width: Any) -> Any:
    """The width as an int, or as an index that is checked not to be negative."""
    if not isinstance(width, SymbolicTensor):
        return int(width)
    return emit.dim_value(trace, emit.dim_of(trace, width))


def _sum(trace: Trace, size: Size, before: Any, after: Any) -> Size:
    if all(isinstance(v, int) for v in (size, before, after)):
        return size + before + after  # type: ignore[no-any-return]
    if before == 0 and after == 0 and isinstance(before, int) and isinstance(after, int):
        return size
    values = [emit.dim_value(trace, size)]
    values += [trace.index(v) if isinstance(v, int) else v for v in (before, after)]
    total = _index(trace, "addi", values[0], values[1])
    return Dim(value=_index(trace, "addi", total, values[2]))


def _pad_emit(
    trace: Trace, result: TensorType, x: Any, paddings: Any, mode: Any, constant_values: Any
) -> SymbolicTensor:
    tensor = emit.lift(trace, x)
    if not tensor.dims:
        return trace.make(tensor.ssa, tensor.dtype, (), result.weak)
    widths = [(_width(trace, a), _width(trace, b)) for a, b in _widths(paddings, len(tensor.dims))]
    dims = tuple(_sum(trace, d, *w) for d, w in zip(tensor.dims, widths, strict=True))
    if _mode(mode) == "constant":
        value = 0 if constant_values is None else constant_values
        scalar = _constant(trace, value, result)
        return trace.make(_pad_with(trace, tensor, dims, widths, scalar), tensor.dtype, dims)
    return _pad_from(trace, tensor, dims, widths, _mode(mode))


def _constant(trace: Trace, value: Any, result: TensorType) -> Any:
    tensor = emit.lift(trace, value)
    return emit.convert(trace, tensor.ssa, tensor.dtype, result.dtype, ())


def _pad_with(
    trace: Trace, x: SymbolicTensor, dims: Dims, widths: list[tuple[Any, Any]], scalar: Any
) -> Any:
    """``tensor.pad``."""
    sides = [[pair[side] for pair in widths] for side in (0, 1)]
    dynamic = [[w for w in side if not isinstance(w, int)] for side in sides]
    operation = trace.create(
        "tensor.pad",
        (mlir_type(x.dtype, static_shape(dims)),),
        (x.ssa, *dynamic[0], *dynamic[1]),
        {
            "static_low": attributes.i64_array(attributes.static(sides[0])),
            "static_high": attributes.i64_array(attributes.static(sides[1])),
            "operandSegmentSizes": attributes.i32_array([1, len(dynamic[0]), len(dynamic[1])]),
        },
    )
    index = [trace.index_type()] * len(dims)
    emit.body(trace, operation, index, lambda *_: (scalar,), "tensor.yield")
    return operation.result


def _edge(trace: Trace, i: Any, size: Any) -> Any:
    last = _index(trace, "subi", size, trace.index(1))
    return _index(trace, "maxsi", _index(trace, "minsi", i, last), trace.index(0))


def _reflect(trace: Trace, i: Any, size: Any) -> Any:
    """A walk to and fro that does not repeat the ends: a period of ``2 n - 2``."""
    last = _index(trace, "subi", size, trace.index(1))
    around = _modulo(trace, i, _index(trace, "muli", last, trace.index(2)))
    back = _index(trace, "subi", _index(trace, "muli", last, trace.index(2)), around)
    return _index(trace, "minsi", around, back)


def _symmetric(trace: Trace, i: Any, size: Any) -> Any:
    """A walk to and fro that repeats the ends: a period of ``2 n``."""
    period = _index(trace, "muli", size, trace.index(2))
    around = _modulo(trace, i, period)
    back = _index(trace, "subi", _index(trace, "subi", period, trace.index(1)), around)
    return _index(trace, "minsi", around, back)


_SOURCES: dict[str, Callable[[Trace, Any, Any], Any]] = {
    "edge": _edge,
    "reflect": _reflect,
    "symmetric": _symmetric,
    "wrap": _modulo,
}
"""Which element stands at a place outside of an axis, by the mode of padding."""


def _pad_from(
    trace: Trace, x: SymbolicTensor, dims: Dims, widths: list[tuple[Any, Any]], mode: str
) -> SymbolicTensor:
    source = _SOURCES[mode]
    moved = [a for a, dim in enumerate(dims) if dim is not x.dims[a]]
    unsure = [a for a in moved if isinstance(x.dims[a], Dim)]
    sizes = {a: emit.dim_value(trace, x.dims[a]) for a in moved}
    before = {a: trace.index(widths[a][0]) if isinstance(widths[a][0], int) else widths[a][0]
              for a in moved}  # fmt: skip

    def position(indices: list[Any]) -> list[Any]:
        return [
            source(trace, _index(trace, "subi", i, before[a]), sizes[a]) if a in moved else i
            for a, i in enumerate(indices)
        ]

    if not unsure:
        return _moved(trace, x, dims, position)
    ok = None
    for axis in unsure:
        full = trace.compare("ne", sizes[axis], trace.index(0))
        ok = full if ok is None else trace.op("arith.andi", full.type, ok, full)
    trace.guard(ok, trace.site("empty", "pad()"))
    ssa = if_ok(
        trace,
        ok,
        lambda: gathering.gather(trace, x.ssa, x.dtype, dims, position),
        lambda: emit.constant_like(trace, x.dtype, dims, 0),
    )
    return trace.make(ssa, x.dtype, dims)


@dispatch.define(operands=("x", "constant_values"), rule=_pad_rule, emit=_pad_emit, numpy=(np.pad,))
def pad(x: Any, paddings: Any, mode: Any = "constant", constant_values: Any = 0) -> Any:
    """
    More elements before and after those of each axis: ``[[before, after], ...]``.

    They are a constant, or (``mode``) the outermost element ("edge"), the array mirrored ("reflect"
    without its ends, "symmetric" with them), or the array over again ("wrap").

    >>> ag.pad([1, 2], [[1, 2]]).numpy()
    array([0, 1, 2, 0, 0], dtype=int32)

    Shapes: x [n], paddings [1, 2] -> [m]; a pair for each axis
    Dtypes: bool, int, uint, float -> the same
    Raises: OperandValueError for a mode that is none; OperandTypeError for other dtypes
    """
    options: dict[str, Any] = (
        {"constant_values": constant_values} if _mode(mode) == "constant" else {}
    )
    values = np.asarray(x)
    widths = _widths(paddings, values.ndim)
    return np.pad(values, widths, _mode(mode), **options) if values.ndim else values  # type: ignore[call-overload]
