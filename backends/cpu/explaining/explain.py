"""Putting an explanation together."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Sequence
from typing import Any

from agir.backends.cpu.engine import load
from agir.backends.cpu.explaining import machine, timing
from agir.backends.cpu.explaining.explanation import Explanation
from agir.backends.cpu.explaining.fusion import unfused
from agir.backends.cpu.explaining.loops import Numbered, threaded
from agir.backends.cpu.explaining.program import Origin, Reader, buffers, is_in_loop
from agir.backends.cpu.explaining.remarks import remarks
from agir.backends.cpu.explaining.report import Check, Row, Unfused
from agir.backends.cpu.passes.outlining.kernels import WHOLE
from agir.backends.entry import Entry
from agir.backends.mlir.lock import compiling
from agir.backends.mlir.modules import find, walk
from agir.backends.mlir.passes import run as run_passes
from agir.backends.mlir.places import SourceLocation, places
from agir.backends.stages import Compilation
from agir.errors import StageError
from agir.ir.building import bindings
from agir.ir.building.checks import CHECK

READ = "bufferized"
"""The stage that says what there is: kernels, loops, copies, buffers."""
_SHORTEST = 2e-7
"""Seconds below which the clock and the code around it take part."""
_GENERALIZE = "linalg-generalize-named-ops"
_INLINED_CHECK = re.compile(r'callsite\("-":\d+:\d+ at ')


def explain(
    compilation: Compilation, entry: Entry, arguments: Sequence[Any] | None = None, note: str = ""
) -> Explanation:
    """What became of a program; measured with the run-time values ``arguments``, if there are any.

    The arguments are copied for each run.  ``note`` says why there are none.
    """
    with compiling, bindings.context():
        origin = Origin.of(_first_stage(compilation))
        checks = _checks(compilation)
        memory = buffers(compilation.get(READ))
    reader = Reader(origin)
    apart: list[Unfused] = []

    def read(module: Any) -> None:
        generalize(module)
        apart.extend(unfused(module, origin))
        reader.read(module)

    numbered = whole(compilation).derived(READ, read)
    rows = reader.rows
    _add_loops(rows, numbered)
    passes = [each.described() for each in compilation.passes]
    found = rows, memory, checks
    explanation = Explanation(entry.name, *found, note=note, passes=passes, unfused=apart)
    if arguments is not None:
        _measure(explanation, compilation, numbered, entry, arguments)
    return explanation


def _first_stage(compilation: Compilation) -> Any:
    for stage in ("hlo", "optimized_hlo"):
        with contextlib.suppress(StageError):  # compiling began with a later one
            return compilation.get(stage)
    return compilation.get(READ)


def whole(compilation: Compilation) -> Compilation:
    """The same program with each operation in its own place, if it is not too late for that."""
    try:
        return compilation.derived("hlo", _keep_whole)
    except StageError:
        return compilation.derived(READ, _keep_whole)


def _keep_whole(module: Any) -> None:
    module.operation.attributes[WHOLE] = bindings.ir.UnitAttr.get()


def generalize(module: Any) -> None:
    """Write every operation on arrays as the general one."""
    run_passes(module, READ, [_GENERALIZE], None)


def _add_loops(rows: list[Row], numbered: Compilation) -> None:
    """Say of each row what became of its innermost loops."""
    loops = Numbered()
    lowered = numbered.derived("loops", loops.number)
    module = lowered.get("llvm")
    with compiling, bindings.context():
        for number in threaded(numbered.get("loops")):
            rows[number].threads = True
        found = remarks(module)
    for number, of_row in loops.by_row(found).items():
        rows[number].loops = of_row


def _checks(compilation: Compilation) -> list[Check]:
    """The checks that are left in the ``loops`` stage, each once."""
    recorded = {
        place
        for call in find(_first_stage(compilation), "func.call")
        if call.attributes["callee"].value == CHECK
        for place in places(call.location)
    }
    found: dict[SourceLocation, bool] = {}
    for operation in walk(compilation.get("loops")):
        text = str(operation.location)
        for inlined in _INLINED_CHECK.finditer(text):
            for place in places(text[inlined.end() :])[:1]:
                if place in recorded:
                    found[place] = found.get(place, False) or is_in_loop(operation)
    return [Check(place, in_loop=inside) for place, inside in sorted(found.items())]


def _measure(
    explanation: Explanation,
    compilation: Compilation,
    numbered: Compilation,
    entry: Entry,
    arguments: Sequence[Any],
) -> None:
    rows = explanation.rows
    plain = load(compilation, entry)
    explanation.seconds, _ = timing.measure(lambda: plain(timing.copies(arguments)))
    clocks = timing.Clocks(len(rows))
    watched = load(numbered.derived("loops", clocks.insert), entry)
    _, runs = timing.measure(lambda: watched(timing.copies(arguments)), clocks)
    cycle = timing.seconds_of_a_cycle()
    for row, count, cycles in zip(rows, clocks.counts, clocks.cycles, strict=True):
        if count:
            taken = max(0, int(cycles) - int(count) * timing.cycles_of_a_clock())
            row.executions = int(count) // runs
            row.seconds = taken * cycle / runs
            row.roofline = _roofline(row)


def _roofline(row: Row) -> float | None:
    """The share of what the machine could do; None where it is too short, or nothing is known."""
    if not row.seconds or not row.executions or row.bytes is None:
        return None
    once = row.seconds / row.executions
    if once < _SHORTEST:
        return None
    least = row.bytes / machine.bytes_per_second(row.bytes) if row.bytes else 0.0
    if row.flops:
        least = max(least, row.flops / machine.flops_per_second(row.dtype))
    return least / once
