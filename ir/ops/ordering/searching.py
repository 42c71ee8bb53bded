"""Where values stand among others: searchsorted."""

from __future__ import annotations

from typing import Any

import numpy as np

from agir.ir.building import attributes
from agir.ir.building.types import DType, TensorType, bool_, int64, promote
from agir.ir.emission import emit, gathering
from agir.ir.ops.core.agreement import agree, fitted
from agir.ir.ops.core.operands import compose, native, operand_type
from agir.ir.ops.ordering.order_keys import Keys
from agir.ir.tensors import dispatch
from agir.ir.tensors.symbolic import SymbolicTensor
from agir.ir.tracing import loops
from agir.ir.tracing.trace import Trace

_SIDES = ("left", "right")
_DIFFER = "the rows that are searched and those of the values differ in number"


def _kinds(sorted_sequence: Any, values: Any, side: Any) -> tuple[TensorType, TensorType]:
    source, wanted = operand_type(sorted_sequence), operand_type(values)
    if side not in _SIDES:
        raise ValueError(f"searchsorted(): side is 'left' or 'right', not {side!r}")
    if not source.rank:
        raise ValueError("searchsorted(): a scalar is no sequence")
    return source, wanted


def _rule(sorted_sequence: Any, values: Any, side: str = "left") -> TensorType:
    source, wanted = _kinds(sorted_sequence, values, side)
    if source.rank > 1:
        before, own = source.shape[:-1], wanted.shape[:-1]
        pairs = zip(before, own, strict=False)
        if len(before) != len(own) or any(None not in p and p[0] != p[1] for p in pairs):
            shapes = f"{list(source.shape)} and {list(wanted.shape)}".replace("None", "?")
            raise ValueError(
                f"searchsorted(): the shapes {shapes} differ before their last dimension"
            )
    return TensorType(int64, wanted.shape)


def _emit(
    trace: Trace, result: TensorType, sorted_sequence: Any, values: Any, side: str
) -> SymbolicTensor:
    source, wanted = emit.lift(trace, sorted_sequence), emit.lift(trace, values)
    dtype, _ = promote(source.type, wanted.type)
    length = emit.dim_value(trace, source.dims[-1])
    rows = len(source.dims) - 1
    pairs = zip(source.dims[:rows], wanted.dims, strict=False)
    common = tuple(agree(trace, pair, _DIFFER, keep_static=True) for pair in pairs)
    dims = (*common, *wanted.dims[rows:])
    kind = Keys(trace, _part(dtype), (), False).kind
    keys = [
        fitted(trace, key, kind, source.dims, (*common, source.dims[-1]))
        for key in _keys(trace, source, dtype)
    ]
    own = [fitted(trace, key, kind, wanted.dims, dims) for key in _keys(trace, wanted, dtype)]

    def search(place: list[Any], values: list[Any]) -> Any:
        low, high = trace.index(0), length
        for key, value in zip(keys[:-1], values, strict=False):
            ends = [_bisect(trace, key, place[:rows], (low, high), value, end) for end in _SIDES]
            low, high = ends
        found = _bisect(trace, keys[-1], place[:rows], (low, high), values[-1], side)
        return emit.from_index(trace, found)

    if not wanted.dims:
        return trace.make(search([], own), int64, ())
    rank = len(wanted.dims)

    def element(*given: Any) -> tuple[Any, ...]:
        index = trace.index_type()
        place = [trace.op("linalg.index", index, dim=attributes.i64(i)) for i in range(rows)]
        return (search(place, list(given[:-1])),)

    init = emit.empty(trace, int64, dims)
    maps = [gathering.identity_map(rank)] * (len(own) + 1)
    kinds = ["parallel"] * rank
    found = gathering.generic(trace, own, [init], maps, kinds, element)
    return trace.make(found.result, int64, dims)


def _part(dtype: DType) -> DType:
    return dtype.real if dtype.is_complex else dtype


def _keys(trace: Trace, tensor: SymbolicTensor, dtype: DType) -> list[Any]:
    """Integers in the order of the elements.

    Of complex numbers those of which part is NaN come first, then those of the real parts.
    """
    ssa = emit.convert(trace, tensor.ssa, tensor.dtype, dtype, tensor.dims)
    parts = [ssa]
    if dtype.is_complex:
        names = ("complex.re", "complex.im")
        parts = [emit.elementwise(trace, name, dtype.real, tensor.dims, ssa) for name in names]
        nothing, *marks = (
            emit.constant_like(trace, dtype.real, tensor.dims, float(mark)) for mark in (0, 2, 1)
        )
        nans = [emit.compare_floats(trace, "uno", tensor.dims, part, part) for part in parts]
        bad = [
            emit.select(trace, is_nan, mark, nothing)
            for is_nan, mark in zip(nans, marks, strict=True)
        ]
        parts = [emit.elementwise(trace, "arith.addf", dtype.real, tensor.dims, *bad), *parts]
    keys = Keys(trace, _part(dtype), tensor.dims, False)
    return [keys.of(part, exact=False) for part in parts]


