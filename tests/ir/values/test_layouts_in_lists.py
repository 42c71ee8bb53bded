"""Items of lists that the run time indexes lie in memory as what was put into the lists."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

import agir as ag

sys.path.insert(0, str(Path(__file__).parents[2] / "numpy"))

from agreement import agree

ROWS = np.arange(12.0).reshape(3, 4)
COLUMNS = ROWS.T.copy().T
TURNED = np.arange(12.0).reshape(2, 3, 2).transpose(1, 0, 2)


def turned_round(b, n):
    h = [b * 1, b * 1, b * 1]
    for i in range(n):
        h[i % 3] = h[(i + 1) % 3] + 1
    v = h[0] * 1
    v.ravel()[0] = 99
    return v


def appended(b, n):
    h = []
    for i in range(n):
        h.append(b + i)
    v = h[n - 1] * 2
    v.reshape(-1)[1] = 5
    return v


def in_tuples(b, n):
    h = []
    for i in range(n):
        h.append((b + i, i))
    v = h[n - 1][0] * 2
    v.reshape(-1)[1] = h[0][1]
    return v


def only_read(b, n):
    h = [b * 1, b.T.copy().T * 1]
    return h[n % 2].reshape(-1) + 1


@pytest.mark.parametrize("f", [turned_round, appended, in_tuples, only_read])
@pytest.mark.parametrize("b", [ROWS, COLUMNS, TURNED], ids=["rows", "columns", "turned"])
def test_items_lie_as_what_was_put_into_the_list(f, b):
    for n in (1, 2, 4):
        agree(f, b, n)


def unlike(b, n):
    h = [b.copy(), b.copy(order="F")]
    v = h[n % 2] * 1
    v.ravel()[1] = 5
    return v


def test_items_that_lie_differently_are_refused_where_it_matters():
    with pytest.raises(ag.errors.StagingError, match="several arrays"):
        ag.jit(unlike)(ROWS, 1)
