"""Sweeps over the rows of a matrix work in the caller's array: nothing is allocated on the way."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import agir as ag


def scale(A: Any) -> None:
    for i in range(A.shape[0]):
        A[i] *= 2
        A[i, 0] = 1


def rectify(A: Any) -> None:
    for i in range(A.shape[0]):
        row = A[i]
        row[row < 0] = 0
        row += 1


def add_rows(A: Any) -> None:
    for i in range(1, A.shape[0]):
        A[i, :] -= A[i - 1, :] * 0.5


def relax(A: Any) -> None:
    for i in range(1, A.shape[0] - 1):
        A[i, 1:-1] = (A[i - 1, 1:-1] + A[i + 1, 1:-1]) * 0.5


def columns(A: Any) -> None:
    for j in range(1, A.shape[1]):
        A[:, j] += A[:, 0]


def in_loops(text: str) -> str:
    """The lines of loops, by how far they are indented."""
    found, depth = [], None
    for line in text.splitlines():
        indent = len(line) - len(line.lstrip())
        if depth is not None and indent <= depth:
            depth = None
        if depth is not None:
            found.append(line)
        elif "scf.for" in line or "scf.while" in line:
            depth = indent
    return "\n".join(found)


def bufferized(function: Any, *arguments: Any) -> str:
    return str(ag.jit(function).experimental_get_compiler_ir(*arguments)("bufferized"))


@pytest.mark.parametrize("sweep", [scale, rectify, add_rows, relax, columns])
def test_sweeps_allocate_nothing(sweep: Any) -> None:
    matrix = np.random.default_rng(1).standard_normal((40, 30))
    loops = in_loops(bufferized(sweep, matrix))
    assert "memref.subview" in loops
    assert "memref.alloc" not in loops
    wanted = matrix.copy()
    sweep(wanted)
    ag.jit(sweep)(matrix)
    np.testing.assert_allclose(matrix, wanted, rtol=1e-13)


@pytest.mark.parametrize("sweep", [scale, rectify])
def test_rows_are_updated_where_they_are(sweep: Any) -> None:
    text = bufferized(sweep, np.ones((40, 30)))
    assert "alloc" not in text
    assert "copy" not in text
