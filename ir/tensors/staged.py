"""Python values that stand for run-time values and are not tensors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from agir.ir import hooks
from agir.ir.recording import Recorder
from agir.ir.tensors import markers

_Class = TypeVar("_Class", bound=type)


class Staged:
    """A value on which control flow has to be recorded."""

    __slots__ = ()
    has_operand = False
    """Whether an operation takes a tensor in its place."""

    @property
    def is_staged(self) -> bool:
        """False for one that turns out to be an ordinary Python value so far."""
        return True

    def truth(self, trace: Recorder) -> Any:
        """The truth value as an SSA ``i1``."""
        raise NotImplementedError

    def frozen(self) -> Any:
        """What it is now, where it may change later."""
        return self

    def operand(self) -> Any:
        """What an operation takes in its place."""
        return self

    @property
    def is_known_by_itself(self) -> bool:
        """Whether it is not copied where it is put into a list of run-time length."""
        return False

    def become_item(self, trace: Recorder, abstract: Any, path: tuple[Any, ...]) -> None:
        """It is put into a list of run-time length; its abstract value may be known."""


class StandsIn:
    """What stands for an object that is known by its number, besides being one of its class."""

    __slots__ = ()

    def __init_subclass__(cls) -> None:
        """The class is none of the program's, which need not be told of it."""


class Keyed:
    """What stands for a date, or a difference: no number, but a key of dicts and sets."""

    ticks: Any
    """How many units it is."""


def known_as(name: str) -> Callable[[_Class], _Class]:
    """Give a class the name that users know: Python names it in its own error messages."""

    def named(kind: _Class) -> _Class:
        kind.__name__ = kind.__qualname__ = name
        return kind

    return named


class Written(Staged):
    """A staged value whose text is that of the value it stands for (``__staged_text__``)."""

    __slots__ = ()

    def as_text(self) -> Any:
        """The staged text that it is, if it can only be a string; else itself."""
        return self

    def __repr__(self) -> str:
        collector = markers.collecting()
        return object.__repr__(self) if collector is None else self._written("r", "", collector)

    def __str__(self) -> str:
        return self._written("s", "", markers.collecting())

    def __format__(self, spec: str) -> str:
        return self._written("", spec, markers.collecting())

    def _written(self, conversion: str, spec: str, collector: markers.Markers | None) -> str:
        """What stands for the text of the value while a text is put together."""
        return hooks.texts.written(self, conversion, spec, collector)