def _bisect(
    trace: Trace, keys: Any, row: list[Any], places: tuple[Any, Any], value: Any, side: str
) -> Any:
    """Halving of the places that are left, until there is one."""
    kind = value.type
    one = trace.index(1)

    def op(name: str, left: Any, right: Any) -> Any:
        return trace.op(f"arith.{name}", trace.index_type(), left, right)

    def some_left(carried: list[Any]) -> Any:
        return trace.compare("ult", *carried)

    def step(carried: list[Any]) -> list[Any]:
        low, high = carried
        middle = op("shrui", op("addi", low, high), one)
        here = trace.op("tensor.extract", kind, keys, *row, middle)
        after = trace.compare("slt" if side == "left" else "sle", here, value)
        return [
            emit.select(trace, after, op("addi", middle, one), low),
            emit.select(trace, after, high, middle),
        ]

    low, _ = loops.while_true(trace, list(places), some_left, step)
    return low


@dispatch.define(operands=("sorted_sequence", "values"), rule=_rule, emit=_emit, accepts="biufc")
def searchsorted(sorted_sequence: Any, values: Any, side: str = "left") -> Any:
    """
    Where the values would go in a sorted vector, or in the row of the same place of a matrix.

    ``side``: before ("left") or after ("right") those that are equal.
    """
    source, wanted = np.asarray(native(sorted_sequence)), np.asarray(native(values))
    if source.ndim == 1:
        return np.searchsorted(source, wanted, side)  # type: ignore[call-overload]
    found = np.zeros(wanted.shape, np.int64)
    for place in np.ndindex(source.shape[:-1]):
        found[place] = np.searchsorted(source[place], wanted[place], side)  # type: ignore[call-overload]
    return found


def numpy_searchsorted(a: Any, v: Any, side: str = "left", sorter: Any = None) -> Any:
    """``numpy.searchsorted``: where the values ``v`` would go in the sorted vector ``a``."""
    given = a if sorter is None else dispatch.call("gather", a, sorter, 0)
    return searchsorted(given, v, side)


compose("numpy_searchsorted", numpy_searchsorted, operands=("a", "v"), numpy=(np.searchsorted,))


# Where elements are not zero.


def nonzero(x: Any) -> Any:
    """The places of the elements that are not zero (False): a row of int64 indices for each.

    >>> ag.nonzero([0, 3, 4]).numpy()
    array([[1],
           [2]])

    Shapes: x [...] -> [n, k]; k is the number of dimensions of x
    Dtypes: bool, int, uint, float, complex -> int64
    Raises: OperandTypeError for what is no tensor
    """
    call = dispatch.call
    values = call("cast", x, bool_)
    found = call("range", call("size", values, int64), dtype=int64)
    found = found[call("ravel", values)]
    sizes = _sizes(values)
    columns: list[Any] = []
    for size in reversed(sizes[1:]):
        safe = call("maximum", size, 1)
        columns.append(call("remainder", found, safe))
        found = call("floor_divide", found, safe)
    if not sizes:
        return call("expand_dims", found, 1)[:, :0]
    return call("cast", call("stack", [found, *columns[::-1]], 1), int64)


def _sizes(x: Any) -> list[Any]:
    vector = dispatch.call("shape", x, int64)
    return [vector[i] for i in range(len(x.shape))]


compose("nonzero", nonzero)


def argwhere(x: Any) -> Any:
    """``numpy.argwhere``: the places of the elements that are not zero, one a row."""
    return nonzero(x)


compose("argwhere", argwhere, numpy=(np.argwhere,))


def numpy_nonzero(x: Any) -> Any:
    """``numpy.nonzero``: a vector of indices for each axis."""
    if not operand_type(dispatch.type_of(x, "nonzero")).rank:
        raise ValueError("nonzero() of a scalar, which has no axes; use reshape(x, (1,)) first")
    found = nonzero(x)
    return tuple(found[:, axis] for axis in range(found.shape[1]))


compose("numpy_nonzero", numpy_nonzero, numpy=(np.nonzero,))
