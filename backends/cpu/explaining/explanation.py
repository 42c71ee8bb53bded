"""An explanation, and how it is written for people."""

from __future__ import annotations

import linecache
import math
import os
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, replace
from typing import Any

from agir.backends.cpu.explaining.places import SourceLocation
from agir.backends.cpu.explaining.report import Buffer, Check, Fallback, Loop, Row
from agir.records import dataclass

_TIMES = (("s", 1.0), ("ms", 1e3), ("us", 1e6), ("ns", 1e9))
_BYTES = (("GB", 1e9), ("MB", 1e6), ("kB", 1e3), ("B", 1.0))
_FLOPS = (("Gflop", 1e9), ("Mflop", 1e6), ("kflop", 1e3), ("flop", 1.0))
_WIDTH = 44
_HEADINGS = (
    *("line", "what", "size", "SIMD", "threads"),
    *("flops", "bytes", "times", "time", "of roofline"),
)


@dataclass
class Explanation:
    """What became of a function.  ``str()`` of it is for people, `as_json` for programs.

    ``rows`` are in the order of the program; ``checks`` may still be removed by LLVM.  Loops are
    those of the machine code.  ``note`` says why nothing was measured, where nothing was.
    ``fallbacks`` are the calls of the function, with whatever arguments, that plain Python has run.
    """

    name: str
    rows: list[Row]
    buffers: list[Buffer]
    checks: list[Check]
    seconds: float | None = None
    note: str = ""
    fallbacks: Sequence[Fallback] = ()
    is_recorded: bool = True
    """Whether there is a trace that it is about."""

    def as_json(self) -> dict[str, Any]:
        """The same as data that JSON can hold."""
        return asdict(self)

    def __str__(self) -> str:
        lines = [_title(self), "", *(self._of_the_trace() if self.is_recorded else ())]
        if self.fallbacks:
            lines += _section(
                "calls that plain Python has run", list(map(_fallback, self.fallbacks))
            )
        return "\n".join(lines).rstrip() + "\n"

    def _of_the_trace(self) -> list[str]:
        lines: list[str] = []
        if self.rows:
            lines += [*_table([_HEADINGS, *map(_cells, _shown(self.rows))]), ""]
            lines += _reasons(self.rows)
        else:
            lines += ["no loops, and no operations on arrays", ""]
        lines += _section("checks at run time", _grouped(_check(each) for each in self.checks))
        memory = sorted(self.buffers, key=lambda each: each.places)
        return lines + _section(
            "memory", _grouped(_buffer(each) for each in memory if each.size != 0)
        )


def _title(explanation: Explanation) -> str:
    files = sorted({place.file for row in explanation.rows for place in row.places})
    named = f" ({', '.join(map(os.path.basename, files))})" if files else ""
    if explanation.seconds is None:
        return f"{explanation.name}{named}: {explanation.note or 'not measured'}"
    return f"{explanation.name}{named}: {_scaled(explanation.seconds, _TIMES)} a call"


def _shown(rows: Sequence[Row]) -> Iterator[Row]:
    """The rows without what is in a loop of which another form has run."""
    ran = {(row.places, row.depth) for row in rows if row.kind == "loop" and row.executions}
    hidden: int | None = None
    for row in rows:
        if hidden is not None and row.depth > hidden:
            continue
        hidden = None
        if row.kind == "loop" and not row.executions and (row.places, row.depth) in ran:
            hidden = row.depth
            yield replace(row, what=f"{row.what} in another form, not run")
        else:
            yield row


def _cells(row: Row) -> tuple[str, ...]:
    return (
        _numbers(row.places),
        "  " * row.depth + _what(row),
        row.size,
        _simd(row.loops),
        "yes" if row.threads else "",
        _amount(row.flops, _FLOPS) if row.kind != "copy" else "",
        _amount(row.bytes, _BYTES) if row.kind != "loop" else "",
        "" if row.executions is None else f"{row.executions:,}",
        "" if row.seconds is None else _scaled(row.seconds, _TIMES),
        "" if row.roofline is None else f"{row.roofline:.0%}",
    )


