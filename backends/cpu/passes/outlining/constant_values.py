"""What takes long and depends on constants only is computed at the beginning of a function, once each.

Parts of a function that become calls would else compute it in each call.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

from agir.backends.cpu.passes.analysis.cost import is_costly
from agir.backends.cpu.passes.outlining.blocks import VIEWS, Block, Body, is_pure
from agir.backends.cpu.passes.outlining.instantiation import copy
from agir.ir.building import bindings


def compute_fixed_values_first(body: Body) -> bool:
    """Move such values to the beginning; says whether there are any, for then the body is another."""
    fixed = _Fixed(body)
    wanted = fixed.wanted()
    if not wanted:
        return False
    fixed.write(wanted)
    return True


class _Fixed:
    """The operations of a function that depend on constants only."""

    def __init__(self, body: Body) -> None:
        self.body = body
        self.blocks: list[Block] = []
        self.costly: set[Any] = set()
        """Those of their values that take long, or are computed of such."""
        self._known: set[Any] = set()
        for i, operation in enumerate(body.operations):
            if self._may_be(operation) and all(map(_is_plain, body.nested[i])):
                self._add(Block(body, i, i + 1), i)

    def _may_be(self, operation: Any) -> bool:
        return operation.name not in VIEWS and all(map(self._is_fixed, operation.operands))

    def _is_fixed(self, value: Any) -> bool:
        return value in self._known or value in self.body.anew

    def _add(self, block: Block, i: int) -> None:
        if not all(map(self._is_fixed, block.inputs)):
            return
        self.blocks.append(block)
        results = list(block.operations[0].results)
        self._known.update(results)
        takes_long = any(is_costly(each.name) for each in self.body.nested[i])
        if takes_long or not self.costly.isdisjoint(block.inputs):
            self.costly.update(results)

    def wanted(self) -> set[Any]:
        """The costly values that others use than those that are as costly."""
        return {value for value in self.costly if not all(map(self._is_costly, value.uses))}

    def _is_costly(self, use: Any) -> bool:
        return not self.costly.isdisjoint(use.owner.results)

    def write(self, wanted: set[Any]) -> None:
        """Compute these values, and what they are computed of, at the beginning."""
        needed = set(wanted)
        for block in reversed(self.blocks):
            if not needed.isdisjoint(block.operations[0].results):
                needed.update(block.inputs)
        with _Beginning(self.body) as beginning:
            for block in self.blocks:
                if not needed.isdisjoint(block.operations[0].results):
                    beginning.add(block)
        for value in wanted:
            value.replace_all_uses_with(beginning.made[value])
        for block in reversed(self.blocks):
            operation = block.operations[0]
            if not any(True for value in operation.results for _ in value.uses):
                operation.erase()


def _is_plain(operation: Any) -> bool:
    """Whether an operation only computes, and neither loops nor branches."""
    return is_pure(operation) and not operation.name.startswith("scf.")


class _Beginning:
    """What is computed before all else, each once."""

    def __init__(self, body: Body) -> None:
        self.body = body
        self.made: dict[Any, Any] = {}
        """What is computed here in the place of values."""
        self._computed: dict[Hashable, list[Any]] = {}

    def __enter__(self) -> _Beginning:
        ir = bindings.ir
        start = ir.InsertionPoint.at_block_begin(self.body.operations[0].block)
        index = ir.IndexType.get()
        attributes = {"value": ir.IntegerAttr.get(index, 0)}
        self._end = ir.Operation.create("arith.constant", [index], attributes=attributes, ip=start)
        return self

    def __exit__(self, *_: object) -> None:
        self._end.erase()

    def add(self, block: Block) -> None:
        """Compute what a block of one operation does."""
        results = list(block.operations[0].results)
        with bindings.ir.InsertionPoint(self._end), block.operations[0].location:
            given = {value: self._value(value) for value in block.inputs}
            key = (block.pattern, tuple(block.numbers), tuple(given.values()))
            if key not in self._computed:
                copy(block, block.numbers, given)
                self._computed[key] = [given[value] for value in results]
        self.made.update(zip(results, self._computed[key], strict=True))

    def _value(self, value: Any) -> Any:
        if value not in self.made:
            self.made[value] = self.body.anew[value].clone().results[0]
        return self.made[value]
