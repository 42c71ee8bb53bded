"""Hash tables, written in Python: what dicts and sets are whose keys only the run time knows.

A table has the numbers of entries, where CPython's probing puts them (Objects/setobject.c of 3.11).
What is computed here is in NumPy's integers, which are not checked.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from agir.ir.plain.entering import (
    StandIn,
    by_itself,
    is_by_number,
    is_known_empty,
    is_known_text,
    lifted,
    rarely,
)
from agir.ir.plain.hashed.hashes import hash_of
from agir.ir.plain.text.texts import as_text

__ag_convert__ = True

FREE = -1
"""In a table: there is no entry, and has never been one."""
GONE = -2
"""There was an entry, which has been removed, and is not among the entries any more.

One that is still among them has left a number below, which tells which it was (``gone``): who looks for
its key need not go on to a free place.  A key is at one place at most, be it there or gone.
"""
LEAST = 8
"""So many places has a table at least."""
_PROBES = 9
"""So many places after one are looked at before the next is computed."""
_ITERATIONS = 20
"""After so many, and as many as there are places, each place has been looked at.

There is always a free one; but where a check has failed before, a table is whatever stands for one.
"""
_MOST = 1 << 40
_LARGE = 50_000
_SHIFT = 5
_UNSIGNED = (1 << 59) - 1


def place(owner: Any, key: Any) -> Any:
    """Where the number of a key's entry is in the table, or where it would be put; and what is there.

    That is below 0 where the key has no entry.
    """
    if is_known_text(key) and not is_known_empty(owner.entries):
        known = hash_of(key)  # text that tracing knows is one function's argument like any other
        return place_in(owner.table, owner.entries, as_text(key), lifted(known))
    return place_in(owner.table, owner.entries, lifted(key))


def gone(number: Any) -> Any:
    """What the table has in the place of an entry's number once that is removed; and back again."""
    return GONE - 1 - number


def find_place(table: list[int], entries: list[Any], key: Any, known: Any = None) -> Any:
    """The same for the parts of a dict or set, and a key whose hash may be known.

    Most keys are at the first place, or have no entry and could be put there.
    """
    known = hash_of(key) if known is None else known
    at = _home(table, known)
    number = table[at]
    if number != FREE and not _is_of(entries, number, key):
        at, number = place_further(table, entries, key, lifted(known))
    return at, number


place_in = by_itself(find_place)


@rarely
def place_further(table: list[int], entries: list[Any], key: Any, known: Any) -> Any:
    """The same where the first place has another key, or one that is gone."""
    way = _way(table, known)
    unused = np.int64(-1)
    number = table[way[0]]
    if number >= 0:
        way = _further(table, way)
        number = table[way[0]]
    while way[3] > 0 and number != FREE and not _is_of(entries, number, key):
        if number < FREE:
            unused = way[0]
        way = _further(table, way)
        number = table[way[0]]
    return (unused if number == FREE and unused >= 0 else way[0]), number


def place_in_set(table: list[int], entries: list[Any], key: Any) -> Any:
    """Where the number of an item is in the table of a set, or where CPython would put it.

    And what is there.  That is the last place that can be had, which may lie behind where the item
    was before: nothing is left of it there.
    """
    known = hash_of(key)
    at = _home(table, known)
    number = table[at]
    if number != FREE and not (number >= 0 and _is_of(entries, number, key)):
        at = _place_further_in_set(table, entries, key, known)
        number = table[at]
    return at, number


def _place_further_in_set(table: list[int], entries: list[Any], key: Any, known: Any) -> Any:
    """Where it is, or would be put, where the first place has another item, or one that is gone."""
    way = _way(table, known)
    unused, before = np.int64(-1), np.int64(-1)
    number = table[way[0]]
    while way[3] > 0 and number != FREE and not (number >= 0 and _is_of(entries, number, key)):
        if number < FREE:
            unused = way[0]
            if _is_of(entries, number, key):
                before = unused
        way = _further(table, way)
        number = table[way[0]]
    if before >= 0:
        table[before] = GONE
    return unused if number == FREE and unused >= 0 else way[0]


def _home(table: list[int], known: Any) -> Any:
    """Where a key of that hash is looked for first."""
    return np.int64(known) & (np.int64(len(table)) - 1)  # NumPy's integers are not checked


def _is_of(entries: list[Any], number: Any, key: Any) -> Any:
    """Whether a number in the table is that of a key's entry, which may be gone."""
    which = number if number >= 0 else gone(number)
    return which >= 0 and entries[which] == key


def _way(table: list[int], known: Any) -> Any:
    """Where a key is looked for first, by its hash; and what tells where it is looked for next.

    That is how many of the next places are looked at, the place where these began, how often such
    a row may begin yet, and what is left of the hash.
    """
    home, mask = _home(table, known), np.int64(len(table)) - 1
    return home, _left(home, mask), home, mask + _ITERATIONS, np.int64(known)


