"""How code in Python that stands for what is written in C is entered from anywhere."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn

from agir.autograph.operators import call
from agir.errors import StagingError
from agir.ir import hooks, trace


def entering(function: Callable[..., Any]) -> Callable[..., Any]:
    """A method that runs the converted function, whether Python or converted code calls it."""

    def method(*args: Any, **kwargs: Any) -> Any:
        return call(function, args, kwargs)

    return method


def refusing(what: str) -> Callable[..., Any]:
    """A method that says that something is not recorded."""

    def method(owner: Any, *_: Any) -> NoReturn:
        message = (
            f"{what} of a {owner.stands_for.__name__} that only the run time knows is not recorded"
        )
        current = trace.current()
        raise StagingError(message if current is None else current.explain(message))

    return method


def unbound(values: list[Any]) -> Any:
    """A list of a table: no loop is unrolled so that its length stays known."""
    current = trace.current()
    assert current is not None, "tables are of a trace"
    made = current.made(values)
    made.is_of_table = True
    return made


def staged_text(value: Any, conversion: str, spec: str) -> Any:
    """What is printed of a text of the run time."""
    codes = call(hooks.codes_of, (value,), {})
    return hooks.coded(codes, conversion, spec)
