"""`try`, and what a staging adds to exceptions: failures that only the run time knows of."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from agir.autograph.operators.staging import State, active

__all__ = ["Handler", "going_on", "handler_for", "in_try", "managed", "try_stmt"]


@dataclass(frozen=True)
class Handler:
    """An `except` clause: what evaluates the types, None for all, and the body."""

    types: Callable[[], Any] | None
    body: Callable[[BaseException], None]

    def catches(self, kind: type[BaseException]) -> bool:
        """Whether the clause is for exceptions of a class."""
        # Python does not ask __subclasscheck__ here.
        return any(each in kind.__mro__ for each in self.classes())

    def classes(self) -> tuple[type[BaseException], ...]:
        """The classes of exceptions that the clause is for."""
        if self.types is None:
            return (BaseException,)
        types = self.types()
        wanted = types if isinstance(types, tuple) else (types,)
        if not all(isinstance(each, type) and issubclass(each, BaseException) for each in wanted):
            raise TypeError(
                "catching classes that do not inherit from BaseException is not allowed"
            )
        return wanted


def handler_for(error: BaseException, handlers: Sequence[Handler]) -> Handler | None:
    """The first clause that catches an exception."""
    return next((each for each in handlers if each.catches(type(error))), None)


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


def managed(manager: Any) -> Any:
    """The context manager of a `with` statement, in the body of which something may fail."""
    for staging in active():
        manager = staging.managed(manager)
    return manager
