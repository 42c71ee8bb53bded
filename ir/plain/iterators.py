"""``itertools`` and ``functools.reduce``: generators, which run-time loops can consume."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from agir.ir.plain.entering import as_known, is_of_run_time, lifted, may_be_known

__ag_convert__ = True

_MANY = 200
"""So many choices are made by a loop of the run time, even if Python could make each of them."""


def reduce(function: Callable[[Any, Any], Any], iterable: Iterable[Any], *initial: Any) -> Any:
    """What a function makes of a value and the items, one after the other."""
    if initial:
        (total,) = initial
        for item in iterable:
            total = function(total, item)
        return total
    started = False
    for item in iterable:
        total = function(total, item) if started else item
        started = True
    if not started:
        raise TypeError("reduce() of empty iterable with no initial value")
    return total


def accumulate(
    iterable: Iterable[Any],
    func: Callable[[Any, Any], Any] | None = None,
    *,
    initial: Any = None,
) -> Iterator[Any]:
    """The results of `reduce` on the way."""
    function = operator.add if func is None else func
    if initial is not None:
        total = initial
        yield total
        for item in iterable:
            total = function(total, item)
            yield total
    else:
        started = False
        for item in iterable:
            total = function(total, item) if started else item
            started = True
            yield total


def islice(iterable: Iterable[Any], *bounds: Any) -> Iterator[Any]:
    """The items at the places of a slice; nothing after them is taken."""
    first, stop, every = (0, *bounds, 1) if len(bounds) == 1 else (*bounds, 1)[:3]
    start, step = (0 if first is None else first), (1 if every is None else every)
    if start < 0 or (stop is not None and stop < 0):
        raise ValueError("Indices for islice() must be None or an integer: 0 <= x <= sys.maxsize.")
    if step < 1:
        raise ValueError("Step for islice() must be a positive integer or None.")
    numbered = enumerate(iterable) if stop is None else zip(range(stop), iterable, strict=False)
    if (start, step) == (0, 1):
        for _, item in numbered:
            yield item
    else:
        for place, item in numbered:
            if place >= start and (place - start) % step == 0:
                yield item


def chain(*iterables: Iterable[Any]) -> Iterator[Any]:
    """The items of each iterable."""
    for iterable in iterables:
        yield from iterable


def from_iterable(iterables: Iterable[Iterable[Any]]) -> Iterator[Any]:
    """The items of each item."""
    for iterable in iterables:
        yield from iterable


def pairwise(iterable: Iterable[Any]) -> Iterator[Any]:
    """Each item but the first with the one before it."""
    started, before = False, None
    for item in iterable:
        if started:
            yield before, item
        started, before = True, item


def starmap(function: Callable[..., Any], iterable: Iterable[Any]) -> Iterator[Any]:
    """What a function makes of each item's items."""
    for args in iterable:
        yield function(*args)


def compress(data: Iterable[Any], selectors: Iterable[Any]) -> Iterator[Any]:
    """The items beside which there is something true."""
    for item, selected in zip(data, selectors, strict=False):
        if selected:
            yield item


def filterfalse(function: Callable[[Any], Any] | None, iterable: Iterable[Any]) -> Iterator[Any]:
    """The items that a function is not true of."""
    for item in iterable:
        if not (item if function is None else function(item)):
            yield item


def zip_longest(*iterables: Iterable[Any], fillvalue: Any = None) -> Iterator[Any]:
    """The items at each place, with something in the place of those that are not there."""
    lists = [list(each) for each in iterables]
    for place in range(max([len(each) for each in lists])):
        yield tuple([each[place] if place < len(each) else fillvalue for each in lists])


def product(*iterables: Iterable[Any], repeat: int = 1) -> Iterator[Any]:
    """Each choice of one item of each iterable."""
    lists = [list(each) for each in iterables]
    if is_of_run_time(repeat) or _are_many(lists * repeat):
        yield from _iterations(lists, repeat)
    else:
        yield from _rows(lists * repeat, ())


def _iterations(lists: list[Any], repeat: int) -> Iterator[Any]:
    """The same, so many times as only the run time knows: the last place iterations first."""
    if repeat < 0:
        raise ValueError("repeat argument cannot be negative")
    places = [lifted(0)] * (len(lists) * repeat)
    going = lifted(len(places) == 0 or min([len(each) for each in lists]) > 0)
    while going:
        yield tuple([_at(lists, number, place) for number, place in enumerate(places)])
        at = len(places) - 1
        while at >= 0 and places[at] + 1 == len(_of(lists, at)):
            places[at] = 0
            at -= 1
        going = at >= 0
        if going:
            places[at] += 1


