"""Jacobians: a reverse sweep for each element, in a loop."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any

from agir.ir import attributes, dispatch, emit, gathering, loops
from agir.ir.gradients import reverse
from agir.ir.gradients.core.expressions import empty_like, zeros_like
from agir.ir.symbolic import Dims, SymbolicTensor
from agir.ir.trace import Trace
from agir.ir.types import bool_
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

    def seed(indices: list[Any]) -> Any:
        one = trace.constant(target.dtype, 1)
        return trace.op("tensor.insert", whole.type, one, zeros_like(trace, whole), *indices)

    filled = _rows(trace, target, target.dims, source, at, seed, passed_over)
    flat = (gathering.product(trace, target.dims), *source.dims)
    ssa = gathering.reshape_ssa(trace, filled, source.dtype, flat, dims)
    return trace.make(ssa, source.dtype, dims)


def _rows(
    trace: Trace,
    target: SymbolicTensor,
    loop: Dims,
    source: SymbolicTensor,
    at: Any,
    seed: Callable[[list[Any]], Any],
    passed_over: Collection[Any],
) -> Any:
    """The cotangents of the source for each seed, one after the other."""
    whole, index = target.ssa, trace.index_type()
    extents = [emit.dim_value(trace, dim) for dim in loop]
    count = trace.index(1)
    for each in extents:
        count = trace.op("arith.muli", index, count, each)
    open_extents = emit.dynamic_extents(trace, source.dims)
    rows = columns.empty(trace, columns.column_type(at.type), count, open_extents)

    def row(indices: list[Any], carried: list[Any]) -> list[Any]:
        number = trace.index(0)
        for each, extent in zip(indices, extents, strict=True):
            scaled = trace.op("arith.muli", index, number, extent)
            number = trace.op("arith.addi", index, scaled, each)
        (found,) = reverse.backward(trace, [whole], [seed(indices)], [at], passed_over)
        value = zeros_like(trace, at) if found is None else found
        return [columns.write(trace, carried[0], number, value)]

    (filled,) = loops.nest(trace, extents, [rows], row)
    flat = (gathering.product(trace, loop), *source.dims)
    return emit.cast_dims(trace, filled, source.dtype, flat)


def batch_jacobian(
    trace: Trace,
    target: SymbolicTensor,
    source: SymbolicTensor,
    at: Any,
    passed_over: Collection[Any],
) -> SymbolicTensor:
    """The Jacobian of each row of the target with respect to the same row of the source."""
    whole = target.ssa
    batch, *inner = target.dims

    def seed(indices: list[Any]) -> Any:
        """One at these positions of every row."""

        def element(_: Any) -> tuple[Any, ...]:
            here = trace.constant(bool_, True)
            for axis, wanted in enumerate(indices, 1):
                dimension = attributes.i64(axis)
                own = trace.op("linalg.index", trace.index_type(), dim=dimension)
                same = trace.compare("eq", own, wanted)
                here = trace.op("arith.andi", same.type, here, same)
            one, zero = (trace.constant(target.dtype, number) for number in (1, 0))
            return (emit.select(trace, here, one, zero),)

        rank = len(target.dims)
        maps, kinds = [gathering.identity_map(rank)], ["parallel"] * rank
        return gathering.generic(trace, [], [empty_like(trace, whole)], maps, kinds, element).result

    filled = _rows(trace, target, tuple(inner), source, at, seed, passed_over)
    flat = (gathering.product(trace, tuple(inner)), *source.dims)
    by_row = dispatch.call("moveaxis", trace.make(filled, source.dtype, flat), 0, 1)
    dims = (batch, *inner, *source.dims[1:])
    ssa = gathering.reshape_ssa(trace, by_row.ssa, source.dtype, by_row.dims, dims)
    return trace.make(ssa, source.dtype, dims)
