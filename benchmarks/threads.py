"""What threads make of short loops: exp of so many numbers, called in a row and after pauses."""

from __future__ import annotations

import time
from typing import Any

import numpy as np

import agir as ag

from .harness import Contender, Row, call_by_machine_code, measure

SIZES = (3_000, 10_000, 30_000, 100_000, 300_000, 1_000_000)
PAUSE = 0.002
IN_A_ROW = 3_000_000
"""How many numbers the calls of a round have together."""
WARM_UP = 200


def formula(x: Any) -> Any:
    return np.exp(x)


def benchmark(rounds: int) -> list[Row]:
    rows: list[Row] = []
    call_by_machine_code()
    for size in SIZES:
        x = np.random.default_rng(0).uniform(0.1, 8.0, size).astype(np.float32)
        functions = {"one thread": ag.jit(formula), "agir": ag.jit(formula), "NumPy": formula}
        with ag.config.scope(num_threads=1):
            functions["one thread"](x)
        for function in functions.values():
            for _ in range(WARM_UP):  # the pool has its buffers
                function(x)
        for pause, calls in ((0.0, IN_A_ROW // size), (PAUSE, 1)):
            title = f"exp of {size:,} float32, " + ("after 2 ms" if pause else "in a row")
            contenders = [
                _contender(name, function, x, pause, calls) for name, function in functions.items()
            ]
            rows += measure(title, contenders, rounds, reference="one thread")
    return rows


def _contender(name: str, function: Any, x: Any, pause: float, calls: int) -> Contender:
    def prepare() -> tuple[()]:
        time.sleep(pause)
        return ()

    def run() -> Any:
        for _ in range(calls):
            result = function(x)
        return result

    def check(result: Any) -> None:
        np.testing.assert_allclose(result, np.exp(x), rtol=1e-6)

    return Contender(name, run, prepare=prepare, calls=calls, check=check)
