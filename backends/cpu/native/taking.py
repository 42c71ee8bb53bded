"""Python's way to the machine code between objects and arrays of numbers (`columns`)."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np

from agir.backends.cpu.native import columns, objects
from agir.backends.cpu.native.machine import keep, of_the_process, packed
from agir.backends.cpu.native.tables import State

_TAKE = (
    State.TAKE_LIST,
    State.TAKE_ENTRIES,
    State.TAKE_TEXT,
    State.COUNT_ROWS,
    State.TAKE_ROWS,
    State.TAKE_COLUMN,
    State.ARE_APART,
    State.REFILL_LIST,
)
_WORD = ctypes.c_uint64
_CALLED = ctypes.PYFUNCTYPE(ctypes.c_int64, *[_WORD] * 5)
"""What is called with the lock held; an error that it has set is raised."""


class Taking:
    """The code in memory, where it stays until the process ends."""

    def __init__(self, loaded: tuple[int, Any]) -> None:
        """``loaded`` is the address of what begins, and what has the code in memory."""
        begin, code = loaded
        addresses = np.zeros(len(columns.FUNCTIONS), np.uint64)
        packed(begin, addresses)
        self.fields = dict(zip(_TAKE, map(int, addresses), strict=True))
        """The addresses, as fields of a state."""
        self._state = np.zeros(len(State), np.uint64)
        for name, value in of_the_process().items():
            self._state[name] = value
        state = int(self._state.__array_interface__["data"][0])
        from_address, data = _WORD.from_address, objects.DATA
        take, refill = (_CALLED(self.fields[f]) for f in (State.TAKE_LIST, State.REFILL_LIST))

        def numbers(values: list[Any], kind: type, array: Any) -> bool:
            target = from_address(id(array) + data).value
            return bool(take(state, id(values), len(array), id(kind), target))

        def refilled(values: list[Any], kind: type, array: Any) -> bool:
            source = from_address(id(array) + data).value
            return bool(refill(state, id(values), len(array), id(kind), source))

        self.refilled = refilled
        """Give a list the numbers of an array as long; whether it was one of numbers of one class."""
        self.numbers = numbers
        """Put the items of a list into an array as long; whether all are numbers of one class."""
        for each in (self._state, code):
            keep(each)