def _what(row: Row) -> str:
    text = f"{row.kind} {row.what}" if row.kind == "loop" else row.what
    return text if len(text) <= _WIDTH else text[: _WIDTH - 3] + "..."


def _line(places: Sequence[SourceLocation]) -> str:
    return f"line {_numbers(places)}: " if places else ""


def _numbers(places: Sequence[SourceLocation]) -> str:
    """Lines: ``4, 7-9``."""
    lines = sorted({place.line for place in places})
    groups: list[list[int]] = []
    for line in lines:
        if groups and line == groups[-1][-1] + 1:
            groups[-1].append(line)
        else:
            groups.append([line])
    return ", ".join(f"{g[0]}-{g[-1]}" if len(g) > 1 else str(g[0]) for g in groups)


def _simd(loops: Sequence[Loop]) -> str:
    if not loops:
        return ""
    shown = dict.fromkeys(str(loop.width) if loop.width > 1 else "no" for loop in loops)
    return ", ".join(shown)


def _reasons(rows: Sequence[Row]) -> list[str]:
    """Why loops are not vectorised, once for each line and reason."""
    found = dict.fromkeys(
        f"  {_line(row.places)}{loop.reason}"
        for row in rows
        for loop in row.loops
        if loop.width == 1 and loop.reason
    )
    return _section("loops without SIMD, and why", list(found))


def _check(check: Check) -> str:
    source = linecache.getline(check.place.file, check.place.line).strip()
    what = f"{check.what}: " if check.what else ""
    inside = ", at each iteration of a loop" if check.in_loop else ""
    return f"  line {check.place.line}: {what}{source}{inside}"


def _fallback(fallback: Fallback) -> str:
    times = "1 call" if fallback.calls == 1 else f"{fallback.calls} calls"
    return (
        f"  line {fallback.line}: {times} for {fallback.arguments} and such: {fallback.error}: "
        f"{fallback.reason}"
    )


def _buffer(buffer: Buffer) -> str:
    size = "a size of the run time" if buffer.size is None else _scaled(buffer.size, _BYTES)
    where = {"heap": "on the heap", "stack": "on the stack", "result": "for a result"}
    inside = ", at each iteration of a loop" if buffer.in_loop else ""
    return f"  {_line(buffer.places)}{size} ({buffer.type}) {where[buffer.where]}{inside}"


def _grouped(lines: Iterable[str]) -> list[str]:
    """The lines, with how often they come where that is more than once."""
    return [line + (f", {n} times" if n > 1 else "") for line, n in Counter(lines).items()]


def _section(title: str, lines: list[str]) -> list[str]:
    return [title, *(lines or ["  none"]), ""]


def _table(rows: Sequence[Sequence[str]]) -> list[str]:
    used = [c for c in range(len(_HEADINGS)) if any(row[c] for row in rows[1:])]
    widths = [max(len(row[c]) for row in rows) for c in used]
    return [
        "  ".join(
            row[c].ljust(width) if c < 2 else row[c].rjust(width)
            for c, width in zip(used, widths, strict=True)
        ).rstrip()
        for row in rows
    ]


def _amount(value: int | None, units: Sequence[tuple[str, float]]) -> str:
    return "?" if value is None else _scaled(value, units) if value else ""


def _scaled(value: float, units: Sequence[tuple[str, float]]) -> str:
    """A number with three digits, in a unit that suits it."""
    if units is _TIMES:
        name, factor = next((u for u in units if value * u[1] >= 1), units[-1])
        value *= factor
    else:
        name, factor = next((u for u in units if value >= u[1]), units[-1])
        value /= factor
    digits = max(0, 2 - math.floor(math.log10(max(value, 1))))
    text = f"{value:.{digits}f}"
    return f"{text.rstrip('0').rstrip('.') if '.' in text else text} {name}"
