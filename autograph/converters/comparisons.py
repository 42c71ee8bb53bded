"""``is``, ``is not``, ``in``, ``not in``, of whose result Python makes a bool."""

from __future__ import annotations

from typing import Any

import gast

from agir.autograph.converters.common.context import Context
from agir.autograph.converters.overloads import compared
from agir.autograph.pyct.templates import call

_OPERATORS = {gast.Is: "is_", gast.IsNot: "is_not", gast.In: "in_", gast.NotIn: "not_in"}


def comparison(node: Any, context: Context) -> Any:
    """A comparison of two operands; the others Python leaves to the operands themselves."""
    operator = _OPERATORS.get(type(node.ops[0]))
    if operator is not None:
        return call(f"{context.operators}.{operator}", node, node.left, node.comparators[0])
    return compared(node, context) if context.overloads else node
