"""A decorated function does what the plain one does: results, arguments, classes of errors."""

from __future__ import annotations

import copy
import warnings
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

import agir as ag


def both(function: Callable[..., Any]) -> tuple[Callable[..., Any], ...]:
    """The decorated function, compiled and interpreted."""
    return ag.jit(function), ag.jit(function, jit_compile=False)


def agree(
    function: Callable[..., Any], *given: Any, decorated: Sequence[Callable[..., Any]] = ()
) -> None:
    """Call it plain and decorated, compiled and interpreted, with copies of the arguments."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        plain = copy.deepcopy(given)
        wanted, error = _outcome(function, plain)
        for each in decorated or both(function):
            mine = copy.deepcopy(given)
            found, raised = _outcome(each, mine)
            if error is not None:
                assert isinstance(raised, _plain(error)), (raised, error)
                mine, plain = given, given
            else:
                assert raised is None, raised
                _same(found, wanted)
            for left, right in zip(mine, plain, strict=True):
                _same(left, right)


def _outcome(function: Callable[..., Any], given: Any) -> tuple[Any, Any]:
    try:
        return function(*given), None
    except Exception as error:
        return None, error


def _plain(error: BaseException) -> type:
    return next(t for t in type(error).__mro__ if t.__module__ == "builtins")


def _same(found: Any, wanted: Any) -> None:
    if isinstance(wanted, tuple):
        for left, right in zip(found, wanted, strict=True):
            _same(left, right)
        return
    left, right = np.asarray(found), np.asarray(wanted)
    assert (left.dtype, left.shape) == (right.dtype, right.shape)
    np.testing.assert_array_equal(left, right)
