"""What went wrong, and where in the user's program: ``file:line:col: error: …``."""

from __future__ import annotations

import dataclasses
import linecache
import os
import re
import traceback
from dataclasses import dataclass
from types import TracebackType
from typing import Any

import numpy as np

from agir import errors

_OWN = os.path.dirname(__file__) + os.sep  # also as a script, when the module is `__main__`
_LIBRARIES = (os.path.dirname(np.__file__) + os.sep, _OWN, "<")  # and what has no file
_STANDARD_LIBRARY = os.path.dirname(os.__file__) + os.sep
# the end of a message of agir's that names the user's line
_AT = re.compile(r"\n +at (?P<file>[^\n]+?):(?P<line>\d+)(?:(?:, in |: )[^\n]*)?\s*\Z")
_MLIR_PLACE = re.compile(r'"(?P<file>[^"\n]*)":(?P<line>\d+):(?P<column>\d+)')
# what agir's own messages say of a line in text that has no file name
_MLIR_LINE = re.compile(r"\bline (?P<line>\d+)")
_MLIR_LINES = re.compile(r" \(line \d+\)|\bline \d+: ")
_STANDARD_INPUT = "-"
_LONGEST_NOTE = 160


class UsageError(Exception):
    """The command line asks for something that it cannot have; exit status 2."""


@dataclass(frozen=True)
class SourceLocation:
    """A place in a file; line and column count from 1, and are 0 where they are unknown."""

    file: str
    line: int = 0
    column: int = 0

    def __str__(self) -> str:
        parts = [shown_path(self.file), *(str(n) for n in (self.line, self.column) if n)]
        return ":".join(parts)


@dataclass(frozen=True)
class Diagnostic:
    """One error and, where it is known, its place in the user's program."""

    message: str
    place: SourceLocation | None = None
    notes: tuple[str, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """The diagnostic as JSON has it."""
        place = dataclasses.asdict(self.place) if self.place else {}
        return {"message": self.message, **place, "notes": list(self.notes)}

    @classmethod
    def from_json(cls, record: dict[str, Any]) -> Diagnostic:
        """What `as_json` gave."""
        place = None
        if "file" in record:
            place = SourceLocation(record["file"], record["line"], record["column"])
        return cls(record["message"], place, tuple(record["notes"]))

    def source(self) -> list[str]:
        """The line of the program that this is about, and a caret below its column."""
        if self.place is None or not self.place.line:
            return []
        text = linecache.getline(self.place.file, self.place.line).rstrip()
        if not text.strip() or len(text) > 200:
            return []
        margin = "".join(c if c == "\t" else " " for c in text[: self.place.column - 1])
        caret = [f"  {margin}^"] if 0 < self.place.column <= len(text) + 1 else []
        return [f"  {text}", *caret]


def shown_path(file: str) -> str:
    """The path as a reader would write it: relative, where it lies below the working folder."""
    if file == _STANDARD_INPUT:
        return "<stdin>"
    below = os.path.relpath(file) if os.path.isabs(file) else file
    return file if below.startswith("..") else below


def diagnose(error: BaseException, name: str | None = None) -> Diagnostic:
    """The diagnostic for an exception; ``name`` is the file that MLIR text was read from."""
    if isinstance(error, SyntaxError) and error.filename:
        place = SourceLocation(error.filename, error.lineno or 0, error.offset or 0)
        return Diagnostic(f"{type(error).__name__}: {error.msg}", place)
    if reports := _mlir_reports(error):
        return _from_mlir(reports, name)
    message = errors.message(error)
    at = _AT.search(message)
    if at:
        message = message[: at.start()]
        place = _with_column(SourceLocation(at["file"], int(at["line"])), error.__traceback__)
    else:
        place = _user_place(error.__traceback__) or SourceLocation("")
    if name is not None and (line := _MLIR_LINE.search(message)):
        message = _MLIR_LINES.sub("", message)
        place = SourceLocation(name, int(line["line"]))
    return Diagnostic(_worded(error, message), place if place.file else None)


def _worded(error: BaseException, message: str) -> str:
    """The message, after the exception's name where the exception is Python's own."""
    kind = type(error)
    lines = " ".join(line.strip() for line in message.splitlines())
    if kind.__module__.startswith("agir.") and lines:
        return lines
    return f"{kind.__name__}: {lines}" if lines else kind.__name__


def _mlir_reports(error: BaseException) -> list[Any]:
    """The diagnostics of the MLIR exception that this one is, or that it was raised for."""
    inner: BaseException | None = error
    while inner is not None:
        if reports := getattr(inner, "error_diagnostics", None):
            return list(reports)
        inner = inner.__cause__ or inner.__context__
    return []


def _from_mlir(reports: list[Any], name: str | None) -> Diagnostic:
    first, *more = reports
    notes = [_note(each, name) for report in reports for each in report.notes]
    return Diagnostic(
        " ".join(first.message.split()),
        _mlir_place(first.location, name),
        tuple([_note(report, name) for report in more] + notes),
    )


def _note(report: Any, name: str | None) -> str:
    place = _mlir_place(report.location, name)
    text = " ".join(report.message.split())
    short = text if len(text) <= _LONGEST_NOTE else text[:_LONGEST_NOTE] + "…"
    return f"{place}: note: {short}" if place else f"note: {short}"


def _mlir_place(location: Any, name: str | None) -> SourceLocation | None:
    found = _MLIR_PLACE.search(str(location))
    if found is None:
        return None
    file = found["file"]
    own = file == _STANDARD_INPUT and name is not None
    return SourceLocation(name if own and name else file, int(found["line"]), int(found["column"]))


def user_places(start: TracebackType | None) -> list[SourceLocation]:
    """Where an exception passed through the user's code, outermost first."""
    summaries = traceback.extract_tb(start)
    names = [frame.f_globals.get("__name__") or "" for frame, _ in traceback.walk_tb(start)]
    return [
        SourceLocation(each.filename, each.lineno or 0, _column(each))
        for each, module in zip(summaries, names, strict=True)
        if _is_user(each.filename, module)
    ]


def _column(frame: traceback.FrameSummary) -> int:
    column = getattr(frame, "colno", None)  # from Python 3.11 on
    return 0 if column is None else int(column) + 1


def _user_place(start: TracebackType | None) -> SourceLocation | None:
    places = user_places(start)
    return places[-1] if places else None


def _with_column(place: SourceLocation, start: TracebackType | None) -> SourceLocation:
    """The place with its column, where the exception passed through that line."""
    for each in reversed(user_places(start)):
        if os.path.abspath(each.file) == os.path.abspath(place.file) and each.line == place.line:
            return each
    return place


def _is_user(filename: str, module: str) -> bool:
    if module == "agir" or module.startswith(("agir.", "importlib.")):
        return False
    if filename.startswith(_LIBRARIES):
        return False
    return not filename.startswith(_STANDARD_LIBRARY) or "-packages" in filename
