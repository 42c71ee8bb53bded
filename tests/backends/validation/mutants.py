"""Passes with one mistake each, made from their source, and what validation says of them.

    python tests/backends/validation/mutants.py --first 0 --seeds 300 --changing 30 --reduce

A mutant changes one thing in the module of a pass, on a line that runs when one of the programs beside
this file is compiled: a comparison, a sign, a number, a condition, a statement that is left out
(`tests/mutations.py`), or an operation that the pass makes.  Which ones there are is known, and so is
their order.  For each that does not leave all programs as they are, a line says what becomes of it:

- ``pinned``: a call gives something else, and validation names a pass of that module;
- ``elsewhere``: it names another one; ``missed``: it names none, or the machine code fails;
- ``failing``: the pass raises, makes no module, does not end, or ends the process, and is named;
- ``failing elsewhere``: that happens to another pass.

With ``--reduce``, the program of one that is pinned is made smaller, as long as validation says the
same.
"""

from __future__ import annotations

import argparse
import ast
import collections
import hashlib
import importlib
import inspect
import json
import random
import re
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import CodeType, FrameType, FunctionType, ModuleType
from typing import Any

import agir as ag
from agir.backends.cpu.pipelines import PIPELINES
from agir.backends.mlir.passes import announced, pass_name, step_of
from agir.backends.stages import Compilation
from agir.tools import judging, reduce, smaller_python, verdicts
from agir.tools.forked import judged
from agir.tools.isolation import Limits
from agir.tools.verdicts import Tell

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
sys.path.insert(0, str(Path(__file__).resolve().parent))
import mutations
import programs
from mutations import ROOT, Mutation

OTHERS = {
    "arith.addi": "arith.subi", "arith.subi": "arith.addi", "arith.muli": "arith.addi",
    "arith.addf": "arith.mulf", "arith.mulf": "arith.addf", "arith.subf": "arith.addf",
    "arith.maxsi": "arith.minsi", "arith.minsi": "arith.maxsi", "arith.minui": "arith.maxui",
    "arith.andi": "arith.ori", "arith.ori": "arith.andi", "arith.xori": "arith.andi",
    "arith.remsi": "arith.divsi", "arith.divui": "arith.remui", "arith.shrsi": "arith.shrui",
    "arith.extui": "arith.extsi", "arith.divsi": "arith.ceildivsi",
    "slt": "sle", "sle": "slt", "sgt": "sge", "sge": "sgt", "eq": "ne", "ne": "eq", "ult": "ule",
    "ule": "ult", "oeq": "une", "olt": "ole", "ogt": "oge",
}  # fmt: skip
UNEQUAL = ("arith.subi", "arith.subf", "arith.select", "arith.remsi", "arith.divui", "arith.shrsi")
"""Operations whose last two operands may not change places."""
MADE = ("operation", "operands", "made constant")
"""Kinds of mistakes in what a pass makes; the others are in what it decides."""
LIMITS, BRIEF = Limits(30.0), Limits(5.0)
CHANGING = ("pinned", "elsewhere", "missed")
"""What becomes of mutants that change what a call gives."""
ENOUGH = 0.9
"""The part of them that has to be pinned."""
MOST = 8
"""Programs on which a mutant is tried at most."""
SAME = "same"


class _Places(mutations.Places):
    """What can be changed in a pass: names of operations and predicates, too, but no subscripts.

    Other subscripts have Python raise.
    """

    def visit_Subscript(self, node: ast.Subscript) -> None:
        """What is subscripted may be changed."""
        self.visit(node.value)

    def visit_Constant(self, node: ast.Constant) -> None:
        """Another operation, predicate or number."""
        if isinstance(node.value, str):
            if node.value in OTHERS:
                self.add("operation", node.lineno, *self.span(node), repr(OTHERS[node.value]))
        else:
            super().visit_Constant(node)

    def visit_Call(self, node: ast.Call) -> None:
        """Operands that change places, and other constants."""
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        *_, one, other = (None, None, *node.args)
        if name == "compare" and len(node.args) == 3:
            self._swapped(node.args[0], node.args[2])
        elif name == "op" and isinstance(node.args[0], ast.Constant):
            if node.args[0].value in UNEQUAL and one is not None and other is not None:
                self._swapped(one, other)
        elif name in ("constant", "index_constant") and isinstance(other, ast.Constant):
            self.add("made constant", other.lineno, *self.span(other), f"{other.value} + 1")
        self.generic_visit(node)

    def _swapped(self, one: ast.expr, other: ast.expr) -> None:
        if isinstance(one, ast.Starred) or isinstance(other, ast.Starred):
            return
        (start, middle), (again, end) = self.span(one), self.span(other)
        texts = [self.text(*each) for each in ((start, middle), (middle, again), (again, end))]
        self.add("operands", one.lineno, start, end, "".join(reversed(texts)))


