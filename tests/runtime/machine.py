"""Calls that machine code makes: turning them on early, counting them, and avoiding them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import pytest

import agir as ag
from agir.backends.cpu.native import machine
from agir.backends.cpu.native.tables import Recipe
from agir.ir import bypass
from agir.runtime.calling import machine_calls

needs_machine = pytest.mark.skipif(
    not machine.is_possible(), reason="the machine code does not know this interpreter's objects"
)


@pytest.fixture
def early(monkeypatch: pytest.MonkeyPatch) -> None:
    """Functions that are made now get a recipe at their first call, whatever came before."""
    # other tests have run functions eagerly for a while, after which each call asks once more
    monkeypatch.setattr(ag.config, "_eagerness_was_scoped", False)
    ag.config._settle_eagerness()
    for name in ("SOME", "MANY", "MOST"):
        monkeypatch.setattr(machine_calls, name, 1)


def calls(function: Any) -> int:
    """How many calls of a function, or of a method, machine code has made by today's recipes."""
    function = getattr(function, "_target", function)
    return sum(int(entry[0][Recipe.CALLS]) for entry in function._recipes)


def taken(function: Any, *args: Any, **kwargs: Any) -> bool:
    """Whether machine code makes this call."""
    before = calls(function)
    function(*args, **kwargs)
    return calls(function) == before + 1


@contextmanager
def python_only() -> Iterator[None]:
    """All calls go through Python."""
    bypass.add()
    try:
        yield
    finally:
        bypass.remove()


def described(value: Any) -> Any:
    """All there is to see of a result."""
    if type(value) is ag.Tensor or hasattr(value, "array"):
        return "tensor", type(value), described(value.array)
    if isinstance(value, np.ndarray):
        flags = value.flags
        seen = (flags.writeable, flags.c_contiguous, flags.f_contiguous, flags.aligned)
        return type(value), value.dtype, value.shape, value.strides, seen, value.tobytes()
    if isinstance(value, np.generic):
        return type(value), value.dtype, value.tobytes()
    if isinstance(value, (list, tuple)):
        return type(value), [described(item) for item in value]
    if isinstance(value, dict):
        return type(value), [(key, described(item)) for key, item in value.items()]
    return type(value), repr(value)


def outcome(function: Any, *args: Any, **kwargs: Any) -> Any:
    """What a call gives or raises."""
    try:
        return described(function(*args, **kwargs))
    except Exception as error:
        return type(error), str(error).split("\n  at ")[0]
