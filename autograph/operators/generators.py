"""Generators that a staged loop can run, and what consumes them.

A real generator hands out one item at a time and waits, which cannot be recorded.  So a converted
generator has its body twice: as the generator that Python iterates over, and as a function
``produce(emit)`` that calls ``emit`` with every item ::

    for v in x:                     for v in x:
        yield v * v                     if emit(v * v):
                                            return

``emit`` runs the body of the loop that consumes the items, and says whether that loop is left.  A
loop of the generator is then a staged loop around the consumer's body.  It has to carry the
consumer's variables as well as its own: statements that emit have states made by `Emit.around`.
"""

from __future__ import annotations

import dataclasses
from abc import abstractmethod
from collections.abc import Callable, Generator, Iterator
from operator import length_hint
from types import FunctionType
from typing import Any, NamedTuple, cast

from agir.autograph.operators.calls import call, is_converted_on_the_way, make_resumable
from agir.autograph.operators.conditionals import if_stmt, skip
from agir.autograph.operators.exceptions import going_on, in_try
from agir.autograph.operators.logical import not_
from agir.autograph.operators.objects import listed, writing
from agir.autograph.operators.places import Attribute
from agir.autograph.operators.staging import LoopOptions, State, active, find

__all__ = [
    "call_starred",
    "generator",
    "iterated",
    "iterating_method",
    "of_method",
    "resumable",
    "starred",
]


def recording() -> object:
    """The region that a staging records into, or None."""
    for staging in active():
        region = staging.region()
        if region is not None:
            return region
    return None


class Box:
    """A variable of the operators' own, which staged statements carry."""

    def __init__(self, name: str, value: Any) -> None:
        self.value = value
        self.state = State(lambda: (self.value,), self._set, (name,))

    def _set(self, values: tuple[Any, ...]) -> None:
        (self.value,) = values


def joined(first: State, second: State) -> State:
    """The variables of two functions as one state."""
    if not first.names or not second.names:
        return first if first.names else second
    own = len(first.names)

    def assign(values: tuple[Any, ...]) -> None:
        first.set(values[:own])
        second.set(values[own:])

    return State(lambda: first.get() + second.get(), assign, first.names + second.names)


class Emit:
    """Takes the items of a producer: runs the body of the loop that consumes them."""

    def __init__(
        self,
        body: Callable[[Any], object],
        state: State,
        test: Callable[[], Any] | None = None,
        options: LoopOptions | None = None,
    ) -> None:
        self.body = body
        self.state = state
        """The variables that the body reads and modifies."""
        self.test = test
        """Whether the loop goes on."""
        self.options = options or LoopOptions()

    @property
    def stops(self) -> bool:
        """Whether the consumer can leave its loop."""
        return self.test is not None

    def __call__(self, value: Any) -> Any:
        """Hand over an item; whether the consumer wants no more, which may be staged."""
        self.body(value)
        return False if self.test is None else not_(self.test())

    def around(self, state: State) -> State:
        """The state of a statement from which items are emitted."""
        return joined(state, self.state)

    def carrying(self, state: State) -> Emit:
        """The same for a producer in between, which has variables of its own."""
        return Emit(self.body, self.around(state), self.test, self.options)

    def until(self, test: Callable[[], Any]) -> Callable[[], Any] | None:
        """The test of a loop that ends early only where the consumer stops."""
        return test if self.stops else None

    def looping(self, options: LoopOptions) -> LoopOptions:
        """The options of a loop from which items are emitted: the consumer's body is in it."""
        return dataclasses.replace(
            options,
            collects=options.collects or self.options.collects,
        )


class _Lazy:
    """The items of a producer for Python, and how many it has given."""

    def __init__(self, items: Iterator[Any]) -> None:
        self.items: Any = items
        self.given = 0

    def __next__(self) -> Any:
        self.given += 1
        return next(self.items)


