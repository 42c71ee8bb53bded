"""Names of a module and of enclosing functions, which hold what they hold when they are read.

::

    y = x * WEIGHTS             y = x * ag__.outer(names__, 'WEIGHTS', WEIGHTS)

Python reads such a name each time.  A staging may do so, too: it is told of the `Names` around the
function and of the name.  Names of functions, classes and modules stay as they are.
"""

from __future__ import annotations

import weakref
from types import FunctionType
from typing import Any

from agir.autograph.operators.staging import active

__all__ = ["Names", "outer"]


class Names:
    """The names around a function: those of its module and of the functions around it."""

    __slots__ = ("__weakref__", "_function")

    def __init__(self, function: FunctionType) -> None:
        self._function = weakref.ref(function)

    @property
    def identity(self) -> int:
        """Equal for the names around one function."""
        return id(self._function())

    def reference(self) -> Any:
        """What finds these names again without keeping anything alive."""
        function = self._function
        return lambda: None if (found := function()) is None else Names(found)

    def get(self, name: str, default: Any = None) -> Any:
        """What the name stands for now."""
        function = self._function()
        if function is None:
            return default
        cells = dict(zip(function.__code__.co_freevars, function.__closure__ or (), strict=True))
        if name in cells:
            try:
                return cells[name].cell_contents
            except ValueError:
                return default
        return function.__globals__.get(name, default)


def outer(names: Names, name: str, value: Any) -> Any:
    """``name``, which no function at hand binds."""
    for staging in active():
        replacement = staging.get_name(names, name, value)
        if replacement is not None:
            return replacement()
    return value