@dataclass(frozen=True)
class Fate:
    """What becomes of a mutant, by the program that shows it."""

    kind: str
    program: Traced | None = None
    verdict: str = ""


# --- the passes --------------------------------------------------------------------------


def passes() -> dict[str, set[str]]:
    """By the file of a module the names of the passes that it has."""
    steps = [step_of(item) for pipeline, _ in PIPELINES.values() for item in pipeline]
    found: dict[str, set[str]] = collections.defaultdict(set)
    for step in steps:
        if not isinstance(step, str):
            file = inspect.getsourcefile(inspect.unwrap(step))
            found[str(Path(file or "").resolve().relative_to(ROOT))].add(pass_name(step))
    return found


def mutants(file: str) -> list[Mutation]:
    """The mistakes that can be made in a file, in their order."""
    kinds = mutations.places(ROOT / file, _Places)
    return sorted(
        (each for found in kinds.values() for each in found), key=lambda m: (m.start, m.kind)
    )


@contextmanager
def applied(mutation: Mutation) -> Iterator[None]:
    """While the module has the mistake."""
    module = importlib.import_module("agir." + mutation.file[: -len(".py")].replace("/", "."))
    file = ROOT / mutation.file
    changed = _codes(compile(mutation.applied(file.read_bytes()), str(module.__file__), "exec"))
    before = {f: f.__code__ for f in _functions(module)}
    try:
        for function in before:
            code = changed.get(function.__qualname__)
            if code is not None and len(code.co_freevars) == len(function.__code__.co_freevars):
                function.__code__ = code
        yield
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
        own = vars(each).values() if isinstance(each, type) else (each,)
        for value in own:
            value = value.fget if isinstance(value, property) else value
            found = inspect.unwrap(value) if callable(value) else None
            if isinstance(found, FunctionType) and found.__module__ == module.__name__:
                yield found


class Traced:
    """A program, and what it is compiled to; which is found out in a child of this process."""

    def __init__(self, program: Any, files: set[str]) -> None:
        self._program = program
        self.name = program.__name__
        given = programs.values(program)
        self.module = ag.jit(program).get_concrete_function(*given).compilation.get("hlo")
        begun = time.monotonic()
        told = judged(partial(_observed, self.module, files), LIMITS)
        self.seconds = time.monotonic() - begun
        self.code, self._lines = json.loads(told)

    def runs(self, mutation: Mutation) -> bool:
        """Whether the line of a mutant runs when it is compiled."""
        return mutation.line in self._lines[mutation.file]

    def tree(self) -> ast.Module:
        """The program as `reduce` takes it."""
        return smaller_python.program(
            programs.source(self._program), programs.arguments(self._program)
        )


# --- in a child of this process, which has no threads and compiles nothing itself --------


def code(module: Any) -> str:
    """What names the code that a traced program is compiled to."""
    return hashlib.sha256(str(Compilation.from_module(module).get("llvm")).encode()).hexdigest()


def _observed(module: Any, files: set[str], tell: Tell) -> str:
    """The code of a program, and the lines that run when it is compiled, as JSON."""
    lines: dict[str, set[int]] = {file: set() for file in files}
    known = {str(ROOT / file): found for file, found in lines.items()}

    def trace(frame: FrameType, event: str, argument: Any) -> Any:
        found = known.get(frame.f_code.co_filename)
        if found is None:
            return None
        found.add(frame.f_lineno)
        return trace

    sys.settrace(trace)
    found = code(module)
    sys.settrace(None)
    return json.dumps([found, {file: sorted(found) for file, found in lines.items()}])


def _judged(mutation: Mutation, program: Traced, tell: Tell) -> str:
    """What is wrong with a program, if its code has become another."""
    with applied(mutation):
        try:
            with announced(lambda stage, name: tell(verdicts.in_pass(stage, name))):
                if code(program.module) == program.code:
                    return SAME
        except Exception:
            pass  # which pass that was is found out now
        return _verdict(smaller_python.text(program.tree()), program.name, tell)


