"""The walk of docs/architecture.md through one call: its links, and the order that it claims.

    python tests/one_call.py

gives the links the lines on which the functions are now.
"""

from __future__ import annotations

import ast
import re
import sys
from functools import cache
from pathlib import Path
from types import CodeType, FrameType
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
DOCUMENT = ROOT / "docs" / "architecture.md"
HEADING = "### Function by function\n"
STEP = re.compile(r"(?:\[)?`(?P<file>[\w/]+\.py): (?P<name>[\w.]+)`(?:\]\([^)]*\))?")


class Step(NamedTuple):
    """A function that the walk names."""

    file: str
    name: str


@cache
def _functions(file: str) -> dict[str, ast.FunctionDef]:
    """The functions and methods of a file, by their qualified names."""
    found: dict[str, ast.FunctionDef] = {}

    def visit(node: ast.AST, prefix: str) -> None:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.ClassDef):
                visit(child, f"{prefix}{child.name}.")
            elif isinstance(child, ast.FunctionDef):
                found[prefix + child.name] = child

    visit(ast.parse((ROOT / file).read_text()), "")
    return found


def parts() -> tuple[str, str, str]:
    """The document before the walk, the walk, and what comes after."""
    before, _, rest = DOCUMENT.read_text().partition(HEADING)
    walk, mark, after = rest.partition("\n## ")
    return before, walk, mark + after


def steps() -> list[Step]:
    """The functions that the walk names, in its order."""
    return [Step(m["file"], m["name"]) for m in STEP.finditer(parts()[1])]


def linked(walk: str) -> str:
    """The walk with links to the lines on which the functions begin."""

    def link(match: re.Match[str]) -> str:
        file, name = match["file"], match["name"]
        line = _functions(file)[name].lineno
        return f"[`{file}: {name}`](../{file}#L{line})"

    return STEP.sub(link, walk)


def entered(program: str) -> list[Step]:
    """The functions of the house in the order in which a program enters them first.

    The program gives the function to be called as ``run``; what it does before does not count.
    """
    names = {
        (str(ROOT / file), node.lineno): Step(file, name)
        for file in {step.file for step in steps()}
        for name, node in _functions(file).items()
    }
    decorated = {
        (str(ROOT / file), node.decorator_list[0].lineno): Step(file, name)
        for file in {step.file for step in steps()}
        for name, node in _functions(file).items()
        if node.decorator_list
    }
    space: dict[str, object] = {}
    exec(compile(program, str(ROOT / "tests" / "one_call_example.py"), "exec"), space)
    seen: dict[CodeType, None] = {}

    def note(frame: FrameType, event: str, _: object) -> None:
        if event == "call":
            seen.setdefault(frame.f_code)

    run = space["run"]
    assert callable(run)
    sys.setprofile(note)
    try:
        run()
    finally:
        sys.setprofile(None)
    places = [(code.co_filename, code.co_firstlineno) for code in seen]
    found = [names.get(place) or decorated.get(place) for place in places]
    return [step for step in found if step is not None]


def main() -> None:
    """Write the links anew."""
    before, walk, after = parts()
    DOCUMENT.write_text(before + HEADING + linked(walk) + after)


if __name__ == "__main__":
    main()
