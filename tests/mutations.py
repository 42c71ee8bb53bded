"""Which mistakes the tests find: small changes of the product's source, each of which breaks it.

    python tests/mutations.py [--seed 1] [--count 40] [--results mutations.json]

draws places of the product by chance, a quarter in each layer, changes one at a time in a copy of the
checkout (a comparison, a sign, a number, a condition, a statement that is left out) and runs the tests
that concern the file (`tests/changed.py`), until some fail.  Files that only a whole room tests are
left out: that takes minutes.  What no test finds counts only if
the tests get there: an exception in its place has to be found.  The results so far are kept, so that
it can be run in pieces, and ``--again`` runs the mutations of the results once more.
"""

from __future__ import annotations

import argparse
import ast
import itertools
import json
import os
import random
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

if __package__:
    from . import changed
else:
    import changed

ROOT = Path(__file__).resolve().parents[1]
LAYERS = ("autograph", "ir", "backends", "runtime")
ENOUGH = 3
"""Failures after which no more tests are run."""
SECONDS = 300
"""Of the processor's time: tests that take longer do not end any more."""
OPERATORS: dict[type[ast.cmpop], tuple[str, str]] = {
    ast.Lt: ("<", "<="), ast.LtE: ("<=", "<"), ast.Gt: (">", ">="), ast.GtE: (">=", ">"),
    ast.Eq: ("==", "!="), ast.NotEq: ("!=", "=="), ast.Is: ("is", "is not"),
    ast.IsNot: ("is not", "is"), ast.In: ("in", "not in"), ast.NotIn: ("not in", "in"),
}  # fmt: skip


@dataclass(frozen=True)
class Mutation:
    """Other text at a place of a file; the lines stay what they are."""

    file: str
    line: int
    kind: str
    start: int
    end: int
    """Of the text that is replaced, in bytes."""
    text: str
    statement: tuple[int, int]
    """The place of the statement around."""

    def applied(self, source: bytes) -> bytes:
        """The file with the mistake."""
        return _replaced(source, self.start, self.end, self.text)

    def reached(self, source: bytes) -> bytes:
        """The file with an exception in the place of the statement, or before it."""
        start, end = self.statement
        head = source[start:end].split(b"\n", 1)[0]
        if re.match(rb"(if|elif|while)\b", head):
            return _replaced(source, start, end, _of_condition(source[start:end].decode()))
        return _replaced(source, start, end, 'raise AssertionError("reached")')


def _of_condition(statement: str) -> str:
    """An `if` or `while` whose test raises."""
    word = statement.partition(" ")[0]
    body = statement[len(word) :].lstrip()
    named = re.match(r"\w+ := ", body)  # of which no part of a test is made
    at = 0 if named is None else named.end()
    return f"{word} {body[:at]}[].reached or {body[at:]}"


def _replaced(source: bytes, start: int, end: int, text: str) -> bytes:
    missing = source[start:end].count(b"\n") - text.count("\n")
    return source[:start] + text.encode() + b"\n" * missing + source[end:]


