"""Runs what README.md and docs/*.md show.

* Every ``python`` block is run, the blocks of a file in order and in one namespace, in an empty
  folder.  ``<!-- output -->`` on the line before a following ``text`` or ``mlir`` block makes that
  block the exact text which the Python block prints.
* ``<!-- file: name.py -->`` before a Python block also saves it in that folder, for the commands.
* Every ``console`` block is run, in the same folder, where ``tools/``, ``examples/`` and
  ``benchmarks/`` are those of the checkout: after a line ``$ agir-dump ...`` or ``$ python ...``
  stands what the command prints; a line ``...`` is any number of lines.
* ``<!-- not run: reason -->`` before a block is the only way past this.
"""

from __future__ import annotations

import contextlib
import os
import re
import subprocess
import sys
import sysconfig
import textwrap
import types
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from agir.config import config

ROOT = Path(__file__).resolve().parents[1]
DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "docs").glob("**/*.md"))]

FENCE = re.compile(r"(?P<indent> *)(?P<ticks>```+) *(?P<language>[\w-]*)")
REMARK = re.compile(r"\s*<!-- (?P<what>output|not run|file)(?:: (?P<value>.*?))? -->\s*")
COMMAND = re.compile(r"(?:AGIR_\w+=\S* )*(?:agir-dump|python)\b")


@dataclass(frozen=True)
class Block:
    """One fenced block, and the remark on the line before it."""

    language: str
    text: str
    line: int  # of the first line inside the fence
    remark: str = ""
    value: str = ""


def blocks(lines: list[str]) -> Iterator[Block]:
    """The fenced blocks of a document."""
    number = 0
    while number < len(lines):
        fence = FENCE.match(lines[number])
        number += 1
        if not fence:
            continue
        remark = REMARK.fullmatch(lines[number - 2]) if number > 1 else None
        start = number
        while lines[number].strip() != fence["ticks"]:
            number += 1
        text = textwrap.dedent("".join(line + "\n" for line in lines[start:number]))
        what, value = (remark["what"], remark["value"] or "") if remark else ("", "")
        yield Block(fence["language"], text, start + 1, what, value)
        number += 1


def commands(text: str) -> Iterator[tuple[str, str]]:
    """The commands of a console block, each with the output shown after it."""
    assert text.startswith("$ "), "a console block begins with a command: `$ ...`"
    for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
        command, _, output = re.sub(r"\\\n", " ", part).partition("\n")
        yield command, output


def pattern(shown: str) -> str:
    """The regular expression for an output in which lines ``...`` are anything."""
    return "".join(_line_pattern(line.rstrip()) for line in shown.splitlines())


def _line_pattern(line: str) -> str:
    if line == "...":
        return "(?:.*\n)*?"
    text = re.escape(line) + "\n"
    if sys.version_info < (3, 11):  # tracebacks have no columns
        text = re.sub(r"(:\d+):\d+(:\\ error)", r"\1(?::\\d+)?\2", text)
        text = f"(?:{text})?" if line.strip() == "^" else text
    return text


def normal(text: str) -> str:
    return "".join(line.rstrip() + "\n" for line in text.splitlines())


class Session:
    """Runs the blocks of one document in one folder and one namespace."""

    def __init__(self, document: Path, folder: Path) -> None:
        self.document = document
        self.folder = folder
        self.module = types.ModuleType(document.stem.lower().replace("-", "_") + "_document")
        self.source = folder / f"{self.module.__name__}.py"
        self.source.write_text("\n" * len(document.read_text().splitlines()))

    def python(self, block: Block) -> None:
        """Run a block; its lines keep the numbers they have in the document."""
        lines = self.source.read_text().split("\n")
        text = block.text.splitlines()
        lines[block.line - 1 : block.line - 1 + len(text)] = text
        self.source.write_text("\n".join(lines))  # so that `inspect` finds the source
        text = "\n" * (block.line - 1) + block.text
        code = compile(text, str(self.source), "exec", dont_inherit=True)
        exec(code, vars(self.module))

    def console(self, block: Block) -> None:
        """Run the commands of a block and compare what they print."""
        for command, shown in commands(block.text):
            where = f"{self.document.name}:{block.line}: $ {command}"
            if not COMMAND.match(command):
                pytest.fail(
                    f"{where}\nneither agir-dump nor python: mark it `<!-- not run: ... -->`"
                )
            done = subprocess.run(
                command,
                shell=True,
                cwd=self.folder,
                env=command_environment(),
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                timeout=300,
            )
            printed = normal(done.stdout)
            if not re.fullmatch(pattern(shown), printed):
                pytest.fail(f"{where}\nprints\n{printed}\nand not\n{shown}")
            assert done.returncode == 0 or "error" in shown, f"{where}\n{printed}"


