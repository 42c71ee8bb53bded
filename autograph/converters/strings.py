"""Text: f-strings, and ``%`` after a string.

``f"x is {x!r:>{n}}"`` becomes ``ag__.text('x is ', ag__.formatted(x, 'r', ag__.text('>',
ag__.formatted(n))))``, and ``"x is %d" % x`` becomes ``ag__.percent('x is %d', x)``.
"""

from __future__ import annotations

from typing import Any

import gast

from agir.autograph.pyct.templates import call, constant


def joined_string(node: Any, operators: str) -> Any:
    """The f-string through the operators; as it is where it holds no expressions."""
    if not any(isinstance(each, gast.FormattedValue) for each in node.values):
        return node
    return call(f"{operators}.text", node, *(_part(each, operators) for each in node.values))


def _part(node: Any, operators: str) -> Any:
    if not isinstance(node, gast.FormattedValue):
        return node
    conversion = chr(node.conversion) if node.conversion > 0 else ""
    given = [] if node.format_spec is None else [_spec(node.format_spec)]
    if conversion or given:
        given.insert(0, constant(conversion, node))
    return call(f"{operators}.formatted", node, node.value, *given)


def _spec(node: Any) -> Any:
    """What stands after the colon: a string, or text with values in it, which is converted."""
    if isinstance(node, gast.JoinedStr):
        return constant("".join(each.value for each in node.values), node)
    return node


def is_formatting(node: Any) -> bool:
    """Whether a binary operation is ``%`` of what may be text and what may be a run-time value."""
    if not isinstance(node.op, gast.Mod) or _is_number(node.left):
        return False
    return _is_text(node.left) or not isinstance(node.right, gast.Constant)


def _is_text(node: Any) -> bool:
    if isinstance(node, gast.BinOp):
        return _is_text(node.left) or (isinstance(node.op, gast.Add) and _is_text(node.right))
    return isinstance(node, gast.JoinedStr) or (
        isinstance(node, gast.Constant) and isinstance(node.value, str)
    )


def _is_number(node: Any) -> bool:
    """Whether an expression can be seen to have no text as its value."""
    if isinstance(node, gast.BinOp):
        either = isinstance(node.op, gast.Add | gast.Mult | gast.Mod)
        operands = map(_is_number, (node.left, node.right))
        return not either or (all(operands) if isinstance(node.op, gast.Mult) else any(operands))
    if isinstance(node, gast.UnaryOp):
        return True
    return isinstance(node, gast.Constant) and not isinstance(node.value, str)


def percent(node: Any, operators: str) -> Any:
    """``%`` through the operator."""
    return call(f"{operators}.percent", node, node.left, node.right)
