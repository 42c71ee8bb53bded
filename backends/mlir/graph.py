"""Who makes and who uses each value of a module, from one walk over it, when it is first asked.

Most passes find nothing to do among the operations, and ask no more.
MLIR's bindings answer the same questions, but with objects of generated classes, and to make the
first of a dialect they import all of them: for linalg that takes a tenth of a second.
"""

from __future__ import annotations

from collections import defaultdict
from functools import cached_property
from typing import Any, NamedTuple

from agir.backends.mlir.modules import walk
from agir.ir.building import bindings

_ENDS = ("scf.yield", "scf.condition")


class Use(NamedTuple):
    """A value as one operand of an operation."""

    user: Any
    position: int


class _Tables(NamedTuple):
    """What is known by values: the operations that make them, and where they are operands."""

    producers: dict[Any, Any]
    uses: dict[Any, list[Use]]


class Producers:
    """The operations inside a module or another operation, as they were when this was made.

    Of these it knows what makes each value, as it was when that was first asked, or at `look`.
    """

    def __init__(self, root: Any) -> None:
        self.root = root
        self.operations = walk(root)
        self._ends: dict[Any, Any] = {}

    @cached_property
    def _tables(self) -> _Tables:
        made = {result: operation for operation in self.operations for result in operation.results}
        return _Tables(made, self._find_uses())

    def _find_uses(self) -> dict[Any, list[Use]]:
        return {}

    def look(self) -> _Tables:
        """Find out now what is to be told as it is before a change."""
        return self._tables

    def find(self, *names: str) -> list[Any]:
        """All operations of these names, outer ones first."""
        return [operation for operation in self.operations if operation.name in names]

    def producer(self, value: Any, name: str = "") -> Any | None:
        """The operation that makes a value, if there is one and it is of this name."""
        operation = self._tables.producers.get(value)
        return operation if operation is not None and operation.name.startswith(name) else None

    def ends(self, operation: Any) -> list[Any]:
        """What ends the blocks of a loop or branch: ``scf.yield``, or ``scf.condition``."""
        if not self._ends:
            self._ends = {each.block: each for each in self.find(*_ENDS)}
        blocks = (block for region in operation.regions for block in region.blocks)
        return [self._ends[block] for block in blocks if block in self._ends]

    def number(self, value: Any) -> int | None:
        """The integer that a value is, where it is a constant."""
        source = self.producer(value, "arith.constant")
        number = None if source is None else source.attributes["value"]
        ir = bindings.ir
        return int(number.value) if isinstance(number, (ir.IntegerAttr, ir.BoolAttr)) else None

    def add(self, operation: Any) -> None:
        """Take note of an operation made since."""
        self._tables.producers.update((result, operation) for result in operation.results)
        if self._ends and operation.name in _ENDS:
            self._ends[operation.block] = operation

    def forget(self, operation: Any) -> None:
        """An operation is about to be erased, and a new one may come to lie where it was in memory."""
        for result in operation.results:
            self._tables.producers.pop(result, None)

    def is_inside(self, value: Any, around: Any) -> bool:
        """Whether a value is made inside the regions of an operation."""
        source = self._tables.producers.get(value)
        holder = None if source is None else source.parent
        if isinstance(value, bindings.ir.BlockArgument):
            holder = value.owner.owner.operation
        while holder is not None:
            if holder == around:
                return True
            holder = holder.parent
        return False


class Graph(Producers):
    """The same, and where each value is used, which takes thrice as long to find out.

    >>> found = []
    >>> def look(module):
    ...     graph = ag.plugins.Graph(module)
    ...     found.extend(len(graph.uses(each.results[0])) for each in graph.find("arith.addf"))
    >>> ag.jit(lambda x: (x + 1.0) * (x + 1.0), passes=[ag.plugins.Pass(look, effects=True)])(2.0)
    9.0
    >>> found
    [1, 1]
    """

    def _find_uses(self) -> dict[Any, list[Use]]:
        uses: defaultdict[Any, list[Use]] = defaultdict(list)
        make = tuple.__new__  # a third of the time of Use(...)
        for operation in self.operations:
            for position, value in enumerate(operation.operands):
                uses[value].append(make(Use, (operation, position)))
        return dict(uses)

    def uses(self, value: Any) -> list[Use]:
        """Where a value is an operand."""
        return self._tables.uses.get(value, [])

    def erase(self, operation: Any) -> None:
        """Erase an operation, whose results nobody uses any more."""
        self.forget(operation)
        for value in dict.fromkeys(operation.operands):
            self._tables.uses[value] = [use for use in self.uses(value) if use.user != operation]
        self.operations.remove(operation)
        operation.erase()
