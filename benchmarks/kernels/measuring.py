"""One interleaved run of a kernel: agir, and what of NumPy, Numba and JAX there is."""

from __future__ import annotations

import math
import statistics
import sys
from collections.abc import Callable, Sequence
from typing import Any

import agir as ag

from ..harness import Contender, Row, measure, optional, seconds
from . import NAMES, Kernel, check, fresh, with_numba

AGIR, NUMPY, NUMBA, LOOPS, JAX = "agir", "NumPy", "Numba", "Numba, loops", "JAX"
COLUMNS = (AGIR, NUMPY, NUMBA, LOOPS, JAX)
PEERS = COLUMNS[1:]


def run(name: str, rounds: int, size: str = "full") -> list[Row]:
    """Measure one kernel."""
    kernel = Kernel(name)
    arguments = kernel.inputs(size)
    expected = kernel.expected(size)
    latest: Sequence[Any] = ()

    def prepare() -> Sequence[Any]:
        nonlocal latest
        latest = fresh(arguments)
        return latest

    def agrees(returned: Any) -> None:
        check(kernel.results(returned, latest), expected, kernel.scale)

    contenders = [
        Contender(AGIR, ag.jit(kernel.function), prepare, check=agrees),
        Contender(NUMPY, kernel.function, prepare, check=agrees),
    ]
    if numba := optional("numba"):
        for title, function in ((NUMBA, kernel.function), (LOOPS, kernel.loops)):
            if function and _takes(numba, function, prepare(), f"{name}: {title}"):
                compiled = with_numba(numba, function)
                contenders.append(Contender(title, compiled, prepare, check=agrees))
    if jax := optional("jax"):
        contenders.append(_of_jax(jax, kernel, arguments, expected))
    return measure(f"kernels.{name}", contenders, rounds, reference=NUMPY)


def _takes(numba: Any, function: Any, arguments: Sequence[Any], title: str) -> bool:
    """Whether Numba compiles the function: tried on one of its own, so that first calls compile."""
    try:
        with_numba(numba, function).compile(tuple(map(numba.typeof, arguments)))
    except Exception as error:  # whatever another's compiler raises: it does not take the program
        reason = str(error).strip().splitlines() or [repr(error)]
        print(f"({title} refuses it, {type(error).__name__}: {reason[0]})", file=sys.stderr)
        return False
    return True


def _of_jax(jax: Any, kernel: Kernel, arguments: Sequence[Any], expected: Any) -> Contender:
    jax.config.update("jax_enable_x64", True)
    compiled = kernel.with_jax(jax)

    def prepare() -> Sequence[Any]:
        arrays = [jax.numpy.asarray(a) if hasattr(a, "shape") else a for a in fresh(arguments)]
        return [jax.block_until_ready(a) for a in arrays]

    def call(*values: Any) -> Any:
        return jax.block_until_ready(compiled(*values))

    def agrees(returned: Any) -> None:
        given = returned if isinstance(returned, tuple) else (returned,)
        check(given, expected, kernel.scale)

    return Contender(JAX, call, prepare, check=agrees)


def benchmark(rounds: int, names: Sequence[str] = NAMES) -> list[Row]:
    """Measure the kernels of these names, with the progress on stderr."""
    rows: list[Row] = []
    for name in names:
        print(f"({name})", file=sys.stderr, flush=True)
        found = run(name, rounds)
        rows += found
        print(
            "  " + ", ".join(f"{r.contender} {seconds(r.median)}" for r in found), file=sys.stderr
        )
    return rows


def table(rows: Sequence[Row]) -> str:
    """A line a kernel: the medians, and how much faster agir is than the best of the others."""
    by_kernel: dict[str, dict[str, Row]] = {}
    for row in rows:
        by_kernel.setdefault(row.benchmark, {})[row.contender] = row
    lines = ["".join([f"{'median':16}", *(f"{c:>14}" for c in COLUMNS), f"{'best / agir':>13}"])]
    for name, found in by_kernel.items():
        cells = [f"{_shown(found, c, lambda row: row.median):>14}" for c in COLUMNS]
        lines.append(f"{_short(name):16}{''.join(cells)}{_ratio(found):>12.2f}x")
    ratios = [_ratio(found) for found in by_kernel.values()]
    lines.append(f"{'geometric mean':86}{_mean(ratios):>12.2f}x")
    lines += ["", "".join([f"{'first call':16}", *(f"{c:>14}" for c in COLUMNS)])]
    for name, found in by_kernel.items():
        cells = [f"{_shown(found, c, lambda row: row.first):>14}" for c in COLUMNS]
        lines.append(f"{_short(name):16}{''.join(cells)}")
    return "\n".join(lines)


def _short(name: str) -> str:
    return name.rpartition(".")[2]


def _shown(found: dict[str, Row], column: str, value: Callable[[Row], float | None]) -> str:
    return seconds(value(found[column])) if column in found else "-"


def _ratio(found: dict[str, Row]) -> float:
    """The best peer's median over agir's: more than 1 where agir is the fastest."""
    peers = [row.median for name, row in found.items() if name in PEERS]
    return min(peers) / found[AGIR].median


def _mean(ratios: Sequence[float]) -> float:
    return statistics.geometric_mean(ratios) if ratios else math.nan
