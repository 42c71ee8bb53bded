"""Programs over Python's own data: lists, dicts, sets, text and recursion, called with the caller's.

The times are of whole calls: what is given is entered, and what is changed or returned is taken out.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable
from typing import Any, NamedTuple

import agir as ag

from .harness import Contender, Row, call_by_machine_code, measure, optional


def word_count(text):
    counts = {}
    for word in text.split():
        counts[word] = counts.get(word, 0) + 1
    return counts


def two_sum(numbers, target):
    seen = {}
    for place in range(len(numbers)):
        number = numbers[place]
        if target - number in seen:
            return seen[target - number], place
        seen[number] = place
    return -1, -1


def sieve(n):
    left = set(range(2, n + 1))
    for p in range(2, int(n**0.5) + 1):
        if p in left:
            for multiple in range(p * p, n + 1, p):
                left.discard(multiple)
    return len(left)


def dijkstra(starts, ends, weights, nodes):
    neighbours = [[0] * 0 for _ in range(nodes)]
    lengths = [[0.0] * 0 for _ in range(nodes)]
    for edge in range(len(starts)):
        neighbours[starts[edge]].append(ends[edge])
        lengths[starts[edge]].append(weights[edge])
    distances = [1e300] * nodes
    distances[0] = 0.0
    queue = [(0.0, 0)]
    while queue:
        distance, node = heapq.heappop(queue)
        if distance > distances[node]:
            continue
        for number in range(len(neighbours[node])):
            other = neighbours[node][number]
            longer = distance + lengths[node][number]
            if longer < distances[other]:
                distances[other] = longer
                heapq.heappush(queue, (longer, other))
    return distances


def queens(n):
    columns = [False] * n
    rising = [False] * (2 * n)
    falling = [False] * (2 * n)

    def place(row):
        if row == n:
            return 1
        found = 0
        for column in range(n):
            if columns[column] or rising[row + column] or falling[row - column + n]:
                continue
            columns[column] = rising[row + column] = falling[row - column + n] = True
            found += place(row + 1)
            columns[column] = rising[row + column] = falling[row - column + n] = False
        return found

    return place(0)


def edit_distance(one, other):
    previous = list(range(len(other) + 1))
    for i in range(len(one)):
        current = [i + 1]
        for j in range(len(other)):
            changed = previous[j] + (one[i] != other[j])
            current.append(min(changed, previous[j + 1] + 1, current[j] + 1))
        previous = current
    return previous[-1]


def trie(words, size):
    children = [[-1] * 26]
    ends = [0]
    for word in words:
        node = 0
        for place in range(size):
            letter = word // 26**place % 26
            if children[node][letter] < 0:
                children[node][letter] = len(children)
                children.append([-1] * 26)
                ends.append(0)
            node = children[node][letter]
        ends[node] += 1
    return len(children), max(ends)


def union_find(starts, ends, nodes):
    parents = list(range(nodes))
    sizes = [1] * nodes
    parts = nodes
    for edge in range(len(starts)):
        a, b = starts[edge], ends[edge]
        while parents[a] != a:
            parents[a] = parents[parents[a]]
            a = parents[a]
        while parents[b] != b:
            parents[b] = parents[parents[b]]
            b = parents[b]
        if a != b:
            if sizes[a] < sizes[b]:
                a, b = b, a
            parents[b] = a
            sizes[a] += sizes[b]
            parts -= 1
    return parts


def quicksort(numbers, low, high):
    if low < high:
        pivot = numbers[(low + high) // 2]
        i, j = low, high
        while i <= j:
            while numbers[i] < pivot:
                i += 1
            while numbers[j] > pivot:
                j -= 1
            if i <= j:
                numbers[i], numbers[j] = numbers[j], numbers[i]
                i += 1
                j -= 1
        quicksort(numbers, low, j)
        quicksort(numbers, i, high)


def digits(n):
    text = ""
    for number in range(n):
        text += str(number)
    return len(text), text[-5:]


class Case(NamedTuple):
    """A program, and what makes its arguments."""

    function: Callable[..., Any]
    make: Callable[[], tuple[Any, ...]]


def _numbers(count: int, below: int) -> list[int]:
    """Numbers that look random."""
    found, state = [], 12345
    for _ in range(count):
        state = (1103515245 * state + 12345) % 2**31
        found.append(state // 8 % below)
    return found


_WORDS = ["alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta"]


def _text() -> tuple[str]:
    return (" ".join(_WORDS[n] for n in _numbers(5000, len(_WORDS))),)


def _edges() -> tuple[Any, ...]:
    weights = [1.0 + n for n in _numbers(8000, 100)]
    return _numbers(8000, 2000), _numbers(8001, 2000)[1:], weights, 2000


CASES = {
    "word count": Case(word_count, _text),
    "two-sum with a dict": Case(two_sum, lambda: (list(range(0, 40_000, 2)), 79_991)),
    "sieve with a set": Case(sieve, lambda: (50_000,)),
    "Dijkstra with a heap": Case(dijkstra, _edges),
    "queens by backtracking": Case(queens, lambda: (7,)),
    "edit distance of texts": Case(edit_distance, lambda: ("kitten" * 20, "sitting" * 20)),
    "trie of words": Case(trie, lambda: (_numbers(3000, 26**4), 4)),
    "union-find": Case(union_find, lambda: (_numbers(20_000, 9000), _numbers(20_001, 9000)[1:], 9000)),
    "quicksort in place": Case(quicksort, lambda: (_numbers(20_000, 10**6), 0, 19_999)),
    "digits in a text": Case(digits, lambda: (10_000,)),
}  # fmt: skip


def benchmark(rounds: int) -> list[Row]:
    numba = optional("numba")
    call_by_machine_code()
    rows: list[Row] = []
    for title, case in CASES.items():
        expected_arguments = case.make()
        expected = case.function(*expected_arguments), expected_arguments
        contenders = [
            _contender("agir", ag.jit(case.function), case, expected),
            _contender("plain Python", case.function, case, expected),
        ]
        if numba is not None and (compiled := _by_numba(numba, case)) is not None:
            contenders.append(_contender("Numba", compiled, case, expected))
        rows += measure(title, contenders, min(rounds, 7), reference="plain Python", aim=0.1)
    return rows


def _contender(name: str, run: Callable[..., Any], case: Case, expected: Any) -> Contender:
    given: list[Any] = []

    def prepare() -> tuple[Any, ...]:
        given[:] = case.make()
        return tuple(given)

    def check(result: Any) -> None:
        assert (result, tuple(given)) == expected, f"{name} gives another result"

    return Contender(name, run, prepare, check=check)


def _by_numba(numba: Any, case: Case) -> Any:
    """The program under Numba, where that takes it as it is."""
    compiled = numba.njit(case.function)
    try:
        compiled(*case.make())
    except Exception as error:  # what Numba does not compile is no contender
        print(f"(Numba: {case.function.__name__}: {type(error).__name__})")
        return None
    return compiled
