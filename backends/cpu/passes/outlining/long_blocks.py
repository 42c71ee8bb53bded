"""Long chains of calls are split into functions of a few calls each.

Bufferization compares each write to an array with all the others, and deallocation each buffer with
all that are alive: work that grows with the square or the cube of a block.  A program that fills a
dict line by line is such a block, in which each call takes the arrays that the one before it gives.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from agir.backends.cpu.passes.analysis.functions import PART, functions
from agir.backends.cpu.passes.outlining.blocks import MADE_ANEW, VIEWS, with_regions
from agir.backends.cpu.passes.outlining.outlined_functions import (
    add_function,
    call,
    copy_into,
    defined,
    private_function,
)
from agir.backends.cpu.passes.outlining.result_arrays import is_array
from agir.backends.mlir.modules import walk
from agir.ir.building import bindings

_MANY = 20
"""Blocks of so many calls are split, ..."""
_FEW, _MOST = 8, 14
"""... into parts of so many."""


def split_long_blocks(module: Any) -> None:
    """Make functions of the parts of blocks with many calls, those of inner blocks first."""
    for function in functions(module):
        for operations in _inner_first(function):
            if sum(each.name == "func.call" for each in operations) >= _MANY:
                _split(module, _Block(operations))


def _inner_first(function: Any) -> Iterator[list[Any]]:
    """The operations of each block inside a function."""
    blocks: dict[Any, list[Any]] = {}
    for each in walk(function):
        if each != function:
            blocks.setdefault(each.block, []).append(each)
    yield from reversed(blocks.values())


class _Block:
    """The operations of a block, but for constants and what ends it, and how far values live."""

    def __init__(self, operations: Sequence[Any]) -> None:
        *everything, end = operations
        self.operations = [each for each in everything if not _is_made_anew(each)]
        self.constants = {v for each in everything if _is_made_anew(each) for v in each.results}
        self.used = [_used(each) for each in self.operations]
        self.last_use = {value: i for i, used in enumerate(self.used) for value in used}
        self.last_use |= dict.fromkeys(_used(end), len(self.operations))

    def parts(self) -> Iterator[tuple[int, int]]:
        """Where parts begin and end: where the fewest arrays are live."""
        start, calls = 0, 0
        ends: list[tuple[int, int]] = []
        live = self._live_arrays()
        for i, operation in enumerate(self.operations):
            calls += operation.name == "func.call"
            arrays = live[i]
            if calls >= _FEW and arrays is not None:
                ends.append((arrays, i + 1))
            if calls == _MOST and ends:
                _, end = min(ends)
                yield start, end
                calls = sum(each.name == "func.call" for each in self.operations[end : i + 1])
                start, ends = end, []

    def _live_arrays(self) -> list[int | None]:
        """How many arrays are live after each operation; None where one of them is a view."""
        found: list[int | None] = []
        alive: set[Any] = set()
        views: set[Any] = set()
        for i, operation in enumerate(self.operations):
            made = filter(is_array, operation.results)
            (views if operation.name in VIEWS else alive).update(made)
            for values in (alive, views):
                values -= {value for value in values if self.last_use.get(value, i) <= i}
            found.append(None if views else len(alive))
        return found

    def taken(self, start: int, end: int) -> list[Any]:
        """What the operations from one to another take from those before them, but for constants."""
        made = {value for each in self.operations[start:end] for value in each.results}
        used = dict.fromkeys(value for values in self.used[start:end] for value in values)
        return [value for value in used if value not in made and value not in self.constants]

    def given(self, start: int, end: int) -> list[Any]:
        """What they give to those after them."""
        made = (value for each in self.operations[start:end] for value in each.results)
        return [value for value in made if self.last_use.get(value, -1) >= end]


def _split(module: Any, block: _Block) -> None:
    for start, end in reversed([*block.parts()]):
        operations = block.operations[start:end]
        taken, given = block.taken(start, end), block.given(start, end)
        function = _function(operations, taken, given)
        add_function(module, function, ("agir.part",))
        with bindings.ir.InsertionPoint(operations[0]), operations[0].location:
            made = call(function, taken).results
        for old, new in zip(given, made, strict=True):
            old.replace_all_uses_with(new)
        for each in reversed(operations):
            each.erase()


def _function(operations: Sequence[Any], taken: Sequence[Any], given: Sequence[Any]) -> Any:
    def fill(block: Any) -> list[Any]:
        known = dict(zip(taken, block.arguments, strict=True))
        for each in operations:
            copy_into(block, each, known)
        return [known[value] for value in given]

    types = [value.type for value in taken]
    return private_function(types, fill, operations[0].location, PART)


def _is_made_anew(operation: Any) -> bool:
    """Whether each part can make it for itself."""
    return operation.name in MADE_ANEW and not len(operation.operands)


def _used(operation: Any) -> list[Any]:
    """What an operation takes from around it."""
    nested = with_regions(operation)
    own = {value for each in nested for value in defined(each)}
    return [value for each in nested for value in each.operands if value not in own]
