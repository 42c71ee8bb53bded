"""Runs a program as plain Python and decorated, and compares all that can be seen of the calls."""

from __future__ import annotations

import ast
import contextlib
import copy
import io
import itertools
import linecache
import sys
import time
import warnings
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from program_writer import PRELUDE, Writer

import agir as ag
from agir.autograph import operators
from agir.ir.staging import MLIRStaging

INPUTS = [
    (0, 0, 0.0, [4, -1, 7, 0, 2]),
    (3, 1, 1.5, [0, 0, 3, -2, 11]),
    (-7, 12, -2.25, [1, 2, 3, 4, 5]),
    (100, -5, 8.0, [-9, 8, 0, 1, 1]),
]
SHORT = (5, 2, 0.5, [6, -3])
"""A further input of the modes that take arrays of any length."""
FUEL = 30_000
"""Lines that a program may run: what is left of one when statements are dropped may not end."""


@dataclass(frozen=True)
class Outcome:
    """What is seen of one call."""

    kind: str
    """``returned``, or the name of the exception's class."""
    value: Any = None
    array: Any = None
    printed: str | None = None
    error: BaseException | None = field(default=None, compare=False)


class Endless(Exception):
    """The program does not end."""


class Refused(Exception):
    """agir says that it cannot record the program."""


@dataclass
class Mode:
    """A way to run a program decorated."""

    decorate: Callable[[Any], Any]
    arguments: Callable[..., tuple[Any, ...]]
    mutates: bool
    """Whether arrays change for the caller, and text is printed on every call."""
    inputs: list[Any]


def _values(a: int, b: int, u: float, x: Any) -> tuple[Any, ...]:
    return (a, b, u, x)


def _tensors(a: int, b: int, u: float, x: Any) -> tuple[Any, ...]:
    return np.int64(a), np.int64(b), np.float64(u), x


SIGNATURE = [ag.TensorSpec([], each) for each in (ag.int64, ag.int64, ag.float64)]
SIGNATURE.append(ag.TensorSpec([None], ag.int64))
MODES = {
    "interpreted": Mode(lambda f: ag.jit(f, jit_compile=False), _values, True, INPUTS),
    "jit": Mode(ag.jit, _values, True, INPUTS),
    "function": Mode(
        lambda f: ag.function(f, input_signature=SIGNATURE), _tensors, False, [*INPUTS, SHORT]
    ),
}


def load(source: str) -> tuple[Any, dict[str, Any]]:
    """The function of a program, and its globals."""
    name = f"<program {hash(source)}>"
    linecache.cache[name] = (len(source), None, source.splitlines(keepends=True), name)
    namespace: dict[str, Any] = {"__name__": "program"}
    exec(compile(source, name, "exec"), namespace)
    return namespace["f"], namespace


def plain(value: Any, classes: bool = False) -> Any:
    """A result in Python's own types; with ``classes``, numbers with the names of theirs."""
    if isinstance(value, (tuple, list)):
        return [plain(each, classes) for each in value]
    if isinstance(value, dict):
        return {key: plain(each, classes) for key, each in value.items()}
    if classes and isinstance(value, (bool, int, float, complex, np.generic)):
        return _CLASSES.get(type(value).__name__, type(value).__name__), plain(value)
    if value is None or type(value) in (bool, int, float, str):
        return value
    if isinstance(value, (np.ndarray, np.generic, ag.Tensor)):
        return np.asarray(value).tolist()
    return f"<{type(value).__name__}>"


_CLASSES = {"float64": "float", "complex128": "complex"}
"""The classes of NumPy's that are Python's as well: paths may join to them."""


