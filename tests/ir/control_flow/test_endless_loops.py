"""Loops of which only run-time values know the end, over iterators that Python alone can follow."""

import itertools

import pytest

import agir as ag
from agir.autograph.operators import loops


class Countdown:
    def __init__(self, n):
        self.n = n

    def __iter__(self):
        return self

    @ag.autograph.convert
    def __next__(self):
        if self.n <= 0:
            raise StopIteration
        self.n -= 1
        return self.n


def of_itertools(n):
    for i in (v for v in map(int, itertools.count(0.5))):
        if i * i > n:
            break
    return i


def of_integers(n):
    for i in itertools.count():
        if i * i > n:
            break
    return i


def test_counters_are_recorded(agrees):
    agrees(of_integers, (5,), (0,), (1_000_000,))


def of_a_class(n):
    total = 0
    for i in Countdown(n):
        total += i
    return total


@pytest.mark.parametrize("function", [of_itertools, of_a_class])
def test_they_are_refused_and_end(monkeypatch, function):
    monkeypatch.setattr(loops, "GUARDED_LIMIT", 20)
    monkeypatch.setattr(loops, "STEPS_LIMIT", 20)
    line = function.__code__.co_firstlineno
    with pytest.raises(
        ag.errors.StagingError, match="20 iterations of a loop over an iterator"
    ) as raised:
        ag.jit(function)(5)
    assert f"{__file__}:{line + 1 + (function is of_a_class)}" in str(raised.value)


def of_known_length(n):
    for i in itertools.chain(range(4), [9]):
        if i > n:
            break
    return i


def test_iterators_that_end_are_followed(agrees):
    agrees(of_known_length, (2,), (7,), (20,))
