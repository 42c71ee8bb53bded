"""Marks that stand for run-time values in text that Python itself puts together.

``str`` of a list asks its items for their ``repr``.  While :class:`Markers` collects, a traced
value answers with a mark, and the finished text is taken apart again at the marks.
"""

from __future__ import annotations

import itertools
import re
import sys
import threading
from types import FrameType
from typing import Any

from agir.ir import hooks

_active = threading.local()
_numbers = itertools.count(1)

SIGN = "\x1a"

# Modules whose Python functions only put the texts of items together, without measuring them.
_PACKAGE = __name__.split(".", maxsplit=1)[0]
_LIBRARY = frozenset({"collections", "dataclasses", "reprlib"})
_OWN = ("ir.host.template", "ir.python.texts.text_builtins", "autograph.operators.calls")
_ASSEMBLING = _LIBRARY | {f"{_PACKAGE}.{name}" for name in _OWN}


class Mark(str):
    """The text that stands for a value, until the value is known."""

    __slots__ = ("markers",)
    markers: Markers

    def __format__(self, spec: str) -> str:
        if not spec:
            return self
        return hooks.texts.written(
            hooks.texts.joined(self.markers.split(self)), "", spec, self.markers
        )

    def __str__(self) -> str:
        return self


class Markers:
    """The values that a text asked for while it was made; a context manager."""

    def __init__(self) -> None:
        self._name = f"agir{next(_numbers)}"
        self._found: list[Any] = []

    def __enter__(self) -> Markers:
        stack = getattr(_active, "stack", None)
        if stack is None:
            stack = _active.stack = []
        stack.append(self)
        return self

    def __exit__(self, *exception: object) -> None:
        _active.stack.pop()

    def mark(self, what: Any) -> Mark:
        """The mark for a value, or whatever else :meth:`split` is to give back."""
        self._found.append(what)
        mark = Mark(f"{SIGN}{self._name}:{len(self._found) - 1}{SIGN}")
        mark.markers = self
        return mark

    def split(self, text: str) -> list[Any]:
        """The text taken apart: strings, and what was marked."""
        parts = re.split(f"{SIGN}{self._name}:([0-9]+){SIGN}", text)
        return [self._found[int(part)] if i % 2 else part for i, part in enumerate(parts)]


def collecting() -> Markers | None:
    """What collects values at the moment, as seen from a value's ``__repr__`` that asks.

    None too where that was called by code of the user's that is not converted: it may measure or
    cut the text.
    """
    stack = getattr(_active, "stack", None)
    return stack[-1] if stack and _only_assembles(sys._getframe(2)) else None


def is_collecting() -> bool:
    """Whether a text is being made."""
    return bool(getattr(_active, "stack", None))


def _only_assembles(frame: FrameType) -> bool:
    if frame.f_code.co_filename == "<string>" and frame.f_back is not None:
        return _module(frame.f_back) in _LIBRARY  # the repr that a dataclass was given
    own = _module(frame).startswith(f"{_PACKAGE}.") and frame.f_code.co_name == "__repr__"
    return own or _module(frame) in _ASSEMBLING


def _module(frame: FrameType) -> str:
    return frame.f_globals.get("__name__") or ""
