"""`with`: what is entered learns of exceptions that only the run time knows of.

``with make() as x`` becomes ``with ag__.managed(make()) as x``; managers of agir itself, which do
nothing at run time, are entered as they are.
"""

from __future__ import annotations

from typing import Any

import gast

from agir.autograph.converters.common.context import Context
from agir.autograph.converters.common.jumps import own_statements
from agir.autograph.pyct.activity import scope_of
from agir.autograph.pyct.qualified_names import resolve
from agir.autograph.pyct.templates import call

_OWN = __name__.partition(".")[0]


def mark_managers(function: Any, context: Context) -> None:
    """Mark the `with` statements of a function whose managers may be the user's."""
    hidden = scope_of(function).locals
    for stmt in own_statements(function.body):
        if isinstance(stmt, gast.With):
            own = all(_is_own(item.context_expr, context, hidden) for item in stmt.items)
            stmt.managed = not own
            stmt.stepped = stmt.managed and not all(map(_cannot_fail, stmt.body))


def _cannot_fail(stmt: Any) -> bool:
    value = getattr(stmt, "value", None)
    simple = value is None or isinstance(value, gast.Constant | gast.Name)
    return isinstance(stmt, gast.Pass | gast.Return) and simple


def _is_own(node: Any, context: Context, hidden: Any) -> bool:
    """Whether a manager is made by a function or class of agir."""
    if not isinstance(node, gast.Call):
        return False
    root = node.func
    while isinstance(root, gast.Attribute):
        root = root.value
    if not isinstance(root, gast.Name) or root.id in hidden:
        return False
    module = getattr(resolve(node.func, dict(context.namespace)), "__module__", None)
    return isinstance(module, str) and module.partition(".")[0] == _OWN


def manage(stmt: Any, operators: str) -> None:
    """Put the operator around the managers of a statement."""
    for item in stmt.items:
        item.context_expr = call(f"{operators}.managed", item.context_expr, item.context_expr)
