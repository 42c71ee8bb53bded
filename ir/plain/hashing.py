"""Dicts and sets whose keys only the run time knows: hash tables, written in Python.

A table has numbers of entries, in the order of CPython's probing; sets grow as CPython's do, too, so
that their items come in the same order (Objects/setobject.c, Objects/tupleobject.c and
Python/pyhash.c of CPython 3.11).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from agir.ir.plain.entering import entering, refusing, unbound

__ag_convert__ = True

FREE = -1
"""In a table: there is no entry, and has never been one."""
GONE = -2
"""There was an entry, which has been removed."""
LEAST = 8
"""So many places has a table at least."""
_PROBES = 9
"""So many places after one are looked at before the next is computed."""
_TURNS = 20
"""After so many, and as many as there are places, each place has been looked at.

There is always a free one; but where a check has failed before, a table is whatever stands for one.
"""
_MOST = 1 << 40
_SHIFT = 5
_UNSIGNED = (1 << 59) - 1
_BITS = 61
_MODULUS = (1 << _BITS) - 1
_LARGE = 50_000
_PRIME_1 = np.uint64(11400714785074694791)
_PRIME_2 = np.uint64(14029467366897019727)
_PRIME_5 = np.uint64(2870177450012600261)
_LENGTHS = np.uint64(2870177450012600261 ^ 3527539)


def hash_of(key: Any) -> Any:
    """``hash(key)`` of numbers, text that is known, and tuples of these."""
    if isinstance(key, tuple):
        return _hash_of_tuple(key)
    if isinstance(key, (bool, np.bool_)):
        return int(key)
    if isinstance(key, (int, np.integer)):
        return _hash_of_int(int(key))
    if isinstance(key, (float, np.floating)):
        return _hash_of_float(float(key))
    if isinstance(key, (list, dict, set)):
        raise TypeError(f"unhashable type: '{type(key).__name__}'")
    return hash(key)


def _hash_of_int(key: int) -> Any:
    if -_MODULUS < key < _MODULUS:
        return np.int64(key) - (key == -1)
    number = np.int64(key)
    found = number % np.int64(_MODULUS)
    if key < 0 and found != 0:
        found -= np.int64(_MODULUS)
    return found - (found == -1)


def _hash_of_float(key: float) -> int:
    if math.isinf(key):
        return 314159 if key > 0 else -314159
    if math.isnan(key):
        return 0
    if abs(key) < 1e15 and key == math.floor(key):
        return _hash_of_int(int(key))
    part, exponent = math.frexp(abs(key))
    found = np.uint64(0)
    while part != 0.0:
        found = _turned(found, 28)
        part *= 268435456.0
        exponent -= 28
        whole = int(part)
        part -= whole
        found = found + np.int64(whole).astype(np.uint64)
        if found >= np.uint64(_MODULUS):
            found = found - np.uint64(_MODULUS)
    exponent = exponent % _BITS
    result = int(_turned(found, exponent).astype(np.int64))
    result = result if key > 0 else -result
    return result if result != -1 else -2


def _turned(value: Any, bits: Any) -> Any:
    """The lower 61 bits, turned round by so many."""
    left, right = np.int64(bits).astype(np.uint64), np.int64(_BITS - bits).astype(np.uint64)
    return ((value << left) & np.uint64(_MODULUS)) | (value >> right)


def _hash_of_tuple(key: tuple[Any, ...]) -> int:
    found = _PRIME_5
    for item in key:
        found = found + np.int64(hash_of(item)).astype(np.uint64) * _PRIME_2
        found = (found << np.uint64(31)) | (found >> np.uint64(33))
        found = found * _PRIME_1
    found = found + (np.uint64(len(key)) ^ _LENGTHS)
    result = int(found.astype(np.int64))
    return result if result != -1 else 1546275796


# Tables of entries.


def place(owner: Any, key: Any) -> Any:
    """Where the number of a key's entry is in the table, or where it would be put."""
    rest = np.int64(hash_of(key))  # NumPy's integers are not checked
    mask = np.int64(len(owner.table) - 1)
    home = rest & mask
    at = home
    left, turns = _left(home, mask), mask + _TURNS
    gone = np.int64(-1)
    number = owner.table[at]
    while turns > 0 and number != FREE and not (number >= 0 and owner.entries[number] == key):
        if number == GONE:
            gone = at
        if left > 0:
            left -= 1
            at += 1
        else:
            turns -= 1
            rest = (rest >> _SHIFT) & _UNSIGNED
            home = (home * 5 + 1 + rest) & mask
            at = home
            left = _left(home, mask)
        number = owner.table[at]
    return gone if number == FREE and gone >= 0 else at


