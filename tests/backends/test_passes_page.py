"""The page of the passes: what runs in which order, where, and why (``make docs`` writes it)."""

from __future__ import annotations

import ast
import inspect
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from agir.backends.cpu.pipelines import PIPELINES
from agir.backends.mlir.passes import WITHOUT_ELEMENTS, Only, Pass, pass_name, step_of

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "passes.md"
EXAMPLES = "tests/backends/cpu/filecheck"
FRAGMENT = 60
"""So much of a pipeline's text is shown."""
HEAD = """# The passes of the CPU back end

Every pass in the order in which it runs; `agir-dump --passes` shows what each does to a program.  Those
in italics are MLIR's own.  A pass runs only where what stands under *needs* is in the module:
operations, dialects, or types of elements.  The file of a pass begins with why it is there;
`backends/cpu/pipelines.py` is the list itself.  An *example* is a module before the pass and, in its
CHECK lines, after it; `agir-dump FILE.mlir --pass NAME` runs the pass over any other.

The rooms of `backends/cpu/passes/`:

"""
TABLE = """
## `{stage}`

| pass | needs | what it does |
|---|---|---|
{rows}"""


def own(item: Pass) -> Any:
    """The function of a pass of ours; None for text of MLIR's."""
    step = step_of(item)
    return None if isinstance(step, str) else step


def needs(item: Pass) -> Iterator[str]:
    """What has to be there, each one of several names."""
    if isinstance(item, Only):
        if item.otherwise is None:
            yield " or ".join(f"`{name}`" for name in item.names if name != WITHOUT_ELEMENTS)
        yield from needs(item.what)


def first_sentence(text: str) -> str:
    """The first paragraph of a docstring on one line."""
    paragraph = " ".join(inspect.cleandoc(text).split("\n\n")[0].split())
    return paragraph.replace("``", "`").replace("|", "\\|")


def file_of_tests(module: str) -> Path:
    """Where a pass has its tests, by its module's name."""
    parts = module.removeprefix("agir.backends.cpu.").removeprefix("passes.").split(".")
    return ROOT.joinpath("tests", "backends", "cpu", *parts[:-1], f"test_{parts[-1]}.py")


def row(item: Pass) -> str:
    where = ", ".join(filter(None, needs(item)))
    function = own(item)
    if function is None:
        name = pass_name(item)
        short = name if len(name) <= FRAGMENT else f"{name[: FRAGMENT - 3]}..."
        return f"| *{short}* | {where} | |\n"
    file = function.__module__.removeprefix("agir.").replace(".", "/") + ".py"
    what = first_sentence(function.__doc__)
    tests = file_of_tests(function.__module__)
    shown = f" ([example](../{EXAMPLES}/{pass_name(item)}.mlir)"
    shown += f", [tests](../{tests.relative_to(ROOT)}))" if tests.exists() else ")"
    return f"| [`{pass_name(item)}`](../{file}) | {where} | {what}{shown} |\n"


def rooms() -> Iterator[str]:
    """The rooms with what their packages say of themselves."""
    for package in sorted((ROOT / "backends" / "cpu" / "passes").glob("*/__init__.py")):
        folder = package.parent
        what = first_sentence(ast.get_docstring(ast.parse(package.read_text())) or "")
        yield f"- [`{folder.name}`](../{folder.relative_to(ROOT)}): {what}\n"


def page() -> str:
    tables = (
        TABLE.format(stage=stage, rows="".join(map(row, passes)))
        for stage, (passes, _) in PIPELINES.items()
    )
    return HEAD + "".join(rooms()) + "".join(tables)


def test_the_page_is_what_the_pipelines_are() -> None:
    assert PAGE.read_text() == page(), "run `make docs`"


def test_each_pass_of_ours_says_what_it_does() -> None:
    silent = [
        pass_name(item)
        for passes, _ in PIPELINES.values()
        for item in passes
        if (function := own(item)) is not None and not function.__doc__
    ]
    assert not silent


if __name__ == "__main__":
    sys.exit(None if PAGE.write_text(page()) else 1)
