"""Broadcasting, made explicit: every operand gets the dimensions of the result.

Static dimensions are checked by the type rules.  Dimensions that are known only at run time are
checked by a guard, and are truly broadcast where one of them turns out to be 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from agir.ir.building import attributes, bindings
from agir.ir.building.types import DType, Shape, is_python_number, mlir_type
from agir.ir.emission import emit
from agir.ir.tensors.symbolic import Dim, Dims, SymbolicTensor, static_shape
from agir.ir.tracing import loops, ranges
from agir.ir.tracing.trace import Trace


def shapes(*operands: Shape) -> Shape:
    """The shape that the operands broadcast to; ``ValueError`` where static dimensions clash."""
    if operands and operands.count(operands[0]) == len(operands):
        return tuple(operands[0])
    rank = max((len(shape) for shape in operands), default=0)
    padded = [(1,) * (rank - len(shape)) + tuple(shape) for shape in operands]
    return tuple(_size(column, operands) for column in zip(*padded, strict=True))


def _size(column: tuple[int | None, ...], operands: Sequence[Shape]) -> int | None:
    known = {d for d in column if d is not None and d != 1}
    if len(known) > 1:
        texts = " and ".join(str(list(shape)).replace("None", "?") for shape in operands)
        raise ValueError(f"shapes {texts} do not broadcast: dimensions {sorted(known)} differ")
    if known:
        return known.pop()
    return None if None in column else 1


def common_dims(trace: Trace, operands: Sequence[Dims], kind: str = "broadcast") -> Dims:
    """The dimensions that the operands broadcast to; guards are recorded for unknown ones.

    ``kind`` is that of the sites of the guards.
    """
    if operands and operands.count(operands[0]) == len(operands):
        return tuple(operands[0])
    rank = max((len(dims) for dims in operands), default=0)
    padded = [(1,) * (rank - len(dims)) + tuple(dims) for dims in operands]
    return tuple(_common(trace, column, kind) for column in zip(*padded, strict=True))


def _common(trace: Trace, column: tuple[int | Dim, ...], kind: str) -> int | Dim:
    result = column[0]
    for other in column[1:]:
        result = _pair(trace, result, other, kind)
    return result


def _pair(trace: Trace, left: int | Dim, right: int | Dim, kind: str) -> int | Dim:
    if left is right or left == right or right == 1:
        return left
    if left == 1:
        return right
    for greater, lesser in ((left, right), (right, left)):
        if lesser in _covered(trace, greater):
            return greater
    found = _met(trace, left, right, kind)
    if isinstance(found, Dim):
        covered = {left, right} | _covered(trace, left) | _covered(trace, right)
        trace.scope.memo["covered", found] = covered
    return found


def _covered(trace: Trace, size: int | Dim) -> set[int | Dim]:
    """The sizes that a size has come from by broadcasting: each is the same, or 1."""
    return trace.scope.recall("memo", ("covered", size)) or set()


def _met(trace: Trace, left: int | Dim, right: int | Dim, kind: str) -> int | Dim:
    """The size of two that only the run time can compare."""
    a, b = emit.dim_value(trace, left), emit.dim_value(trace, right)
    one = trace.index(1)
    left_one, right_one = trace.compare("eq", a, one), trace.compare("eq", b, one)
    i1 = left_one.type
    fits = trace.op(
        "arith.ori", i1, trace.compare("eq", a, b), trace.op("arith.ori", i1, left_one, right_one)
    )
    site = trace.site(kind)
    trace.guard(fits, site, emit.from_index(trace, a), emit.from_index(trace, b))
    if isinstance(left, int) or isinstance(right, int):
        return left if isinstance(left, int) else right
    # Where the guard fails, the lesser size keeps every read inside both arrays.
    lesser = trace.op("arith.minui", a.type, a, b)
    size = emit.select(trace, left_one, b, emit.select(trace, right_one, a, lesser))
    return Dim(value=size)


def to_dims(trace: Trace, ssa: Any, dtype: DType, source: Dims, target: Dims) -> Any:
    """The SSA value broadcast from its dimensions to the target's."""
    if not target:
        return ssa
    if not source:
        return emit.splat(trace, ssa, dtype, target)
    if source == target:
        return emit.cast_dims(trace, ssa, dtype, target)
    lead = len(target) - len(source)
    aligned = tuple(target[lead:])
    unsure = [i for i, (s, t) in enumerate(zip(source, aligned, strict=True)) if _unsure(s, t)]
    if unsure:
        resolved = tuple(aligned[i] if i in unsure else s for i, s in enumerate(source))
        key = ("resolved", ssa, resolved)
        found = trace.scope.recall("memo", key)
        if found is None:
            found = _resolve(trace, ssa, dtype, source, resolved, unsure)
            trace.scope.memo[key] = found
        ssa, source = found, resolved
    added = [*range(lead)]
    added += [lead + i for i, (s, t) in enumerate(zip(source, aligned, strict=True)) if s == 1 != t]
    if not added:
        return emit.cast_dims(trace, ssa, dtype, target)
    kept = [i for i in range(len(source)) if lead + i not in added]
    ssa = _drop_units(trace, ssa, dtype, source, kept)
    init = emit.empty(trace, dtype, target)
    operation = trace.create(
        "linalg.broadcast",
        (init.type,),
        (ssa, init),
        {"dimensions": attributes.i64_array(added)},
    )
    element = dtype.mlir()
    emit.body(trace, operation, [element, element], lambda value, _: (value,))
    return operation.result


