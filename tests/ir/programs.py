"""Random programs of the whole language: plain Python and what agir makes of them agree.

    python tests/ir/programs.py --seeds 10000 --jobs 2
    python tests/ir/programs.py --first 17 --seeds 1 --show
    python tests/ir/programs.py --seeds 500 --features try,raise

Prints every program that differs, shrunk, and at the end how many there were, how many agir refused
to record, how many took the process with them, and how many of the control-flow statements that
tracing came by were recorded.  The programs run in processes of their own, so a crash is a result
like any other.
"""

from __future__ import annotations

import argparse
import collections
import json
import os
import queue
import re
import subprocess
import sys
import threading
import time
from dataclasses import asdict
from typing import Any

from program_checks import MODES, check, examine, shrink
from program_writer import OPTIONAL, Writer

CHUNK = 200
"""Programs a process runs: to start one takes as long as to run a few of them."""
PATIENCE = 120.0
"""Seconds that one program may take."""


def work(first: int, last: int, features: list[str], modes: list[str], shrinking: bool) -> None:
    """Run programs in this process and report each as a line of JSON."""
    out = os.fdopen(os.dup(1), "w")
    for seed in range(first, last):
        print(json.dumps({"start": seed}), file=out, flush=True)
        found = asdict(check(seed, features, modes))
        if found["mismatch"] and shrinking:
            found["program"] = shrunk(Writer(seed, features).program(), found["kind"])
            found["mismatch"] = examine(found["program"], modes).mismatch
        print(json.dumps(found, default=repr), file=out, flush=True)


def shrunk(source: str, kind: str) -> str:
    """A small program that fails in the same way."""
    modes = [kind.partition(":")[0]]
    return shrink(source, lambda candidate: examine(candidate, modes).kind == kind)


def ended(options: argparse.Namespace) -> bool:
    """Whether the time that there is has passed."""
    return bool(options.seconds) and time.monotonic() > options.start + options.seconds


class Chunk:
    """A process that runs some programs; restarted behind one that ends it."""

    def __init__(self, options: argparse.Namespace, first: int, last: int) -> None:
        self.options = options
        self.at, self.last = first, last
        self.running: int | None = None

    def reports(self) -> Any:
        """The report of every program, crashes included."""
        while self.at < self.last and not ended(self.options):
            yield from self._process()

    def command(self) -> list[str]:
        """The command line of the process."""
        command = [sys.executable, __file__, "--worker", "--first", str(self.at)]
        command += ["--seeds", str(self.last - self.at)]
        command += ["--features", ",".join(self.options.features)]
        command += ["--modes", ",".join(self.options.modes)]
        return command + ["--no-shrinking"] * self.options.no_shrinking

    def _process(self) -> Any:
        process = subprocess.Popen(
            self.command(),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            errors="replace",
        )
        lines: queue.Queue[str] = queue.Queue()
        errors: list[str] = []
        readers = [
            threading.Thread(target=lambda: [*map(lines.put, process.stdout), lines.put("")]),
            threading.Thread(target=lambda: errors.append(process.stderr.read())),
        ]
        for reader in readers:
            reader.daemon = True
            reader.start()
        while not ended(self.options) and (line := self._line(lines)):
            found = json.loads(line)
            if "start" in found:
                self.running = found["start"]
            else:
                self.at, self.running = found["seed"] + 1, None
                yield found
        process.kill()
        process.wait()
        if self.at < self.last and not ended(self.options):
            seed = self.running if self.running is not None else self.at
            readers[1].join(1)
            tail = "".join(errors)[-1500:]
            yield {"seed": seed, "crash": f"exit status {process.returncode}\n{tail}"}
            self.at = seed + 1

    def _line(self, lines: Any) -> str:
        try:
            return str(lines.get(timeout=PATIENCE))
        except queue.Empty:
            return ""


class Summary:
    """Adds the reports up, and prints what is worth a look."""

    def __init__(self, options: argparse.Namespace) -> None:
        self.options = options
        self.start = time.monotonic()
        self.total: collections.Counter[str] = collections.Counter()
        self.refusals: collections.Counter[str] = collections.Counter()
        self.examples: dict[str, int] = {}
        self.lock = threading.Lock()

    def add(self, found: dict[str, Any]) -> None:
        """Take a report in."""
        with self.lock:
            self.total["programs"] += 1
            for name in ("recorded", "executed", "calls", "raised"):
                self.total[name] += found.get(name) or 0
            for name in ("mismatch", "crash"):
                if found.get(name):
                    self.total[name] += 1
                    print(
                        f"== {name}, seed {found['seed']}\n{found.get('program', '')}{found[name]}\n"
                    )
            if found.get("refused"):
                self.total["refused"] += 1
                reason = re.sub(r"\d+", "0", " ".join(found["refused"].splitlines()[:1]))
                self.refusals[reason] += 1
                self.examples.setdefault(reason, found["seed"])
            sys.stdout.flush()

    def print(self) -> None:
        """The last lines."""
        for reason, count in self.refusals.most_common(self.options.refusals):
            print(f"{count:5} refused (seed {self.examples[reason]}): {reason}")
        print(self.last_line())

    def last_line(self) -> str:
        """The numbers."""
        total = self.total
        share = total["recorded"] / max(total["executed"], 1)
        return (
            f"{total['programs']} programs, {total['calls']} calls ({total['raised']} raise), "
            f"{total['mismatch']} mismatches, {total['crash']} crashes, {total['refused']} refused, "
            f"{share:.1%} of {total['executed']} control-flow statements recorded, "
            f"{time.monotonic() - self.start:.0f} s"
        )


def arguments() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    names = lambda text: [each for each in text.split(",") if each]  # noqa: E731
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--seeds", type=int, default=200)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--features", type=names, default=[], help=", ".join(OPTIONAL))
    parser.add_argument("--modes", type=names, default=list(MODES), help=", ".join(MODES))
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
            print(f"# seed {seed}\n{Writer(seed, options.features).program()}")
    elif options.worker:
        work(seeds.start, seeds.stop, options.features, options.modes, not options.no_shrinking)
    else:
        run(options, seeds, Chunk, Summary(options))


def run(options: argparse.Namespace, seeds: range, kind: type[Chunk], summary: Summary) -> None:
    """Run the programs in processes, and print the summary."""
    options.start = time.monotonic()
    starts = queue.SimpleQueue[int]()
    for start in seeds[::CHUNK]:
        starts.put(start)

    def job() -> None:
        while not ended(options):
            try:
                first = starts.get_nowait()
            except queue.Empty:
                return
            for found in kind(options, first, min(first + CHUNK, seeds.stop)).reports():
                summary.add(found)

    threads = [threading.Thread(target=job) for _ in range(options.jobs)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    summary.print()


if __name__ == "__main__":
    main()
