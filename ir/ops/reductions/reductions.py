"""Reductions: sum, prod, max, min, mean, any, all, argmax, argmin, var, std, count_nonzero."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial, reduce
from typing import Any

import numpy as np

from agir.ir.building import attributes
from agir.ir.building.types import (
    DType,
    Shape,
    TensorType,
    as_dtype,
    bool_,
    float32,
    float64,
    int64,
    uint64,
)
from agir.ir.emission import emit, gathering
from agir.ir.ops.core import layouts
from agir.ir.ops.core.folding import MAX, SUM, Combiner, first, fold, greatest, initial, least
from agir.ir.ops.core.operands import axis_index, axis_indices, compose, native, operand_type
from agir.ir.tensors import dispatch
from agir.ir.tensors.symbolic import Dim, Dims, SymbolicTensor
from agir.ir.tracing.trace import Trace

# Folding axes away.


def reduced_shape(shape: Shape, axes: Sequence[int], keepdims: Any) -> Shape:
    """The shape without the axes, or with 1 in their place."""
    if keepdims:
        return tuple(1 if axis in axes else size for axis, size in enumerate(shape))
    return tuple(size for axis, size in enumerate(shape) if axis not in axes)


def _finish(
    trace: Trace, ssa: Any, result: TensorType, dims: Dims, axes: Sequence[int], keepdims: Any
) -> SymbolicTensor:
    kept = tuple(d for axis, d in enumerate(dims) if axis not in axes)
    if keepdims:
        whole = tuple(1 if axis in axes else d for axis, d in enumerate(dims))
        ssa, kept = gathering.reshape_ssa(trace, ssa, result.dtype, kept, whole), whole
    return trace.make(ssa, result.dtype, kept, result.weak)


def _folded(
    trace: Trace, ssa: Any, result: TensorType, x: SymbolicTensor, axes: Sequence[int], keep: Any
) -> SymbolicTensor:
    """What NumPy makes in the order in which the elements lie."""
    made = _finish(trace, ssa, result, x.dims, axes, keep)
    layouts.derive_without(made, x, axes)
    return made


def _wide(dtype: DType) -> DType:
    return float32 if dtype.is_storage_only else dtype


def _emit_reduction(
    trace: Trace,
    result: TensorType,
    combiner: Combiner,
    x: Any,
    axis: Any,
    keepdims: Any,
    name: str,
) -> SymbolicTensor:
    tensor = emit.lift(trace, x)
    axes = axis_indices(axis, len(tensor.dims), name)
    dtype = _wide(result.dtype)
    operation, identity = combiner[dtype.kind]
    if callable(identity):
        identity = identity(dtype)
    trace.settle(tensor)
    if axes and hasattr(tensor.storage, "all_of"):
        ssa, dims = tensor.storage.all_of(trace, dtype, identity)
        folded = fold(trace, ssa, dtype, dims, range(len(dims)), operation, identity)
    else:
        ssa = emit.convert(trace, tensor.ssa, tensor.dtype, dtype, tensor.dims)
        folded = fold(trace, ssa, dtype, tensor.dims, axes, operation, identity)
    kept = tuple(d for i, d in enumerate(tensor.dims) if i not in axes)
    folded = emit.convert(trace, folded, dtype, result.dtype, kept)
    return _folded(trace, folded, result, tensor, axes, keepdims)


# Sums and products.

_PROD: Combiner = {
    "b": ("arith.andi", True),
    "i": ("arith.muli", 1),
    "u": ("arith.muli", 1),
    "f": ("arith.mulf", 1.0),
    "c": ("complex.mul", 1),
}


def accumulated(x: TensorType, dtype: Any) -> DType:
    """The dtype of a sum: the one asked for, else 64 bits for integers and bools."""
    if dtype is not None:
        return as_dtype(dtype)
    return {"b": int64, "i": int64, "u": uint64}.get(x.dtype.kind, x.dtype)


def _accumulation(name: str, function: Callable[..., Any], combiner: Combiner, doc: str) -> Any:
    def rule(x: Any, axis: Any = None, dtype: Any = None, keepdims: bool = False) -> TensorType:
        kind = operand_type(x)
        axes = axis_indices(axis, kind.rank, name)
        chosen = accumulated(kind, dtype)
        weak = kind.weak and dtype is None
        return TensorType(chosen, reduced_shape(kind.shape, axes, keepdims), weak)

    def evaluate(x: Any, axis: Any = None, dtype: Any = None, keepdims: bool = False) -> Any:
        values = np.asarray(x)
        chosen = accumulated(dispatch.type_of(values), dtype)
        return function(
            native(values),
            axis=tuple(axis) if isinstance(axis, list) else axis,
            dtype=_wide(chosen).numpy,
            keepdims=bool(keepdims),
        )

    def emission(
        trace: Trace, result: TensorType, x: Any, axis: Any, dtype: Any, keepdims: Any
    ) -> SymbolicTensor:
        return _emit_reduction(trace, result, combiner, x, axis, keepdims, name)

    return dispatch.define(
        name,
        operands=("x",),
        rule=rule,
        emit=emission,
        doc=doc,
        numpy=(function,),
    )(evaluate)


sum_ = _accumulation(
    "sum",
    np.sum,
    SUM,
    """
    The sum over the axes (an int or several; None means all).

    Integers and bools are added up in 64 bits, half precision in float32.
    """,
)
prod = _accumulation(
    "prod",
    np.prod,
    _PROD,
    """The product over the axes; integers and bools are multiplied in 64 bits.

    >>> ag.prod([1, 2, 3]).numpy()
    np.int64(6)

    Shapes: x [...] -> [...] without the axes
    Dtypes: bool, int -> int64; uint -> uint64; float, complex -> the same
    Raises: OperandTypeError for what is no tensor
    """,
)


# Extrema.


_MIN: Combiner = {
    "b": ("arith.andi", True),
    "i": ("arith.minsi", greatest),
    "u": ("arith.minui", greatest),
    "f": ("arith.minimumf", np.inf),
}


def _refuse_empty(name: str, shape: Shape, axes: Sequence[int]) -> None:
    if any(shape[axis] == 0 for axis in axes):  # though the result may be empty, too
        raise ValueError(_nothing_in(name))


def _nothing_in(name: str) -> str:
    if name.startswith("arg"):
        return f"attempt to get {name} of an empty sequence"
    return f"zero-size array to reduction operation {name}imum which has no identity"


def _guard_empty(trace: Trace, name: str, dims: Dims, axes: Sequence[int]) -> None:
    """Check that dimensions known only at run time leave something to choose from."""
    unknown = [dim for axis in axes if isinstance(dim := dims[axis], Dim)]
    if unknown:
        zero = trace.index(0)
        full = [trace.compare("ne", emit.dim_value(trace, dim), zero) for dim in unknown]
        ok = reduce(partial(trace.op, "arith.andi", full[0].type), full)
        trace.guard(ok, trace.site("argument", _nothing_in(name)))


def _extremum(
    name: str, function: Any, combiner: Combiner, doc: str, *, aliases: tuple[Any, ...] = (),
    empty: bool = False,
) -> Any:  # fmt: skip
    """``empty``: whether the combiner's identity is the value of an empty array."""

    def rule(x: Any, axis: Any = None, keepdims: bool = False) -> TensorType:
        kind = operand_type(x)
        if kind.dtype.kind not in combiner:
            raise TypeError(f"{name}() is not defined for {kind.dtype}")
        axes = axis_indices(axis, kind.rank, name)
        if not empty:
            _refuse_empty(name, kind.shape, axes)
        return TensorType(kind.dtype, reduced_shape(kind.shape, axes, keepdims), kind.weak)

    def evaluate(x: Any, axis: Any = None, keepdims: bool = False) -> Any:
        chosen = tuple(axis) if isinstance(axis, list) else axis
        values = native(np.asarray(x))
        initial = combiner[dispatch.type_of(values).dtype.kind][1] if empty else None
        given = {
            "initial": initial(dispatch.type_of(values).dtype) if callable(initial) else initial
        }
        return function(values, axis=chosen, keepdims=bool(keepdims), **(given if empty else {}))

    def emission(
        trace: Trace, result: TensorType, x: Any, axis: Any, keepdims: Any
    ) -> SymbolicTensor:
        tensor = emit.lift(trace, x)
        if not empty:
            _guard_empty(trace, name, tensor.dims, axis_indices(axis, len(tensor.dims), name))
        return _emit_reduction(trace, result, combiner, tensor, axis, keepdims, name)

    return dispatch.define(
        name,
        operands=("x",),
        rule=rule,
        emit=emission,
        doc=doc,
        numpy=aliases,
        accepts="biuf",
    )(evaluate)


