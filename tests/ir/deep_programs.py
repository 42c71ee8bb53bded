"""Random programs of a hundred lines: loops and branches in each other, over small arrays.

    python tests/ir/deep_programs.py --first 0 --seeds 300 --seconds 5
    python tests/ir/deep_programs.py --first 17 --seeds 1 --show

Each is compared with plain Python, and compiled within so many seconds of the processor.  What takes
longer or differs is printed; each program runs in a process of its own.
"""

from __future__ import annotations

import argparse
import json
import linecache
import os
import random
import resource
import time
from typing import Any

import numpy as np

import agir as ag

STATEMENTS = ("number", "write", "array", "loop", "branch", "leave")
STYLES = {
    "mixed": (4, 3, 3, 2, 3, 1),
    "loops": (3, 2, 2, 5, 2, 1),
    "branches": (3, 2, 2, 1, 7, 0),
    "writes": (2, 8, 2, 2, 3, 0),
    "arrays": (2, 2, 8, 2, 3, 0),
    "leaving": (3, 3, 2, 3, 3, 3),
}
"""How often there is each of the statements."""


class Writer:
    """Writes one program."""

    def __init__(self, seed: int, lines: int = 90, depth: int = 5) -> None:
        self._random = random.Random(seed)
        self._most, self._depth = lines, depth
        choose = self._random.choice
        self._numbers = ["a", "b", "c", *choose([[], [], ["d", "e"]])]
        self._arrays = ["x", "y", "z", *choose([[], [], ["u", "v"]])]
        self._weights = STYLES[choose(list(STYLES))]
        self._lines: list[str] = []
        self._loops = self._counters = 0

    def program(self) -> str:
        """The text of the function ``f``."""
        begin = ["a = 1.5", "b = n", "c = x[0]", "z = x.copy()"]
        begin += [f"{name} = y[1]" for name in self._numbers[3:]]
        begin += [f"{name} = y + 1" for name in self._arrays[3:]]
        self._lines = ["def f(x, y, n):", *(f"    {line}" for line in begin)]
        while len(self._lines) < self._most:
            self._statement(1)
        self._emit(1, "return " + ", ".join([*self._numbers, *self._arrays]))
        return "\n".join(self._lines) + "\n"

    def _emit(self, depth: int, line: str) -> None:
        self._lines.append("    " * depth + line)

    def _block(self, depth: int, most: int) -> None:
        before = len(self._lines)
        for _ in range(self._random.randint(1, most)):
            if len(self._lines) < self._most:
                self._statement(depth)
        if len(self._lines) == before:
            self._emit(depth, f"a = {self._random.choice(self._numbers)}")

    def _statement(self, depth: int) -> None:
        weights = self._weights if depth <= self._depth else (*self._weights[:3], 0, 0, 0)
        kind = self._random.choices(STATEMENTS, weights)[0]
        getattr(self, f"_{kind}")(depth)

    def _number(self, depth: int) -> None:
        self._emit(depth, f"{self._random.choice(self._numbers)} = {self._scalar()}")

    def _write(self, depth: int) -> None:
        place = self._random.choice(["0", "1", "-1", "::2", "1:3", self._iteration()])
        how = self._random.choice(["=", "=", "+=", "*="])
        array = self._random.choice(self._arrays)
        self._emit(depth, f"{array}[{place}] {how} {self._scalar(1)}")

    def _array(self, depth: int) -> None:
        self._emit(depth, f"{self._random.choice(self._arrays)} = {self._elements()}")

    def _loop(self, depth: int) -> None:
        if self._loops == 0 or self._random.random() < 0.6:
            count = self._random.choice(["n", "3", "n - 2", "n"])
            self._emit(depth, f"for i{self._loops} in range({count}):")
        else:
            self._counters += 1
            name = f"k{self._counters}"
            self._emit(depth, f"{name} = 0")
            self._emit(depth, f"while {name} < {self._random.choice(['4', 'n'])}:")
            self._emit(depth + 1, f"{name} += 1")
        self._loops += 1
        self._block(depth + 1, 5)
        self._loops -= 1

    def _branch(self, depth: int) -> None:
        self._emit(depth, f"if {self._condition()}:")
        self._block(depth + 1, 3)
        if self._random.random() < 0.6:
            self._emit(depth, "else:")
            self._block(depth + 1, 3)

    def _leave(self, depth: int) -> None:
        if self._loops:
            self._emit(depth, f"if {self._condition()}:")
            self._emit(depth + 1, self._random.choice(["break", "continue"]))

    def _iteration(self) -> str:
        return "i0 % 5" if self._loops else "3"

    def _condition(self) -> str:
        comparison = self._random.choice(["<", ">", "!="])
        return f"{self._scalar(1)} {comparison} {self._scalar(1)}"

    def _scalar(self, depth: int = 0) -> str:
        choose = self._random.choice
        kind = self._random.randrange(8 if depth < 2 else 3)
        if kind < 2:
            return choose(self._numbers)
        if kind == 2:
            place = choose(["0", "1", "-1", self._iteration()])
            return choose([f"{choose(self._arrays)}[{place}]", choose(["1", "2", "0.5", "-1"])])
        if kind == 3:
            return f"abs({self._scalar(depth + 1)})"
        if kind == 4:
            return f"min({self._scalar(depth + 1)}, {self._scalar(depth + 1)})"
        return f"({self._scalar(depth + 1)} {choose('+-*')} {self._scalar(depth + 1)})"

    def _elements(self, depth: int = 0) -> str:
        choose = self._random.choice
        kind = self._random.randrange(7 if depth < 2 else 2)
        if kind < 2:
            return choose(self._arrays)
        if kind == 2:
            return f"np.tanh({self._elements(depth + 1)})"
        if kind == 3:
            condition = f"{self._elements(depth + 1)} > {self._scalar(1)}"
            return (
                f"np.where({condition}, {self._elements(depth + 1)}, {self._elements(depth + 1)})"
            )
        if kind == 4:
            return f"{choose(self._arrays)}.copy()"
        other = self._scalar(1) if kind == 5 else self._elements(depth + 1)
        return f"({self._elements(depth + 1)} {choose('+-*')} {other})"


