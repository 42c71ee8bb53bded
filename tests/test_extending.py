"""The recipes of docs/extending.md, followed word by word in a copy of the tree."""

from __future__ import annotations

import os
import re
import runpy
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from agir.errors import AgirError

from .import_graph import LAYERS, ROOT

DOCUMENT = ROOT / "docs" / "extending.md"
BLOCK = re.compile(
    r"<!-- not run: (?P<what>new file|in|then)(?: (?P<file>[\w/]+\.py))?"
    r'(?: (?P<where>after|before) "(?P<line>[^\n]*)")? -->\n```python\n(?P<text>.*?)```\n',
    re.DOTALL,
)


@dataclass(frozen=True)
class Step:
    """One block of a recipe: a new file, lines for a file that is there, or what works then."""

    what: str
    file: str | None
    where: str | None
    line: str
    text: str

    def apply(self, tree: Path) -> None:
        """Do in a tree what the block says."""
        assert self.file, "the block says which file it is for"
        path = tree / self.file
        if self.what == "new file":
            assert not path.exists(), f"{path} is there already"
            path.write_text(self.text)
            return
        lines = path.read_text().splitlines(keepends=True)
        found = [n for n, each in enumerate(lines) if each.startswith(self.line)]
        assert len(found) == 1, f"{self.line!r} begins {len(found)} lines of {self.file}"
        at = found[0] if self.where == "before" else _end(lines, found[0])
        path.write_text("".join([*lines[:at], self.text, *lines[at:]]))


def _end(lines: list[str], start: int) -> int:
    """Where a statement that begins in a line ends, which may be in brackets."""
    depth = 0
    for number in range(start, len(lines)):
        depth += sum(lines[number].count(each) for each in "([{")
        depth -= sum(lines[number].count(each) for each in ")]}")
        if depth <= 0:
            return number + 1
    raise AssertionError("brackets that do not close")


def recipes() -> dict[str, list[Step]]:
    """The sections of the document that have steps, by their titles."""
    found: dict[str, list[Step]] = {}
    for section in DOCUMENT.read_text().split("\n## ")[1:]:
        title, _, body = section.partition("\n")
        steps = [
            Step(m["what"], m["file"], m["where"], (m["line"] or "").replace('\\"', '"'), m["text"])
            for m in BLOCK.finditer(body)
        ]
        assert len(steps) == body.count("<!-- not run:"), f"{title}: a remark is not understood"
        if steps:
            found[title] = steps
    return found


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A copy of the packages, as an installation has them."""
    skip = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "agir", tmp_path / "agir", ignore=skip)
    for layer in LAYERS:
        shutil.copytree(ROOT / layer, tmp_path / "agir" / layer, ignore=skip)
    return tmp_path


@pytest.mark.parametrize("title", recipes())
def test_a_recipe(title: str, tree: Path) -> None:
    *steps, last = recipes()[title]
    assert last.what == "then"
    program = tree / "then.py"
    program.write_text(last.text)
    unknown = (AgirError, AssertionError, ImportError, LookupError, ValueError, SystemExit)
    with pytest.raises(unknown):
        runpy.run_path(str(program), run_name="__main__")  # without the steps
    for step in steps:
        step.apply(tree / "agir")
    done = subprocess.run(
        [sys.executable, str(program)],
        env={**os.environ, "PYTHONPATH": str(tree)},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
