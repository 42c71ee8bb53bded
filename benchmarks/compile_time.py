"""From a new function to its first result: ten lines with a `while` and an `if`.

Each round compiles a function that was never seen before: its own source file, its own code
object, its own constants, so that no cache of converted or compiled code can help.
"""

from __future__ import annotations

import importlib.util
import itertools
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import agir as ag
from agir.backends.cpu.engine import Executable

from .harness import Contender, Row, measure, optional

SOURCE = """
def mean_of_jumps(x, limit):
    total = 0.0
    count = 0
    while x < limit:
        if count % 3 == 0:
            x = x * 1.5 + {number}.0
        else:
            x = x + 0.25
        total = total + x
        count = count + 1
    return total / count
"""

JAX_SOURCE = """
import jax

def mean_of_jumps(x, limit):
    def body(carry):
        x, total, count = carry
        x = jax.lax.cond(
            count % 3 == 0, lambda x: x * 1.5 + {number}.0, lambda x: x + 0.25, x
        )
        return x, total + x, count + 1

    _, total, count = jax.lax.while_loop(lambda c: c[0] < limit, body, (x, 0.0, 0))
    return total / count
"""

PASSES = ("optimized_hlo", "bufferized", "loops", "llvm")
ARGUMENTS = (1.0, 1.0e6)


def fresh_functions(folder: Path, source: str) -> Iterator[Callable[..., Any]]:
    """The function from a new module each time, with another constant each time."""
    for number in itertools.count(1):
        path = folder / f"fresh_{abs(hash(source)) % 10**6}_{number}.py"
        path.write_text(source.format(number=number), encoding="utf-8")
        spec = importlib.util.spec_from_file_location(path.stem, path)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        yield module.mean_of_jumps


def split(function: Callable[..., Any]) -> dict[str, float]:
    """Seconds for each part of the way from the function to its result."""
    parts: dict[str, float] = {}
    start = time.perf_counter()

    def done(part: str) -> None:
        nonlocal start
        now = time.perf_counter()
        parts[part] = now - start
        start = time.perf_counter()

    ag.autograph.convert(function)
    done("convert to functional Python")
    jitted = ag.jit(function)
    concrete = jitted.get_concrete_function(*ARGUMENTS)
    done("trace")
    for stage in PASSES:
        concrete.compilation.get(stage)
        done(f"passes to {stage}")
    Executable(concrete.compilation, concrete.name)
    done("LLVM: optimize, generate, link")
    return parts


def _from_disk(function: Callable[..., Any], folder: Path) -> None:
    """The first call in a process that finds the machine code of an earlier one."""
    with ag.config.scope(cache=True, cache_dir=folder):
        ag.jit(function)(*ARGUMENTS)


def benchmark(rounds: int) -> list[Row]:
    with tempfile.TemporaryDirectory(prefix="agir-benchmarks-") as name:
        folder = Path(name)
        plain = fresh_functions(folder, SOURCE)
        known = next(fresh_functions(folder, SOURCE.replace("{number}", "1{number}")))
        pieces: list[dict[str, float]] = []
        contenders = [
            Contender("agir", lambda f: ag.jit(f)(*ARGUMENTS), lambda: (next(plain),)),
            Contender(
                "agir, part by part", lambda f: pieces.append(split(f)), lambda: (next(plain),)
            ),
        ]
        contenders.append(
            Contender("agir, code on disk", lambda: _from_disk(known, folder / "code"))
        )
        if numba := optional("numba"):
            contenders.append(
                Contender("Numba", lambda f: numba.njit(f)(*ARGUMENTS), lambda: (next(plain),))
            )
        if jax := optional("jax"):
            jax.config.update("jax_enable_x64", True)
            written = fresh_functions(folder, JAX_SOURCE)
            contenders.append(
                Contender(
                    "JAX",
                    lambda f: jax.jit(f)(*ARGUMENTS).block_until_ready(),
                    lambda: (next(written),),
                )
            )
        title = "ten lines with while and if, to the result"
        rows = measure(title, contenders, rounds, aim=0.020)
    measured = pieces[1:]
    parts = [
        Row("the parts", part, *_median_and_least([times[part] for times in measured]))
        for part in measured[0]
    ]
    return [*rows, *parts]


def _median_and_least(values: list[float]) -> tuple[float, float]:
    return statistics.median(values), min(values)
