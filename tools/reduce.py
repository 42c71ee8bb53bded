"""Reducing a program, or a module, that fails, to a file that fails by itself."""

from __future__ import annotations

import ast
import shlex
import subprocess
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from agir.backends.mlir.diagnostics import diagnostics
from agir.ir.building import bindings
from agir.tools import smaller_mlir, smaller_python
from agir.tools.diagnosis import UsageError
from agir.tools.isolation import Limits
from agir.tools.judging import Judge
from agir.tools.reduction_search import Kind, Search
from agir.tools.verdicts import FINE

_MOST = 2000
"""How many programs are tried at most."""
_HEAD = '''"""Reduced: {what}."""

'''
_TAIL = """
if __name__ == "__main__":
    import copy

    import agir

    plain = getattr({name}, "python_function", {name})
    compiled = agir.{convention}(plain)
    print("Python:", plain(*copy.deepcopy(ARGUMENTS)))
    print("agir:  ", compiled(*copy.deepcopy(ARGUMENTS)))
"""


@dataclass(frozen=True)
class Reduced:
    """A program that still fails, what is wrong with it, and how many have been tried."""

    text: str
    lines: int
    verdict: str
    tried: int


def reduced(
    source: str, function: str, arguments: str, convention: str, command: str, limits: Limits
) -> Reduced:
    """The smallest program found that is wrong in the same way, or on which a command succeeds."""
    try:
        tree = smaller_python.program(source, arguments)
    except SyntaxError as error:
        raise UsageError(f"--reduce takes values for --args: {error}") from None
    written = partial(_file, function, convention)
    if command:
        what = "the command succeeds"

        def succeeds(text: str) -> bool:
            return _succeeds(command, written(text, what), "reduced.py")

        if not succeeds(smaller_python.text(tree)):
            raise UsageError(f"--reduce: {command!r} fails on the whole program")
        return _searched(tree, function, succeeds, what, written)
    request = {"function": function, "convention": convention}
    with Judge(request, limits) as judge:
        what = judge(smaller_python.text(tree))
        if what == FINE or what.startswith("the program itself"):
            raise UsageError(f"there is nothing to reduce: {_told(what)}")
        return _searched(tree, function, lambda text: judge(text) == what, what, written)


def _told(what: str) -> str:
    return "the function gives what Python gives" if what == FINE else what


def _searched(
    tree: ast.Module,
    function: str,
    fails: Callable[[str], bool],
    what: str,
    written: Callable[[str, str], str],
) -> Reduced:
    text, tried = smallest(tree, function, fails)
    return Reduced(written(text, what), len(text.splitlines()), what, tried)


def smallest(tree: ast.Module, function: str, fails: Callable[[str], bool]) -> tuple[str, int]:
    """The smallest program found that fails, and how many have been tried."""
    search: Search[ast.Module] = Search(smaller_python.text, fails, _MOST)
    kinds: list[Kind[ast.Module]] = [
        smaller_python.left_out,
        smaller_python.opened,
        partial(smaller_python.without_parameters, function),
        smaller_python.simplified,
    ]
    return smaller_python.text(search.run(tree, kinds)), search.tried


def _file(function: str, convention: str, text: str, what: str) -> str:
    name = function.partition(".")[0]
    return _HEAD.format(what=what) + text + _TAIL.format(name=name, convention=convention)


def reduced_module(
    content: bytes, request: dict[str, Any], command: str, limits: Limits
) -> Reduced:
    """The smallest module found that is wrong in the same way, or on which a command succeeds.

    The request is one of `agir.tools.judging_modules`.
    """
    try:
        text = smaller_mlir.normal(content)
    except bindings.ir.MLIRError as error:
        raise UsageError(f"--reduce takes a module: {diagnostics(error)}") from None
    if command:
        what, name = "the command succeeds", f"0.{request['stage']}.mlir"
        if not _succeeds(command, text, name):
            raise UsageError(f"--reduce: {command!r} fails on the whole module")
        return _smallest_module(text, request, what, lambda made: _succeeds(command, made, name))
    with Judge(request, limits, "module") as judge:
        what = judge(text)
        if what == FINE or what.startswith("the module itself"):
            raise UsageError(f"there is nothing to reduce: {_found_in_module(what)}")
        return _smallest_module(text, request, what, lambda made: judge(made) == what)


def _found_in_module(what: str) -> str:
    return "each pass keeps what a call gives" if what == FINE else what


def _smallest_module(
    text: str, request: dict[str, Any], what: str, fails: Callable[[str], bool]
) -> Reduced:
    search: Search[str] = Search(str, fails, _MOST)
    text = search.run(text, smaller_mlir.KINDS)
    options = [f"--from-stage {request['stage']}", *(f"--pass '{n}'" for n in request["alone"])]
    if request["arguments"]:
        options.append(f"--args {shlex.quote(request['arguments'])}")
    if not request["alone"]:
        options.append("--validate")
    head = f"// Reduced: {what}.\n// RUN: agir-dump %s {' '.join(options)}\n"
    return Reduced(head + text, len(text.splitlines()), what, search.tried)


def _succeeds(command: str, text: str, name: str) -> bool:
    """Whether a command succeeds on a file."""
    with tempfile.TemporaryDirectory(prefix="agir-reduce-") as folder:
        file = Path(folder) / name
        file.write_text(text)
        done = subprocess.run(
            f"{command} {file}", shell=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        return done.returncode == 0
