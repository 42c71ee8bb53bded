"""Walking over syntax trees, quickly: a conversion does it many times."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

import gast

_NODE = gast.AST
_OF_NO_NODES = frozenset({"attr", "conversion", "ctx", "id", "is_async", "kind", "type_comment"})
"""Fields with texts, numbers and contexts of names, whatever has them."""


def children(node: Any) -> list[Any]:
    """The nodes right below a node, in the order of the source, without contexts of names."""
    found: list[Any] = []
    fields = node.__dict__
    for name in _fields_of(node.__class__):
        value = fields.get(name)
        if value.__class__ is list:
            found += [each for each in value if isinstance(each, _NODE)]
        elif isinstance(value, _NODE):
            found.append(value)
    return found


@cache
def _fields_of(kind: Any) -> tuple[str, ...]:
    """The fields of a class of nodes in which there may be nodes."""
    return tuple(name for name in kind._fields if name not in _OF_NO_NODES)


def walk(node: Any) -> Iterator[Any]:
    """The node and all below it, in the order of the source."""
    pending = [node]
    while pending:
        here = pending.pop()
        yield here
        pending += reversed(children(here))
