"""Order: sort, argsort, and NumPy's forms of them."""

from __future__ import annotations

from typing import Any

import numpy as np

from agir.ir.building import attributes, bindings
from agir.ir.building.types import DType, TensorType, bool_, int64
from agir.ir.emission import emit, gathering
from agir.ir.ops.core import layouts
from agir.ir.ops.core.operands import axis_index, compose, native, operand_type
from agir.ir.ops.ordering import sorted_rows
from agir.ir.ops.ordering.order_keys import Keys
from agir.ir.tensors import dispatch
from agir.ir.tensors.symbolic import Dims, SymbolicTensor
from agir.ir.tracing.trace import Trace


def _rule(name: str, x: Any, axis: Any) -> TensorType:
    kind = operand_type(x)
    if kind.dtype.is_complex:
        raise TypeError(f"{name}() is not defined for {kind.dtype}: complex numbers have no order")
    axis_index(axis, kind.rank, name)
    return kind


def flattened(trace: Trace, ssa: Any, dtype: DType, dims: Dims) -> Any:
    """The elements one row after the other, in a dimension that need not be known."""
    total = gathering.product(trace, dims)
    return gathering.reshape_ssa(trace, ssa, dtype, dims, (total,))


def last_positions(trace: Trace, dims: Dims) -> Any:
    """For each element its position along the last axis."""
    rank = len(dims)

    def element(_: Any) -> tuple[Any, ...]:
        here = trace.op("linalg.index", trace.index_type(), dim=attributes.i64(rank - 1))
        return (emit.from_index(trace, here),)

    init = emit.empty(trace, int64, dims)
    maps, kinds = [gathering.identity_map(rank)], ["parallel"] * rank
    return gathering.generic(trace, [], [init], maps, kinds, element).result


def along_last(x: Any, axis: int) -> Any:
    """The tensor with that axis as the last one."""
    return dispatch.call("moveaxis", x, axis, -1)


SORTED = "agir.sorted"
"""The attribute of the operation that says of which elements others are the sorted ones."""


def _of(trace: Trace, ordered: Any, elements: Any, descending: bool) -> Any:
    """The sorted elements; for gradients it says of what, which the keys do not show."""
    always = trace.constant(bool_, True)
    direction = {SORTED: bindings.ir.BoolAttr.get(descending)}
    operands = (always, ordered, elements)
    return trace.create("arith.select", (ordered.type,), operands, direction).result


def _sorted(
    trace: Trace, x: SymbolicTensor, axis: int, descending: bool, positions: bool
) -> SymbolicTensor:
    moved = along_last(x, axis)
    dims = moved.dims
    keys = Keys(trace, moved.dtype, dims, descending)
    rows, length = gathering.product(trace, dims[:-1]), dims[-1]
    dtypes = [keys.kind, int64] if positions else [keys.kind]
    whole = [keys.of(moved.ssa, exact=not positions)]
    if positions:
        whole.append(last_positions(trace, dims))
    flat = [flattened(trace, b, d, dims) for b, d in zip(whole, dtypes, strict=True)]
    found = sorted_rows.sort(trace, dtypes, flat, rows, length)[-1]
    total = gathering.product(trace, dims)
    placed = gathering.reshape_ssa(trace, found, dtypes[-1], (total,), dims)
    if positions:
        result = trace.make(placed, int64, dims)
    else:
        ordered = keys.elements(placed)
        if x.dtype.is_floating:
            ordered = _of(trace, ordered, moved.ssa, descending)
        result = trace.make(ordered, x.dtype, dims)
    back = dispatch.call("moveaxis", result, -1, axis)
    made = trace.make(back.ssa, back.dtype, back.dims)
    if not positions:  # which lie by rows
        layouts.derive(made, [x])
    return made


def _order(x: Any, axis: int, descending: bool) -> Any:
    values = native(np.asarray(x))
    if descending:
        values = -values if values.dtype.kind == "f" else ~values
    return np.argsort(values, axis, kind="stable")


def _sort_rule(x: Any, axis: int = -1, descending: bool = False) -> TensorType:
    kind = _rule("sort", x, axis)
    return TensorType(kind.dtype, kind.shape, kind.weak)


def _sort_emit(trace: Trace, result: TensorType, x: Any, axis: int, descending: bool) -> Any:
    tensor = emit.lift(trace, x)
    along = axis_index(axis, len(tensor.dims), "sort")
    return _sorted(trace, tensor, along, descending, positions=False)


@dispatch.define(operands=("x",), rule=_sort_rule, emit=_sort_emit, accepts="biuf")
def sort(x: Any, axis: int = -1, descending: bool = False) -> Any:
    """The elements in order along an axis, NaN last."""
    values = np.asarray(x)
    return np.take_along_axis(values, _order(values, axis, descending), axis)


def _argsort_rule(x: Any, axis: int = -1, descending: bool = False) -> TensorType:
    return TensorType(int64, _rule("argsort", x, axis).shape)


def _argsort_emit(trace: Trace, result: TensorType, x: Any, axis: int, descending: bool) -> Any:
    tensor = emit.lift(trace, x)
    along = axis_index(axis, len(tensor.dims), "argsort")
    return _sorted(trace, tensor, along, descending, positions=True)


@dispatch.define(operands=("x",), rule=_argsort_rule, emit=_argsort_emit, accepts="biuf")
def argsort(x: Any, axis: int = -1, descending: bool = False) -> Any:
    """
    Where the elements that :func:`sort` puts in order stand along the axis.

    Equal elements keep their order, in either direction.
    """
    return _order(x, axis, descending)


# As NumPy has them.


def _whole(x: Any, axis: Any, order: Any) -> tuple[Any, int]:
    if order is not None:
        raise TypeError(f"order={order!r} names fields, which tensors do not have")
    return (dispatch.call("ravel", x), 0) if axis is None else (x, axis)


def numpy_sort(
    x: Any, axis: Any = -1, kind: Any = None, order: Any = None, *, stable: Any = None
) -> Any:
    """``numpy.sort``: along an axis, or of the flattened array where it is None.

    ``kind`` and ``stable`` choose among ways to the same result.
    """
    return sort(*_whole(x, axis, order))


def numpy_argsort(
    x: Any, axis: Any = -1, kind: Any = None, order: Any = None, *, stable: Any = None
) -> Any:
    """``numpy.argsort``, always stable."""
    return argsort(*_whole(x, axis, order))


compose("numpy_sort", numpy_sort, numpy=(np.sort,), accepts="biuf")
compose("numpy_argsort", numpy_argsort, numpy=(np.argsort,), accepts="biuf")
