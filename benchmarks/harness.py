"""Measuring: one process, contenders interleaved round by round, medians, ratios within one run.

Absolute times move from hour to hour on a shared machine; only ratios between contenders that
were measured in the same rounds mean anything.
"""

from __future__ import annotations

import gc
import importlib
import math
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from typing import Any

FIRST_CALL = "import agir, numpy; agir.jit(lambda x: x + 1)(numpy.ones(3))"
"""A program that imports all that compiling needs."""

UNITS = (("s ", 1.0), ("ms", 1e3), ("us", 1e6), ("ns", 1e9))


CALLS_BY_MACHINE_CODE = 2200
"""After fewer calls of a process than these, machine code makes them."""


@dataclass
class Contender:
    """One way to compute the same thing.

    ``prepare`` makes, outside of the measured time, what one ``run`` is called with.  ``calls`` is
    how often ``run`` does the thing; ``share`` is the part of the work that it does, where the
    whole would take too long.  ``check`` is called with the first result.
    """

    name: str
    run: Callable[..., Any]
    prepare: Callable[[], Sequence[Any]] = tuple
    calls: int = 1
    share: float = 1.0
    check: Callable[[Any], None] | None = None


@dataclass
class Row:
    """What was measured of one contender, in seconds; ``ratio`` is to the reference's median."""

    benchmark: str
    contender: str
    median: float
    least: float
    first: float | None = None
    ratio: float | None = None
    aim: float | None = None
    note: str = ""


@contextmanager
def byte_code() -> Iterator[dict[str, str]]:
    """Byte code is where Python looks for it, as after installing; the environment to find it there.

    Where Python is told not to write any, a first call would compile agir's source instead.
    """
    with tempfile.TemporaryDirectory(prefix="agir-benchmarks-") as folder:
        environment = {**os.environ, "PYTHONPYCACHEPREFIX": folder, "AGIR_CACHE": "0"}
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        subprocess.run([sys.executable, "-c", FIRST_CALL], env=environment, check=True)
        before, sys.pycache_prefix = sys.pycache_prefix, folder
        try:
            yield environment
        finally:
            sys.pycache_prefix = before


def call_by_machine_code() -> None:
    """Call so often that machine code makes the calls, as in a process that has run for a while."""
    import agir as ag  # some benchmarks measure how long that takes

    function = ag.jit(_plus_one)
    for _ in range(CALLS_BY_MACHINE_CODE):
        function(1.0)


def _plus_one(x: Any) -> Any:
    return x + 1


def optional(name: str) -> Any | None:
    """A library, or None (and a message) where it is not installed."""
    try:
        return importlib.import_module(name)
    except ImportError:
        print(f"({name} is not installed: left out)", file=sys.stderr)
        return None


def clock(contender: Contender) -> tuple[float, Any]:
    """Seconds for the thing once, and the result."""
    arguments = contender.prepare()
    start = time.perf_counter()
    result = contender.run(*arguments)
    seconds = time.perf_counter() - start
    return seconds / contender.calls / contender.share, result


def measure(
    benchmark: str,
    contenders: Sequence[Contender],
    rounds: int,
    reference: str | None = None,
    aim: float | None = None,
) -> list[Row]:
    """Time all contenders, interleaved; ratios are to the reference, ``aim`` is the first one's."""
    first = {}
    for contender in contenders:
        first[contender.name], result = clock(contender)
        if contender.check is not None:
            contender.check(result)
    times: dict[str, list[float]] = {contender.name: [] for contender in contenders}
    gc.collect()
    for number in range(rounds):
        iteration = number % len(contenders)
        for contender in [*contenders[iteration:], *contenders[:iteration]]:
            times[contender.name].append(clock(contender)[0])
    base = statistics.median(times[reference]) if reference in times else None
    return [
        Row(
            benchmark,
            contender.name,
            statistics.median(times[contender.name]),
            min(times[contender.name]),
            first=first[contender.name] if contender.calls == 1 else None,
            ratio=base and statistics.median(times[contender.name]) / base,
            aim=aim if contender is contenders[0] else None,
            note="" if contender.share == 1 else f"measured on 1/{1 / contender.share:.0f}",
        )
        for contender in contenders
    ]


def seconds(value: float | None) -> str:
    """A time with a unit that suits it."""
    if value is None:
        return ""
    unit, factor = next((unit for unit in UNITS if value * unit[1] >= 1), UNITS[-1])
    digits = max(0, 2 - math.floor(math.log10(max(value * factor, 1))))
    return f"{value * factor:.{digits}f} {unit}"


def table(rows: Sequence[Row]) -> str:
    """The rows for reading, one block a benchmark."""
    lines = []
    last = ""
    for row in rows:
        if row.benchmark != last:
            last = row.benchmark
            heading = f"{'median':>10}{'least':>10}{'first':>10}{'ratio':>8}{'aim':>9}"
            lines += ["", f"{row.benchmark:38}{heading}"]
        ratio = "" if row.ratio is None else f"{row.ratio:.2f}"
        lines.append(
            f"  {row.contender:36}{seconds(row.median):>10}{seconds(row.least):>10}"
            f"{seconds(row.first):>10}{ratio:>8}{_aim(row):>9}  {row.note}".rstrip()
        )
    return "\n".join(lines).lstrip("\n")


def _aim(row: Row) -> str:
    """The aim is a ratio where the benchmark has a reference, and a time where it has none."""
    if row.aim is None:
        return ""
    return f"<= {seconds(row.aim)}" if row.ratio is None else f"<= {row.aim:g}"


def as_json(rows: Sequence[Row]) -> list[dict[str, Any]]:
    """The rows as data."""
    return [asdict(row) for row in rows]
