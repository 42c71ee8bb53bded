"""Running totals along an axis: cumsum, cumprod, cumulative_logsumexp, and NumPy's forms of them."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from agir.ir.building.types import DType, TensorType, as_dtype, bool_, float32
from agir.ir.emission import emit, gathering
from agir.ir.ops.core import folding, layouts
from agir.ir.ops.core.operands import axis_index, compose, native, operand_type
from agir.ir.ops.elementwise.elementwise import elementwise_operation
from agir.ir.ops.reductions import reductions
from agir.ir.tensors import dispatch
from agir.ir.tensors.symbolic import SymbolicTensor
from agir.ir.tracing import loops
from agir.ir.tracing.trace import Trace

Combine = Callable[[Trace, DType, Any, Any], Any]
"""``(trace, dtype, total, element) -> total``, on scalars."""

_ADD = {"b": "arith.ori", "i": "arith.addi", "u": "arith.addi", "f": "arith.addf",
        "c": "complex.add"}  # fmt: skip
_MULTIPLY = {"b": "arith.andi", "i": "arith.muli", "u": "arith.muli", "f": "arith.mulf",
             "c": "complex.mul"}  # fmt: skip


def _by_name(names: dict[str, str]) -> Combine:
    return lambda trace, dtype, a, b: trace.op(names[dtype.kind], dtype.mlir(), a, b)


def _log_add(trace: Trace, dtype: DType, a: Any, b: Any) -> Any:
    """``log(exp(a) + exp(b))``: the greater one, and what the other one adds to it."""
    kind = dtype.mlir()
    greater, lesser = (trace.op(f"arith.{n}imumf", kind, a, b) for n in ("max", "min"))
    distance = trace.op("arith.subf", kind, lesser, greater)
    more = trace.op("math.log1p", kind, trace.op("math.exp", kind, distance))
    total = trace.op("arith.addf", kind, greater, more)
    same = emit.compare_floats(trace, "oeq", (), lesser, greater)
    infinite = emit.compare_floats(
        trace, "oeq", (), trace.op("math.absf", kind, greater), trace.constant(dtype, np.inf)
    )
    both = trace.op("arith.andi", bool_.mlir(), same, infinite)  # their distance is NaN
    return emit.select(trace, both, greater, total)


def _wide(dtype: DType) -> DType:
    return float32 if dtype.is_storage_only else dtype


def _running(
    function: Callable[..., Any], values: Any, axis: int, identity: Any, exclusive: bool, back: bool
) -> Any:
    """NumPy's accumulation in one direction or the other, with or without the element itself."""
    values = np.asarray(native(values))
    dtype = values.dtype
    wide = values.astype(np.float32) if dtype == np.float16 else values
    wide = np.flip(wide, axis) if back else wide
    found = function(wide, axis)
    if exclusive:
        identity = identity(as_dtype(dtype)) if callable(identity) else identity
        first = np.full_like(np.take(found, [0] if found.shape[axis] else [], axis), identity)
        rest = np.take(found, np.arange(max(found.shape[axis] - 1, 0)), axis)
        found = np.concatenate([first, rest], axis)
    return np.flip(found, axis) if back else found


def _scan(
    name: str,
    function: Callable[..., Any],
    combine: Combine,
    identity: Any,
    accepts: str,
    doc: str,
) -> dispatch.Operation:
    def rule(x: Any, axis: Any = 0, exclusive: bool = False, reverse: bool = False) -> TensorType:
        kind = operand_type(x)
        if kind.dtype.kind not in accepts:
            raise TypeError(f"{name}() is not defined for {kind.dtype}")
        axis_index(axis, kind.rank, name)
        return TensorType(kind.dtype, kind.shape, kind.weak)

    def evaluate(x: Any, axis: Any = 0, exclusive: bool = False, reverse: bool = False) -> Any:
        return _running(function, x, axis, identity, bool(exclusive), bool(reverse))

    def emission(
        trace: Trace, result: TensorType, x: Any, axis: Any, exclusive: Any, reverse: Any
    ) -> Any:
        tensor = emit.lift(trace, x)
        along = axis_index(axis, len(tensor.dims), name)
        moved = dispatch.call("moveaxis", tensor, along, -1)
        found = _recorded(trace, moved, combine, identity, bool(exclusive), bool(reverse))
        found = dispatch.call("moveaxis", found, -1, along)
        made = trace.make(found.ssa, found.dtype, found.dims)
        layouts.derive(made, [tensor])
        return made

    return dispatch.define(
        name,
        operands=("x",),
        rule=rule,
        emit=emission,
        doc=doc,
        accepts=accepts,
    )(evaluate)