def _further(table: list[int], way: Any) -> Any:
    """Where a key is looked for next."""
    at, left, home, iterations, rest = way
    mask = np.int64(len(table)) - 1
    if left > 0:
        left -= 1
        at += 1
    else:
        iterations -= 1
        rest = (rest >> _SHIFT) & _UNSIGNED
        home = (home * 5 + 1 + rest) & mask
        at = home
        left = _left(home, mask)
    return at, left, home, iterations, rest


def _left(home: Any, mask: Any) -> Any:
    """How many of the next places are looked at."""
    return np.int64(_PROBES) if home + _PROBES <= mask else np.int64(0)


def lay_out(owner: Any, size: Any) -> None:
    """Give a dict or set, of whose entries all are there, a table of so many places."""
    owner.table[:] = table_of(lifted(size), owner.entries)


def laid_out(size: Any, entries: list[Any]) -> list[int]:
    """A table of so many places with the entries."""
    table = [FREE] * size
    for number in range(len(entries)):
        table[_free_place(table, entries[number])] = number
    return table


table_of = by_itself(laid_out)


def begin(owner: Any, key: Any) -> None:
    """Enter the first key of a dict or set, which tracing knows to have none."""
    owner.entries.append(as_key(key))
    owner.count = np.int64(1)
    lay_out(owner, len(owner.table))


def refill(items: list[Any], found: list[Any]) -> None:
    """Make a list what a function has made of it, if that was not done in the list itself."""
    if not is_by_number(items) and found is not items:
        items[:] = found


def keep(items: list[Any], alive: list[bool]) -> None:
    """Leave only the items that are alive."""
    refill(items, kept(items, alive))


def compacted(items: list[Any], alive: list[bool]) -> list[Any]:
    """The items that are alive."""
    count = 0
    for number in range(len(items)):
        if alive[number]:
            items[count] = items[number]
            count += 1
    del items[count:]
    return items


kept = by_itself(compacted)


def grown(
    table: list[int], entries: list[Any], alive: list[bool], values: list[Any]
) -> tuple[list[int], list[Any], list[bool], list[Any]]:
    """The parts of a dict with a larger table, without the entries that are gone."""
    values, entries, alive = kept(values, alive), kept(entries, alive), kept(alive, alive)
    found = table_of(lifted(sized_above(room_for(len(entries)))), entries)
    if is_by_number(table):
        table[:] = found
    else:
        table = found
    return table, entries, alive, values


def room_for(count: Any) -> Any:
    """A dict of so many entries gets a table of more places than that when it grows.

    Small ones grow by more, so that less is laid out again on the way to a large one.
    """
    return 6 * count if count < _LARGE else 3 * count


def _free_place(table: list[int], key: Any) -> Any:
    """The first free place for a key that is in no entry of the table."""
    known = hash_of(key)
    at = _home(table, known)
    if table[at] != FREE:
        way = _further(table, _way(table, known))
        while way[3] > 0 and table[way[0]] != FREE:
            way = _further(table, way)
        at = way[0]
    return at


def sized_above(least: Any) -> int:
    """The size of a table that has more places than that."""
    size = np.int64(LEAST)
    while size <= least and size < _MOST:
        size *= 2
    return int(size)


size_above = by_itself(sized_above)


def as_key(key: Any) -> Any:
    """A key as entries have it: text as what the run time knows of it."""
    return as_text(key) if isinstance(key, str) else key


def contains(owner: Any, key: Any) -> Any:
    """Whether a key is there."""
    _, number = place(owner, key)
    return number >= 0


_COMPARING = ("<", "<=", ">", ">=")


def check_operands(operator: str, one: Any, other: Any, kinds: Any) -> None:
    """Whether an operator has what it needs."""
    if not (isinstance(one, kinds) and isinstance(other, kinds)):
        left, right = type(one).__name__, type(other).__name__
        if operator in _COMPARING:
            raise TypeError(
                f"'{operator}' not supported between instances of '{left}' and '{right}'"
            )
        raise TypeError(f"unsupported operand type(s) for {operator}: '{left}' and '{right}'")


class Table(StandIn):
    """What dicts and sets have in common; operators find these methods, whoever calls them."""

    entries: list[Any]
    table: list[int]
    count: int

    lists_are_of_table = True
    """Places in its lists are numbers of items (`unbound`), wherever the lists lie."""
    of_no_use = frozenset(("table",))
    """What the caller's container is not made of."""
    __hash__ = None  # type: ignore[assignment]
    __staged_text__: Any
    """What is printed of it (`representations`)."""

    def __contains__(self, key: Any) -> Any:
        return contains(self, key)

    def __len__(self) -> int:
        return int(self.count)

    def __bool__(self) -> bool:
        return self.count > 0
