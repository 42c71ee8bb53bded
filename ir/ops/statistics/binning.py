"""Adding weights up by the equally wide bins that numbers fall into, which histograms are made of."""

from __future__ import annotations

from typing import Any

import numpy as np

from agir.ir.building import attributes
from agir.ir.building.types import DType, TensorType, bool_, int64, mlir_type
from agir.ir.emission import emit, gathering
from agir.ir.ops.core.operands import operand_type
from agir.ir.tensors import dispatch
from agir.ir.tensors.symbolic import Dims, SymbolicTensor
from agir.ir.tracing import loops
from agir.ir.tracing.trace import Trace
from agir.records import dataclass

BLOCK = 256
"""How many bins are found together, by code without branches, before their totals are touched."""

COPIES = 4
"""How many tables share the additions of floating numbers, which would wait for each other where
neighbours are in one bin: fourfold the time.  Additions of integers to memory do not wait."""

MOST_SPREAD = 512
"""The number of bins up to which there are several tables: beyond, they crowd the cache, and
neighbours in one bin are rarer."""

_UNSURE = -1
"""The bin of a number so near to an edge that only a look at the edges tells."""


def _rule(x: Any, edges: Any, bins: Any, weights: Any) -> TensorType:
    values, bounds, given = (operand_type(v) for v in (x, edges, weights))
    if values.dtype != bounds.dtype or values.dtype.kind != "f":
        raise TypeError(
            f"binned_totals(): the numbers are {values.dtype}, the edges {bounds.dtype}"
        )
    rows = None if given.dtype.kind in "fc" else 1
    return TensorType(given.dtype, (rows, bounds.shape[0]))


@dataclass
class _Bins:
    """Equally wide bins between two numbers: scalars of one floating dtype, and the edges."""

    trace: Trace
    dtype: DType
    edges: Any
    count: Any  # i64
    low: Any
    high: Any

    def op(self, name: str, *operands: Any) -> Any:
        return self.trace.op(f"arith.{name}", operands[-1].type, *operands)

    def number(self, value: float) -> Any:
        return self.trace.constant(self.dtype, value)

    def whole(self, value: int) -> Any:
        return self.trace.constant(int64, value)

    def is_(self, predicate: str, left: Any, right: Any) -> Any:
        return emit.compare_floats(self.trace, predicate, (), left, right)

    def both(self, left: Any, right: Any) -> Any:
        return self.op("andi", left, right)

    def contains(self, value: Any) -> Any:
        return self.both(self.is_("oge", value, self.low), self.is_("ole", value, self.high))

    def measure(self) -> None:
        """The factor from numbers to bins, and how near to an edge rounding may matter.

        The bin that the product gives and the one that the edges say differ by rounding: that of
        the product is relative to the number of bins, that of the edges to the numbers themselves.
        Where the bins are so narrow that this is no small part of one, no number is ever sure.
        """
        count = self.trace.op("arith.sitofp", self.dtype.mlir(), self.count)
        self.count_as_float = count
        self.span = self.op("subf", self.high, self.low)
        self.factor = self.op("divf", count, self.span)
        sizes = [self.trace.op("math.absf", v.type, v) for v in (self.low, self.high)]
        size = self.op("mulf", self.op("addf", *sizes), self.factor)
        eps = float(np.finfo(self.dtype.numpy).eps)
        self.margin = self.op("mulf", self.op("addf", count, size), self.number(8 * eps))

    def guess(self, value: Any) -> Any:
        """The bin of a number by a product: none is the last one, and it may be unsure."""
        trace = self.trace
        place = self.op("mulf", self.op("subf", value, self.low), self.factor)
        whole = trace.op("math.floor", place.type, place)
        rest = self.op("subf", place, whole)
        above = self.is_("ogt", rest, self.margin)
        below = self.is_("olt", rest, self.op("subf", self.number(1.0), self.margin))
        inside = self.contains(value)
        sure = self.both(self.both(above, below), inside)
        safe = emit.select(trace, sure, whole, self.number(0.0))
        number = trace.op("arith.fptosi", int64.mlir(), safe)
        other = emit.select(trace, inside, self.whole(_UNSURE), self.count)
        return emit.select(trace, sure, number, other)

    def exact(self, value: Any) -> Any:
        """The bin of a number that lies in one, by a quotient and a look at the edges around it."""
        trace = self.trace
        share = self.op("divf", self.op("subf", value, self.low), self.span)
        share = self.op("mulf", share, self.count_as_float)
        place = emit.convert(trace, share, self.dtype, int64, ())
        last = self.op("subi", self.count, self.whole(1))
        place = self.op("maxsi", self.op("minsi", place, last), self.whole(0))
        step = self.whole(1)
        before = self.is_("olt", value, self.edge(place))
        after = self.is_("oge", value, self.edge(self.op("addi", place, step)))
        more = emit.compare_integers(trace, "ne", (), place, last)
        moves = [
            trace.op("arith.extui", int64.mlir(), each) for each in (self.both(after, more), before)
        ]
        return self.op("subi", self.op("addi", place, moves[0]), moves[1])

    def edge(self, place: Any) -> Any:
        index = self.trace.op("arith.index_cast", self.trace.index_type(), place)
        return self.trace.op("tensor.extract", self.dtype.mlir(), self.edges, index)


