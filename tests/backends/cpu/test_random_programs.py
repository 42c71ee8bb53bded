"""Random programs on arrays that change in loops and branches: machine code against the interpreter.

What they look for is memory that is shared where it should not be.
"""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from agir.backends.reference import Interpreter
from agir.backends.stages import Compilation

SIZE = 6
ARRAY = f"tensor<{SIZE}xf64>"
PART = "tensor<3xf64>"


class Program:
    """Writes the text of a function from arrays to arrays."""

    def __init__(self, seed: int, kind: str) -> None:
        self.random = random.Random(seed)
        self.kind = kind
        self.lines: list[str] = []
        self.count = 0

    def text(self, arguments: int) -> str:
        names = [f"%x{i}" for i in range(arguments)]
        self.emit("%zero = arith.constant 0 : index")
        self.emit("%one = arith.constant 1 : index")
        self.emit("%three = arith.constant 3 : index")
        self.emit("%half = arith.constant 0.5 : f64")
        values = self.block(names, 4, 2)
        results = self.random.choices(values + names, k=3)
        self.emit(f"return {', '.join(results)} : {', '.join([self.kind] * 3)}")
        inputs = ", ".join(f"{name}: {self.kind}" for name in names)
        body = "\n".join(self.lines)
        return f"func.func @f({inputs}) -> ({', '.join([self.kind] * 3)}) {{\n{body}\n}}"

    def emit(self, line: str) -> None:
        self.lines.append(line)

    def fresh(self) -> str:
        self.count += 1
        return f"%v{self.count}"

    def block(self, values: list[str], length: int, depth: int) -> list[str]:
        """Statements after which more values can be used."""
        values = list(values)
        kinds = [self.elementwise, self.insert, self.slice, self.shift, self.total]
        for _ in range(self.random.randint(1, length)):
            choices = kinds + ([self.loop, self.iterations, self.branch] if depth else [])
            made = self.random.choice(choices)
            if made in (self.loop, self.iterations, self.branch):
                values += made(values, depth - 1)  # type: ignore[operator]
            else:
                values.append(made(values))  # type: ignore[operator]
        return values

    def pick(self, values: list[str]) -> str:
        return self.random.choice(values[-4:])

    def elementwise(self, values: list[str]) -> str:
        name, a, b = self.fresh(), self.pick(values), self.pick(values)
        operation = self.random.choice(["addf", "subf", "maximumf"])
        self.emit(f"{name} = arith.{operation} {a}, {b} : {self.kind}")
        return name

    def total(self, values: list[str]) -> str:
        """Adds the maximum of an array to all elements of another one."""
        number, name = self.fresh()[1:], self.fresh()
        a, b = self.pick(values), self.pick(values)
        self.emit(f"%e{number} = tensor.from_elements %half : tensor<1xf64>")
        self.emit(
            f"%c{number} = tensor.collapse_shape %e{number} [] : tensor<1xf64> into tensor<f64>"
        )
        self.emit(
            f"%m{number} = linalg.reduce {{arith.maximumf}} ins({a} : {self.kind})"
            f" outs(%c{number} : tensor<f64>) dimensions = [0]"
        )
        self.emit(f"%s{number} = tensor.extract %m{number}[] : tensor<f64>")
        self.emit(f"%d{number} = tensor.dim {b}, %zero : {self.kind}")
        size = f"[%d{number}]" if "?" in self.kind else ""
        self.emit(f"%b{number} = tensor.splat %s{number}{size} : {self.kind}")
        self.emit(f"{name} = arith.subf {b}, %b{number} : {self.kind}")
        return name

    def insert(self, values: list[str]) -> str:
        name, scalar = self.fresh(), self.fresh()
        source, target = self.pick(values), self.pick(values)
        self.emit(f"{scalar} = tensor.extract {source}[%one] : {self.kind}")
        self.emit(f"{name} = tensor.insert {scalar} into {target}[%three] : {self.kind}")
        return name

    def slice(self, values: list[str]) -> str:
        name, part = self.fresh(), self.fresh()
        i, j = self.random.choices(range(4), k=2)
        source, target = self.pick(values), self.pick(values)
        self.emit(f"{part} = tensor.extract_slice {source}[{i}][3][1] : {self.kind} to {PART}")
        self.emit(
            f"{name} = tensor.insert_slice {part} into {target}[{j}][3][1] : {PART} into {self.kind}"
        )
        return name

    def shift(self, values: list[str]) -> str:
        name, a, b, c = (self.fresh() for _ in range(4))
        i, j, k = self.random.choices(range(4), k=3)
        first, second, target = (self.pick(values) for _ in range(3))
        self.emit(f"{a} = tensor.extract_slice {first}[{i}][3][1] : {self.kind} to {PART}")
        self.emit(f"{b} = tensor.extract_slice {second}[{j}][3][1] : {self.kind} to {PART}")
        self.emit(f"{c} = arith.addf {a}, {b} : {PART}")
        self.emit(
            f"{name} = tensor.insert_slice {c} into {target}[{k}][3][1] : {PART} into {self.kind}"
        )
        return name

    def loop(self, values: list[str], depth: int) -> list[str]:
        number = self.fresh()[1:]
        starts = self.random.choices(values, k=self.random.randint(1, 3))
        names = [f"%{number}_{i}" for i in range(len(starts))]
        carried = ", ".join(f"{n} = {s}" for n, s in zip(names, starts, strict=True))
        types = ", ".join([self.kind] * len(names))
        self.emit(
            f"%{number}:{len(names)} = scf.for %i{number} = %zero to %three step %one"
            f" iter_args({carried}) -> ({types}) {{"
        )
        inner = self.block(values + names, 3, depth)
        yielded = ", ".join(self.pick(inner) for _ in names)
        self.emit(f"scf.yield {yielded} : {types}\n}}")
        return [f"%{number}#{i}" for i in range(len(names))]

    def iterations(self, values: list[str], depth: int) -> list[str]:
        number = self.fresh()[1:]
        starts = self.random.choices(values, k=self.random.randint(1, 2))
        names = [f"%{number}_{i}" for i in range(len(starts))]
        types = ", ".join([self.kind] * len(names) + ["index"])
        carried = ", ".join(f"{n} = {s}" for n, s in zip(names, starts, strict=True))
        header = f"({carried}, %k{number} = %zero) : ({types}) -> ({types})"
        self.emit(f"%{number}:{len(names) + 1} = scf.while {header} {{")
        before = self.block(values + names, 1, 0) if self.random.random() < 0.3 else names
        self.emit(f"%c{number} = arith.cmpi slt, %k{number}, %three : index")
        passed = ", ".join(self.random.choices(before, k=len(names)))
        self.emit(f"scf.condition(%c{number}) {passed}, %k{number} : {types}\n}} do {{")
        arguments = ", ".join(f"{name}: {self.kind}" for name in names)
        self.emit(f"^bb0({arguments}, %k{number}: index):")
        inner = self.block(values + names, 3, depth)
        yielded = ", ".join(self.pick(inner) for _ in names)
        self.emit(f"%n{number} = arith.addi %k{number}, %one : index")
        self.emit(f"scf.yield {yielded}, %n{number} : {types}\n}}")
        return [f"%{number}#{i}" for i in range(len(names))]

    def branch(self, values: list[str], depth: int) -> list[str]:
        number = self.fresh()[1:]
        self.emit(f"%e{number} = tensor.extract {self.pick(values)}[%zero] : {self.kind}")
        self.emit(f"%c{number} = arith.cmpf olt, %e{number}, %half : f64")
        self.emit(f"%{number} = scf.if %c{number} -> {self.kind} {{")
        self.emit(f"scf.yield {self.pick(self.block(values, 2, depth))} : {self.kind}")
        self.emit("} else {")
        self.emit(f"scf.yield {self.pick(self.block(values, 2, depth))} : {self.kind}\n}}")
        return [f"%{number}"]


