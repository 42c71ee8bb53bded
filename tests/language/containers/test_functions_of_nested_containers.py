"""Functions that call themselves for what is in containers: each call is of another type."""

from __future__ import annotations

import copy
from collections import Counter

import pytest

import agir as ag


def flattened(items, found):
    for each in items:
        if isinstance(each, list):
            flattened(each, found)
        else:
            found.append(each)
    return found


def depth(value):
    if isinstance(value, list | tuple):
        deepest = 0
        for each in value:
            deepest = max(deepest, depth(each))
        return 1 + deepest
    return 0


def written(value):
    if type(value) is tuple:
        return "(" + ", ".join(written(each) for each in value) + ",)"
    if isinstance(value, list):
        return "[" + ", ".join([written(each) for each in value]) + "]"
    return str(value)


def rows(n):
    return [[i * j for j in range(i)] for i in range(n)]


def flat_rows(n):
    return flattened(rows(n), [])


def flat_halves(n):
    return flattened([[i / 2 for i in range(k)] for k in range(n)], [])


def depths(n):
    deeper = [[[i * j] for j in range(i)] for i in range(n + 1)]
    return depth(deeper), depth(deeper[n]), depth([(deeper[0], n)]), depth(n)


def rows_as_text(n):
    return written(rows(n)), repr(rows(n)), str([rows(k) for k in range(n)])


def pairs_as_text(n):
    pairs = [[(i, j) for j in range(i)] for i in range(n)]
    return repr(pairs), written(pairs), f"{ ({i: pairs[i] for i in range(n)}) }"


@pytest.mark.parametrize("n", [0, 1, 2, 5])
@pytest.mark.parametrize("function", [flat_rows, flat_halves, depths, rows_as_text, pairs_as_text])
def test_as_plain_python(function, n):
    compiled = ag.jit(function)
    for each in (n, n + 2):
        assert repr(compiled(each)) == repr(function(each))


def keys_as_text(items):
    counts = Counter(items)
    return str([(*key, count) for key, count in counts.items()]), repr(list(counts)), f"{counts}"


def keys_written(items):
    found = {}
    for each in items:
        found[each] = found.get(each, 0) + 1
    return written(list(found)), repr([(*key, 0) for key in found])


def only_even(items):
    found = ()
    for each in items:
        if isinstance(each, tuple):
            found += (only_even(each),)
        elif each % 2 == 0:
            found += (each,)
    return found


TUPLES = [(6, 5, 8), (2, 7), (6, 5, 8), (9,), (2, 7)]
NESTED = [1, [2, 3], [4, [5, 6, [7]]], 8]


@pytest.mark.parametrize(
    ("function", "arguments"),
    [
        (keys_as_text, [TUPLES, TUPLES[2:], TUPLES * 40]),
        (keys_written, [TUPLES, TUPLES[2:], TUPLES * 40]),
        (only_even, [(4, 5, (7, 6, (2, 4)), 6, 8), (1, (2, 3)), (3, 5)]),
        (depth, [NESTED, [[[2, 3]] * 100] * 5, [], [(), [()]]]),
        (written, [NESTED, [[2, 3]] * 100, [], [(1,), [(2, 3)]]]),
        (lambda items: flattened(items, []), [NESTED, [[2, 3]] * 100, [], [[], [[]]]]),
    ],
)
def test_arguments(function, arguments):
    compiled = ag.jit(function)
    for each in arguments:
        given, expected = copy.deepcopy(each), copy.deepcopy(each)
        assert repr(compiled(given)) == repr(function(expected))
        assert given == expected


class Node:
    def __init__(self, value):
        self.value, self.below = value, []


def tree_as_text(node):
    return f"{node.value}(" + ",".join(tree_as_text(each) for each in node.below) + ")"


def tree(n):
    node = Node(0)
    for i in range(n):
        around = Node(i)
        around.below.append(node)
        around.below.append(Node(-i))
        node = around
    return tree_as_text(node)


def test_objects_of_one_class_have_no_innermost_type():
    compiled = ag.jit(tree)
    for n in (0, 1, 5):
        assert compiled(n) == tree(n)
