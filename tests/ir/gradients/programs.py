"""Random differentiable programs, and what plain NumPy says of their derivatives.

``python -m tests.ir.gradients.programs --first 0 --seeds 100 --seconds 60`` runs some and prints those
of which the compiled or the interpreted gradient is another one than a complex step gives.
"""

from __future__ import annotations

import argparse
import linecache
import random
import sys
import time
import types
from collections.abc import Callable
from typing import Any

import numpy as np

import agir as ag

from .checks import weighted

_NUMBERS = (
    "ag.sin({a}) * {b}",
    "{a} * 0.5 + {b} * x",
    "ag.exp(-{a} * {a}) + {b}",
    "{a} / (1.5 + {b} * {b})",
    "ag.tanh({a} - {b})",
    "v[{i}] * {a}",
    "v[{k}] + {a}",
    "m[{k}, {i}] * {b}",
    "ag.reduce_sum(v * {a}) * 0.2",
    "ag.reduce_sum(m[{k}] * v[:3]) * 0.3",
    "({a} if {test} else {b}) * 0.9",
    "ag.where({test}, {a}, ag.cos({b}))",
    "helper({a}, {b})",
    "ag.sqrt({a} * {a} + 0.3)",
    "ag.maximum({a}, {b} - 0.3)",
    "ag.reduce_sum(ag.linalg.matvec(m, v[1:4])) * 0.1",
)
_ARRAYS = (
    "ag.sin(v) * {a}",
    "v * 0.5 + {a}",
    "v[::-1] * 0.9",
    "ag.tanh(v * v - {a})",
    "ag.where(v > 0.43, v * {a}, v - {b})",
    "v / (1.5 + ag.reduce_sum(v * v))",
)
_STORES = (
    ("v[{i}]", "number"),
    ("v[{k}]", "number"),
    ("v[1:4]", "v[0:3] * {a}"),
    ("v[::2]", "v[1:4] * 0.7 + {b}"),
    ("v[4:1:-1]", "v[0:3] + 0.1 * {a}"),
    ("v[{i}:{i} + 2]", "v[{i} + 1:{i} + 3] * {b}"),
    ("v[{k}:{k} + 2]", "v[2:4] * 0.5"),
    ("m[{k}]", "v[:3] * {a}"),
    ("m[:, {i}]", "m[{i}] * 0.8"),
    ("m[{k}, {i}]", "number"),
    ("m[1:, :2]", "m[:2, 1:] * {a} + m[1:, :2]"),
)
_TESTS = ("a > 0.37", "b < a", "n > 2", "v[0] > 0.41", "m[1, 1] < 0.52", "{k} > 1")
_HELPER = (
    "def helper(p, q):",
    "    if p > q:",
    "        return p * q + 0.1",
    "    return ag.sin(q) * 0.7",
    "",
)

_LARGEST = 1e6


