"""Lists, dicts and sets of a generator's own, between two steps: as what compiled code has them.

Nobody but the generator knows them, so they are passed as columns of numbers, of any length.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from agir.autograph.operators.calls import call
from agir.ir.tensors import structure
from agir.ir.tracing.trace import Trace
from agir.runtime.state.columns import Numbers
from agir.runtime.state.passed_lists import Listed
from agir.runtime.yielding.marks import Mark, Same


class Kind(Mark):
    """What a container is; ``key`` is its class and attributes, None for a list."""

    __slots__ = ("key",)

    def __init__(self, key: Any) -> None:
        self.key = key


LIST = Kind(None)
_kinds: dict[Any, Kind] = {}


class Kept(NamedTuple):
    """A container, in the state of a generator."""

    kind: Kind
    parts: tuple[Any, ...]


def kind_of(key: Any) -> Kind:
    """The kind of a container with attributes."""
    return _kinds.setdefault(key, Kind(key))


def column(length: Any, elements: Any) -> Listed:
    """A list of numbers, of what compiled code gives for one."""
    return Listed(elements[: int(length)].view(Numbers))


def state(trace: Trace | None, values: Sequence[Any]) -> tuple[Any, ...]:
    """The variables of a state, as the function has them."""
    found = tuple(taken(trace, each) for each in values)
    return tuple(_whole(each, found) for each in found)


def _whole(value: Any, found: tuple[Any, ...]) -> Any:
    """The value with what is elsewhere in the state, too, where a mark says so."""
    if isinstance(value, Same):
        there: Any = found
        for number in value.path[1:]:
            parts = structure.children(there)
            assert parts is not None, "a path leads through containers"
            there = parts[1][number]
        return there
    if not isinstance(value, tuple):
        return value
    key, items = structure.children(value) or (None, [])
    made = [_whole(each, found) for each in items]
    changed = any(new is not old for new, old in zip(made, items, strict=True))
    return structure.rebuild(key, made) if changed else value


def taken(trace: Trace | None, value: Any) -> Any:
    """A variable of the state, as the function has it, but for marks in it."""
    if not isinstance(value, Kept):
        return value
    parts = [_part(trace, each) for each in value.parts]
    if value.kind is LIST:
        return parts[0]
    made = structure.rebuild(value.kind.key, parts)
    if trace is None:
        return made.plain()
    trace.journal.made(made)
    return made


def _part(trace: Trace | None, value: Any) -> Any:
    if trace is None:
        return value.column.tolist() if isinstance(value, Listed) else value
    return call(list, (value,)) if isinstance(value, list) else value
