"""One iteration of shared loops, while they are written."""

from __future__ import annotations

from dataclasses import field
from typing import Any

from agir.backends.cpu.sweeps.buffers import LoopSize
from agir.backends.mlir.making import size_of
from agir.backends.mlir.modules import walk
from agir.records import dataclass


@dataclass
class Iteration:
    """One iteration of the shared loops: where each is, how many at once, what stands for what.

    The size of a loop of which one iteration is made at once is None.
    """

    offsets: dict[int, Any]
    sizes: dict[int, Any]
    values: dict[Any, Any] = field(default_factory=dict)

    def value(self, old: Any) -> Any:
        """What stands for a value."""
        return self.values.get(old, old)

    def at(self, number: int, offset: Any, size: Any) -> Iteration:
        """The same inside one more loop."""
        offsets, sizes = {**self.offsets, number: offset}, {**self.sizes, number: size}
        return Iteration(offsets, sizes, dict(self.values))

    def number(self, loop_size: LoopSize) -> Any:
        """A loop's size as a number or an SSA value."""
        if isinstance(loop_size, tuple):
            return size_of(self.value(loop_size[0]), loop_size[1])
        return loop_size if isinstance(loop_size, int) else self.value(loop_size)

    def replace_in(self, root: Any, *, inner_only: bool = False) -> None:
        """Put what stands for values in their place, in an operation and its regions."""
        for operation in walk(root):
            if operation != root or not inner_only:
                for position, value in enumerate(operation.operands):
                    if value in self.values:
                        operation.operands[position] = self.values[value]
