"""When machine code takes over the calls of decorated functions, and what it is told of agir's classes.

Until a process has made many calls it is not worth the time that it takes to compile.
"""

from __future__ import annotations

import logging
import sys
import threading
from time import perf_counter
from typing import TYPE_CHECKING, Any

from agir.config import config
from agir.ir import bypass
from agir.runtime.state import passed_lists
from agir.runtime.tensor import EagerTensor

if TYPE_CHECKING:
    from agir.backends.cpu.native.tables import State

_log = logging.getLogger("agir.calls")

SOME = 64
"""After so many calls a function asks for a recipe, and again after ever more."""

MANY = 2048
"""After so many calls of the process the machine code is compiled."""

MOST = 4096
PAUSE = 1e-3
"""After so many seconds, its own among them, the caches have forgotten how a call is made."""

AFTER_A_PAUSE = 32
"""A call then costs as much as so many others: 100 to 200 us through Python, and 30 otherwise."""

RECIPES = 8
"""How many a function has at most."""


AGAIN = object()
"""What a function gives that is to raise what a call has failed with, where Python makes it again."""


class _Process:
    """What has come to pass in this process."""

    calls = 0
    last = 0.0
    """When the last call through Python was over."""
    is_ready = False
    is_impossible = False
    may_be_eager = False
    lock = threading.Lock()


class Uses:
    """The calls of a function through Python: ``left`` is how many until it asks for a recipe."""

    __slots__ = ("asked", "left")

    def __init__(self) -> None:
        self.left = SOME
        self.asked = 0

    def is_due(self) -> bool:
        """Whether a recipe is of use, after one more call."""
        now = perf_counter()
        self.left -= AFTER_A_PAUSE if now - _Process.last > PAUSE else 1
        _Process.last = now
        if self.left > 0:
            return False
        if sys.is_finalizing() or not _is_ready(SOME):  # nothing can be imported any more
            self.left = SOME
            return False
        self.asked += 1
        self.left = min(SOME << self.asked, MOST)
        return True


def _is_ready(calls: int) -> bool:
    """Whether the machine code is there, after so many more calls."""
    _Process.calls += calls
    if _Process.is_ready or _Process.is_impossible or _Process.calls < MANY:
        return _Process.is_ready
    from agir.backends.cpu.native import machine

    with _Process.lock:
        if not (_Process.is_ready or _Process.is_impossible):
            try:
                _install()
                _Process.is_ready = True
            except machine.ImpossibleError as error:
                _Process.is_impossible = True
                _log.info("Python makes all calls: %s", error)
    return _Process.is_ready


_CLASSES: dict[str, Any] = {}


def offer(**classes: Any) -> None:
    """The classes whose ``__call__`` is to be replaced: ``generic``, ``concrete`` and ``bound``."""
    _CLASSES.update(classes)


def _install() -> None:
    from agir.backends.cpu import native_code
    from agir.backends.cpu.native import machine, objects
    from agir.backends.cpu.native.tables import State

    generic, concrete, bound = (_CLASSES[name] for name in ("generic", "concrete", "bound"))
    taking = native_code.taking()
    if taking is None:
        raise machine.ImpossibleError("numbers cannot be taken out of objects")
    passed_lists.load_taking()
    names = (
        (generic, "__call__"),
        (concrete, "__call__"),
        (bound, "__call__"),
        (generic, "__get__"),
    )
    python = [vars(kind)[name] for kind, name in names]
    ways = (State.GENERIC, State.CONCRETE, State.BOUND, State.GET)
    fields = {way: id(function) for way, function in zip(ways, python, strict=True)}
    made = machine.Machine(
        native_code.load,
        {
            **fields,
            **taking.fields,
            State.BYPASS: bypass.ADDRESS,
            State.NEW: id(object.__new__),
            State.FUNCTION: id(generic),
            State.METHOD: id(bound),
            State.TENSOR: id(EagerTensor),
            State.AGAIN: id(AGAIN),
            **{field: objects.slot(kind, name) for field, (kind, name) in _slots().items()},
        },
        kept=(python, generic, bound, EagerTensor, AGAIN),
    )
    config.follow_eagerness(_follow_eagerness)
    addresses = (made.generic, made.concrete, made.bound, made.get)
    for (kind, name), address, function in zip(names, addresses, python, strict=True):
        setattr(kind, name, made.method(kind, address, function))


def _slots() -> dict[State, tuple[type, str]]:
    """The slots that machine code looks into."""
    from agir.backends.cpu.native.tables import State
    from agir.runtime.state.buffers import Buffer
    from agir.runtime.state.locks import CallLock

    generic, concrete, bound = (_CLASSES[name] for name in ("generic", "concrete", "bound"))
    return {
        State.GENERIC_RECIPES: (generic, "_recipes"),
        State.CONCRETE_RECIPES: (concrete, "_recipes"),
        State.METHODS: (generic, "_method_entries"),
        State.METHOD_OWN: (bound, "_target"),
        State.METHOD_FUNCTION: (bound, "__func__"),
        State.METHOD_SELF: (bound, "__self__"),
        State.TENSOR_ARRAY: (EagerTensor, "array"),
        State.TENSOR_TYPE: (EagerTensor, "_type"),
        State.BUFFER_ARRAY: (Buffer, "array"),
        State.BUFFER_TAKEN: (Buffer, "is_taken"),
        State.BUFFER_LOCK: (Buffer, "lock"),
        State.LOCK_OWNER: (CallLock, "_owner"),
    }


def _follow_eagerness(may_be_eager: bool) -> None:
    if may_be_eager != _Process.may_be_eager:
        _Process.may_be_eager = may_be_eager
        (bypass.add if may_be_eager else bypass.remove)()
