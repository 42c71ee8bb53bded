"""A second process finds the machine code of the first one, and compiles nothing."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from agir.backends.cpu.code import loading

pytestmark = pytest.mark.skipif(bool(loading.unavailable()), reason="no code is loaded here")

COMPILED = 12
"""Nine programs, the sine of large arguments, the pool of large buffers, what loops ask for signals."""

PROGRAM = """
import json
import logging
import sys

import numpy as np

import agir as ag
from agir.ir.building import bindings

engines, stages = [], []
made = bindings.execution_engine.ExecutionEngine


class Counted(made):
    def __init__(self, *args, **kwargs):
        engines.append(1)
        super().__init__(*args, **kwargs)


class Stages(logging.Handler):
    def emit(self, record):
        stages.append(record.getMessage())


bindings.execution_engine.ExecutionEngine = Counted
log = logging.getLogger("agir.passes")
log.addHandler(Stages())
log.setLevel(logging.INFO)
shown = []


@ag.jit
def fibonacci(n):
    return n if n < 2 else fibonacci(n - 1) + fibonacci(n - 2)


@ag.jit
def mean_of_jumps(x, limit):
    total, count = 0.0, 0
    while x < limit:
        x = x * 1.5 + 1 if count % 3 == 0 else x + 0.25
        total, count = total + x, count + 1
    return total / count


@ag.jit
def printing(x):
    for i in range(3):
        print("item", i, x[i])
    return x.sum()


@ag.jit
def host(x):
    return np.sin(ag.numpy_function(lambda y: y * 2, [x], ag.float64))


@ag.jit
def element(x, i):
    x[i] = -1.0
    return x.max()


@ag.function
def step(v, x):
    v.assign_add(x)
    return v * 2


@ag.jit
def doubled(x):
    return x * 2


def raised(call):
    try:
        return call()
    except Exception as error:
        return f"{type(error).__name__}: {error}"


x = np.arange(4.0)
large = np.arange(200.0 * 100).reshape(200, 100)
variable = ag.Variable(np.ones(3))
results = {
    "fibonacci": int(fibonacci(15)),
    "mean": float(mean_of_jumps(1.0, 1e6)),
    "printed": float(printing(x)),
    "host": host(x).tolist(),
    "element": float(element(x, 2)),
    "changed": x.tolist(),
    "outside": raised(lambda: element(x, 9)),
    "endless": raised(lambda: fibonacci(10**6)).partition("\\n")[0],
    "step": step(variable, np.ones(3)).numpy().tolist(),
    "strided": float(doubled(large[::2, ::2]).sum()),
    "whole": float(doubled(large).sum()),
}
info = ag.cache.info()
report = [len(engines), len(stages), info.hits, info.misses, results]
print("REPORT" + json.dumps(report))
"""


def start(folder: Path, **env: str) -> subprocess.Popen[str]:
    program = folder / "program.py"
    program.write_text(PROGRAM)
    return subprocess.Popen(
        [sys.executable, str(program)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | {"AGIR_CACHE_DIR": str(folder / "code")} | env,
    )


def outcome(process: subprocess.Popen[str]) -> tuple[str, int, int, int, int, dict[str, Any]]:
    out, errors = process.communicate(timeout=300)
    assert (process.returncode, errors) == (0, "")
    printed, _, report = out.partition("REPORT")
    engines, stages, hits, misses, results = json.loads(report)
    return printed, engines, stages, hits, misses, results


@pytest.fixture(scope="module")
def cold(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[Any]]:
    """Two processes that fill one cache at the same time, and what they have said."""
    folder = tmp_path_factory.mktemp("warm")
    racing = [start(folder), start(folder)]
    return folder, [outcome(process) for process in racing]


def test_processes_that_race_are_both_right(cold: tuple[Path, list[Any]]) -> None:
    folder, (one, two) = cold
    assert one[0] == two[0] == "item 0 0.0\nitem 1 1.0\nitem 2 2.0\n"
    assert one[-1] == two[-1]
    assert one[-1]["fibonacci"] == 610
    assert one[-1]["changed"] == [0, 1, -1, 3]
    assert one[-1]["outside"].startswith("RuntimeIndexError")
    assert one[-1]["endless"].startswith("RuntimeRecursionError")
    assert one[-1]["strided"] == 2.0 * sum(
        i * 100 + j for i in range(0, 200, 2) for j in range(0, 100, 2)
    )
    for _, engines, _, hits, misses, _ in (one, two):
        assert engines == misses
        assert hits + misses == COMPILED
    written = list((folder / "code").iterdir())
    assert len(written) == COMPILED  # nothing unfinished among them


def test_a_warm_start_compiles_nothing(cold: tuple[Path, list[Any]]) -> None:
    folder, (one, _) = cold
    printed, engines, stages, hits, misses, results = outcome(start(folder))
    assert (engines, stages, hits, misses) == (0, 0, COMPILED, 0)
    assert (printed, results) == (one[0], one[-1])


def test_without_the_cache_all_is_compiled(cold: tuple[Path, list[Any]]) -> None:
    folder, (one, _) = cold
    printed, engines, _, hits, misses, results = outcome(start(folder, AGIR_CACHE="0"))
    assert (engines, hits, misses) == (COMPILED, 0, 0)
    assert (printed, results) == (one[0], one[-1])
