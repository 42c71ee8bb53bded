"""`if` statements and conditional expressions."""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType
from typing import Any

from agir.autograph.operators.calls import call, is_converted_on_the_way
from agir.autograph.operators.staging import Staging, State, active, find, no_state

__all__ = ["if_exp", "if_stmt", "skip", "truth"]


def truth(value: Any) -> Any:
    """What a condition asks of a value: the method of a user's class is converted; else itself."""
    kind = type(value)
    method = getattr(kind, "__bool__", None) or getattr(kind, "__len__", None)
    if type(method) is not FunctionType or not active() or find(value):
        return value
    return call(method, (value,)) if is_converted_on_the_way(method) else value


def skip() -> None:
    """The branch of an `if` statement that is not there."""


def if_stmt(cond: Any, body: Callable[[], None], orelse: Callable[[], None], state: State) -> None:
    """``if cond: body() else: orelse()``."""
    cond = truth(cond)
    if staging := find(cond):
        staging.if_stmt(cond, body, orelse, state)
    elif cond:
        body()
    else:
        orelse()


def if_exp(
    cond: Any, body: Callable[[], Any], orelse: Callable[[], Any], state: State = no_state
) -> Any:
    """``body() if cond else orelse()``; `state` are the variables that ``:=`` binds in the two."""
    cond = truth(cond)
    if staging := find(cond):
        if state is not no_state:
            return choose(staging, cond, body, orelse, state)
        return staging.if_exp(cond, body, orelse)
    return body() if cond else orelse()


def choose(
    staging: Staging, cond: Any, body: Callable[[], Any], orelse: Callable[[], Any], state: State
) -> Any:
    """A conditional expression that binds variables: an `if` that assigns its value."""
    held: list[Any] = [None]

    def keep(make: Callable[[], Any]) -> Callable[[], None]:
        def run() -> None:
            held[0] = make()

        return run

    def get() -> tuple[Any, ...]:
        return (held[0], *state.get())

    def put(values: tuple[Any, ...]) -> None:
        held[0], *others = values
        state.set(tuple(others))

    names = ("the conditional expression", *state.names)
    staging.if_stmt(cond, keep(body), keep(orelse), State(get, put, names))
    return held[0]
