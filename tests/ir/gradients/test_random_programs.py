"""Random programs of loops, branches and assignments: compiled = interpreted = differences."""

from __future__ import annotations

import linecache
import random
from typing import Any

import numpy as np
import pytest

import agir as ag

from . import programs
from .checks import differences, weighted

_FORMULAS = (
    "ag.sin({a}) * {b}",
    "{a} * 0.5 + {b} * x",
    "ag.exp(-{a} * {a}) + {b}",
    "{a} / (1.5 + {b} * {b})",
    "ag.tanh({a} - {b})",
    "v[{i}] * {a}",
    "ag.reduce_sum(v * {a}) * 0.2",
)


class Writer:
    """Writes the body of one function of a number, an array and a count."""

    def __init__(self, seed: int, option: str | None = None) -> None:
        self._option = option
        self._random = random.Random(seed)
        self._counters = 0

    def source(self) -> str:
        lines = ["def program(x, v, n):", "    v = v * 1.0", "    a = x", "    b = x * x"]
        lines += self._block(1, 3)
        return "\n".join([*lines, "    return a, b, v", ""])

    def _block(self, depth: int, budget: int) -> list[str]:
        lines = []
        for _ in range(self._random.randint(1, 3)):
            lines += self._statement(depth, budget)
        return lines

    def _statement(self, depth: int, budget: int) -> list[str]:
        indent = "    " * depth
        kinds = ["assign", "assign", "store"] + (["if", "for", "while"] if budget else [])
        kind = self._random.choice(kinds)
        if kind == "assign":
            return [f"{indent}{self._random.choice('ab')} = {self._formula()}"]
        if kind == "store":
            return [f"{indent}v[{self._random.randint(0, 2)}] = {self._formula()}"]
        inner = self._block(depth + 1, budget - 1)
        self._counters += 1
        counter = f"k{self._counters}"
        if kind == "if":
            test = self._random.choice(("a > 0.37", "b < a", "n > 2", "v[0] > 0.41"))
            other = self._block(depth + 1, budget - 1)
            return [f"{indent}if {test}:", *inner, f"{indent}else:", *other]
        if self._option is not None:
            option = f"ag.autograph.set_loop_options(checkpoint={self._option!r})"
            inner.insert(0, f"{indent}    {option}")
        if kind == "for":
            return [f"{indent}for {counter} in ag.range(n):", *inner]
        step = f"{indent}    {counter} -= 1"
        return [f"{indent}{counter} = n", f"{indent}while {counter} > 0:", *inner, step]

    def _formula(self) -> str:
        names = [self._random.choice("ab") for _ in range(2)]
        formula = self._random.choice(_FORMULAS)
        return formula.format(a=names[0], b=names[1], i=self._random.randint(0, 2))


def written(seed: int, option: str | None = None) -> Any:
    """The program of that number."""
    source = Writer(seed, option).source()
    file = f"<random program {seed} {option}>"
    linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)
    space: dict[str, Any] = {"ag": ag}
    exec(compile(source, file, "exec"), space)
    return space["program"]


@pytest.mark.parametrize("seed", range(24))
def test_random_programs(seed: int) -> None:
    program = written(seed)
    args = [np.float64(0.6), np.array([0.3, 0.5, 0.45]), np.int32(3)]

    def objective(*values: Any) -> Any:
        return weighted(program(*values))

    plain = ag.function(objective, jit_compile=False)
    interpreted = ag.grad(plain, argnums=(0, 1))(*args)
    for number, found in enumerate(interpreted):
        expected = differences(plain, args, number)
        np.testing.assert_allclose(found.numpy(), expected, rtol=1e-5, atol=1e-6)
    if seed % 3 == 0:
        compiled = ag.grad(objective, argnums=(0, 1))(*args)
        for one, other in zip(compiled, interpreted, strict=True):
            np.testing.assert_allclose(one.numpy(), other.numpy(), rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("option", ["sqrt", "log"])
@pytest.mark.parametrize("seed", range(16))
def test_random_programs_that_run_iterations_again(seed: int, option: str) -> None:
    args = [np.float64(0.6), np.array([0.3, 0.5, 0.45]), np.int32(5)]
    found = []
    for program in (written(seed), written(seed, option)):
        objective = ag.function(
            lambda *values, program=program: weighted(program(*values)), jit_compile=False
        )
        found.append(ag.grad(objective, argnums=(0, 1))(*args))
    for one, other in zip(*found, strict=True):
        np.testing.assert_allclose(one.numpy(), other.numpy(), rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("seed", range(12))
def test_programs_of_arrays_and_loops_that_are_left(seed: int) -> None:
    """More of them: ``python -m tests.ir.gradients.programs``."""
    option = (None, "log", 3)[seed % 3]
    ways = (None, False) if seed % 4 == 0 else (False,)
    assert not programs.differ(seed, option, 3, ways)
