"""The `except` clauses of a `try` statement."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from agir.records import dataclass

__all__ = ["Handler", "handler_for"]


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
