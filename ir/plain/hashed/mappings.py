"""Dicts whose keys only the run time knows: entries in the order in which their keys came."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import compress
from typing import Any

import numpy as np

from agir.ir.plain.entering import (
    by_itself,
    entering,
    expect_items,
    fill,
    is_by_number,
    is_in_few_loops,
    is_known_empty,
    is_of_library,
    lifted,
    unbound,
)
from agir.ir.plain.hashed.tables import (
    FREE,
    GONE,
    LEAST,
    Table,
    as_key,
    begin,
    find_place,
    gone,
    grown,
    keep,
    lay_out,
    place,
    place_in,
    refill,
    room_for,
    size_above,
)
from agir.ir.plain.hashed.views import (
    ItemsView,
    KeysView,
    ValuesView,
    items,
    keys,
    reversed_keys,
)

__ag_convert__ = True


def put(owner: Any, key: Any, value: Any) -> None:
    """``owner[key] = value``."""
    expect_items((owner.entries, as_key(key)), (owner.values_, value), (owner.alive, True))
    if is_known_empty(owner.entries):
        begin(owner, key)
        owner.values_.append(value)
        owner.alive.append(True)
        return
    at, number = place(owner, key)
    key = lifted(as_key(key))
    takes = not isinstance(value, list) and is_of_library(owner.values_, value)
    if takes and (is_by_number(owner.entries) or not is_in_few_loops()):
        _put_by_call(owner, key, value, at, number)
        return
    if number >= 0:
        owner.values_[number] = value
    else:  # nothing moves for a key that is there: the dict may be gone through
        if is_full(owner.table, owner.entries):
            _grow(owner)
            at, _ = place_in(owner.table, owner.entries, key)
        owner.table[at] = len(owner.entries)
        owner.entries.append(key)
        owner.alive.append(True)
        owner.values_.append(value)
        owner.count += 1


def _put_by_call(owner: Any, key: Any, value: Any, at: Any, number: Any) -> None:
    found = with_entry(
        owner.table, owner.entries, owner.alive, owner.values_, key, lifted(value), at, number
    )
    table, entries, alive, values, more = found
    refill(owner.values_, values)
    owner.count += more
    refill(owner.table, table)
    refill(owner.entries, entries)
    refill(owner.alive, alive)


def is_full(table: list[int], entries: list[Any]) -> Any:
    """Whether a table has to grow before the next entry."""
    return (np.int64(len(entries)) + 1) * 3 >= np.int64(len(table)) * 2


def keyed(
    table: list[int], entries: list[Any], alive: list[bool], key: Any
) -> tuple[Any, list[int], list[Any], list[bool]]:
    """The number of a key's entry, which is made if there is none, and the parts of the dict then."""
    at, number = find_place(table, entries, key)
    if number < 0:
        number = len(entries)
        table[at] = number
        entries.append(key)
        alive.append(True)
    return number, table, entries, alive


@by_itself
def with_entry(
    table: list[int],
    entries: list[Any],
    alive: list[bool],
    values: list[Any],
    key: Any,
    value: Any,
    at: Any,
    number: Any,
) -> tuple[list[int], list[Any], list[bool], list[Any], Any]:
    """The parts of a dict with an entry at its place, and by how much it has more."""
    more = np.int64(0)
    if number >= 0:  # nothing moves for a key that is there: the dict may be gone through
        values[number] = value
    else:
        if is_full(table, entries):
            table, entries, alive, values = grown(table, entries, alive, values)
            at, _ = place_in(table, entries, key)
        table[at] = len(entries)
        entries.append(key)
        alive.append(True)
        values.append(value)
        more = np.int64(1)
    return table, entries, alive, values, more


def enter(owner: Any, keys: Any, values: Any) -> None:
    """Entries of keys that are not there yet."""
    for number in range(len(keys)):
        put(owner, keys[number], values[number])


