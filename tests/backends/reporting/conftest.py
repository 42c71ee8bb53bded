"""One program whose report the tests look at."""

from __future__ import annotations

import numpy as np
import pytest

import agir as ag
from agir.backends.reporting.model import Report


@ag.jit
def heat(u, index, h):
    for _ in range(100):
        u[1:-1] += h * (u[2:] - 2 * u[1:-1] + u[:-2])
    total = 0.0
    for i in range(len(index)):
        if index[i] > 3:
            total += u[index[i]]
    return total, np.sqrt(np.exp(u) + 1)


FIRST = heat.python_function.__code__.co_firstlineno


@pytest.fixture(scope="session")
def report() -> Report:
    made = heat.report(np.ones(400), np.arange(400), 0.1)
    assert not made.error
    return made


@pytest.fixture(scope="session")
def first() -> int:
    """The line of the program that the function begins on."""
    return FIRST
