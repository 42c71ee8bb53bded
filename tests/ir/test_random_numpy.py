"""Random functions of NumPy statements: plain NumPy, the interpreter and machine code agree.

`python tests/ir/numpy_programs.py` runs as many of them as one has time for.
"""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from numpy_checks import check, compared, same
from numpy_writer import Writer

SEEDS = range(36)
MODES = ("jit", "interpreted", "dynamic")


@pytest.mark.parametrize("seed", SEEDS)
def test_statements_agree(seed: int) -> None:
    report = check(seed, [MODES[seed % len(MODES)]])
    assert report.mismatch is None, Writer(seed).program()


def test_programs_are_programs_and_differ() -> None:
    sources = {Writer(seed).program() for seed in range(60)}
    assert len(sources) == 60
    for source in sources:
        compile(source, "<program>", "exec")
    assert Writer(7).program() == Writer(7).program()


def test_differences_are_seen() -> None:
    assert not same([1.0, 2.0], [1.0, 2.5])
    assert not same(1, 1.0)
    assert compared((None, ([1], [])), (ValueError("no"), None))
    assert compared((ValueError("no"), None), (None, ([1], [])))
    assert compared((None, ([1], [0])), (None, ([1], [-1])))
    assert compared((None, ([1], [-1])), (None, ([2], [-1])))
    assert not compared((None, ([1], [-1])), (None, ([1], [0])))
    assert compared((IndexError("no"), None), (ValueError("no"), None))
    assert not compared((IndexError("no"), True), (IndexError("other"), None))
    assert compared((IndexError("no"), False), (IndexError("other"), None))
