"""How the time to compile grows with the size of a program, for recording and for each pass.

Processor time, for other processes may run.  Of each kind of program the parts are shown that take the
most for the largest one, with the power of the size that they grow by from each size to the next.
"""

from __future__ import annotations

import importlib.util
import itertools
import math
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

import agir as ag
from agir.backends.cpu.engine import Executable
from agir.backends.mlir.passes import PassReport
from agir.backends.stages import Compilation

from .growing_programs import KINDS
from .harness import Row

SHOWN = 6
"""Parts of each kind."""
ALL, RECORDING, LLVM = "all of it", "recording", "LLVM"
_numbers = itertools.count()


def arguments() -> tuple[Any, ...]:
    """What the programs are called with."""
    return np.linspace(-1, 1, 5), np.arange(5.0) * 0.3, 5


def loaded(source: str, folder: Path) -> Callable[..., Any]:
    """The function of a program, from a file of its own."""
    path = folder / f"program_{next(_numbers)}.py"
    path.write_text(f"import numpy as np\n\n{source}", encoding="utf-8")
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.f  # type: ignore[no-any-return]


def parts(function: Callable[..., Any], *given: Any) -> dict[str, float]:
    """Seconds of the processor for each part of compiling a function."""
    found: defaultdict[str, float] = defaultdict(float)

    def noted(report: PassReport) -> None:
        found[f"{report.stage}: {report.name.partition('{')[0]}"] += report.seconds

    start = time.process_time()
    concrete = ag.jit(function).get_concrete_function(*given)
    found[RECORDING] = time.process_time() - start
    program = Compilation.from_module(concrete.compilation.get("hlo"), observer=noted)
    program.get("llvm")
    start = time.process_time()
    Executable(program, concrete.name)
    found[LLVM] = time.process_time() - start
    found[ALL] = sum(found.values())
    return dict(found)


def benchmark(_: int) -> list[Row]:
    """A row for each part of each program; one round, for these are no races."""
    rows = []
    with tempfile.TemporaryDirectory(prefix="agir-benchmarks-") as name:
        folder = Path(name)
        for kind, (make, sizes) in KINDS.items():
            for size in sizes:
                found = parts(loaded(make(size), folder), *arguments())
                rows += [Row(f"{kind}: {size}", part, s, s) for part, s in found.items()]
    return rows


def table(rows: Sequence[Row]) -> str:
    """For each kind of program the parts by the sizes, and the power that they grow by."""
    times = {(row.benchmark, row.contender): row.median for row in rows}
    lines = ["| | seconds, of sizes that double | grows by the power |", "|---|---|---|"]
    for kind, (_, sizes) in KINDS.items():
        programs = [f"{kind}: {size}" for size in sizes]
        largest = {part: s for (program, part), s in times.items() if program == programs[-1]}
        lines.append(f"| **{kind}** ({', '.join(map(str, sizes))}) | | |")
        for part in sorted(largest, key=lambda each: -largest[each])[:SHOWN]:
            seconds = [times.get((program, part), 0.0) for program in programs]
            shown = ", ".join(f"{s:.3f}" for s in seconds)
            powers = ", ".join(map(_power, seconds, seconds[1:]))
            lines.append(f"| {part} | {shown} | {powers} |")
    return "\n".join(lines)


def _power(less: float, more: float) -> str:
    return f"{math.log2(more / less):.1f}" if min(less, more) > 1e-3 else ""
