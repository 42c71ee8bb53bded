"""Sets whose items only the run time knows: they come in the order in which CPython's do.

Objects/setobject.c of CPython 3.11 says when a set grows, and which items an operation goes through.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Set
from typing import Any

import numpy as np

from agir.ir.plain.entering import (
    by_itself,
    entering,
    expect_items,
    fill,
    is_known_empty,
    lifted,
    refusing,
    unbound,
)
from agir.ir.plain.hashed.tables import (
    FREE,
    LEAST,
    Table,
    as_key,
    begin,
    check_operands,
    contains,
    gone,
    lay_out,
    place,
    place_in_set,
    refill,
    size_above,
)
from agir.ir.plain.text.known_texts import places_of

__ag_convert__ = True

SETS = (set, frozenset, Set)
"""What is computed with as with sets, views of dicts among them."""
_LARGE = 50_000
"""Beyond so many items a set only doubles."""


def add(owner: Any, key: Any) -> None:
    """Put an item into a set."""
    expect_items((owner.entries, as_key(key)))
    if is_known_empty(owner.entries):
        begin(owner, key)
        owner.fill = np.int64(1)
        return
    key = lifted(as_key(key))
    table, entries, more, filled = with_item(owner.table, owner.entries, key)
    refill(owner.table, table)
    refill(owner.entries, entries)
    owner.count += more
    owner.fill += filled
    if filled > 0 and owner.fill * 5 >= np.int64(len(owner.table) - 1) * 3:
        _resize(owner, owner.count * 2 if owner.count > _LARGE else owner.count * 4)


@by_itself
def with_item(
    table: list[int], entries: list[Any], key: Any
) -> tuple[list[int], list[Any], Any, Any]:
    """The parts of a set with an item, and by how much its items and its used places are more."""
    at, number = place_in_set(table, entries, key)
    if number < 0:
        table[at] = len(entries)
        entries.append(key)
    more, filled = np.int64(number < 0), np.int64(number == FREE)
    return table, entries, more, filled


def enter(owner: Any, keys: Any) -> None:
    """Put the items of a set of Python's, in its order, into a new one.

    It has as many places as if they had been added one by one.
    """
    places = LEAST
    while len(keys) * 5 >= (places - 1) * 3:
        filled = ((places - 1) * 3 + 4) // 5
        places = size_above(filled * 2 if filled > _LARGE else filled * 4)
    enter_sized(owner, keys, places)


def enter_sized(owner: Any, keys: Any, places: Any) -> None:
    """The same, with so many places: put in anew in their order, items stay in it."""
    for number in range(len(keys)):
        owner.entries.append(as_key(keys[number]))
    owner.count = np.int64(len(keys))
    owner.fill = owner.count
    lay_out(owner, places)


def enter_known(owner: Any, known: Any) -> None:
    """The same of a set that is known while tracing, which tells how many places it has."""
    if known:
        enter_sized(owner, list(known), places_of(known))


def _resize(owner: Any, least: Any) -> None:
    """A table of more places than that, without the items that are gone."""
    owner.entries[:] = in_order(owner.table, owner.entries)
    lay_out(owner, size_above(least))
    owner.fill = owner.count


@by_itself
def in_order(table: list[int], entries: list[Any]) -> list[Any]:
    """The items of a set in the order of their places."""
    return [entries[number] for number in table if number >= 0]


def members(owner: Any) -> Iterator[Any]:
    """The items of a set."""
    before = owner.count
    for at in range(len(owner.table)):
        number = owner.table[at]
        if number >= 0:
            yield owner.entries[number]
            if owner.count != before:
                raise RuntimeError("Set changed size during iteration")


def discard(owner: Any, key: Any) -> None:
    """Remove an item, if it is there."""
    at, number = place(owner, key)
    if number >= 0:
        owner.table[at] = gone(number)
        owner.count -= 1


def remove(owner: Any, key: Any) -> None:
    """Remove an item that has to be there."""
    at, number = place(owner, key)
    if number < 0:
        raise KeyError(key)
    owner.table[at] = gone(number)
    owner.count -= 1


def pop_member(owner: Any) -> Any:
    """Remove some item, and give it: that which CPython gives."""
    if owner.count == 0:
        raise KeyError("pop from an empty set")
    mask = np.int64(len(owner.table) - 1)
    at, iterations = owner.finger & mask, mask
    while iterations > 0 and owner.table[at] < 0:
        at = (at + 1) & mask
        iterations -= 1
    number = owner.table[at]
    found = owner.entries[number]
    owner.table[at] = gone(number)
    owner.count -= 1
    owner.finger = at + 1
    return found


def add_all(owner: Any, values: Iterable[Any]) -> None:
    """Put the items of an iterable into a set."""
    for value in values:
        add(owner, value)


def merge(owner: Any, other: Any) -> None:
    """Put the items of a set into another one."""
    if other.count > 0:
        if (owner.fill + other.count) * 5 >= np.int64(len(owner.table) - 1) * 3:
            _resize(owner, (owner.count + other.count) * 2)
        same = len(owner.table) == len(other.table) and other.fill == other.count
        if owner.fill == 0 and same:
            become(owner, other)
        else:
            for number in other.table:
                if number >= 0:
                    add(owner, other.entries[number])


def keep_common(made: Any, owner: Any, other: Any) -> None:
    """Put the items of ``other`` that are in ``owner``, too, into a new set."""
    for item in other:
        if contains(owner, item):
            add(made, item)


def keep_common_of_sets(made: Any, owner: Any, other: Any) -> None:
    """The same for two sets: the smaller one is gone through."""
    if other.count > owner.count:
        keep_common(made, other, owner)
    else:
        keep_common(made, owner, other)


def keep_others(made: Any, owner: Any, other: Any) -> None:
    """Put the items of a set that are not in another one into a new set."""
    if owner.count // 4 > other.count:
        merge(made, owner)
        for item in other:
            discard(made, item)
    else:
        for item in owner:
            if not contains(other, item):
                add(made, item)


def discard_all(owner: Any, values: Iterable[Any]) -> None:
    """Remove the items of an iterable."""
    for value in values:
        discard(owner, value)
    if (owner.fill - owner.count) * 4 > len(owner.table) - 1:
        _resize(owner, owner.count * 2 if owner.count > _LARGE else owner.count * 4)


def toggle(owner: Any, values: Any) -> None:
    """Remove the items of an iterable that are there, and put in the others."""
    for value in values:
        if contains(owner, value):
            discard(owner, value)
        else:
            add(owner, value)


def is_within(owner: Any, other: Any) -> bool:
    """Whether every item is in another set."""
    for item in owner:
        if item not in other:
            return False
    return True


def are_apart(owner: Any, values: Iterable[Any]) -> bool:
    """Whether no item is among others."""
    for value in values:
        if contains(owner, value):
            return False
    return True


def clear(owner: Any) -> None:
    """Remove everything."""
    owner.entries.clear()
    owner.table.clear()
    owner.table.extend([FREE] * LEAST)
    owner.count = np.int64(0)
    owner.fill = np.int64(0)


def become(owner: Any, other: Any) -> None:
    """Give a set what is in another one."""
    clear(owner)
    owner.entries.extend(other.entries)
    owner.table.clear()
    owner.table.extend(other.table)
    owner.count = other.count
    owner.fill = other.fill


refuse_hash = refusing("the hash")


class HashFrozenSet(Table):
    """A frozenset of the run time."""

    of_no_use = frozenset(("fill", "finger"))

    def __init__(self, stands_for: type = set) -> None:
        self.stands_for = stands_for
        self.entries = unbound([])
        self.table = unbound([FREE] * LEAST)
        self.count = np.int64(0)
        self.fill = np.int64(0)
        self.finger = np.int64(0)

    def empty(self) -> Any:
        """The set that the caller gets, before it has items."""
        return self.stands_for()

    def plain(self) -> Any:
        """The set that the caller gets, its items in the same order where that can be had."""
        fill(self.entries)
        there = [number for number in self.table if number >= 0]
        ordered = [self.entries[number] for number in there]
        made = self.stands_for(self.entries[number] for number in sorted(there))
        return made if list(made) == ordered else self.stands_for(ordered)

    def __iter__(self) -> Iterator[Any]:
        return members(self)

    def __hash__(self) -> int:  # type: ignore[override]
        if self.stands_for is set:
            raise TypeError("unhashable type: 'set'")
        raise refuse_hash(self)

    def copy(self) -> Any:
        """Another set of the same items."""
        made = empty(self)
        merge(made, self)
        return made

    __copy__ = copy

    def union(self, *others: Any) -> Any:
        """The items of all."""
        made = self.copy()
        for other in others:
            add_from(made, other)
        return made

    def intersection(self, *others: Any) -> Any:
        """The items that are in all."""
        found = self
        for other in others:
            made = empty(self)
            if isinstance(other, (HashFrozenSet, set, frozenset)):
                keep_common_of_sets(made, found, as_set(other))
            else:
                keep_common(made, found, other)
            found = made
        return found if others else self.copy()

    def difference(self, *others: Any) -> Any:
        """The items that are in no other."""
        found = self
        for other in others:
            made = empty(self)
            keep_others(made, found, as_set(other))
            found = made
        return found if others else self.copy()

    def symmetric_difference(self, other: Any) -> Any:
        """The items that are in one of both."""
        made = empty(self)
        merge(made, as_set(other))
        toggle(made, self)
        return made

    def issubset(self, other: Any) -> bool:
        """Whether every item is in another set."""
        return is_within(self, as_set(other))

    def issuperset(self, other: Any) -> bool:
        """Whether every item of another set is here."""
        return is_within(as_set(other), self)

    def isdisjoint(self, other: Any) -> bool:
        """Whether there is no item in both."""
        return are_apart(self, other)

    @entering
    def __or__(self, other: Any) -> Any:
        check_operands("|", self, other, SETS)
        return self.union(other)

    @entering
    def __and__(self, other: Any) -> Any:
        check_operands("&", self, other, SETS)
        return self.intersection(other)

    @entering
    def __sub__(self, other: Any) -> Any:
        check_operands("-", self, other, SETS)
        return self.difference(other)

    @entering
    def __xor__(self, other: Any) -> Any:
        check_operands("^", self, other, SETS)
        return self.symmetric_difference(other)

    @entering
    def __ror__(self, other: Any) -> Any:
        check_operands("|", other, self, SETS)
        return as_set(other).union(self)

    @entering
    def __rand__(self, other: Any) -> Any:
        check_operands("&", other, self, SETS)
        return as_set(other).intersection(self)

    @entering
    def __rsub__(self, other: Any) -> Any:
        check_operands("-", other, self, SETS)
        return as_set(other).difference(self)

    @entering
    def __rxor__(self, other: Any) -> Any:
        check_operands("^", other, self, SETS)
        return as_set(other).symmetric_difference(self)

    @entering
    def __le__(self, other: Any) -> bool:
        check_operands("<=", self, other, SETS)
        return is_within(self, other)

    @entering
    def __ge__(self, other: Any) -> bool:
        check_operands(">=", self, other, SETS)
        return is_within(other, self)

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


class HashSet(HashFrozenSet):
    """A set of the run time."""

    def add(self, key: Any) -> None:
        """Put an item in."""
        add(self, key)

    def discard(self, key: Any) -> None:
        """Remove an item, if it is there."""
        discard(self, key)

    def remove(self, key: Any) -> None:
        """Remove an item that has to be there."""
        remove(self, key)

    def pop(self) -> Any:
        """Remove some item, and give it."""
        return pop_member(self)

    def clear(self) -> None:
        """Remove everything."""
        clear(self)

    def update(self, *others: Any) -> None:
        """Put in the items of others."""
        for other in others:
            add_from(self, other)

    def difference_update(self, *others: Any) -> None:
        """Remove the items of others."""
        for other in others:
            discard_all(self, other)

    def intersection_update(self, *others: Any) -> None:
        """Keep the items that are in all others."""
        become(self, self.intersection(*others))

    def symmetric_difference_update(self, other: Any) -> None:
        """Keep the items that are in one of both."""
        toggle(self, as_set(other))

    @entering
    def __ior__(self, other: Any) -> Any:
        check_operands("|=", self, other, SETS)
        self.update(other)
        return self

    @entering
    def __iand__(self, other: Any) -> Any:
        check_operands("&=", self, other, SETS)
        self.intersection_update(other)
        return self

    @entering
    def __isub__(self, other: Any) -> Any:
        check_operands("-=", self, other, SETS)
        self.difference_update(other)
        return self

    @entering
    def __ixor__(self, other: Any) -> Any:
        check_operands("^=", self, other, SETS)
        self.symmetric_difference_update(other)
        return self


def empty(owner: Any) -> Any:
    """An empty set of the same class."""
    return owner.__class__(owner.stands_for)


def add_from(owner: Any, other: Any) -> None:
    """Put the items of a set, or of another iterable, into a set."""
    if isinstance(other, (HashFrozenSet, set, frozenset)):
        merge(owner, as_set(other))
    else:
        add_all(owner, other)


def are_equal(owner: Any, other: Any) -> bool:
    """Whether two sets have the same items."""
    return isinstance(other, SETS) and len(owner) == len(other) and is_within(owner, other)


def as_set(values: Any) -> Any:
    """A set of the run time with the items of an iterable."""
    if isinstance(values, HashFrozenSet):
        return values
    made = HashFrozenSet(frozenset) if isinstance(values, frozenset) else HashSet()
    if isinstance(values, (set, frozenset)):
        enter_known(made, values)
    else:
        add_all(made, values)
    return made
