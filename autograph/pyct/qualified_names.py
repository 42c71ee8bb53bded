"""Names with their attributes and items: ``a``, ``a.b``, ``a.b[0]``."""

from __future__ import annotations

from typing import Any

import gast


def root(node: Any) -> str | None:
    """The variable at the bottom of ``a.b[c].d``, or None where there is none."""
    while isinstance(node, gast.Attribute | gast.Subscript | gast.Starred):
        node = node.value
    return node.id if isinstance(node, gast.Name) else None


def dotted(node: Any) -> tuple[str, ...] | None:
    """The parts of ``a.b.c``, or None for any other expression."""
    parts: list[str] = []
    while isinstance(node, gast.Attribute):
        parts.append(node.attr)
        node = node.value
    if not isinstance(node, gast.Name):
        return None
    return (node.id, *reversed(parts))


def resolve(node: Any, namespace: dict[str, Any]) -> Any:
    """What ``a.b.c`` is in a namespace, or None; only modules are asked for attributes.

    Those that a module makes on demand are among them.
    """
    parts = dotted(node)
    if parts is None or parts[0] not in namespace:
        return None
    value = namespace[parts[0]]
    for part in parts[1:]:
        if not hasattr(type(value), "__path__") and type(value).__name__ != "module":
            return None
        try:
            value = getattr(value, part, None)
        except Exception:  # where the program runs it meets what a module raises that makes it
            return None
    return value
