"""Random NumPy functions of stencils of several stages.

An array has lost so many elements along each axis; two of them meet where both are cut to the same
sizes, each at places of its own.
"""

from __future__ import annotations

import random

Lost = tuple[int, ...]
MOST_LOST = 5


class Writer:
    """Writes the text of a function of two arrays of equal shapes, which it may change."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.rank = self.random.choice([1, 1, 2, 2, 3])
        self.arrays: dict[str, Lost] = {"a": (0,) * self.rank, "b": (0,) * self.rank}
        self.results: list[str] = []

    def text(self) -> str:
        lines = ["import numpy as np", "", "", "def f(a, b):"]
        kinds = [self.stage] * 6 + [self.update, self.total, self.line, self.every_other]
        for _ in range(self.random.randint(2, 7)):
            lines += [f"    {line}" for line in self.random.choice(kinds)()]
        lines += [f"    {line}" for line in self.stage()]
        last = next(reversed(self.arrays))
        self.results += self.random.sample(sorted(self.arrays), k=1)
        return "\n".join([*lines, f"    return {', '.join([last, *self.results])}", ""])

    def name(self) -> str:
        return f"v{len(self.arrays) + len(self.results)}"

    def array(self) -> str:
        return self.random.choice([*self.arrays][-4:])

    def cut(self, name: str, lost: Lost) -> str:
        """A part of an array that has lost so much."""
        keys = []
        for own, wanted in zip(self.arrays[name], lost, strict=True):
            first = self.random.randint(0, wanted - own)
            last = wanted - own - first
            keys.append(f"{first or ''}:{-last if last else ''}")
        return f"{name}[{', '.join(keys)}]" if set(keys) != {":"} else name

    def part(self) -> Lost:
        """What several arrays can be cut to."""
        found = [self.arrays[self.array()] for _ in range(2)]
        more = [
            min(MOST_LOST, max(each) + self.random.choice([0, 0, 1, 2]))
            for each in zip(*found, strict=True)
        ]
        return tuple(more)

    def expression(self, lost: Lost) -> str:
        names = [name for name in self.arrays if all(map(int.__le__, self.arrays[name], lost))]
        operands = [self.cut(self.random.choice(names[-4:]), lost) for _ in range(4)]
        text = operands[0]
        for other in operands[1 : self.random.randint(2, 4)]:
            text = self.random.choice(
                [
                    f"({text} + {other})",
                    f"({text} - {other} * 2)",
                    f"({text} * {other})",
                    f"np.where({text} == {other}, 0, {other})",
                    f"(-{text})",
                ]
            )
        return text

    def stage(self) -> list[str]:
        lost, name = self.part(), self.name()
        line = f"{name} = {self.expression(lost)}"
        self.arrays[name] = lost
        return [line]

    def update(self) -> list[str]:
        lost = self.part()
        names = [name for name in self.arrays if all(map(int.__le__, self.arrays[name], lost))]
        target = self.cut(self.random.choice(names[-4:]), lost)
        if "[" not in target:
            target += "[:]"
        return [f"{target} {self.random.choice(['=', '+='])} {self.expression(lost)}"]

    def total(self) -> list[str]:
        """How many elements are not zero: a sum that is the same in any order."""
        name = self.name()
        self.results.append(name)
        axis = self.random.choice(["", f"axis={self.random.randrange(self.rank)}"])
        return [f"{name} = ({self.expression(self.part())} != 0).sum({axis})"]

    def line(self) -> list[str]:
        """Differences of neighbouring lines."""
        name, array = self.name(), self.array()
        self.results.append(name)
        key = ", ".join([":"] * (self.rank - 1))
        lines = [f"{array}[{f'{key}, ' if key else ''}{k}:{k + 1}]" for k in (0, 1)]
        return [f"{name} = {lines[0]} * 2 + {lines[1]}[..., :1]"]

    def every_other(self) -> list[str]:
        name, array = self.name(), self.array()
        self.results.append(name)
        first = self.random.choice([0, 1])
        return [f"{name} = {array}[{first}::2] * 2 - {self.random.choice(['1', 'a.sum() * 0'])}"]
