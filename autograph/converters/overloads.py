"""``a + b``, ``-a``, ``a < b``, ``a += b``, where Python's own operators do not do."""

from __future__ import annotations

from typing import Any

import gast

from agir.autograph.converters.common.context import Context
from agir.autograph.pyct.templates import call, constant, name

_NAMES = {
    gast.Add: "add",
    gast.Sub: "sub",
    gast.Mult: "mul",
    gast.Div: "truediv",
    gast.FloorDiv: "floordiv",
    gast.Mod: "mod",
    gast.Pow: "pow",
    gast.MatMult: "matmul",
    gast.LShift: "lshift",
    gast.RShift: "rshift",
    gast.BitAnd: "and_",
    gast.BitOr: "or_",
    gast.BitXor: "xor",
    gast.USub: "neg",
    gast.UAdd: "pos",
    gast.Invert: "invert",
    gast.Lt: "lt",
    gast.LtE: "le",
    gast.Gt: "gt",
    gast.GtE: "ge",
    gast.Eq: "eq",
    gast.NotEq: "ne",
}
"""The names of the operators in the module `operator`."""


def _called(what: str, node: Any, operator: Any, context: Context, *operands: Any) -> Any:
    named = constant(_NAMES[type(operator)], node)
    return call(f"{context.operators}.{what}", node, named, *operands)


def binary(node: Any, context: Context) -> Any:
    """``left + right``."""
    return _called("binary", node, node.op, context, node.left, node.right)


def unary(node: Any, context: Context) -> Any:
    """``-operand``; ``not`` has an operator of its own."""
    return _called("unary", node, node.op, context, node.operand)


def compared(node: Any, context: Context) -> Any:
    """``left < right``."""
    return _called("compare", node, node.ops[0], context, node.left, node.comparators[0])


def augmented(node: Any, context: Context) -> Any:
    """``variable += value``."""
    old = name(node.target.id, node.target)
    value = _called("augmented", node, node.op, context, old, node.value)
    return gast.copy_location(gast.Assign([node.target], value, None), node)
