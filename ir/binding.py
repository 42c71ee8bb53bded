"""Arguments by parameter, for signatures that are called again and again.

``inspect.Signature.bind`` looks at every parameter each time.  Most calls give some of the first
parameters by position and nothing else.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

_BY_POSITION = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
_ANY_NUMBER = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)


class Parameters:
    """The parameters of a signature, prepared for calls by position."""

    def __init__(self, signature: inspect.Signature) -> None:
        self.signature = signature
        parameters = list(signature.parameters.values())
        names = [p.name for p in parameters if p.kind in _BY_POSITION]
        needed = [i for i, p in enumerate(parameters) if p.default is p.empty]
        self._least = max(needed, default=-1) + 1
        self._names = () if any(p.kind in _ANY_NUMBER for p in parameters) else tuple(names)
        defaults = [(p.name, p.default) for p in parameters]
        self._defaults = [dict(defaults[n:]) for n in range(len(self._names) + 1)]

    def named(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> dict[str, Any] | None:
        """The arguments by parameter, without defaults, where all is given by position."""
        if kwargs or not self._least <= len(args) <= len(self._names):
            return None
        return dict(zip(self._names, args, strict=False))

    def bound(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> dict[str, Any]:
        """The arguments by parameter, defaults filled in; ``TypeError`` where they do not fit."""
        given = self.named(args, kwargs)
        if given is not None:
            given.update(self._defaults[len(args)])
            return given
        bound = self.signature.bind(*args, **kwargs)
        bound.apply_defaults()
        return bound.arguments

    def apply(
        self,
        function: Callable[..., Any],
        args: tuple[Any, ...],
        kwargs: dict[str, Any],
        change: Callable[[dict[str, Any]], None],
    ) -> Any:
        """Call the function with the arguments, which a change is made to by parameter."""
        given = self.named(args, kwargs)
        if given is not None:
            change(given)
            return function(*given.values())
        try:
            bound = self.signature.bind(*args, **kwargs)
        except TypeError as error:
            raise TypeError(f"{function.__name__}(): {error}") from None
        change(bound.arguments)
        return function(*bound.args, **bound.kwargs)
