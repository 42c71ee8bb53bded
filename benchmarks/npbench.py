"""The NumPy kernels of NPBench, unchanged: whether they give the same decorated, and how fast.

    git clone https://github.com/spcl/npbench
    python -m benchmarks.npbench npbench                  # all of them, with the small inputs
    python -m benchmarks.npbench npbench --preset M adi   # some, with others

Each runs in a process of its own.  Results are compared as NPBench compares them: by the norm of the
difference over that of what NumPy gives.
"""

from __future__ import annotations

import argparse
import copy
import importlib
import json
import os
import subprocess
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

import agir as ag

TOLERANCE = 1e-5
SECONDS = 600
ROUNDS = 5


def _load(folder: Path, name: str, preset: str) -> tuple[Callable[..., Any], list[Any]]:
    """The function of NumPy and its arguments."""
    told = json.loads((folder / "bench_info" / f"{name}.json").read_text())["benchmark"]
    module = ".".join(
        ["npbench", "benchmarks", *told["relative_path"].split("/"), told["module_name"]]
    )
    data = dict(told["parameters"][preset])
    if begin := told.get("init"):
        make = getattr(importlib.import_module(module), begin["func_name"])
        made = make(*(data[each] for each in begin["input_args"]))
        names = begin["output_args"]
        data.update(zip(names, made if len(names) > 1 else (made,), strict=True))
    function = getattr(importlib.import_module(f"{module}_numpy"), told["func_name"])
    return function, [data[each] for each in told["input_args"]]


def _arrays(value: Any) -> Iterator[Any]:
    if isinstance(value, (tuple, list)):
        for each in value:
            yield from _arrays(each)
    elif value is not None:
        yield np.asarray(value)


def _timed(function: Callable[..., Any], given: list[Any]) -> tuple[float, list[Any]]:
    """(seconds, what it returns and what its arguments are then)."""
    own = copy.deepcopy(given)
    start = time.perf_counter()
    returned = function(*own)
    seconds = time.perf_counter() - start
    return seconds, [*_arrays(returned), *(each for each in own if isinstance(each, np.ndarray))]


def _error(wanted: Any, found: Any) -> float:
    if (wanted.dtype, wanted.shape) != (found.dtype, found.shape):
        return np.inf
    kind = np.result_type(wanted.dtype, np.float64)
    wanted, found = wanted.astype(kind), found.astype(kind)
    both = np.isnan(wanted) & np.isnan(found)
    apart = np.linalg.norm(np.where(both, 0, wanted - found))
    whole = np.linalg.norm(np.where(both, 0, wanted))
    return float(apart / whole if whole else apart)


def one(folder: Path, name: str, preset: str) -> str:
    """Run a kernel both ways; a line of the table."""
    sys.path.insert(0, str(folder))
    os.chdir(folder)
    warnings.simplefilter("ignore")  # of divisions by zero, which the kernels mask
    function, given = _load(folder, name, preset)
    decorated = ag.jit(function)
    first, found = _timed(decorated, given)
    plain, wanted = _timed(function, given)
    if len(wanted) != len(found):
        return f"{name:26} another number of results: {len(found)} for {len(wanted)}"
    error = max(map(_error, wanted, found), default=0.0)
    compiled = min(_timed(decorated, given)[0] for _ in range(ROUNDS))
    plain = min(plain, *(_timed(function, given)[0] for _ in range(2)))
    said = "agrees" if error <= TOLERANCE else f"DIFFERS by {error:.1e}"
    return (
        f"{name:26} {plain * 1e3:10.2f} ms {compiled * 1e3:10.2f} ms {first:8.2f} s"
        f" {plain / compiled:8.1f}  {said}"
    )


def main() -> int:
    """Print the table; 1 if a kernel fails or differs."""
    parser = argparse.ArgumentParser(prog="benchmarks.npbench", description=__doc__)
    parser.add_argument("checkout", type=Path, help="of github.com/spcl/npbench")
    parser.add_argument("names", nargs="*", help="of bench_info/*.json; all of them by default")
    parser.add_argument("--preset", default="S", choices=["S", "M", "L", "paper"])
    parser.add_argument("--one", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    folder = options.checkout.resolve()
    if options.one:
        print(one(folder, options.names[0], options.preset))
        return 0
    known = sorted(each.stem for each in folder.glob("bench_info/*.json"))
    if not known:
        parser.error(f"{folder} has no bench_info/*.json: give a checkout of NPBench")
    names = options.names or known
    if unknown := sorted(set(names) - set(known)):
        parser.error(f"there is no {', '.join(unknown)}, but {', '.join(known)}")
    print(f"{'':26} {'NumPy':>13} {'agir':>13} {'first call':>10} {'ratio':>8}")
    bad = 0
    for name in names:
        command = [sys.executable, "-m", "benchmarks.npbench", str(folder), name, "--one"]
        command += ["--preset", options.preset]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS)
            line = done.stdout.strip() or f"{name:26} fails: {done.stderr.strip()[-300:]}"
        except subprocess.TimeoutExpired:
            line = f"{name:26} takes longer than {SECONDS} s"
        bad += not line.endswith("agrees")
        print(line, flush=True)
    print(f"{len(names)} kernels, {bad} of them fail or differ")
    return int(bad > 0)


if __name__ == "__main__":
    sys.exit(main())
