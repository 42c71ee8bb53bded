"""Places in what a generator iterates over, which live from one of its items to the next.

What is gone through and the place in it are apart: the former stays, the latter is a number or a
tuple of such.  This is what Python's own iterators do, in the form that agir converts.
"""

from __future__ import annotations

from typing import Any, NamedTuple

__ag_convert__ = True
__ag_unrolled__ = True  # what calls itself does so for what is gone through inside


class Span(NamedTuple):
    """``range(first, stop)``; the place is the number itself."""

    first: Any
    stop: Any

    def begin(self) -> Any:
        """The first place."""
        return self.first

    def has(self, at: Any) -> Any:
        """Whether there is an item at a place."""
        return at < self.stop

    def item(self, at: Any) -> Any:
        """The item at a place."""
        return at

    def after(self, at: Any) -> Any:
        """The place after a place."""
        return at + 1


class Steps(NamedTuple):
    """``range`` with another step; the place is the number of the item."""

    first: Any
    step: Any
    count: Any

    def begin(self) -> Any:
        """The first place."""
        return 0

    def has(self, at: Any) -> Any:
        """Whether there is an item at a place."""
        return at < self.count

    def item(self, at: Any) -> Any:
        """The item at a place."""
        return self.first + at * self.step

    def after(self, at: Any) -> Any:
        """The place after a place."""
        return at + 1


class Counting(NamedTuple):
    """``itertools.count``; the place is the number itself."""

    first: Any
    step: Any

    def begin(self) -> Any:
        """The first place."""
        return self.first

    def has(self, at: Any) -> Any:
        """There is an item at each place."""
        return True

    def item(self, at: Any) -> Any:
        """The item at a place."""
        return at

    def after(self, at: Any) -> Any:
        """The place after a place."""
        return at + self.step


class Items(NamedTuple):
    """The items of a sequence or array, whatever they are when they are asked for."""

    items: Any

    def begin(self) -> Any:
        """The first place."""
        return 0

    def has(self, at: Any) -> Any:
        """Whether there is an item at a place."""
        return at < len(self.items)

    def item(self, at: Any) -> Any:
        """The item at a place."""
        return self.items[at]

    def after(self, at: Any) -> Any:
        """The place after a place."""
        return at + 1


class Part(NamedTuple):
    """A slice of an array, which sees what is written into the array."""

    items: Any
    first: Any
    count: Any

    def begin(self) -> Any:
        """The first place."""
        return 0

    def has(self, at: Any) -> Any:
        """Whether there is an item at a place."""
        return at < self.count

    def item(self, at: Any) -> Any:
        """The item at a place."""
        return self.items[self.first + at]

    def after(self, at: Any) -> Any:
        """The place after a place."""
        return at + 1


class Backwards(NamedTuple):
    """The same from the last one on."""

    items: Any

    def begin(self) -> Any:
        """The first place."""
        return len(self.items) - 1

    def has(self, at: Any) -> Any:
        """Whether there is an item at a place."""
        return 0 <= at < len(self.items)

    def item(self, at: Any) -> Any:
        """The item at a place."""
        return self.items[at]

    def after(self, at: Any) -> Any:
        """The place after a place."""
        return at - 1


class Entries(NamedTuple):
    """What is in a dict under the keys that it had when the loop began."""

    mapping: Any
    keys: Any
    kind: Any

    def begin(self) -> Any:
        """The first place."""
        return 0

    def has(self, at: Any) -> Any:
        """Whether there is an item at a place."""
        if len(self.mapping) != len(self.keys):
            raise RuntimeError("dictionary changed size during iteration")
        return at < len(self.keys)

    def item(self, at: Any) -> Any:
        """The item at a place."""
        key = self.keys[at]
        if self.kind == "keys":
            return key
        return self.mapping[key] if self.kind == "values" else (key, self.mapping[key])

    def after(self, at: Any) -> Any:
        """The place after a place."""
        return at + 1


class Numbered(NamedTuple):
    """``enumerate``; the places are those of what is numbered, and the numbers."""

    inner: Any
    first: Any

    def begin(self) -> Any:
        """The first place."""
        return self.inner.begin(), self.first

    def has(self, at: Any) -> Any:
        """Whether there is an item at a place."""
        return self.inner.has(at[0])

    def item(self, at: Any) -> Any:
        """The item at a place."""
        return at[1], self.inner.item(at[0])

    def after(self, at: Any) -> Any:
        """The place after a place."""
        return self.inner.after(at[0]), at[1] + 1


