"""Random programs of ints near the ends of 64 bits, and of nested lists under several names.

    python tests/ir/exact_programs.py --first 1 --seeds 5000 --jobs 2
    python tests/ir/exact_programs.py --first 17 --seeds 1 --show
    python tests/ir/exact_programs.py --kind containers --first 1 --seeds 500
    python tests/ir/exact_programs.py --kind objects --first 1 --seeds 500

Plain Python says what is right, and whether a result on the way has needed more than 64 bits: then,
and only then, agir may raise an ``OverflowError``.  A program runs in another process, so that a crash
is a result like any other.
"""

from __future__ import annotations

import argparse
import ast
import collections
import copy
import importlib
import json
import linecache
import random
import signal
import subprocess
import sys
import time
import warnings
from concurrent.futures import ThreadPoolExecutor
from typing import Any

EDGES = [2**63 - 1, 2**62, 2**61 + 3, 2**33, 2**32 - 1, 2**31, 3037000500, 3037000499, 10**9]
SMALL = [0, 1, 2, 3, 5, 7, 10, 63]
INPUTS = [
    (3, 5, 2), (2**62, -7, 3), (-(2**63), 2**31, 4), (3037000499, 10, 6), (-1, 2**63 - 1, 0),
    (12, -5, 30),
]  # fmt: skip
HUGE = 5000
"""Numbers of more bits end a program."""
CHUNK = 50
PATIENCE = 1800.0
"""Seconds that the programs of one process may take, busy or waiting."""
SLOW = 20.0
"""Seconds of processor time that one call may take, which no other process on the machine prolongs."""
ENDLESS = 60.0
"""Seconds of processor time after which a program is ended."""


class Watched(ast.NodeTransformer):
    """Puts a call of ``noted`` around whatever computes a number."""

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        return _noted(self.generic_visit(node))

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.expr:
        return _noted(self.generic_visit(node))

    def visit_Call(self, node: ast.Call) -> ast.expr:
        return _noted(self.generic_visit(node))

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.stmt:
        self.generic_visit(node)
        old = ast.parse(ast.unparse(node.target), mode="eval").body
        return ast.Assign([node.target], _noted(ast.BinOp(old, node.op, node.value)))


def _noted(node: Any) -> ast.expr:
    return ast.Call(ast.Name("noted", ast.Load()), [node], [])


class HugeError(Exception):
    """A number is so large that plain Python would not end."""


class Watch:
    """Notes whether a result has needed more than 64 bits."""

    def __init__(self) -> None:
        self.exceeded = False

    def noted(self, value: Any) -> Any:
        """The value."""
        if type(value) is int:
            self.exceeded |= not -(2**63) <= value < 2**63
            if value.bit_length() > HUGE:
                raise HugeError
        return value

    def sum(self, numbers: Any) -> int:
        """The sum, whose parts are results, too."""
        total = 0
        for each in numbers:
            total = self.noted(total + each)
        return total

    def of(self, source: str) -> Any:
        """The program's function, watched."""
        tree = ast.fix_missing_locations(Watched().visit(ast.parse(source)))
        names: dict[str, Any] = {"__name__": "program", "noted": self.noted, "sum": self.sum}
        exec(compile(tree, "<watched>", "exec"), names)
        return names["f"]


