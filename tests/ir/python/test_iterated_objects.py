"""Objects of the user's classes that are iterated over and put in order; views of dicts."""

import dataclasses
import functools

import pytest


@functools.total_ordering
class Weight:
    def __init__(self, value):
        self.value = value

    def __lt__(self, other):
        return self.value < other.value

    def __eq__(self, other):
        return self.value == other.value

    __hash__ = None


@dataclasses.dataclass(order=True)
class Pair:
    first: float
    second: int


class Bag:
    def __init__(self, items):
        self.items = items

    def __iter__(self):
        return iter(self.items)


class Steps:
    def __init__(self, count):
        self.count = count

    def __iter__(self):
        for i in range(self.count):
            yield i * i


def extrema(n):
    weights = [Weight(n), Weight(2), Weight(5)]
    pairs = Pair(n, 1), Pair(2, n)
    return max(weights).value, min(weights[0], weights[1]).value, max(*pairs).first


def in_order(n):
    weights = sorted([Weight(n), Weight(2), Weight(5)])
    backwards = sorted([Pair(n, 2), Pair(n, 1), Pair(3, 9)], reverse=True)
    return [each.value for each in weights], [each.second for each in backwards]


def of_dicts(n):
    counts = {"a": n, "b": 2, "c": n * n}
    best = max(counts, key=counts.get), sorted(counts, key=counts.get)
    values = max(counts.values()), sum(counts.values()), sorted(counts.values())
    return best, values, min(counts.items(), key=lambda item: item[1])


def bags(n):
    bag, steps = Bag([i * i for i in range(n)]), Steps(n)
    doubled = [v * 2 for v in bag], list(steps), sum(steps), max(bag), list(zip(bag, range(n)))  # noqa: B905
    total = 0
    for v in steps:
        if v > 5:
            break
        total += v
    return doubled, total, any(v > 3 for v in bag)


@pytest.mark.parametrize("program", [extrema, in_order, of_dicts, bags])
def test_against_python(program, agrees):
    agrees(program, (3,), (6,), (1,))
