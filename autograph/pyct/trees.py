"""Walking over syntax trees, quickly: a conversion does it many times."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import gast

__all__ = ["children", "walk"]


def children(node: Any) -> list[Any]:
    """The nodes right below a node, in the order of the source, without contexts of names."""
    found: list[Any] = []
    fields = node.__dict__
    for name in node._fields:
        value = fields.get(name)
        if value.__class__ is list:
            found += [each for each in value if isinstance(each, gast.AST)]
        elif isinstance(value, gast.AST) and not isinstance(value, gast.expr_context):
            found.append(value)
    return found


def walk(node: Any) -> Iterator[Any]:
    """The node and all below it, in the order of the source."""
    pending = [node]
    while pending:
        here = pending.pop()
        yield here
        pending += reversed(children(here))
