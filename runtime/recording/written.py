"""Arrays that a compiled function writes into: not read-only, and each element memory of its own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from agir.errors import OverlappingArgumentsError
from agir.ir.state.outside import Outside
from agir.ir.tracing.outdated import ReadOnlyError
from agir.runtime.blame import at_caller
from agir.runtime.recording.recorded import Recorded
from agir.runtime.state.captures import Captured, array_of


class WrittenArrays:
    """Those of one function, by their positions among its arguments and what it has captured."""

    def __init__(self, recorded: Recorded, positions: Sequence[int], name: str) -> None:
        self.positions = positions
        self._recorded = recorded
        self._name = name

    def check(self, arguments: Sequence[Any]) -> None:
        """Refuse to write into an array that is read-only, or whose memory another argument shares."""
        arrays = arguments
        if captures := self._recorded.captures:
            captured = (None if isinstance(c, Captured) else array_of(c) for c in captures)
            arrays = [*arguments, *captured]
        unused = self._recorded.unused
        for position in self.positions:
            written = arrays[position]
            if not written.flags.writeable:
                raise ReadOnlyError(
                    at_caller(
                        f"{self._name} writes into {self._name_of(position)!r}, which is read-only: "
                        "the assignment destination has to be writeable; pass a copy"
                    )
                )
            if _overlaps_itself(written):
                raise OverlappingArgumentsError(
                    at_caller(
                        f"{self._name} writes into {self._name_of(position)!r}, elements of which "
                        "share memory with each other: pass a copy"
                    )
                )
            for other, array in enumerate(arrays):
                if other != position and other not in unused and _overlap(written, array):
                    one, second = self._name_of(position), self._name_of(other)
                    raise OverlappingArgumentsError(
                        at_caller(
                            f"{self._name} writes into {one!r}, which shares memory with "
                            f"{second!r}: pass a copy of one of them"
                        )
                    )

    def _name_of(self, position: int) -> str:
        """What an array among the arguments of the compiled function is called in a message."""
        leaves = self._recorded.leaves
        if position < len(leaves):
            return leaves[position].name or f"argument {position}"
        owner = self._recorded.captures[position - len(leaves)]
        return owner.name if isinstance(owner, Outside) else "a captured array"


def _overlap(left: Any, right: Any) -> bool:
    return (
        isinstance(right, np.ndarray)
        and np.may_share_memory(left, right)
        and np.shares_memory(left, right)
    )


def _overlaps_itself(array: Any) -> bool:
    """Whether elements may lie in each other's memory, as only `as_strided` has it."""
    if array.flags.forc or not array.size:
        return False
    end = array.itemsize
    for stride, size in sorted(zip(map(abs, array.strides), array.shape, strict=True)):
        if size > 1:
            if stride < end:
                return True
            end += stride * (size - 1)
    return False
