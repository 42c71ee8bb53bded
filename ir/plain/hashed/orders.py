"""``collections.OrderedDict`` whose keys only the run time knows."""

from __future__ import annotations

from collections import OrderedDict
from typing import Any

from agir.ir.plain.entering import entering
from agir.ir.plain.hashed.mappings import (
    HashDict,
    delete,
    equal_dicts,
    forget_gone,
    get_item,
    put,
)
from agir.ir.plain.hashed.tables import lay_out
from agir.ir.plain.hashed.views import items, keys

__ag_convert__ = True

_FEW = 256
"""So many entries are not worth it."""


def move_to_end(owner: Any, key: Any, last: bool) -> None:
    """Put an entry behind, or before, all others."""
    value = get_item(owner, key)
    delete(owner, key)
    if last:
        put(owner, key, value)
    else:
        others = list(items(owner))
        owner.clear()
        put(owner, key, value)
        for each, item in others:
            put(owner, each, item)


def pop_first(owner: Any) -> tuple[Any, Any]:
    """The first entry, which is removed.

    Those that are gone are passed over; where they get many, they are forgotten.
    """
    number = 0
    while number < len(owner.entries) - 1 and not owner.alive[number]:
        number += 1
    if number * number > len(owner.entries) + _FEW:
        forget_gone(owner)
        lay_out(owner, len(owner.table))
        number = 0
    key, value = owner.entries[number], owner.values_[number]
    delete(owner, key)
    return key, value


def are_in_same_order(one: Any, other: Any) -> bool:
    """Whether the keys of two dicts come in the same order."""
    theirs = list(other.keys())
    for number, key in enumerate(keys(one)):
        if key != theirs[number]:
            return False
    return True


def are_equal(one: Any, other: Any) -> bool:
    """Whether two dicts have the same entries; in the same order, where both are ordered."""
    if not equal_dicts(one, other):
        return False
    return not isinstance(other, OrderedDict) or are_in_same_order(one, other)


class HashOrderedDict(HashDict):
    """An ordered dict of the run time."""

    def move_to_end(self, key: Any, last: bool = True) -> None:
        """Put an entry behind, or before, all others."""
        move_to_end(self, key, last)

    def popitem(self, last: bool = True) -> tuple[Any, Any]:
        """Remove the last, or the first, entry, and give it."""
        if self.count == 0:
            raise KeyError("dictionary is empty")
        return super().popitem() if last else pop_first(self)

    @entering
    def __eq__(self, other: object) -> bool:
        return are_equal(self, other)

    @entering
    def __ne__(self, other: object) -> bool:
        return not are_equal(self, other)
