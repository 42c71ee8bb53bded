"""How a tensor's elements come into other dimensions: ``tensor.collapse_shape``, ``expand_shape``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import prod
from typing import Any

from agir.ir.building.types import DType, mlir_type
from agir.ir.emission import emit, gathering
from agir.ir.emission.broadcast import reassociation
from agir.ir.ops.core.agreement import Size
from agir.ir.tensors.symbolic import Dim, Dims
from agir.ir.tracing.loops import if_ok
from agir.ir.tracing.trace import Trace


def size_product(trace: Trace, dims: Sequence[Size]) -> Size:
    """The product of the sizes."""
    known = prod(d for d in dims if isinstance(d, int))
    unknown = [d for d in dims if isinstance(d, Dim)]
    if not unknown or not known:
        return known
    if len(unknown) == 1 and known == 1:
        return unknown[0]
    total = unknown[0].value(trace)
    factors = [d.value(trace) for d in unknown[1:]] + ([trace.index(known)] if known != 1 else [])
    for factor in factors:
        total = trace.op("arith.muli", trace.index_type(), total, factor)
    return Dim(value=total)


def cancelled(left: Sequence[Size], right: Sequence[Size]) -> tuple[list[Size], list[Size]]:
    """The factors of two products without those that both have; one static factor each."""
    counts = [Counter(d for d in dims if isinstance(d, Dim)) for dims in (left, right)]
    common = counts[0] & counts[1]
    rest: list[list[Size]] = []
    for dims, count in zip((left, right), counts, strict=True):
        known = prod(d for d in dims if isinstance(d, int))
        rest.append([known, *(count - common).elements()])
    return rest[0], rest[1]


def same_size(left: Sequence[Size], right: Sequence[Size]) -> bool:
    """True where the products are known to be equal."""
    if any(d == 0 for d in left) and any(d == 0 for d in right):
        return True
    mine, theirs = cancelled(left, right)
    return len(mine) == len(theirs) == 1 and mine == theirs


def guard_size(trace: Trace, source: Dims, target: Dims) -> Any:
    """Check that both have as many elements: None where that is known, else the i1."""
    if same_size(source, target):
        return None
    a, b = (emit.dim_value(trace, size_product(trace, dims)) for dims in (source, target))
    ok = trace.compare("eq", a, b)
    site = trace.site("shape", "reshape() to another number of elements")
    trace.guard(ok, site, emit.from_index(trace, a), emit.from_index(trace, b))
    return ok


def reformed(
    trace: Trace, ssa: Any, dtype: DType, source: Dims, target: Dims, ok: Any = None
) -> Any:
    """The elements in the target's dimensions; zeros where the i1 ``ok`` is given and false."""
    if ok is None:
        return _reformed(trace, ssa, dtype, source, target)
    return if_ok(
        trace,
        ok,
        lambda: _reformed(trace, ssa, dtype, source, target),
        lambda: emit.constant_like(trace, dtype, target, 0),
    )


def _reformed(trace: Trace, ssa: Any, dtype: DType, source: Dims, target: Dims) -> Any:
    # Where one side has no elements, the sizes of the other may not say so, and MLIR cannot
    # collapse a size of 0 and an unknown one.
    if 0 in source or 0 in target:
        return emit.constant_like(trace, dtype, target, 0)
    if not source and target:
        one = trace.op("tensor.from_elements", mlir_type(dtype, (1,) * len(target)), ssa)
        return emit.cast_dims(trace, one, dtype, target)
    if not source or not target:
        return gathering.reshape_ssa(trace, ssa, dtype, source, target)
    before, after = _groups(source, target)
    ssa = _collapsed(trace, ssa, dtype, source, before)
    return gathering.expand(trace, ssa, dtype, after, target)


def _collapsed(trace: Trace, ssa: Any, dtype: DType, source: Dims, groups: list[list[int]]) -> Any:
    if all(len(group) == 1 for group in groups):
        return ssa
    ssa = emit.cast_dims(trace, ssa, dtype, source)
    shape = []
    for group in groups:
        sizes = [source[axis] for axis in group]
        known = [d for d in sizes if isinstance(d, int)]
        shape.append(prod(known) if len(known) == len(sizes) else None)
    result = mlir_type(dtype, tuple(shape))
    return trace.op("tensor.collapse_shape", result, ssa, reassociation=reassociation(groups))


def _groups(source: Dims, target: Dims) -> tuple[list[list[int]], list[list[int]]]:
    """Runs of the axes of either side that hold the same number of elements, as fine as is known."""
    before: list[list[int]] = []
    after: list[list[int]] = []
    i = j = 0
    while i < len(source) and j < len(target):
        run = _shortest(source[i:], target[j:])
        if run is None:
            break
        before.append(list(range(i, i + run[0])))
        after.append(list(range(j, j + run[1])))
        i, j = i + run[0], j + run[1]
    if i < len(source) or j < len(target):
        rest = list(range(i, len(source))), list(range(j, len(target)))
        if before and not (rest[0] and rest[1]):
            before[-1] += rest[0]
            after[-1] += rest[1]
        else:
            before.append(rest[0])
            after.append(rest[1])
    return before, after


def _shortest(left: Dims, right: Dims) -> tuple[int, int] | None:
    """How many leading axes of each side have equal products."""
    if 0 in left or 0 in right:
        return None
    a = b = 1
    while a <= len(left) and b <= len(right):
        mine, theirs = cancelled(left[:a], right[:b])
        if mine == theirs:
            return a, b
        if len(mine) > 1 or len(theirs) > 1:
            grow_left = len(theirs) > len(mine)
            if len(mine) == len(theirs):
                return None
        else:
            grow_left = mine[0] < theirs[0]  # type: ignore[operator]
        a, b = (a + 1, b) if grow_left else (a, b + 1)
    return None