def _grow(owner: Any) -> None:
    """A larger table, without the entries that are gone."""
    forget_gone(owner)
    lay_out(owner, size_above(room_for(owner.count)))


def forget_gone(owner: Any) -> None:
    """Leave only the entries that are there, whose places in the table are to be found anew."""
    if owner.count < len(owner.entries):
        keep(owner.values_, owner.alive)
        keep(owner.entries, owner.alive)
        keep(owner.alive, owner.alive)


def get_item(owner: Any, key: Any) -> Any:
    """``owner[key]``."""
    _, number = place(owner, key)
    if number < 0:
        owner.make_entry(key)
        number = len(owner.entries) - 1
    return owner.values_[number]


def make_default(owner: Any, key: Any) -> None:
    """Give a key what a defaultdict's factory makes."""
    if owner.default_factory is None:
        raise KeyError(key)
    put(owner, key, owner.default_factory())


def get(owner: Any, key: Any, default: Any = None) -> Any:
    """``owner.get(key, default)``."""
    _, number = place(owner, key)
    return owner.values_[number] if number >= 0 else default


def setdefault(owner: Any, key: Any, default: Any = None) -> Any:
    """``owner.setdefault(key, default)``."""
    _, number = place(owner, key)
    if number < 0:
        put(owner, key, default)
        number = len(owner.entries) - 1
    return owner.values_[number]


def delete(owner: Any, key: Any) -> None:
    """``del owner[key]``."""
    at, number = place(owner, key)
    if number < 0:
        raise KeyError(key)
    owner.table[at] = gone(number)
    owner.alive[number] = False
    owner.count -= 1


def pop(owner: Any, key: Any, *default: Any) -> Any:
    """``owner.pop(key, default)``."""
    _, number = place(owner, key)
    if default:
        (other,) = default
        found = owner.values_[number] if number >= 0 else other
        if number >= 0:
            delete(owner, key)
        return found
    if number < 0:
        raise KeyError(key)
    found = owner.values_[number]
    delete(owner, key)
    return found


def popitem(owner: Any) -> tuple[Any, Any]:
    """The last entry, which is removed."""
    if owner.count == 0:
        raise KeyError("popitem(): dictionary is empty")
    while len(owner.entries) > 1 and not owner.alive[len(owner.alive) - 1]:
        _drop_last(owner)
    number = len(owner.entries) - 1
    key, value = owner.entries[number], owner.values_[number]
    owner.count -= 1
    _drop_last(owner)
    return key, value


def _drop_last(owner: Any) -> None:
    """Forget the last entry, in the table as well: another one will have its number."""
    number = len(owner.entries) - 1
    at, found = place(owner, owner.entries[number])
    if found == number or found == gone(number):
        owner.table[at] = GONE
    owner.entries.pop()
    owner.values_.pop()
    owner.alive.pop()


def update(owner: Any, pairs: Any) -> None:
    """Take over the entries of a dict, or pairs of keys and values."""
    if hasattr(pairs, "keys"):
        for key in pairs.keys():  # noqa: SIM118 - what a mapping is goes by this method
            put(owner, key, pairs[key])
    else:
        for key, value in pairs:
            put(owner, key, value)


def remembered(owner: Any, key: Any, function: Any, args: Any) -> Any:
    """What a function gives, which it computes once for each key."""
    _, number = place(owner, key)
    if number < 0:
        put(owner, key, function(*args))
        _, number = place(owner, key)  # calls of itself may have made entries
    return owner.values_[number]


def put_all(owner: Any, keys: Iterable[Any], value: Any) -> None:
    """Give keys the same value."""
    for key in keys:
        put(owner, key, value)


def equal_dicts(owner: Any, other: Any) -> bool:
    """Whether two dicts have the same entries."""
    if owner.count != len(other):
        return False
    for number in range(len(owner.entries)):
        if owner.alive[number]:
            key = owner.entries[number]
            if key not in other or other[key] != owner.values_[number]:
                return False
    return True


