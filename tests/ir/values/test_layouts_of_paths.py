"""How arrays lie that branches and loops leave decides what is a view of them, as NumPy has it."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

import agir as ag

sys.path.insert(0, str(Path(__file__).parents[2] / "numpy"))

from agreement import agree

ROWS = np.arange(9.0).reshape(3, 3)
COLUMNS = ROWS.T.copy().T


def both(b, n):
    if n > 1:
        v = b.T + 1
    else:
        v = b.T * 2
    v.ravel()[1] = 1
    return v


def of_one(b, n):
    if n:
        v = b.T
    v = v + 1
    v.ravel()[1] = 1
    return v


def expression(b, n):
    v = b.T + 1 if n > 1 else b.T - 1
    v.ravel()[1] = 1
    return v


def several(b, n):
    if n > 1:
        t = (b.T + 1, b + 1)
    else:
        t = (b.T + 2, b + 2)
    t[0].ravel()[1] = 1
    t[1].ravel()[1] = 1
    return t[0], t[1]


def counted(b, n):
    v = b.T * 1
    for _ in range(n):
        v = v * 2
        v.ravel()[1] += 1
    v.ravel()[2] = 1
    return v


def until(b, n):
    v = b.T * 1
    i = 0
    while i < n:
        v = v * 2
        v.ravel()[1] = i
        i += 1
    v.reshape(-1)[2] = 7
    return v


def nested(b, n):
    v = b.T * 1
    for i in range(n):
        if i > 0:
            v = v + i
        else:
            v = v - i
    w = v * 2
    w.ravel()[1] = 1
    return v, w


def only_read(b, n):
    v = b * 1
    for _ in range(n):
        v = v.T + 1
    return v.ravel(), v.reshape(-1)[1:]


@pytest.mark.parametrize(
    "function", [both, of_one, expression, several, counted, until, nested, only_read]
)
@pytest.mark.parametrize("array", [ROWS, COLUMNS])
def test_it_is_numpys(function, array):
    for n in (1, 3):
        agree(function, array, n)


def branches_differ(b, n):
    if n:
        v = b.T + 1
    else:
        v = b + 1
    v.ravel()[1] = 1
    return v


def iterations_differ(b, n):
    v = b * 1
    for _ in range(n):
        v = v.T + 1
    v.ravel()[1] = 1
    return v


def iterations_differ_inside(b, n):
    v = b * 1
    for _ in range(n):
        v.ravel()[1] = 1
        v = v.T + 1
    return v


@pytest.mark.parametrize("function", [branches_differ, iterations_differ, iterations_differ_inside])
def test_it_is_refused_where_paths_differ_and_a_write_tells(function):
    with pytest.raises(ag.errors.StagingError, match="lie in memory in different orders"):
        ag.jit(function)(ROWS, 2)


def test_layouts_of_arrays_greater_than_the_memory():
    def f(x):
        return x.T.reshape(-1)[:3], x.T[::2].reshape(2, -1, 4)[0, 0]

    size = 1 << 20
    concrete = ag.jit(f).get_concrete_function(ag.TensorSpec([size, size], ag.int8))
    assert [each.shape for each in concrete.structured_outputs] == [(3,), (4,)]
