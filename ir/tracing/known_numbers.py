"""Numbers among the arguments whose values a function needs while it is traced.

An axis, an order, a flag that a library asks for: they say what is recorded.  Where a number is
computed of nothing but such arguments, the function is traced again, once for each of their values.
"""

from __future__ import annotations

from typing import Any

from agir.ir.building.program import Block

_OF_NUMBERS = ("arith.", "index.", "math.")


class KnownNumbers:
    """Those of a trace."""

    def __init__(self) -> None:
        self._names: dict[int, str] = {}
        self.wanted: set[str] = set()
        """The parameters whose values were asked for."""

    def add(self, position: int, name: str) -> None:
        """An argument of the recorded function is a number that may become a constant."""
        self._names[position] = name

    def ask(self, ssa: Any, block: Any) -> None:
        """Note the parameters, arguments of a block, that a number was computed of and nothing else."""
        found = self._behind(ssa, block) if self._names else None
        if found is not None:
            self.wanted |= found

    def may_be_known(self, ssa: Any, block: Any) -> bool:
        """Whether a trace could know the number, if it were asked for."""
        return bool(self._names) and self._behind(ssa, block) is not None

    def _behind(self, ssa: Any, block: Any) -> set[str] | None:
        found: set[str] = set()
        seen: set[Any] = set()
        rest = [ssa]
        while rest:
            value = rest.pop()
            if value in seen:
                continue
            seen.add(value)
            if value.owner is block:
                name = self._names.get(value.number)
                if name is None:
                    return None
                found.add(name)
                continue
            sources = _sources(value)
            if sources is None or any(each is None for each in sources):
                return None
            rest += sources
        return found


def _sources(value: Any) -> list[Any] | None:
    """What a number is computed of; None, or with None in it, where that is not numbers alone."""
    if isinstance(value.owner, Block):
        loop = value.owner.owner
        if loop is None or loop.name != "scf.for":
            return None
        operation, position = loop, value.number - 1
        return _bounds(operation) if position < 0 else _carried(operation, position)
    operation = value.owner
    if operation.name.startswith(_OF_NUMBERS):
        return list(operation.operands)
    position = value.number
    if operation.name == "scf.for":
        return [*_bounds(operation), *_carried(operation, position)]
    if operation.name == "scf.if":
        return [operation.operands[0], *(_yielded(b, position) for b in operation.blocks)]
    return None


def _bounds(loop: Any) -> list[Any]:
    return list(loop.operands)[:3]


def _carried(loop: Any, position: int) -> list[Any]:
    return [loop.operands[3 + position], _yielded(loop.blocks[0], position)]


def _yielded(block: Block, position: int) -> Any:
    """What a region gives; None while that is being recorded."""
    last = block.terminator
    return last.operands[position] if last.name == "scf.yield" else None
