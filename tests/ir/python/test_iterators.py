"""Iterators that loops leave early: what is left of them is what Python has left."""

# ruff: noqa: B905, C417 (the constructs are what is tested)

import itertools

import numpy as np
import pytest

import agir as ag


def of_a_range(n):
    numbers = iter(range(10))
    for v in numbers:
        if v >= n:
            break
    return list(numbers)


def of_a_list(n):
    numbers = iter([1, 2, 3, 4, 5, 6])
    total = 0
    for v in numbers:
        if v >= n:
            break
        total += v
    return total, next(numbers), list(numbers), list(numbers)


def of_text(n):
    letters = iter("abcdef")
    for _ in letters:
        n -= 1
        if n <= 0:
            break
    return len(list(letters))


def of_a_dict(n):
    values = iter({"a": 1, "b": 2, "c": 5}.values())
    for v in values:
        if v >= n - 2:
            break
    return list(values)


def enumerated(n):
    pairs = enumerate([1, 2, 3, 4, 5, 6])
    for _, v in pairs:
        if v >= n:
            break
    return next(pairs), list(pairs)


def side_by_side(n):
    pairs = zip(range(5), range(5))
    for a, _ in pairs:
        if a >= n - 2:
            break
    return list(pairs)


def backwards(n):
    numbers = reversed([1, 2, 3, 4, 5])
    for v in numbers:
        if v <= n - 2:
            break
    return list(numbers)


def collected_by_a_generator(n):
    numbers = iter(range(10))

    def some():
        taken = 0
        for v in numbers:
            yield v
            taken += 1
            if taken >= n:
                break

    return list(some()), list(numbers)


def in_batches(n):
    numbers = iter(range(20))
    sums = []
    while True:
        batch = list(itertools.islice(numbers, n))
        if not batch:
            break
        sums.append(sum(batch))
    return sums


def searched(n):
    numbers = iter(range(10))
    return any(v >= n for v in numbers), next(numbers)


def taken_while(n):
    numbers = itertools.count()
    return sum(itertools.takewhile(lambda v: v < n, numbers)), next(numbers)


def after_an_inner_loop(n):
    numbers = iter(range(12))
    rows = []
    for v in numbers:
        for w in numbers:
            if w % n == 0:
                rows.append((v, w))
                break
    return rows


def beside_a_generator(n):
    return [a * 10 + b for a, b in zip(range(n - 1), (v * v for v in range(n)))]


@pytest.mark.parametrize(
    "program",
    [beside_a_generator, of_a_range, of_a_list, of_text, of_a_dict, enumerated, side_by_side, backwards,
     collected_by_a_generator, in_batches, searched, taken_while, after_an_inner_loop],
)  # fmt: skip
def test_what_is_left(program, agrees):
    agrees(program, (4,), (3,))


def with_a_range(x, n):
    items = iter(x)
    pairs = list(zip(items, range(n)))
    return pairs, next(items)


def with_a_range_before(x, n):
    items = iter(x)
    pairs = list(zip(range(n), items))
    return pairs, next(items)


def with_itself(x, n):
    items = iter(x)
    return [a * n + b for a, b in zip(items, items)], list(items)


def one_item_later(x, n):
    items = iter(x)
    next(items)
    return [a * n + b for a, b in zip(x, items)], list(items)


def left_side_by_side(x, n):
    items = iter(x)
    for a, b in zip(items, range(10)):
        if a > n:
            break
    return a, b, list(items)


def numbered(x, n):
    items = iter(x)
    for i, v in enumerate(items):
        if i + v >= n:
            break
    return list(items), [(i, v) for i, v in enumerate(items)]


def mapped(x, n):
    items = iter(x)
    next(items)
    doubled = map(lambda v: v * 2, items)
    found = [next(doubled), next(items)]
    for v in doubled:
        if v > n:
            break
    return found, list(items), list(doubled)


@pytest.mark.parametrize(
    "program",
    [
        mapped,
        with_a_range,
        with_a_range_before,
        with_itself,
        one_item_later,
        left_side_by_side,
        numbered,
    ],
)
@pytest.mark.parametrize("count", [8, 9])
def test_iterators_over_arrays(program, count, agrees):
    agrees(program, (np.arange(count), 4), (np.arange(count) * 2, 2))


def until_it_ends(x, n):
    items = iter(x)
    total = 0
    try:
        while True:
            total += next(items)
    except StopIteration:
        total = n - total
    return total


def counted_until_it_ends(x, n):
    items = iter(range(3))
    total = 0
    try:
        for i in range(n):
            total += i * next(items)
    except StopIteration:
        total += x.size
    return total


@pytest.mark.parametrize("program", [until_it_ends, counted_until_it_ends])
def test_the_end_of_an_iterator_ends_a_loop(program, agrees):
    agrees(program, (np.arange(0), 2), (np.arange(4), 3), (np.arange(700), 5))


def taken_inside(x, n):
    items = iter(x)
    total = 0
    for i, v in enumerate(items):
        if v > n:
            total += i * next(items)
    return total


def test_items_taken_from_what_zip_runs_over_are_refused():
    with pytest.raises(ag.errors.StagingError, match=r"takes items from that iterator"):
        ag.jit(taken_inside)(np.arange(6), 2)


@pytest.mark.parametrize(
    "made",
    [
        lambda x: [reversed([1, x])],
        lambda x: (iter([x]), 1),
        lambda x: [zip([x], [1])],
        lambda x: {1: x}.values(),
        lambda x: {1: x}.items(),
        lambda x: {"a": map(abs, [x])},
        lambda x: [iter("ab")],
    ],
)
def test_iterators_are_no_results(made):
    with pytest.raises(TypeError, match=r"returns .*return a list"):
        ag.jit(made)(2.0)
    assert list(ag.jit(lambda x: list({1: x}.keys()))(2.0)) == [1]


def test_arrays_have_no_greatest():
    rows = np.array([[1.0, 2.0], [3.0, 4.0]])
    for function in (lambda x: max(x[0], x[1]), lambda x: min([x[0], x[1]]), lambda x: max(x)):
        with pytest.raises(ValueError, match="ambiguous"):
            ag.jit(function)(rows)
    for function in (lambda x: max(x[0, :1], x[1, :1]), lambda x: max(x, key=np.sum)):
        np.testing.assert_array_equal(ag.jit(function)(rows), function(rows))
