"""``python -m benchmarks``: run the benchmarks and print a table (see README.md)."""

from __future__ import annotations

import argparse
import importlib
import json
import sys

from agir.config import config

from . import harness, kernels, results
from .kernels import measuring

NAMES = (
    "collatz",
    "mandelbrot",
    "compile_time",
    "compile_scaling",
    "imports",
    "large_programs",
    "recording",
    "python_data",
    "calls",
    "ufuncs",
    "dataframes",
    "c_functions",
    "state",
    "sizes",
    "elementwise",
    "threads",
    "contractions",
    "gradients",
    "kernels",
)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument(
        "names", nargs="*", metavar="name", help=f"of {', '.join(NAMES)}, kernels.<kernel>"
    )
    parser.add_argument("--rounds", type=int, default=11, help="default: %(default)s, at least 9")
    parser.add_argument("--write", action="store_true", help="also into results.md, with a plot")
    parser.add_argument("--json", action="store_true", help="print JSON, times in seconds")
    options = parser.parse_args()
    known = {*NAMES, *(f"kernels.{name}" for name in kernels.NAMES)}
    unknown = sorted(set(options.names) - known)
    if unknown or options.rounds < 1:
        parser.error(
            f"no benchmark {', '.join(unknown)}" if unknown else "--rounds must be positive"
        )

    single = [n.partition(".")[2] for n in options.names if "." in n]
    if single and options.write:
        parser.error("--write takes whole benchmarks: the table and the plot have all kernels")
    config.cache = False  # first calls compile; `compile_time` has a line for those that do not
    with harness.byte_code():
        _run(options, single)


def _run(options: argparse.Namespace, single: list[str]) -> None:
    rows: list[harness.Row] = []
    texts: dict[str, str] = {}
    for name in dict.fromkeys(n.partition(".")[0] for n in options.names or NAMES):
        if name == "kernels":
            found = measuring.benchmark(options.rounds, single or kernels.NAMES)
            shown = measuring.table(found)
        else:
            module = importlib.import_module(f"benchmarks.{name}")
            found = module.benchmark(options.rounds)
            shown = getattr(module, "table", harness.table)(found)
        rows += found
        texts[name] = shown
        if not options.json:
            print(shown, flush=True)
            print()
    if options.write:
        results.write(rows, texts, " ".join(["python -m benchmarks", *sys.argv[1:]]))
    if options.json:
        json.dump(
            {"machine": results.machine(), "rows": harness.as_json(rows)}, sys.stdout, indent=1
        )
        print()


if __name__ == "__main__":
    main()
