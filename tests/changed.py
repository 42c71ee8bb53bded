"""The tests that a change concerns: `make test-changed`.

    python tests/changed.py [COMMIT]

names the files of tests that have changed since the commit (HEAD), those named after a module that has,
those that name such a module, and those of its room where there are none of these.
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
    if file.suffix == ".md":
        return [TESTS / "test_documents.py"]
    if file.suffix != ".py":
        return []
    if file.parts[0] == "tests":
        return [ROOT / file] if file.name.startswith("test_") else list(_importing(file.stem))
    named = [test for test in _sources() if test.name == f"test_{file.stem}.py"]
    module = ".".join(("agir", *file.with_suffix("").parts))
    return named or list(_naming(module)) or list(_of_room(file.parent))


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
    for test, source in _sources().items():
        if name in source or (package and f"from {package} import {module}" in source):
            yield test


def _of_room(room: Path) -> Iterator[Path]:
    """The tests of a room, or of the nearest one around it that has tests."""
    while room.parts and not (TESTS / _mirrored(room)).is_dir():
        room = room.parent
    if room.parts:
        yield TESTS / _mirrored(room)


def _mirrored(room: Path) -> Path:
    """The folder of a room's tests: those of the passes lie beside those of the back end."""
    return Path(*(part for part in room.parts if part != "passes"))


if __name__ == "__main__":
    commit = sys.argv[1] if len(sys.argv) > 1 else "HEAD"
    print(*(path.relative_to(ROOT) for path in concerned(changed(commit))))
