"""Names of a module and of enclosing functions, which hold what they hold when they are read.

::

    y = x * WEIGHTS             y = x * ag__.outer(names__, 'WEIGHTS', WEIGHTS)

Python reads such a name each time.  A staging may do so, too: it is told of the `Names` around the
function and of the name.  Names of functions, classes and modules stay as they are.
"""

from __future__ import annotations

import sys
import weakref
from types import FunctionType, ModuleType
from typing import Any

from agir.autograph.operators.staging import active

__all__ = ["Names", "outer", "own_variables"]


class Names:
    """The names around a function, which it does not keep alive: its module's, its enclosing ones'."""

    __slots__ = ("__weakref__", "_function", "_globals")

    def __init__(self, function: FunctionType) -> None:
        self._function = weakref.ref(function)
        self._globals = function.__globals__

    @property
    def identity(self) -> int:
        """Equal for the names around one function."""
        return id(self._function() or self._globals)

    def module(self, name: str) -> ModuleType | None:
        """The module of which the name is an attribute; None for a variable of a function."""
        function = self._function()
        if function is None or name in function.__code__.co_freevars:
            return None
        found = sys.modules.get(self._globals.get("__name__", ""))
        return found if found is not None and vars(found) is self._globals else None

    def get(self, name: str, default: Any = None) -> Any:
        """What the name stands for now."""
        function = self._function()
        if function is not None and name in function.__code__.co_freevars:
            place = function.__code__.co_freevars.index(name)
            try:
                return (function.__closure__ or ())[place].cell_contents
            except ValueError:
                return default
        return self._globals.get(name, default)


def outer(names: Names, name: str, value: Any) -> Any:
    """``name``, which no function at hand binds."""
    for staging in active():
        replacement = staging.get_name(names, name, value)
        if replacement is not None:
            return replacement()
    return value


def own_variables(shown: Any, *ours: str) -> Any:
    """What ``locals()``, ``vars()`` or ``dir()`` shows, without names that conversion has added."""
    if type(shown) is dict:
        for name in ours:
            shown.pop(name, None)
    elif type(shown) is list:
        shown = [name for name in shown if name not in ours]
    return shown
