"""A contraction as loops and strides: what of each operand each iteration of each loop reads."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from agir.backends.cpu.contractions.code import Code, Index
from agir.records import dataclass

Spot = tuple[Any, list[Index]]  # a buffer and subscripts


@dataclass(eq=False)
class Loop:
    """One loop of a nest, over ``range(size)``."""

    size: Index
    is_reduction: bool = False

    @property
    def known(self) -> int | None:
        """The size, where it is known when compiling."""
        return self.size if isinstance(self.size, int) else None


@dataclass
class Access:
    """An operand, as one dimension: where an element is, by the iterations of the loops."""

    base: Any
    offset: Index
    steps: dict[Loop, Index]
    buffer: Any

    def step(self, loop: Loop | None) -> Index:
        """How far apart the elements of two iterations are; 0 where all iterations use the same one."""
        return 0 if loop is None else self.steps.get(loop, 0)

    def at(self, code: Code, place: dict[Loop, Index]) -> Index:
        """Where the element of these iterations is."""
        steps = (code.multiply(iteration, self.step(loop)) for loop, iteration in place.items())
        return code.add(self.offset, *steps)

    @property
    def is_contiguous(self) -> bool:
        """Whether elements of the last dimension are side by side."""
        strides, _ = self.buffer.type.get_strides_and_offset()
        return bool(strides) and strides[-1] == 1

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
    """In the order of the output's dimensions."""
    nests: list[Nest]
    output: Access
    epilogue: Epilogue | None = None

    @property
    def summed(self) -> list[Access]:
        """The operands of the nests."""
        return [access for nest in self.nests for access in (*nest.inputs, nest.output)]

    def result(self, code: Code, place: dict[Loop, Index], lanes: Loop | None) -> Spot:
        """Where the result goes that belongs to these iterations.

        By the buffer's own subscripts where they suffice, for they say that no two iterations write to
        the same place.
        """
        output = self.output
        if lanes is None or (lanes is self.parallel[-1] and output.is_contiguous):
            return output.buffer, [place[loop] for loop in self.parallel]
        return output.base, [output.at(code, place)]