def call(f: Callable[..., Any], arguments: tuple[Any, ...], mutates: bool = True) -> Outcome:
    """Call and watch; NumPy's numbers may be divided by zero where arrays are NumPy's."""
    printed = io.StringIO()
    by_zero: Any = "ignore" if mutates else "raise"
    try:
        with contextlib.redirect_stdout(printed), np.errstate(all="raise", divide=by_zero):
            value = f(*arguments)
    except Endless:
        raise
    except Exception as error:
        if isinstance(error, ag.errors.AgirError) and not isinstance(
            error, ag.errors.InvalidArgumentError
        ):
            raise Refused(f"{type(error).__name__}: {error}") from error
        return Outcome(_kind(error), printed=printed.getvalue() if mutates else None, error=error)
    array = arguments[-1].tolist() if mutates else None
    return Outcome(
        "returned", plain(value, mutates), array, printed.getvalue() if mutates else None
    )


NAMES = {"FloatingPointError": "ZeroDivisionError", "UnboundLocalError": "NameError"}


def _kind(error: Exception) -> str:
    """The class of an exception as Python has it: agir's are subclasses."""
    name = next(t.__name__ for t in type(error).__mro__ if t.__module__ == "builtins")
    if isinstance(error, ag.errors.InvalidArgumentError):
        name = next(
            t.__name__
            for t in type(error).__mro__
            if t.__module__ == "builtins" and t is not Exception
        )
    return NAMES.get(name, name)


@contextlib.contextmanager
def fuelled(lines: int = FUEL) -> Iterator[None]:
    """Stop plain Python after so many lines."""
    left = [lines]

    def watch(frame: Any, event: str, argument: Any) -> Any:
        if not frame.f_code.co_filename.startswith("<program"):
            return None
        left[0] -= 1
        if left[0] < 0:
            raise Endless
        return watch

    before = sys.gettrace()
    sys.settrace(watch)
    try:
        yield
    finally:
        sys.settrace(before)


@dataclass
class Report:
    """How the runs of one program went."""

    seed: int | None = None
    mismatch: str | None = None
    kind: str | None = None
    """The mode, and what was got and wanted, in brief."""
    refused: str | None = None
    raised: int = 0
    """Calls that raised, as plain Python's did."""
    calls: int = 0
    recorded: int = 0
    """Control-flow statements that were recorded while tracing, ..."""
    executed: int = 0
    """... of all that tracing came by."""
    seconds: float = 0.0


def expected(source: str, mutates: bool) -> dict[Any, Outcome]:
    """What plain Python makes of every input."""
    f, _ = load(PRELUDE + source)
    found = {}
    for given in [*INPUTS, SHORT]:
        a, b, u, x = given
        with fuelled():
            found[str(given)] = call(f, (a, b, u, np.array(x)), mutates)
    return found


def examine(source: str, modes: Iterable[str] = tuple(MODES)) -> Report:
    """Run a program in every mode; the report names the first difference."""
    report = Report()
    start = time.perf_counter()
    truths = {mutates: expected(source, mutates) for mutates in (False, True)}
    with warnings.catch_warnings(), counted(report):
        warnings.simplefilter("ignore")
        for name in modes:
            try:
                _compare(name, source, truths[MODES[name].mutates], report)
            except Refused as error:
                report.refused = report.refused or f"{name}: {error}"
            if report.mismatch:
                break
    report.seconds = time.perf_counter() - start
    return report


def _compare(name: str, source: str, truth: dict[Any, Outcome], report: Report) -> None:
    mode = MODES[name]
    f, _ = load(PRELUDE + source)
    decorated = mode.decorate(f)
    for given in mode.inputs:
        a, b, u, x = given
        got = call(decorated, mode.arguments(a, b, u, np.array(x)), mode.mutates)
        wanted = truth[str(given)]
        report.calls += 1
        report.raised += wanted.kind != "returned"
        if _is_early(got) and wanted.kind != "returned":
            continue
        if got != wanted:
            report.mismatch = f"{name}{given}: {got}\n  Python: {wanted}"
            report.kind = f"{name}: {got.kind}, {wanted.kind}"
            return


def _is_early(got: Outcome) -> bool:
    """Whether the program surely raises, and did so while it was traced, before it ran."""
    return got.error is not None and not isinstance(got.error, ag.errors.InvalidArgumentError)


