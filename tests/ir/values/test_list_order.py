"""``sorted(x)`` and ``list.sort()`` of run-time values: any number of them, with keys, stable."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import agir as ag
from agir.errors import StagingError


def plain(x: Any) -> Any:
    return sorted(x), sorted(x, reverse=True)


def by_key(x: Any) -> Any:
    return sorted(x, key=lambda v: (v % 3, -v), reverse=True), sorted(x, key=lambda v: v * v)


def collected(x: Any) -> Any:
    found = []
    for v in x:
        if v > 0:
            found.append(v)
    found.sort(reverse=True)
    return found


def pairs(x: Any) -> Any:
    found = []
    for v in x:
        if v > 0:
            found.append((v % 5, v))
    stable = [v for _, v in sorted(found, key=lambda p: p[0])]
    backwards = [v for _, v in sorted(found, key=lambda p: p[0], reverse=True)]
    found.sort()
    return stable, backwards, [v for _, v in found]


def a_known_number(x: Any) -> Any:
    values = [v * 2 for v in x]
    values.sort(key=lambda v: -v)
    few = [x[0], x[1], x[2]]
    few.sort()
    return values, few


PROGRAMS = [plain, by_key, collected, pairs, a_known_number]


def lists(value: Any) -> Any:
    return (
        [lists(v) for v in value] if isinstance(value, (list, tuple)) else np.asarray(value).item()
    )


@pytest.mark.parametrize("program", PROGRAMS)
@pytest.mark.parametrize("decorate", [ag.jit, ag.function])
@pytest.mark.parametrize("native", [None, False])
def test_python_agrees(program: Any, decorate: Any, native: Any) -> None:
    numbers = np.random.default_rng(1)
    compiled = decorate(program, jit_compile=native)
    for length in (3, 40):
        x = numbers.integers(-50, 50, length)
        assert lists(compiled(x)) == lists(program(x.tolist()))


def test_unknown_lengths() -> None:
    @ag.function(input_signature=[ag.TensorSpec([None], ag.float32)])
    def ranked(x: Any) -> Any:
        return sorted(x, key=lambda v: -v)

    for length in (0, 1, 2, 50):
        x = np.random.default_rng(2).standard_normal(length).astype(np.float32)
        assert np.asarray(ranked(x)).tolist() == sorted(x.tolist(), reverse=True)


def test_in_a_loop() -> None:
    @ag.jit
    def medians(x: Any) -> Any:
        window, found = [], []
        for v in x:
            window.append(v)
            if len(window) > 3:
                window.pop(0)
            found.append(sorted(window)[len(window) // 2])
        return found

    x = [5, 1, 4, 2, 8, 0]
    assert lists(medians(np.array(x))) == [5, 5, 4, 2, 4, 2]


def test_equal_items_stay_in_order() -> None:
    @ag.jit
    def zeros(x: Any) -> Any:
        return sorted(x)

    assert np.signbit(zeros(np.array([0.0, -0.0] * 20))).tolist() == [False, True] * 20


def test_what_has_no_order() -> None:
    def rows(x: Any) -> Any:
        found = []
        for row in x:
            found.append(row)
        return sorted(found)

    with pytest.raises(StagingError, match=r"have no order; sort by a number[^\n]*\n  at .*return"):
        ag.function(rows, input_signature=[ag.TensorSpec([None, 2], ag.float32)])(
            np.ones((3, 2), "f4")
        )
    with pytest.raises(StagingError, match="have no order"):
        ag.jit(lambda x: sorted(x))(np.zeros(40, complex))


def sorted_floats(data: Any) -> Any:
    return sorted(data)


def sorted_pairs(data: Any) -> Any:
    found = [(each, 1) for each in data]
    found.sort(reverse=True)
    return found


def sorted_few(a: float, b: float, c: float) -> Any:
    return sorted([a, b, c])


@pytest.mark.parametrize("program", [sorted_floats, sorted_pairs])
def test_what_is_no_number_is_not_sorted(program: Any) -> None:
    jitted = ag.jit(program)
    for data in ([], [2.0], [1.0, -1.0, 3.0], [0.5] * 50):
        assert jitted(list(data)) == program(list(data))
    for data in ([2.0, math.nan, 1.0], [math.nan, *map(float, range(50))]):
        with pytest.raises(ag.errors.InvalidArgumentError, match="NaN or NaT, which is neither"):
            jitted(data)
    assert len(jitted([math.nan])) == 1


def test_a_few_that_are_no_numbers() -> None:
    jitted = ag.jit(sorted_few)
    assert jitted(2.0, 3.0, 1.0) == [1.0, 2.0, 3.0]
    with pytest.raises(ag.errors.InvalidArgumentError, match="NaN or NaT, which is neither"):
        jitted(2.0, math.nan, 1.0)


def sorted_if_they_compare(one, other, third):
    pairs = [(one, other), (one, third), (other, third)]
    try:
        return sorted(pairs)
    except TypeError:
        return pairs


@pytest.mark.parametrize(
    "items", [(1, "b", 3.5), (3, 1, 2), (1, "b", 2), (2.5, 1, 0), ("c", "a", "b"), (1, 1, "b")]
)
def test_items_that_do_not_compare_may_be_handled(items):
    """Lists that take each other's places while they are merged stand for each other."""
    assert ag.jit(sorted_if_they_compare)(*items) == sorted_if_they_compare(*items)
