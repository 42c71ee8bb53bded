"""``assert``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gast

from agir.autograph.pyct.templates import call


def assertion(node: Any, operators: str, delay: Callable[[Any], Any]) -> Any:
    """``ag__.assert_stmt(test, lambda: message)``; the compiler drops both under ``-O``."""
    if not __debug__:
        return node
    message = [] if node.msg is None else [delay(node.msg)]
    value = call(f"{operators}.assert_stmt", node, node.test, *message)
    return gast.copy_location(gast.Expr(value), node)
