"""Mutations of the product are programs, each with one mistake."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from . import mutations

SOURCE = '''
def f(a, b):
    """What is left alone, as 1 + 2 in a text is."""
    total: int = 3
    total += a + b
    print(total)
    if a < b and (
        a is not None
    ):
        return f"{a + 1}"
    elif not a:
        return [1, True]
    while a in b or b:
        a = a - 1
    raise ValueError(0)
'''


def mutated(path: Path) -> dict[str, list[str]]:
    """The lines that mutations make, by kinds."""
    source = path.read_bytes()
    found: dict[str, list[str]] = {}
    for kind, those in mutations.places(path).items():
        for each in those:
            lines = each.applied(source).decode().splitlines()
            found.setdefault(kind, []).append(lines[each.line - 1].strip())
    return found


def test_what_is_changed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mutations, "ROOT", tmp_path)
    (tmp_path / "program.py").write_text(SOURCE)
    assert mutated(tmp_path / "program.py") == {
        "statement left out": ["pass", "pass"],
        "sign": ["total += a - b", "a = a + 1"],
        "condition negated": [
            "if not (a < b and (",
            "elif not (not a):",
            "while not (a in b or b):",
        ],
        "and, or": ["if a < b or (", "while a in b and b:"],
        "comparison": ["if a <= b and (", "a is None", "while a not in b or b:"],
        "constant": ["return [2, True]", "return [1, False]", "a = a - 2"],
    }


def test_mutations_are_programs_of_as_many_lines() -> None:
    files = [path for layer in mutations.LAYERS for path in (mutations.ROOT / layer).rglob("*.py")]
    for path in sorted(files)[::60]:
        source = path.read_bytes()
        for each in [one for those in mutations.places(path).values() for one in those][::10]:
            for changed in (each.applied(source), each.reached(source)):
                assert changed != source
                assert changed.count(b"\n") == source.count(b"\n")
                ast.parse(changed)