class Writer:
    """Writes one program: ``f(a, b, n)`` of three ints."""

    inputs: Any = INPUTS

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.lines: list[str] = []
        self.depth = 0
        self.counters: list[str] = []
        self.has_rows = self.random.random() < 0.5

    def program(self) -> str:
        """The text."""
        self.line("def f(a, b, n):")
        self.depth = 1
        self.line(f"c = {self.constant()}")
        self.line("s = 0")
        if self.has_rows:
            self.line("rows = [[a, 1], [b, n, 2], [3]]")
            self.line("p = rows[0]")
            self.line("q = [4, n]")
        for _ in range(self.random.randint(3, 7)):
            self.statement()
        self.line("return a, b, c, s" + ", rows, p, q, p is rows[0]" * self.has_rows)
        return "\n".join(self.lines) + "\n"

    def line(self, text: str) -> None:
        self.lines.append("    " * self.depth + text)

    def pick(self, *choices: str) -> str:
        return self.random.choice(choices)

    def constant(self) -> str:
        if self.random.random() < 0.6:
            return str(self.random.choice(SMALL))
        number = self.random.choice(EDGES) - self.random.randint(0, 2)
        return f"({-number})" if self.random.random() < 0.3 else str(number)

    def variable(self) -> str:
        return self.pick("a", "b", "c", "s", "n", *self.counters, *self.counters)

    def value(self, depth: int = 2) -> str:
        if depth == 0 or self.random.random() < 0.3:
            return self.variable() if self.random.random() < 0.7 else self.constant()
        x, y = self.value(depth - 1), self.value(depth - 1)
        kinds = (
            ["sum"] * 6 + ["divided"] * 3 + ["bits"] * 2 + ["shift", "power", "sign", "extremum"]
        )
        kinds += ["row"] * 3 * self.has_rows
        match self.random.choice(kinds):
            case "sum":
                return f"({x} {self.pick('+', '-', '*')} {y})"
            case "divided":
                return f"({x} {self.pick('//', '%')} {self.pick('2', '3', '-7', '10', '1000')})"
            case "bits":
                return f"({x} {self.pick('&', '|', '^')} {y})"
            case "shift":
                return f"({x} {self.pick('<<', '>>')} {self.pick('1', '3', '31', f'({y} % 40)')})"
            case "power":
                return f"({x} ** {self.pick('2', '3', f'({y} % 5)')})"
            case "sign":
                return self.pick(f"(-{x})", f"abs({x})", f"(~{x})")
            case "extremum":
                return f"{self.pick('min', 'max')}({x}, {y})"
        which = self.pick("p", "q", f"rows[{x} % 3]")
        return self.pick(f"len({which})", f"{which}[0]", f"{which}[-1]", f"sum({which})")

    def test(self) -> str:
        x, y = self.value(1), self.value(1)
        return f"{x} {self.pick('<', '<=', '==', '!=', '>')} {y}"

    def statement(self) -> None:
        kinds = ["assign"] * 5 + ["add"] * 3
        kinds += ["rows"] * 5 * self.has_rows
        if self.depth < 4:
            kinds += ["if"] * 3 + ["for"] * 3 + ["while"]
        match self.random.choice(kinds):
            case "assign":
                self.line(f"{self.pick('a', 'b', 'c', 's')} = {self.value()}")
            case "add":
                self.line(f"{self.pick('s', 'c')} {self.pick('+=', '-=', '*=')} {self.value(1)}")
            case "rows":
                self.line(self.of_rows())
            case "if":
                self.line(f"if {self.test()}:")
                self.body()
                if self.random.random() < 0.4:
                    self.line("else:")
                    self.body()
            case "for":
                name = f"i{len(self.counters)}"
                ends = self.pick("n", "n % 7", "4", "1, n + 1", "n, 0, -1", "2, 9, 3", "a % 5, n")
                self.line(f"for {name} in range({ends}):")
                self.counters.append(name)
                self.body()
                self.counters.pop()
            case "while":
                name = f"k{self.depth}{len(self.lines)}"
                self.line(f"{name} = {self.pick('0', '1', 'n')}")
                self.line(f"while {name} < {self.pick('5', 'n + 3')}:")
                self.counters.append(name)
                self.body(f"{name} += {self.pick('1', '2')}")
                self.counters.pop()

    def body(self, last: str = "") -> None:
        self.depth += 1
        for _ in range(self.random.randint(1, 3)):
            self.statement()
        if last:
            self.line(last)
        self.depth -= 1

    def of_rows(self) -> str:
        number = self.pick("0", "1", "2", f"{self.variable()} % 3")
        other = self.pick("0", "1", "2", f"{self.variable()} % 3")
        row = self.pick("p", "q", f"rows[{number}]")
        return self.pick(
            f"{row}.append({self.value(1)})",
            f"{row}[0] = {self.value(1)}",
            f"{row}[-1] += {self.value(1)}",
            f"{self.pick('p', 'q')} = {row}",
            f"rows[{number}] = {row}",
            f"rows[{number}], rows[{other}] = rows[{other}], rows[{number}]",
            f"rows[{number}] = list({row})",
            f"{self.pick('p', 'q')} = {row}[:]",
            f"{self.pick('p', 'q')} = {row} + [{self.value(1)}]",
        )


def outcome(f: Any, arguments: Any) -> Any:
    """What a call gives, or the name of the class of what it raises."""
    try:
        return copy.deepcopy(f(*arguments))
    except Exception as error:
        return type(error), str(error)