class SideBySide(NamedTuple):
    """``zip``; a place is one in each."""

    inners: Any

    def begin(self) -> Any:
        """The first place."""
        return tuple([each.begin() for each in self.inners])

    def has(self, at: Any) -> Any:
        """Whether there is an item at a place."""
        found = [each.has(place) for each, place in zip(self.inners, at, strict=True)]
        return len(found) > 0 and all(found)

    def item(self, at: Any) -> Any:
        """The item at a place."""
        return tuple([each.item(place) for each, place in zip(self.inners, at, strict=True)])

    def after(self, at: Any) -> Any:
        """The place after a place."""
        return tuple([each.after(place) for each, place in zip(self.inners, at, strict=True)])


class Indices(NamedTuple):
    """``numpy.ndindex``; the place is the number of the tuple."""

    shape: Any

    def begin(self) -> Any:
        """The first place."""
        return 0

    def has(self, at: Any) -> Any:
        """Whether there is an item at a place."""
        count = 1
        for size in self.shape:
            count *= size
        return at < count

    def item(self, at: Any) -> Any:
        """The item at a place."""
        found = []
        for size in reversed(self.shape):
            found.append(at % size)
            at = at // size
        return tuple(reversed(found))

    def after(self, at: Any) -> Any:
        """The place after a place."""
        return at + 1


class Elements(NamedTuple):
    """``x.flat``, or ``numpy.ndenumerate(x)``; the place is the number of the element."""

    items: Any
    with_index: Any

    def begin(self) -> Any:
        """The first place."""
        return 0

    def has(self, at: Any) -> Any:
        """Whether there is an item at a place."""
        return at < self.items.size

    def item(self, at: Any) -> Any:
        """The item at a place."""
        index = Indices(self.items.shape).item(at)
        return (index, self.items[index]) if self.with_index else self.items[index]

    def after(self, at: Any) -> Any:
        """The place after a place."""
        return at + 1


class Drawn(NamedTuple):
    """The items that are left in an iterator; the place is of no consequence."""

    iterator: Any

    def begin(self) -> Any:
        """The first place."""
        return 0

    def has(self, at: Any) -> Any:
        """Whether there is a further item."""
        return self.iterator.advance()

    def item(self, at: Any) -> Any:
        """The item that the iterator has come to."""
        return self.iterator.given()

    def after(self, at: Any) -> Any:
        """The place after a place."""
        return at


CURSORS = (
    Span,
    Steps,
    Counting,
    Items,
    Part,
    Backwards,
    Entries,
    Numbered,
    SideBySide,
    Indices,
    Elements,
    Drawn,
)


def span(*bounds: Any) -> Any:
    """What ``range(*bounds)`` is as something to go through."""
    if len(bounds) == 3:
        first, stop, step = bounds
        return Steps(first, step, len(range(first, stop, step)))
    first, stop = (0, *bounds)[-2:]
    return Span(first, stop)


def part(items: Any, lower: Any, upper: Any) -> Any:
    """The same for ``items[lower:upper]`` of an array."""
    size = len(items)
    first = 0 if lower is None else lower
    if first < 0:
        first = max(first + size, 0)
    last = size if upper is None else upper
    if last < 0:
        last = last + size
    return Part(items, first, max(min(last, size) - first, 0))


def counting(start: Any = 0, step: Any = 1) -> Any:
    """The same for ``itertools.count``."""
    return Counting(start, step)


def backwards(items: Any) -> Any:
    """The same for ``reversed``."""
    return Backwards(items)


def numbered(inner: Any, start: Any = 0) -> Any:
    """The same for ``enumerate``."""
    return Numbered(inner, start)


def side_by_side(*inners: Any) -> Any:
    """The same for ``zip``."""
    return SideBySide(inners)


def indices(*shape: Any) -> Any:
    """The same for ``numpy.ndindex``."""
    if len(shape) == 1 and isinstance(shape[0], (tuple, list)):
        return Indices(tuple(shape[0]))
    return Indices(shape)


def enumerated(items: Any) -> Any:
    """The same for ``numpy.ndenumerate``."""
    return Elements(items, True)


def start(over: Any) -> Any:
    """The first place."""
    return over.begin()


def has_next(over: Any, at: Any) -> Any:
    """Whether there is an item at a place."""
    return over.has(at)


def item(over: Any, at: Any) -> Any:
    """The item at a place."""
    return over.item(at)


def following(over: Any, at: Any) -> Any:
    """The place after a place."""
    return over.after(at)