def _emit(
    trace: Trace, result: TensorType, x: Any, edges: Any, bins: Any, weights: Any
) -> SymbolicTensor:
    values, bounds, given, number = (emit.lift(trace, v) for v in (x, edges, weights, bins))
    count = emit.convert(trace, number.ssa, number.dtype, int64, ())
    count = trace.op("arith.maxsi", count.type, count, trace.constant(int64, 1))
    length = emit.dim_value(trace, values.dims[0])
    size = emit.dim_value(trace, bounds.dims[0])
    enough = trace.compare("sge", size, trace.index(2))
    length = emit.select(trace, enough, length, trace.index(0))
    low, high = loops.either(
        trace,
        enough,
        lambda: _ends(trace, values.dtype, bounds.ssa, size),
        lambda: [trace.constant(values.dtype, 0.0)] * 2,
    )
    table = _Bins(trace, values.dtype, bounds.ssa, count, low, high)
    table.measure()
    rows = trace.index(1)
    dims: Dims = (1, bounds.dims[0])
    if given.dtype.kind in "fc":
        rows = _rows(trace, length, size)
        dims = (emit.dim_of(trace, emit.counted(trace, rows)), bounds.dims[0])
    totals = emit.splat(trace, trace.constant(given.dtype, 0), given.dtype, dims)
    mask = trace.op("arith.subi", rows.type, rows, trace.index(1))
    totals = _add(trace, table, (values.ssa, given), length, totals, mask)
    return trace.make(totals, given.dtype, dims, result.weak)


def _ends(trace: Trace, dtype: DType, edges: Any, size: Any) -> list[Any]:
    last = trace.op("arith.subi", size.type, size, trace.index(1))
    return [trace.op("tensor.extract", dtype.mlir(), edges, at) for at in (trace.index(0), last)]


def _rows(trace: Trace, length: Any, size: Any) -> Any:
    """How many tables there are: several where numbers are many and bins are few."""
    few = trace.compare("sle", size, trace.index(MOST_SPREAD))
    room = trace.op("arith.muli", size.type, size, trace.index(16))
    many = trace.compare("sge", length, room)
    both = trace.op("arith.andi", bool_.mlir(), few, many)
    return emit.select(trace, both, trace.index(COPIES), trace.index(1))


def _add(
    trace: Trace, bins: _Bins, given: tuple[Any, Any], length: Any, totals: Any, mask: Any
) -> Any:
    """The totals with the weight of each number added: the bins of a block of them come first."""
    values, weights = given
    index = trace.index_type()
    dtype = weights.dtype
    add = {"f": "arith.addf", "c": "complex.add"}.get(dtype.kind, "arith.addi")

    def block(numbers: list[Any], carried: list[Any]) -> list[Any]:
        start = trace.op("arith.muli", index, numbers[0], trace.index(BLOCK))
        left = trace.op("arith.subi", index, length, start)
        size = trace.op("arith.minsi", index, left, trace.index(BLOCK))
        places = _places(trace, bins, values, start, size)

        def one(at: list[Any], carried: list[Any]) -> list[Any]:
            here = trace.op("arith.addi", index, start, at[0])
            place = trace.op("tensor.extract", int64.mlir(), places, at[0])
            unsure = trace.compare("slt", place, bins.whole(0))
            place = loops.if_ok(
                trace,
                unsure,
                lambda: bins.exact(trace.op("tensor.extract", bins.dtype.mlir(), values, here)),
                lambda: place,
            )
            weight = weights.ssa
            if weights.dims:
                weight = trace.op("tensor.extract", dtype.mlir(), weight, here)
            row = trace.op("arith.andi", index, at[0], mask)
            target = [row, trace.op("arith.index_cast", index, place)]
            old = trace.op("tensor.extract", dtype.mlir(), carried[0], *target)
            new = trace.op(add, dtype.mlir(), old, weight)
            return [trace.op("tensor.insert", carried[0].type, new, carried[0], *target)]

        return loops.nest(trace, [size], carried, one)

    more = trace.op("arith.addi", index, length, trace.index(BLOCK - 1))
    blocks = trace.op("arith.divui", index, more, trace.index(BLOCK))
    return loops.nest(trace, [blocks], [totals], block)[0]


def _places(trace: Trace, bins: _Bins, values: Any, start: Any, size: Any) -> Any:
    """The bins of a block of numbers."""
    kind = mlir_type(bins.dtype, (None,))
    part = attributes.slicing([values], [start], [size])
    chunk = trace.create("tensor.extract_slice", (kind,), *part).result
    init = trace.op("tensor.empty", mlir_type(int64, (None,)), size)
    maps = [gathering.identity_map(1)] * 2
    found = gathering.generic(
        trace, [chunk], [init], maps, ["parallel"], lambda v, _: (bins.guess(v),)
    )
    return found.result


@dispatch.define(
    operands=("x", "edges", "bins", "weights"),
    rule=_rule,
    emit=_emit,
    accepts="iufc",
)
def binned_totals(x: Any, edges: Any, bins: Any, weights: Any) -> Any:
    """Tables whose rows, added up, hold the sum of the weights of the numbers in each bin.

    x, edges, bins, weights: numbers, the edges of equally wide bins, how many there are, and a weight
    for each number or one for all.  The last column holds those of numbers that are in no bin.
    """
    count = int(bins)
    low, high = edges[0], edges[-1]
    inside = (x >= low) & (x <= high)
    values = x[inside]
    place = ((values - low) / (high - low) * count).astype(np.int64)
    place = np.clip(np.where(place == count, place - 1, place), 0, count - 1)
    before = values < edges[place]
    after = (values >= edges[place + 1]) & (place != count - 1)
    place += after.astype(np.int64) - before
    totals = np.zeros((1, count + 1), np.asarray(weights).dtype)
    given = np.broadcast_to(weights, x.shape)
    np.add.at(totals[0], place, given[inside])
    np.add.at(totals[0], [count], given[~inside].sum())
    return totals
