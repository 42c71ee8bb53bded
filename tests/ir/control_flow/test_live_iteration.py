"""Iterating over what the loop changes, and going on with an iterator: as Python does it."""

import numpy as np
import pytest

import agir as ag


def written_by_run_time_index(a, x):
    items, total = [a, 2, 3], 0
    for _ in items:
        for w in items:
            items[a] = w
            total = total * 10 + w
    return total, items


def enumerated(a, x):
    items, total = [a, 2, 3], 0
    for i, v in enumerate(items):
        items[a] = 9 + v
        total = total * 10 + v + i
    return total, items


def side_by_side(a, x):
    items, total = [1, 2, 3], 0
    for v, w in zip(items, [5, 6, 7], strict=True):
        items[a] = w + v
        total = total * 10 + v
    return total, items


def backwards(a, x):
    items, total = [1, 2, 3], 0
    for v in reversed(items):
        items[a] = 7
        total = total * 10 + v
    return total, items


def through_an_iterator(a, x):
    items, total = [1, 2, 3], 0
    iterator = iter(items)
    for v in iterator:
        items[a] = v + 1
        total = total * 10 + v
    return total, items


def _numbers(count):
    found = []
    for i in range(count):
        found.append(i)
    return found


def growing(a, x):
    items, total = _numbers(a + 3), 0
    for v in items:
        if v == a and len(items) < 8:
            items.append(5)
        total = total * 10 + v
    return total, items


def shrinking(a, x):
    items, total = _numbers(a + 3), 0
    for v in items:
        if len(items) > 2:
            items.pop()
        total = total * 10 + v
        if total > 50:
            break
    return total, items


def shrinking_backwards(a, x):
    items, total = _numbers(a + 3), 0
    for v in reversed(items):
        if len(items) > 2:
            items.pop()
            items.pop()
        total = total * 10 + v
    return total, items


def a_known_list_shrinks_backwards(a, x):
    items, total = [a, 2, 3, 4, 5], 0
    iterator = reversed(items)
    for v in iterator:
        items.pop()
        items.pop()
        total = total * 10 + v
    items.extend([7, 8, 9])
    return total, items, len(list(iterator))


def exhausted_before_it_grows(a, x):
    items, total = [a, 2, 3], 0
    iterator, rows = iter(items), iter(x)
    for v in iterator:
        total = total * 10 + v
    for v in rows:
        total = total + v
    items.append(5)
    for v in iterator:
        total = total * 10 + v
    for v in rows:
        total = total * 10 + v
    return total, items


def rewritten_backwards(a, x):
    items, total = _numbers(a + 3), 0
    for v in reversed(items):
        items[a] = 7
        total = total * 10 + v
    return total, items


def mapped(a, x):
    items, total = _numbers(a + 3), 0
    for v in map(lambda v: v + 1, items):  # noqa: C417
        items[a] = v
        total += v
    return total, items


def a_copy_is_not_live(a, x):
    items, total = _numbers(a + 3), 0
    for v in items[:]:
        items[0] = v
        items.append(v)
        total = total * 10 + v
    return total, items


def goes_on_after_break(a, x):
    iterator, total = iter(x), 0
    for v in iterator:
        total = total * 10 + v
        if v > a:
            break
    for _ in iterator:
        total = total * 10 + 1
    return total


def taken_on_one_path(a, x):
    iterator, total = iter([1, 2, 3]), 0
    if a > 1:
        total = next(iterator)
    for v in iterator:
        total = total * 10 + v
    return total


def consumed_in_an_outer_loop(a, x):
    pairs, total = zip(x, [4, 5, 6], strict=False), 0
    for _ in range(a):
        for p, q in pairs:
            total = total * 10 + p + q
            if total > 5:
                break
    return total


def consumed_twice(a, x):
    pairs, total = enumerate(x), 0
    for _ in range(2):
        for p, q in pairs:
            total = total * 10 + p + q
        total += 1
    return total


FUNCTIONS = [
    value for name, value in list(globals().items()) if callable(value) and name[0] not in "_@"
]
FUNCTIONS = [each for each in FUNCTIONS if getattr(each, "__module__", None) == __name__]
SPECS = [ag.TensorSpec([], ag.int64), ag.TensorSpec([None], ag.int64)]


def plain(value):
    if isinstance(value, tuple | list):
        return [plain(each) for each in value]
    return int(value)


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
def test_as_python_iterates(function):
    x = np.array([1, 2, 3, 1])
    compiled, interpreted = ag.jit(function), ag.jit(function, jit_compile=False)
    dynamic = ag.function(function, input_signature=SPECS)
    for a in range(3):
        expected = plain(function(a, x))
        assert plain(compiled(a, x)) == expected
        assert plain(interpreted(a, x)) == expected
        assert plain(dynamic(np.int64(a), x)) == expected


def test_the_list_is_assigned_to_in_the_loop():
    @ag.jit
    def f(a):
        items = _numbers(a)
        for v in items:
            items += [v]
        return items

    with pytest.raises(
        ag.errors.StagingError, match=r"the loop assigns to items(.|\n)*:\d+: for v"
    ):
        f(3)


def test_next_where_the_place_is_known_at_run_time():
    @ag.jit
    def f(x):
        iterator = iter(x)
        for v in iterator:
            if v > 1:
                break
        return next(iterator)

    assert f(np.array([1, 2, 3])) == 3
    assert f(np.array([2, 5, 3])) == 5
    with pytest.raises(StopIteration):
        f(np.array([0, 1, 2]))
