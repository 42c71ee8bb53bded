"""``x.shape = ...``: all who hold the array see it in other dimensions, as in NumPy."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

import agir as ag

sys.path.insert(0, str(Path(__file__).parents[1]))

from agreement import agree

X = np.arange(6.0).reshape(2, 3)


def aliases(n):
    x = np.arange(6 * n)
    y = x
    x.shape = (2, -1)
    x[0, 1] = 7
    return x, y, x.T, x.shape


def chained(n):
    a, b = np.mgrid[0:n, 0:n]
    c = a + b * 1j
    a.shape = b.shape = c.shape = n * n
    a[1] += b[n]
    return a, b, c


def in_a_loop(n):
    total = 0.0
    for i in range(n):
        u = np.zeros(6) + i
        u.shape = 2, 3
        u[1] += 1
        total += u[1, 2]
    return total


def in_a_while(x):
    t = 0.0
    while t < 10:
        v = x + t
        v.shape = -1
        t += v[1] + 1
    return t


def of_a_view(x):
    y = x[1:]
    y.shape = (y.size, 1)
    y[0, 0] = 5
    y.shape = (3,)
    y += 1
    return y


def that_would_copy(x):
    y = x.T
    y.shape = (6,)


def of_another_size(x):
    y = x + 1
    y.shape = (4,)


@pytest.mark.parametrize(
    ("function", "given"),
    [(aliases, 3), (chained, 3), (in_a_loop, 4), (in_a_while, X), (of_a_view, X),
     (that_would_copy, X), (of_another_size, X)],
)  # fmt: skip
def test_shapes_are_assigned(function, given):
    agree(function, given)


def of_the_caller(x):
    x.shape = (6,)


def that_has_views(x):
    y = x + 1
    z = y[0]
    y.shape = (6,)
    return y, z


def of_outside_the_branch(x):
    y = x + 1
    if x[0, 0] > 0:
        y.shape = (6,)
    return y


@pytest.mark.parametrize(
    ("function", "why"),
    [
        (of_the_caller, "the caller has"),
        (that_has_views, "views"),
        (of_outside_the_branch, "branch"),
    ],
)
def test_what_is_refused_says_why(function, why):
    with pytest.raises(ag.errors.StagingError, match=f"{why}.*reshape"):
        ag.jit(function)(X)
    if function is not of_the_caller:
        with pytest.raises(ag.errors.StagingError, match=r"a value.*reshape"):
            ag.function(function)(ag.constant(X))
