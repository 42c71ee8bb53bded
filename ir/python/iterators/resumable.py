"""Generators that are left and gone on with where only the run time knows how far they have come.

Such a generator is a number, of the `yield` that it waits at, and what lives across each: places like
the attributes of other objects, so that branches and loops carry them.  Going on is a choice among the
functions that begin at the yields (`autograph/converters/resumable.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any, NoReturn

from agir.autograph.operators import (
    LoopOptions,
    Undefined,
    and_,
    call,
    if_exp,
    if_stmt,
    not_,
    skip,
    while_stmt,
    writing,
)
from agir.autograph.operators.generators import Box, Emit, Producer, iterated
from agir.autograph.operators.places import Attribute
from agir.autograph.operators.staging import no_state
from agir.ir.plain import cursors
from agir.ir.python.iterators import places
from agir.ir.tensors import structure
from agir.ir.tensors.staged import known_as
from agir.ir.values.alternatives.optional import unchecked
from agir.ir.values.sequences import iteration

_START, _ENDED = -1, -2
"""Where a generator is that waits at no `yield`."""
_STATE = "state"


class Advancing(Producer):
    """An iterator whose next item is an attribute, ``current``, once it has advanced."""

    current: Any

    def __init__(self) -> None:
        super().__init__()
        self.is_over: Any = False
        """Whether it has no further item."""

    def advance(self) -> Any:
        """Come to the next item; whether there is one."""
        raise NotImplementedError

    def put(self, name: str, value: Any) -> None:
        """Set one of the places."""
        writing(Attribute(self, name))
        setattr(self, name, value)

    def upcoming(self) -> tuple[Any, Callable[[], Any]]:
        """Whether there is a next item, and what gives that."""
        return self.advance(), self.given

    def given(self) -> Any:
        """The item that it has come to."""
        return unchecked(Attribute(self, "current").get())

    def take(self) -> bool:
        """It can be gone on with from wherever it is."""
        return True

    def finish(self, exhausted: bool) -> None:
        """It knows itself how far it is."""

    def produce(self, emit: Emit) -> None:
        """Emit the items that are left."""
        left = Box("left", False)

        def step(item: Any) -> None:
            left.value = emit(item)

        def body() -> None:
            goes_on, item = self.upcoming()
            if_stmt(goes_on, lambda: step(item()), skip, emit.around(left.state))

        def test() -> Any:
            return and_(not_(left.value), lambda: not_(self.is_over))

        while_stmt(test, body, emit.around(left.state), emit.looping(LoopOptions()))

    def lazily(self) -> Iterator[Any]:
        """The same one: Python asks for one item after the other."""
        return self

    def __next__(self) -> Any:
        return if_exp(*self.upcoming(), _none_left)


def _none_left() -> NoReturn:
    raise StopIteration


def _unguarded() -> Iterator[None]:
    yield


@known_as("generator")
class Resumable(Advancing):
    """A generator of functions that run from one `yield` to the next, and are told of it."""

    def __init__(self) -> None:
        super().__init__()
        self.at: Any = _START
        """The number of the `yield` that it waits at."""
        self.is_begun: Any = False

    def begun(
        self, begin: Callable[..., Any], arguments: tuple[Any, ...], further: dict[int, Any]
    ) -> Resumable:
        """The generator, with its functions."""
        self._begin = partial(call, begin, arguments)
        self._further = further
        return self

    def advance(self) -> Any:
        """Come to the next item; whether there is one."""
        self._go_on([] if self.is_begun is True else [_START], list(self._further))
        self.put("is_begun", True)
        return not_(self.is_over)

    def _go_on(self, start: list[int], numbers: list[int]) -> None:
        """Run the function of the `yield` that it waits at, which is one of these, or none."""
        if type(self.at) is int:
            self._run(self.at)
            return
        first, *others = [*start, *numbers]
        if_stmt(
            self.at == first,
            lambda: self._run(first),
            lambda: self._go_on([], others) if others else None,
            no_state,
        )

    def _run(self, number: int) -> None:
        state = Attribute(self, f"{_STATE}{number}").get()
        if number == _ENDED or (number != _START and isinstance(state, Undefined)):
            return  # it cannot be there, as far as is known by now
        self._ended()  # as it is if that fails
        if number == _START:
            self._begin()
        else:
            call(self._further[number], tuple(unchecked(state)))

    # What a generator has besides: no `yield` of these receives anything, or stands in a `try`.

    def send(self, value: Any) -> Any:
        """Go on; the value is of no consequence."""
        if value is not None and self.is_begun is not True:
            self._refuse(
                "a value is sent to a generator that may not have been started: use next()"
            )
        return next(self)

    def throw(self, *error: Any) -> NoReturn:
        """End it with an exception, which Python makes of the arguments."""
        self._ended()
        thrower: Any = _unguarded()
        next(thrower)
        thrower.throw(*error)
        raise AssertionError("it is raised")

    def close(self) -> None:
        """End it."""
        self._ended()

    def _ended(self) -> None:
        self.put("at", _ENDED)
        self.put("is_over", True)

    # What its functions call.

    def suspended(self, number: int, value: Any, state: tuple[Any, ...]) -> None:
        """It has come to a `yield`."""
        self.put("at", number)
        self.put("is_over", False)
        self.put(f"{_STATE}{number}", state)
        self.put("current", value)

    def ended(self, value: Any) -> None:
        """It has returned."""
        self._ended()

    @staticmethod
    def taken(*values: Any) -> tuple[Any, ...]:
        """The variables of a state."""
        return values

    carried = taken

    @staticmethod
    def is_missing(value: Any) -> bool:
        """Whether a variable had no value at a `yield`."""
        return isinstance(value, Undefined) or value is structure.MISSING

    @staticmethod
    def over(value: Any) -> Any:
        """What a loop that yields goes over."""
        found = places.of(value)
        return cursors.Drawn(advancing(value)) if found is None else found

    @staticmethod
    def iterated(value: Any) -> Any:
        """The iterator of an object whose class makes it in a generator function."""
        return value

    @staticmethod
    def is_hosts(*values: Any) -> bool:
        """Whether Python runs an iterator: none here."""
        return False

    are_hosts = is_made_by_host = is_iterated_by_host = is_hosts

    @staticmethod
    def is_there(over: Any, at: Any, given: Any) -> Any:
        """Whether there is an item at a place."""
        return call(cursors.has_next, (over, at))

    @staticmethod
    def item_of(over: Any, at: Any, given: Any) -> Any:
        """That item."""
        return call(cursors.item, (over, at))

    @staticmethod
    def place_after(over: Any, at: Any) -> Any:
        """The place after that."""
        return call(cursors.following, (over, at))

    def __getattr__(self, name: str) -> Any:
        for module in (places, cursors):
            if (found := module.__dict__.get(name)) is not None:
                return found
        raise AttributeError(name)


class SideBySide(Advancing):
    """``zip``, which asks for items in turn, and for no more once there is none."""

    def __init__(self, sources: Sequence[Any]) -> None:
        super().__init__()
        self._sources = sources

    def advance(self) -> Any:
        """Come to the next items; whether there are any."""
        self._take([])
        return not_(self.is_over)

    def _take(self, items: list[Any]) -> None:
        if len(items) == len(self._sources):
            self.put("current", tuple(items))
            return
        goes_on, item = self._sources[len(items)].upcoming()
        if_stmt(goes_on, lambda: self._take([*items, item()]), self._end, no_state)

    def _end(self) -> None:
        self.put("is_over", True)


class _Going(Advancing):
    """What goes through a sequence, with the place in it."""

    def __init__(self, over: Any) -> None:
        super().__init__()
        self._over = over
        self.place: Any = call(cursors.start, (over,))

    def advance(self) -> Any:
        """Come to the next item; whether there is one."""
        goes_on = call(cursors.has_next, (self._over, self.place))
        if_stmt(goes_on, self._take, lambda: self.put("is_over", True), no_state)
        return not_(self.is_over)

    def _take(self) -> None:
        self.put("current", call(cursors.item, (self._over, self.place)))
        self.put("place", call(cursors.following, (self._over, self.place)))


def advancing(value: Any) -> Any:
    """What goes through something, from one item to the next."""
    if (found := places.of(value)) is not None:
        return _Going(found)
    given = iterated(value)
    if isinstance(given, iteration.Once):
        return given
    if isinstance(given, Producer) and not isinstance(given, Advancing):
        given.again()
    if not isinstance(given, Advancing):
        raise places.refusal(value)
    return given
