"""``collections.deque`` in traced functions: what it holds, how it grows, what comes back."""

from collections import deque

import numpy as np
import pytest

import agir as ag


def in_order(edges, n):
    incoming = [0] * n
    for _, b in edges:
        incoming[b] += 1
    ready = deque(i for i in range(n) if incoming[i] == 0)
    out = []
    while ready:
        here = ready.popleft()
        out.append(here)
        for a, b in edges:
            if a == here:
                incoming[b] -= 1
                if incoming[b] == 0:
                    ready.append(b)
    return out


def distances(grid):
    rows, columns = grid.shape
    found = -np.ones((rows, columns), dtype=int)
    found[0, 0] = 0
    queue = deque([(0, 0)])
    while queue:
        i, j = queue.popleft()
        for down, right in ((1, 0), (-1, 0), (0, 1), (0, -1)):
            a, b = i + down, j + right
            inside = 0 <= a < rows and 0 <= b < columns
            if inside and not grid[a, b] and found[a, b] < 0:
                found[a, b] = found[i, j] + 1
                queue.append((a, b))
    return found


def both_ends(n):
    queue = deque()
    for i in range(n):
        if i % 2:
            queue.append(i)
        else:
            queue.appendleft(i)
    queue.rotate(2)
    queue.rotate(-n)
    queue.extendleft(range(2))
    queue.extend([9, n])
    ends = queue[0], queue[-1], len(queue), n in queue, max(queue), sum(queue)
    return (
        list(queue),
        ends,
        isinstance(queue, deque),
        (isinstance(queue, list), type(queue) is deque),
    )


def of_known_length(n):
    queue = deque([n, n + 1, n + 2])
    queue.rotate()
    last, first = queue.pop(), queue.popleft()
    queue.append(n * n)
    empty = deque()
    empty.rotate(3)
    return last, first, bool(queue), bool(empty), list(queue), list(queue.copy())


def one_each_iteration(n):
    total = 0
    for start in range(n):
        queue = deque([start])
        while queue:
            v = queue.popleft()
            total += v
            if v < n:
                queue.append(v + 1)
    return total


def every_third(n):
    people, out = deque(range(n)), []
    while len(people) > 0:
        people.rotate(-2)
        out.append(people.popleft())
    return out


def grown_in_a_branch(n):
    queue = deque()
    if n > 6:
        queue.append(n)
    return len(queue)


@pytest.mark.parametrize(
    "program", [both_ends, of_known_length, one_each_iteration, every_third, grown_in_a_branch]
)
def test_against_python(program, agrees):
    agrees(program, (5,), (8,))


def test_searches_of_graphs():
    edges = np.array([[0, 1], [1, 2], [0, 3], [3, 2], [2, 4]])
    assert list(map(int, ag.jit(in_order)(edges, 5))) == in_order(edges, 5)
    grid = np.array([[0, 1, 0], [0, 0, 0], [1, 1, 0]])
    assert ag.jit(lambda x: distances(x))(grid).tolist() == distances(grid).tolist()


def chosen(n):
    queue = deque([1, 2]) if n > 2 else deque()
    queue.append(n)
    return queue


@pytest.mark.parametrize("n", [1, 3])
def test_a_deque_comes_back(n):
    got = ag.jit(chosen)(n)
    assert type(got) is deque
    assert list(map(int, got)) == list(chosen(n))


def printed(n):
    known, growing = deque([n, 2.5]), deque([n])
    for i in range(n):
        growing.append(i)
    print(known, [known], growing, f"{known!r:>20} {growing!s:>30}|", deque())
    return n


@pytest.mark.parametrize("n", [0, 3])
def test_its_text(n, capfd):
    printed(n)
    wanted = capfd.readouterr().out
    ag.jit(printed)(n)
    assert capfd.readouterr().out == wanted


def test_nothing_is_taken_from_an_empty_one():
    def program(n):
        queue = deque([1])
        for _ in range(n):
            queue.popleft()
        return queue

    assert not ag.jit(program)(1)
    with pytest.raises(IndexError, match="pop from"):
        ag.jit(program)(2)
    with pytest.raises(IndexError, match="pop from an empty deque"):
        ag.jit(lambda x: deque().popleft())(1.0)
