"""A converter and its operator are files of the same name."""

from __future__ import annotations

from pathlib import Path

# Converters that only rewrite Python into simpler Python, and what all of them have in common.
REWRITING = {
    "break_statements",
    "continue_statements",
    "finally_clauses",
    "iterations",
    "left_blocks",
    "managers",
    "resumable",
    "return_statements",
    "returned_iterators",
    "segments",
    "steps",
    "yields",
}
SHARED = {"context", "control_flow", "expressions", "functions", "jumps", "shared_variables"}
# What the operators themselves stand on.
FOUNDATIONS = {"effects", "handlers", "places", "staging", "undefined"}


def names(folder: Path) -> set[str]:
    return {path.stem for path in folder.rglob("*.py")} - {"__init__"}


def test_converters_and_operators_mirror_each_other(root: Path) -> None:
    converters = names(root / "autograph" / "converters")
    operators = names(root / "autograph" / "operators")
    assert converters - REWRITING - SHARED == operators - FOUNDATIONS


def test_the_exceptions_are_files(root: Path) -> None:
    assert REWRITING | SHARED <= names(root / "autograph" / "converters")
    assert FOUNDATIONS <= names(root / "autograph" / "operators")
