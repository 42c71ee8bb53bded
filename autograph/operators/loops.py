"""`while` and `for`.

A loop that starts as a plain Python loop goes on as a staged one from the iteration in which its
condition turns out to be staged.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from typing import Any

from agir.autograph.operators.conditionals import skip, truth
from agir.autograph.operators.generators import Producer, consume
from agir.autograph.operators.staging import LoopOptions, Staging, State, active, find

__all__ = ["for_stmt", "run_in_python", "while_stmt"]


def while_stmt(
    test: Callable[[], Any],
    body: Callable[[], None],
    state: State,
    options: LoopOptions,
) -> None:
    """``while test(): body()``."""

    def condition() -> Any:
        return truth(test())

    while True:
        with ExitStack() as stack:
            attempts = [stack.enter_context(staging.attempt()) for staging in active()]
            saved = state.get()
            result = condition()
            if staging := find(result):
                # The staging evaluates the test itself, over symbols.
                for take_back in reversed(attempts):
                    take_back()
                state.set(saved)
        if staging:
            staging.while_stmt(condition, body, state, options)
            return
        if not result:
            return
        body()


def for_stmt(
    iterated: Any,
    body: Callable[[Any], None],
    extra_test: Callable[[], Any] | None,
    state: State,
    options: LoopOptions,
) -> None:
    """``for item in iterated: body(item)``, which ends early once `extra_test` is false."""
    if staging := find(iterated):
        staging.for_stmt(iterated, body, extra_test, state, options)
    elif not _taken(iterated, body, extra_test, state, options):
        run_in_python(iterated, body, extra_test, state, options)


def run_in_python(
    iterated: Any,
    body: Callable[[Any], None],
    extra_test: Callable[[], Any] | None,
    state: State,
    options: LoopOptions,
) -> None:
    """Run a loop as Python does, until what it iterates over, or its condition, is staged."""
    if extra_test is None:
        for position, item in enumerate(iterated):
            body(item)
            if find(iterated):
                _rest(iterated, position + 1, body, None, state, options)
                return
    else:
        _breakable(iterated, body, extra_test, state, options)


def _rest(
    iterated: Any,
    position: int,
    body: Callable[[Any], None],
    extra_test: Callable[[], Any] | None,
    state: State,
    options: LoopOptions,
) -> None:
    """Go on with what the body itself has made a staged value, as Python does: by position."""
    staging = find(iterated)
    assert staging is not None
    staging.for_stmt(iterated, body, extra_test, state, options, position)


def _taken(
    iterated: Any,
    body: Callable[[Any], None],
    extra_test: Callable[[], Any] | None,
    state: State,
    options: LoopOptions,
) -> bool:
    """Whether a generator has run the loop, or a staging has recorded it as a whole."""
    if isinstance(iterated, Producer):
        return consume(iterated, body, extra_test, state, options)
    return any(staging.offer(iterated, body, extra_test, state, options) for staging in active())


def _breakable(
    iterated: Iterable[Any],
    body: Callable[[Any], None],
    extra_test: Callable[[], Any],
    state: State,
    options: LoopOptions,
) -> None:
    iterator = iter(iterated)
    for position, item in enumerate(iterator):
        body(item)
        go_on = extra_test()
        if find(iterated):
            run = functools.partial(_rest, iterated, position + 1, body, extra_test, state, options)
            if staging := find(go_on):
                staging.if_stmt(go_on, run, skip, state)
            elif go_on:
                run()
            return
        if staging := find(go_on):
            _guarded(iterator, body, extra_test, state, go_on, staging)
            return
        if not go_on:
            return


def _guarded(
    iterator: Iterator[Any],
    body: Callable[[Any], None],
    extra_test: Callable[[], Any],
    state: State,
    go_on: Any,
    staging: Staging | None,
) -> None:
    """Run the remaining items, each under the condition that the loop has not ended."""
    for item in iterator:
        if staging is not None:
            staging.if_stmt(go_on, functools.partial(body, item), skip, state)
        else:
            body(item)
        go_on = extra_test()
        staging = find(go_on)
        if staging is None and not go_on:
            return
