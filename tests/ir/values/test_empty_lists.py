"""Empty lists and tuples under run-time keys, and what a `try` makes of their certain errors."""

import numpy as np
import pytest

import agir as ag


def read(n):
    items = []
    if n > 2:
        return items[n]
    return n


def write(n):
    items = []
    if n > 2:
        items[n] = 1
    return n


def popped(n):
    items = []
    if n > 2:
        return items.pop(n)
    return n


def deleted(n):
    items = []
    if n > 2:
        del items[n]
    items.insert(n, 3)
    return items


def sliced(n):
    items = []
    return items[:n], items[n:], len(items[:n])


def slice_assigned(n):
    items = []
    items[:n] = [n, 1]
    return items


def asked(n):
    items = []
    return n in items, items.count(n), sum(items[:n]), sorted(items[n:]), [v + 1 for v in items[:n]]


def of_a_tuple(n):
    items = ()
    if n > 2:
        return items[n]
    return len(items[:n])


def of_a_text(n):
    word, count = "hello", 0
    for i in range(n):
        if word[i] == "l":
            count += 1
    return count


def before_there_are_items(n):
    items, total = [], 0
    for i in range(n):
        if i > 0:
            total += items[i - 1]
        items.append(i)
    return total, items


def caught_at_first(n):
    items, total = [], 0
    for i in range(n):
        try:
            total += items[i - 1]
        except IndexError:
            total += 10
        items.append(i)
    return total


def always_caught(n):
    items, total = (), 0
    while n > 0:
        try:
            total += items[n]
        except IndexError:
            total += 10
        finally:
            n -= 1
    return total


FUNCTIONS = [
    read, write, popped, deleted, sliced, slice_assigned, asked, of_a_tuple, of_a_text,
    before_there_are_items, caught_at_first, always_caught,
]  # fmt: skip


def plain(value):
    if isinstance(value, list | tuple):
        return [plain(each) for each in value]
    return np.asarray(value).tolist()


@pytest.mark.parametrize("jit_compile", [None, False])
@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
def test_as_python_does(function, jit_compile):
    decorated = ag.jit(function, jit_compile=jit_compile)
    for n in (0, 1, 5, 7):
        try:
            expected = plain(function(n))
        except IndexError:
            with pytest.raises(IndexError, match=r"test_empty_lists\.py:\d+"):
                decorated(n)
        else:
            assert plain(decorated(n)) == expected
