"""`if` statements, and ``a if c else b``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gast

from agir.autograph.converters.logical import mark_condition
from agir.autograph.converters.shared_variables import SharedVariables
from agir.autograph.pyct.templates import call

IF = """
def body_():
    declared_
    block_
def orelse_():
    others_
    elseblock_
state_
ag_.if_stmt(test_, body_, orelse_, stateof_)
"""


def if_statement(
    stmt: Any, shared: SharedVariables, block: Callable[[list[Any]], list[Any]]
) -> list[Any]:
    """``ag__.if_stmt(c, if_body, else_body, ag__.State(...))``."""
    mark_condition(stmt.test, shared.context)
    place = shared.analysis.graph.places[stmt]
    state = shared.analysis.state(stmt)
    before = shared.initialise(stmt)
    body = shared.context.function("if_body")
    orelse = shared.context.function("else_body") if stmt.orelse else None
    filled = shared.fill(
        IF,
        stmt,
        state,
        body_=body,
        declared_=shared.begin(stmt, state, place.body),
        block_=block(stmt.body),
        orelse_=orelse or "else_body",
        others_=shared.begin(stmt, state, place.orelse),
        elseblock_=block(stmt.orelse) or [gast.Pass()],
        test_=stmt.test,
    )
    if orelse is None:
        filled = [each for each in filled if getattr(each, "name", None) != "else_body"]
        filled[-1].value.args[2] = shared.operator("skip", stmt)
    return [*before, *filled]


def if_exp(node: Any, operators: str, delay: Callable[[Any], Any]) -> Any:
    """``ag__.if_exp(c, lambda: a, lambda: b)``."""
    return call(f"{operators}.if_exp", node, node.test, delay(node.body), delay(node.orelse))
