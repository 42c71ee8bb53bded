"""Which variables' objects a block visibly changes in place."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import gast  # type: ignore[import-untyped]

from agir.autograph.converters.jumps import SCOPES
from agir.autograph.pyct.activity import walk_own
from agir.autograph.pyct.qualified_names import root

__all__ = ["mutated_names"]

# Methods that change an object and are called for their value, too.
CHANGING = frozenset({"pop", "popitem", "popleft", "setdefault"})


def mutated_names(stmts: Sequence[Any]) -> list[str]:
    """The roots of ``x.append(…)``, ``x[i] = …``, ``x.field += …`` and the like, in order."""
    own = [stmt for stmt in stmts if not isinstance(stmt, SCOPES)]
    targets = (target for stmt in own for node in walk_own(stmt) for target in _mutated(node))
    found = dict.fromkeys(root(target) for target in targets)
    return [name for name in found if name is not None]


def _mutated(node: Any) -> Iterable[Any]:
    if isinstance(node, gast.Expr) and _is_method_call(node.value):
        yield node.value.func.value
    elif isinstance(node, gast.Call) and _is_method_call(node) and node.func.attr in CHANGING:
        yield node.func.value
    elif isinstance(node, gast.Attribute | gast.Subscript) and not isinstance(node.ctx, gast.Load):
        yield node.value


def _is_method_call(node: Any) -> bool:
    return isinstance(node, gast.Call) and isinstance(node.func, gast.Attribute)