def _recorded(
    trace: Trace, x: SymbolicTensor, combine: Combine, identity: Any, exclusive: bool, back: bool
) -> SymbolicTensor:
    """A loop over the rows, and one along each that carries the total."""
    dtype, dims = _wide(x.dtype), x.dims
    ssa = emit.convert(trace, x.ssa, x.dtype, dtype, dims)
    first = identity(dtype) if callable(identity) else identity
    if dtype.kind in "fc" and first == 0 and not exclusive:  # -0.0 leaves the signs of zeros
        first = complex(-0.0, -0.0) if dtype.is_complex else -0.0
    start = trace.constant(dtype, first)
    rows, length = gathering.product(trace, dims[:-1]), emit.dim_value(trace, dims[-1])
    total = gathering.product(trace, dims)
    flat = gathering.reshape_ssa(trace, ssa, dtype, dims, (total,))
    last = trace.op("arith.subi", length.type, length, trace.index(1))

    def row(indices: list[Any], carried: list[Any]) -> list[Any]:
        base = trace.op("arith.muli", length.type, indices[0], length)

        def step(inner: list[Any], state: list[Any]) -> list[Any]:
            before, out = state
            at = trace.op("arith.subi", length.type, last, inner[0]) if back else inner[0]
            at = trace.op("arith.addi", length.type, base, at)
            element = trace.op("tensor.extract", dtype.mlir(), flat, at)
            after = combine(trace, dtype, before, element)
            if dtype.is_complex and first == 1:  # by which what is infinite becomes no number
                is_first = trace.compare("eq", inner[0], trace.index(0))
                after = emit.select(trace, is_first, element, after)
            stored = before if exclusive else after
            return [after, trace.op("tensor.insert", out.type, stored, out, at)]

        return loops.nest(trace, [length], [start, *carried], step)[1:]

    init = emit.empty(trace, dtype, (total,))
    (out,) = loops.nest(trace, [emit.dim_value(trace, rows)], [init], row)
    out = gathering.reshape_ssa(trace, out, dtype, (total,), dims)
    return trace.make(emit.convert(trace, out, dtype, x.dtype, dims), x.dtype, dims)


def _sums(x: Any, axis: int) -> Any:
    return np.logical_or.accumulate(x, axis) if x.dtype.kind == "b" else np.add.accumulate(x, axis)


def _products(x: Any, axis: int) -> Any:
    both = np.logical_and if x.dtype.kind == "b" else np.multiply
    return both.accumulate(x, axis)


cumsum = _scan(
    "cumsum", _sums, _by_name(_ADD), 0, "biufc",
    """
    The running sum along an axis, in the dtype of ``x``.

    ``exclusive`` leaves out the element itself, ``reverse`` begins at the end.
    """,
)  # fmt: skip
cumprod = _scan(
    "cumprod", _products, _by_name(_MULTIPLY), 1, "biufc",
    "The running product along an axis, in the dtype of ``x``.",
)  # fmt: skip
cumulative_logsumexp = _scan(
    "cumulative_logsumexp", np.logaddexp.accumulate, _log_add, -np.inf, "f",
    "The logarithm of the running sum of ``exp(x)`` along an axis, without overflow.",
)  # fmt: skip


def _extremum(predicates: dict[str, str], logic: str) -> Combine:
    """The greater (or the lesser) of two elements; NaN where one of them is."""

    def combine(trace: Trace, dtype: DType, a: Any, b: Any) -> Any:
        if dtype.kind == "b":
            return trace.op(logic, dtype.mlir(), a, b)
        return trace.op(predicates[dtype.kind], dtype.mlir(), a, b)

    return combine