def _left(home: Any, mask: Any) -> Any:
    """How many of the next places are looked at."""
    return np.int64(_PROBES) if home + _PROBES <= mask else np.int64(0)


def _free(table: list[int], key: Any) -> Any:
    """The first free place for a key that is in no entry of the table."""
    rest = np.int64(hash_of(key))
    mask = np.int64(len(table) - 1)
    home = rest & mask
    at = home
    left, turns = _left(home, mask), mask + _TURNS
    while turns > 0 and table[at] != FREE:
        if left > 0:
            left -= 1
            at += 1
        else:
            turns -= 1
            rest = (rest >> _SHIFT) & _UNSIGNED
            home = (home * 5 + 1 + rest) & mask
            at = home
            left = _left(home, mask)
    return at


def _size(least: Any) -> int:
    size = np.int64(LEAST)
    while size <= least and size < _MOST:
        size *= 2
    return int(size)


def contains(owner: Any, key: Any) -> bool:
    """Whether a key is there."""
    return owner.table[place(owner, key)] >= 0


def clear(owner: Any) -> None:
    """Remove everything."""
    owner.entries.clear()
    owner.table.clear()
    owner.table.extend([FREE] * LEAST)
    owner.count = np.int64(0)
    if owner.is_mapping:
        owner.values_.clear()
        owner.alive.clear()
    else:
        owner.fill = np.int64(0)


# Dicts: entries in the order in which their keys came.


def put(owner: Any, key: Any, value: Any) -> None:
    """``owner[key] = value``."""
    at = place(owner, key)
    number = owner.table[at]
    if number >= 0:
        owner.values_[number] = value
    else:
        owner.table[at] = len(owner.entries)
        owner.entries.append(key)
        owner.values_.append(value)
        owner.alive.append(True)
        owner.count += 1
        if np.int64(len(owner.entries)) * 5 >= np.int64(len(owner.table)) * 3:
            _grow(owner)


def _grow(owner: Any) -> None:
    """A larger table, without the entries that are gone."""
    if owner.count < len(owner.entries):
        kept = 0
        for number in range(len(owner.entries)):
            if owner.alive[number]:
                owner.entries[kept] = owner.entries[number]
                owner.values_[kept] = owner.values_[number]
                owner.alive[kept] = True
                kept += 1
        while len(owner.entries) > kept:
            owner.entries.pop()
            owner.values_.pop()
            owner.alive.pop()
    size = _size(3 * owner.count)
    owner.table.clear()
    owner.table.extend([FREE] * size)
    for number in range(len(owner.entries)):
        owner.table[_free(owner.table, owner.entries[number])] = number


def get_item(owner: Any, key: Any) -> Any:
    """``owner[key]``."""
    number = owner.table[place(owner, key)]
    if owner.factory is not None:
        if number < 0:
            put(owner, key, owner.factory())
        return owner.values_[owner.table[place(owner, key)]]
    if owner.counts:
        return owner.values_[number] if number >= 0 else 0
    if number < 0:
        raise KeyError(key)
    return owner.values_[number]


def get(owner: Any, key: Any, default: Any = None) -> Any:
    """``owner.get(key, default)``."""
    number = owner.table[place(owner, key)]
    return owner.values_[number] if number >= 0 else default


def setdefault(owner: Any, key: Any, default: Any = None) -> Any:
    """``owner.setdefault(key, default)``."""
    if not contains(owner, key):
        put(owner, key, default)
    return owner.values_[owner.table[place(owner, key)]]


