"""One turn of shared loops, while they are written."""

from __future__ import annotations

from dataclasses import field
from typing import Any

from agir.backends.cpu.sweeps.buffers import Extent
from agir.backends.mlir.making import extent_of
from agir.backends.mlir.modules import walk
from agir.records import dataclass


@dataclass
class Turn:
    """One turn of the shared loops: where each is, how many turns at once, and what stands for what.

    The size of a loop of which one turn is made at once is None.
    """

    offsets: dict[int, Any]
    sizes: dict[int, Any]
    values: dict[Any, Any] = field(default_factory=dict)

    def value(self, old: Any) -> Any:
        """What stands for a value."""
        return self.values.get(old, old)

    def at(self, number: int, offset: Any, size: Any) -> Turn:
        """The same inside one more loop."""
        offsets, sizes = {**self.offsets, number: offset}, {**self.sizes, number: size}
        return Turn(offsets, sizes, dict(self.values))

    def number(self, extent: Extent) -> Any:
        """An extent as a number or an SSA value."""
        if isinstance(extent, tuple):
            return extent_of(self.value(extent[0]), extent[1])
        return extent if isinstance(extent, int) else self.value(extent)

    def replace_in(self, root: Any, *, inner_only: bool = False) -> None:
        """Put what stands for values in their place, in an operation and its regions."""
        for operation in walk(root):
            if operation != root or not inner_only:
                for position, value in enumerate(operation.operands):
                    if value in self.values:
                        operation.operands[position] = self.values[value]
