"""``agir-dump --gradient``: the halves of a function that is differentiated."""

from __future__ import annotations

from pathlib import Path

import pytest

PROGRAM = """
def step(x, n):
    while n > 0:
        x = x * x + 0.1
        n = n - 1
    return x
"""


@pytest.fixture
def step(folder: Path) -> str:
    (folder / "powers.py").write_text(PROGRAM)
    return "powers.py:step"


def test_the_two_halves_of_a_function(call, step: str) -> None:
    forward = call(step, "--args", "f64, i64", "--gradient", "forward").out
    assert "func.func @step(" in forward
    assert forward.count("scf.for") == 1
    backward = call(step, "--args", "f64, i64", "--gradient", "backward").out
    assert "func.func @step_backward(" in backward
    assert "scf.while" not in backward
    assert "scf.for" in backward


def test_of_a_file(call, folder: Path, step: str) -> None:
    whole = call(step, "--args", "f64, i64", "-o", "step.mlir")
    assert whole.status == 0
    asm = call("step.mlir", "--gradient", "backward", "--stage", "asm")
    assert "step_backward:" in asm.out


def test_the_backward_half_of_a_file_runs(call, folder: Path) -> None:
    (folder / "square.mlir").write_text(
        "func.func @square(%x: f64) -> f64 { %y = arith.mulf %x, %x : f64 return %y : f64 }"
    )
    done = call("square.mlir", "--gradient", "backward", "--run", "--args", "3.0, 1.0")
    assert "6.0" in done.out


def test_a_function_without_numbers(call, folder: Path) -> None:
    (folder / "whole.py").write_text("def f(n):\n    return n + 1\n")
    done = call("whole.py:f", "--args", "i64", "--gradient", "backward")
    assert done.status == 2
    assert "no floating-point" in done.err
