"""Boolean masks: how many elements they select, which, and writing where they are true."""

from __future__ import annotations

from typing import Any

from agir.ir.building.types import DType, bool_, int64
from agir.ir.emission import broadcast, emit, gathering
from agir.ir.ops.core import folding
from agir.ir.ops.core.agreement import is_same
from agir.ir.ops.core.assigned import Elements, fitted_shape, repeats_of_nothing, value_type
from agir.ir.tensors import dispatch
from agir.ir.tensors.symbolic import Dim, Dims, SymbolicTensor, static_shape
from agir.ir.tracing import loops
from agir.ir.tracing.loops import if_ok
from agir.ir.tracing.trace import Trace


def over(trace: Trace, mask: Any, dims: Dims, axis: int) -> SymbolicTensor:
    """The mask as a tensor of these dimensions, which are the array's from ``axis`` on.

    Sizes known only at run time are checked; a mask that does not match selects nothing.
    """
    tensor = emit.lift(trace, mask)
    key = ("mask", tensor.ssa, dims)
    found = trace.scope.recall("memo", key)
    if found is None:
        found = trace.scope.memo[key] = _matched(trace, tensor, dims, axis)
    return trace.make(found, bool_, dims)


def _matched(trace: Trace, mask: SymbolicTensor, dims: Dims, axis: int) -> Any:
    ok = None
    for i, (own, size) in enumerate(zip(mask.dims, dims, strict=True)):
        if not is_same(own, size):
            ok = emit.both(trace, ok, guard_size(trace, size, own, axis + i))

    def cast() -> Any:
        return emit.cast_dims(trace, mask.ssa, bool_, dims)

    if ok is None:
        return cast()
    return if_ok(trace, ok, cast, lambda: emit.constant_like(trace, bool_, dims, False))


def guard_size(trace: Trace, size: int | Dim, own: int | Dim, axis: int) -> Any:
    """Check that a mask has the array's size along the axis: i1 where it has."""
    a, b = emit.dim_value(trace, size), emit.dim_value(trace, own)
    same = trace.compare("eq", a, b)
    site = trace.site("mask", axis)
    trace.guard(same, site, emit.from_index(trace, a), emit.from_index(trace, b))
    return same


def count(trace: Trace, mask: SymbolicTensor) -> Dim:
    """How many elements of the mask are true, as a dimension; the same one for the same mask."""
    key = ("count", mask.ssa)
    found = trace.scope.recall("memo", key)
    if found is None:
        ones = emit.convert(trace, mask.ssa, bool_, int64, mask.dims)
        axes = range(len(mask.dims))
        total = folding.fold(trace, ones, int64, mask.dims, axes, "arith.addi", 0)
        index = trace.op("arith.index_cast", trace.index_type(), total)
        found = trace.scope.memo[key] = Dim(value=index)
    return found  # type: ignore[no-any-return]


def flat(
    trace: Trace, tensor: SymbolicTensor, axes: int, joined: int | Dim | None = None
) -> SymbolicTensor:
    """The tensor with its first ``axes`` dimensions as one, of ``joined`` elements."""
    dims = tensor.dims
    if axes == 1:
        return tensor
    if joined is None:
        joined = gathering.product(trace, dims[:axes])
    target = (joined, *dims[axes:])
    groups = [list(range(axes)), *([a] for a in range(axes, len(dims)))]
    ssa = gathering.collapse(trace, tensor.ssa, tensor.dtype, groups, target)
    return trace.make(ssa, tensor.dtype, target)


def positions(trace: Trace, mask: SymbolicTensor) -> Any:
    """Where the mask is true, as int64 positions in the flattened mask, in order."""
    key = ("positions", mask.ssa)
    found = trace.scope.recall("memo", key)
    if found is None:
        found = _compress(trace, mask, int64, lambda i: emit.from_index(trace, i))
        trace.scope.memo[key] = found
    return found


def compress(trace: Trace, mask: SymbolicTensor, x: SymbolicTensor) -> SymbolicTensor:
    """The elements of ``x`` where the mask, of the same dimensions, is true, in one dimension."""
    key = ("compressed", mask.ssa, x.ssa)
    found = trace.scope.recall("memo", key)
    if found is None:
        source = flat(trace, x, len(x.dims)).ssa

        def element(index: Any) -> Any:
            return trace.op("tensor.extract", x.dtype.mlir(), source, index)

        found = trace.scope.memo[key] = _compress(trace, mask, x.dtype, element)
    return trace.make(found, x.dtype, (count(trace, mask),))


