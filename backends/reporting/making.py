"""Making a report: a program is compiled stage by stage, and each stage is read."""

from __future__ import annotations

import linecache
import time
from collections.abc import Callable, Iterable
from typing import Any

from agir.backends.cpu.debug_lines import add_lines
from agir.backends.cpu.explaining.explanation import Explanation
from agir.backends.mlir.lock import compiling
from agir.backends.mlir.passes import PassReport
from agir.backends.reporting import listings
from agir.backends.reporting.differences import difference
from agir.backends.reporting.model import Kernels, Part, Pass, Place, Report, Source, Stage
from agir.backends.stages import LOWEST, STAGES, Compilation, leads_to
from agir.backends.stages import Stage as Row
from agir.errors import UnsupportedOperation
from agir.ir.building import bindings

_NOT_READ = {".dot", ".mlirbc", ".py"}
_MACHINE_CODE = "object"
_READ_FROM = {"asm": _MACHINE_CODE}
_AROUND = 5
"""Lines of a file that are shown above and below those that something comes from."""


class Maker:
    """Makes the stages of a program one after the other, and gives what there is to say of them."""

    def __init__(self, compilation: Compilation, take: Callable[[Part], None], origin: str) -> None:
        self._take = take
        self._origin = origin
        self._compilation = Compilation.from_module(
            compilation.get(origin), origin, self._observe, compilation.passes
        )
        self._located: Compilation | None = None
        self._before = ""

    @property
    def stages(self) -> list[str]:
        """The stages that can be made of this program, but for other forms of the same."""
        rows = [row for row in STAGES.values() if row.extension not in _NOT_READ]
        made = [row.name for row in rows if leads_to(self._origin, row.name)]
        return sorted(made, key=_rank)

    def make(self, name: str) -> None:
        """Make a stage."""
        row = STAGES[name]
        if row.is_module and name != self._origin:
            self._before = str(self._compilation.text(row.source or name, elide=listings.LARGE))
        program = self._program(row)
        start = time.perf_counter()
        try:
            content = program.get(_READ_FROM.get(name, name))
        except UnsupportedOperation:
            return  # not every program has this stage
        taken = time.perf_counter() - start
        # a module has its passes; what is only for reading costs nobody anything
        seconds = None if row.is_module or not leads_to(name, _MACHINE_CODE) else taken
        with compiling, bindings.context():
            self._take(self._read(row, content, seconds))

    def _program(self, row: Row) -> Compilation:
        """What a stage is made of: with lines for LLVM, where it is past those of MLIR."""
        if row.is_module or not leads_to(LOWEST, row.name):
            return self._compilation
        if self._located is None:
            self._located = self._compilation.derived(LOWEST, add_lines)
        return self._located

    def _observe(self, report: PassReport) -> None:
        diff, left_out = "", 0
        if report.changed:
            after = str(report.text(elide=listings.LARGE))
            diff, left_out = difference(self._before, after)
            self._before = after
        made = (report.stage, report.name, report.seconds, *report.operations, report.changed)
        self._take(Pass(*made, diff, left_out))

    def _read(self, row: Row, content: Any, seconds: float | None) -> Stage:
        if row.is_module:
            return listings.of_module(row, content, seconds)
        if row.name == "llvm_ir":
            return listings.of_llvm_ir(row, self._compilation.get(row.name), content, seconds)
        if row.name == "asm":
            return listings.of_assembly(row, content, seconds)
        return listings.of_text(row, content if isinstance(content, str) else "", seconds)


def _rank(name: str) -> int:
    """Where a stage comes: modules, what is made of them for others, and machine code at the end."""
    if STAGES[name].is_module and leads_to(name, LOWEST):
        return 0
    return 1 if not leads_to(LOWEST, name) else 1 + _depth(name)


def _depth(name: str) -> int:
    source = STAGES[name].source
    return 0 if source is None else 1 + _depth(source)


def converted(text: str, file: str, lines: dict[int, list[int]]) -> Stage:
    """The converted source; `lines` are those of the file for each of its lines, from 1."""
    return listings.of_source(STAGES["autograph"], text, file, lines)


def kernels(explanation: Explanation) -> Kernels:
    """An explanation as the report shows it."""
    headings, rows = explanation.table()
    return Kernels(
        explanation.title,
        list(headings),
        [
            {
                "cells": list(cells),
                "places": _places(row.places),
                "depth": row.depth,
                "kind": row.kind,
                "seconds": row.seconds,
                "roofline": row.roofline,
            }
            for cells, row in rows
        ],
        [
            {
                "title": title,
                "remarks": [
                    {"text": each.text, "places": _places(each.places)} for each in remarks
                ],
            }
            for title, remarks in explanation.sections()
        ],
    )


def _places(places: Iterable[Any]) -> list[Place]:
    return [(each.file, each.line, each.column) for each in places]


def finish(report: Report, whole: dict[str, tuple[int, int]]) -> None:
    """Add the parts of the user's files that the report is about; `whole` are lines to be shown."""
    spans = dict(whole)
    for stage in report.stages:
        for file, line, _ in stage.places:
            first, last = spans.get(file, (line, line))
            spans[file] = (min(first, line - _AROUND), max(last, line + _AROUND))
    report.sources = [
        source for file, span in spans.items() if (source := _source(file, *span)) is not None
    ]


def _source(file: str, first: int, last: int) -> Source | None:
    lines = linecache.getlines(file)
    first = max(1, first)
    text = "".join(lines[first - 1 : last])
    return Source(file, first, text) if text else None
