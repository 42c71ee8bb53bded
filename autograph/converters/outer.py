"""Names of a module and of enclosing functions: ``x * WEIGHTS``.

::

    ag__.outer(names__, 'WEIGHTS', WEIGHTS)

where the name stands for a value when the function is converted.  Names of functions, classes and
modules stay as they are.
"""

from __future__ import annotations

from types import ModuleType
from typing import Any

from agir.autograph.converters.common.context import Context
from agir.autograph.pyct.templates import call, constant, name


def is_outer(identifier: str, context: Context) -> bool:
    """Whether a name stands for a value that lies outside of the functions at hand."""
    if identifier in context.bound or identifier not in context.namespace:
        return False
    value = context.namespace[identifier]
    return not isinstance(value, ModuleType) and not callable(value)


def outer(node: Any, context: Context) -> Any:
    """The call that reads the name."""
    arguments = name(context.names, node), constant(node.id, node), name(node.id, node)
    return call(f"{context.operators}.outer", node, *arguments)
