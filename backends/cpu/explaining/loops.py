"""The innermost loops of the ``loops`` stage, each with a number that survives into LLVM."""

from __future__ import annotations

from typing import Any

from agir.backends.cpu.explaining.program import LOOPS, ROW
from agir.backends.cpu.explaining.remarks import LOOP
from agir.backends.cpu.explaining.report import Loop
from agir.backends.cpu.passes.analysis.functions import PREFIX
from agir.backends.mlir.modules import find, walk
from agir.backends.mlir.places import number_in, numbered


class Numbered:
    """The innermost loops of a module whose locations say the rows that they belong to."""

    def __init__(self) -> None:
        self.rows: list[int | None] = []
        """The row of each loop, by the loop's number."""
        self.lanes: list[int] = []
        """How many lanes the vectors in each loop have that agir itself has put there."""

    def number(self, module: Any) -> None:
        """Number the loops of a module."""
        for loop in find(module, *LOOPS):
            if _is_innermost(loop):
                self._number(loop)

    def _number(self, loop: Any) -> None:
        row = _row(loop)
        number = len(self.rows)
        self.rows.append(row)
        self.lanes.append(max((_lanes(op) for op in walk(loop)), default=1))
        for operation in walk(loop):
            operation.location = numbered(LOOP, number)

    def by_row(self, found: dict[int, Loop]) -> dict[int, list[Loop]]:
        """What became of the loops, for each row."""
        rows: dict[int, list[Loop]] = {}
        for number, row in enumerate(self.rows):
            if row is None:
                continue
            loop = found.get(number)
            if self.lanes[number] > 1:
                loop = Loop(self.lanes[number], by="agir")
            if loop is not None:
                rows.setdefault(row, []).append(loop)
        return rows


def threaded(module: Any) -> set[int]:
    """The rows whose loops run on several threads."""
    calls = (
        number_in(call.location, ROW)
        for call in find(module, "func.call")
        if call.attributes["callee"].value.startswith(PREFIX)
    )
    return {number for number in calls if number is not None}


def _row(operation: Any) -> int | None:
    """The row of an operation, or else of the loop around it."""
    while operation is not None and operation.name != "builtin.module":
        number = number_in(operation.location, ROW)
        if number is not None:
            return number
        operation = operation.parent
    return None


def _is_innermost(loop: Any) -> bool:
    return not any(op.name in LOOPS for region in loop.regions for op in _inside(region))


def _inside(region: Any) -> list[Any]:
    return [op for block in region.blocks for view in block.operations for op in walk(view)]


def _lanes(operation: Any) -> int:
    shapes = [v.type.shape for v in operation.results if str(v.type).startswith("vector")]
    return max((shape[-1] for shape in shapes if shape), default=1)
