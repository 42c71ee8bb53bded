"""Ranges whose ends are further apart than a signed integer can tell."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "numpy"))

from agreement import agree, both

LEAST, MOST = -(2**63), 2**63 - 1
FAR = 2**62


def by_a_constant(start, stop):
    count, total = 0, 0
    for i in range(start, stop, FAR):
        count += 1
        total += i // 1024
    return count, total


def downwards(start, stop):
    count, total = 0, 0
    for i in range(start, stop, -FAR):
        count += 1
        total += i // 1024
    return count, total


def left_after_some(start, stop):
    count = 0
    for i in range(start, stop):
        count += 1
        if count > 5 + i % 2:
            break
    return count


def left_by_twos(start, stop):
    count = 0
    for _ in range(start, stop, 2):
        count += 1
        if count > 5:
            break
    return count


def from_a_constant(start, stop):
    count = 0
    for i in range(-3, stop):
        if i > 5:
            return count
        count += i
    return count - start


def by_steps(start, stop, step):
    count, total = 0, 0
    for i in range(start, stop, step):
        count += 1
        total += i // 1024
        if count > 9:
            break
    return count, total


def lengths(start, stop, step):
    return len(range(start, stop, step))


ENDS = [(LEAST, MOST), (MOST, LEAST), (-5, MOST), (LEAST, 0), (0, MOST), (-2, 3), (3, -2), (5, 5)]


@pytest.mark.parametrize(
    "f", [by_a_constant, downwards, left_after_some, left_by_twos, from_a_constant]
)
def test_turns_between_far_ends(f):
    decorated = both(f)
    for start, stop in ENDS:
        agree(f, start, stop, decorated=decorated)


def test_steps_of_the_run_time():
    decorated = both(by_steps)
    for start, stop in ENDS:
        for step in (1, 2, 3, FAR, MOST, -1, -2, -FAR, LEAST):
            agree(by_steps, start, stop, step, decorated=decorated)


def test_lengths():
    decorated = both(lengths)
    for start, stop in ENDS:
        for step in (FAR, MOST, -FAR, LEAST):
            agree(lengths, start, stop, step, decorated=decorated)