def _again(mutation: Mutation, text: str, name: str, tell: Tell) -> str:
    with applied(mutation):
        return _verdict(text, name, tell)


def _verdict(text: str, name: str, tell: Tell) -> str:
    return judging.verdict({"source": text, "function": name, "convention": "jit"}, tell)


# --- in this process ---------------------------------------------------------------------


class Bench:
    """The programs as the passes compile them, and the mutants on the lines that run then."""

    def __init__(self, chosen: list[Any]) -> None:
        judging.prepare()
        self._passes = passes()
        files = set(self._passes)
        traced = [Traced(each, files) for each in chosen]
        self._programs = sorted(traced, key=lambda each: each.seconds)

    def mutants(self, of: str | None) -> list[Mutation]:
        """All of them, or those of a pass, in an order that is always the same.

        Those in what passes make come first, and the passes take turns.
        """
        chance, turns = random.Random(0), []
        for file in sorted(f for f, names in self._passes.items() if of is None or of in names):
            found = [each for each in mutants(file) if self.reaching(each)]
            chance.shuffle(found)
            for is_decision in (False, True):
                own = [each for each in found if (each.kind not in MADE) == is_decision]
                turns += [(is_decision, turn, each) for turn, each in enumerate(own)]
        return [each for *_, each in sorted(turns, key=lambda turn: turn[:2])]

    def reaching(self, mutation: Mutation) -> list[Traced]:
        """Programs that run the line of a mutant, those that are compiled soonest."""
        return [each for each in self._programs if each.runs(mutation)][:MOST]

    def fate(self, mutation: Mutation) -> Fate:
        """What becomes of a mutant: of the first program that it changes."""
        for program in self.reaching(mutation):
            verdict = judged(partial(_judged, mutation, program), LIMITS)
            if verdict not in (SAME, verdicts.FINE):
                return Fate(self._kind(mutation, verdict), program, verdict)
        return Fate(SAME)

    def _kind(self, mutation: Mutation, verdict: str) -> str:
        named = re.search(r"the pass '([^']*)'", verdict)
        is_own = named is not None and named[1] in self._passes[mutation.file]
        if verdict.endswith("changes what it gives"):
            return "pinned" if is_own else "elsewhere"
        if named is None:
            return "missed"
        return "failing" if is_own else "failing elsewhere"


def reduced(mutation: Mutation, fate: Fate) -> str:
    """The smallest program found of which validation says the same."""
    assert fate.program is not None
    name = fate.program.name

    def fails(text: str) -> bool:
        return judged(partial(_again, mutation, text, name), BRIEF) == fate.verdict

    return reduce.smallest(fate.program.tree(), name, fails)[0]


def main() -> int:
    """Judge mutants, and print what becomes of those that change something."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--seeds", type=int, default=300)
    parser.add_argument(
        "--changing", type=int, help="enough of those that change what a call gives"
    )
    parser.add_argument("--only", type=int, nargs="+", help="only mutants of these numbers")
    parser.add_argument("--pass", dest="of", help="only mutants of this pass")
    parser.add_argument("--program", help="only this program")
    parser.add_argument("--reduce", action="store_true")
    options = parser.parse_args()
    bench = Bench([p for p in programs.PROGRAMS if options.program in (None, p.__name__)])
    found = bench.mutants(options.of)
    counts: collections.Counter[str] = collections.Counter()
    lengths: list[int] = []
    print(len(found), "mutants", flush=True)
    numbers = options.only or range(options.first, min(options.first + options.seeds, len(found)))
    for number in numbers:
        mutation = found[number]
        fate = bench.fate(mutation)
        counts[fate.kind] += 1
        if fate.kind == SAME:
            continue
        what = f"{mutation.file}:{mutation.line}: {mutation.kind}: {mutation.text}"
        print(
            number,
            fate.kind,
            what,
            f"{fate.program and fate.program.name}: {fate.verdict}",
            sep=" | ",
            flush=True,
        )
        if options.reduce and fate.kind == "pinned":
            text = reduced(mutation, fate)
            lengths.append(len(text.splitlines()))
            print("    " + text.replace("\n", "\n    "), flush=True)
        changing = sum(counts[kind] for kind in CHANGING)
        if options.changing and changing >= options.changing:
            break
    print(dict(counts), "lines:", sorted(lengths))
    return int(counts["pinned"] < ENOUGH * sum(counts[kind] for kind in CHANGING))


if __name__ == "__main__":
    sys.exit(main())
