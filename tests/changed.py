"""The tests that a change concerns: `make test-changed`.

    python tests/changed.py [COMMIT]

names the files of tests that have changed since the commit (HEAD), and for each other file that has:
those named after the module, or else those that name it, or else those of its room.  Where a table has
a row for each operation, or pass, the tests of the table are among them.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
TESTS = ROOT / "tests"
ALWAYS = ("test_tiny.py", "test_layers.py", "test_layout.py")
"""Files that say in seconds whether the house stands."""
LAYERS = {"autograph", "backends", "ir", "runtime", "tools"}
OF_TABLES = {
    "ir/ops": ("test_operations.py", "ir/ops/test_table.py", "numpy/test_numpy_functions.py"),
    "backends/cpu": ("backends/test_passes_page.py", "backends/cpu/test_pass_examples.py"),
    "tests/backends/cpu/filecheck": ("backends/cpu/test_pass_examples.py",),
}
"""Files that say in seconds what else an addition to a folder has to have."""


def changed(commit: str) -> list[Path]:
    """The files that differ from the commit, new ones included."""
    differ = ["git", "diff", "--name-only", "--diff-filter=d", commit]
    new = ["git", "ls-files", "--others", "--exclude-standard"]
    names = [name for command in (differ, new) for name in _lines(command)]
    return [ROOT / name for name in dict.fromkeys(names)]


def _lines(command: list[str]) -> list[str]:
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(command)}: {done.stderr.strip()}")
    return done.stdout.splitlines()


def concerned(files: list[Path]) -> list[Path]:
    """The files of tests that these concern, each once."""
    found = [TESTS / name for name in ALWAYS]
    for file in files:
        found += _of(file.relative_to(ROOT))
    return list(dict.fromkeys(found))


def _of(file: Path) -> list[Path]:
    rows = [TESTS / name for room, names in OF_TABLES.items() if file.is_relative_to(room)
            for name in names]  # fmt: skip
    if file.suffix == ".md":
        return [TESTS / "test_documents.py"]
    if file.suffix != ".py":
        return rows
    if file.parts[0] == "tests":
        return [ROOT / file] if file.name.startswith("test_") else list(_importing(file.stem))
    top = file.parts[0]
    others = LAYERS - {top} if top in LAYERS else set()
    named = [
        test
        for test in _sources()
        if test.name == f"test_{file.stem}.py" and test.relative_to(TESTS).parts[0] not in others
    ]
    module = ".".join(("agir", *file.with_suffix("").parts))
    return rows + (named or list(_naming(module)) or _of_room(file.parent))


@cache
def _sources() -> dict[Path, str]:
    """The files of tests, and what is in them."""
    return {test: test.read_text() for test in sorted(TESTS.rglob("test_*.py"))}


def _importing(helper: str) -> Iterator[Path]:
    """The tests that import a module that lies beside them."""
    imports = re.compile(
        rf"^\s*(from \.+(\w+\.)*{helper} import|(from \.+ )?import\b.*\b{helper}\b)", re.M
    )
    for test, source in _sources().items():
        if imports.search(source):
            yield test


def _naming(name: str) -> Iterator[Path]:
    """The tests that name a module."""
    package, _, module = name.rpartition(".")
    names = re.compile(rf"\b{re.escape(name)}\b|\bfrom {re.escape(package)} import {module}\b")
    for test, source in _sources().items():
        if names.search(source):
            yield test


def _of_room(room: Path) -> list[Path]:
    """The tests of a room, or of the nearest one around it that has tests.

    They are a file of that name, or those that lie in a folder, or below it where none do.
    """
    while room.parts:
        folder = TESTS / _mirrored(room)
        named = folder.with_name(f"test_{folder.name}.py")
        found = [named] if named.exists() else sorted(folder.glob("test_*.py")) or [folder]
        if found[0].exists():
            return found
        room = room.parent
    return []


def _mirrored(room: Path) -> Path:
    """The folder of a room's tests: those of the passes lie beside those of the back end.

    What the namespace `agir` has is tested where the tests begin.
    """
    return Path(*(part for part in room.parts if part not in ("passes", "agir")))


if __name__ == "__main__":
    commit = sys.argv[1] if len(sys.argv) > 1 else "HEAD"
    print(*(path.relative_to(ROOT) for path in concerned(changed(commit))))