max_ = _extremum(
    "max", np.max, MAX, "The greatest element over the axes; NaN where there is one.",
    aliases=(np.max, np.amax),
)  # fmt: skip
min_ = _extremum(
    "min", np.min, _MIN, "The least element over the axes; NaN where there is one.",
    aliases=(np.min, np.amin),
)  # fmt: skip
_extremum(
    "max_or_least", np.max, MAX, "As `max`; the least number where there is none.", empty=True
)
_extremum("min_or_greatest", np.min, _MIN, "As `min`; the greatest number where there is none.",
         empty=True)  # fmt: skip


# Positions of extrema.


def _better(trace: Trace, dtype: DType, predicates: dict[str, str], x: Any, best: Any) -> Any:
    """``i1``: whether the later element takes the place of the best before it."""
    if not dtype.is_floating:
        return emit.compare_integers(trace, predicates[dtype.kind], (), x, best)
    ordered = emit.compare_floats(trace, predicates["f"], (), x, best)
    known = emit.compare_floats(trace, "ord", (), best, best)
    return trace.op("arith.andi", bool_.mlir(), ordered, known)


def _position(name: str, function: Any, identity: Any, predicates: dict[str, str], doc: str) -> Any:
    def rule(x: Any, axis: Any = None, keepdims: bool = False) -> TensorType:
        kind = operand_type(x)
        if kind.dtype.is_complex:
            raise TypeError(f"{name}() is not defined for {kind.dtype}")
        axes = axis_indices(None if axis is None else int(axis), kind.rank, name)
        _refuse_empty(name, kind.shape, axes)
        return TensorType(int64, reduced_shape(kind.shape, axes, keepdims))

    def evaluate(x: Any, axis: Any = None, keepdims: bool = False) -> Any:
        return function(native(np.asarray(x)), axis=axis, keepdims=bool(keepdims))

    def emission(
        trace: Trace, result: TensorType, x: Any, axis: Any, keepdims: Any
    ) -> SymbolicTensor:
        tensor = emit.lift(trace, x)
        rank = len(tensor.dims)
        if not rank:
            return trace.make(trace.constant(int64, 0), int64, ())
        every = axis is None
        flat = dispatch.call("reshape", tensor, (-1,)) if every and rank > 1 else tensor
        chosen = 0 if every else axis_index(axis, rank, name)
        _guard_empty(trace, name, flat.dims, [chosen])
        ssa = _emit_position(trace, flat, chosen, identity, predicates)
        axes = range(rank) if every else [chosen]
        return _finish(trace, ssa, result, tensor.dims, axes, keepdims)

    return dispatch.define(
        name,
        operands=("x",),
        rule=rule,
        emit=emission,
        doc=doc,
        numpy=(function,),
        accepts="biuf",
    )(evaluate)


