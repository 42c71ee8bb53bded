"""What an explanation is made of."""

from __future__ import annotations

from dataclasses import field
from typing import Literal

from agir.backends.mlir.places import SourceLocation
from agir.records import dataclass


@dataclass
class Loop:
    """An innermost loop of the machine code: its SIMD width, or why it has none."""

    width: int = 1
    unrolled: int = 1
    reason: str = ""
    """In LLVM's words; empty for a loop that is vectorised."""
    by: Literal["agir", "LLVM"] = "LLVM"

    def __str__(self) -> str:
        if self.width > 1:
            times = f" x {self.unrolled}" if self.unrolled > 1 else ""
            return f"{self.width} lanes{times}"
        return f"no: {self.reason}" if self.reason else "no"


@dataclass
class Row:
    """A kernel (an operation on arrays, or several that were fused), a loop of the user's, a copy.

    ``places`` are the user's lines that it comes from, ``flops`` and ``bytes`` estimates for one
    execution, None where they depend on the run; ``executions`` and ``seconds`` (the total) were
    measured, where arguments were given.
    """

    kind: Literal["kernel", "loop", "copy"]
    depth: int
    places: tuple[SourceLocation, ...]
    what: str
    size: str = ""
    flops: int | None = None
    bytes: int | None = None
    dtype: Literal["f32", "f64"] = "f64"
    """The type of the floating-point operations."""
    loops: list[Loop] = field(default_factory=list)
    threads: bool = False
    """Whether it runs on several threads, where it is worth that."""
    executions: int | None = None
    seconds: float | None = None
    roofline: float | None = None
    """The share that it reaches of what this machine could do with so many operations and bytes."""


@dataclass
class Buffer:
    """Memory that the program takes while it runs; ``size`` in bytes, None where it depends."""

    places: tuple[SourceLocation, ...]
    size: int | None
    type: str
    where: Literal["heap", "stack", "result"]
    in_loop: bool


@dataclass
class Check:
    """A check of the run time that could not be proven superfluous."""

    place: SourceLocation
    what: str = ""
    in_loop: bool = False


@dataclass
class Unfused:
    """A kernel that takes what another one gives, and why they are two."""

    giving: tuple[SourceLocation, ...]
    taking: tuple[SourceLocation, ...]
    reason: str


@dataclass
class Fallback:
    """Calls that plain Python has run: the line and the error that are the reason; the first types."""

    file: str
    line: int
    error: str
    reason: str
    arguments: str
    calls: int