def writer(kind: str, seed: int) -> Writer:
    """What writes a program of a kind."""
    if kind == "exact":
        return Writer(seed)
    module = importlib.import_module(f"{kind.removesuffix('s')}_programs")
    found: Writer = module.Writer(seed)
    return found


def wrong(source: str, inputs: Any = INPUTS) -> tuple[str, str] | None:
    """The kind of a mistake, and what it is; None where there is none."""
    import agir as ag
    from agir.errors import AgirError, StagingError

    name = f"<exact {abs(hash(source))}>"
    linecache.cache[name] = (len(source), None, source.splitlines(True), name)
    names: dict[str, Any] = {"__name__": "program"}
    exec(compile(source, name, "exec"), names)
    f = names["f"]
    compiled = ag.jit(f)
    watch = Watch()
    watched = watch.of(source)
    for arguments in inputs:
        watch.exceeded = False
        expected = outcome(watched, arguments)
        if isinstance(expected, tuple) and expected[0] is HugeError:
            continue
        begun = time.process_time()
        found = outcome(compiled, arguments)
        if time.process_time() - begun > SLOW:
            return "slow", str(arguments)
        is_error = isinstance(found, tuple) and found and isinstance(found[0], type)
        if is_error and issubclass(found[0], OverflowError):
            if not watch.exceeded:
                return "needless", f"{arguments}: {found[1]}"
        elif is_error and not (isinstance(expected, tuple) and isinstance(expected[0], type)):
            if not issubclass(found[0], AgirError):
                return "foreign", f"{arguments}: {found} for {expected}"
            return "refused", found[1]
        elif is_error:
            if issubclass(found[0], StagingError):  # which comes before any call
                return "refused", found[1]
            if not issubclass(found[0], expected[0]):
                return "error", f"{arguments}: {found} for {expected}"
        elif repr(found) != repr(expected):
            return "wrong", f"{arguments}: {found} for {expected}"
    return None


def work(kind: str, first: int, last: int) -> None:
    """Check programs in this process, and print a line of JSON for each."""
    warnings.simplefilter("ignore")
    for seed in range(first, last):
        print(json.dumps([seed, "began", ""]), flush=True)
        signal.setitimer(signal.ITIMER_PROF, ENDLESS)
        made = writer(kind, seed)
        found = wrong(made.program(), made.inputs)
        print(json.dumps([seed, *(found or ("right", ""))]), flush=True)


def reports(kind: str, first: int, last: int) -> list[tuple[int, str, str]]:
    """What becomes of programs in a process of their own; another one goes on after a crash."""
    found = []
    while first < last:
        command = [sys.executable, __file__, "--worker", "--first", str(first)]
        command += ["--seeds", str(last - first), "--kind", kind]
        try:
            ended = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE)
            way = "endless" if ended.returncode == -signal.SIGPROF else "crash"
            text, way = ended.stdout, f"{way} {ended.returncode} {ended.stderr[-300:]}"
        except subprocess.TimeoutExpired as error:
            text, way = (error.stdout or b"").decode(), "endless"
        lines = [json.loads(line) for line in text.splitlines()]
        found += [tuple(line) for line in lines if line[1] != "began"]
        seed = lines[-1][0] if lines else first
        if not lines or lines[-1][1] == "began":
            found.append((seed, way.split()[0], way))
        first = seed + 1
    return found


def main() -> int:
    """Check programs, and say what is wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--seeds", type=int, default=500)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--kind", choices=("exact", "containers", "objects"), default="exact")
    parser.add_argument("--show", action="store_true")
    parser.add_argument("--worker", action="store_true")
    options = parser.parse_args()
    last = options.first + options.seeds
    if options.worker:
        work(options.kind, options.first, last)
        return 0
    begun = time.monotonic()
    counts: collections.Counter[str] = collections.Counter()
    starts = range(options.first, last, CHUNK)
    with ThreadPoolExecutor(options.jobs) as pool:
        kind_of = options.kind
        for chunk in pool.map(
            lambda first: reports(kind_of, first, min(first + CHUNK, last)), starts
        ):
            for seed, kind, text in chunk:
                counts[kind] += 1
                if options.show or kind not in ("right", "refused"):
                    print(f"seed {seed}: {kind}: {text}", flush=True)
                if options.show:
                    print(writer(options.kind, seed).program())
    print(dict(counts), f"{time.monotonic() - begun:.0f} s")
    return int(any(kind not in ("right", "refused") for kind in counts))


if __name__ == "__main__":
    sys.exit(main())