class _Progress(NamedTuple):
    """How far a producer has come, which is put back where what it gave was recorded in vain."""

    lazy: _Lazy | None = None
    given: int = 0
    """How many items Python has asked for."""
    left: bool | None = None
    """Whether the loop that has consumed it may have left items; None before there was one."""


class Producer(Generator[Any, Any, Any]):
    """An iterator that hands its items to a function, or to Python one at a time.

    It can be run once, by either.
    """

    def __init__(self) -> None:
        self._home = recording()
        self._progress = _Progress()
        for staging in active():
            staging.made(self)

    @abstractmethod
    def produce(self, emit: Emit) -> Any:
        """Emit the items, until ``emit`` says to stop."""

    @abstractmethod
    def lazily(self) -> Iterator[Any]:
        """The items for Python, one at a time."""

    @property
    def is_untouched(self) -> bool:
        """Whether nothing has been taken of it."""
        return self._progress == _Progress()

    def _move(self, **changes: Any) -> None:
        writing(Attribute(self, "_progress"))
        self._progress = self._progress._replace(**changes)

    def take(self) -> bool:
        """Claim all items for `produce`; False where Python is to iterate over what is left."""
        if not self.is_untouched or recording() is None:
            return False
        self._stay_home()
        self._move(left=True)
        return True

    def finish(self, exhausted: bool) -> None:
        """Note whether nothing is left of what has been claimed."""
        self._move(left=not exhausted)

    def again(self) -> None:
        """It is gone on with where only the run time knows how far it has come: to be made anew."""

    def _refuse(self, message: str) -> None:
        self.again()
        _refuse(message)

    def _stay_home(self) -> None:
        region = recording()
        if region is not None and region is not self._home:
            self._refuse(
                "a generator made outside of a branch or loop that depends on run-time values is "
                "consumed inside of it, perhaps more than once or not at all: make it inside"
            )

    def _items(self) -> _Lazy:
        """What gives Python the next item."""
        self._stay_home()
        lazy, given, left = self._progress
        if lazy is None:
            if left:
                self._refuse(
                    "a generator is used again after a loop that may have left it early, depending "
                    "on run-time values: what is left of it is unknown while tracing"
                )
            lazy = _Lazy(iter(()) if left is False else self.lazily())
        elif lazy.given != given:
            self._refuse(
                "a generator has given an item to what could not be recorded, and is asked for it "
                "again: take its items in one loop"
            )
        self._move(lazy=lazy, given=given + 1)
        return lazy

    def __next__(self) -> Any:
        return next(self._items())

    def send(self, value: Any) -> Any:
        """As a generator's: go on, with a value for the ``yield``."""
        lazy = self._items()
        if value is None:
            return next(lazy)
        lazy.given += 1
        return lazy.items.send(value)

    def throw(self, *error: Any) -> Any:
        """As a generator's: raise an exception at the ``yield``."""
        lazy = self._items()
        lazy.given += 1
        return lazy.items.throw(*error)

    def close(self) -> None:
        """As a generator's: end it."""
        if self._progress.left is not None:
            return
        lazy = self._items()
        lazy.given += 1
        if isinstance(lazy.items, Generator):
            lazy.items.close()


class _Again:
    """An iterator of Python's own that can go back to where it was, as its items are kept."""

    def __init__(self, iterator: Iterator[Any]) -> None:
        self._iterator = iterator
        self._items: list[Any] = []
        self._taken = 0
        for staging in active():
            staging.made(self)

    def __iter__(self) -> Iterator[Any]:
        return self

    def __next__(self) -> Any:
        if self._taken == len(self._items):
            self._items.append(next(self._iterator))
        writing(Attribute(self, "_taken"))
        self._taken += 1
        return self._items[self._taken - 1]

    def __length_hint__(self) -> Any:
        kept = len(self._items) - self._taken
        hint = length_hint(self._iterator, -1)
        return NotImplemented if hint < 0 else kept + hint


def _refuse(message: str) -> None:
    for staging in active():
        if staging.region() is not None:
            raise staging.refusal(message)