def command_environment() -> dict[str, str]:
    """The environment of a reader who has just installed agir and set nothing."""
    kept = {name: text for name, text in os.environ.items() if not name.startswith("AGIR_")}
    path = os.pathsep.join([sysconfig.get_path("scripts"), os.environ.get("PATH", os.defpath)])
    return {**kept, "PATH": path, "NO_COLOR": "1", "COLUMNS": "80"}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty folder to work in, but for what a reader has from the checkout."""
    for name in ("tools", "examples", "benchmarks"):
        (tmp_path / name).symlink_to(ROOT / name)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    config.reset()
    yield tmp_path
    config.reset()


def run(document: Path, folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    session = Session(document, folder)
    sys.modules[session.module.__name__] = session.module
    stderr = os.dup(2)
    printed = ""
    try:
        os.dup2(1, 2)  # native code and Python print to one stream, in order
        for block in blocks(document.read_text().splitlines()):
            if block.remark == "not run":
                assert block.value, f"{document.name}:{block.line}: say why it is not run"
                continue
            if block.remark == "file":
                (session.folder / block.value).write_text(block.text)
            if block.language == "python":
                with contextlib.redirect_stderr(sys.stdout):
                    session.python(block)
                printed = capfd.readouterr().out
            elif block.language == "console":
                session.console(block)
            elif block.remark == "output":
                where = f"{document.name}:{block.line}"
                assert normal(printed) == normal(block.text), f"{where} is not what is printed"
    finally:
        os.dup2(stderr, 2)
        os.close(stderr)
        del sys.modules[session.module.__name__]


@pytest.mark.every_case
@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_a_document(document: Path, folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    run(document, folder, capfd)


LINK = re.compile(r"\]\((?!https?:)([^)#\s]+)")


def _linked(document: Path) -> set[Path]:
    return {(document.parent / link).resolve() for link in LINK.findall(document.read_text())}


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_links_lead_somewhere(document: Path) -> None:
    assert not [path for path in _linked(document) if not path.exists()]


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_links_to_headings_lead_somewhere(document: Path) -> None:
    links = re.findall(r"\]\(([^)#\s:]*)#([^)\s]+)\)", document.read_text())
    pages = {link: (document.parent / link).resolve() if link else document for link, _ in links}
    assert not [
        f"{pages[link].name}#{heading}"
        for link, heading in links
        if not re.fullmatch(r"L\d+", heading) and heading not in _headings(pages[link])
    ]


def _headings(page: Path) -> set[str]:
    """What links name the headings of a page by, as GitHub shows it."""
    titles = re.findall(r"^#+ (.*)$", page.read_text(), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


def test_a_reader_finds_every_page() -> None:
    found, pending = set(), [ROOT / "README.md"]
    while pending:
        found.add(page := pending.pop())
        if page.name == "README.md":
            pending += [p for p in _linked(page) if p.suffix == ".md" and p not in found]
    assert {*DOCUMENTS} <= found


# --- the rules themselves ----------------------------------------------------------------

GOOD = """
<!-- file: shown.py -->
```python
import inspect, sys

def twice(x):
    return 2 * x
```

```python
print(twice(3), twice.__code__.co_firstlineno)
print("after", file=sys.stderr)
print(inspect.getsource(twice), end="")
```
<!-- output -->
```text
6 6
after
def twice(x):
    return 2 * x
```

```console
$ python -c "import shown; [print(shown.twice(i)) for i in range(9)]"
0
...
16
$ python -c \\
  "print('here')"
here
```

<!-- not run: needs a network -->
```console
$ pip install agir
```
"""


def test_a_document_that_tells_the_truth(
    folder: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    document = tmp_path / "good.md"
    document.write_text(GOOD)
    run(document, folder, capfd)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("6 6\n", "6 7\n", "good.md:17 is not what is printed"),
        ("...\n", "", "prints"),
        ("0\n...", "1\n...", "prints"),
        ("<!-- not run: needs a network -->", "", "neither agir-dump nor python"),
        ("not run: needs a network", "not run", "say why"),
        ("return 2 * x\n```", "return 2 * x\n1 / 0\n```", "division by zero"),
    ],
)
def test_a_document_that_does_not(
    old: str,
    new: str,
    message: str,
    folder: Path,
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
) -> None:
    document = tmp_path / "good.md"
    document.write_text(GOOD.replace(old, new, 1))
    with pytest.raises((AssertionError, ZeroDivisionError, pytest.fail.Exception), match=message):
        run(document, folder, capfd)
