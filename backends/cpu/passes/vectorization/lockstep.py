"""Iterations of a counted loop, each with a ``while`` inside, run sixteen at a time under a mask.

    for i: before(i); while test(i): body(i); after(i)

becomes, for a group of iterations: `before` for one after the other, the while for all together, whose
lanes stay as they are once their test has failed, and `after` for one after the other.  What is
needed of `before` in the while, and of both afterwards, is in small arrays in between.  Numbers
are computed by the same operations as before, so they are the same to the last bit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from agir.backends.cpu.dependence.independence import independence
from agir.backends.cpu.passes.analysis.functions import functions
from agir.backends.cpu.passes.vectorization import vocabulary
from agir.backends.cpu.passes.vectorization.building import LANES, make, one, splat
from agir.backends.cpu.passes.vectorization.lane_arrays import Room
from agir.backends.cpu.passes.vectorization.nest import Nest, is_scalar, nests, taken
from agir.backends.cpu.passes.vectorization.safety import is_contiguous
from agir.backends.cpu.passes.vectorization.together import Together, numbers
from agir.backends.cpu.passes.vectorization.vectors import Writer
from agir.backends.mlir.graph import Producers
from agir.backends.mlir.making import index_constant, use_instead
from agir.backends.mlir.modules import walk
from agir.ir.building import bindings


def vectorize_while_loops(module: Any) -> None:
    """Rewrite the loops whose iterations are independent, one function after the other."""
    for function in functions(module):
        graph = Producers(function)
        for nest in nests(graph):
            if _fits(nest, graph):
                _Rewriting(function, nest, graph).run()


def _fits(nest: Nest, graph: Producers) -> bool:
    """Whether the iterations are independent, and the while can be done for several at once."""
    if not vocabulary.all_known(nest.repeat):
        return False
    found = independence(nest.loop, carried=True)
    if found is None or found.private:
        return False
    inside = walk(nest.repeat)
    if not all(is_contiguous(e, nest.loop, graph) for e in inside if e.name == "memref.store"):
        return False
    arrays = [v for e in inside for v in e.operands if isinstance(v.type, bindings.ir.MemRefType)]
    return not any(graph.is_inside(array, nest.loop) for array in arrays) and all(
        is_scalar(value.type) for value in _shared(nest)
    )


def _shared(nest: Nest) -> list[Any]:
    """What is computed before the while, or carried to there, and needed in it or after it."""
    made = {value for each in nest.before for value in each.results}
    made |= {nest.carried[position] for position in nest.early}
    needed = [v for each in (nest.repeat, *nest.after) for v in taken(each)]
    needed += [nest.handed[position] for position in nest.late]
    return [value for value in dict.fromkeys(needed) if value in made]


class _Rewriting:
    """One loop on its way."""

    def __init__(self, function: Any, nest: Nest, graph: Producers) -> None:
        self.nest = nest
        self.graph = graph
        self.shared = _shared(nest)
        values = [*self.shared, *nest.repeat.results]
        self.rooms = {value: Room(function, value.type) for value in values}

    def run(self) -> None:
        """Put a loop over groups of iterations in the loop's place."""
        ir = bindings.ir
        loop = self.nest.loop
        low, high, _, *first = loop.operands
        with ir.InsertionPoint(loop), loop.location:
            groups, block = _counted([low, high, index_constant(LANES)], first)
        with ir.InsertionPoint(block), loop.location:
            base, *carried = block.arguments
            count = one("arith.minsi", one("arith.subi", high, base), index_constant(LANES))
            nest = self.nest
            early = self._one_by_one(nest.before, (base, count), carried, nest.early)
            self._all_together(base, count)
            late = self._one_by_one(nest.after, (base, count), carried, nest.late)
            new = dict(zip((*nest.early, *nest.late), (*early, *late), strict=True))
            make("scf.yield", (), [new[position] for position in range(len(carried))])
        use_instead(loop, groups.results)
        loop.erase()

    def _one_by_one(
        self, part: list[Any], span: tuple[Any, Any], carried: Sequence[Any], own: list[int]
    ) -> list[Any]:
        """A loop over the lanes, into which a part of the body moves; gives what it carries."""
        ir = bindings.ir
        nest = self.nest
        base, count = span
        is_first = part is nest.before
        bounds = [index_constant(0), count, index_constant(1)]
        loop, block = _counted(bounds, [carried[position] for position in own])
        lane, *values = block.arguments
        handed = [nest.handed[position] for position in own]
        new = {nest.carried[p]: value for p, value in zip(own, values, strict=True)}
        used = {*handed, *(value for each in part for value in taken(each))}
        with ir.InsertionPoint(block):
            new[nest.counter] = one("arith.addi", lane, base)
            for value, room in self.rooms.items():
                if value in used and not is_first:
                    new[value] = room.load(lane)
        for operation in part:
            block.append(operation)
            _replace(operation, new)
        with ir.InsertionPoint(block):
            for value in self.shared if is_first else ():
                self.rooms[value].store(new.get(value, value), lane)
            make("scf.yield", (), [new.get(value, value) for value in handed])
        return list(loop.results)

    def _all_together(self, base: Any, count: Any) -> None:
        """The while, from the arrays of its operands to those of its results."""
        ir = bindings.ir
        nest = self.nest
        zero = index_constant(0)
        writer = Writer(nest.loop, base, zero.owner, self.graph)
        writer.known[nest.counter] = (one("arith.addi", numbers(), splat(base)),)
        for value in self.shared:
            writer.known[value] = self.rooms[value].load_all(zero)
        with nest.repeat.location:
            found = Together(nest.repeat, writer).write(count)
        with ir.InsertionPoint.after(writer.header):
            for value, vectors in zip(nest.repeat.results, found, strict=True):
                self.rooms[value].store_all(vectors, zero)


def _counted(bounds: Sequence[Any], first: Sequence[Any]) -> tuple[Any, Any]:
    """A ``scf.for`` that carries values from these on, and its block, which is empty."""
    ir = bindings.ir
    loop = ir.Operation.create(
        "scf.for", results=[v.type for v in first], operands=[*bounds, *first], regions=1
    )
    types = [bounds[0].type, *(v.type for v in first)]
    return loop, loop.regions[0].blocks.append(*types, arg_locs=[loop.location] * len(types))


def _replace(operation: Any, new: dict[Any, Any]) -> None:
    """Put other values in the place of operands, in regions as well."""
    for each in walk(operation):
        for position, value in enumerate(each.operands):
            if value in new:
                each.operands[position] = new[value]
