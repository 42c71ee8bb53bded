"""Random functions of NumPy statements: the decorated one does what the plain one does.

    python tests/ir/numpy_programs.py --seeds 10000 --jobs 2
    python tests/ir/numpy_programs.py --first 17 --seeds 1 --show
    python tests/ir/numpy_programs.py --first 60000 --seeds 10000 --seconds 600 --no-shrinking

Of an error the class of Python's has to be NumPy's, which also says which of two comes first.  Results,
memory and dtypes have to agree; numbers that are rounded, nearly.  What is not written, because NumPy
leaves its result open or because agir differs on purpose, is said where it would be written
(``numpy_statements``, ``numpy_functions``, ``Writer.block``), and docs/numpy.md lists it.

Prints every program that differs, shrunk, and at the end how many there were, how many agir refused to
record and why.  The programs run in processes of their own, so a crash is a result like any other.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from dataclasses import asdict
from typing import Any

import programs
from numpy_checks import MODES, check, shrunk
from numpy_writer import Writer

import agir as ag


class Chunk(programs.Chunk):
    """A process that runs some programs; restarted behind one that ends it."""

    def command(self) -> list[str]:
        """The command line of the process."""
        command = [sys.executable, __file__, "--worker", "--first", str(self.at)]
        command += ["--seeds", str(self.last - self.at), "--modes", ",".join(self.options.modes)]
        return command + ["--no-shrinking"] * self.options.no_shrinking


class Summary(programs.Summary):
    """Adds the reports up, and notes which program took longest."""

    slowest = (0.0, 0)

    def add(self, found: dict[str, Any]) -> None:
        """Take a report in."""
        super().add(found)
        self.slowest = max(self.slowest, (found.get("seconds", 0.0), found["seed"]))

    def last_line(self) -> str:
        """The numbers."""
        total = self.total
        return (
            f"the slowest took {self.slowest[0]:.1f} s of processor time (seed {self.slowest[1]})\n"
            f"{total['programs']} programs, {total['calls']} calls ({total['raised']} raise), "
            f"{total['mismatch']} mismatches, {total['crash']} crashes, {total['refused']} refused, "
            f"{time.monotonic() - self.start:.0f} s"
        )


def work(options: argparse.Namespace, seeds: range) -> None:
    """Run programs in this process and report each as a line of JSON."""
    ag.config.cache = False  # no program comes twice
    out = os.fdopen(os.dup(1), "w")
    for seed in seeds:
        print(json.dumps({"start": seed}), file=out, flush=True)
        report = check(seed, options.modes)
        found = asdict(report)
        if report.mismatch:
            source = Writer(seed).program()
            found["program"] = source if options.no_shrinking else shrunk(report, source)
        print(json.dumps(found, default=repr), file=out, flush=True)


def arguments() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--seeds", type=int, default=200)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--modes", type=lambda text: text.split(","), default=list(MODES))
    parser.add_argument("--refusals", type=int, default=20, help="kinds of refusals to print")
    parser.add_argument("--no-shrinking", action="store_true")
    parser.add_argument("--seconds", type=float, help="end after so long, with what has been run")
    parser.add_argument("--show", action="store_true", help="print the programs, and run none")
    parser.add_argument("--worker", action="store_true", help=argparse.SUPPRESS)
    return parser.parse_args()


def main() -> None:
    """Run what the command line asks for."""
    options = arguments()
    seeds = range(options.first, options.first + options.seeds)
    if options.show:
        for seed in seeds:
            print(f"# seed {seed}\n{Writer(seed).program()}")
    elif options.worker:
        work(options, seeds)
    else:
        programs.run(options, seeds, Chunk, Summary(options))


if __name__ == "__main__":
    main()