def differ(owner: Any, other: Any) -> bool:
    """Whether two dicts are not equal."""
    return not equal_dicts(owner, other)


def clear(owner: Any) -> None:
    """Remove everything."""
    owner.entries.clear()
    owner.values_.clear()
    owner.alive.clear()
    owner.table.clear()
    owner.table.extend([FREE] * LEAST)
    owner.count = np.int64(0)


class HashDict(Table):
    """A dict of the run time."""

    def __init__(self, stands_for: type = dict) -> None:
        self.stands_for = stands_for
        self.entries, self.values_, self.alive = unbound([]), unbound([]), unbound([])
        self.table = unbound([FREE] * LEAST)
        self.count = np.int64(0)

    def make_entry(self, key: Any) -> None:
        """Make an entry for a key that is asked for and has none."""
        raise KeyError(key)

    def like(self) -> Any:
        """Another dict of its class, without entries."""
        return self.__class__(self.stands_for)

    def empty(self) -> Any:
        """The dict that the caller gets, before it has entries."""
        return self.stands_for()

    def plain(self) -> Any:
        """The dict that the caller gets."""
        fill(self.entries)
        pairs = zip(self.entries, self.values_, strict=True)
        made = self.empty()
        made.update(dict(compress(pairs, self.alive)))
        return made

    def __iter__(self) -> Iterator[Any]:
        return keys(self)

    @entering
    def __reversed__(self) -> Iterator[Any]:
        return reversed_keys(self)

    def keys(self) -> Any:
        """A view of the keys."""
        return KeysView(self)

    def values(self) -> Any:
        """A view of the values."""
        return ValuesView(self)

    def items(self) -> Any:
        """A view of the entries."""
        return ItemsView(self)

    def clear(self) -> None:
        """Remove everything."""
        clear(self)

    def copy(self) -> Any:
        """Another dict of the same entries."""
        return copied_dict(self)

    __copy__ = copy
    __getitem__ = entering(get_item)
    __setitem__ = entering(put)
    __delitem__ = entering(delete)
    __eq__ = entering(equal_dicts)
    __ne__ = entering(differ)

    def get(self, key: Any, default: Any = None) -> Any:
        """The value of a key, or else the default."""
        return get(self, key, default)

    def setdefault(self, key: Any, default: Any = None) -> Any:
        """The value of a key, which gets the default if it has none."""
        return setdefault(self, key, default)

    def pop(self, key: Any, *default: Any) -> Any:
        """Remove a key, and give its value."""
        return pop(self, key, *default)

    def popitem(self) -> tuple[Any, Any]:
        """Remove the last entry, and give it."""
        return popitem(self)

    def update(self, *others: Any, **named: Any) -> None:
        """Take over entries."""
        for other in others:
            update(self, other)
        for key, value in named.items():
            put(self, key, value)

    @entering
    def __ior__(self, other: Any) -> Any:
        update(self, other)
        return self

    @entering
    def __or__(self, other: Any) -> Any:
        made = copied_dict(self)
        update(made, other)
        return made

    @entering
    def __ror__(self, other: Any) -> Any:
        made = self.like()
        update(made, other)
        update(made, self)
        return made


def copied_dict(owner: Any) -> Any:
    """Another dict of the same entries."""
    made = owner.like()
    for key, value in items(owner):
        put(made, key, value)
    return made


class HashDefaults(HashDict):
    """A defaultdict of the run time."""

    def __init__(self, stands_for: type = defaultdict, default_factory: Any = None) -> None:
        super().__init__(stands_for)
        self.default_factory = default_factory

    def make_entry(self, key: Any) -> None:
        """Make an entry for a key that is asked for and has none."""
        make_default(self, key)

    def like(self) -> Any:
        """Another dict of its class, without entries."""
        return self.__class__(self.stands_for, self.default_factory)

    def empty(self) -> Any:
        """The dict that the caller gets, before it has entries."""
        return self.stands_for(self.default_factory)