def inputs() -> list[Any]:
    return [np.linspace(-1, 2, SIZE), np.linspace(3, -2, SIZE), np.ones(SIZE)]


def check(run: Any, text: str) -> None:
    compilation = Compilation.from_text(text, "hlo")
    expected = Interpreter(compilation.get("hlo")).call("f", *inputs())
    arguments = inputs()
    results = run(text, *arguments)
    for result, value in zip(results, expected, strict=True):
        np.testing.assert_allclose(result, value, rtol=1e-12)
    for argument, before in zip(arguments, inputs(), strict=True):
        np.testing.assert_array_equal(argument, before)


@pytest.mark.parametrize("seed", range(60))
def test_program(run: Any, seed: int) -> None:
    check(run, Program(seed, ARRAY if seed % 2 else "tensor<?xf64>").text(3))


@pytest.mark.parametrize("seed", range(40))
def test_results_in_arguments(run: Any, seed: int) -> None:
    """The first two results are written to the first two arguments, in one order or the other."""
    kind = ARRAY if seed % 2 else "tensor<?xf64>"
    text = Program(1000 + seed, kind).text(3)
    order = (0, 1) if seed % 3 else (1, 0)
    expected = Interpreter(Compilation.from_text(text, "hlo").get("hlo")).call("f", *inputs())
    for i in (0, 1):
        text = text.replace(f"%x{i}: {kind}", f"%x{i}: {kind} {{agir.writable}}", 1)
    kinds = [f"{kind} {{agir.destination = {n} : i64}}" for n in order] + [kind]
    text = text.replace(f"-> ({', '.join([kind] * 3)})", f"-> ({', '.join(kinds)})", 1)
    arguments = inputs()
    (returned,) = run(text, *arguments)
    for n, value in zip(order, expected, strict=False):
        np.testing.assert_allclose(arguments[n], value, rtol=1e-12)
    np.testing.assert_allclose(returned, expected[2], rtol=1e-12)
    np.testing.assert_array_equal(arguments[2], inputs()[2])
