"""Values that NumPy stores one after the other, and begins anew: ``flat``, ``put``, ``place``, ..."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import agir as ag

VALUES: list[Any] = [
    [1, 2],
    [],
    [7],
    7,
    [1.5, 2.5, -1.0],
    [[1, 2], [3, 4]],
    np.arange(20).reshape(4, 5),
    np.zeros((0, 2), int),
    np.arange(9),
    np.array([3, 4], "u1"),
    np.array(5),
    np.array([1.5, 2.0]),
]
MASK = np.array([[True, False, True], [False, True, True], [False, False, True]])
EVENS = np.arange(0, 9, 2)


def flat_step(a: Any, v: Any) -> None:
    a.flat[::2] = v


def flat_backwards(a: Any, v: Any) -> None:
    a.flat[5:1:-1] = v


def flat_none(a: Any, v: Any) -> None:
    a.flat[5:2] = v


def flat_all(a: Any, v: Any) -> None:
    a.flat[...] = v


def flat_itself(a: Any, v: Any) -> None:
    a.flat = v


def flat_element(a: Any, v: Any) -> None:
    a.flat[4] = v


def flat_places(a: Any, v: Any) -> None:
    a.flat[[0, 3, -1]] = v


def flat_array(a: Any, v: Any) -> None:
    a.flat[EVENS] = v


def flat_mask(a: Any, v: Any) -> None:
    a.flat[MASK.ravel()] = v


def flat_mask_of_itself(a: Any, v: Any) -> None:
    a.flat[a.ravel() > 3] = v


def diagonal(a: Any, v: Any) -> None:
    np.fill_diagonal(a, v)


def diagonal_of_more_rows(a: Any, v: Any) -> None:
    np.fill_diagonal(a[:, :2], v, wrap=True)


def put(a: Any, v: Any) -> None:
    np.put(a, [0, -1, 4], v)


def put_one(a: Any, v: Any) -> None:
    np.put(a, 3, v)


def put_nowhere(a: Any, v: Any) -> None:
    np.put(a, [20], v, mode="raise")


def put_wrapped(a: Any, v: Any) -> None:
    np.put(a, [[0, 10], [20, -3]], v, mode="wrap")


def place(a: Any, v: Any) -> None:
    np.place(a, MASK, v)


def place_of_another_shape(a: Any, v: Any) -> None:
    np.place(a, MASK.ravel(), v)


def place_nowhere(a: Any, v: Any) -> None:
    np.place(a, a > 100, v)


def place_of_another_size(a: Any, v: Any) -> None:
    np.place(a, MASK[:2], v)


def putmask(a: Any, v: Any) -> None:
    np.putmask(a, MASK, v)


def putmask_of_another_shape(a: Any, v: Any) -> None:
    np.putmask(a, MASK.reshape(1, 9), v)


def putmask_of_another_size(a: Any, v: Any) -> None:
    np.putmask(a, MASK[:2], v)


FUNCTIONS = [
    flat_step, flat_backwards, flat_none, flat_all, flat_itself, flat_element, flat_places, flat_array,
    flat_mask, flat_mask_of_itself, diagonal, diagonal_of_more_rows, put, put_one, put_nowhere,
    put_wrapped, place, place_of_another_shape, place_nowhere, place_of_another_size, putmask,
    putmask_of_another_shape, putmask_of_another_size,
]  # fmt: skip


def outcome(function: Callable[[Any, Any], None], a: Any, values: Any) -> Any:
    """The error's class among Python's, or nothing."""
    try:
        function(a, values)
    except (TypeError, ValueError, IndexError, OverflowError) as error:
        return next(each for each in type(error).__mro__ if each.__module__ == "builtins")
    return None


def arrays(dtype: str, order: str) -> tuple[Any, Any]:
    return tuple(np.array(np.arange(9).reshape(3, 3), dtype, order=order) for _ in range(2))  # type: ignore[arg-type, return-value]


@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("dtype", ["i8", "f4", "u1"])
@pytest.mark.parametrize("function", FUNCTIONS)
def test_values_known_while_recording(function: Any, dtype: str, order: str) -> None:
    for values in VALUES:
        plain, given = arrays(dtype, order)
        expected = outcome(function, plain, values)
        recorded = ag.jit(lambda a, v=values: function(a, v), jit_compile=False)
        assert outcome(lambda a, _, f=recorded: f(a), given, values) is expected
        np.testing.assert_array_equal(given, plain)


@pytest.mark.parametrize("function", FUNCTIONS)
def test_values_of_run_time_length(function: Any) -> None:
    def cut(a: Any, v: Any, n: int) -> None:
        function(a, v[:n])

    recorded = ag.jit(cut)
    for n in (3, 0, 1, 12):
        for shape in ((3, 3), (1, 9)) if function not in (put_nowhere, diagonal) else ((3, 3),):
            plain, given = arrays("f8", "C")
            if shape != (3, 3) and MASK.shape != shape and "mask" not in function.__name__:
                plain, given = plain.reshape(shape), given.reshape(shape)
            values = np.arange(10.0, 22.0)
            expected = outcome(lambda a, v, n=n: cut(a, v, n), plain, values)
            assert outcome(lambda a, v, n=n: recorded(a, v, n), given, values) is expected
            np.testing.assert_array_equal(given, plain)


def test_vectors() -> None:
    def f(x: Any, v: Any) -> None:
        x.flat[1:4] = v
        x[::2].flat[:2] = v[1:]

    for given in (np.arange(3.0), np.arange(9.0)[::2], np.arange(12.0)):
        plain, other = np.arange(7.0), np.arange(7.0)
        f(plain, given)
        ag.jit(f)(other, given)
        np.testing.assert_array_equal(other, plain)
