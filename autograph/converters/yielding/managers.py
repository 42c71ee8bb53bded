"""`with` around a `yield` becomes a `try` statement, as the language reference spells it out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gast

from agir.autograph.converters.common.jumps import SCOPES, blocks_of
from agir.autograph.converters.yielding.yields import has_yield
from agir.autograph.pyct.naming import Namer
from agir.autograph.pyct.templates import replace, statement

_WITH = """
manager_ = made_
entered_ = manager_.__enter__()
normal_ = True
try:
    body_
except BaseException as error_:
    normal_ = False
    if not manager_.__exit__(type(error_), error_, None):
        raise
finally:
    if normal_:
        manager_.__exit__(None, None, None)
"""


def lower_managers(stmts: Sequence[Any], namer: Namer) -> list[Any]:
    """A block in which nothing is yielded in a `with`."""
    out: list[Any] = []
    for stmt in stmts:
        if isinstance(stmt, SCOPES) or not has_yield(stmt):
            out.append(stmt)
            continue
        for block in blocks_of(stmt):
            block[:] = lower_managers(block, namer)
        out += _lowered(stmt, namer) if isinstance(stmt, gast.With) else [stmt]
    return out


def _lowered(stmt: Any, namer: Namer) -> list[Any]:
    (item,) = stmt.items
    keys = ("manager_", "entered_", "normal_", "error_")
    fresh = {key: namer.fresh(key) for key in keys}
    body = stmt.body
    if item.optional_vars is not None:
        bind = statement("target_ = entered_", item.optional_vars, entered_=fresh["entered_"])
        bind.targets = [item.optional_vars]
        body = [bind, *body]
    return replace(_WITH, stmt, made_=item.context_expr, body_=body, **fresh)
