"""Going through the entries of a dict, and the views that ``keys``, ``values`` and ``items`` give."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from agir.ir.plain.entering import StandIn, entering
from agir.ir.plain.hashed.sets import (
    SETS,
    HashSet,
    add_all,
    are_equal,
    discard_all,
    is_within,
    toggle,
)
from agir.ir.plain.hashed.tables import check_operands, contains

__ag_convert__ = True


def keys(owner: Any) -> Iterator[Any]:
    """The keys, in order."""
    before = owner.count
    for number in range(len(owner.entries)):
        if owner.alive[number]:
            yield owner.entries[number]
            if owner.count != before:
                raise RuntimeError("dictionary changed size during iteration")


def values(owner: Any) -> Iterator[Any]:
    """The values, in order of the keys."""
    before = owner.count
    for number in range(len(owner.entries)):
        if owner.alive[number]:
            yield owner.values_[number]
            if owner.count != before:
                raise RuntimeError("dictionary changed size during iteration")


def items(owner: Any) -> Iterator[tuple[Any, Any]]:
    """The entries, in order."""
    before = owner.count
    for number in range(len(owner.entries)):
        if owner.alive[number]:
            yield owner.entries[number], owner.values_[number]
            if owner.count != before:
                raise RuntimeError("dictionary changed size during iteration")


def reversed_keys(owner: Any) -> Iterator[Any]:
    """The keys, from the last one on."""
    for number in range(len(owner.entries) - 1, -1, -1):
        if owner.alive[number]:
            yield owner.entries[number]


def reversed_values(owner: Any) -> Iterator[Any]:
    """The values, from the last one on."""
    for number in range(len(owner.entries) - 1, -1, -1):
        if owner.alive[number]:
            yield owner.values_[number]


def reversed_items(owner: Any) -> Iterator[tuple[Any, Any]]:
    """The entries, from the last one on."""
    for number in range(len(owner.entries) - 1, -1, -1):
        if owner.alive[number]:
            yield owner.entries[number], owner.values_[number]


def collected(values: Any) -> Any:
    """A new set of what an iterable gives."""
    made = HashSet()
    add_all(made, values)
    return made


def common(one: Any, other: Any) -> Any:
    """What is in both, from that one which CPython goes through (Objects/dictobject.c of 3.11)."""
    made = HashSet()
    sized = isinstance(other, (set, SetView))
    strictly = isinstance(other, SetView)
    if sized and (len(one) < len(other) if strictly else len(one) <= len(other)):
        for each in one:
            if each in other:
                made.add(each)
    else:
        for each in other:
            if each in one:
                made.add(each)
    return made


def are_none_in(some: Any, others: Any) -> bool:
    """Whether none of some is among others."""
    for each in some:
        if each in others:
            return False
    return True


class View(StandIn):
    """A view of a dict."""

    __hash__ = None  # type: ignore[assignment]
    __staged_text__: Any
    """What is printed of it (`representations`)."""

    def __init__(self, owner: Any) -> None:
        self.owner = owner

    def __len__(self) -> int:
        return int(self.owner.count)


class SetView(View):
    """A view that can be computed with as with a set."""

    @entering
    def __and__(self, other: Any) -> Any:
        return common(self, other)

    __rand__ = __and__

    @entering
    def __or__(self, other: Any) -> Any:
        made = collected(self)
        add_all(made, other)
        return made

    @entering
    def __ror__(self, other: Any) -> Any:
        made = collected(other)
        add_all(made, self)
        return made

    @entering
    def __sub__(self, other: Any) -> Any:
        made = collected(self)
        discard_all(made, other)
        return made

    @entering
    def __rsub__(self, other: Any) -> Any:
        made = collected(other)
        discard_all(made, self)
        return made

    @entering
    def __xor__(self, other: Any) -> Any:
        made = collected(self)
        toggle(made, collected(other))
        return made

    @entering
    def __rxor__(self, other: Any) -> Any:
        made = collected(other)
        toggle(made, collected(self))
        return made

    def isdisjoint(self, other: Any) -> bool:
        """Whether there is nothing in both."""
        return are_none_in(other, self)

    @entering
    def __le__(self, other: Any) -> bool:
        check_operands("<=", self, other, SETS)
        return len(self) <= len(other) and is_within(self, other)

    @entering
    def __ge__(self, other: Any) -> bool:
        check_operands(">=", self, other, SETS)
        return len(self) >= len(other) and is_within(other, self)

    @entering
    def __lt__(self, other: Any) -> bool:
        check_operands("<", self, other, SETS)
        return len(self) < len(other) and is_within(self, other)

    @entering
    def __gt__(self, other: Any) -> bool:
        check_operands(">", self, other, SETS)
        return len(self) > len(other) and is_within(other, self)

    @entering
    def __eq__(self, other: object) -> bool:
        return are_equal(self, other)

    @entering
    def __ne__(self, other: object) -> bool:
        return not are_equal(self, other)


class KeysView(SetView):
    """The keys."""

    stands_for: type = type({}.keys())

    def __iter__(self) -> Iterator[Any]:
        return keys(self.owner)

    @entering
    def __reversed__(self) -> Iterator[Any]:
        return reversed_keys(self.owner)

    def __contains__(self, key: Any) -> Any:
        return contains(self.owner, key)


class ItemsView(SetView):
    """The entries."""

    stands_for: type = type({}.items())

    def __iter__(self) -> Iterator[Any]:
        return items(self.owner)

    @entering
    def __reversed__(self) -> Iterator[Any]:
        return reversed_items(self.owner)

    def __contains__(self, entry: Any) -> Any:
        key, value = entry
        return contains(self.owner, key) and self.owner[key] == value


class ValuesView(View):
    """The values."""

    stands_for: type = type({}.values())

    def __iter__(self) -> Iterator[Any]:
        return values(self.owner)

    @entering
    def __reversed__(self) -> Iterator[Any]:
        return reversed_values(self.owner)

    def __contains__(self, value: Any) -> bool:
        for each in values(self.owner):
            if each == value:
                return True
        return False