def delete(owner: Any, key: Any) -> None:
    """``del owner[key]``."""
    at = place(owner, key)
    number = owner.table[at]
    if number < 0:
        raise KeyError(key)
    owner.table[at] = GONE
    owner.alive[number] = False
    owner.count -= 1


def pop(owner: Any, key: Any, *default: Any) -> Any:
    """``owner.pop(key, default)``."""
    number = owner.table[place(owner, key)]
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
    number = len(owner.entries) - 1
    while number > 0 and not owner.alive[number]:
        number -= 1
    key, value = owner.entries[number], owner.values_[number]
    delete(owner, key)
    return key, value


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
    """The keys, in the other order."""
    for number in range(len(owner.entries) - 1, -1, -1):
        if owner.alive[number]:
            yield owner.entries[number]


def update(owner: Any, pairs: Iterable[Any]) -> None:
    """Take over the entries of a dict, or pairs of keys and values."""
    if hasattr(pairs, "keys"):
        for key in pairs.keys():  # noqa: SIM118 - what a mapping is goes by this method
            put(owner, key, pairs[key])
    else:
        for key, value in pairs:
            put(owner, key, value)


def count(owner: Any, values: Iterable[Any]) -> None:
    """Count values, as a Counter does."""
    if hasattr(values, "keys"):
        for key, number in values.items():
            put(owner, key, get(owner, key, 0) + number)
    else:
        for key in values:
            put(owner, key, get(owner, key, 0) + 1)


def subtract(owner: Any, values: Iterable[Any]) -> None:
    """Count values downwards."""
    if hasattr(values, "keys"):
        for key, number in values.items():
            put(owner, key, get(owner, key, 0) - number)
    else:
        for key in values:
            put(owner, key, get(owner, key, 0) - 1)


def most_common(owner: Any, n: int | None = None) -> list[Any]:
    """The entries, the most frequent first."""
    found = sorted(items(owner), key=_frequency)
    return found if n is None else found[:n]


def _frequency(entry: Any) -> Any:
    return -entry[1]


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


# Sets: items in the order of the table.


def add(owner: Any, key: Any) -> None:
    """Put an item into a set."""
    at = place(owner, key)
    number = owner.table[at]
    if number < 0:
        owner.table[at] = len(owner.entries)
        owner.entries.append(key)
        owner.count += 1
        if number == FREE:
            owner.fill += 1
        if number == FREE and owner.fill * 5 >= np.int64(len(owner.table) - 1) * 3:
            _resize(owner, owner.count * 2 if owner.count > _LARGE else owner.count * 4)


def _resize(owner: Any, least: int) -> None:
    size = _size(least)
    found = [owner.entries[number] for number in owner.table if number >= 0]
    owner.entries.clear()
    owner.entries.extend(found)
    owner.table.clear()
    owner.table.extend([FREE] * size)
    for number in range(len(owner.entries)):
        owner.table[_free(owner.table, owner.entries[number])] = number
    owner.fill = owner.count


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
    at = place(owner, key)
    if owner.table[at] >= 0:
        owner.table[at] = GONE
        owner.count -= 1


def remove(owner: Any, key: Any) -> None:
    """Remove an item that has to be there."""
    at = place(owner, key)
    if owner.table[at] < 0:
        raise KeyError(key)
    owner.table[at] = GONE
    owner.count -= 1


def pop_member(owner: Any) -> Any:
    """Remove some item, and give it: that which CPython gives."""
    if owner.count == 0:
        raise KeyError("pop from an empty set")
    mask = np.int64(len(owner.table) - 1)
    at, turns = owner.finger & mask, mask
    while turns > 0 and owner.table[at] < 0:
        at = (at + 1) & mask
        turns -= 1
    found = owner.entries[owner.table[at]]
    owner.table[at] = GONE
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


