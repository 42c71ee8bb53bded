"""`yield` in expressions becomes a statement of its own.

::

    f(a(), (yield b))           first = a()
                                sent = yield b
                                f(first, sent)

After this a generator yields only in statements ``yield x`` and ``name = yield x``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gast

from agir.autograph.converters.common.jumps import SCOPES, blocks_of
from agir.autograph.converters.common.steps import operands
from agir.autograph.pyct.activity import walk_own
from agir.autograph.pyct.naming import Namer
from agir.autograph.pyct.templates import name, replace, statement
from agir.errors import UnsupportedError

YIELDS = (gast.Yield, gast.YieldFrom)
_STAYS = (gast.Constant, gast.Name, gast.Lambda)
_WHILE = """
while True:
    before_
    if not test_:
        break
    body_
"""


def has_yield(node: Any) -> bool:
    """Whether a statement or expression yields: no function in it, but itself."""
    return any(isinstance(each, YIELDS) for each in walk_own(node))


def lower_yields(stmts: Sequence[Any], namer: Namer) -> list[Any]:
    """A block in which each `yield` is a statement, or all of what is assigned to a name."""
    return _Yields(namer).block(stmts)


def first_line(node: Any) -> int:
    """Where something stands that is refused."""
    return int(getattr(node, "lineno", 0))


class _Yields:
    def __init__(self, namer: Namer) -> None:
        self.namer = namer

    def block(self, stmts: Sequence[Any]) -> list[Any]:
        return [new for stmt in stmts for new in self.statement(stmt)]

    def statement(self, stmt: Any) -> list[Any]:
        """What takes the place of a statement."""
        if isinstance(stmt, SCOPES) or not has_yield(stmt):
            return [stmt]
        for block in blocks_of(stmt):
            block[:] = self.block(block)
        method = getattr(self, f"on_{type(stmt).__name__}", self.others)
        return list(method(stmt))

    def on_Expr(self, stmt: Any) -> list[Any]:  # noqa: N802 (named after the class of nodes)
        return self.of_value(stmt)

    def on_Assign(self, stmt: Any) -> list[Any]:  # noqa: N802
        before: list[Any] = []
        if len(stmt.targets) > 1 or not isinstance(stmt.targets[0], gast.Name):
            before, stmt.value = self.taken_out(stmt.value)
            for index, target in enumerate(stmt.targets):
                more, stmt.targets[index] = self.settled(target)
                before += more
            return [*before, stmt]
        return self.of_value(stmt)

    def of_value(self, stmt: Any) -> list[Any]:
        """A statement that may yield as a whole."""
        if isinstance(stmt.value, YIELDS):
            if stmt.value.value is None:
                return [stmt]
            before, stmt.value.value = self.settled(stmt.value.value)
        else:
            before, stmt.value = self.settled(stmt.value)
        return [*before, stmt]

    def on_AnnAssign(self, stmt: Any) -> list[Any]:  # noqa: N802
        return self.statement(
            gast.copy_location(gast.Assign([stmt.target], stmt.value, None), stmt)
        )

    def on_AugAssign(self, stmt: Any) -> list[Any]:  # noqa: N802
        target = stmt.target
        before: list[Any] = []
        for field in ("value", "slice"):
            part = getattr(target, field, None)
            if part is not None and not isinstance(part, _STAYS):
                more, kept = self.settled(part)
                taken, kept = self.computed(kept)
                before += [*more, taken]
                setattr(target, field, kept)
        more, stmt.value = self.settled(stmt.value)
        return [*before, *more, stmt]

    def on_If(self, stmt: Any) -> list[Any]:  # noqa: N802
        before, stmt.test = self.settled(stmt.test)
        return [*before, stmt]

    def on_For(self, stmt: Any) -> list[Any]:  # noqa: N802
        before, stmt.iter = self.settled(stmt.iter)
        return [*before, stmt]

    def on_With(self, stmt: Any) -> list[Any]:  # noqa: N802
        for index in range(len(stmt.items) - 1, 0, -1):
            inner = gast.With(stmt.items[index:], stmt.body, None)
            stmt.items, stmt.body = stmt.items[:index], [gast.copy_location(inner, stmt)]
        before, stmt.items[0].context_expr = self.settled(stmt.items[0].context_expr)
        return [*before, *([stmt] if len(stmt.items) == 1 else self.block([stmt]))]

    def on_Match(self, stmt: Any) -> list[Any]:  # noqa: N802
        before, stmt.subject = self.settled(stmt.subject)
        for case in stmt.cases:
            if case.guard is not None and has_yield(case.guard):
                _refuse(case.guard, "the guard of a case")
        return [*before, stmt]

    def on_While(self, stmt: Any) -> list[Any]:  # noqa: N802
        if not has_yield(stmt.test):
            return [stmt]
        if stmt.orelse:
            _refuse(stmt.test, "the condition of a while loop that has an else clause")
        before, test = self.settled(stmt.test)
        return replace(_WHILE, stmt, before_=before, test_=test, body_=stmt.body)

    def on_Try(self, stmt: Any) -> list[Any]:  # noqa: N802
        if any(each.type is not None and has_yield(each.type) for each in stmt.handlers):
            _refuse(stmt, "what an except clause is for")
        return [stmt]

    def others(self, stmt: Any) -> list[Any]:
        """`return`, `raise`, `assert`, `del`."""
        before, stmt = self.settled(stmt)
        return [*before, stmt]

    # Expressions.

    def settled(self, node: Any) -> tuple[list[Any], Any]:
        """The statements before an expression, and what is left of it."""
        if not has_yield(node):
            return [], node
        if isinstance(node, YIELDS):
            return self.taken_out(node)
        if isinstance(node, gast.BoolOp):
            return self.chosen(node)
        if isinstance(node, gast.IfExp):
            return self.conditional(node)
        if isinstance(node, gast.Compare) and len(node.ops) > 1:
            _refuse(node, "a chain of comparisons")
        if isinstance(node, gast.JoinedStr | gast.FormattedValue):
            return self.in_order(node, list(_formatted(node)))
        return self.in_order(node, list(operands(node)))

    def in_order(self, node: Any, places: list[Any]) -> tuple[list[Any], Any]:
        """An expression whose operands are all evaluated, one after the other."""
        before: list[Any] = []
        last = max(index for index, (get, _) in enumerate(places) if has_yield(get()))
        for index, (get, put) in enumerate(places):
            more, operand = self.settled(get())
            before += more
            if index < last and not isinstance(operand, (*_STAYS, gast.Starred)):
                taken, operand = self.computed(operand)
                before.append(taken)
            put(operand)
        return before, node

    def taken_out(self, node: Any) -> tuple[list[Any], Any]:
        """A value, after the statement that computes it where it yields."""
        if not isinstance(node, YIELDS):
            return self.settled(node)
        before: list[Any] = []
        if node.value is not None:
            before, node.value = self.settled(node.value)
        taken, kept = self.computed(node, "sent")
        return [*before, taken], kept

    def computed(self, node: Any, wish: str = "value") -> tuple[Any, Any]:
        new = self.namer.fresh(wish)
        return statement("new_ = node_", node, new_=new, node_=node), name(new, node)

    def conditional(self, node: Any) -> tuple[list[Any], Any]:
        before, test = self.settled(node.test)
        new = self.namer.fresh("value")
        branches = [self.into(new, each) for each in (node.body, node.orelse)]
        code = "if test_:\n    body_\nelse:\n    orelse_"
        made = statement(code, node, test_=test, body_=branches[0], orelse_=branches[1])
        return [*before, made], name(new, node)

    def chosen(self, node: Any) -> tuple[list[Any], Any]:
        """``a and b``: the first value, and the next one where that is true."""
        new = self.namer.fresh("value")
        code = "if new_:\n    more_" if isinstance(node.op, gast.And) else "if not new_:\n    more_"
        made: list[Any] = []
        for each in reversed(node.values[1:]):
            made = [statement(code, each, new_=new, more_=[*self.into(new, each), *made])]
        return [*self.into(new, node.values[0]), *made], name(new, node)

    def into(self, new: str, node: Any) -> list[Any]:
        """The statements that assign an expression to a variable."""
        before, value = self.settled(node)
        return [*before, statement("new_ = value_", node, new_=new, value_=value)]


def _formatted(node: Any) -> Any:
    """The values in a text."""
    if isinstance(node, gast.FormattedValue):
        yield (lambda: node.value), (lambda new: setattr(node, "value", new))
        return
    for index, _ in enumerate(node.values):
        yield (
            lambda index=index: node.values[index],
            lambda new, index=index: node.values.__setitem__(index, new),
        )


def _refuse(node: Any, where: str) -> None:
    raise UnsupportedError(f"line {first_line(node)}: yield in {where} is not recorded")
