"""Parts of ``x.T`` and the like are parts of ``x``: read and written where they lie."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

import agir as ag

sys.path.insert(0, str(Path(__file__).parents[1]))

from agreement import agree


def its_own_part(x):
    x[0] = x[0].T
    y = x.T
    y[0] = y[0].T
    y[0, 0] = x[0, 0] + 1
    return x


def rows(x):
    y = x.T
    y[0] += y[1]
    y[0, 1] -= 2
    y[1:, :] = y[:-1, :]
    y[:, 0] = np.arange(len(y) * y[0, 0].size).reshape(y[:, 0].shape)
    return y


def parts_of_parts(x):
    y = x.T
    z = y[1:]
    z[0] = 8
    u = z.T
    u[0, 0] = 1
    return z, u


def rolled(x):
    y = x.transpose(*range(1, x.ndim), 0)
    y[1] *= 2
    y[:, 0, ...] += y[:, 1, ...]
    z = y[0]
    z[1] = 5
    return z, y, y[::-1, 0], y[-1:]


def new_axes(x):
    y = np.moveaxis(x, -1, 0)
    y[None, 1] = 3
    y[1, None, ..., None] += 1
    return y[None, :, 1], y[..., 1, None], y[1, ..., 0], y[:, 1][::-1]


def one_element(x):
    y = x.swapaxes(0, 1)
    at = (1,) * y.ndim
    y[at] = 4
    v = y[(*at, ...)]
    v += 1
    return y[at], v


def turned_twice(x):
    y = x.T.T
    y[0, 1] = 9
    w = x.T
    w[0] = w[1]
    return y, w[0].T


def masks_and_lists(x):
    y = x.T
    y[y > 0.5] = 0
    y[[0, 1]] = y[[1, 0]]
    return y


def in_loops(x):
    y = x.T
    for i in range(y.shape[0]):
        for j in range(y.shape[1]):
            y[i, j] += i
            y[i, j] *= y[i - 1, 0]
    for row in y:
        row += 1
    for row in y[1:]:
        row[0] = 4
    return y.sum()


def with_handlers(x):
    y = x.T
    try:
        y[0] = 7
        y[50] = 1
    except IndexError:
        y[1] = 3
    return y


def run_time_positions(x):
    n = int(x[0, 0].sum() * 0) + 1
    y = x.T
    y[n] = y[n - 1] + 1
    y[n:, 1] = y[n, 0]
    return y[-n], y[n, -1]


PROGRAMS = [
    its_own_part, rows, parts_of_parts, rolled, new_axes, one_element, turned_twice, masks_and_lists,
    in_loops, with_handlers, run_time_positions,
]  # fmt: skip


@pytest.mark.parametrize("layout", ["C", "F", "strided"])
@pytest.mark.parametrize("rank", [2, 3])
@pytest.mark.parametrize("program", PROGRAMS)
def test_parts_are_those_of_numpy(program, rank, layout):
    if program is rolled and rank == 2:
        pytest.skip("has three dimensions")
    x = np.round(np.random.default_rng(0).random((6,) * rank), 2)
    part = x[(slice(None, None, 2),) * rank]
    agree(program, part if layout == "strided" else np.array(part, order=layout))


def fill_columns(x):
    for i in range(x.shape[1]):
        for j in range(x.shape[0]):
            x.T[i, j] = i - j


def local_columns(n):
    x = np.zeros((n, n))
    y = x.T
    for i in range(n):
        y[i, 1:] += i
        for j in range(n):
            y[i, j] += j
    return x


@pytest.mark.parametrize(
    ("program", "given"), [(fill_columns, (np.ones((9, 7)),)), (local_columns, (9,))]
)
def test_loops_over_columns_move_nothing(program, given):
    agree(program, *given)
    text = str(ag.jit(program).experimental_get_compiler_ir(*given)("optimized_hlo"))
    assert "affine_map<(d0, d1) -> (d1, d0)>" not in text
    text = str(ag.jit(program).experimental_get_compiler_ir(*given)("bufferized"))
    assert "memref.copy" not in text
