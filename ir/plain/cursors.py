"""Places in what a generator iterates over, which live from one of its items to the next.

What is gone through and the place in it are apart: the former stays, the latter is a number or a
tuple of such.  This is what Python's own iterators do, in the form that agir converts.
"""

from __future__ import annotations

from typing import Any, NamedTuple

__ag_convert__ = True


class Span(NamedTuple):
    """``range(first, stop)``; the place is the number itself."""

    first: Any
    stop: Any


class Steps(NamedTuple):
    """``range`` with another step; the place is the number of the item."""

    first: Any
    step: Any
    count: Any


class Counting(NamedTuple):
    """``itertools.count``; the place is the number itself."""

    first: Any
    step: Any


class Items(NamedTuple):
    """The items of a sequence or array, whatever they are when they are asked for."""

    items: Any


class Backwards(NamedTuple):
    """The same from the last one on."""

    items: Any


class Entries(NamedTuple):
    """What is in a dict under the keys that it had when the loop began."""

    mapping: Any
    keys: Any
    kind: Any


class Numbered(NamedTuple):
    """``enumerate``."""

    inner: Any
    first: Any


class SideBySide(NamedTuple):
    """``zip``."""

    inners: Any


def span(*bounds: Any) -> Any:
    """What ``range(*bounds)`` is as something to go through."""
    if len(bounds) == 3 and bounds[2] is not None:
        first, stop, step = bounds
        return Steps(first, step, len(range(first, stop, step)))
    first, stop = (0, *bounds)[-2:]
    return Span(first, stop)


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


def start(over: Any) -> Any:
    """The first place."""
    if isinstance(over, Span | Counting):
        return over.first
    if isinstance(over, Backwards):
        return len(over.items) - 1
    if isinstance(over, Numbered):
        return start(over.inner), over.first
    if isinstance(over, SideBySide):
        return tuple([start(each) for each in over.inners])
    return 0


def has_next(over: Any, at: Any) -> Any:
    """Whether there is an item at a place."""
    if isinstance(over, Span):
        return at < over.stop
    if isinstance(over, Steps):
        return at < over.count
    if isinstance(over, Items):
        return at < len(over.items)
    if isinstance(over, Backwards):
        return 0 <= at < len(over.items)
    if isinstance(over, Entries):
        if len(over.mapping) != len(over.keys):
            raise RuntimeError("dictionary changed size during iteration")
        return at < len(over.keys)
    if isinstance(over, Numbered):
        return has_next(over.inner, at[0])
    if isinstance(over, SideBySide):
        pairs = zip(over.inners, at, strict=True)
        return len(over.inners) > 0 and all(has_next(each, place) for each, place in pairs)
    return True


def item(over: Any, at: Any) -> Any:
    """The item at a place."""
    if isinstance(over, Steps):
        return over.first + at * over.step
    if isinstance(over, Items | Backwards):
        return over.items[at]
    if isinstance(over, Entries):
        key = over.keys[at]
        if over.kind == "keys":
            return key
        return over.mapping[key] if over.kind == "values" else (key, over.mapping[key])
    if isinstance(over, Numbered):
        return at[1], item(over.inner, at[0])
    if isinstance(over, SideBySide):
        return tuple([item(each, place) for each, place in zip(over.inners, at, strict=True)])
    return at


def following(over: Any, at: Any) -> Any:
    """The place after a place."""
    if isinstance(over, Counting):
        return at + over.step
    if isinstance(over, Backwards):
        return at - 1
    if isinstance(over, Numbered):
        return following(over.inner, at[0]), at[1] + 1
    if isinstance(over, SideBySide):
        return tuple([following(each, place) for each, place in zip(over.inners, at, strict=True)])
    return at + 1


CURSORS = (Span, Steps, Counting, Items, Backwards, Entries, Numbered, SideBySide)