def _emit_position(
    trace: Trace, x: SymbolicTensor, axis: int, identity: Any, predicates: dict[str, str]
) -> Any:
    """One pass that carries the best element and where it was."""
    dtype = _wide(x.dtype)
    ssa = emit.convert(trace, x.ssa, x.dtype, dtype, x.dims)
    kept = tuple(d for i, d in enumerate(x.dims) if i != axis)
    start = identity(dtype) if dtype.kind != "b" else identity is greatest
    outputs = [initial(trace, dtype, kept, start), initial(trace, int64, kept, 0)]
    letters = [f"d{i}" for i in range(len(x.dims))]
    whole, rest = ", ".join(letters), ", ".join(t for i, t in enumerate(letters) if i != axis)
    maps = [f"affine_map<({whole}) -> ({whole})>", *[f"affine_map<({whole}) -> ({rest})>"] * 2]
    kinds = ["reduction" if i == axis else "parallel" for i in range(len(x.dims))]

    def step(value: Any, best: Any, place: Any) -> Sequence[Any]:
        index = trace.op("linalg.index", trace.index_type(), dim=attributes.i64(axis))
        here = emit.from_index(trace, index)
        better = _better(trace, dtype, predicates, value, best)
        return emit.select(trace, better, value, best), emit.select(trace, better, here, place)

    operation = gathering.generic(trace, [ssa], outputs, maps, kinds, step)
    place = operation.results[1]
    return place if kept else first(trace, place, int64)


