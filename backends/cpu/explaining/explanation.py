"""An explanation, and how it is written for people."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace
from typing import Any

from agir.backends.cpu.explaining import listed
from agir.backends.cpu.explaining.listed import Remark
from agir.backends.cpu.explaining.report import Buffer, Check, Fallback, Loop, Row, Unfused
from agir.backends.cpu.explaining.words import BYTES, FLOPS, TIMES, amount, numbers, scaled
from agir.records import dataclass

_WIDTH = 44
_HEADINGS = (
    *("line", "what", "size", "SIMD", "threads"),
    *("flops", "bytes", "times", "time", "of roofline"),
)
_WORDS = 2
"""So many columns are words, the others numbers."""
_NONE = "no loops, and no operations on arrays"


@dataclass
class Explanation:
    """What became of a function.  ``str()`` of it is for people, `as_json` for programs.

    ``rows`` are in the order of the program; ``checks`` may still be removed by LLVM.  Loops are
    those of the machine code.  ``note`` says why nothing was measured, where nothing was.
    ``passes`` are those of plugins and of the function itself.  ``fallbacks`` are the calls of the
    function, with whatever arguments, that plain Python has run.
    """

    name: str
    rows: list[Row]
    buffers: list[Buffer]
    checks: list[Check]
    seconds: float | None = None
    note: str = ""
    fallbacks: Sequence[Fallback] = ()
    passes: Sequence[str] = ()
    """The passes that it went through and agir does not have."""
    unfused: Sequence[Unfused] = ()
    """The kernels that take what another one gives, and are not one with it."""
    is_recorded: bool = True
    """Whether there is a trace that it is about."""

    @property
    def title(self) -> str:
        """The function, and how long a call takes."""
        files = sorted({place.file for row in self.rows for place in row.places})
        named = f" ({', '.join(map(os.path.basename, files))})" if files else ""
        taken = f"{scaled(self.seconds, TIMES)} a call" if self.seconds is not None else ""
        return f"{self.name}{named}: {taken or self.note or 'not measured'}"

    def table(self) -> tuple[tuple[str, ...], list[tuple[tuple[str, ...], Row]]]:
        """The headings of the columns that are not empty; for each row its cells, and the row."""
        rows = [(_cells(row), row) for row in _shown(self.rows)]
        used = [c for c in range(len(_HEADINGS)) if any(cells[c] for cells, _ in rows)]
        chosen = [(tuple(cells[c] for c in used), row) for cells, row in rows]
        return tuple(_HEADINGS[c] for c in used), chosen

    def sections(self) -> list[tuple[str, list[Remark]]]:
        """What is listed below the table, under titles."""
        found = []
        if self.is_recorded:
            if self.rows:
                found.append(("loops without SIMD, and why", listed.reasons(self.rows)))
            if self.unfused:
                found.append(("kernels that are not fused, and why", listed.apart(self.unfused)))
            found.append(("checks at run time", listed.checks(self.checks)))
            if self.passes:
                found.append(
                    ("passes of plugins", [listed.Remark((), each) for each in self.passes])
                )
            found.append(("memory", listed.memory(self.buffers)))
        if self.fallbacks:
            others = [listed.fallback(each) for each in self.fallbacks]
            found.append(("calls that plain Python has run", others))
        return found

    def as_json(self) -> dict[str, Any]:
        """The same as data that JSON can hold."""
        return asdict(self)

    def __repr__(self) -> str:
        return str(self)

    def __str__(self) -> str:
        lines = [self.title, ""]
        if self.is_recorded:
            lines += [*(_table(*self.table()) if self.rows else [_NONE]), ""]
        for title, remarks in self.sections():
            lines += [title, *(f"  {each}" for each in remarks or [listed.NONE]), ""]
        return "\n".join(lines).rstrip() + "\n"

    def _repr_html_(self) -> str:
        """What a notebook shows of it."""
        from agir.backends.cpu.explaining import notebook

        return notebook.html(self.title, *self.table(), self.sections())


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
        numbers(row.places),
        _what(row),
        row.size,
        _simd(row.loops),
        "yes" if row.threads else "",
        amount(row.flops, FLOPS) if row.kind != "copy" else "",
        amount(row.bytes, BYTES) if row.kind != "loop" else "",
        "" if row.executions is None else f"{row.executions:,}",
        "" if row.seconds is None else scaled(row.seconds, TIMES),
        "" if row.roofline is None else f"{row.roofline:.0%}",
    )


def _what(row: Row) -> str:
    text = f"{row.kind} {row.what}" if row.kind == "loop" else row.what
    return text if len(text) <= _WIDTH else text[: _WIDTH - 3] + "..."


def _simd(loops: Sequence[Loop]) -> str:
    if not loops:
        return ""
    shown = dict.fromkeys(str(loop.width) if loop.width > 1 else "no" for loop in loops)
    return ", ".join(shown)


def _table(headings: Sequence[str], rows: Sequence[tuple[Sequence[str], Row]]) -> list[str]:
    lines = [headings, *(_indented(cells, row) for cells, row in rows)]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return [
        "  ".join(
            text.ljust(width) if c < _WORDS else text.rjust(width)
            for c, (text, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in lines
    ]


def _indented(cells: Sequence[str], row: Row) -> list[str]:
    what = _HEADINGS.index("what")
    return [*cells[:what], "  " * row.depth + cells[what], *cells[what + 1 :]]