class Writer:
    """Writes a function of a number, an array, a matrix and a count."""

    def __init__(self, seed: int, option: Any = None) -> None:
        self._option = option
        self._random = random.Random(seed)
        self._counters: list[str] = []
        self._made = 0
        self._loops: list[str] = []

    def source(self) -> str:
        lines = [*_HELPER, "def program(x, v, m, n):", "    v = v * 1.0", "    m = m * 1.0"]
        lines += ["    a = x", "    b = x * x"]
        lines += self._block(1, 3)
        return "\n".join([*lines, "    return a, b, v, m", ""])

    def _block(self, depth: int, budget: int) -> list[str]:
        lines = []
        for _ in range(self._random.randint(1, 3)):
            lines += self._statement(depth, budget)
        return lines

    def _statement(self, depth: int, budget: int) -> list[str]:
        indent = "    " * depth
        kinds = ["number", "number", "array", "store", "store", "add"]
        kinds += ["if", "for", "rows", "while", "until", "count"] if budget else []
        kinds += ["leave"] if self._loops else []
        kind = self._random.choice(kinds)
        simple = {
            "number": lambda: f"{self._random.choice('ab')} = {self._formula(_NUMBERS)}",
            "array": lambda: f"v = {self._formula(_ARRAYS)}",
            "store": lambda: self._store("="),
            "add": lambda: self._store(self._random.choice(("+=", "*="))),
        }
        if kind in simple:
            return [indent + simple[kind]()]
        if kind == "leave":
            word = (
                self._random.choice(("break", "continue")) if self._loops[-1] == "for" else "break"
            )
            return [f"{indent}if {self._formula(_TESTS)}:", f"{indent}    {word}"]
        if kind == "if":
            other = self._block(depth + 1, budget - 1)
            inner = self._block(depth + 1, budget - 1)
            test = self._formula(_TESTS)
            if self._random.random() < 0.3:
                return [f"{indent}if {test}:", *inner]
            return [f"{indent}if {test}:", *inner, f"{indent}else:", *other]
        return self._loop(kind, indent, depth, budget)

    def _loop(self, kind: str, indent: str, depth: int, budget: int) -> list[str]:
        self._made += 1
        counter = f"k{self._made}"
        self._loops.append("while" if kind in ("while", "until") else "for")
        if kind in ("for", "count"):
            self._counters.append(f"{counter} % 3")
        inner = self._block(depth + 1, budget - 1)
        if kind in ("for", "count"):
            self._counters.pop()
        self._loops.pop()
        if self._option is not None:
            option = f"ag.autograph.set_loop_options(checkpoint={self._option!r})"
            inner.insert(0, f"{indent}    {option}")
        if kind == "for":
            return [f"{indent}for {counter} in ag.range(n):", *inner]
        if kind == "count":
            bounds = self._random.choice(("1, n", "n, 0, -1", "0, n + 2, 2"))
            return [f"{indent}for {counter} in ag.range({bounds}):", *inner]
        if kind == "rows":
            inner.append(f"{indent}    a = a + ag.reduce_sum({counter}) * 0.1")
            return [f"{indent}for {counter} in m:", *inner]
        if kind == "while":
            step = f"{indent}    {counter} -= 1"
            return [f"{indent}{counter} = n", f"{indent}while {counter} > 0:", *inner, step]
        step = f"{indent}    {counter} = {counter} * 0.6 + 0.01 * ag.tanh(a)"
        head = [f"{indent}{counter} = x * 2.0", f"{indent}while {counter} > 0.31:"]
        return [*head, *inner, step]

    def _store(self, sign: str) -> str:
        place, value = self._random.choice(_STORES)
        index, counter = self._index(), self._counter()
        right = (
            self._formula(_NUMBERS) if value == "number" else self._filled(value, index, counter)
        )
        return f"{self._filled(place, index, counter)} {sign} {right}"

    def _formula(self, of: tuple[str, ...]) -> str:
        return self._filled(self._random.choice(of), self._index(), self._counter())

    def _index(self) -> int:
        return self._random.randint(0, 2)

    def _counter(self) -> str:
        return self._random.choice([*self._counters, str(self._index())])

    def _filled(self, text: str, index: int, counter: str) -> str:
        a, b = (self._random.choice("ab") for _ in range(2))
        test = "a > b * 1.1" if "{test}" in text else ""
        return text.format(a=a, b=b, i=index, k=counter, test=test)


def _range(*bounds: Any) -> Any:
    return range(*(int(each) for each in bounds))


PLAIN = types.SimpleNamespace(
    **{name: getattr(np, name) for name in ("sin", "cos", "exp", "tanh", "sqrt", "where")},
    maximum=lambda p, q: p if p.real >= q.real else q,
    reduce_sum=np.sum,
    linalg=types.SimpleNamespace(matvec=np.matmul),
    range=_range,
    autograph=types.SimpleNamespace(set_loop_options=lambda **_: None),
)
"""What the programs call, in NumPy."""


