"""Random programs with lists in lists, under several names, against themselves."""

from __future__ import annotations

import importlib.util
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import agir as ag

_VARIABLES = ("r", "s")
_PROGRAMS = 6


class _Writer:
    """Writes the statements of a function on a list of lists ``g`` and two lists ``r`` and ``s``."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.lines: list[str] = []

    def program(self) -> str:
        self.lines = [
            "def f(n):",
            "    g = [[k * j for j in range(k)] for k in range(n + 1)]",
            "    r, s, c = g[0], [n], 0",
            "    for i0 in range(n):",
        ]
        for _ in range(self.random.randrange(2, 6)):
            self.statement(2)
        self.add(2, "if len(g) > 12:")
        self.add(3, "del g[6:]")
        self.add(1, "return g, r, s, c, [q is r for q in g]")
        return "\n".join(self.lines) + "\n"

    def add(self, depth: int, text: str) -> None:
        self.lines.append("    " * depth + text)

    def pick(self, *choices: str) -> str:
        return self.random.choice(choices)

    def number(self) -> str:
        return self.pick("i0", "n", "len(g)", "1", "0", "2", "c", "len(r)", "sum(s)")

    def row(self) -> str:
        return self.pick(*_VARIABLES, f"g[{self.number()} % len(g)]", "g[0]", "g[-1]")

    def value(self) -> str:
        a, b = self.number(), self.number()
        return self.pick(
            self.row(), f"[{a}]", "[]", f"[{a}, {b}]", f"{self.row()}[:]", f"{self.row()} + [{a}]",
            f"[k * {a} for k in range({b} % 4)]", f"[0] * ({a} % 4)",
        )  # fmt: skip

    def block(self, depth: int) -> None:
        for _ in range(self.random.randrange(1, 3)):
            self.statement(depth + 1)

    def statement(self, depth: int) -> None:
        row, number = self.row(), self.number()
        kind = self.random.randrange(5)
        if kind == 0 and depth < 4:
            self.add(depth, f"if {number} % 2 == {self.random.randrange(2)}:")
            self.block(depth)
            self.add(depth, "else:")
            self.block(depth)
        elif kind == 1 and depth < 4:
            iterations = self.pick("n", "3", "len(g) % 4", "len(s) % 4")
            self.add(depth, f"for i{depth} in range({iterations}):")
            self.block(depth)
        else:
            for text in self.random.choice(self.simple(row, number)).splitlines():
                self.add(depth, text)
        if self.random.random() < 0.3:
            self.add(depth, f"if len({row}) > 8:")
            self.add(depth + 1, f"del {row}[4:]")

    def simple(self, row: str, number: str) -> list[str]:
        name = self.pick(*_VARIABLES)
        other, value = self.row(), self.value()
        return [
            f"{row}.append({number})",
            f"g.append({value})",
            f"{name} = {value}",
            f"if len({row}) > 0:\n    {row}[{number} % len({row})] = {self.number()}",
            f"if len({row}) > 2:\n    c += {row}.pop()",
            f"if len(g) > 2:\n    {name} = g.pop({number} % len(g))",
            f"g[{number} % len(g)] = {value}",
            f"for x in {row}[:6]:\n    c += x % 7",
            f"for q in g:\n    if len(q) < 5:\n        q.append({number} % 9)",
            f"c += int({row} is {other}) + 2 * int({self.row()} == {self.row()})",
            f"{row}.{self.pick('reverse()', 'sort()', 'clear()', f'insert(1, {number})')}",
            f"{row}.extend({other}[:3])",
            f"del {row}[{self.pick('5', '6', '7')}:]",
            f"c = (c + {number} * 3) % 1000",
        ]


def _loaded(path: Path) -> Any:
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.f


def _plain(value: Any) -> Any:
    if isinstance(value, np.generic):
        return value.item()
    return type(value)(map(_plain, value)) if isinstance(value, (list, tuple)) else value


def _outcome(function: Any, n: int) -> Any:
    try:
        return _plain(function(n))
    except IndexError:
        return IndexError


@pytest.mark.parametrize("seed", range(_PROGRAMS))
def test_random_lists(tmp_path, seed):
    path = tmp_path / f"program_{seed}.py"
    path.write_text(_Writer(seed).program())
    function = _loaded(path)
    for jit_compile in (None, False):
        decorated = ag.jit(function, jit_compile=jit_compile)
        for n in (0, 1, 3, 5):
            assert _outcome(decorated, n) == _outcome(function, n), path.read_text()
