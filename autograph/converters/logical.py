"""``a and b``, ``a or b``, ``not a`` and ``a < b < c``.

What may not be evaluated becomes a function: ``ag__.and_(a, lambda: b)``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gast

from agir.autograph.converters.common.context import Context
from agir.autograph.converters.comparisons import comparison
from agir.autograph.pyct.templates import call, expression, name

Delay = Callable[[Any], Any]


def nested(node: Any) -> Any:
    """``a and b and c`` as ``a and (b and c)``."""
    *first, result = node.values
    for value in reversed(first):
        result = gast.copy_location(gast.BoolOp(node.op, [value, result]), node)
    return result


def bool_op(node: Any, operators: str, delay: Delay) -> Any:
    """``a and b``, ``a or b``; `delay` makes a function of an expression."""
    operator = "and_" if isinstance(node.op, gast.And) else "or_"
    left, right = node.values
    return call(f"{operators}.{operator}", node, left, delay(right))


def mark_condition(node: Any, context: Context) -> None:
    """Note that only the truth of an expression counts, and so of what it is made of."""
    if isinstance(node, gast.BoolOp):
        context.conditions.add(node)
        for value in node.values:
            mark_condition(value, context)
    elif isinstance(node, gast.UnaryOp) and isinstance(node.op, gast.Not):
        mark_condition(node.operand, context)


def in_condition(node: Any, operators: str) -> Any:
    """An operand of ``and`` or ``or`` in a condition; comparisons have a truth already."""
    if isinstance(node, gast.Compare | gast.BoolOp | gast.Constant):
        return node
    if isinstance(node, gast.UnaryOp) and isinstance(node.op, gast.Not):
        return node
    return call(f"{operators}.condition", node, node)


def negation(node: Any, operators: str) -> Any:
    """``not``."""
    return call(f"{operators}.not_", node, node.operand)


def unchained(node: Any, context: Context, fresh: Callable[[], str]) -> Any:
    """``a < b < c`` as ``a < (t := b) and t < c``."""
    middle = node.comparators[0]
    if isinstance(middle, gast.Name | gast.Constant):
        again = context.again(middle)
    else:
        kept = fresh()
        again = name(kept, middle)
        target = name(kept, middle, gast.Store())
        middle = gast.copy_location(gast.NamedExpr(target, middle), middle)
    compare = gast.copy_location(gast.Compare(node.left, node.ops[:1], [middle]), node)
    others = gast.copy_location(gast.Compare(again, node.ops[1:], node.comparators[1:]), node)
    return gast.copy_location(gast.BoolOp(gast.And(), [compare, others]), node)


def chain_at_once(node: Any, context: Context, delay: Delay, fresh: Callable[[], str]) -> Any:
    """The same where nothing can be assigned, in a comprehension: with arguments of a lambda."""
    if len(node.ops) == 1:
        return comparison(node, context)
    left, middle = fresh(), fresh()
    function = expression("lambda left_, middle_: None", node)
    function.args.args[0].id, function.args.args[1].id = left, middle
    others = gast.Compare(name(middle, node), node.ops[1:], node.comparators[1:])
    compare = gast.Compare(name(left, node), node.ops[:1], [name(middle, node)])
    compare = comparison(gast.copy_location(compare, node), context)
    right = chain_at_once(gast.copy_location(others, node), context, delay, fresh)
    function.body = call(f"{context.operators}.and_", node, compare, delay(right))
    applied = gast.Call(function, [node.left, node.comparators[0]], [])
    return gast.copy_location(applied, node)