def _are_many(lists: list[Any]) -> bool:
    """Whether there are many choices of one item of each, and tracing knows how many."""
    sizes = [len(each) for each in lists]
    return not any(map(is_of_run_time, sizes)) and math.prod(sizes) > _MANY


def _of(lists: list[Any], number: int) -> Any:
    """What is chosen of at a place."""
    return lists[0] if len(lists) == 1 else lists[number % len(lists)]


def _at(lists: list[Any], number: int, place: int) -> Any:
    return _of(lists, number)[place]


def _rows(lists: list[Any], chosen: tuple[Any, ...]) -> Iterator[Any]:
    if not lists:
        yield chosen
    else:
        for item in lists[0]:
            yield from _rows(lists[1:], (*chosen, item))


def combinations(iterable: Iterable[Any], r: int) -> Iterator[Any]:
    """Each choice of so many items, in their order."""
    check_size(r)
    items, count = list(iterable), as_known(r)
    if not is_of_run_time(len(items)) and math.comb(len(items), count) > _MANY:
        yield from _many_chosen(items, count, 1)
    else:
        yield from _chosen(items, count, 0, 1, ())


def combinations_with_replacement(iterable: Iterable[Any], r: int) -> Iterator[Any]:
    """Each choice of so many items, in their order; any may be chosen again."""
    check_size(r)
    items, count = list(iterable), as_known(r)
    if not is_of_run_time(len(items)) and math.comb(len(items) + count - 1, count) > _MANY:
        yield from _many_chosen(items, count, 0)
    else:
        yield from _chosen(items, count, 0, 0, ())


def check_size(r: int) -> None:
    """Check how many items are to be chosen."""
    if r < 0:
        raise ValueError("r must be non-negative")


def _chosen(
    items: list[Any], count: int, start: int, step: int, chosen: tuple[Any, ...]
) -> Iterator[Any]:
    if count <= 0:
        yield chosen
    else:
        for place in range(start, len(items)):
            yield from _chosen(items, count - 1, place + step, step, (*chosen, items[place]))


def _many_chosen(items: list[Any], count: int, step: int) -> Iterator[Any]:
    """The same by a loop: the last place that can go on does, and those after it follow."""
    places = [lifted(number * step) for number in range(count)]
    going = lifted(True)
    while going:
        yield tuple([items[places[number]] for number in range(count)])
        at = lifted(-1)
        for number in range(count):
            if places[number] < len(items) - 1 - step * (count - 1 - number):
                at = lifted(number)
        going = at >= 0
        first = places[at] + 1 if going else 0
        for number in range(count):
            if going and number >= at:
                places[number] = first + step * (number - at)


def permutations(iterable: Iterable[Any], r: int | None = None) -> Iterator[Any]:
    """Each order of so many items."""
    items = list(iterable)
    if r is None and not may_be_known(len(items)):
        yield from _orders_of_places(items, None)
        return
    if r is not None:
        check_size(r)
    count = as_known(len(items) if r is None else r)
    if not is_of_run_time(len(items)) and math.perm(len(items), count) > _MANY:
        yield from _orders_of_places(items, None if count == len(items) else count)
        return
    for places in _orders(len(items), count, ()):
        yield tuple([items[place] for place in places])


def _orders_of_places(items: list[Any], count: int | None) -> Iterator[Any]:
    """The same by a loop: of all items, of which perhaps only the run time knows how many there are.

    In the places, the last one that is less than the next is exchanged, and what follows turned round.
    What follows those that count is turned round before that, so that these are others.
    """
    places = list(range(len(items)))
    going = lifted(True)
    while going:
        taken = len(items) if count is None else count
        yield tuple([items[places[number]] for number in range(taken)])
        if count is not None:
            places[count:] = places[count:][::-1]
        at = len(places) - 2
        while at >= 0 and places[at] > places[at + 1]:
            at -= 1
        going = at >= 0
        if going:
            other = len(places) - 1
            while places[other] < places[at]:
                other -= 1
            places[at], places[other] = places[other], places[at]
            places[at + 1 :] = places[at + 1 :][::-1]


def _orders(total: int, count: int, chosen: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    if count == 0:
        yield chosen
    else:
        for place in range(total):
            if place not in chosen:
                yield from _orders(total, count - 1, (*chosen, place))


def mapped(function: Callable[[Any], Any], source: Iterable[Any]) -> Iterator[Any]:
    """``map(function, source)``, which can be gone on with."""
    for item in source:
        yield function(item)


def filtered(function: Callable[[Any], Any] | None, source: Iterable[Any]) -> Iterator[Any]:
    """``filter(function, source)``, likewise."""
    for item in source:
        if item if function is None else function(item):
            yield item


def numbered(source: Iterable[Any], start: Any) -> Iterator[Any]:
    """``enumerate(source, start)``, likewise."""
    number = start
    for item in source:
        yield number, item
        number += 1
