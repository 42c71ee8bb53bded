"""Shapes: reshape, transpose, expand_dims, squeeze, broadcast_to, shape, size, rank."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np

from agir.ir import hooks
from agir.ir.building import attributes
from agir.ir.building.cells import Scope
from agir.ir.building.types import DType, Shape, TensorType, as_dtype, int32, int64, mlir_type
from agir.ir.emission import broadcast, emit
from agir.ir.ops.core import layouts, views_or_copies
from agir.ir.ops.core.agreement import Size
from agir.ir.ops.core.operands import axis_index, axis_indices, compose, operand_type
from agir.ir.ops.core.rearranged import rearranged
from agir.ir.ops.core.reshaping import (
    cancelled,
    guard_size,
    reformed,
    same_size,
    size_product,
)
from agir.ir.ops.shapes.creation import shape_entries
from agir.ir.tensors import dispatch
from agir.ir.tensors.symbolic import Dim, Dims, SymbolicTensor, is_writable
from agir.ir.tensors.tensor import Tensor
from agir.ir.tracing.trace import Trace

# reshape


def _entries(shape: Any) -> tuple[Any, ...]:
    """The sizes asked for: ints, and symbolic scalars."""
    if isinstance(shape, Tensor) and not shape.is_symbolic:
        shape = shape.numpy()
    entries = shape_entries(shape)
    return tuple(e if isinstance(e, SymbolicTensor) else operator.index(e) for e in entries)


def _described(shape: Sequence[Any]) -> str:
    return "[" + ", ".join(str(e) if isinstance(e, int) else "?" for e in shape) + "]"


def _reshape_rule(x: Any, shape: Any) -> TensorType:
    kind = operand_type(x)
    wanted = [None if isinstance(e, SymbolicTensor) else e for e in _entries(shape)]
    if any(e is not None and e < -1 for e in wanted) or wanted.count(-1) > 1:
        raise ValueError(f"reshape(): a shape has at most one -1 and no other negatives: {wanted}")
    if None in kind.shape or None in wanted:
        shape = tuple(None if e == -1 else e for e in wanted)
        return TensorType(kind.dtype, shape, kind.weak)
    total = prod(e for e in kind.shape if e is not None)
    known = prod(e for e in wanted if e is not None and e != -1)
    fits = total == known if -1 not in wanted else known > 0 and total % known == 0
    if not fits:
        raise ValueError(
            f"reshape(): {total} elements of shape {_described(kind.shape)} do not fit into "
            f"{_described(wanted)}"
        )
    shape = tuple(total // known if e == -1 else e for e in wanted)
    return TensorType(kind.dtype, shape, kind.weak)


def _target(trace: Trace, source: Dims, shape: Any) -> tuple[Dims, bool]:
    """The dimensions asked for, that of -1 computed, and whether their product fits surely."""
    dims = [-1 if _is_rest(e) else emit.dim_of(trace, e) for e in _entries(shape)]
    if -1 not in dims:
        return tuple(dims), same_size(source, dims)
    at = dims.index(-1)
    others = dims[:at] + dims[at + 1 :]
    if trace.convention.arrays_are_mutable:
        _check_inferable(trace, others)
    rest, sure = _rest(trace, source, others)
    return (*dims[:at], rest, *dims[at + 1 :]), sure


def _check_inferable(trace: Trace, others: list[Size]) -> None:
    """The size of -1 follows from the others, as NumPy has it, unless one of them is 0."""
    for each in others:
        if isinstance(each, Dim):
            some = trace.compare("ne", each.value(trace), trace.index(0))
            message = "reshape() cannot tell the size of -1 beside one of 0"
            trace.guard(some, trace.site("argument", message))


def _is_rest(entry: Any) -> bool:
    return isinstance(entry, int) and entry == -1


def _rest(trace: Trace, source: Dims, others: list[Size]) -> tuple[Size, bool]:
    """The product of the source's sizes divided by that of the others; whether it is whole."""
    mine, theirs = cancelled(source, others)
    known, divisor = mine[0], theirs[0]
    assert isinstance(known, int)
    assert isinstance(divisor, int)
    if len(theirs) == 1 and divisor and known % divisor == 0:
        return size_product(trace, [known // divisor, *mine[1:]]), True
    total, by = (emit.dim_value(trace, size_product(trace, d)) for d in (mine, theirs))
    one = trace.index(1)
    safe = trace.op("arith.maxui", by.type, by, one)
    return Dim(value=trace.op("arith.divui", total.type, total, safe)), False


def _reshape_emit(trace: Trace, result: TensorType, x: Any, shape: Any) -> SymbolicTensor:
    tensor = emit.lift(trace, x)
    target, sure = _target(trace, tensor.dims, shape)
    if not trace.convention.arrays_are_mutable:
        return reshaped(trace, tensor, target, result.weak, sure)
    assumed = len(trace.assumes)
    return _seen_as(tensor, (target, sure), _is_view(tensor, target), assumed, result.weak)


def flattened(tensor: SymbolicTensor, is_view: Any, assumed: int) -> SymbolicTensor:
    """The elements in one dimension: a view, a copy, or one of the two (i1) when the function runs.

    That has been decided by what was assumed of layouts since there were ``assumed`` assumptions.
    """
    return _seen_as(tensor, _target(tensor.recorder, tensor.dims, (-1,)), is_view, assumed, False)


def _seen_as(
    tensor: SymbolicTensor, target: tuple[Dims, bool], is_view: Any, assumed: int, weak: bool
) -> SymbolicTensor:
    trace = tensor.recorder
    if is_view is False:
        tensor = trace.make(tensor.ssa, tensor.dtype, tensor.dims)
        layouts.assumed_copy(trace, assumed, tensor)
    made = reshaped(trace, tensor, target[0], weak, target[1])
    return (
        made if isinstance(is_view, bool) else views_or_copies.view_or_copy(is_view, made, assumed)
    )


def _is_view(tensor: SymbolicTensor, target: Dims) -> Any:
    """Whether NumPy's reshape would be a view of the elements: a bool, or an i1."""
    if not target or not (is_writable(tensor.storage) or hasattr(tensor.storage, "base")):
        return True
    return views_or_copies.can_be_view(tensor, target)


def reshaped(
    trace: Trace, tensor: SymbolicTensor, target: Dims, weak: bool = False, sure: bool = False
) -> SymbolicTensor:
    """The tensor's elements in the target's dimensions, whose product is checked unless sure."""
    source, dtype = tensor.dims, tensor.dtype
    ok = None if sure else guard_size(trace, source, target)
    return rearranged(
        trace,
        tensor,
        target,
        lambda ssa: reformed(trace, ssa, dtype, source, target, ok),
        lambda ssa: reformed(trace, ssa, dtype, target, source, ok),
        weak,
        layouts.Reshaping(target),
    )


@dispatch.define(operands=("x",), rule=_reshape_rule, emit=_reshape_emit, numpy=(np.reshape,))
def reshape(x: Any, shape: Any) -> Any:
    """
    The same elements in another shape; one size may be -1, others may be symbolic.

    The result is a view: writing into it writes into the array.

    >>> ag.reshape([1, 2, 3, 4], [2, -1]).numpy()
    array([[1, 2],
           [3, 4]], dtype=int32)

    Shapes: x [...] -> shape
    Dtypes: bool, int, uint, float, complex -> the same
    Raises: OperandValueError where the elements do not fit, RuntimeShapeError where that shows
        at run time
    """
    return np.reshape(x, shape)


def ravel(x: Any) -> Any:
    """The elements in one dimension.

    >>> ag.ravel([[1, 2], [3, 4]]).numpy()
    array([1, 2, 3, 4], dtype=int32)

    Shapes: x [...] -> [n]
    Dtypes: bool, int, uint, float, complex -> the same
    Raises: OperandTypeError for what is no tensor
    """
    return reshape(x, (-1,))


compose("ravel", ravel, numpy=(np.ravel,))


# transpose


def _permutation(axes: Any, rank: int) -> list[int]:
    if axes is None:
        return list(range(rank))[::-1]
    found = [axis_index(a, rank, "transpose") for a in axes]
    if sorted(found) != list(range(rank)):
        raise ValueError(f"transpose(): {tuple(axes)} is no order of {rank} dimensions")
    return found


def _transpose_rule(x: Any, axes: Any = None) -> TensorType:
    kind = operand_type(x)
    order = _permutation(axes, kind.rank)
    return TensorType(kind.dtype, tuple(kind.shape[a] for a in order), kind.weak)


def transposed(trace: Trace, ssa: Any, dtype: DType, dims: Dims, order: Sequence[int]) -> Any:
    """``linalg.transpose``; the SSA value of dimensions ``dims`` itself where nothing moves."""
    if list(order) == list(range(len(dims))):
        return ssa
    init = emit.empty(trace, dtype, tuple(dims[axis] for axis in order))
    operation = trace.create(
        "linalg.transpose",
        (init.type,),
        (ssa, init),
        {"permutation": attributes.i64_array(order)},
    )
    emit.body(trace, operation, [dtype.mlir()] * 2, lambda value, _: (value,))
    return operation.result


def _transpose_emit(trace: Trace, result: TensorType, x: Any, axes: Any) -> SymbolicTensor:
    tensor = emit.lift(trace, x)
    dims, dtype = tensor.dims, tensor.dtype
    order = _permutation(axes, len(dims))
    back = [order.index(axis) for axis in range(len(dims))]
    target = tuple(dims[axis] for axis in order)
    return rearranged(
        trace,
        tensor,
        target,
        lambda ssa: transposed(trace, ssa, dtype, dims, order),
        lambda ssa: transposed(trace, ssa, dtype, target, back),
        result.weak,
        lambda layout: layout.transpose(order),
        tuple(order),
    )


@dispatch.define(
    operands=("x",),
    rule=_transpose_rule,
    emit=_transpose_emit,
    numpy=(np.transpose, np.permute_dims),
)
def transpose(x: Any, axes: Any = None) -> Any:
    """The dimensions in the order of ``axes``, in reverse order where it is None; a view.

    >>> ag.shape(ag.permute_dims(ag.ones([2, 3]), (1, 0))).numpy()
    array([3, 2], dtype=int32)

    Shapes: x [...] -> its sizes in another order
    Dtypes: bool, int, uint, float, complex -> the same
    Raises: OperandValueError for axes that are no permutation
    """
    return np.transpose(x, axes)


def _rank_of(x: Any) -> int:
    return operand_type(dispatch.type_of(x)).rank


def swapaxes(x: Any, axis1: int, axis2: int) -> Any:
    """Two dimensions in each other's place.

    >>> ag.shape(ag.swapaxes(ag.ones([2, 3]), 0, 1)).numpy()
    array([3, 2], dtype=int32)

    Shapes: x [...] -> with two sizes exchanged
    Dtypes: bool, int, uint, float, complex -> the same
    Raises: OperandTypeError for what is no tensor
    """
    rank = _rank_of(x)
    order = list(range(rank))
    a, b = (axis_index(axis, rank, "swapaxes") for axis in (axis1, axis2))
    order[a], order[b] = order[b], order[a]
    return transpose(x, order)


def moveaxis(x: Any, source: Any, destination: Any) -> Any:
    """Dimensions moved to other places; the others keep their order.

    >>> ag.shape(ag.moveaxis(ag.ones([2, 3, 4]), 0, -1)).numpy()
    array([3, 4, 2], dtype=int32)

    Shapes: x [...] -> its sizes in another order
    Dtypes: bool, int, uint, float, complex -> the same
    Raises: OperandTypeError for what is no tensor
    """
    rank = _rank_of(x)
    pair = [list(a) if isinstance(a, (tuple, list)) else [a] for a in (source, destination)]
    taken, placed = ([axis_index(a, rank, "moveaxis") for a in axes] for axes in pair)
    if (
        len(taken) != len(placed)
        or len(set(taken)) != len(taken)
        or len(set(placed)) != len(placed)
    ):
        raise ValueError(f"moveaxis(): {source} and {destination} do not pair different axes")
    order = [axis for axis in range(rank) if axis not in taken]
    for place, axis in sorted(zip(placed, taken, strict=True)):
        order.insert(place, axis)
    return transpose(x, order)


compose("swapaxes", swapaxes, numpy=(np.swapaxes,))
compose("moveaxis", moveaxis, numpy=(np.moveaxis,))


# expand_dims, squeeze


def _new_axes(axis: Any, rank: int) -> tuple[int, ...]:
    count = len(axis) if isinstance(axis, (tuple, list)) else 1
    return axis_indices(axis, rank + count, "expand_dims")


def _with_units(sizes: Sequence[Any], axes: Sequence[int]) -> tuple[Any, ...]:
    rest = iter(sizes)
    return tuple(1 if i in axes else next(rest) for i in range(len(sizes) + len(axes)))


def _expand_rule(x: Any, axis: Any) -> TensorType:
    kind = operand_type(x)
    shape = _with_units(kind.shape, _new_axes(axis, kind.rank))
    return TensorType(kind.dtype, shape, kind.weak)


def _expand_emit(trace: Trace, result: TensorType, x: Any, axis: Any) -> SymbolicTensor:
    tensor = emit.lift(trace, x)
    target = _with_units(tensor.dims, _new_axes(axis, len(tensor.dims)))
    return reshaped(trace, tensor, target, result.weak)


@dispatch.define(operands=("x",), rule=_expand_rule, emit=_expand_emit, numpy=(np.expand_dims,))
def expand_dims(x: Any, axis: Any) -> Any:
    """New dimensions of size 1 at the places ``axis`` of the result; a view.

    >>> ag.shape(ag.expand_dims([1.0, 2.0], 0)).numpy()
    array([1, 2], dtype=int32)

    Shapes: x [...] -> with one more axis
    Dtypes: bool, int, uint, float, complex -> the same
    Raises: OperandValueError for a place that is none
    """
    return np.expand_dims(x, tuple(axis) if isinstance(axis, list) else axis)


def _dropped(axis: Any, shape: Shape) -> tuple[int, ...]:
    if axis is None:
        return tuple(i for i, size in enumerate(shape) if size == 1)
    axes = axis_indices(axis, len(shape), "squeeze")
    for i in axes:
        if shape[i] not in (1, None):
            raise ValueError(f"squeeze(): dimension {i} of {_described(shape)} is not 1")
    return axes


def _squeeze_rule(x: Any, axis: Any = None) -> TensorType:
    kind = operand_type(x)
    axes = _dropped(axis, kind.shape)
    shape = tuple(e for i, e in enumerate(kind.shape) if i not in axes)
    return TensorType(kind.dtype, shape, kind.weak)


def _squeeze_emit(trace: Trace, result: TensorType, x: Any, axis: Any) -> SymbolicTensor:
    tensor = emit.lift(trace, x)
    axes = _dropped(axis, tensor.shape)
    if axis is None and not axes and trace.convention.arrays_are_mutable:
        return tensor
    kept = tuple(d for i, d in enumerate(tensor.dims) if i not in axes)
    return reshaped(trace, tensor, kept, result.weak)


@dispatch.define(operands=("x",), rule=_squeeze_rule, emit=_squeeze_emit, numpy=(np.squeeze,))
def squeeze(x: Any, axis: Any = None) -> Any:
    """
    Without the dimensions ``axis``, which must be 1; a view.

    None means all that are known to be 1 while tracing.

    >>> ag.shape(ag.squeeze([[1.0], [2.0]], axis=[1])).numpy()
    array([2], dtype=int32)

    Shapes: x [...] -> [...] without the axes
    Dtypes: bool, int, uint, float, complex -> the same
    Raises: OperandValueError for an axis of another size than 1
    """
    return np.squeeze(x, tuple(axis) if isinstance(axis, list) else axis)


# broadcast_to


def _broadcast_rule(x: Any, shape: Any) -> TensorType:
    kind = operand_type(x)
    wanted = tuple(None if isinstance(e, SymbolicTensor) else e for e in _entries(shape))
    common = broadcast.shapes(kind.shape, wanted) if len(wanted) >= kind.rank else None
    padded = (1,) * (len(wanted) - kind.rank) + kind.shape
    if common is None or any(
        w is not None and s not in (w, 1, None) for s, w in zip(padded, wanted, strict=True)
    ):
        raise ValueError(f"{kind} does not broadcast to the shape {_described(wanted)}")
    return TensorType(kind.dtype, wanted, kind.weak)


def _broadcast_emit(trace: Trace, result: TensorType, x: Any, shape: Any) -> SymbolicTensor:
    tensor = emit.lift(trace, x)
    target = tuple(emit.dim_of(trace, e) for e in _entries(shape))
    for source, wanted in zip(tensor.dims[::-1], target[::-1], strict=False):
        _guard_broadcast(trace, source, wanted)
    # A size that is known, and not repeated, is the result's, whatever is asked for.
    known = [s if isinstance(s, int) and s != 1 else None for s in tensor.dims]
    lead = len(target) - len(known)
    target = (*target[:lead], *(k or t for k, t in zip(known, target[lead:], strict=True)))
    ssa = broadcast.to_dims(trace, tensor.ssa, tensor.dtype, tensor.dims, target)
    return trace.make(ssa, tensor.dtype, target, result.weak)


def _guard_broadcast(trace: Trace, source: Size, wanted: Size) -> None:
    if source is wanted or source == 1 or source == wanted:
        return
    a, b = emit.dim_value(trace, source), emit.dim_value(trace, wanted)
    one, same = trace.compare("eq", a, trace.index(1)), trace.compare("eq", a, b)
    fits = trace.op("arith.ori", same.type, same, one)
    site = trace.site("broadcast")
    trace.guard(fits, site, emit.from_index(trace, a), emit.from_index(trace, b))


@dispatch.define(
    operands=("x",), rule=_broadcast_rule, emit=_broadcast_emit, numpy=(np.broadcast_to,)
)
def broadcast_to(x: Any, shape: Any) -> Any:
    """The tensor repeated along dimensions of size 1 and new leading ones.

    >>> ag.broadcast_to([1, 2], [2, 2]).numpy()
    array([[1, 2],
           [1, 2]], dtype=int32)

    Shapes: x [...] -> shape
    Dtypes: bool, int, uint, float, complex -> the same
    Raises: OperandValueError where it does not broadcast to the shape
    """
    return np.broadcast_to(x, shape)


# shape, size, rank


class Elements:
    """Storage of a vector of which each element is known: it is made where it is read whole."""

    __slots__ = ("elements", "home")

    def __init__(self, home: Scope, elements: list[Any]) -> None:
        self.home = home
        self.elements = elements

    def read(self, trace: Trace) -> Any:
        """The elements as a tensor, made once in each region."""
        if not trace.scope.encloses(self.home):
            raise LookupError
        found = trace.scope.recall("memo", self)
        if found is None:
            scalars = [emit.lift(trace, element) for element in self.elements]
            kind = mlir_type(scalars[0].dtype, (len(scalars),))
            found = trace.op("tensor.from_elements", kind, *(s.ssa for s in scalars))
            trace.scope.memo[self] = found
        return found


def size_scalar(trace: Trace, size: Size, dtype: DType) -> Any:
    """The size as a scalar tensor, which the dimension is found again from; constant if known."""
    if isinstance(size, int):
        return hooks.runtime.eager(np.asarray(size, dtype.numpy))
    return trace.make(emit.from_size(trace, size, dtype), dtype, ())


def _shape_rule(x: Any, dtype: Any = int32) -> TensorType:
    return TensorType(as_dtype(dtype), (operand_type(x).rank,))


def _shape_emit(trace: Trace, result: TensorType, x: Any, dtype: Any) -> Any:
    dims = broadcast.dims_of(trace, x)
    elements = [size_scalar(trace, dim, result.dtype) for dim in dims]
    if all(isinstance(dim, int) for dim in dims):
        return hooks.runtime.eager(np.asarray(dims, result.dtype.numpy))
    storage = Elements(trace.scope, elements)
    return SymbolicTensor(trace, storage, result.dtype, (len(dims),))


@dispatch.define("shape", operands=("x",), rule=_shape_rule, emit=_shape_emit)
def shape_of(x: Any, dtype: Any = int32) -> Any:
    """
    The sizes as a vector of ``dtype``.

    Sizes that are known while tracing are constants; taking one of the others reads it off the
    array without making the vector.

    >>> ag.shape([[1, 2, 3], [4, 5, 6]]).numpy()
    array([2, 3], dtype=int32)

    Shapes: x [...] -> [k]; k is the number of dimensions
    Dtypes: bool, int, uint, float, complex -> int32
    Raises: OperandTypeError for what is no tensor
    """
    return np.asarray(np.shape(x), as_dtype(dtype).numpy)


def _size_rule(x: Any, dtype: Any = int32) -> TensorType:
    operand_type(x)
    return TensorType(as_dtype(dtype), ())


def _size_emit(trace: Trace, result: TensorType, x: Any, dtype: Any) -> Any:
    total = size_product(trace, broadcast.dims_of(trace, x))
    return size_scalar(trace, total, result.dtype)


@dispatch.define(operands=("x",), rule=_size_rule, emit=_size_emit)
def size(x: Any, dtype: Any = int32) -> Any:
    """The number of elements; a constant where it is known while tracing.

    >>> ag.size([[1, 2, 3], [4, 5, 6]]).numpy()
    np.int32(6)

    Shapes: x [...] -> []
    Dtypes: bool, int, uint, float, complex -> int32
    Raises: OperandTypeError for what is no tensor
    """
    return np.asarray(np.size(x), as_dtype(dtype).numpy)


def rank(x: Any) -> Any:
    """The number of dimensions, which is always known while tracing.

    >>> ag.rank([[1.0], [2.0]]).numpy()
    np.int32(2)

    Shapes: x [...] -> []
    Dtypes: bool, int, uint, float, complex -> int32
    Raises: OperandTypeError for what is no tensor
    """
    return hooks.runtime.eager(np.asarray(_rank_of(x), np.int32))


def numpy_shape(x: Any) -> Any:
    """``numpy.shape``: a tuple of ints, and of scalars where only the run time knows."""
    kind = operand_type(dispatch.type_of(x))
    if None not in kind.shape:
        return kind.shape
    vector = shape_of(x, int64)
    return tuple(vector[i] if e is None else e for i, e in enumerate(kind.shape))


def numpy_size(x: Any, axis: Any = None) -> Any:
    """``numpy.size``: an int, or a scalar where only the run time knows."""
    sizes = numpy_shape(x)
    if axis is not None:
        return sizes[axis]
    total = 1
    for size in sizes:
        total = total * size
    return total


def numpy_ndim(x: Any) -> int:
    """``numpy.ndim``."""
    return _rank_of(x)


compose("rank", rank)
for _name, _function, _numpy in (
    ("numpy_shape", numpy_shape, np.shape),
    ("numpy_size", numpy_size, np.size),
    ("numpy_ndim", numpy_ndim, np.ndim),
):
    compose(_name, _function, numpy=(_numpy,))
