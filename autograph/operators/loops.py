"""`while` and `for`.

A loop that starts as a plain Python loop goes on as a staged one from the iteration in which its
condition turns out to be staged.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from operator import length_hint
from types import FunctionType
from typing import Any, NamedTuple

from agir.autograph.operators.conditionals import skip, truth
from agir.autograph.operators.generators import Producer, consume, of_method
from agir.autograph.operators.staging import LoopOptions, Staging, State, active, find
from agir.errors import StagingError

__all__ = ["ahead", "for_stmt", "run_in_python", "while_in_python", "while_stmt"]

GUARDED_LIMIT = 2_000
"""So many iterations of an iterator without a length are recorded, each under the loop's condition."""
STEPS_LIMIT = 5_000
"""So many items are taken from an iterator whose class the user has written."""


def while_stmt(
    test: Callable[[], Any],
    body: Callable[[], None],
    state: State,
    options: LoopOptions,
) -> None:
    """``while test(): body()``."""

    def condition() -> Any:
        return truth(test())

    if not _offered(lambda staging: staging.offer_while(condition, body, state, options)):
        while_in_python(condition, body, state, options)


def _offered(offer: Callable[[Staging], bool]) -> bool:
    """Whether a staging takes a loop.

    No generator asks them: a StopIteration that the loop's body raises would not leave it.
    """
    for staging in active():  # noqa: SIM110
        if offer(staging):
            return True
    return False


def while_in_python(
    condition: Callable[[], Any],
    body: Callable[[], None],
    state: State,
    options: LoopOptions,
    watch: Callable[[], None] | None = None,
) -> None:
    """Run a loop as Python does until its condition is staged; call ``watch`` after each iteration."""
    for iterations in itertools.count():
        with ExitStack() as stack:
            attempts = [stack.enter_context(staging.attempt()) for staging in active()]
            saved = state.get()
            result = condition()
            if staging := find(result):
                # The staging evaluates the test itself, over symbols.
                for roll_back in reversed(attempts):
                    roll_back()
                state.set(saved)
        if staging:
            staging.while_stmt(condition, body, state, _remaining(options, iterations))
            return
        if not result or (attempts and _is_over(options.maximum_iterations, iterations)):
            return
        body()
        if watch is not None:
            watch()


def _is_over(limit: Any, iterations: int) -> bool:
    return limit is not None and not find(limit) and bool(iterations >= limit)


def _remaining(options: LoopOptions, iterations: int) -> LoopOptions:
    """The options of what is left of a loop after some iterations."""
    if options.maximum_iterations is None:
        return options
    return replace(options, maximum_iterations=options.maximum_iterations - iterations)


def for_stmt(
    iterated: Any,
    body: Callable[[Any], None],
    extra_test: Callable[[], Any] | None,
    state: State,
    options: LoopOptions,
) -> None:
    """``for item in iterated: body(item)``, which ends early once `extra_test` is false."""
    loop = _For(of_method(iterated), body, extra_test, state, options)
    if staging := find(loop.iterated):
        staging.for_stmt(*loop)
    elif not loop.taken():
        loop.run()


def run_in_python(
    iterated: Any,
    body: Callable[[Any], None],
    extra_test: Callable[[], Any] | None,
    state: State,
    options: LoopOptions,
) -> None:
    """Run a loop as Python does, until what it iterates over, or its condition, is staged."""
    _For(iterated, body, extra_test, state, options).run()


def _has_own_end(iterated: Any) -> bool:
    """Whether an iterator of the user's says when it ends, which may depend on run-time values."""
    return isinstance(getattr(type(iterated), "__next__", None), FunctionType)


def _endless(count: int) -> StagingError:
    said = (
        f"Python has run {count} iterations of a loop over an iterator while tracing, and sees no end: "
        "where run-time values decide when a loop ends, iterate over range(...) or a generator "
        "function, or use while"
    )
    for staging in active():
        said = staging.explain(said)
    return StagingError(said)


_UNKNOWN = 2**62
"""More items than any loop runs over."""


def ahead(iterator: Iterator[Any]) -> Iterator[tuple[Any, Callable[[], None]]]:
    """The items to come, each with what takes it from an iterator that a staging follows."""
    follow = getattr(iterator, "__ag_ahead__", None)
    return ((item, skip) for item in iterator) if follow is None else follow()


class _For(NamedTuple):
    """A `for` statement."""

    iterated: Any
    body: Callable[[Any], None]
    extra_test: Callable[[], Any] | None
    state: State
    options: LoopOptions

    def taken(self) -> bool:
        """Whether a generator has run the loop, or a staging has recorded it as a whole."""
        if isinstance(self.iterated, Producer):
            return consume(*self)
        return _offered(lambda staging: staging.offer(*self))

    def run(self) -> None:
        """Run the loop as Python does, as long as that is possible."""
        if self.extra_test is not None:
            self._breakable(self.extra_test)
            return
        limit = STEPS_LIMIT if active() and _has_own_end(self.iterated) else None
        for position, item in enumerate(self.iterated):
            if position == limit:
                raise _endless(position)
            self.body(item)
            if find(self.iterated):
                self._rest(position + 1)
                return

    def _rest(self, position: int) -> None:
        """Go on with what the body itself has made a staged value, as Python does: by position."""
        staging = find(self.iterated)
        assert staging is not None
        staging.for_stmt(*self, position)

    def _breakable(self, extra_test: Callable[[], Any]) -> None:
        iterator = iter(self.iterated)
        for position, item in enumerate(iterator):
            self.body(item)
            go_on = extra_test()
            if find(self.iterated):
                run = functools.partial(self._rest, position + 1)
                if staging := find(go_on):
                    staging.if_stmt(go_on, run, skip, self.state)
                elif go_on:
                    run()
                return
            if staging := find(go_on):
                self._guarded(iterator, extra_test, go_on, staging)
                return
            if not go_on:
                return

    def _iteration(self, item: Any, take: Callable[[], None]) -> None:
        take()
        self.body(item)

    def _guarded(
        self,
        iterator: Iterator[Any],
        extra_test: Callable[[], Any],
        go_on: Any,
        staging: Staging | None,
    ) -> None:
        """Run the remaining items, each under the condition that the loop has not ended."""
        limit = None if length_hint(self.iterated, _UNKNOWN) < _UNKNOWN else GUARDED_LIMIT
        for position, (item, take) in enumerate(ahead(iterator)):
            if position == limit:
                raise _endless(position)
            if staging is not None:
                staging.if_stmt(
                    go_on, functools.partial(self._iteration, item, take), skip, self.state
                )
            else:
                self._iteration(item, take)
            go_on = extra_test()
            staging = find(go_on)
            if staging is None and not go_on:
                return
