"""Numbers in attributes that change their type: Python's rules for numbers decide, as in Python."""

from __future__ import annotations

import pytest

import agir as ag


class Counter:
    def __init__(self, t):
        self.t = t

    @ag.jit
    def add(self, x):
        self.t += x
        return self.t

    @ag.jit
    def compare(self, x):
        self.t = self.t > x


@pytest.mark.parametrize(
    ("before", "amount"), [(1, 0.5), (1, 2), (1.5, 2), (True, 2), (1, 2j), (2.5, True), (2j, 1)]
)
def test_the_type_is_that_of_the_sum(before, amount):
    compiled, plain = Counter(before), Counter(before)
    for _ in range(3):
        result = compiled.add(amount)
        Counter.add.python_function(plain, amount)
        assert (compiled.t, type(compiled.t)) == (plain.t, type(plain.t))
        assert result == plain.t


def test_a_comparison_gives_a_bool():
    counter = Counter(3)
    counter.compare(2)
    assert counter.t is True
