"""The ways in which a function can be run, all of which must agree."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import agir as ag

Wrap = Callable[[Any], Any]

TRACED: dict[str, Wrap] = {
    "function": ag.function,
    "interpreted": lambda f: ag.function(f, jit_compile=False),
    "jit": ag.jit,
}
ALL: dict[str, Wrap] = {"eager": lambda f: f, **TRACED}

everywhere = pytest.mark.parametrize("wrap", ALL.values(), ids=list(ALL))
when_traced = pytest.mark.parametrize("wrap", TRACED.values(), ids=list(TRACED))


@ag.autograph.do_not_convert
def note(seen: list[Any], what: object = None) -> None:
    """Put something into a list while tracing: compiled code that changes one does so at each call."""
    seen.append(what)


def leaves(value: Any) -> list[Any]:
    """The leaves of a result as lists and numbers of Python's."""
    return [np.asarray(leaf).tolist() for leaf in ag.nest.flatten(value)]


def line(function: Any, text: str) -> str:
    """``file:line`` of the line of a function that holds a text."""
    source, start = inspect.getsourcelines(function)
    number = start + next(n for n, each in enumerate(source) if text in each)
    return f"{inspect.getsourcefile(function)}:{number}"
