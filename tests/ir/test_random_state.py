"""Random programs that read and write variables: compiled, they do what plain Python does."""

from __future__ import annotations

import importlib.util
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import agir as ag

MODES: dict[str, Callable[[Any], Any]] = {
    "function": ag.function,
    "interpreted": lambda f: ag.function(f, jit_compile=False),
    "jit": ag.jit,
}
PROGRAMS = 8

CALLS = [(3, [1, -2, 3, 4]), (-4, [0, 7, 7, -9]), (12, [5, 5, 5, 5])]


class Writer:
    """Writes the body of a function of ``x`` (an int32 scalar) and ``a`` (int32, of 4 elements).

    Its variables are ``s`` (a scalar), ``v`` and ``u`` (4 elements), ``m`` (float64, 2 by 3) and
    ``d`` (of any length, at least 1).
    """

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.loops = 0

    def program(self) -> str:
        lines = ["def program(s, v, u, m, d, x, a):", "    r = x * 1", "    t = v.read_value()"]
        for _ in range(self.random.randint(3, 5)):
            lines += ["    " + line for line in self.statement(2)]
        lines.append("    return r, t, s * 1, v[1:], m.read_value(), ag.reduce_sum(d)")
        return "\n".join(lines)

    def block(self, depth: int) -> list[str]:
        count = self.random.randint(1, 3)
        return ["    " + line for _ in range(count) for line in self.statement(depth - 1)]

    def statement(self, depth: int) -> list[str]:
        kinds: list[Any] = [self.scalar, self.vector, self.vector, self.matrix, self.growing]
        kinds += [self.local, self.alias, self.choice, self.helper]
        if depth > 0:
            kinds += [self.branch, self.counted, self.python_loop, self.loop, self.trying]
        return self.random.choice(kinds)(depth)

    def number(self) -> str:
        pick = self.random.choice
        position = self.random.randint(0, 3)
        atoms = ["x", "r", "s", f"v[{position}]", f"t[{position}]", "v[r % 4]", "d[0]", "d[-1]"]
        atoms += ["ag.reduce_sum(v)", str(self.random.randint(-5, 5)), "s.read_value()"]
        left, right = pick(atoms), pick(atoms)
        return pick([left, f"({left} + {right})", f"({left} * {right} - 1)", f"-{left}"])

    def small(self) -> str:
        return f"({self.number()}) % 97"

    def condition(self) -> str:
        compared = self.random.choice(["<", ">", "==", "!=", ">="])
        plain = f"{self.number()} {compared} {self.number()}"
        return self.random.choice([plain, f"({plain}) and s > 3", f"not ({plain})", "s"])

    def scalar(self, depth: int) -> list[str]:
        method = self.random.choice(["assign", "assign_add", "assign_sub"])
        text = f"s.{method}(({self.number()}) % 97 + x * 0)"
        return [text, "s.assign(s % 1009)"]

    def vector(self, depth: int) -> list[str]:
        at = self.random.choice([str(self.random.randint(-4, 3)), "r % 4", "s % 4"])
        small = self.small()
        return [
            self.random.choice(
                [
                    "v.assign_add(a)",
                    "v.assign((v * 3 - a) % 101)",
                    f"v[{at}] = {small}",
                    f"v[{at}] += {small}",
                    f"v[{at}].assign({small} + x * 0)",
                    f"v[1:3] = {small}",
                    "v[1:] += a[1:]",
                    "v[::-1].assign(v)",
                    f"v[v > {self.random.randint(0, 40)}] = {small}",
                    "v.assign_sub(t)",
                    "v[:2] = d[:1]",
                ]
            ),
            "v.assign(v % 1009)",
        ]

    def matrix(self, depth: int) -> list[str]:
        row = self.random.choice(["0", "1", "-1", "r % 2"])
        return [
            self.random.choice(
                [
                    f"m[{row}] = m[{row}] * 0.5 + ag.cast({self.number()}, ag.float64) / 64.0",
                    "m.assign_sub(m * 0.25)",
                    f"m[{row}, 1:].assign_add([1.0, 2.0])",
                    "m[:, 0] *= 2.0",
                    "m.assign(ag.minimum(m, 100.0))",
                ]
            )
        ]

    def growing(self, depth: int) -> list[str]:
        return [
            self.random.choice(
                [
                    "d.assign(ag.concat([d[:3], v[:2]], 0))",
                    "d.assign(d[:1])",
                    "d.assign_add(d)",
                    "d[0] = s",
                    "d.assign(a)",
                ]
            ),
            "d.assign(d % 1009)",
        ]

    def local(self, depth: int) -> list[str]:
        return [self.random.choice([f"r = {self.small()}", "t = v.read_value()", "t = v + t * 0"])]

    def alias(self, depth: int) -> list[str]:
        return ["w = v", "w.assign_add(a)", "r = (w[0] + v[0]) % 97"]

    def choice(self, depth: int) -> list[str]:
        change = [f"w[{self.random.randint(0, 3)}] = {self.small()}", "w.assign_add(a)"]
        return [
            f"w = v if {self.condition()} else {self.random.choice(['u', 'v'])}",
            self.random.choice(change),
            "w.assign(w % 1009)",
            "r = (w[1] + v[0] + u[2]) % 97",
        ]

    def helper(self, depth: int) -> list[str]:
        target = self.random.choice(["v", "u"])
        return [
            self.random.choice(
                [
                    f"r = bump({target}, {self.small()} + x * 0)",
                    "r = count_down(x % 5 + 0 * r, s) + 0 * r",
                ]
            ),
            f"{target}.assign({target} % 1009)",
        ]

    def leaving(self) -> list[str]:
        if self.random.random() < 0.6:
            return []
        return [
            f"    if {self.condition()}:",
            f"        {self.random.choice(['break', 'continue'])}",
        ]

    def branch(self, depth: int) -> list[str]:
        lines = [f"if {self.condition()}:", *self.block(depth)]
        return [*lines, "else:", *self.block(depth)] if self.random.random() < 0.5 else lines

    def counted(self, depth: int) -> list[str]:
        self.loops += 1
        bound = self.random.choice(["ag.range(x % 4)", "range(x % 4)", "v", "d[:3]"])
        lines = [f"for i{self.loops} in {bound}:", f"    r = (r + i{self.loops}) % 97"]
        return [*lines, *self.block(depth), *self.leaving(), *self.block(depth)]

    def python_loop(self, depth: int) -> list[str]:
        self.loops += 1
        return [
            f"for j{self.loops} in range(3):",
            *self.block(depth),
            *self.leaving(),
            "    r = r * 1",
        ]

    def loop(self, depth: int) -> list[str]:
        self.loops += 1
        count = f"n{self.loops}"
        test = self.random.choice([f"{count} < 3", f"{count} < 4 and s < 900"])
        lines = [f"{count} = x * 0", f"while {test}:", f"    {count} = {count} + 1"]
        return [*lines, *self.block(depth), *self.leaving(), *self.block(depth)]

    def trying(self, depth: int) -> list[str]:
        return [
            "try:",
            *self.block(depth),
            f"    v[s + {self.random.choice([-3, 0, 90])}] += 1",
            *self.block(depth),
            "except IndexError:",
            *self.block(depth),
        ]


