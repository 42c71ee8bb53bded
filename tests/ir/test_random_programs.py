"""Random programs of the whole language: plain Python, the interpreter and machine code agree.

`python tests/ir/programs.py` runs as many of them as one has time for.
"""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from program_checks import check, shrink
from program_writer import OPTIONAL, Writer

SEEDS = range(60)
EVERY_THIRD = 3
"""One program in so many also runs with tensors of any length."""
total = {"executed": 0, "recorded": 0}


@pytest.mark.parametrize("seed", SEEDS)
def test_programs_agree(seed: int) -> None:
    modes = ["interpreted", "jit"] if seed % EVERY_THIRD else ["function"]
    report = check(seed, modes=modes)
    assert report.mismatch is None, Writer(seed).program()
    total["executed"] += report.executed
    total["recorded"] += report.recorded


@pytest.mark.parametrize("features", [(), tuple(OPTIONAL)], ids=["usual", "all"])
def test_programs_are_programs_and_differ(features: tuple[str, ...]) -> None:
    sources = {Writer(seed, features).program() for seed in range(200)}
    assert len(sources) == 200
    for source in sources:
        compile(source, "<program>", "exec")
    assert Writer(7, features).program() == Writer(7, features).program()


def test_shrinking_keeps_what_fails() -> None:
    source = Writer(1).program()
    small = shrink(source, lambda candidate: "global G" in candidate and "def f" in candidate)
    assert "global G" in small
    assert len(small.splitlines()) <= 3
