"""``collections.deque`` that holds no more than so many items."""

from __future__ import annotations

from collections import deque
from typing import Any

from agir.ir.plain.entering import StandIn, entering, refusing, written

__ag_convert__ = True

_OUTSIDE = "deque index out of range"


def bounded(iterable: Any, bound: Any) -> Any:
    """``deque(iterable, bound)``, whose bound is a number."""
    if not isinstance(bound, int):
        raise TypeError("an integer is required")
    if bound < 0:
        raise ValueError("maxlen must be non-negative")
    made = BoundedDeque([], bound)
    for item in iterable:
        made.append(item)
    return made


def items_of(queue: Any) -> Any:
    """A list of what is in a queue."""
    return list(queue.values) if isinstance(queue, BoundedDeque) else list(queue)


def of_items(owner: Any, items: Any) -> Any:
    """A queue with a bound of another one, and the last ones of some items."""
    first = max(len(items) - owner.bound, 0)
    return BoundedDeque(items[first:], owner.bound)


def check_place(owner: Any, at: Any) -> None:
    """Check that an item is there."""
    if at < -len(owner.values) or at >= len(owner.values):
        raise IndexError(_OUTSIDE)


def are_ordered(name: str, one: Any, other: Any) -> Any:
    """``<`` and its like."""
    if not isinstance(other, deque):
        return NotImplemented
    left, right = items_of(one), items_of(other)
    if name == "<":
        return left < right
    if name == "<=":
        return left <= right
    return left > right if name == ">" else left >= right


class BoundedDeque(StandIn):
    """A deque with a bound: who adds an item at one end loses one at the other."""

    stands_for = deque
    __staged_text__: Any
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, values: Any, bound: Any) -> None:
        self.values = values
        self.bound = bound

    def plain(self) -> deque[Any]:
        """The deque that the caller gets."""
        return deque(self.values, self.bound)

    @property
    def maxlen(self) -> Any:
        """So many items may be there."""
        return self.bound

    __str__ = written("s")
    __repr__ = written("r")
    __format__ = written("")
    __reversed__ = refusing("reversed()")

    def __len__(self) -> int:
        return len(self.values)

    def __bool__(self) -> bool:
        return len(self.values) > 0

    def __iter__(self) -> Any:
        return self.values

    def __contains__(self, item: Any) -> Any:
        return item in self.values

    def __getitem__(self, at: Any) -> Any:
        check_place(self, at)
        return self.values[at]

    def __setitem__(self, at: Any, item: Any) -> None:
        check_place(self, at)
        self.values[at] = item

    def __delitem__(self, at: Any) -> None:
        check_place(self, at)
        del self.values[at]

    def append(self, item: Any) -> None:
        """Add an item at the right end."""
        self.values.append(item)
        if len(self.values) > self.bound:
            del self.values[0]

    def appendleft(self, item: Any) -> None:
        """Add an item at the left end."""
        self.values.insert(0, item)
        if len(self.values) > self.bound:
            self.values.pop()

    def extend(self, items: Any) -> None:
        """Add items at the right end."""
        for item in list(items):
            self.append(item)

    def extendleft(self, items: Any) -> None:
        """Add items at the left end, one after the other."""
        for item in list(items):
            self.appendleft(item)

    def insert(self, at: Any, item: Any) -> None:
        """Put an item before a place, where there is room for one."""
        if len(self.values) >= self.bound:
            raise IndexError("deque already at its maximum size")
        self.values.insert(at, item)

    def pop(self) -> Any:
        """Take the right item away."""
        if len(self.values) == 0:
            raise IndexError("pop from an empty deque")
        return self.values.pop()

    def popleft(self) -> Any:
        """Take the left item away."""
        if len(self.values) == 0:
            raise IndexError("pop from an empty deque")
        return self.values.pop(0)

    def remove(self, item: Any) -> None:
        """Remove the first item that is equal to a value."""
        if item not in self.values:
            raise ValueError("deque.remove(x): x not in deque")
        self.values.remove(item)

    def index(self, item: Any, *bounds: Any) -> Any:
        """Where the first item is that is equal to a value."""
        return self.values.index(item, *bounds)

    def count(self, item: Any) -> Any:
        """How many items are equal to a value."""
        return self.values.count(item)

    def clear(self) -> None:
        """Remove all items."""
        self.values.clear()

    def reverse(self) -> None:
        """Turn the order round."""
        self.values.reverse()

    def rotate(self, n: Any = 1) -> None:
        """Move so many items from the right end to the left one."""
        if len(self.values) > 0:
            cut = -n % len(self.values)
            self.values[:] = self.values[cut:] + self.values[:cut]

    def copy(self) -> Any:
        """Another queue of the same items."""
        return BoundedDeque(list(self.values), self.bound)

    __copy__ = copy

    @entering
    def __add__(self, other: Any) -> Any:
        if not isinstance(other, deque):
            raise TypeError(f'can only concatenate deque (not "{type(other).__name__}") to deque')
        return of_items(self, items_of(self) + items_of(other))

    @entering
    def __mul__(self, count: Any) -> Any:
        return of_items(self, self.values * max(count, 0))

    __rmul__ = __mul__

    @entering
    def __iadd__(self, items: Any) -> Any:
        self.extend(items)
        return self

    @entering
    def __imul__(self, count: Any) -> Any:
        self.values[:] = of_items(self, self.values * max(count, 0)).values
        return self

    @entering
    def __eq__(self, other: object) -> Any:
        return isinstance(other, deque) and items_of(self) == items_of(other)

    @entering
    def __ne__(self, other: object) -> Any:
        return not (isinstance(other, deque) and items_of(self) == items_of(other))

    @entering
    def __lt__(self, other: Any) -> Any:
        return are_ordered("<", self, other)

    @entering
    def __le__(self, other: Any) -> Any:
        return are_ordered("<=", self, other)

    @entering
    def __gt__(self, other: Any) -> Any:
        return are_ordered(">", self, other)

    @entering
    def __ge__(self, other: Any) -> Any:
        return are_ordered(">=", self, other)