class _Table:
    """What dicts and sets have in common; operators find these methods, whoever calls them."""

    stands_for: type
    """The class of Python's or of its library."""
    entries: list[Any]
    table: list[int]
    count: int

    is_users = True  # an object of the program's, made of its attributes

    __hash__ = None  # type: ignore[assignment]
    __repr__ = __str__ = refusing("the text")

    def __contains__(self, key: Any) -> bool:
        return contains(self, key)

    def __len__(self) -> int:
        return int(self.count)

    def __bool__(self) -> bool:
        return self.count > 0

    def clear(self) -> None:
        """Remove everything."""
        clear(self)


class HashDict(_Table):
    """A dict of the run time."""

    is_mapping = True

    def __init__(self, stands_for: type = dict, factory: Any = None) -> None:
        self.stands_for = stands_for
        self.entries, self.values_, self.alive = unbound([]), unbound([]), unbound([])
        self.table = unbound([FREE] * LEAST)
        self.count = np.int64(0)
        self.factory = factory
        self.counts = stands_for is Counter

    def plain(self) -> Any:
        """The dict that the caller gets."""
        filled = zip(self.entries, self.values_, self.alive, strict=True)
        pairs = [(key, value) for key, value, alive in filled if alive]
        made = self.stands_for() if self.factory is None else self.stands_for(self.factory)
        made.update(dict(pairs))
        return made

    def __iter__(self) -> Iterator[Any]:
        return keys(self)

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

    def copy(self) -> Any:
        """Another dict of the same entries."""
        return copied_dict(self)

    __copy__ = copy
    __getitem__ = entering(get_item)
    __setitem__ = entering(put)
    __delitem__ = entering(delete)
    __eq__ = entering(equal_dicts)  # type: ignore[assignment]
    __ne__ = entering(differ)  # type: ignore[assignment]

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
            if self.counts:
                count(self, other)
            else:
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

    def subtract(self, values: Any) -> None:
        """Count downwards."""
        subtract(self, values)

    def most_common(self, n: int | None = None) -> list[Any]:
        """The entries, the most frequent first."""
        return most_common(self, n)

    def total(self) -> Any:
        """The sum of the counts."""
        return sum(values(self))

    def elements(self) -> Iterator[Any]:
        """Each key as often as it was counted."""
        for key, number in items(self):
            for _ in range(number):
                yield key


def copied_dict(owner: Any) -> Any:
    """Another dict of the same entries."""
    made = HashDict(owner.stands_for, owner.factory)
    for key, value in items(owner):
        put(made, key, value)
    return made


class _View:
    """A view of a dict."""

    is_users = True

    def __init__(self, owner: Any) -> None:
        self.owner = owner

    def __len__(self) -> int:
        return int(self.owner.count)


class KeysView(_View):
    """The keys."""

    def __iter__(self) -> Iterator[Any]:
        return keys(self.owner)

    def __contains__(self, key: Any) -> bool:
        return contains(self.owner, key)

    @entering
    def __and__(self, other: Any) -> Any:
        made = HashSet()
        keep_common(made, self.owner, other)
        return made

    @entering
    def __or__(self, other: Any) -> Any:
        made = HashSet()
        add_all(made, self)
        add_all(made, other)
        return made

    @entering
    def __sub__(self, other: Any) -> Any:
        made = HashSet()
        add_all(made, self)
        discard_all(made, other)
        return made


class ValuesView(_View):
    """The values."""

    def __iter__(self) -> Iterator[Any]:
        return values(self.owner)

    def __contains__(self, value: Any) -> bool:
        for each in values(self.owner):
            if each == value:
                return True
        return False


class ItemsView(_View):
    """The entries."""

    def __iter__(self) -> Iterator[Any]:
        return items(self.owner)

    def __contains__(self, entry: Any) -> bool:
        key, value = entry
        return contains(self.owner, key) and get_item(self.owner, key) == value


