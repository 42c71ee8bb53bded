"""``collections.Counter`` whose keys only the run time knows (Lib/collections of CPython 3.11)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from agir.ir.plain.entering import entering
from agir.ir.plain.hashed.mappings import HashDict, equal_dicts, get, put
from agir.ir.plain.hashed.tables import check_operands
from agir.ir.plain.hashed.views import items, values

__ag_convert__ = True


def count(owner: Any, found: Any, step: int = 1) -> None:
    """Count values, as a Counter does; downwards with a step of -1."""
    if hasattr(found, "keys"):
        for key, number in found.items():
            put(owner, key, get(owner, key, 0) + step * number)
    else:
        for key in found:
            put(owner, key, get(owner, key, 0) + step)


def most_common(owner: Any, n: int | None = None) -> list[Any]:
    """The entries, the most frequent first."""
    found = sorted(items(owner), key=_frequency)
    return found if n is None else found[: max(n, 0)]


def _frequency(entry: Any) -> Any:
    return -entry[1]


def summed(one: Any, other: Any) -> Any:
    """The counts of both together, where there are any."""
    made = HashCounter(Counter)
    for key, number in one.items():
        _put_positive(made, key, number + other[key])
    for key, number in other.items():
        if key not in one:
            _put_positive(made, key, number)
    return made


def reduced(one: Any, other: Any) -> Any:
    """What of the counts is more than in the other one."""
    made = HashCounter(Counter)
    for key, number in one.items():
        _put_positive(made, key, number - other[key])
    for key, number in other.items():
        if key not in one:
            _put_positive(made, key, -number)
    return made


def united(one: Any, other: Any) -> Any:
    """The larger count of each."""
    made = HashCounter(Counter)
    for key, number in one.items():
        found = other[key]
        _put_positive(made, key, found if number < found else number)
    for key, number in other.items():
        if key not in one:
            _put_positive(made, key, number)
    return made


def met(one: Any, other: Any) -> Any:
    """The smaller count of each."""
    made = HashCounter(Counter)
    for key, number in one.items():
        found = other[key]
        _put_positive(made, key, number if number < found else found)
    return made


def _put_positive(made: Any, key: Any, number: Any) -> None:
    if number > 0:
        put(made, key, number)


def become_positive(owner: Any, other: Any) -> None:
    """Take over the counts of a counter that are positive, in this one's order."""
    kept = HashCounter(Counter)
    for key, number in other.items():
        _put_positive(kept, key, number)
    owner.clear()
    for key, number in kept.items():
        put(owner, key, number)


def are_equal(one: Any, other: Any) -> bool:
    """Whether each count is the same in both."""
    return is_within(one, other) and is_within(other, one)


def is_within(one: Any, other: Any) -> bool:
    """Whether no count is larger than in the other one."""
    for key in one:
        if one[key] > other[key]:
            return False
    for key in other:
        if one[key] > other[key]:
            return False
    return True


class HashCounter(HashDict):
    """A counter of the run time."""

    @entering
    def __getitem__(self, key: Any) -> Any:
        return get(self, key, 0)

    def update(self, *others: Any, **named: Any) -> None:
        """Count values, or take over counts."""
        for other in others:
            count(self, other)
        count(self, named)

    def subtract(self, *others: Any, **named: Any) -> None:
        """Count downwards."""
        for other in others:
            count(self, other, -1)
        count(self, named, -1)

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

    @entering
    def __delitem__(self, key: Any) -> None:
        self.pop(key, 0)

    @entering
    def __add__(self, other: Any) -> Any:
        check_operands("+", self, other, Counter)
        return summed(self, other)

    @entering
    def __radd__(self, other: Any) -> Any:
        check_operands("+", other, self, Counter)
        return summed(other, self)

    @entering
    def __sub__(self, other: Any) -> Any:
        check_operands("-", self, other, Counter)
        return reduced(self, other)

    @entering
    def __rsub__(self, other: Any) -> Any:
        check_operands("-", other, self, Counter)
        return reduced(other, self)

    @entering
    def __or__(self, other: Any) -> Any:
        check_operands("|", self, other, Counter)
        return united(self, other)

    @entering
    def __ror__(self, other: Any) -> Any:
        check_operands("|", other, self, Counter)
        return united(other, self)

    @entering
    def __and__(self, other: Any) -> Any:
        check_operands("&", self, other, Counter)
        return met(self, other)

    @entering
    def __rand__(self, other: Any) -> Any:
        check_operands("&", other, self, Counter)
        return met(other, self)

    @entering
    def __pos__(self) -> Any:
        return summed(self, HashCounter(Counter))

    @entering
    def __neg__(self) -> Any:
        return reduced(HashCounter(Counter), self)

    @entering
    def __iadd__(self, other: Any) -> Any:
        count(self, other)
        become_positive(self, self)
        return self

    @entering
    def __isub__(self, other: Any) -> Any:
        count(self, other, -1)
        become_positive(self, self)
        return self

    @entering
    def __ior__(self, other: Any) -> Any:
        for key, number in other.items():
            if number > get(self, key, 0):
                put(self, key, number)
        become_positive(self, self)
        return self

    @entering
    def __iand__(self, other: Any) -> Any:
        become_positive(self, met(self, other))
        return self

    @entering
    def __eq__(self, other: object) -> bool:
        return are_equal(self, other) if isinstance(other, Counter) else equal_dicts(self, other)

    @entering
    def __ne__(self, other: object) -> bool:
        return not (
            are_equal(self, other) if isinstance(other, Counter) else equal_dicts(self, other)
        )

    @entering
    def __le__(self, other: Any) -> bool:
        check_operands("<=", self, other, Counter)
        return is_within(self, other)

    @entering
    def __ge__(self, other: Any) -> bool:
        check_operands(">=", self, other, Counter)
        return is_within(other, self)

    @entering
    def __lt__(self, other: Any) -> bool:
        check_operands("<", self, other, Counter)
        return is_within(self, other) and not is_within(other, self)

    @entering
    def __gt__(self, other: Any) -> bool:
        check_operands(">", self, other, Counter)
        return is_within(other, self) and not is_within(self, other)