def _unsure(source: int | Dim, target: int | Dim) -> bool:
    """True where only the run time knows whether the source is 1 or the target's size."""
    return isinstance(source, Dim) and source is not target


def _drop_units(trace: Trace, ssa: Any, dtype: DType, source: Dims, kept: list[int]) -> Any:
    """Collapse away the dimensions of size 1 that are not kept."""
    if len(kept) == len(source):
        return ssa
    if not kept:
        zero = [trace.index(0)] * len(source)
        scalar = trace.op("tensor.extract", dtype.mlir(), ssa, *zero)
        return trace.op("tensor.from_elements", tensor0(dtype), scalar)
    groups: list[list[int]] = []
    for axis in range(len(source)):
        if axis in kept and (not groups or any(a in kept for a in groups[-1])):
            groups.append([axis])
        elif groups:
            groups[-1].append(axis)
        else:
            groups.append([axis])
    shape = static_shape(tuple(source[i] for i in kept))
    return trace.op(
        "tensor.collapse_shape", mlir_type(dtype, shape), ssa, reassociation=reassociation(groups)
    )


def tensor0(dtype: DType) -> Any:
    """The type of a tensor without dimensions, which only reductions need."""
    return bindings.ir.RankedTensorType.get([], dtype.mlir())


def reassociation(groups: list[list[int]]) -> Any:
    """The attribute of ``tensor.collapse_shape`` and ``tensor.expand_shape``."""
    ir = bindings.ir
    i64 = ir.IntegerType.get_signless(64)
    return ir.ArrayAttr.get(
        [ir.ArrayAttr.get([ir.IntegerAttr.get(i64, axis) for axis in group]) for group in groups]
    )


def _resolve(
    trace: Trace, ssa: Any, dtype: DType, source: Dims, target: Dims, unsure: list[int]
) -> Any:
    """The tensor itself where the unsure sizes are the target's, else repeated along them."""
    if any(_differs(trace, source[axis], target[axis]) for axis in unsure):
        return _repeated(trace, ssa, dtype, source, target, unsure)
    i1 = None
    for axis in unsure:
        same = trace.compare(
            "eq", emit.dim_value(trace, source[axis]), emit.dim_value(trace, target[axis])
        )
        i1 = same if i1 is None else trace.op("arith.andi", same.type, i1, same)
    return loops.either(
        trace,
        i1,
        lambda: [emit.cast_dims(trace, ssa, dtype, target)],
        lambda: [_repeated(trace, ssa, dtype, source, target, unsure)],
    )[0]


def _differs(trace: Trace, source: int | Dim, target: int | Dim) -> bool:
    """Whether a size is known not to be another one: MLIR refuses a part as large as that."""
    if not isinstance(target, int):
        return False
    known = ranges.interval(trace, emit.dim_value(trace, source))
    return known is not None and not known[0] <= target <= known[1]


def _repeated(
    trace: Trace, ssa: Any, dtype: DType, source: Dims, target: Dims, unsure: list[int]
) -> Any:
    """The tensor repeated; zeros where there is nothing to repeat, because a check has failed."""
    zero, some = trace.index(0), None
    for axis in unsure:
        found = trace.compare("ne", emit.dim_value(trace, source[axis]), zero)
        some = found if some is None else trace.op("arith.andi", found.type, some, found)
    return loops.if_ok(
        trace,
        some,
        lambda: _repeat(trace, ssa, dtype, source, target, unsure),
        lambda: emit.constant_like(trace, dtype, target, 0),
    )


def _repeat(
    trace: Trace, ssa: Any, dtype: DType, source: Dims, target: Dims, unsure: list[int]
) -> Any:
    sizes = {axis: emit.dim_value(trace, source[axis]) for axis in unsure}
    one = trace.index(1)
    safe = {a: trace.op("arith.maxui", e.type, e, one) for a, e in sizes.items()}
    operation = trace.create(
        "tensor.generate",
        (mlir_type(dtype, static_shape(target)),),
        emit.dynamic_sizes(trace, target),
    )

    def element(*indices: Any) -> tuple[Any, ...]:
        wrapped = [
            trace.op("arith.remui", index.type, index, safe[axis]) if axis in safe else index
            for axis, index in enumerate(indices)
        ]
        return (trace.op("tensor.extract", dtype.mlir(), ssa, *wrapped),)

    index = trace.index_type()
    emit.body(trace, operation, [index] * len(target), element, "tensor.yield")
    return operation.result


def operand(trace: Trace, value: Any, dtype: DType, target: Dims) -> Any:
    """A number, array or tensor as an SSA value of the dtype and dimensions."""
    if type(value) is SymbolicTensor and value.dtype is dtype and value.dims == target:
        return emit.cast_dims(trace, trace.read(value), dtype, target)
    if is_python_number(value):
        return emit.constant_like(trace, dtype, target, value)
    tensor = emit.lift(trace, value)
    ssa = emit.convert(trace, tensor.ssa, tensor.dtype, dtype, tensor.dims)
    return to_dims(trace, ssa, dtype, tensor.dims, target)


def dims_of(trace: Trace, value: Any) -> Dims:
    """The dimensions of a number (none), array or tensor."""
    if is_python_number(value):
        return ()
    return value.dims if isinstance(value, SymbolicTensor) else emit.lift(trace, value).dims
