"""``a, b = x`` and ``a, *b = x`` where only the run time knows how many items there are."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

import agir as ag

sys.path.insert(0, str(Path(__file__).parents[2] / "numpy"))

from agreement import agree

X = np.arange(1.0, 7.0)


def elements(x, n):
    a, b = x[:n]
    return a + 2 * b


def in_a_loop(x, n):
    total = 0.0
    for i in range(n - 1):
        a, b = x[i : i + min(n, 2)]
        total += a * b
    return total


def nested(x, n):
    (a, b), c = x[:n], 2
    return a + b + c


def into_parts_of_objects(x, n):
    found = [0.0, 0.0]
    found[0], found[1] = x[:n]
    return found[0] - found[1]


def rows_that_are_written_into(x, n):
    m = x.reshape(3, 2)
    first, second = m[:n]
    second[0] += 10
    return first


def a_list(x, n):
    items = []
    for i in range(n):
        items.append(x[i])
    a, b = items
    return a - b


def caught(x, n):
    try:
        a, _ = x[:n]
    except ValueError:
        a = x[0] * 0
    return a + 1


def starred(x, n):
    a, *b, c = x[:n]
    return a, b, c


def starred_first(x, n):
    *_, last = np.unique(x[:n])
    return last


def starred_alone(x, n):
    [*items] = x[:n]
    items.append(5.0)
    return items


def starred_lists(x, n):
    items = [x[i] * 2 for i in range(n)]
    first, *items = items
    *items, last = items
    return first, items, last


def starred_rows_that_are_written_into(x, n):
    first, *rest = x.reshape(3, 2)[:n]
    first += 1
    for row in rest:
        row *= 10
    return x


def starred_in_loops(x, n):
    total = 0.0
    for a, *b in [x[:n], x[1:n]]:
        total += a + sum(b)
    items = [1.0]
    while len(items) < n:
        first, *rest = items
        items = [*rest, first, total]
    return items


def starred_parts_of_objects(x, n):
    found = {}
    found["first"], *found["rest"] = x[:n]
    return found["first"], found["rest"]


def starred_and_caught(x, n):
    try:
        a, b, *c = x[:n]
    except ValueError:
        a, b, c = x[0], x[1], [x[2]]
    return a - b, c


def starred_values_of_python(x, n):
    a, *b = "abc"
    (c, *d), e = [1, 2, 3], 4
    *f, g = {"p": n, "q": 2}.items()
    return a, b, c, d, e, f, g, x


def generators(x, n):
    a, b = (each * each for each in x if each > 6 - n)
    first, second = dict.fromkeys(each // 2 for each in range(n + 1))
    return a, b, first, second


def a_generator_without_end(x, n):
    def ever():
        k = n
        while k > 1:
            yield k

    a, b = ever()
    return a - b


@pytest.mark.parametrize("n", [0, 1, 2, 3])
@pytest.mark.parametrize(
    "function",
    [
        elements,
        in_a_loop,
        nested,
        into_parts_of_objects,
        rows_that_are_written_into,
        a_list,
        caught,
        starred,
        starred_first,
        starred_alone,
        starred_lists,
        starred_rows_that_are_written_into,
        starred_in_loops,
        starred_parts_of_objects,
        starred_and_caught,
        starred_values_of_python,
        generators,
        a_generator_without_end,
    ],
)
def test_items_are_counted(function, n):
    agree(function, X, n)


def test_message():
    with pytest.raises(
        ValueError, match=r"too many values to unpack \(expected 2\)\n  at .*a, b ="
    ):
        ag.jit(elements)(X, 3)
    with pytest.raises(ValueError, match=r"not enough values to unpack \(expected 2, got 1\)"):
        ag.jit(elements)(X, 1)
    with pytest.raises(ValueError, match=r"\(expected at least 2, got 1\)\n  at .*a, \*b, c ="):
        ag.jit(starred)(X, 1)


def test_an_attribute_of_what_a_users_type_has_made():
    with pytest.raises(ag.errors.StagingError, match=r"Window.values is assigned to"):
        ag.jit(renewed)(Window(X))


class Window:
    """An object whose class gives a type of its own."""

    def __init__(self, values):
        self.values = values

    def __ag_tracing_type__(self, context):
        return WindowType(ag.TensorSpec([None], self.values.dtype))


class WindowType(ag.types.TraceType):
    """That type."""

    def __init__(self, spec):
        self.spec = spec

    def is_subtype_of(self, other):
        return self == other

    def most_specific_common_supertype(self, others):
        return self if all(self == each for each in others) else None

    def placeholder_value(self, placeholder_context):
        raise NotImplementedError

    def flatten(self):
        return (self.spec,)

    def to_tensors(self, value):
        return (value.values,)

    def from_tensors(self, tensors):
        return Window(next(tensors))

    def __eq__(self, other):
        return isinstance(other, WindowType) and self.spec == other.spec

    def __hash__(self):
        return hash(self.spec)


def renewed(window):
    window.values = window.values + 1
    return window.values.sum()


def keys_of_tables(values):
    known = {int(value): value * 2 for value in values}
    one, *rest = known
    first, second, third = {int(value) for value in values if value > 0}
    return one, rest, sorted([first, second, third])


def keys_of_two(values):
    one, two = dict.fromkeys([int(value) for value in values if value > 1])
    return one, two


def test_dicts_and_sets_are_taken_apart():
    for program, values in (
        (keys_of_tables, [3.0, 1.0, -2.0, 5.0]),
        (keys_of_two, [3.0, 1.0, 2.0]),
    ):
        compiled = ag.jit(program)
        assert compiled(np.array(values)) == program(np.array(values))
        with pytest.raises(ValueError, match="values to unpack"):
            compiled(np.array([*values, 9.0]))