def _compress(trace: Trace, mask: SymbolicTensor, dtype: DType, element: Any) -> Any:
    """Elements by their position in the flattened mask, those where it is true.

    Each is stored at the next free place, which moves on only where the mask is true, so there is
    no branch; the loop ends when the last place is taken, so nothing is stored outside.
    """
    if not mask.dims:  # the only element, or none
        return emit.splat(trace, element(trace.index(0)), dtype, (count(trace, mask),))
    chosen = flat(trace, mask, len(mask.dims)).ssa
    total = count(trace, mask)
    zero, one, size = trace.index(0), trace.index(1), total.value(trace)
    index = trace.index_type()

    def step(carried: list[Any]) -> list[Any]:
        at, filled, out = carried
        stored = trace.op("tensor.insert", out.type, element(at), out, filled)
        taken = trace.op("tensor.extract", bool_.mlir(), chosen, at)
        more = trace.op("arith.index_castui", index, taken)
        following = trace.op("arith.addi", index, at, one)
        return [following, trace.op("arith.addi", index, filled, more), stored]

    def unfinished(carried: list[Any]) -> Any:
        return trace.compare("ult", carried[1], size)

    init = emit.empty(trace, dtype, (total,))
    return loops.while_true(trace, [zero, zero, init], unfinished, step)[-1]


# x[mask] = value


def assign(
    trace: Trace, x: SymbolicTensor, mask: SymbolicTensor, axis: int, value: Any
) -> Any | None:
    """The array with the value where the mask, which covers the axes from ``axis`` on, is true.

    None where the value has an element for each selected one and the mask does not come first.
    """
    kind = value_type(trace, value, x.dtype)
    after = x.dims[axis + len(mask.dims) :]
    target = (*static_shape(x.dims[:axis]), None, *static_shape(after))
    nothing = repeats_of_nothing(kind.shape, target)
    if nothing is not None:
        value = dispatch.call("full", nothing, 0, kind.dtype)
    shape = nothing or fitted_shape(trace, kind.shape, target)
    in_order = len(shape) > len(after) and shape[len(shape) - len(after) - 1] != 1
    if axis == 0 and (after or in_order):
        return _in_order(trace, x, mask, value, after, in_order)
    return None if in_order else _selected(trace, x, mask, axis, value, len(after))


def _selected(
    trace: Trace, x: SymbolicTensor, mask: SymbolicTensor, axis: int, value: Any, after: int
) -> Any:
    """``select``: the value is the same for all selected elements."""
    part = _spread(trace, value, x, axis, len(mask.dims), after)
    aligned = (*mask.dims, *(1,) * after)
    chosen = mask.ssa
    if mask.dims:
        chosen = gathering.reshape_ssa(trace, chosen, bool_, mask.dims, aligned)
        chosen = broadcast.to_dims(trace, chosen, bool_, aligned, x.dims)
    else:
        chosen = emit.splat(trace, chosen, bool_, x.dims)
    return emit.select(trace, chosen, part, x.ssa)


def _spread(
    trace: Trace, value: Any, x: SymbolicTensor, axis: int, covered: int, after: int
) -> Any:
    """The value in the array's dtype and dimensions."""
    dims = broadcast.dims_of(trace, value)
    if not dims:
        return broadcast.operand(trace, value, x.dtype, x.dims)
    tensor = emit.lift(trace, value)
    ssa = emit.convert(trace, tensor.ssa, tensor.dtype, x.dtype, dims)
    aligned = dims[max(len(dims) - axis - 1 - after, 0) :]  # leading ones that are too many
    if len(aligned) > after:
        split = len(aligned) - after
        aligned = (*aligned[: split - 1], *(1,) * covered, *aligned[split:])
    ssa = gathering.reshape_ssa(trace, ssa, x.dtype, dims, aligned)
    broadcast.common_dims(trace, [x.dims, aligned])  # checks what only the run time knows
    return broadcast.to_dims(trace, ssa, x.dtype, aligned, x.dims)


def _in_order(
    trace: Trace, x: SymbolicTensor, mask: SymbolicTensor, value: Any, after: Dims, in_order: bool
) -> Any:
    """A loop over the mask, which writes where it is true: the next element, where there are many."""
    source = Elements(trace, value, x.dtype, (count(trace, mask) if in_order else 1, *after))
    sizes = [emit.dim_value(trace, d) for d in x.dims]
    rank = len(mask.dims)
    outer, inner = sizes[:rank], sizes[rank:]
    zero, one = trace.index(0), trace.index(1)

    def visit(at: list[Any], carried: list[Any]) -> list[Any]:
        whole, taken = carried

        def store(rest: list[Any], values: list[Any]) -> list[Any]:
            element = source.at([taken if in_order else zero, *rest])
            return [trace.op("tensor.insert", whole.type, element, values[0], *at, *rest)]

        def write() -> list[Any]:
            written = loops.nest(trace, inner, [whole], store)
            return [*written, trace.op("arith.addi", one.type, taken, one)]

        chosen = mask.ssa
        if mask.dims:
            chosen = trace.op("tensor.extract", bool_.mlir(), chosen, *at)
        return loops.either(trace, emit.both(trace, source.ok, chosen), write, lambda: carried)

    return loops.nest(trace, outer, [x.ssa, zero], visit)[0]
