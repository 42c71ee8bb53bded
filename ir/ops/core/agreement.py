"""Sizes that have to agree: proven while tracing, or checked at run time.

A check that fails does not stop the compiled code, so what comes after it must not read outside of
an array: the sizes are cut down to the least, or zeros take the tensor's place.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from agir.ir.building import attributes, bindings
from agir.ir.building.types import DType, mlir_type
from agir.ir.emission import emit
from agir.ir.tensors.symbolic import Dim, Dims, static_shape
from agir.ir.tracing.loops import if_ok
from agir.ir.tracing.trace import Trace

Size = int | Dim


def is_same(left: Size, right: Size) -> bool:
    """True where the sizes are known to be equal."""
    return left is right or (isinstance(left, int) and left == right)


def agree(trace: Trace, sizes: Sequence[Size], message: str, keep_static: bool) -> Size:
    """The size that all must have, after checks of those that only the run time knows.

    Where it is known statically by one of them it is that with ``keep_static``; else it is the
    least, so that every tensor has as many elements.
    """
    fixed = next((e for e in sizes if isinstance(e, int)), sizes[0])
    rest = [e for i, e in enumerate(sizes) if not any(is_same(e, b) for b in sizes[:i])]
    if len(rest) == 1:
        return fixed
    least = None
    for size in rest:
        if size is fixed:
            continue
        a, b = emit.dim_value(trace, fixed), emit.dim_value(trace, size)
        site = trace.site("shape", message)
        same = trace.compare("eq", a, b)
        trace.guard(same, site, emit.from_index(trace, a), emit.from_index(trace, b))
        least = trace.op("arith.minui", a.type, a if least is None else least, b)
    return fixed if keep_static and isinstance(fixed, int) else Dim(value=least)


def fitted(trace: Trace, ssa: Any, dtype: DType, dims: Dims, target: Dims) -> Any:
    """The tensor in the sizes that :func:`agree` gave for its own."""
    if all(is_same(d, t) for d, t in zip(dims, target, strict=True)):
        return emit.cast_dims(trace, ssa, dtype, target)
    shrunk = tuple(t if isinstance(t, Dim) else d for d, t in zip(dims, target, strict=True))
    if not all(is_same(d, s) for d, s in zip(dims, shrunk, strict=True)):
        ssa = _leading_part(trace, ssa, dtype, shrunk)
    same = None
    for dim, wanted in zip(shrunk, target, strict=True):
        if not is_same(dim, wanted):
            a, b = emit.dim_value(trace, dim), emit.dim_value(trace, wanted)
            equal = trace.compare("eq", a, b)
            same = equal if same is None else trace.op("arith.andi", equal.type, same, equal)
    if same is None:
        return emit.cast_dims(trace, ssa, dtype, target)
    return if_ok(
        trace,
        same,
        lambda: emit.cast_dims(trace, ssa, dtype, target),
        lambda: emit.constant_like(trace, dtype, target, 0),
    )


def _leading_part(trace: Trace, ssa: Any, dtype: DType, dims: Dims) -> Any:
    """``tensor.extract_slice`` from the first element on."""
    if 0 in bindings.ir.RankedTensorType(ssa.type).shape:  # MLIR has no offset in an empty axis
        return emit.constant_like(trace, dtype, dims, 0)
    part = attributes.slicing([ssa], [0] * len(dims), emit.known_sizes(trace, dims))
    result = mlir_type(dtype, static_shape(dims))
    return trace.create("tensor.extract_slice", (result,), *part).result
