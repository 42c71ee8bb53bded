"""The decorated function against the plain one."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import agir as ag


def _plain(value: Any) -> Any:
    """A result as nested Python values that can be compared."""
    if isinstance(value, ag.Tensor):
        value = value.numpy()
    if isinstance(value, (np.ndarray, np.generic)):
        return value.tolist()
    if isinstance(value, (list, tuple)):
        return tuple(map(_plain, value)) if isinstance(value, tuple) else list(map(_plain, value))
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    if hasattr(value, "__dict__") and not isinstance(value, type):
        return type(value).__name__, _plain(vars(value))
    return value


def _tensor(value: Any) -> Any:
    return ag.constant(np.asarray(value)) if isinstance(value, (int, float, np.ndarray)) else value


def _same(expected: Any, got: Any) -> bool:
    if isinstance(expected, (list, tuple)):
        pairs = isinstance(got, type(expected)) and len(got) == len(expected)
        return pairs and all(map(_same, expected, got))
    if isinstance(expected, dict):
        same_keys = isinstance(got, dict) and list(expected) == list(got)
        return same_keys and all(_same(expected[key], got[key]) for key in expected)
    numbers = isinstance(expected, (int, float)) and isinstance(got, (int, float))
    if numbers and not isinstance(expected, bool):  # an int among floats becomes one
        return bool(np.isclose(expected, got, equal_nan=True))
    return type(expected) is type(got) and bool(expected == got)


def _check(function: Callable[..., Any], decorated: Any, given: Any, *arguments: Any) -> None:
    try:
        expected = _plain(function(*copy.deepcopy(arguments)))
    except Exception as error:
        with pytest.raises(type(error)) as caught:
            decorated(*map(given, arguments))
        assert function.__code__.co_filename.rpartition("/")[2] in str(caught.value)
        return
    got = _plain(decorated(*map(given, copy.deepcopy(arguments))))
    assert _same(expected, got), f"{function.__name__}{arguments}: {expected}, but {got}"


@pytest.fixture
def agrees() -> Callable[..., None]:
    """Checks that a function does under each decorator, compiled or interpreted, what it does plainly.

    The further arguments are the calls, each the tuple of a call's arguments.
    """

    def check(function: Callable[..., Any], *calls: tuple[Any, ...]) -> None:
        compiled, interpreted = ag.jit(function), ag.function(function, jit_compile=False)
        for arguments in calls:
            _check(function, compiled, lambda value: value, *arguments)
            _check(function, interpreted, _tensor, *arguments)

    return check
