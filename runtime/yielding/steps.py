"""What the functions call that a generator function falls apart into."""

from __future__ import annotations

import functools
import inspect
import itertools
from typing import Any, NamedTuple

import numpy as np

from agir.autograph.api import is_converted
from agir.autograph.operators.calls import call, is_converted_on_the_way
from agir.ir.emission import emit, failing
from agir.ir.plain import cursors
from agir.ir.plain.cursors import (  # noqa: F401 - generated code calls these as well
    CURSORS,
    backwards,
    counting,
    enumerated,
    following,
    has_next,
    indices,
    item,
    numbered,
    side_by_side,
    span,
)
from agir.ir.python.iterators import places
from agir.ir.python.iterators.places import entries, flat, sliced  # noqa: F401 - the same
from agir.ir.tensors import structure
from agir.ir.tracing import trace as tracing
from agir.ir.tracing.trace import Trace
from agir.runtime.yielding import kept
from agir.runtime.yielding.leaving import Leaving, place_outside
from agir.runtime.yielding.marks import END, Host

# Iterating.


def over(value: Any) -> Any:
    """What a loop goes over, with places to go on at; or an iterator of the host."""
    return value if isinstance(value, Host) else places.over(value)


def plain(value: Any) -> Any:
    """What Python itself would go over."""
    match value:
        case cursors.Span(first, stop):
            return range(first, stop)
        case cursors.Steps(first, step, count):
            return range(first, first + count * step, step)
        case cursors.Counting(first, step):
            return itertools.count(first, step)
        case cursors.Items(items):
            return items
        case cursors.Part(items, first, count):
            return items[first : first + count]
        case cursors.Backwards(items):
            return reversed(items)
        case cursors.Entries(mapping, _, kind):
            return getattr(mapping, kind)()
        case cursors.Numbered(inner, first):
            return enumerate(plain(inner), first)
        case cursors.Indices(shape):
            return np.ndindex(*shape)
        case cursors.Elements(items, with_index):
            return np.ndenumerate(items) if with_index else items.flat
        case cursors.SideBySide(inners):
            return zip(*map(plain, inners), strict=False)
    return value


def is_hosts(value: Any) -> bool:
    """Whether Python runs an iterator."""
    return isinstance(value, Host)


def are_hosts(args: Any) -> bool:
    """Whether Python runs an iterator among the arguments of a call."""
    return any(isinstance(each, Host) for each in args)


def start(over: Any) -> Any:
    """The first place."""
    return 0 if isinstance(over, Host) else call(cursors.start, (over,))


def is_there(over: Any, at: Any, given: Any) -> Any:
    """Whether there is an item: at a place, or given by an iterator of Python's."""
    return given is not END if isinstance(over, Host) else call(has_next, (over, at))


def item_of(over: Any, at: Any, given: Any) -> Any:
    """That item."""
    return given if isinstance(over, Host) else call(item, (over, at))


def place_after(over: Any, at: Any) -> Any:
    """The place after that."""
    return at if isinstance(over, Host) else call(following, (over, at))


_MAKERS = (map, filter, zip, enumerate, reversed, iter)


def is_made_by_host(function: Any, args: Any) -> bool:
    """Whether a call makes an iterator, which is one of Python's then."""
    if function in _MAKERS or getattr(function, "__module__", None) == "itertools":
        return True
    if getattr(function, "makes_generators", False):
        return True
    if is_converted(function):
        return False  # it is one of the trace
    return inspect.isgeneratorfunction(function) or are_hosts(args)


def iterated(value: Any) -> Any:
    """The iterator of an object whose class makes it in a generator function."""
    return iter(value)


def viewed(value: Any, kind: str) -> Any:
    """``value.items()`` and its like."""
    return getattr(value, kind)()


def is_iterated_by_host(args: Any) -> bool:
    """Whether the class of an object makes its iterators itself, or it is a container of outside."""
    value = args[0]
    method = getattr(type(value), "__iter__", None)
    if is_converted_on_the_way(method) or getattr(method, "makes_generators", False):
        return True
    current = tracing.current()
    return current is not None and place_outside(current, value) is not None


# What is thrown.


def as_thrown(error: Any) -> BaseException:
    """The exception that is raised at a `yield`: of a class, with arguments."""
    kind, args = error
    return failing.of_the_program(kind(*args))


# The state.


def taken(*values: Any) -> tuple[Any, ...]:
    """The variables of a state, as the function has them."""
    return kept.state(tracing.current(), values)


def carried(*values: Any) -> tuple[Any, ...]:
    """What a loop carries: numbers that only the run time knows."""
    current = tracing.current()
    if current is None:
        return values
    return tuple(_of_run_time(current, each) for each in values)


def _of_run_time(current: Trace, value: Any) -> Any:
    if type(value) is tuple:
        return tuple(_of_run_time(current, each) for each in value)
    return emit.lift(current, value) if type(value) in (bool, int, float, complex) else value


def is_missing(value: Any) -> bool:
    """Whether a variable had no value where the function was left."""
    return value is structure.MISSING


class Left(NamedTuple):
    """How a function was left: each `yield` has a class of its own."""

    state: Any
    item: Any


Left.number = None  # type: ignore[attr-defined]


@functools.cache
def _left_at(number: int) -> Any:
    """The class for a `yield`."""
    return type(f"Left{number}", (Left,), {"number": number})


def ended(value: Any) -> Any:
    """What a function gives that has returned."""
    return Left((), Leaving(tracing.current()).value(value, (1,)))


class Made(Left):
    """A function has returned an iterator, which the host makes by a call."""


MADE = "made"
Made.number = MADE  # type: ignore[attr-defined]


def made(function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """What a function gives that returns what a call gives, which makes an iterator."""
    given = tuple(over(each) if places.is_range(each) else each for each in args)
    return Made((), Leaving(tracing.current()).value((function, given, kwargs), (1,)))


def returned(number: int, values: tuple[Any, ...]) -> Any:
    """What a function gives that returns a generator of a function in it."""
    return _returned_at(number)((), Leaving(tracing.current()).value(values, (1,)))


@functools.cache
def _returned_at(number: int) -> Any:
    return type(f"Returned{number}", (Left,), {"number": ~number})


def suspended(number: int, value: Any, state: tuple[Any, ...]) -> Any:
    """What a function gives that has come to a `yield`: the number of that, the state, the item."""
    marking = Leaving(tracing.current())
    lives = marking.state(state)
    return _left_at(number)(lives, marking.value(value, (1,)))
