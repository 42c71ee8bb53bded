"""Blocks each of which goes on from the one before it become a loop around one of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from agir.backends.cpu.passes.outlining.blocks import Block
from agir.backends.cpu.passes.outlining.instantiation import copy
from agir.backends.cpu.passes.outlining.result_arrays import is_array
from agir.backends.cpu.passes.outlining.varying_numbers import Column, differing, filled
from agir.backends.mlir.making import constant, op
from agir.ir.building import bindings


@dataclass(frozen=True)
class Chain:
    """How blocks hang together each of which goes on from the one before it."""

    carried: dict[int, tuple[int, int]]
    """The inputs that each takes from what the one before gives."""
    given: list[tuple[int, int]]
    """What else the last one gives."""


def chained(blocks: Sequence[Block], numbers: Sequence[Column]) -> Chain | None:
    """How blocks hang together, if nothing but the last one's values is used after them.

    Numbers that differ have to grow by the same from each to the next.
    """
    pairs = list(pairwise(blocks))
    if any(a.end != b.start or a.is_used_after(b.end) for a, b in pairs):
        return None
    if not all(map(_is_even, differing(numbers))):
        return None
    first = blocks[0]
    carried = {}
    for i, (value, *others) in enumerate(zip(*(block.inputs for block in blocks), strict=True)):
        if all(other == value for other in others):
            continue
        place = next((at for at in first.results if first.given([at]) == others[:1]), None)
        if place is None or any(a.given([place]) != b.values([i]) for a, b in pairs):
            return None
        carried[i] = place
    given = [place for place in blocks[-1].results if place not in carried.values()]
    chain = Chain(carried, given)
    return chain if _is_of_equal_types(blocks, chain) else None


def _is_even(column: Sequence[int]) -> bool:
    step = column[1] - column[0]
    return all(later - earlier == step for earlier, later in pairwise(column))


def _is_of_equal_types(blocks: Sequence[Block], chain: Chain) -> bool:
    places = [*chain.carried.values(), *chain.given]
    types = [[value.type for value in block.given(places)] for block in blocks]
    starts = [value.type for value in blocks[0].values(chain.carried)]
    return all(each == types[0] for each in types) and starts == types[0][: len(starts)]


def rolled(blocks: Sequence[Block], chain: Chain, numbers: Sequence[Column]) -> None:
    """Make a loop that does what the blocks do."""
    ir = bindings.ir
    first, last = blocks[0], blocks[-1]
    end = first.operations[-1]
    places = [*chain.carried.values(), *chain.given]
    values = first.given(places)
    index = ir.IndexType.get()
    with ir.InsertionPoint.after(end), end.location:
        started = [*first.values(chain.carried), *map(_anything, values[len(chain.carried) :])]
        bounds = [constant(index, each) for each in (0, len(blocks), 1)]
        kinds = [value.type for value in values]
        loop = ir.Operation.create("scf.for", kinds, [*bounds, *started], regions=1)
    body = loop.regions[0].blocks.append(index, *kinds)
    counter, *arguments = body.arguments
    with ir.InsertionPoint(body), end.location:
        given = dict(zip(first.values(chain.carried), arguments, strict=False))
        known = {column: _number(column, counter) for column in differing(numbers)}
        copy(first, filled(numbers, known), given)
        ir.Operation.create("scf.yield", operands=[given[value] for value in values])
    last.made = dict(zip(last.given(places), loop.results, strict=True))


def _number(column: Sequence[int], counter: Any) -> Any:
    """The number of an iteration, of such as grow evenly."""
    index = bindings.ir.IndexType.get()
    first, second = column[:2]
    value = counter
    for name, operand, neutral in (("muli", second - first, 1), ("addi", first, 0)):
        if operand != neutral:
            value = op(f"arith.{name}", index, value, constant(index, operand))
    return value


def _anything(value: Any) -> Any:
    """A value of this one's type, which is never looked at."""
    return op("tensor.empty" if is_array(value) else "ub.poison", value.type)
