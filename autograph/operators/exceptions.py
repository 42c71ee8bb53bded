"""`try`, and what a staging adds to exceptions: failures that only the run time knows of."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from agir.autograph.operators.handlers import Handler, handler_for
from agir.autograph.operators.staging import State, active

__all__ = ["going_on", "try_stmt"]


def try_stmt(
    body: Callable[[], None],
    handlers: Sequence[Handler],
    orelse: Callable[[], None],
    finalbody: Callable[[], None],
    state: State,
) -> None:
    """``try: body() except ...: handler(caught) else: orelse() finally: finalbody()``."""
    for staging in active():
        if staging.try_stmt(body, handlers, orelse, finalbody, state):
            return
    try:
        _handled(body, handlers, orelse)
    finally:
        finalbody()


def _handled(
    body: Callable[[], None], handlers: Sequence[Handler], orelse: Callable[[], None]
) -> None:
    try:
        body()
    except BaseException as error:
        handler = handler_for(error, handlers)
        if handler is None:
            raise
        handler.body(error)
    else:
        orelse()


def going_on() -> Any:
    """Whether nothing has failed since the innermost `try` began: what follows runs only then."""
    for staging in active():
        found = staging.going_on()
        if found is not True:
            return found
    return True


def in_try() -> bool:
    """Whether what is called now may fail in the body of a `try` that a staging records."""
    return any(staging.in_try() for staging in active())
