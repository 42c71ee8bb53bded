"""`queue.Queue` and its like are queues of one thread."""

from __future__ import annotations

import queue
from queue import LifoQueue, PriorityQueue, Queue, SimpleQueue
from typing import Any

import pytest

import agir as ag


def in_loops(n):
    waiting = queue.Queue()
    if n > 3:
        waiting.put(1)
    for i in range(n):
        waiting.put(i * 2)
    total = 0
    while not waiting.empty():
        total = (total * 3 + waiting.get()) % 1_000_003
    return total, waiting.qsize()


def by_order(n):
    least, last, simple = PriorityQueue(), LifoQueue(), SimpleQueue()
    for i in range(n):
        least.put(((i * 7) % 5, i))
        last.put(i)
        simple.put(-i)
    found = []
    while least.qsize() > 0:
        found.append((least.get(), last.get(), simple.get()))
    return found


def with_a_bound(n):
    waiting = Queue(maxsize=3)
    try:
        for i in range(n):
            waiting.put_nowait(i)
    except queue.Full:
        return waiting.full(), waiting.qsize()
    try:
        while True:
            waiting.get_nowait()
    except queue.Empty:
        return waiting.full(), -1


def distances(edges, start):
    found = {start: 0}
    waiting = Queue()
    waiting.put(start)
    while not waiting.empty():
        node = waiting.get()
        for other in edges[node]:
            if other not in found:
                found[other] = found[node] + 1
                waiting.put(other)
        waiting.task_done()
    return found


@pytest.mark.parametrize(
    ("function", "calls"),
    [
        (in_loops, [(5,), (1,), (0,), (40,)]),
        (by_order, [(7,), (0,), (30,)]),
        (with_a_bound, [(2,), (3,), (5,)]),
        (distances, [({0: [1, 2], 1: [3], 2: [3], 3: []}, 0), ({0: [1], 1: [0], 2: [0]}, 2)]),
    ],
)
def test_as_in_plain_python(function: Any, calls: list[Any]) -> None:
    decorated = ag.jit(function)
    for given in calls:
        assert decorated(*given) == function(*given)


def test_as_a_result() -> None:
    @ag.jit
    def made(n):
        waiting = Queue(5)
        waiting.put(n)
        waiting.put(n + 1)
        return waiting, isinstance(waiting, Queue)

    waiting, is_one = made(3)
    assert type(waiting) is Queue
    assert is_one
    assert waiting.maxsize == 5
    assert [waiting.get(), waiting.get(), waiting.qsize()] == [3, 4, 0]
