"""Random NumPy functions whose operations may share loops, or must not.

They go over whole arrays, along rows, and along an axis plane by plane, read beside what they write
(``a[1:-1] = b[2:] - a[:-2]``) and before it in a loop (``a[:, :, k - 1]``).
"""

from __future__ import annotations

import importlib.util
import random
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any


class Writer:
    """Writes the text of a function of three arrays of equal shapes, which it may change."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.arrays = ["a", "b", "c"]
        self.planes: list[str] = []
        self.count = 0

    def text(self) -> str:
        lines = ["import numpy as np", "", "", "def f(a, b, c):", "    I, J, K = a.shape"]
        for _ in range(self.random.randint(3, 7)):
            kind = self.random.choice(
                [self.fresh, self.update, self.shifted, self.loop, self.loop, self.rows]
            )
            lines += [f"    {line}" for line in kind()]
        results = self.random.sample(self.arrays, k=min(2, len(self.arrays)))
        return "\n".join([*lines, f"    return {', '.join(results)}", ""])

    def name(self, prefix: str) -> str:
        self.count += 1
        return f"{prefix}{self.count}"

    def array(self) -> str:
        return self.random.choice(self.arrays[-4:])

    def combined(self, *operands: str) -> str:
        text = operands[0]
        for other in operands[1:]:
            text = self.random.choice(
                [
                    f"({text} + {other})",
                    f"({text} - 0.5 * {other})",
                    f"np.maximum({text}, {other})",
                    f"(0.25 * {text} * {other})",
                ]
            )
        return text

    def fresh(self) -> list[str]:
        name = self.name("v")
        line = f"{name} = {self.combined(self.array(), self.array())}"
        self.arrays.append(name)
        return [line]

    def update(self) -> list[str]:
        return [f"{self.array()}[:] = {self.combined(self.array(), self.array())}"]

    def rows(self) -> list[str]:
        axis = self.random.choice([0, 1, 2, -1])
        what = self.random.choice(["sum", "max", "min", "mean"])
        row, name = self.name("r"), self.name("v")
        source = self.array()
        lines = [
            f"{row} = np.{what}({source}, axis={axis}, keepdims=True)",
            f"{name} = {self.combined(self.random.choice([source, self.array()]), row)}",
        ]
        if what in ("sum", "mean"):
            lines[0] += " / 8"
        self.arrays.append(name)
        return lines

    def shifted(self) -> list[str]:
        axis = self.random.randrange(3)

        def part(name: str, key: str) -> str:
            return f"{name}[{', '.join(key if i == axis else ':' for i in range(3))}]"

        left = part(self.array(), self.random.choice(["2:", "1:-1", ":-2"]))
        right = part(self.array(), self.random.choice(["2:", "1:-1", ":-2"]))
        target = part(self.array(), self.random.choice(["2:", "1:-1", ":-2"]))
        return [f"{target} = {self.combined(left, right)}"]

    def loop(self) -> list[str]:
        """A loop over planes, forwards or backwards."""
        axis = self.random.choice([0, 1, 2, 2])
        size = "IJK"[axis]
        span = self.random.choice(
            [f"range(1, {size} - 1)", f"range({size} - 2, 0, -1)", f"range({size} - 2)"]
        )
        positions = (
            ["k", "k + 1", "k - 1"] if "range(1" in span or "-1)" in span else ["k", "k + 1"]
        )
        lines, local = [], []
        carried = None
        if self.random.random() < 0.5:
            carried = self.name("p")
            first = self.plane(self.array(), axis, "0")
            lines.append(f"{carried} = {first} + 0.0")
            local.append(carried)
        lines.append(f"for k in {span}:")
        for _ in range(self.random.randint(1, 4)):
            lines.append("    " + self.step(axis, positions, local, carried))
        return lines

    def step(self, axis: int, positions: list[str], local: list[str], carried: str | None) -> str:
        def operand() -> str:
            if local and self.random.random() < 0.4:
                return self.random.choice(local)
            return self.plane(self.array(), axis, self.random.choice(positions))

        chance = self.random.random()
        if chance < 0.15:
            edges = ["1:, :", ":-1, :"], [":, 1:", ":, :-1"]
            pair = self.random.choice(edges)
            keys = [self.random.choice(pair) for _ in range(3)]
            place = self.random.choice(positions)
            target, *sources = (self.edge(self.array(), axis, place, key) for key in keys)
            return f"{target} = {self.combined(*sources)}"
        value = self.combined(operand(), operand())
        if chance < 0.4:
            name = self.name("q")
            local.append(name)
            return f"{name} = {value}"
        if chance < 0.55 and carried is not None:
            return f"{carried}[:] = {value}"
        return f"{self.plane(self.array(), axis, self.random.choice(positions))} = {value}"

    def plane(self, name: str, axis: int, position: str) -> str:
        return f"{name}[{', '.join(position if i == axis else ':' for i in range(3))}]"

    def edge(self, name: str, axis: int, position: str, key: str) -> str:
        keys = key.split(", ")
        keys.insert(axis, position)
        return f"{name}[{', '.join(keys)}]"


def load(text: str, folder: Path, name: str) -> Callable[..., Any]:
    """The function of a program, from a file, for AutoGraph reads the source."""
    path = folder / f"{name}.py"
    path.write_text(text)
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module.f  # type: ignore[no-any-return]
