"""What an explanation lists below its table: loops without SIMD, checks, memory, other calls."""

from __future__ import annotations

import linecache
from collections import Counter
from collections.abc import Iterable, Sequence

from agir.backends.cpu.explaining.report import Buffer, Check, Fallback, Row, Unfused
from agir.backends.cpu.explaining.words import BYTES, numbers, scaled
from agir.backends.mlir.places import SourceLocation
from agir.records import dataclass


@dataclass(frozen=True)
class Remark:
    """Something to say of lines of the program."""

    places: tuple[SourceLocation, ...]
    text: str

    def __str__(self) -> str:
        return f"line {numbers(self.places)}: {self.text}" if self.places else self.text


NONE = Remark((), "none")


def reasons(rows: Sequence[Row]) -> list[Remark]:
    """Why loops are not vectorised, once for each line and reason."""
    found = {
        (numbers(row.places), loop.reason): Remark(row.places, loop.reason)
        for row in reversed(rows)
        for loop in reversed(row.loops)
        if loop.width == 1 and loop.reason
    }
    return [*reversed(found.values())]


def apart(pairs: Sequence[Unfused]) -> list[Remark]:
    """Why kernels are not fused."""
    return _grouped(_pair(each) for each in pairs)


def checks(each: Sequence[Check]) -> list[Remark]:
    """The checks that are left."""
    return _grouped(map(_check, each))


def memory(buffers: Sequence[Buffer]) -> list[Remark]:
    """The memory that is taken."""
    ordered = sorted(buffers, key=lambda each: each.places)
    return _grouped(_buffer(each) for each in ordered if each.size != 0)


def fallback(each: Fallback) -> Remark:
    """Calls that plain Python has run."""
    times = "1 call" if each.calls == 1 else f"{each.calls} calls"
    text = f"{times} for {each.arguments} and such: {each.error}: {each.reason}"
    return Remark((SourceLocation(each.file, each.line, 1),), text)


def _pair(pair: Unfused) -> Remark:
    with_what = f"with line {numbers(pair.giving)}, whose result it takes"
    return Remark(pair.taking, f"{with_what}: {pair.reason}")


def _check(check: Check) -> Remark:
    source = linecache.getline(check.place.file, check.place.line).strip()
    what = f"{check.what}: " if check.what else ""
    inside = ", at each iteration of a loop" if check.in_loop else ""
    return Remark((check.place,), f"{what}{source}{inside}")


def _buffer(buffer: Buffer) -> Remark:
    size = "a size of the run time" if buffer.size is None else scaled(buffer.size, BYTES)
    where = {"heap": "on the heap", "stack": "on the stack", "result": "for a result"}
    inside = ", at each iteration of a loop" if buffer.in_loop else ""
    return Remark(buffer.places, f"{size} ({buffer.type}) {where[buffer.where]}{inside}")


def _grouped(found: Iterable[Remark]) -> list[Remark]:
    """The remarks, with how often they come where that is more than once."""
    remarks = [*found]
    counts = Counter(map(str, remarks))
    first = {str(each): each for each in reversed(remarks)}
    return [
        Remark(first[text].places, first[text].text + (f", {n} times" if n > 1 else ""))
        for text, n in counts.items()
    ]
