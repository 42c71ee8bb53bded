"""``python -m benchmarks.memory``: does memory stay flat over calls, and over traces that are dropped?

Prints the resident memory at steps of a million calls of a small function, and of a thousand
functions that are made, traced, compiled, called and dropped.  Linux only.
"""

from __future__ import annotations

import argparse
import gc
import os
from collections.abc import Callable
from typing import Any

import numpy as np

import agir as ag

STEPS = 10


def resident() -> float:
    """The resident memory of this process in MB."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6


def measure(title: str, work: Callable[[int], Any], times: int) -> None:
    """Do the work so many times, and print what memory does meanwhile."""
    for number in range(max(times // 10, 1)):
        work(number)  # what is made once is no growth
    gc.collect()
    first = resident()
    print(f"{title}\n  {'after':>10}  {'resident':>11}  {'gained':>11}")
    print(f"  {0:>10,}  {first:>8.1f} MB")
    step = max(times // STEPS, 1)
    for done in range(step, times + 1, step):
        for number in range(done - step, done):
            work(number)
        gc.collect()
        print(f"  {done:>10,}  {resident():>8.1f} MB  {resident() - first:>+8.1f} MB", flush=True)


def calls(times: int) -> None:
    function = ag.jit(lambda x, y: x * 2 + y)
    decorated = ag.function(lambda x: x + 1)
    x, tensor = np.ones(8), ag.ones([8])

    def work(number: int) -> None:
        function(x, 1.5)
        decorated(tensor)

    measure("calls of two small functions", work, times)


def cycles(times: int) -> None:
    def work(number: int) -> None:
        factor = float(number)

        def small(x: Any) -> Any:
            total = 0.0
            for value in x:
                total += value * factor if value > 0 else 1.0
            return total

        ag.jit(small)(np.ones(8))

    measure("functions traced, compiled, called and dropped", work, times)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.memory", description=__doc__)
    parser.add_argument("--calls", type=int, default=1_000_000, help="default: %(default)s")
    parser.add_argument("--cycles", type=int, default=1_000, help="default: %(default)s")
    options = parser.parse_args()
    calls(options.calls)
    cycles(options.cycles)


if __name__ == "__main__":
    main()
