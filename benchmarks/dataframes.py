"""pandas: a function of each row, and of each element, by the engines that it can be given."""

from __future__ import annotations

from typing import Any

import numpy as np

import agir as ag

from .harness import Contender, Row, measure, optional

ROWS = 100_000


def of_row(x: Any) -> Any:
    total = 0.0
    for i in range(len(x)):
        total = 0.5 * total + x[i]
    return total


def collatz(n: Any) -> Any:
    steps = 0
    while n != 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        steps += 1
    return steps


def benchmark(rounds: int) -> list[Row]:
    pandas = optional("pandas")
    if pandas is None:
        return []
    frame = pandas.DataFrame(np.random.default_rng(7).normal(size=(ROWS, 8)))
    engines: dict[str, Any] = {"agir": ag.jit, "pandas": None}
    if optional("numba") is not None:
        engines["Numba"] = "numba"
    expected = frame.apply(of_row, axis=1, raw=True)

    def rows(engine: Any) -> Any:
        return lambda: frame.apply(of_row, axis=1, raw=True, engine=engine)

    def check(found: Any) -> None:
        assert np.allclose(found, expected), "another result"

    contenders = [
        Contender(name, rows(engine or "python"), check=check) for name, engine in engines.items()
    ]
    title = f"df.apply(f, axis=1, raw=True) over {ROWS:,} rows"
    found = measure(title, contenders, rounds, reference="pandas")
    numbers = pandas.Series(np.arange(1, ROWS + 1))
    counts = numbers.map(collatz)

    def elements(engine: Any) -> Any:
        return lambda: numbers.map(collatz, engine=engine)

    def check_counts(found: Any) -> None:
        assert found.equals(counts), "another result"

    contenders = [
        Contender(name, elements(engines[name]), check=check_counts) for name in ("agir", "pandas")
    ]
    title = f"series.map(f) over {ROWS:,} ints"
    return found + measure(title, contenders, rounds, reference="pandas")
