"""`if`, `while`, `for` and `try` become calls of operators, and their blocks functions.

The variables that a block shares with what is around it are declared `nonlocal` in it; those that
live only inside of the block stay its own.
"""

# ruff: noqa: N802 (methods are named after the classes of nodes)

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from agir.autograph.converters.common.context import Context
from agir.autograph.converters.common.jumps import SCOPES
from agir.autograph.converters.common.variables import rewrite_delete
from agir.autograph.converters.conditionals import if_statement
from agir.autograph.converters.exceptions import TryStatement
from agir.autograph.converters.leaving.with_statements import manage
from agir.autograph.converters.loops import for_loop, while_loop
from agir.autograph.converters.objects import Stores, is_part, updating
from agir.autograph.converters.shared_variables import SharedVariables
from agir.autograph.pyct.analysis import Analysis
from agir.autograph.pyct.cfg import is_plain
from agir.autograph.pyct.templates import expression, name, statement


def convert_control_flow(
    function: Any, stmts: Sequence[Any], analysis: Analysis, context: Context, value: str | None
) -> list[Any]:
    """The body of a function, in which the operators are called.

    `value` is the variable that holds what the function returns, if there is one.
    """
    shares_undefined = getattr(function, "shares_undefined", False)
    shared = SharedVariables(analysis, context, value, shares_undefined)
    flow = _ControlFlow(analysis, context, shared)
    origin = stmts[0] if stmts else function
    start = [shared.undefined(each, origin) for each in analysis.at_start()]
    return start + flow.block(stmts)


class _ControlFlow:
    """Rewrites the blocks of one function."""

    def __init__(self, analysis: Analysis, context: Context, shared: SharedVariables) -> None:
        self.analysis = analysis
        self.context = context
        self.shared = shared
        self.stores = Stores(context, {*analysis.scope.shared, *analysis.scope.outer})

    def block(self, stmts: Sequence[Any]) -> list[Any]:
        """A block in which the operators are called."""
        return [new for stmt in stmts for new in self.statement(stmt)]

    def statement(self, stmt: Any) -> list[Any]:
        """What takes the place of a statement."""
        method = getattr(self, f"on_{type(stmt).__name__}", None)
        return list(method(stmt)) if method is not None else self.inside(stmt)

    def inside(self, stmt: Any) -> list[Any]:
        """A statement that stays one, with its blocks converted."""
        if not isinstance(stmt, SCOPES):
            for part in (stmt, *getattr(stmt, "handlers", ()), *getattr(stmt, "cases", ())):
                for field in ("body", "orelse", "finalbody"):
                    if isinstance(block := getattr(part, field, None), list):
                        setattr(part, field, self.block(block))
        return [stmt]

    def on_Assign(self, stmt: Any) -> list[Any]:
        return self.stores.assignment(stmt)

    def on_With(self, stmt: Any) -> list[Any]:
        if getattr(stmt, "managed", False):
            manage(stmt, self.context.operators)
        stores: list[Any] = []
        for item in stmt.items:
            if item.optional_vars is not None and is_part(item.optional_vars):
                item.optional_vars, more = self.stores.simple(item.optional_vars, stmt)
                stores += more
        stmt.body = [*stores, *self.block(stmt.body)]
        return [stmt]

    def on_Delete(self, stmt: Any) -> list[Any]:
        return rewrite_delete(stmt, self.analysis, self.context, self.stores.deletion)

    def on_AugAssign(self, stmt: Any) -> list[Any]:
        target = stmt.target
        if is_part(target):
            return self.stores.augmented(stmt)
        stmt.value = updating(name(target.id, target), stmt, self.context.operators)
        if target not in self.context.loads:
            return [stmt]
        value = expression("ag_.ld(x_)", target, ag_=self.context.operators, x_=target.id)
        return [statement("x_ = value_", stmt, x_=target.id, value_=value), stmt]

    def on_If(self, stmt: Any) -> list[Any]:
        return if_statement(stmt, self.shared, self.block)

    def on_While(self, stmt: Any) -> list[Any]:
        return while_loop(stmt, self.shared, self.block)

    def on_For(self, stmt: Any) -> list[Any]:
        return for_loop(stmt, self.shared, self.block, self.stores)

    def on_Try(self, stmt: Any) -> list[Any]:
        if is_plain(stmt):
            return self.inside(stmt)
        place = self.analysis.graph.places[stmt]
        state = self.analysis.state(stmt)
        shared = self.shared
        before = shared.initialise(stmt)
        clauses = TryStatement(
            stmt,
            self.context,
            lambda part: shared.begin(stmt, state, place.parts[part]),
            self.block,
        )
        return [*before, *clauses.converted(shared.state(stmt, state))]
