"""The protocol between converted code and what records it.

Converted code hands control flow to the functions of this package.  They look for a registered
`Staging` that claims the value at hand (the condition, what is iterated over) and let it record
the statement; where none does, they do what Python does.

A statement is given as functions without arguments, whose effect is the assignment to variables
of the function they stand in, and as a `State`, through which these variables can be read and
replaced.  For instance ::

    while n > 0:
        n = n - step

becomes ::

    def loop_test():
        return n > 0

    def loop_body():
        nonlocal n
        n = n - step

    def get_state():
        return (n,)

    def set_state(values):
        nonlocal n
        (n,) = values

    ag__.while_stmt(loop_test, loop_body, ag__.State(get_state, set_state, ("n",)),
                    ag__.LoopOptions())

so that a staging can put symbols in the place of the values, run the test and the body once each,
and read off what they made of them.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from types import CellType
from typing import Any, Protocol

from agir.autograph.operators.handlers import Handler
from agir.autograph.operators.places import Place

__all__ = [
    "LoopOptions",
    "Staging",
    "State",
    "active",
    "content_of",
    "find",
    "no_state",
    "register",
    "unregister",
]


@dataclass(frozen=True)
class State:
    """The variables that a statement reads and modifies, and how to get at them."""

    get: Callable[[], tuple[Any, ...]]
    set: Callable[[tuple[Any, ...]], None]
    names: tuple[str, ...]
    keep: tuple[str, ...] = ()
    """Those whose values count, too, where the statement ends with an exception."""

    def cells(self) -> Iterator[CellType]:
        """The cells of the function's own variables, which its functions share, nested ones as well.

        A state that stands for another one with more variables has that one in its closure.
        """
        names, closure = self.get.__code__.co_freevars, self.get.__closure__ or ()
        for name, cell in zip(names, closure, strict=True):
            if name in self.names:
                yield cell
            elif isinstance(content := content_of(cell), State):
                yield from content.cells()


def content_of(cell: CellType) -> Any:
    """What a variable of a closure holds; None where nothing is assigned to it yet."""
    try:
        return cell.cell_contents
    except ValueError:
        return None


no_state = State(lambda: (), lambda values: None, ())
"""The state of a statement that modifies no variable."""


@dataclass(frozen=True)
class LoopOptions:
    """What else is known of a loop.

    `targets` are the names bound by the target of a `for`; `unroll` says whether to run the loop in
    Python (`set_loop_options`), None that the staging decides; `checkpoint` what a gradient keeps of
    it.
    """

    targets: tuple[str, ...] = ()
    unroll: bool | None = None
    checkpoint: bool | int | str | None = None
    maximum_iterations: Any = None
    """After so many iterations a `while`, or a `for` over tensors, ends."""
    collects: bool = False
    """Whether the body makes one Python object an item, as comprehensions do."""


class Staging(Protocol):
    """What records control flow over the values it claims."""

    def is_staged(self, value: object) -> bool:
        """Whether control flow on this value must be recorded."""
        ...

    def explain(self, message: str) -> str:
        """The message with the user's line."""
        ...

    def attempt(self) -> AbstractContextManager[Callable[[], None]]:
        """While the context lasts, what it gives takes back all that was recorded in it."""
        ...

    def writing(self, place: Place) -> None:
        """Take note that a place is about to be written to."""
        ...

    def updating(self, target: Any, value: Any) -> None:
        """Take note that ``target |= value``, or the like, comes next for a set or dict."""
        ...

    def has_operators(self) -> bool:
        """Whether operators between objects of the user's classes are to be converted."""
        ...

    def made(self, value: Any) -> Any:
        """Take note of an object that converted code has made; gives what to use in its place."""
        ...

    def begun(self, kind: type) -> Any:
        """What to use for a new object of a class, whose constructor runs next; None for the object."""
        ...

    def initialised(self, made: Any) -> None:
        """Take note that the constructor of such an object is done."""
        ...

    def displayed(self, keys: tuple[Any, ...], values: tuple[Any, ...] | None) -> Any:
        """What to use for a dict (or a set, without values) that is written down; or None."""
        ...

    def result(self, function: Any, value: Any) -> Any:
        """Take note of what a function that is not converted gives; gives what to use in its place."""
        ...

    def get_name(self, names: Any, name: str, value: Any) -> Callable[[], object] | None:
        """What to do in the place of a name of the module or of an enclosing function, or None."""
        ...

    def get_attr(self, obj: Any, name: str) -> Callable[[], object] | None:
        """What to do in the place of ``obj.name``, or None."""
        ...

    def set_attr(self, obj: Any, name: str, value: Any) -> Callable[[], object] | None:
        """What to do in the place of ``obj.name = value``, or None."""
        ...

    def get_item(self, obj: Any, key: Any) -> Callable[[], object] | None:
        """What to do in the place of ``obj[key]``, or None."""
        ...

    def set_item(self, obj: Any, key: Any, value: Any) -> Callable[[], object] | None:
        """What to do in the place of ``obj[key] = value``, or None."""
        ...

    def unpack(self, value: Any, count: int) -> Callable[[], object] | None:
        """What to do in the place of ``a, b = value``: what gives its items; or None."""
        ...

    def unpack_starred(
        self, value: Any, before: int, after: int
    ) -> Callable[[], Sequence[object]] | None:
        """What to do in the place of ``a, *b, c = value``: what gives as many values; or None."""
        ...

    def call_starred(
        self, function: Any, items: Any, named: dict[str, Any]
    ) -> Callable[[], object] | None:
        """What to do in the place of ``function(*items, **named)``, or None."""
        ...

    def compare(self, operator: str, left: Any, right: Any) -> Callable[[], object] | None:
        """What to do in the place of ``is``, ``is not``, ``in`` or ``not in``, or None."""
        ...

    def if_stmt(
        self, cond: Any, body: Callable[[], None], orelse: Callable[[], None], state: State
    ) -> None:
        """Record an `if` statement."""
        ...

    def while_stmt(
        self,
        test: Callable[[], object],
        body: Callable[[], None],
        state: State,
        options: LoopOptions,
    ) -> None:
        """Record a `while` loop."""
        ...

    def for_stmt(
        self,
        iterated: Any,
        body: Callable[[Any], None],
        extra_test: Callable[[], object] | None,
        state: State,
        options: LoopOptions,
        start: int = 0,
    ) -> None:
        """Record a `for` loop, which ends early once `extra_test` is false.

        Python has run it over the first `start` items already.
        """
        ...

    def offer(
        self,
        iterated: Any,
        body: Callable[[Any], None],
        extra_test: Callable[[], object] | None,
        state: State,
        options: LoopOptions,
    ) -> bool:
        """Record a loop over what Python could iterate over itself, or return False."""
        ...

    def offer_while(
        self,
        test: Callable[[], object],
        body: Callable[[], None],
        state: State,
        options: LoopOptions,
    ) -> bool:
        """Record a `while` loop whose condition Python may know, or return False."""
        ...

    def if_exp(self, cond: Any, body: Callable[[], Any], orelse: Callable[[], Any]) -> object:
        """Record a conditional expression."""
        ...

    def condition(self, value: Any) -> object:
        """The truth of a value."""
        ...

    def and_(self, left: Any, right: Callable[[], Any]) -> object:
        """Record ``left and right()``."""
        ...

    def or_(self, left: Any, right: Callable[[], Any]) -> object:
        """Record ``left or right()``."""
        ...

    def not_(self, value: Any) -> object:
        """Record ``not value``."""
        ...

    def assert_stmt(self, test: Any, message: Callable[[], object]) -> None:
        """Record ``assert test, message()``."""
        ...

    def text_of(self, value: Any, conversion: str, spec: Any) -> object:
        """``format(conversion(value), spec)``; None to leave it to Python."""
        ...

    def percent(self, pattern: Any, values: Any) -> object:
        """``pattern % values``; None to leave it to Python."""
        ...

    def region(self) -> object:
        """What is being recorded into: a branch or loop body is a region of its own; or None."""
        ...

    def refusal(self, message: str) -> Exception:
        """The error of a construct that cannot be recorded, at the user's line."""
        ...

    def resumable(self) -> Any:
        """A generator of functions that run from one ``yield`` to the next; None if there is none."""
        ...

    def is_instance(self, value: Any, kind: type) -> Any:
        """Whether a staged value stands for an instance of a class, in a class pattern."""
        ...

    def calling(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """What to call in the place of a converted function: it, or what records the call."""
        ...

    def try_stmt(
        self,
        body: Callable[[], None],
        handlers: Sequence[Handler],
        orelse: Callable[[], None],
        finalbody: Callable[[], None],
        state: State,
    ) -> bool:
        """Run a `try` statement, in which something may fail at run time, or return False."""
        ...

    def going_on(self) -> object:
        """True where nothing can have failed since the innermost `try` began, else a condition."""
        ...

    def in_try(self) -> bool:
        """Whether the body of a `try` is being recorded: a failure must end what is called."""
        ...

    def managed(self, manager: Any) -> Any:
        """What to use in the place of a context manager in a `with` statement."""
        ...

    def builtin(
        self, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> Callable[..., Any] | None:
        """What to call in the place of a function that is not converted, or None."""
        ...


_registered: tuple[Staging, ...] = ()
_lock = threading.Lock()


def register(staging: Staging) -> None:
    """Let a staging take part from now on."""
    global _registered
    with _lock:
        if all(other is not staging for other in _registered):
            _registered = (*_registered, staging)


def unregister(staging: Staging) -> None:
    """Undo `register`."""
    global _registered
    with _lock:
        _registered = tuple(other for other in _registered if other is not staging)


def active() -> Sequence[Staging]:
    """Every registered staging, in the order of registration."""
    return _registered


def find(value: object) -> Staging | None:
    """The staging that claims this value, or None."""
    for staging in _registered:
        if staging.is_staged(value):
            return staging
    return None
