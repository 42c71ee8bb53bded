"""A value that could be iterated over, such as a text, stays whole where a function takes a value."""

from __future__ import annotations

import bisect
import functools
import heapq
from typing import Any

import pytest

import agir as ag


def on_a_heap(one, other):
    heap = ["m", "x"]
    heapq.heappush(heap, one)
    heapq.heappush(heap, other)
    return heapq.heappushpop(heap, one), heapq.heapreplace(heap, other), heap


def reduced(words, text):
    return (
        functools.reduce(lambda a, b: a + b, words, text),
        functools.reduce(lambda a, b: b + a, text),
        functools.reduce(lambda a, b: b + a, text, text),
    )


def bisected(text):
    found = ["b", "d", "f"]
    bisect.insort(found, text)
    return found, bisect.bisect_left(found, text), bisect.bisect(found, text)


class Pair:
    def __init__(self, n):
        self.n = n

    def __iter__(self):
        return iter([self.n, 2])

    def __lt__(self, other):
        return self.n < other.n


def of_objects(n):
    heap = []
    for k in range(3):
        heapq.heappush(heap, Pair((n * k) % 5))
    numbers = [heapq.heappop(heap).n for _ in range(3)]
    last = functools.reduce(lambda a, b: a.n + b if isinstance(a, Pair) else a + b, [1, 2], Pair(n))
    return numbers, functools.reduce(lambda a, b: a + b, Pair(n), 0), last


@pytest.mark.parametrize(
    ("function", "calls"),
    [
        (on_a_heap, [("a", "z"), ("n", "b"), ("y", "q"), ("c", "d")]),
        (reduced, [(["a", "b"], "xyz"), (["c"], "pq"), (["d", "e"], "uv"), (["d", "e"], "w")]),
        (bisected, [("a",), ("e",), ("c",), ("g",)]),
        (of_objects, [(3,), (4,)]),
    ],
)
def test_as_in_plain_python(function: Any, calls: list[Any]) -> None:
    decorated = ag.jit(function)
    for args in calls:  # the third text makes the parameter data
        assert decorated(*args) == function(*args)