class Places(ast.NodeVisitor):
    """What can be changed in a file, by kinds."""

    def __init__(self, file: str, source: bytes) -> None:
        self.found: dict[str, list[Mutation]] = {}
        self._file = file
        self._source = source
        lines = source.splitlines(keepends=True)
        self._begin = [0]
        for line in lines:
            self._begin.append(self._begin[-1] + len(line))
        self._statement: ast.stmt | None = None

    def _at(self, line: int, column: int) -> int:
        return self._begin[line - 1] + column

    def span(self, node: ast.expr | ast.stmt) -> tuple[int, int]:
        """Where a piece of the source is, in bytes."""
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        start = self._at(node.lineno, node.col_offset)
        return start, self._at(node.end_lineno, node.end_col_offset)

    def text(self, start: int, end: int) -> str:
        """The text at a place."""
        return self._source[start:end].decode()

    def add(self, kind: str, line: int, start: int, end: int, text: str) -> None:
        """Note what can be changed, if an exception can take the statement's place."""
        if self._statement is None or isinstance(self._statement, ast.For | ast.With | ast.Try):
            return
        mutation = Mutation(self._file, line, kind, start, end, text, self.span(self._statement))
        self.found.setdefault(kind, []).append(mutation)

    def _between(self, left: ast.expr, right: ast.expr, old: str, kind: str, new: str) -> None:
        """Other text between two operands."""
        start, end = self.span(left)[1], self.span(right)[0]
        text = self._source[start:end].decode()
        place = re.search(r"\s+".join(map(re.escape, old.split())), text)
        if place and "#" not in text:
            at = start + place.start()
            self.add(kind, left.lineno, at, start + place.end(), new)

    def visit(self, node: ast.AST) -> None:
        """Only what functions do is changed, and neither types nor texts."""
        if isinstance(node, ast.FunctionDef):
            for each in node.body:
                self._within(each)
        elif isinstance(node, ast.ClassDef | ast.Module):
            for each in node.body:
                if isinstance(each, ast.FunctionDef | ast.ClassDef):
                    self.visit(each)
        else:
            super().visit(node)

    def _within(self, statement: ast.stmt) -> None:
        if isinstance(statement, ast.AnnAssign | ast.Raise | ast.Import | ast.ImportFrom):
            return
        around, self._statement = self._statement, statement
        if isinstance(statement, ast.FunctionDef | ast.ClassDef):
            self._statement = None
        if isinstance(statement, ast.AugAssign) or (
            isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call)
        ):
            self.add("statement left out", statement.lineno, *self.span(statement), "pass")
        if isinstance(statement, ast.If | ast.While):
            start, end = self.span(statement.test)
            text = self._source[start:end].decode()
            self.add("condition negated", statement.lineno, start, end, f"not ({text})")
        self.visit(statement)
        self._statement = around

    def generic_visit(self, node: ast.AST) -> None:
        """Statements inside of others are statements of their own."""
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.stmt):
                self._within(child)
            else:
                self.visit(child)

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        """Texts stay what they are."""

    def visit_Compare(self, node: ast.Compare) -> None:
        """Another comparison."""
        for left, operator, right in zip(
            (node.left, *node.comparators), node.ops, node.comparators, strict=False
        ):
            old, new = OPERATORS[type(operator)]
            self._between(left, right, old, "comparison", new)
        self.generic_visit(node)

    def visit_BinOp(self, node: ast.BinOp) -> None:
        """Another sign."""
        signs = {ast.Add: ("+", "-"), ast.Sub: ("-", "+")}
        if type(node.op) in signs:
            self._between(node.left, node.right, *_with("sign", *signs[type(node.op)]))
        self.generic_visit(node)

    def visit_BoolOp(self, node: ast.BoolOp) -> None:
        """`and` in the place of `or`."""
        if len(node.values) == 2:
            words = ("and", "or") if isinstance(node.op, ast.And) else ("or", "and")
            self._between(*node.values, *_with("and, or", *words))
        self.generic_visit(node)

    def visit_Constant(self, node: ast.Constant) -> None:
        """Another number, or truth."""
        value = node.value
        if isinstance(value, int):
            new = not value if isinstance(value, bool) else value + 1
            self.add("constant", node.lineno, *self.span(node), repr(new))


def _with(kind: str, old: str, new: str) -> tuple[str, str, str]:
    return old, kind, new


def places(file: Path, visitor: type[Places] = Places) -> dict[str, list[Mutation]]:
    """What can be changed in a file, by kinds."""
    source = file.read_bytes()
    found = visitor(str(file.relative_to(ROOT)), source)
    found.visit(ast.parse(source))
    return found.found


def drawn(seed: int) -> Iterator[Mutation]:
    """Mutations by chance: of the layers in turn, of any file with any kind of them."""
    chance = random.Random(seed)
    files = {
        layer: [path for path in sorted((ROOT / layer).rglob("*.py")) if _has_tests(path)]
        for layer in LAYERS
    }
    while True:
        for layer in LAYERS:
            by_kind = places(chance.choice(files[layer]))
            mutations = by_kind[chance.choice(sorted(by_kind))]
            yield chance.choice(mutations)


def _has_tests(file: Path) -> bool:
    """Whether there are tests of this file, and not of its room only, and something to change."""
    return all(path.is_file() for path in changed.concerned([file])) and bool(places(file))