def check(seed: int, features: Iterable[str] = (), modes: Iterable[str] = tuple(MODES)) -> Report:
    """Write a program and examine it."""
    try:
        report = examine(Writer(seed, features).program(), modes)
    except Endless:
        report = Report()
    report.seed = seed
    return report


STATEMENTS = ("if_stmt", "while_stmt", "for_stmt")


@contextlib.contextmanager
def counted(report: Report) -> Iterator[None]:
    """Count the control-flow statements that tracing comes by, and those that it records."""
    undo: list[tuple[Any, str, Any]] = []

    def wrap(owner: Any, name: str, count: Callable[[Any], None]) -> None:
        inner = getattr(owner, name)

        def wrapper(*args: Any) -> Any:
            result = inner(*args)
            count(result)
            return result

        undo.append((owner, name, inner))
        setattr(owner, name, wrapper)

    def one(counter: str) -> Callable[[Any], None]:
        return lambda _: setattr(report, counter, getattr(report, counter) + 1)

    for each in STATEMENTS:
        wrap(operators, each, one("executed"))
        wrap(MLIRStaging, each, one("recorded"))
    wrap(MLIRStaging, "offer", lambda taken: one("recorded")(None) if taken else None)
    try:
        yield
    finally:
        for owner, name, inner in undo:
            setattr(owner, name, inner)


# Shrinking.


def shrink(source: str, fails: Callable[[str], bool], limit: float = 60.0) -> str:
    """Drop statements and simplify expressions for as long as the program still fails."""
    end = time.monotonic() + limit
    position, since = 0, 0
    while time.monotonic() < end:
        candidates = itertools.islice(_smaller(source), position, None)
        for candidate in candidates:
            if time.monotonic() > end:
                return source
            if len(candidate) < len(source) and _holds(fails, candidate):
                source, since = candidate, 0
                break
            position, since = position + 1, since + 1
        else:
            if since >= position:
                return source
            position = 0
    return source


def _holds(fails: Callable[[str], bool], source: str) -> bool:
    try:
        return fails(source)
    except (Endless, SyntaxError, KeyError):
        return False


def _smaller(source: str) -> Iterator[str]:
    """The program without one statement, or with a block in the place of its statement."""
    tree = ast.parse(source)
    for node in list(ast.walk(tree.body[-1])):
        for name in ("body", "orelse", "finalbody", "handlers", "cases"):
            block = getattr(node, name, None)
            if not isinstance(block, list):
                continue
            for index, stmt in enumerate(block):
                inner = [getattr(stmt, part, None) for part in ("body", "orelse", "finalbody")]
                for new in ([], *(each for each in inner if isinstance(each, list) and each)):
                    changed = block[:index] + new + block[index + 1 :]
                    if not changed and name == "body":
                        changed = [ast.Pass()]
                    yield from _with(tree, node, name, changed)
    yield from _simpler_expressions(tree)


def _with(tree: ast.AST, node: ast.AST, name: str, value: Any) -> Iterator[str]:
    before = getattr(node, name)
    setattr(node, name, value)
    try:
        yield ast.unparse(ast.fix_missing_locations(copy.deepcopy(tree))) + "\n"
    except (ValueError, AttributeError):
        return
    finally:
        setattr(node, name, before)


def _simpler_expressions(tree: ast.AST) -> Iterator[str]:
    """The program with an operand in the place of an expression."""
    for node in list(ast.walk(tree)):
        for name, value in ast.iter_fields(node):
            if name == "func":
                continue
            if isinstance(value, list) and value and isinstance(value[0], ast.expr):
                for index, each in enumerate(value):
                    for part in ast.iter_child_nodes(each):
                        if isinstance(part, ast.expr):
                            yield from _with(
                                tree, node, name, [*value[:index], part, *value[index + 1 :]]
                            )
                    if len(value) > 1:
                        yield from _with(tree, node, name, value[:index] + value[index + 1 :])
            elif isinstance(value, ast.expr):
                for part in [*ast.iter_child_nodes(value), ast.Constant(1)]:
                    if isinstance(part, ast.expr):
                        yield from _with(tree, node, name, part)
