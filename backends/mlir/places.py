"""The lines of the user's program that an operation comes from."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from agir.ir.building import bindings
from agir.records import dataclass

_FILE = re.compile(r'"((?:[^"\\]|\\.)*)":(\d+):(\d+)')
_OWN = {"-", ""}
"""What MLIR calls text that has no file name: agir's own."""


@dataclass(frozen=True, order=True)
class SourceLocation:
    """A position in a file."""

    file: str
    line: int
    column: int


def places(location: Any) -> list[SourceLocation]:
    """The positions in the user's files in a location, outer calls last."""
    return [place for place in positions(location) if place.file not in _OWN]


def positions(location: Any) -> list[SourceLocation]:
    """All positions in a location, in text without a file too."""
    return [
        SourceLocation(file, int(line), int(at)) for file, line, at in _FILE.findall(str(location))
    ]


def of_all(operations: Iterable[Any]) -> tuple[SourceLocation, ...]:
    """The positions of several operations, each once, in the order of the program."""
    return tuple(sorted({place for each in operations for place in places(each.location)}))


def numbered(label: str, number: int) -> Any:
    """A location that holds a number.  LLVM takes line 0 for none."""
    return bindings.ir.Location.file(label, number + 1, 1)


def number_in(location: Any, label: str) -> int | None:
    """The number that `numbered` put into a location."""
    for file, line, _ in _FILE.findall(str(location)):
        if file == label:
            return int(line) - 1
    return None