HELPERS = """
def bump(target, k):
    target[1] += k
    if k > 40:
        target.assign(target + 1)
        return target[0]
    return k * 2


def count_down(n, s):
    s.assign((s + 1) % 1009)
    if n <= 0:
        return n * 0
    return count_down(n - 1, s) + 1
"""


def load(source: str, folder: Path, name: str) -> Any:
    path = folder / f"{name}.py"
    path.write_text(f"import agir as ag\n\n{HELPERS}\n\n{source}\n")
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.program


def outcome(function: Any) -> list[Any]:
    """What the calls return and leave."""
    state = (
        ag.Variable(5),
        ag.Variable([3, 1, 4, 1]),
        ag.Variable([2, 7, 1, 8]),
        ag.Variable(np.arange(6.0).reshape(2, 3)),
        ag.Variable([2, 7], shape=[None]),
    )
    found: list[Any] = []
    for x, a in CALLS:
        result = function(*state, ag.constant(x), ag.constant(a))
        found += [np.array(each) for each in result]
        found += [np.array(each.numpy()) for each in state]
    return found


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("seed", range(PROGRAMS))
def test_compiled_programs_change_variables_as_python_does(
    seed: int, mode: str, tmp_path: Path
) -> None:
    source = Writer(seed).program()
    function = load(source, tmp_path, f"program_{mode}_{seed}")
    expected = outcome(function)
    got = outcome(MODES[mode](function))
    for number, (one, other) in enumerate(zip(expected, got, strict=True)):
        np.testing.assert_allclose(other, one, rtol=1e-12, err_msg=f"{number} of\n{source}")
