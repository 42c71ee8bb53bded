"""Iterators over lists that hold run-time values, given to Python's functions and asked by `next`."""

import functools
import heapq
import itertools

import numpy as np
import pytest

import agir as ag


def less(a, b):
    if a < b:
        return a
    return b


def less_of_pairs(a, b):
    if a[1] < b[1]:
        return a
    return b


def is_large(pair):
    if pair[1] > 2:
        return True
    return False


def doubled(i, v):
    if v > 2:
        return v * 2
    return i


def large(values):
    for v in values:
        if v > 2:
            yield v


PROGRAMS = [
    lambda x: functools.reduce(less_of_pairs, zip(range(len(x)), x, strict=False)),
    lambda x: functools.reduce(less, iter(x)),
    lambda x: functools.reduce(less, reversed(x)),
    lambda x: functools.reduce(less_of_pairs, enumerate(x)),
    lambda x: max(zip(x, range(len(x)), strict=False)),
    lambda x: sorted(zip(x, range(len(x)), strict=False)),
    lambda x: list(itertools.accumulate(iter(x), less)),
    lambda x: list(itertools.starmap(doubled, enumerate(x))),
    lambda x: list(itertools.filterfalse(is_large, enumerate(x))),
    lambda x: heapq.nlargest(2, zip(x, range(len(x)), strict=False)),
    lambda x: heapq.nsmallest(2, iter(x)),
    lambda x: sum(zip(x, x, strict=False), ())[1],
    lambda x: [v + 1 for v in filter(lambda v: v > 2, x)],
    lambda x: {k: v for k, v in zip("abc", x, strict=False) if v > 2},
    lambda x: dict((k, v) for k, v in zip("abc", x, strict=False) if v > 2),  # noqa: C402
    lambda x: next(v for v in x if v > 2),
    lambda x: next((v for v in (w + 1 for w in x) if v > 3), 0.0),
    lambda x: next((v for _, v in zip(range(3), x, strict=False) if v > 2), 0.0),
    lambda x: next(v for v in filter(lambda v: v > 2, x)),
    lambda x: next(large(iter(x))),
    lambda x: next(large(map(abs, x))),
    lambda x: next((i for i, v in enumerate(x) if v < 2), -1),
    lambda x: next((v for v in reversed(x) if v < 4), -1),
    lambda x: next(v for v in {"a": x[0], "b": x[1], "c": x[2]}.values() if v > 2),
    lambda x: (x.index(max(x)), x.count(1.0), x.index(x[1], 1), (x[0], x[1]).index(x[1])),
]


def plain(value):
    """The value with Python's numbers in the place of NumPy's."""
    if isinstance(value, (list, tuple)):
        return type(value)(map(plain, value))
    if isinstance(value, dict):
        return {key: plain(each) for key, each in value.items()}
    return value.item() if isinstance(value, np.generic) else value


@pytest.mark.parametrize("program", PROGRAMS)
def test_python_s_functions(program):
    decorated = ag.jit(program)
    for x in ([3.0, 1.0, 4.0], [1.0, 3.0, 2.0], [1.0, 1.0, 5.0]):
        assert plain(decorated(list(x))) == program(list(x))


def test_a_generator_goes_on_behind_an_item_that_python_has_taken():
    def both(x):
        source = iter(x)
        first = next(source)
        return first + next((v for v in source if v > 2), 0.0)

    for x in ([3.0, 1.0, 4.0], [1.0, 3.0, 4.0]):
        assert ag.jit(both)(list(x)) == both(list(x))


def test_a_generator_that_has_given_an_item_in_vain_is_made_to_go_on():
    def after(x):
        source = (w + 1 for w in x)
        first = next(source)
        return first + next((v for v in source if v > 3), 0.0)

    assert ag.jit(after)([3.0, 1.0, 4.0]) == after([3.0, 1.0, 4.0]) == 9.0


def test_a_generator_that_is_closed_has_ended():
    def closed(x):
        source = (w + 1 for w in x)
        first = next(source)
        source.close()
        return first + next(source, 10.0)

    assert ag.jit(closed)([3.0, 1.0]) == closed([3.0, 1.0]) == 14.0


def test_a_long_list_is_sorted_in_place():
    def bubbles(values):
        ordered = [v for v in values]  # noqa: C416 - as people write it
        for i in range(len(ordered) - 1):
            swapped = False
            for j in range(len(ordered) - i - 1):
                if ordered[j] > ordered[j + 1]:
                    ordered[j], ordered[j + 1] = ordered[j + 1], ordered[j]
                swapped = True
            if swapped == False:  # noqa: E712 - as people write it
                break
        return ordered

    values = [-4, 1, 45, -6, 123, 4, 6, 1, 34, -8, 12]
    assert ag.jit(bubbles)(values) == sorted(values)
