"""Diagonals, decimals and powers that only the run time knows, and arrays of lists of rows."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import agir as ag

MATRIX = np.arange(1, 13).reshape(3, 4)

PROGRAMS = {
    "eye": lambda a, n: (np.eye(3, k=n), np.eye(n + 5, 4, k=n, dtype=np.int32)),
    "diag": lambda a, n: (np.diag(a[0], n), np.diag(a, n), np.diagflat(a[:, :1], n)),
    "diagonal": lambda a, n: (a.diagonal(n), np.trace(a, n), np.diagonal(a, n, 1, 0)),
    "round": lambda a, n: (np.round(a / 7, n), np.round(a * 5, n), np.round(a / 7 + 1j, n)),
    "round_f32": lambda a, n: np.round((a / 7).astype(np.float32), n),
    "rounded": lambda a, n: (round(a[0, 2] * 33.377, n), round(a[0, 2] * 35, n)),
    "power": lambda a, n: np.linalg.matrix_power(a[:, :3] + 1.5 * np.eye(3), n),
    "rows": lambda a, n: np.array([[i * j for i in range(3)] for j in range(n + 4)]),
    "pairs": lambda a, n: np.array([(i, i * 0.5) for i in range(n + 4)]),
    "blocks": lambda a, n: np.array([[[v, 1.5], [1, 2]] for v in a[a > n + 3]]),
}


@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.parametrize("n", [2, 0, -1, -3])
def test_against_numpy(name: str, n: int) -> None:
    program: Any = PROGRAMS[name]
    expected, got = program(MATRIX, n), ag.jit(program)(MATRIX, n)
    for one, other in zip(*(x if isinstance(x, tuple) else (x,) for x in (expected, got))):  # noqa: B905
        assert np.asarray(one).dtype == np.asarray(other).dtype
        np.testing.assert_allclose(other, one, rtol=1e-12)


def test_powers_of_integers() -> None:
    power = ag.jit(lambda a, n: np.linalg.matrix_power(a, n))
    square = MATRIX[:, :3].copy()
    for n in (0, 1, 5):
        np.testing.assert_array_equal(power(square, n), np.linalg.matrix_power(square, n))
    with pytest.raises(ValueError, match="convert them to floats"):
        power(square, -1)


def greatest_row(a: Any, n: int) -> Any:
    return max(a[a[:, 0] > n])


def test_the_greatest_of_rows_is_the_only_one() -> None:
    compiled = ag.jit(greatest_row)
    np.testing.assert_array_equal(compiled(MATRIX, 7), MATRIX[2])
    with pytest.raises(ValueError, match="is ambiguous"):
        compiled(MATRIX, 0)
    with pytest.raises(ValueError, match="arg is an empty sequence"):
        compiled(MATRIX, 100)
