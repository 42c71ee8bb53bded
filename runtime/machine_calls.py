"""When machine code takes over the calls of decorated functions, and what it is told of agir's classes.

Until a process has made many calls it is not worth the time that it takes to compile.
"""

from __future__ import annotations

import threading
from typing import Any

from agir.backends.cpu.native import machine, objects
from agir.backends.cpu.native.tables import State
from agir.config import config
from agir.ir import bypass
from agir.runtime.state.buffers import Buffer
from agir.runtime.state.locks import CallLock
from agir.runtime.tensor import EagerTensor

SOME = 64
"""After so many calls a function asks for a recipe, and again after ever more."""

MANY = 2048
"""After so many calls of the process the machine code is compiled."""

MOST = 4096
RECIPES = 8
"""How many a function has at most."""


class _Process:
    """What has come to pass in this process."""

    calls = 0
    is_ready = False
    may_be_eager = False
    lock = threading.Lock()


class Uses:
    """The calls of a function through Python: ``left`` is how many until it asks for a recipe."""

    __slots__ = ("asked", "left")

    def __init__(self) -> None:
        self.left = SOME
        self.asked = 0

    def is_due(self) -> bool:
        """Whether a recipe is of use now; to be called when none are left."""
        if not _is_ready(SOME):
            self.left = SOME
            return False
        self.asked += 1
        self.left = min(SOME << self.asked, MOST)
        return True


def _is_ready(calls: int) -> bool:
    """Whether the machine code is there, after so many more calls."""
    _Process.calls += calls
    if _Process.is_ready or _Process.calls < MANY or not machine.is_possible():
        return _Process.is_ready
    with _Process.lock:
        if not _Process.is_ready:
            _install()
            _Process.is_ready = True
    return True


_CLASSES: dict[str, Any] = {}


def offer(**classes: Any) -> None:
    """The classes whose ``__call__`` is to be replaced: ``generic``, ``concrete`` and ``bound``."""
    _CLASSES.update(classes)


def _install() -> None:
    generic, concrete, bound = (_CLASSES[name] for name in ("generic", "concrete", "bound"))
    python = [vars(kind)["__call__"] for kind in (generic, concrete, bound)]
    made = machine.Machine(
        {
            State.BYPASS: bypass.ADDRESS,
            State.GENERIC: id(python[0]),
            State.CONCRETE: id(python[1]),
            State.BOUND: id(python[2]),
            State.FUNCTION: id(generic),
            State.GENERIC_RECIPES: objects.slot(generic, "_recipes"),
            State.CONCRETE_RECIPES: objects.slot(concrete, "_recipes"),
            State.OWN: objects.slot(bound, "_target"),
            State.TENSOR: id(EagerTensor),
            State.TENSOR_ARRAY: objects.slot(EagerTensor, "array"),
            State.TENSOR_TYPE: objects.slot(EagerTensor, "_type"),
            State.BUFFER_ARRAY: objects.slot(Buffer, "array"),
            State.BUFFER_TAKEN: objects.slot(Buffer, "is_taken"),
            State.BUFFER_LOCK: objects.slot(Buffer, "lock"),
            State.LOCK_OWNER: objects.slot(CallLock, "_owner"),
        },
        kept=(python, generic, EagerTensor),
    )
    config.follow_eagerness(_follow_eagerness)
    addresses = (made.generic, made.concrete, made.bound)
    for kind, address, function in zip((generic, concrete, bound), addresses, python, strict=True):
        kind.__call__ = made.method(kind, address, function.__doc__ or "")


def _follow_eagerness(may_be_eager: bool) -> None:
    if may_be_eager != _Process.may_be_eager:
        _Process.may_be_eager = may_be_eager
        (bypass.add if may_be_eager else bypass.remove)()
