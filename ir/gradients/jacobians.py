"""Jacobians: a reverse sweep for each element, in a loop."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from agir.ir import emit, gathering, loops
from agir.ir.gradients import reverse
from agir.ir.gradients.expressions import zeros_like
from agir.ir.symbolic import SymbolicTensor
from agir.ir.trace import Trace
from agir.ir.values import columns


def jacobian(
    trace: Trace,
    target: SymbolicTensor,
    source: SymbolicTensor,
    at: Any = None,
    passed_over: Collection[Any] = (),
) -> SymbolicTensor:
    """The derivatives of every element of the target: its dimensions, then those of the source.

    ``at`` is the SSA value that the source was.
    """
    at = source.storage.origin if at is None else at
    whole = target.ssa
    dims = (*target.dims, *source.dims)
    if not target.dims:
        one = trace.constant(target.dtype, 1)
        (found,) = reverse.backward(trace, [whole], [one], [at], passed_over)
        return trace.make(zeros_like(trace, at) if found is None else found, source.dtype, dims)
    extents = [emit.dim_value(trace, dim) for dim in target.dims]
    count = trace.index(1)
    for each in extents:
        count = trace.op("arith.muli", count.type, count, each)
    open_extents = emit.dynamic_extents(trace, source.dims)
    rows = columns.empty(trace, columns.column_type(at.type), count, open_extents)
    index = trace.index_type()

    def row(indices: list[Any], carried: list[Any]) -> list[Any]:
        number = trace.index(0)
        for each, extent in zip(indices, extents, strict=True):
            scaled = trace.op("arith.muli", index, number, extent)
            number = trace.op("arith.addi", index, scaled, each)
        one = trace.constant(target.dtype, 1)
        seed = trace.op("tensor.insert", whole.type, one, zeros_like(trace, whole), *indices)
        (found,) = reverse.backward(trace, [whole], [seed], [at], passed_over)
        value = zeros_like(trace, at) if found is None else found
        return [columns.write(trace, carried[0], number, value)]

    (filled,) = loops.nest(trace, extents, [rows], row)
    flat = (gathering.product(trace, target.dims), *source.dims)
    filled = emit.cast_dims(trace, filled, source.dtype, flat)
    ssa = gathering.reshape_ssa(trace, filled, source.dtype, flat, dims)
    return trace.make(ssa, source.dtype, dims)