class Checkout:
    """A copy of the checkout, in which files are changed and tests run."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        names = subprocess.run(
            ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
            cwd=ROOT, capture_output=True, text=True, check=True,
        ).stdout.splitlines()  # fmt: skip
        for name in names:
            if (ROOT / name).is_file():
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(ROOT / name, folder / name)

    def failures(self, file: str, change: Callable[[bytes], bytes], enough: int) -> list[str]:
        """The tests that fail while the file is changed."""
        path = self._folder / file
        source = path.read_bytes()
        changed = change(source)
        ast.parse(changed)
        path.write_bytes(changed)
        try:
            return self._run(file, enough)
        finally:
            path.write_bytes(source)

    def _run(self, file: str, enough: int) -> list[str]:
        env = {**os.environ, "PYTHONPATH": str(self._folder)}
        env.pop("PYTHONDONTWRITEBYTECODE", None)  # the copy is compiled once
        named = subprocess.run(
            [sys.executable, "-c", _CONCERNED, file],
            cwd=self._folder / "tests", capture_output=True, text=True, check=True, env=env,
        ).stdout.split()  # fmt: skip
        done = subprocess.run(
            [sys.executable, "-m", "pytest", "-n0", "-q", "-rfE", "--tb=no", "-pno:cacheprovider",
             f"--maxfail={enough}", *named],
            cwd=self._folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=env,
            preexec_fn=_limited,
        )  # fmt: skip
        if done.returncode < 0:
            return [f"all of {' '.join(named)}: signal {-done.returncode}"]
        found = re.findall(r"^(?:FAILED|ERROR) (\S+)", done.stdout, re.M)
        if done.returncode not in (0, 5) and not found:
            found = [f"all of {' '.join(named)}: exit code {done.returncode}"]
        return found


_CONCERNED = """
import sys
import changed
found = changed.concerned([changed.ROOT / sys.argv[1]])
print(*(each for each in found if each.name not in ("test_layers.py", "test_layout.py")))
"""


def _limited() -> None:
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))


@dataclass
class Result:
    """What became of a mutation."""

    mutation: Mutation
    found_by: list[str]
    is_reached: bool
    seconds: float

    def __str__(self) -> str:
        many = "or more " if len(self.found_by) >= ENOUGH else ""
        end = f"found by {len(self.found_by)} {many}tests" if self.found_by else "NOT found"
        if not self.is_reached:
            end = "no test gets there"
        where = f"{self.mutation.file}:{self.mutation.line}"
        return f"{where}: {self.mutation.kind} -> {self.mutation.text!r}: {end}"


def tried(checkout: Checkout, mutation: Mutation) -> Result:
    """Run the tests on a mutation."""
    begun = time.monotonic()
    found = checkout.failures(mutation.file, mutation.applied, ENOUGH)
    is_reached = bool(found) or bool(checkout.failures(mutation.file, mutation.reached, 1))
    return Result(mutation, found, is_reached, round(time.monotonic() - begun, 1))


def _known(path: Path) -> list[Result]:
    if not path.exists():
        return []
    return [
        Result(
            Mutation(**{**each["mutation"], "statement": tuple(each["mutation"]["statement"])}),
            each["found_by"], each["is_reached"], each["seconds"],
        )
        for each in json.loads(path.read_text())
    ]  # fmt: skip


def _run(results: Path, wanted: int, mutations: Iterator[Mutation], done: list[Result]) -> None:
    with tempfile.TemporaryDirectory(prefix="agir-mutations-") as folder:
        checkout = Checkout(Path(folder))
        for mutation in mutations:
            if sum(each.is_reached for each in done) >= wanted:
                break
            if any(each.mutation == mutation for each in done):
                continue
            done.append(tried(checkout, mutation))
            print(done[-1], flush=True)
            results.write_text(json.dumps([asdict(each) for each in done], indent=1) + "\n")
    reached = [each for each in done if each.is_reached]
    found = [each for each in reached if each.found_by]
    print(f"{len(found)} of {len(reached)} mutations are found")


def main(arguments: Sequence[str] | None = None) -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=40, help="mutations that tests get to")
    parser.add_argument("--part", type=int, default=0, help="of several processes: which one ...")
    parser.add_argument("--parts", type=int, default=1, help="... of how many this is")
    parser.add_argument("--results", type=Path, default=Path("mutations.json"))
    parser.add_argument("--again", type=Path, help="results whose mutations are run once more")
    options = parser.parse_args(arguments)
    mutations = drawn(options.seed)
    if options.again:
        mutations = iter([each.mutation for each in _known(options.again) if each.is_reached])
    mutations = itertools.islice(mutations, options.part, None, options.parts)
    _run(options.results, options.count, mutations, _known(options.results))


if __name__ == "__main__":
    main()
