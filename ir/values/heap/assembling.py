"""Lists and objects that are known by their numbers, put together for the caller.

A call gives tables; of what it has left each list and each object is made once.
"""

from __future__ import annotations

import threading
from codecs import utf_32_le_decode
from collections import deque
from collections.abc import Callable, Collection, Iterable, Sequence
from itertools import accumulate
from types import FunctionType
from typing import Any, Protocol

import numpy as np

from agir.ir.values.abstract_values import Take, Wrap
from agir.ir.values.heap.kinds import PointsToClass


class Table(Protocol):
    """All lists, or all objects, of a kind."""

    def enter(self, number: int, made: Any) -> None:
        """The one of that number is this one of the caller's."""

    def object(self, number: int, wrap: Wrap) -> Any:
        """The one of that number; perhaps what is in it follows."""

    def contents(self, number: int, wrap: Wrap, only: Collection[str] | None = None) -> Any:
        """What is in it; of an object all attributes or only some, by their names."""


class _Assembling(threading.local):
    """What a call gives while that is put together."""

    def __init__(self) -> None:
        self.tables: dict[PointsToClass, Any] = {}
        self.known: dict[PointsToClass, dict[int, Any]] = {}
        """What is the caller's, by its number."""
        self.made: dict[PointsToClass, dict[int, Any]] = {}
        """What has been put together, likewise."""
        self.waiting: deque[Callable[[], None]] = deque()
        """Puts into objects what is in them: a chain of them may be longer than a stack."""
        self.depth = 0

    def clear(self) -> None:
        self.tables, self.known, self.made = {}, {}, {}
        self.waiting.clear()


_now = _Assembling()
_CODES = np.dtype("<u4")


class _Call:
    """What is put together meanwhile is of one call: a list that it has left is one object."""

    def __enter__(self) -> None:
        _now.depth += 1
        if _now.depth == 1:
            _now.clear()

    def __exit__(self, kind: type | None, *_: object) -> None:
        try:
            while kind is None and _now.depth == 1 and _now.waiting:
                _now.waiting.popleft()()
        finally:
            _now.depth -= 1
            if not _now.depth:
                _now.clear()


call = _Call()


def filled(keys: Iterable[Any]) -> None:
    """Put into objects what is in them, if a method of the user's is about to ask keys for it."""
    if any(type(type(each).__hash__) is FunctionType for each in keys):
        while _now.waiting:
            _now.waiting.popleft()()


def later(fill: Callable[[], None]) -> None:
    """Have something done before the call ends."""
    _now.waiting.append(fill)


def table(kind: PointsToClass) -> Table:
    """The table of a kind, which has been taken."""
    found: Table = _now.tables[kind]
    return found


def callers(kind: PointsToClass) -> dict[int, Any]:
    """What of a kind is the caller's, by its number."""
    return _now.known[kind]


def are_callers(kind: PointsToClass, first: int, rows: Sequence[Any]) -> None:
    """Have those of a kind, from a number on, be these of the caller's."""
    _now.known.setdefault(kind, {}).update(enumerate(rows, first))


def take_tables(kinds: Sequence[PointsToClass], take: Take) -> None:
    """Have the tables of these kinds, of which there is one for all that a call gives."""
    for kind in kinds:
        parts = [take() for _ in (*kind.noted, *kind.element.dtypes())]
        made = _now.made.setdefault(kind, dict(_now.known.get(kind, {})))
        # a later result may have brought lists into it that an earlier one knows nothing of
        _now.tables[kind] = TABLES[type(kind)](kind, parts, made)


class Lists:
    """The lists, or tuples, of one kind."""

    def __init__(self, kind: PointsToClass, parts: list[Any], made: dict[int, Any]) -> None:
        self._kind = kind
        self._element = kind.element
        self._starts, self._lengths, *self._parts = parts
        self._made = made

    def enter(self, number: int, made: list[Any]) -> None:
        """The list of that number is this one."""
        self._made[number] = made

    def object(self, number: int, wrap: Wrap) -> Any:
        """The list of that number, which may be in itself; or the tuple, which is filled first."""
        if number not in self._made and self._kind.made is list:
            self._made[number] = []
            self._made[number] += self.contents(number, wrap)
        elif number not in self._made:
            found = self._kind.made(self.contents(number, wrap))
            self._made.setdefault(number, found)
        return self._made[number]

    def contents(
        self, number: int, wrap: Wrap, only: Collection[str] | None = None
    ) -> Sequence[Any]:
        """What is in it."""
        first = int(self._starts[number])
        last = first + int(self._lengths[number])
        return self._element.assemble_all(self._parts, range(first, last), wrap)

    def texts(self, numbers: Any) -> list[str]:
        """The lists of these numbers, whose items are code points, as texts."""
        (codes,) = self._parts
        starts, lengths = self._starts[numbers].tolist(), self._lengths[numbers].tolist()
        if not lengths:
            return []
        found = [codes[at : at + n] for at, n in zip(starts, lengths, strict=True)]
        whole, _ = utf_32_le_decode(np.concatenate(found).astype(_CODES).data, "surrogatepass")
        ends = zip(lengths, accumulate(lengths), strict=True)
        return [whole[end - n : end] for n, end in ends]


TABLES: dict[type[PointsToClass], Callable[[Any, list[Any], dict[int, Any]], Table]] = {
    PointsToClass: Lists
}
"""By the class of kinds, their tables."""
