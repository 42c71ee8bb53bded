"""Branches of which the program knows which way they nearly always go."""

from __future__ import annotations

import numpy as np

import agir as ag


def scaled(x, y, z, n):
    for _ in ag.range(n):
        x = x * y * z
    return x


def test_the_marked_branch_is_no_choice_of_two_values() -> None:
    arguments = (*map(np.float64, (0.5, 1.5, 0.7)), np.int64(5))
    stages = ag.grad(scaled).get_concrete_function(*arguments).compilation
    assert "agir.likely" in stages.text("loops")
    assert "agir.likely" not in stages.text("llvm")
    assert "llvm.intr.expect" in stages.text("llvm")