def written(seed: int, option: Any = None, space: Any = ag) -> Callable[..., Any]:
    """The program of that number, of functions of a module."""
    source = Writer(seed, option).source()
    file = f"<random program {seed} {option}>"
    linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)
    names: dict[str, Any] = {"ag": space}
    exec(compile(source, file, "exec"), names)
    found: Callable[..., Any] = names["program"]
    return found


def arguments(iterations: int) -> list[Any]:
    """What the programs are called with."""
    m = np.array([[0.2, 0.55, 0.35], [0.6, 0.51, 0.28], [0.44, 0.32, 0.65]])
    return [np.float64(0.6), np.array([0.3, 0.5, 0.45, 0.25, 0.7]), m, np.int32(iterations)]


def _total(values: Any) -> Any:
    """What ``weighted`` gives, of complex numbers."""
    total: Any = 0.0
    for number, leaf in enumerate(values):
        if np.ndim(leaf) == 0:
            total = total + leaf * (0.7 + number)
        else:
            steps = np.cos(np.arange(np.size(leaf)) * 1.3 + 0.4 + number)
            total = total + np.sum(np.ravel(leaf) * steps)
    return total


def by_complex_steps(program: Callable[..., Any], args: list[Any], number: int) -> Any:
    """The gradient by complex steps: to the last digits."""
    base = np.asarray(args[number])
    found = np.zeros(base.shape)
    for where in np.ndindex(base.shape):
        moved = [np.asarray(a, complex) if np.asarray(a).dtype.kind == "f" else a for a in args]
        moved[number] = np.array(base, complex)
        moved[number][where] += 1e-30j
        moved[0] = np.complex128(moved[0])
        found[where] = np.imag(_total(program(*moved))) / 1e-30
    return found


def objective(program: Callable[..., Any]) -> Callable[..., Any]:
    """One number of what a program gives."""
    return lambda *values: weighted(program(*values))


def differ(seed: int, option: Any, iterations: int, ways: tuple[bool | None, ...]) -> list[str]:
    """What is wrong with the gradients of a program, by each way of running it."""
    args = arguments(iterations)
    with np.errstate(all="ignore"):
        expected = [by_complex_steps(written(seed, None, PLAIN), args, n) for n in (0, 1, 2)]
    if not all((np.abs(each) < _LARGEST).all() for each in expected):
        return []  # the program itself has run away
    wrong = []
    for way in ways:
        function = ag.function(objective(written(seed, option)), jit_compile=way)
        found = ag.grad(function, argnums=(0, 1, 2))(*args)
        for number, (one, other) in enumerate(zip(found, expected, strict=True)):
            if not np.allclose(one.numpy(), other, rtol=1e-8, atol=1e-10):
                wrong.append(f"jit_compile={way}, argument {number}: {one.numpy()} and not {other}")
    return wrong


def _main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    for name, default in (("first", 0), ("seeds", 100), ("seconds", 60)):
        parser.add_argument(f"--{name}", type=int, default=default)
    chosen = parser.parse_args()
    start, programs, failed = time.monotonic(), 0, 0
    for seed in range(chosen.first, chosen.first + chosen.seeds):
        if time.monotonic() - start > chosen.seconds:
            break
        pick = random.Random(seed)
        option = pick.choice([None, None, "sqrt", "log", 3])
        iterations = pick.choice([0, 1, 2, 3, 5])
        ways: tuple[bool | None, ...] = (None, False) if not seed % 8 else (None,)
        programs += 1
        try:
            wrong = differ(seed, option, iterations, ways)
        except Exception as error:  # whatever it is, it belongs into the list
            wrong = [f"{type(error).__name__}: {error}"]
        if wrong:
            failed += 1
            print(
                f"program {seed}, checkpoint={option!r}, {iterations} iterations:",
                *wrong,
                sep="\n  ",
            )
            sys.stdout.flush()
    print(f"{programs} programs, {failed} with another gradient")
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(_main())