def _least(dtype: DType) -> Any:
    return False if dtype.kind == "b" else folding.least(dtype)


def _greatest(dtype: DType) -> Any:
    return True if dtype.kind == "b" else folding.greatest(dtype)


cummax = _scan(
    "cummax", np.maximum.accumulate,
    _extremum({"i": "arith.maxsi", "u": "arith.maxui", "f": "arith.maximumf"}, "arith.ori"),
    _least, "biuf", "The greatest element so far along an axis; NaN from the first one on.",
)  # fmt: skip
cummin = _scan(
    "cummin", np.minimum.accumulate,
    _extremum({"i": "arith.minsi", "u": "arith.minui", "f": "arith.minimumf"}, "arith.andi"),
    _greatest, "biuf", "The least element so far along an axis; NaN from the first one on.",
)  # fmt: skip


# As NumPy has them.


def _accumulated(name: str, x: Any, axis: Any, dtype: Any) -> Any:
    call = dispatch.call
    kind = operand_type(dispatch.type_of(x, name))
    wide = call("cast", x, reductions.accumulated(kind, dtype))
    return call(name, call("ravel", wide) if axis is None else wide, 0 if axis is None else axis)


def numpy_cumsum(x: Any, axis: Any = None, dtype: Any = None) -> Any:
    """``numpy.cumsum``: integers and bools are added up in 64 bits, all elements where no axis."""
    return _accumulated("cumsum", x, axis, dtype)


def numpy_cumprod(x: Any, axis: Any = None, dtype: Any = None) -> Any:
    """``numpy.cumprod``: integers and bools are multiplied in 64 bits."""
    return _accumulated("cumprod", x, axis, dtype)


def _with_initial(name: str, x: Any, axis: Any, dtype: Any, include_initial: Any) -> Any:
    """The running totals along an axis, which only a vector need not name."""
    call = dispatch.call
    rank = operand_type(dispatch.type_of(x, name)).rank
    if axis is None and rank != 1:
        raise ValueError(f"cumulative_{name[3:]}(): give the axis of an array of {rank} dimensions")
    along = axis_index(-1 if axis is None else axis, rank, name)
    found = _accumulated(name, x, along, dtype)
    if not include_initial:
        return found
    one = call("sum", found, along, keepdims=True)  # of the shape that is wanted
    start = call("fill_like", one, _IDENTITY[name], found.dtype)
    return call("concat", [start, found], along)


_IDENTITY = {"cumsum": 0, "cumprod": 1}


def cumulative_sum(
    x: Any, *, axis: Any = None, dtype: Any = None, include_initial: Any = False
) -> Any:
    """The running sum along an axis, after a zero with ``include_initial``."""
    return _with_initial("cumsum", x, axis, dtype, include_initial)


def cumulative_prod(
    x: Any, *, axis: Any = None, dtype: Any = None, include_initial: Any = False
) -> Any:
    """The running product along an axis, after a one with ``include_initial``."""
    return _with_initial("cumprod", x, axis, dtype, include_initial)


compose("cumulative_sum", cumulative_sum, numpy=(np.cumulative_sum,))
compose("cumulative_prod", cumulative_prod, numpy=(np.cumulative_prod,))


@elementwise_operation(
    np.logaddexp,
    dict.fromkeys(
        "biuf",
        lambda trace, dtype, dims, x, y: (
            emit.map_scalars(trace, partial(_log_add, trace, dtype), dtype, dims, x, y)
            if dims
            else _log_add(trace, dtype, x, y)
        ),
    ),
)
def logaddexp(x: Any, y: Any) -> Any:
    """``log(exp(x) + exp(y))``, without overflow on the way.

    >>> ag.numpy.logaddexp(-1000.0, -1000.0).numpy().round(3)
    np.float64(-999.307)
    """


compose("numpy_cumsum", numpy_cumsum, numpy=(np.cumsum,))
compose("numpy_cumprod", numpy_cumprod, numpy=(np.cumprod,))