def loaded(source: str, name: str) -> Any:
    """The function of a program."""
    linecache.cache[name] = (len(source), None, source.splitlines(keepends=True), name)
    found: dict[str, Any] = {"np": np}
    exec(compile(source, name, "exec"), found)
    return found["f"]


def outcome(function: Any) -> Any:
    """What a call gives, and what it leaves in its arguments; the class of its error."""
    given = np.linspace(-1, 1, 5), np.arange(5.0) * 0.3, 5
    try:
        with np.errstate(all="ignore"):
            return [np.asarray(each, float) for each in (*function(*given), *given[:2])]
    except Exception as error:
        return type(error)


def checked(seed: int) -> dict[str, Any]:
    """The seconds that a program takes to its first result, and whether that is Python's."""
    source = Writer(seed).program()
    wanted = outcome(loaded(source, f"<plain {seed}>"))
    start = time.process_time()
    found = outcome(ag.jit(loaded(source, f"<program {seed}>")))
    seconds = time.process_time() - start
    if isinstance(found, type) and issubclass(found, ag.errors.StagingError):
        return {"seconds": seconds, "result": "refused"}
    return {"seconds": seconds, "result": "same" if _agree(found, wanted) else "different"}


def _agree(found: Any, wanted: Any) -> bool:
    if isinstance(found, type) or isinstance(wanted, type):
        return isinstance(found, type) and isinstance(wanted, type) and issubclass(found, wanted)
    return all(
        one.shape == other.shape and np.allclose(one, other, rtol=1e-6, equal_nan=True)
        for one, other in zip(found, wanted, strict=True)
    )


def apart(seed: int, limit: int) -> dict[str, Any]:
    """The same in a process of its own, which the system ends after so many seconds."""
    out, into = os.pipe()
    child = os.fork()
    if child == 0:
        resource.setrlimit(resource.RLIMIT_CPU, (limit, limit))
        os.write(into, json.dumps(checked(seed)).encode())
        os._exit(0)
    os.close(into)
    with os.fdopen(out) as answers:
        text = answers.read()
    os.waitpid(child, 0)
    return json.loads(text) if text else {"seconds": limit, "result": "no end, or a crash"}


def main() -> None:
    """Run what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--seeds", type=int, default=100)
    parser.add_argument("--seconds", type=float, default=5.0, help="more are a finding")
    parser.add_argument("--show", action="store_true", help="print the programs, and run none")
    options = parser.parse_args()
    ag.config.cache = False  # no program comes twice
    times, results = [], dict.fromkeys(("same", "refused"), 0)
    for seed in range(options.first, options.first + options.seeds):
        if options.show:
            print(f"# seed {seed}\n{Writer(seed).program()}")
            continue
        found = apart(seed, int(10 * options.seconds))
        times.append(found["seconds"])
        results[found["result"]] = results.get(found["result"], 0) + 1
        if found["seconds"] > options.seconds or found["result"] not in ("same", "refused"):
            print(f"seed {seed}: {found['seconds']:.2f} s, {found['result']}", flush=True)
    if times:
        times.sort()
        print(results, f"median {times[len(times) // 2]:.2f} s, most {times[-1]:.2f} s")


if __name__ == "__main__":
    main()
