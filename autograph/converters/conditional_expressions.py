"""``a if c else b``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from agir.autograph.pyct.templates import call

__all__ = ["if_exp"]


def if_exp(node: Any, operators: str, delay: Callable[[Any], Any]) -> Any:
    """``ag__.if_exp(c, lambda: a, lambda: b)``."""
    return call(f"{operators}.if_exp", node, node.test, delay(node.body), delay(node.orelse))
