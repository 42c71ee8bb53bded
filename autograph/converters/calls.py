"""Calls: ``f(x, k=y)`` becomes ``ag__.call(f, (x,), {'k': y})``."""

from __future__ import annotations

from typing import Any

import gast

from agir.autograph.converters.common.context import Context
from agir.autograph.pyct.templates import at_line, call, constant

KEPT = frozenset(
    {"super", "locals", "globals", "vars", "dir", "eval", "exec", "breakpoint", "__import__"}
)
"""Functions that look at the frame they are called from, and are called as they are."""

_OF_OBJECTS = ("vars", "dir")
"""Those that look at an object instead, where they are given one."""
_OF_FRAMES = ("locals", *_OF_OBJECTS)
"""Those that show the variables of the frame, where they are given nothing."""
_OF_CODE = ("eval", "exec")
"""Those that make code of text."""


def converted_call(node: Any, context: Context) -> Any:
    """The call through the operator."""
    operators = context.operators
    called = node.func.id if isinstance(node.func, gast.Name) else None
    if called in KEPT and not (called in _OF_OBJECTS and node.args):
        if called in _OF_CODE and node.args and not isinstance(node.args[0], gast.Starred):
            node.args[0] = call(f"{operators}.code", node.args[0], node.args[0])
            if len(node.args) == 1 and not node.keywords:
                seen = _shown(call("locals", node), context)
                node.args += [call("globals", node), seen]
        return _shown(node, context) if called in _OF_FRAMES else node
    origin = node
    if isinstance(node.func, gast.Attribute) and node.func.end_lineno != node.lineno:
        # Python, too, has a method called on the line of its name.
        origin = at_line(node, node.func.end_lineno)
    kwargs = [_keywords(node, operators)] if node.keywords else []
    if len(node.args) == 1 and isinstance(node.args[0], gast.Starred):
        items = node.args[0].value
        return call(f"{operators}.call_starred", origin, node.func, items, *kwargs)
    for each in node.args:
        if isinstance(each, gast.Starred):
            each.value = call(f"{operators}.starred", each.value, each.value)
    args = gast.copy_location(gast.Tuple(node.args, gast.Load()), origin)
    return call(f"{operators}.call", origin, node.func, args, *kwargs)


def _shown(node: Any, context: Context) -> Any:
    """What a frame shows, without the names that only converted code has."""
    ours = [constant(each, node) for each in (context.operators, context.names)]
    return call(f"{context.operators}.own_variables", node, node, *ours)


def _keywords(node: Any, operators: str) -> Any:
    if len(node.keywords) > 1 and any(keyword.arg is None for keyword in node.keywords):
        # Python refuses a name that is given twice, which a display does not.
        merged = call(f"{operators}.keywords", node, constant(None, node))
        merged.keywords = node.keywords
        return merged
    keys = [keyword.arg and constant(keyword.arg, keyword.value) for keyword in node.keywords]
    values = [keyword.value for keyword in node.keywords]
    return gast.copy_location(gast.Dict(keys, values), node)
