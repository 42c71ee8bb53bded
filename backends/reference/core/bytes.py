"""The memory of programs in the LLVM dialect: bytes at addresses that are made up."""

from __future__ import annotations

from bisect import bisect_right, insort
from typing import Any

import numpy as np

from agir.errors import UndefinedBehaviour

_FIRST, _GAP, _ALIGNMENT = 1 << 32, 1 << 12, 64
_UNSET = 0xA5
"""What memory holds that nothing has been written into."""


class Memory:
    """All allocations of a module that is run."""

    def __init__(self) -> None:
        self._starts: list[int] = []
        self._blocks: dict[int, np.ndarray[Any, Any] | None] = {}
        self._next = _FIRST

    def allocate(self, size: int, align: int = _ALIGNMENT) -> int:
        """The address of so many new bytes; that of none, too, is one of its own."""
        return self.put(np.full(max(size, 0), _UNSET, np.uint8), align)

    def put(self, data: np.ndarray[Any, Any], align: int = _ALIGNMENT) -> int:
        """The address at which bytes are from now on."""
        align = max(align, _ALIGNMENT)
        start = -(-self._next // align) * align
        self._next = start + data.size + _GAP
        insort(self._starts, start)
        self._blocks[start] = data
        return start

    def free(self, address: int) -> None:
        """End an allocation, or nothing at address zero."""
        if not address:
            return
        if address not in self._blocks:
            raise UndefinedBehaviour(f"the address {address:#x} is freed, of no allocation")
        if self._blocks[address] is None:
            raise UndefinedBehaviour("memory is freed that has been freed before")
        self._blocks[address] = None

    def at(self, address: int, size: int) -> Any:
        """So many bytes at an address."""
        position = bisect_right(self._starts, address) - 1
        start = self._starts[position] if position >= 0 else 0
        data = self._blocks.get(start)
        if position >= 0 and data is None:
            raise UndefinedBehaviour("memory is used that has been freed")
        if data is None or address + size > start + data.size:
            raise UndefinedBehaviour(f"{size} bytes at {address:#x} are outside of all allocations")
        return data[address - start : address - start + size]