argmax = _position(
    "argmax", np.argmax, least, {"b": "ugt", "i": "sgt", "u": "ugt", "f": "ugt"},
    "The index of the first greatest element (of the first NaN) along the axis; None: flattened.",
)  # fmt: skip
argmin = _position(
    "argmin", np.argmin, greatest, {"b": "ult", "i": "slt", "u": "ult", "f": "ult"},
    "The index of the first least element (of the first NaN) along the axis; None: flattened.",
)  # fmt: skip


# Truth.


def _truth(name: str, function: Any, combiner: tuple[str, bool], doc: str) -> Any:
    def rule(x: Any, axis: Any = None, keepdims: bool = False) -> TensorType:
        kind = operand_type(x)
        axes = axis_indices(axis, kind.rank, name)
        return TensorType(bool_, reduced_shape(kind.shape, axes, keepdims))

    def evaluate(x: Any, axis: Any = None, keepdims: bool = False) -> Any:
        chosen = tuple(axis) if isinstance(axis, list) else axis
        return function(native(np.asarray(x)), axis=chosen, keepdims=bool(keepdims))

    def emission(
        trace: Trace, result: TensorType, x: Any, axis: Any, keepdims: Any
    ) -> SymbolicTensor:
        return _emit_reduction(trace, result, {"b": combiner}, x, axis, keepdims, name)

    return dispatch.define(
        name,
        operands=("x",),
        rule=rule,
        emit=emission,
        doc=doc,
        numpy=(function,),
    )(evaluate)


any_ = _truth("any", np.any, ("arith.ori", False), "True where an element is true (nonzero).")
all_ = _truth("all", np.all, ("arith.andi", True), "True where every element is true (nonzero).")


# Averages.


def averaged(x: TensorType, dtype: Any = None) -> DType:
    """The dtype of a mean: float64 for integers and bools."""
    if dtype is not None:
        return as_dtype(dtype)
    return float64 if x.dtype.kind in "biu" else x.dtype


def count(trace: Trace, dims: Dims, axes: Sequence[int], dtype: DType) -> Any:
    """The number of elements along the axes, as a scalar of the floating or complex dtype."""
    known = 1
    unknown = []
    for axis in axes:
        dim = dims[axis]
        if isinstance(dim, int):
            known *= dim
        else:
            unknown.append(dim)
    if not unknown:
        return trace.constant(dtype, complex(known) if dtype.is_complex else float(known))
    total = trace.index(known)
    for dim in unknown:
        total = trace.op("arith.muli", trace.index_type(), total, dim.value(trace))
    return emit.convert(trace, emit.from_index(trace, total), int64, dtype, ())


def _mean_rule(x: Any, axis: Any = None, dtype: Any = None, keepdims: bool = False) -> TensorType:
    kind = operand_type(x)
    axes = axis_indices(axis, kind.rank, "mean")
    chosen = averaged(kind, dtype)
    if not (chosen.is_floating or chosen.is_complex):
        raise TypeError(f"mean() in {chosen}: a mean is a float; convert it afterwards")
    weak = kind.weak and dtype is None
    return TensorType(chosen, reduced_shape(kind.shape, axes, keepdims), weak)


