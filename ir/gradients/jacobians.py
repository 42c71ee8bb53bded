"""Jacobians: a sweep for each element, in a loop.

Backwards there is one sweep for each element of the target, forwards one for each of the source; the
fewer are taken.  Either computes values that do not depend on the element once, before the loop.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection
from typing import Any

from agir.ir.building import attributes
from agir.ir.building.types import DType, bool_
from agir.ir.emission import emit, gathering
from agir.ir.gradients import reverse
from agir.ir.gradients.core.expressions import dtype_of, empty_like, zeros_like
from agir.ir.tensors import dispatch
from agir.ir.tensors.symbolic import Dims, SymbolicTensor
from agir.ir.tracing import loops
from agir.ir.tracing.trace import Trace
from agir.ir.values import columns

Seed = Callable[[list[Any]], Any]
"""The value to begin a sweep with, from the indices of an element."""
Run = Callable[[Any], Any]
"""A sweep: from what it begins with to what it gives, None for zero."""


def jacobian(
    trace: Trace,
    target: SymbolicTensor,
    source: SymbolicTensor,
    at: Any = None,
    passed_over: Collection[Any] = (),
    forwards: bool | None = None,
) -> SymbolicTensor:
    """The derivatives of every element of the target: its dimensions, then those of the source.

    ``at`` is the SSA value that the source was.  ``forwards`` says which way the sweeps go; where
    it is None, there are as few of them as possible.
    """
    dims = (*target.dims, *source.dims)
    if 0 in dims:
        return trace.make(emit.empty(trace, source.dtype, dims), source.dtype, dims)
    at = source.storage.origin if at is None else at
    if forwards is None:
        forwards = _is_wide(target, target.dims, source, source.dims)
    if forwards:
        return _forwards(trace, target, source, at, passed_over)
    run = _pull(trace, target.ssa, at, passed_over)
    rows = _rows(trace, target.dims, _unit(trace, target.ssa), at, source, run)
    return _shaped(trace, rows, source.dtype, (*_flat(trace, target.dims), *source.dims), dims)


def _is_wide(target: SymbolicTensor, own: Dims, source: SymbolicTensor, others: Dims) -> bool:
    """Whether real numbers come from fewer real numbers."""
    if "c" in (target.dtype.kind, source.dtype.kind):
        return False
    known = all(isinstance(n, int) for n in (*own, *others))
    return known and math.prod(own) > math.prod(others)  # type: ignore[arg-type]


def _forwards(
    trace: Trace, target: SymbolicTensor, source: SymbolicTensor, at: Any, passed: Collection[Any]
) -> SymbolicTensor:
    run = _push(trace, target.ssa, at, passed)
    found = _rows(trace, source.dims, _unit(trace, at), target.ssa, target, run)
    dims = (*source.dims, *target.dims)
    whole = _shaped(trace, found, target.dtype, (*_flat(trace, source.dims), *target.dims), dims)
    count = len(source.dims)
    order = [*range(count, len(dims)), *range(count)]
    turned = dispatch.call("transpose", whole, order) if count and target.dims else whole
    return dispatch.call("cast", turned, source.dtype)  # type: ignore[no-any-return]


def _pull(trace: Trace, whole: Any, at: Any, passed_over: Collection[Any]) -> Run:
    def run(seed: Any) -> Any:
        return reverse.backward(trace, [whole], [seed], [at], passed_over)[0]

    return run


def _push(trace: Trace, whole: Any, at: Any, passed_over: Collection[Any]) -> Run:
    def run(seed: Any) -> Any:
        return reverse.forward_beside(trace, [whole], [at], [seed], passed_over)[0]

    return run


def _unit(trace: Trace, like: Any) -> Seed:
    """One at an element of a value, zero elsewhere."""
    dtype = dtype_of(like.type)
    assert dtype is not None

    def seed(indices: list[Any]) -> Any:
        one = trace.constant(dtype, 1)
        if not indices:
            return one
        return trace.op("tensor.insert", like.type, one, zeros_like(trace, like), *indices)

    return seed


def _flat(trace: Trace, dims: Dims) -> Dims:
    return (gathering.product(trace, dims),) if dims else ()


def _shaped(trace: Trace, ssa: Any, dtype: DType, flat: Dims, dims: Dims) -> SymbolicTensor:
    return trace.make(gathering.reshape_ssa(trace, ssa, dtype, flat, dims), dtype, dims)


def _rows(trace: Trace, loop: Dims, seed: Seed, value: Any, like: SymbolicTensor, run: Run) -> Any:
    """What the sweeps give, one after the other; each gives a value like this one."""
    if not loop:
        found = run(seed([]))
        return zeros_like(trace, value) if found is None else found
    index = trace.index_type()
    sizes = [emit.dim_value(trace, dim) for dim in loop]
    count = trace.index(1)
    for each in sizes:
        count = trace.op("arith.muli", index, count, each)
    open_sizes = emit.dynamic_sizes(trace, like.dims)
    rows = columns.empty(trace, columns.column_type(value.type), count, open_sizes)

    def row(indices: list[Any], carried: list[Any]) -> list[Any]:
        number = trace.index(0)
        for each, size in zip(indices, sizes, strict=True):
            scaled = trace.op("arith.muli", index, number, size)
            number = trace.op("arith.addi", index, scaled, each)
        found = run(seed(indices))
        found = zeros_like(trace, value) if found is None else found
        return [columns.write(trace, carried[0], number, found)]

    (filled,) = loops.nest(trace, sizes, [rows], row)
    dtype = dtype_of(value.type)
    assert dtype is not None
    return emit.cast_dims(trace, filled, dtype, (*_flat(trace, loop), *like.dims))


# The rows of a batch.


def batch_jacobian(
    trace: Trace,
    target: SymbolicTensor,
    source: SymbolicTensor,
    at: Any,
    passed_over: Collection[Any],
) -> SymbolicTensor:
    """The Jacobian of each row of the target with respect to the same row of the source."""
    batch, *own = target.dims
    others = source.dims[1:]
    dims = (batch, *own, *others)
    if 0 in dims:
        return trace.make(emit.empty(trace, source.dtype, dims), source.dtype, dims)
    forwards = _is_wide(target, tuple(own), source, others)
    if forwards:
        run, loop, seeded = _push(trace, target.ssa, at, passed_over), others, at
        value, like = target.ssa, target
    else:
        run, loop, seeded = _pull(trace, target.ssa, at, passed_over), tuple(own), target.ssa
        value, like = at, source
    found = _rows(trace, loop, _unit_in_each(trace, seeded), value, like, run)
    flat = _flat(trace, loop)
    whole = trace.make(found, like.dtype, (*flat, *like.dims))
    if forwards:
        whole = dispatch.call("cast", whole, source.dtype)
    last = len(whole.dims) - 1 if forwards else 1
    by_row = dispatch.call("moveaxis", whole, 0, last) if flat else whole
    return _shaped(trace, by_row.ssa, source.dtype, by_row.dims, dims)


def _unit_in_each(trace: Trace, like: Any) -> Seed:
    """One at an element of every row of a value, zero elsewhere."""
    dtype = dtype_of(like.type)
    assert dtype is not None

    def seed(indices: list[Any]) -> Any:
        def element(_: Any) -> tuple[Any, ...]:
            here = trace.constant(bool_, True)
            for axis, wanted in enumerate(indices, 1):
                dimension = attributes.i64(axis)
                own = trace.op("linalg.index", trace.index_type(), dim=dimension)
                same = trace.compare("eq", own, wanted)
                here = trace.op("arith.andi", same.type, here, same)
            one, zero = (trace.constant(dtype, number) for number in (1, 0))
            return (emit.select(trace, here, one, zero),)

        rank = len(indices) + 1
        maps, kinds = [gathering.identity_map(rank)], ["parallel"] * rank
        return gathering.generic(trace, [], [empty_like(trace, like)], maps, kinds, element).result

    return seed
