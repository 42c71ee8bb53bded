"""`try` becomes a call of an operator, and its clauses functions.

::

    try:                        def try_body():
        y = 10 // n                 nonlocal y
    except ZeroDivisionError:       y = 10 // n
        y = 0                   def except_body(caught):
                                    nonlocal y
                                    y = 0
                                ...
                                ag__.try_stmt(try_body,
                                              (ag__.Handler(lambda: ZeroDivisionError, except_body),),
                                              ag__.skip, ag__.skip, ag__.State(...))
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gast

from agir.autograph.converters.common.context import Context
from agir.autograph.pyct.templates import call, constant, expression, replace, statement


class TryStatement:
    """What the converted form of one `try` statement consists of.

    `declare` gives the declarations of the variables that a clause shares, `block` converts the
    statements of one.
    """

    def __init__(
        self,
        stmt: Any,
        context: Context,
        declare: Callable[[Any], list[Any]],
        block: Callable[[list[Any]], list[Any]],
    ) -> None:
        self.stmt = stmt
        self.context = context
        self.declare = declare
        self.block = block
        self.functions: list[Any] = []

    def converted(self, state: tuple[list[Any], Any]) -> list[Any]:
        """The functions, and the call of the operator with the `State`."""
        stmt = self.stmt
        body = self.clause("body", "try_body", stmt)
        handlers = [self.handler(each) for each in stmt.handlers]
        others = [
            self.clause("orelse", "else_body", stmt),
            self.clause("finalbody", "finally_body", stmt),
        ]
        functions, value = state
        pair = gast.copy_location(gast.Tuple(handlers, gast.Load()), stmt)
        done = call(f"{self.context.operators}.try_stmt", stmt, body, pair, *others, value)
        return [*self.functions, *functions, gast.copy_location(gast.Expr(done), stmt)]

    def clause(self, field: str, wish: str, origin: Any) -> Any:
        """The function of a clause; `skip` where there is none."""
        stmts = getattr(origin, field)
        if not stmts:
            return expression("ag_.skip", origin, ag_=self.context.operators)
        name = self.context.function(wish)
        self.functions.append(
            statement(
                "def name_():\n    declared_\n    block_",
                origin,
                name_=name,
                declared_=self.declare(field),
                block_=self.block(stmts),
            )
        )
        return expression("name_", origin, name_=name)

    def handler(self, handler: Any) -> Any:
        """``ag__.Handler(lambda: types, function)``."""
        # The line of the clause is reached where it is asked for its types.
        stmt = self.stmt
        name = self.context.function("except_body")
        caught = handler.name.id if handler.name else self.context.namer.fresh("caught")
        self.functions += replace(
            "def name_(caught_):\n    declared_\n    block_",
            stmt,
            name_=name,
            caught_=caught,
            declared_=self.declare(handler),
            block_=self.block(handler.body),
        )
        types = constant(None, stmt)
        if handler.type is not None:
            types = expression("lambda: None", stmt)
            types.body = handler.type
        function = expression("name_", stmt, name_=name)
        return call(f"{self.context.operators}.Handler", stmt, types, function)