class HashSet(_Table):
    """A set of the run time."""

    is_mapping = False

    def __init__(self, stands_for: type = set) -> None:
        self.stands_for = stands_for
        self.entries = unbound([])
        self.table = unbound([FREE] * LEAST)
        self.count = np.int64(0)
        self.fill = np.int64(0)
        self.finger = np.int64(0)

    def plain(self) -> Any:
        """The set that the caller gets, its items in the same order where that can be had."""
        there = [number for number in self.table if number >= 0]
        ordered = [self.entries[number] for number in there]
        made = self.stands_for(self.entries[number] for number in sorted(there))
        return made if list(made) == ordered else self.stands_for(ordered)

    def __iter__(self) -> Iterator[Any]:
        return members(self)

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

    def copy(self) -> Any:
        """Another set of the same items."""
        made = HashSet(self.stands_for)
        merge(made, self)
        return made

    __copy__ = copy

    def update(self, *others: Any) -> None:
        """Put in the items of others."""
        for other in others:
            if isinstance(other, HashSet):
                merge(self, other)
            else:
                add_all(self, other)

    def union(self, *others: Any) -> Any:
        """The items of all."""
        made = self.copy()
        made.update(*others)
        return made

    def intersection(self, *others: Any) -> Any:
        """The items that are in all."""
        found = self
        for other in others:
            made = HashSet(self.stands_for)
            if isinstance(other, HashSet):
                keep_common_of_sets(made, found, other)
            else:
                keep_common(made, found, other)
            found = made
        return found if others else self.copy()

    def difference(self, *others: Any) -> Any:
        """The items that are in no other."""
        found = self
        for other in others:
            made = HashSet(self.stands_for)
            keep_others(made, found, as_set(other))
            found = made
        return found if others else self.copy()

    def symmetric_difference(self, other: Any) -> Any:
        """The items that are in one of both."""
        made = as_set(other).copy()
        toggle(made, self)
        made.stands_for = self.stands_for
        return made

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
    def __or__(self, other: Any) -> Any:
        return self.union(other)

    @entering
    def __and__(self, other: Any) -> Any:
        return self.intersection(other)

    @entering
    def __sub__(self, other: Any) -> Any:
        return self.difference(other)

    @entering
    def __xor__(self, other: Any) -> Any:
        return self.symmetric_difference(other)

    @entering
    def __ror__(self, other: Any) -> Any:
        return as_set(other).union(self)

    @entering
    def __rand__(self, other: Any) -> Any:
        return as_set(other).intersection(self)

    @entering
    def __rsub__(self, other: Any) -> Any:
        return as_set(other).difference(self)

    @entering
    def __rxor__(self, other: Any) -> Any:
        return as_set(other).symmetric_difference(self)

    @entering
    def __ior__(self, other: Any) -> Any:
        self.update(other)
        return self

    @entering
    def __iand__(self, other: Any) -> Any:
        self.intersection_update(other)
        return self

    @entering
    def __isub__(self, other: Any) -> Any:
        self.difference_update(other)
        return self

    @entering
    def __ixor__(self, other: Any) -> Any:
        self.symmetric_difference_update(other)
        return self

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
    def __le__(self, other: Any) -> bool:
        return is_within(self, other)

    @entering
    def __ge__(self, other: Any) -> bool:
        return is_within(other, self)

    @entering
    def __lt__(self, other: Any) -> bool:
        return len(self) < len(other) and is_within(self, other)

    @entering
    def __gt__(self, other: Any) -> bool:
        return len(self) > len(other) and is_within(other, self)

    @entering
    def __eq__(self, other: object) -> bool:
        return len(self) == len(other) and is_within(self, other)  # type: ignore[arg-type]

    @entering
    def __ne__(self, other: object) -> bool:
        return len(self) != len(other) or not is_within(self, other)  # type: ignore[arg-type]


def as_set(values: Any) -> Any:
    """A set of the run time with the items of an iterable."""
    if isinstance(values, HashSet):
        return values
    made = HashSet()
    add_all(made, values)
    return made


def become(owner: Any, other: Any) -> None:
    """Give a set what is in another one."""
    clear(owner)
    owner.entries.extend(other.entries)
    owner.table.clear()
    owner.table.extend(other.table)
    owner.count = other.count
    owner.fill = other.fill
