"""Passes with one mistake each, made from their source, and what validation says of them.

    python tests/backends/validation/mutants.py --seeds 200 --first 0

A mutant changes one thing in one module of `backends/cpu/passes`: a comparison or an operation becomes
another, a number is off by one, a condition is turned round or left out.  Of each it prints one line:
``pinned`` (validation names a pass of that module), ``elsewhere`` (it names another one), ``missed``
(a call gives something wrong, and nothing was named), ``raised`` (the pass fails) or ``same``.
"""

from __future__ import annotations

import argparse
import ast
import collections
import copy
import importlib
import inspect
import json
import pkgutil
import random
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np

import agir as ag
from agir.backends import validation
from agir.backends.cpu import passes
from agir.backends.cpu.pipelines import PIPELINES
from agir.backends.mlir.passes import pass_name, step_of

sys.path.insert(0, str(Path(__file__).parent))
from programs import PROGRAMS

_OTHERS = {
    "arith.addi": "arith.subi", "arith.subi": "arith.addi", "arith.addf": "arith.mulf",
    "arith.mulf": "arith.addf", "arith.maxsi": "arith.minsi", "arith.minsi": "arith.maxsi",
    "arith.andi": "arith.ori", "arith.ori": "arith.andi", "arith.muli": "arith.addi",
    "slt": "sle", "sle": "slt", "sgt": "sge", "sge": "sgt", "eq": "ne", "ne": "eq",
    "ult": "ule", "oeq": "une",
}  # fmt: skip
_PATIENCE, _CHUNK = 1500, 25


@dataclass(frozen=True)
class Mutant:
    """The mistake of that number in a module."""

    module: str
    number: int


class _Mutation(ast.NodeTransformer):
    """Makes one mistake; without a number it counts those that can be made."""

    def __init__(self, number: int | None) -> None:
        self.number = number
        self.count = 0
        self.told = ""

    def _is_it(self, node: Any, what: str) -> bool:
        found = self.count == self.number
        self.count += 1
        if found:
            self.told = f"line {node.lineno}: {what}"
        return found

    def visit_Constant(self, node: ast.Constant) -> ast.expr:
        if type(node.value) is str and node.value in _OTHERS:
            other = _OTHERS[node.value]
            if self._is_it(node, f"{node.value} becomes {other}"):
                return ast.copy_location(ast.Constant(other), node)
        if type(node.value) is int and 0 <= node.value <= 2:
            if self._is_it(node, f"{node.value} becomes {node.value + 1}"):
                return ast.copy_location(ast.Constant(node.value + 1), node)
        return node

    def visit_If(self, node: ast.If) -> Any:
        self.generic_visit(node)
        if self._is_it(node, "the condition is turned round"):
            test = ast.copy_location(ast.UnaryOp(ast.Not(), node.test), node)
            return ast.copy_location(ast.If(test, node.body, node.orelse), node)
        return node

    def visit_BoolOp(self, node: ast.BoolOp) -> Any:
        self.generic_visit(node)
        if self._is_it(node, "a part of the condition is left out"):
            return node.values[0]
        return node

    def visit_Compare(self, node: ast.Compare) -> Any:
        self.generic_visit(node)
        swapped = {ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt}
        kind = swapped.get(type(node.ops[0]))
        if kind is not None and self._is_it(node, "the comparison takes in the end, or does not"):
            return ast.copy_location(ast.Compare(node.left, [kind()], node.comparators), node)
        return node


def modules() -> list[str]:
    """The modules of passes, which have names of their own in the pipelines."""
    found = pkgutil.walk_packages(passes.__path__, f"{passes.__name__}.")
    return [each.name for each in found if not each.ispkg and names_of(each.name)]


def names_of(module: str) -> set[str]:
    """The passes that a module defines."""
    steps = [step_of(item) for pipeline, _ in PIPELINES.values() for item in pipeline]
    own = (step for step in steps if not isinstance(step, str) and step.__module__ == module)
    return {pass_name(step) for step in own}


def of_seed(seed: int) -> Mutant:
    """A mutant that is found by its seed."""
    chosen = random.Random(seed)
    module = chosen.choice(modules())
    counting = _Mutation(None)
    counting.visit(_tree(module))
    return Mutant(module, chosen.randrange(max(counting.count, 1)))


def _tree(module: str) -> ast.Module:
    return ast.parse(inspect.getsource(importlib.import_module(module)))


@contextmanager
def applied(mutant: Mutant) -> Iterator[str]:
    """While the module has the mistake, which is told."""
    module = importlib.import_module(mutant.module)
    mutation = _Mutation(mutant.number)
    tree = ast.fix_missing_locations(mutation.visit(_tree(mutant.module)))
    changed = _codes(compile(tree, str(module.__file__), "exec"))
    before = {f: f.__code__ for f in _functions(module)}
    try:
        for function in before:
            code = changed.get(function.__qualname__)
            if code is not None and len(code.co_freevars) == len(function.__code__.co_freevars):
                function.__code__ = code
        yield mutation.told
    finally:
        for function, code in before.items():
            function.__code__ = code


