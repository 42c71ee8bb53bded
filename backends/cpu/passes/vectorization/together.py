"""A ``scf.while`` for all lanes of a group of iterations."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from agir.backends.cpu.passes.vectorization.building import (
    make,
    one,
    splat,
    vector_type,
    vector_types,
)
from agir.backends.cpu.passes.vectorization.nest import operations_of
from agir.backends.cpu.passes.vectorization.vectors import (
    Vectors,
    Writer,
    any_lane,
    grouped,
    select,
)
from agir.backends.mlir.making import INTEGERS, i1, number_attribute, op
from agir.ir.building import bindings


class Together:
    """The test and the body of a while, for the lanes whose test has not failed yet.

    It carries what the while carries, which stays as it is in lanes that have stopped; what the
    test passes besides, as each lane left it; and the mask.
    """

    def __init__(self, repeat: Any, writer: Writer) -> None:
        self.repeat = repeat
        self.writer = writer
        self.given, self.entered = (list(region.blocks[0].arguments) for region in repeat.regions)
        self.test, self.stop = operations_of(repeat.regions[0])
        self.body, self.again = operations_of(repeat.regions[1])
        self.handed = list(self.stop.operands)[1:]
        self.extra = [n for n, value in enumerate(self.handed) if value not in self.given]
        carried = [*self.given, *(self.handed[n] for n in self.extra)]
        self.groups = [vector_types(value.type) for value in carried]

    def write(self, count: Any) -> list[Vectors]:
        """Write the loop for the first ``count`` lanes; gives the results of the while."""
        ir = bindings.ir
        repeat, writer = self.repeat, self.writer
        first = [writer.vectors(value) for value in repeat.operands]
        none = [tuple(map(writer.zeros, group)) for group in self.groups[len(first) :]]
        mask = _lanes_below(count)
        kinds = [*_flat(self.groups), mask.type]
        loop = ir.Operation.create(
            "scf.while", results=kinds, operands=[*_flat([*first, *none]), mask], regions=2
        )
        writer.header = loop
        places = [repeat.location] * len(kinds)
        for region, fill in zip(loop.regions, (self._write_test, self._write_body), strict=True):
            block = region.blocks.append(*kinds, arg_locs=places)
            *values, active = block.arguments
            with ir.InsertionPoint(block):
                fill(grouped(values, self.groups), active)
        found = grouped(list(loop.results)[:-1], self.groups)
        return [found[self._position(n)] for n in range(len(self.handed))]

    def _position(self, number: int) -> int:
        """Which of the carried values is what the test passes as this one."""
        if number in self.extra:
            return len(self.given) + self.extra.index(number)
        return self.given.index(self.handed[number])

    def _write_test(self, values: list[Vectors], mask: Any) -> None:
        writer, count = self.writer, len(self.given)
        writer.known.update(zip(self.given, values, strict=False))
        writer.write(self.test, mask)
        left = [
            select(mask, writer.vectors(self.handed[n]), old)
            for n, old in zip(self.extra, values[count:], strict=True)
        ]
        (test,) = writer.vectors(self.stop.operands[0])
        active = one("arith.andi", mask, test)
        passed = _flat([*values[:count], *left])
        make("scf.condition", (), [any_lane(active), *passed, active])

    def _write_body(self, values: list[Vectors], mask: Any) -> None:
        writer, count = self.writer, len(self.given)
        for number, argument in enumerate(self.entered):
            writer.known[argument] = values[self._position(number)]
        writer.write(self.body, mask)
        new = [
            select(mask, writer.vectors(value), old)
            for value, old in zip(self.again.operands, values[:count], strict=True)
        ]
        make("scf.yield", (), [*_flat([*new, *values[count:]]), mask])


def _lanes_below(count: Any) -> Any:
    """The mask of the first lanes."""
    less = number_attribute(INTEGERS["slt"])
    return op("arith.cmpi", vector_type(i1()), numbers(), splat(count), predicate=less)


def numbers() -> Any:
    """The numbers of the lanes."""
    return one("vector.step", kind=vector_type(bindings.ir.IndexType.get()))


def _flat(groups: Sequence[Sequence[Any]]) -> list[Any]:
    return [value for group in groups for value in group]
