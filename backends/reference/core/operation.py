"""What the rules of the dialects work with: decoded operations and blocks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

from agir.errors import UndefinedBehaviour, UnsupportedOperation
from agir.records import dataclass

from . import attributes
from .bytes import Memory
from .types import ValueType

Frame = list[Any]
Step = Callable[[Frame], None]


class Callee(Protocol):
    """A function of the module, decoded when it is first called."""

    def run(self, arguments: Sequence[Any]) -> list[Any]:
        """Execute the body in a frame of its own."""


class Scope(Protocol):
    """What an operation may ask of the decoder that prepares it."""

    def block(self, raw: Any, space: tuple[int, ...]) -> Block:
        """Decode a block whose `linalg.index` operations read the slots of ``space``."""

    def slots(self, count: int) -> tuple[int, ...]:
        """Reserve ``count`` places in the frame."""

    def function(self, name: str) -> Callee:
        """The function that a call names."""

    def constant(self, name: str) -> Any:
        """The memref of a global of the module."""

    @property
    def memory(self) -> Memory:
        """The bytes of a module in the LLVM dialect."""

    def address(self, name: str) -> int:
        """The address of a function or global of the LLVM dialect."""

    def pointed(self, address: int) -> Callee:
        """The function at an address."""


@dataclass(frozen=True)
class Source:
    """Where a step comes from: an operation, its location and the slots it connects."""

    operation: str
    location: str
    inputs: tuple[int, ...]
    outputs: tuple[int, ...]


@dataclass
class Block:
    """A basic block as a list of steps over the slots of a frame."""

    arguments: tuple[int, ...]
    results: tuple[int, ...]
    steps: list[Step]
    sources: list[Source]
    space: tuple[int, ...]
    elementwise: bool

    def run(self, frame: Frame, arguments: Sequence[Any]) -> list[Any]:
        """Execute the steps and return the operands of the terminator."""
        for slot, value in zip(self.arguments, arguments, strict=True):
            frame[slot] = value
        try:
            for step in self.steps:
                step(frame)
        except (UndefinedBehaviour, UnsupportedOperation) as error:
            source = self.sources[self.steps.index(step)]
            error.locate(source.operation, source.location)
            raise
        return [frame[slot] for slot in self.results]


@dataclass(frozen=True)
class Operation:
    """One operation while it is being prepared."""

    name: str
    operands: tuple[ValueType, ...]
    results: tuple[ValueType, ...]
    raw: Any
    scope: Scope
    space: tuple[int, ...]

    def attribute(self, name: str, default: Any = None) -> Any:
        """The decoded attribute ``name``."""
        return attributes.read(self.raw, name, default)

    def function(self, name: str) -> Callee:
        """The function that a call names."""
        return self.scope.function(name)

    def region(self, index: int, rank: int | None = None) -> Block | None:
        """Decode a region, ``None`` where it is empty.

        A structured operation gives the ``rank`` of its iteration space.
        """
        blocks = list(self.raw.regions[index].blocks)
        if not blocks:
            return None
        if len(blocks) > 1:
            raise UnsupportedOperation("a region of several blocks is not supported")
        space = self.space if rank is None else self.scope.slots(rank)
        return self.scope.block(blocks[0], space)

    def body(self, index: int = 0, rank: int | None = None) -> Block:
        """Decode a region that must not be empty."""
        block = self.region(index, rank)
        if block is None:
            raise UnsupportedOperation("a region without a block is not supported")
        return block

    @property
    def segments(self) -> list[slice]:
        """Where each group of variadic operands lies."""
        sizes = self.attribute("operandSegmentSizes")
        starts = [sum(sizes[:position]) for position in range(len(sizes))]
        return [slice(start, start + size) for start, size in zip(starts, sizes, strict=True)]


Rule = Callable[[Operation], Callable[..., Any]]
"""Prepares an operation: the result maps operands to the result (a tuple unless there is one).

A rule in a `REGION_OPERATIONS` table prepares a function that takes the frame before the operands
and returns the sequence of results.
"""


def always(function: Callable[..., Any]) -> Rule:
    """The rule of an operation whose types and attributes do not matter."""
    return lambda operation: function