def _mean_emit(
    trace: Trace, result: TensorType, x: Any, axis: Any, dtype: Any, keepdims: Any
) -> SymbolicTensor:
    tensor = emit.lift(trace, x)
    axes = axis_indices(axis, len(tensor.dims), "mean")
    wide = _wide(result.dtype)
    ssa = emit.convert(trace, tensor.ssa, tensor.dtype, wide, tensor.dims)
    total = fold(trace, ssa, wide, tensor.dims, axes, *SUM[wide.kind])
    kept = tuple(d for i, d in enumerate(tensor.dims) if i not in axes)
    number = emit.splat(trace, count(trace, tensor.dims, axes, wide), wide, kept)
    name = "complex.div" if wide.is_complex else "arith.divf"
    mean = emit.elementwise(trace, name, wide, kept, total, number)
    mean = emit.convert(trace, mean, wide, result.dtype, kept)
    return _folded(trace, mean, result, tensor, axes, keepdims)


@dispatch.define(operands=("x",), rule=_mean_rule, emit=_mean_emit, numpy=(np.mean,))
def mean(x: Any, axis: Any = None, dtype: Any = None, keepdims: bool = False) -> Any:
    """The arithmetic mean over the axes; of integers in float64.

    >>> ag.mean([[1, 2], [3, 5]], axis=0).numpy()
    array([2. , 3.5])

    Shapes: x [...] -> [...] without the axes
    Dtypes: bool, int, uint -> float64; float, complex -> the same
    Raises: OperandTypeError for what is no tensor
    """
    values = np.asarray(x)
    chosen = _wide(averaged(dispatch.type_of(values), dtype)).numpy
    axes = axis_indices(axis, values.ndim, "mean")
    add: Any = np.sum  # NumPy's stubs know no computed dtype
    total = add(native(values), axis=axes, dtype=chosen, keepdims=bool(keepdims))
    number = np.prod([values.shape[a] for a in axes], dtype=np.int64)
    return np.true_divide(total, number.astype(chosen))


def var(
    x: Any, axis: Any = None, dtype: Any = None, ddof: float = 0, keepdims: bool = False
) -> Any:
    """The variance over the axes: the mean of the squared distances from the mean.

    ``ddof`` is subtracted from the number of elements that the sum is divided by.

    >>> ag.var([1.0, 3.0]).numpy()
    np.float32(1.0)

    Shapes: x [...] -> [...] without the axes
    Dtypes: bool, int, uint, complex128 -> float64; float -> the same; complex64 -> float32
    Raises: OperandTypeError for what is no tensor
    """
    call = dispatch.call
    given = operand_type(dispatch.type_of(x, "var"))
    chosen = averaged(given, dtype)
    values = call("cast", x, _wide(chosen))
    axes = axis_indices(axis, given.rank, "var")
    distance = call("subtract", values, call("mean", values, axes, keepdims=True))
    if chosen.is_complex:
        parts = [call("square", call(name, distance)) for name in ("real", "imag")]
        squares = call("add", *parts)
    else:
        squares = call("square", distance)
    if ddof == 0:
        mean_square = call("mean", squares, axes, keepdims=keepdims)
    else:
        ones = call("sum", call("fill_like", squares, 1.0), axes, keepdims=keepdims)
        free = call("maximum", call("subtract", ones, float(ddof)), 0.0)
        mean_square = call("divide", call("sum", squares, axes, keepdims=keepdims), free)
    return call("cast", mean_square, chosen.real)


def std(
    x: Any, axis: Any = None, dtype: Any = None, ddof: float = 0, keepdims: bool = False
) -> Any:
    """The standard deviation over the axes: the square root of the variance.

    >>> ag.std([1.0, 3.0]).numpy()
    np.float32(1.0)

    Shapes: x [...] -> [...] without the axes
    Dtypes: bool, int, uint, complex128 -> float64; float -> the same; complex64 -> float32
    Raises: OperandTypeError for what is no tensor
    """
    given = operand_type(dispatch.type_of(x, "std"))
    chosen = averaged(given, dtype)
    variance = var(x, axis, _wide(chosen), ddof, keepdims)
    return dispatch.call("cast", dispatch.call("sqrt", variance), chosen.real)


def count_nonzero(x: Any, axis: Any = None, keepdims: bool = False) -> Any:
    """The number of elements that are not zero (False)."""
    return dispatch.call("sum", dispatch.call("cast", x, bool_), axis, keepdims=keepdims)


compose("var", var, numpy=(np.var,))
compose("std", std, numpy=(np.std,))
compose("count_nonzero", count_nonzero, numpy=(np.count_nonzero,))
