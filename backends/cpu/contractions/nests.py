"""A contraction as loops and strides: what of each operand each turn of each loop reads."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from agir.backends.cpu.contractions.code import Index


@dataclass(eq=False)
class Loop:
    """One loop of a nest, over ``range(extent)``."""

    extent: Index
    is_reduction: bool = False

    @property
    def known(self) -> int | None:
        """The extent, where it is known when compiling."""
        return self.extent if isinstance(self.extent, int) else None


@dataclass
class Access:
    """An operand, as one dimension: where an element is, by the turns of the loops."""

    base: Any
    offset: Index
    steps: dict[Loop, Index]
    buffer: Any

    def step(self, loop: Loop | None) -> Index:
        """How far apart the elements of two turns are; 0 where all turns use the same one."""
        return 0 if loop is None else self.steps.get(loop, 0)

    @property
    def element(self) -> Any:
        """The type of an element."""
        return self.buffer.type.element_type


@dataclass
class Nest:
    """Loops that combine products into an output, which begins with ``start`` or as it is."""

    operation: Any
    inputs: list[Access]
    used: list[bool]
    """For each operand of the operation, whether it is one of the inputs."""
    output: Access
    reductions: list[Loop]
    start: Any = None

    def arguments(self, loaded: Sequence[Any], total: Any) -> list[Any]:
        """What the body's arguments stand for: elements of the inputs, and the sum so far."""
        values = iter(loaded)
        return [next(values) if used else None for used in self.used[:-1]] + [total]


@dataclass
class Epilogue:
    """An elementwise operation on the results of nests: each input is a nest's or an access."""

    operation: Any
    inputs: list[Nest | Access]


@dataclass
class Kernel:
    """Nests over the same output elements, and what is made of their results."""

    parallel: list[Loop]
    nests: list[Nest]
    output: Access
    epilogue: Epilogue | None = None

    @property
    def summed(self) -> list[Access]:
        """The operands of the nests."""
        return [access for nest in self.nests for access in (*nest.inputs, nest.output)]
