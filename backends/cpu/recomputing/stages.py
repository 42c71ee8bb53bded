"""Elementwise operations whose results are read by slices: what reads them, and where."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import field
from functools import cached_property
from typing import Any

from agir.backends.cpu.dependence.linear import ZERO
from agir.backends.cpu.passes.analysis.generic_operations import reduced_axes
from agir.backends.cpu.recomputing.positions import (
    Index,
    Position,
    composed,
    read_through,
    whole,
)
from agir.backends.mlir.graph import Graph
from agir.backends.mlir.modules import walk
from agir.ir.building import bindings
from agir.records import dataclass

SLICE = "tensor.extract_slice"
_ON_ELEMENTS = ("arith.", "math.", "complex.")


@dataclass(frozen=True)
class Reading:
    """One input of an operation: the array, and where the operation's loops read it.

    The position is None where that is not known; of a number the array is the number itself.
    """

    operand: int
    base: Any
    position: Position | None


@dataclass(eq=False)
class Stage:
    """An operation on elements, and what it reads."""

    operation: Any
    readings: list[Reading]
    readers: list[tuple[Stage, Reading]] = field(default_factory=list)
    """Who reads the result, in the same block."""
    is_only_read: bool = True
    """Whether the readers are all that use the result."""

    @cached_property
    def is_computable(self) -> bool:
        """Whether an element of the result can be computed by itself."""
        return _is_computable(self.operation, self.readings)

    @property
    def loops(self) -> int:
        """The number of its loops."""
        return int(self.operation.attributes["indexing_maps"][0].value.n_dims)


def stages(graph: Graph) -> list[Stage]:
    """The operations of a module, each with its readers; none where no result is read by slices."""
    if not any(graph.producer(each.operands[0], "linalg.generic") for each in graph.find(SLICE)):
        return []
    found = {
        operation.results[0]: _stage(operation, graph)
        for operation in graph.find("linalg.generic")
        if len(operation.results)
    }
    for stage in found.values():
        for reading in stage.readings:
            source = found.get(reading.base)
            if source is not None and source.operation.block == stage.operation.block:
                source.readers.append((stage, reading))
    for stage in found.values():
        expected = len({(id(reader), reading.operand) for reader, reading in stage.readers})
        stage.is_only_read = expected == _uses(stage.operation.results[0], graph)
    return list(found.values())


def _uses(value: Any, graph: Graph) -> int:
    """How often a value and slices of it are used."""
    return sum(
        _uses(user.results[0], graph) if user.name == SLICE else 1 for user, _ in graph.uses(value)
    )


def _stage(operation: Any, graph: Graph) -> Stage:
    maps = [attribute.value for attribute in operation.attributes["indexing_maps"]]
    inputs = len(operation.operands) - len(operation.results)
    readings = [
        _reading(number, operation.operands[number], maps[number], graph)
        for number in range(inputs)
    ]
    return Stage(operation, readings)


def _reading(number: int, value: Any, affine: Any, graph: Graph) -> Reading:
    if not isinstance(value.type, bindings.ir.RankedTensorType):
        return Reading(number, value, ())
    loops = loops_of(affine)
    if loops is None:
        return Reading(number, value, None)
    base, position = read_through(value, graph)
    inner = tuple(Index(ZERO, 1, loop) for loop in loops)
    return Reading(number, base, composed(position, inner))


def loops_of(affine: Any) -> list[int] | None:
    """Which loop each dimension of an operand follows; None where one follows none or several."""
    texts = [str(result) for result in affine.results]
    if not all(text[0] == "d" and text[1:].isdigit() for text in texts):
        return None
    return [int(text[1:]) for text in texts]


def _is_computable(operation: Any, readings: list[Reading]) -> bool:
    result = operation.attributes["indexing_maps"][len(readings)].value
    block = operation.regions[0].blocks[0]
    return (
        len(operation.results) == 1
        and not reduced_axes(operation)
        and loops_of(result) == list(range(result.n_dims))
        and all(reading.position is not None for reading in readings)
        and not list(block.arguments[-1].uses)
        and all(_is_on_elements(inner) for inner in walk(operation)[1:])
    )


def _is_on_elements(operation: Any) -> bool:
    if operation.name in ("linalg.yield", "linalg.index"):
        return True
    return operation.name.startswith(_ON_ELEMENTS) and not len(operation.regions)


def visits_each_once(reading: Reading, loops: int) -> bool:
    """Whether no element is read in two iterations of the reader's loops."""
    if reading.position is None:
        return False
    return sorted(counters(reading.position)) == list(range(loops))


def counters(position: Position) -> list[int]:
    """The loops that a position follows."""
    return [index.counter for index in position if index.counter is not None]


def loops_of_operands(stage: Stage, without: Collection[Any]) -> set[int]:
    """The loops that the dimensions of operands follow, but for those that read such arrays."""
    maps = [attribute.value for attribute in stage.operation.attributes["indexing_maps"]]
    gone = {reading.operand for reading in stage.readings if reading.base in without}
    kept = [loops_of(each) or () for number, each in enumerate(maps) if number not in gone]
    return {loop for loops in kept for loop in loops}


def is_shifted(position: Position) -> bool:
    """Whether elements are read elsewhere than at their own place."""
    return position != whole(len(position))


def bases(stage: Stage) -> Iterator[Any]:
    """The arrays that a stage reads."""
    for reading in stage.readings:
        if reading.position != ():
            yield reading.base
