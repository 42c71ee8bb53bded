"""The arguments of a call, by parameter."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import Any


class Arguments:
    """Bound arguments, defaults included, as a list of values that can be replaced."""

    def __init__(self, bound: inspect.BoundArguments) -> None:
        self._bound = bound

    @property
    def names(self) -> tuple[str, ...]:
        """The parameters."""
        return tuple(self._bound.arguments)

    @property
    def values(self) -> tuple[Any, ...]:
        """What each parameter is bound to."""
        return tuple(self._bound.arguments.values())

    def replaced(self, values: Sequence[Any]) -> Arguments:
        """The same call with other values."""
        arguments = dict(zip(self.names, values, strict=True))
        return Arguments(inspect.BoundArguments(self._bound.signature, arguments))

    def apply(self, function: Callable[..., Any]) -> Any:
        """Call the function with them."""
        return function(*self._bound.args, **self._bound.kwargs)
