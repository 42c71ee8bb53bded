"""Text: f-strings, and ``%`` after a string.

``f"x is {x!r:>{n}}"`` becomes ``ag__.text('x is ', ag__.formatted(x, 'r', ag__.text('>',
ag__.formatted(n))))``, and ``"x is %d" % x`` becomes ``ag__.percent('x is %d', x)``.
"""

from __future__ import annotations

from typing import Any

import gast  # type: ignore[import-untyped]

from agir.autograph.pyct.templates import call, constant

__all__ = ["is_formatting", "joined_string", "percent"]


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
    """Whether a binary operation is ``%`` after what looks like text, or before a tuple or dict."""
    return isinstance(node.op, gast.Mod) and (
        _is_text(node.left) or isinstance(node.right, (gast.Tuple, gast.Dict))
    )


def _is_text(node: Any) -> bool:
    if isinstance(node, gast.BinOp):
        return _is_text(node.left) or (isinstance(node.op, gast.Add) and _is_text(node.right))
    return isinstance(node, gast.JoinedStr) or (
        isinstance(node, gast.Constant) and isinstance(node.value, str)
    )


def percent(node: Any, operators: str) -> Any:
    """``%`` through the operator."""
    return call(f"{operators}.percent", node, node.left, node.right)