def _codes(code: CodeType) -> dict[str, CodeType]:
    found = {}
    for each in code.co_consts:
        if isinstance(each, CodeType):
            found[each.co_qualname] = each
            found |= _codes(each)
    return found


def _functions(module: ModuleType) -> Iterator[FunctionType]:
    for each in vars(module).values():
        if isinstance(each, type) and each.__module__ == module.__name__:
            yield from (f for f in vars(each).values() if isinstance(f, FunctionType))
        elif isinstance(each, FunctionType) and each.__module__ == module.__name__:
            yield each


def judged(mutant: Mutant) -> tuple[str, str]:
    """What becomes of a mutant, and how that is known."""
    needing = _needing(names_of(mutant.module))  # found out before there is a mistake
    with applied(mutant) as told, ag.config.scope(backend="validated", cache=False):
        for program, arguments in needing:
            verdict = _of_program(program, arguments, mutant)
            if verdict is not None:
                return verdict[0], f"{told}; {program.__name__}: {verdict[1]}"
    return "same", told


@cache
def _changed() -> dict[Any, set[str]]:
    """Of each program the passes that change it, as they are."""
    found = {}
    with ag.config.scope(backend="validated", cache=False):
        for program, arguments in PROGRAMS.items():
            with validation.collecting() as validations:
                ag.jit(program)(*copy.deepcopy(arguments))
            found[program] = {name for each in validations for _, name in each.checked}
    return found


def _needing(names: set[str]) -> list[tuple[Any, Any]]:
    """The programs that one of these passes changes."""
    return [(each, PROGRAMS[each]) for each, changed in _changed().items() if changed & names]


def _of_program(program: Any, arguments: Any, mutant: Mutant) -> tuple[str, str] | None:
    expected_arguments, own = copy.deepcopy(arguments), copy.deepcopy(arguments)
    expected = program(*expected_arguments)
    with validation.collecting() as found:
        try:
            result = ag.jit(program)(*own)
        except Exception as error:
            return "raised", repr(error)[:100]
    finding = next((each.finding for each in found if each.finding), None)
    if finding is not None:
        way = "pinned" if finding.name in names_of(mutant.module) else "elsewhere"
        return way, f"{finding.name}: {finding.difference}"
    if not (_is_equal(result, expected) and _is_equal(list(own), list(expected_arguments))):
        return "missed", f"{result} for {expected}"[:200]
    return None


def _is_equal(one: Any, other: Any) -> bool:
    if isinstance(other, (tuple, list)):
        return len(one) == len(other) and all(map(_is_equal, one, other))
    if isinstance(other, dict):
        return list(one) == list(other) and all(_is_equal(one[key], other[key]) for key in other)
    return bool(np.allclose(one, other, equal_nan=True))


def main() -> int:
    """Judge mutants, each chunk of them in a process of its own."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--seeds", type=int, default=50)
    parser.add_argument("--worker", action="store_true")
    options = parser.parse_args()
    last = options.first + options.seeds
    if options.worker:
        for seed in range(options.first, last):
            mutant = of_seed(seed)
            where = [mutant.module.rpartition(".")[2], mutant.number]
            print(json.dumps([seed, *where, "began", ""]), flush=True)
            print(json.dumps([seed, *where, *judged(mutant)]), flush=True)
        return 0
    counts: collections.Counter[str] = collections.Counter()
    first = options.first
    while first < last:
        lines = _judged_elsewhere(first, last)
        for line in lines:
            counts[line[3]] += 1
            print(*line, flush=True)
        first = lines[-1][0] + 1
    print(dict(counts))
    return 0


def _judged_elsewhere(first: int, last: int) -> list[list[Any]]:
    """The lines of seeds from a first one on, up to one that has ended the process."""
    seeds = str(min(last - first, _CHUNK))
    command = [sys.executable, __file__, "--worker", "--first", str(first), "--seeds", seeds]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=_PATIENCE)
        text, way = done.stdout, f"{done.returncode} {done.stderr[-200:]}"
    except subprocess.TimeoutExpired as error:
        text, way = (error.stdout or b"").decode(), "endless"
    lines = [json.loads(line) for line in text.splitlines()]
    found = [line for line in lines if line[3] != "began"]
    if not lines or lines[-1][3] == "began":
        found.append([*(lines[-1][:3] if lines else (first, "?", 0)), "crashed", way])
    return found


if __name__ == "__main__":
    sys.exit(main())