def until_failure(
    body: Callable[[Any], None], extra_test: Callable[[], Any] | None, state: State
) -> tuple[Callable[[Any], None], Callable[[], Any] | None]:
    """Body and test of a loop whose items are computed: in a `try`, the first failure ends it."""
    if not in_try():
        return body, extra_test

    def unless_failed(item: Any) -> None:
        if_stmt(going_on(), lambda: body(item), skip, state)

    return unless_failed, going_on if extra_test is None else extra_test


def consume(
    producer: Producer,
    body: Callable[[Any], None],
    extra_test: Callable[[], Any] | None,
    state: State,
    options: LoopOptions,
) -> bool:
    """Run a loop over a producer, or return False for Python to iterate over it."""
    if not producer.take():
        return False
    body, extra_test = until_failure(body, extra_test, state)
    producer.produce(Emit(body, state, extra_test, options))
    go_on = True if extra_test is None else extra_test()
    producer.finish(exhausted=find(go_on) is None and bool(go_on))
    return True


class _Converted(Producer):
    """What a converted generator function returns while something is being recorded."""

    def __init__(
        self, generate: Callable[[], Generator[Any, Any, Any]], produce: Callable[[Emit], None]
    ) -> None:
        super().__init__()
        self._generate = generate
        self._produce = produce

    def produce(self, emit: Emit) -> None:
        self._produce(emit)

    def lazily(self) -> Generator[Any, Any, Any]:
        return self._generate()

    def again(self) -> None:
        if resumable() is not None:
            make_resumable(self._generate.__code__)


_Converted.__name__ = "generator"  # as Python's error messages name it


def generator(
    generate: Callable[[], Generator[Any, Any, Any]], produce: Callable[[Emit], None]
) -> Generator[Any, Any, Any]:
    """The generator whose body is given in both forms: Python's own where nothing is recorded."""
    if recording() is not None:
        return _Converted(generate, produce)
    made: Any = generate()
    made.__name__ = made.__qualname__.rpartition(".")[2]  # not that of the function with the body
    return cast(Generator[Any, Any, Any], made)


def resumable() -> Any:
    """A generator that can be left and gone on with, of functions that it will be given."""
    recorders = [staging for staging in active() if staging.region() is not None]
    return (recorders or active())[0].resumable()


def of_method(iterable: Any) -> Any:
    """What the user's own ``__iter__`` gives while something is being recorded: it is converted."""
    if not active() or find(iterable) is not None:
        return iterable
    method = iterating_method(iterable)
    return iterable if method is None else call(method, (iterable,))


def iterating_method(iterable: Any) -> FunctionType | None:
    """The ``__iter__`` that the user has written for an object that is no iterator itself."""
    kind = type(iterable)
    method = getattr(kind, "__iter__", None)
    if type(method) is not FunctionType or hasattr(kind, "__next__"):
        return None
    return method if is_converted_on_the_way(method) else None


def iterated(iterable: Any) -> Any:
    """What a generator expression runs over: an iterator, made where the expression stands."""
    if find(iterable) is not None or isinstance(iterable, Producer | range):
        return iterable
    given = of_method(iterable)
    if given is not iterable:
        return given
    made = call(iter, (iterable,))
    return _Again(made) if recording() is not None and _is_of_python(made) else made


def _is_of_python(iterator: Any) -> bool:
    """Whether only Python knows how far an iterator has come."""
    kind = type(iterator)
    if isinstance(iterator, Producer) or hasattr(kind, "__ag_ahead__") or find(iterator):
        return False
    return not isinstance(getattr(kind, "__next__", None), FunctionType)


def starred(value: Any) -> Any:
    """What ``f(*value)`` takes the items of: those of a generator are listed."""
    return listed(value) if isinstance(value, Producer) else value


def call_starred(function: Any, items: Any, named: dict[str, Any] | None = None) -> Any:
    """``function(*items, **named)``."""
    given = starred(items)
    for staging in active():
        if (replacement := staging.call_starred(function, given, named or {})) is not None:
            return replacement()
    return call(function, (*given,), named)
