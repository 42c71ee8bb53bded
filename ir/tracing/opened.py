"""Containers of outside that a function changes: each is passed at each call, beside the arguments.

A trace takes what a list, dict or set of outside holds for constant, and is for that.  Where it turns
out that the function gives one of them run-time values, or looks for run-time keys in it, the function
is traced again, and the container goes in and out as one that is an argument does.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from typing import Any

from agir.ir.tensors import structure
from agir.ir.tracing.outdated import Opening
from agir.ir.tracing.trace import Trace

KINDS = (list, dict, set, deque)


def met(trace: Trace, owner: Any, name: str, value: Any, key: int) -> None:
    """A container of outside is read there; the owner's ``key`` tells it from others."""
    if not isinstance(value, KINDS):
        return
    trace.met.setdefault(id(value), (value, owner, name))
    places = trace.opened.get(id(value))
    if places is not None and (key, name) not in places:
        raise Opening(owner, name)  # so that a call knows that both hold the same


def open_(trace: Trace, container: Any) -> None:
    """Trace again, with this container passed at each call, if one knows where it is found."""
    if not trace.convention.arrays_are_mutable or trace.journal.is_made_here(container):
        return
    for value, owner, name in list(trace.met.values()):
        if id(value) not in trace.opened and any(each is container for each in _inside(value)):
            raise Opening(owner, name)


def _inside(value: Any) -> Iterator[Any]:
    """A container, and those in it."""
    seen: set[int] = set()
    waiting = [value]
    while waiting:
        each = waiting.pop()
        if id(each) in seen or not isinstance(each, (*KINDS, tuple)):
            continue
        seen.add(id(each))
        yield each
        parts = structure.children(each)
        waiting += parts[1] if parts is not None else ()
