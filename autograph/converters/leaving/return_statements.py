"""`return` inside of branches and loops becomes an assignment, and leaves at the end.

::

    if a:                       if a:
        return b                    retval = b
    return c                    else:
                                    retval = c
                                return retval

In a loop, a `break` goes with it, and a flag where something follows the loop.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gast

from agir.autograph.converters.common.jumps import (
    LOOPS,
    STARS,
    TRIES,
    Lowering,
    always_leaves,
    blocks_of,
    contains,
    may_abandon,
    own_statements,
)
from agir.autograph.pyct.naming import Namer
from agir.autograph.pyct.templates import constant, name, statement

CONTROL = (gast.If, *LOOPS, gast.Try)
PLAIN = (gast.With, *STARS)


def _is_control(stmt: Any) -> bool:
    """Whether the blocks of a statement run under conditions, or end early."""
    return isinstance(stmt, CONTROL) or bool(getattr(stmt, "stepped", False))


def _is_plain(stmt: Any) -> bool:
    return isinstance(stmt, PLAIN) and not _is_control(stmt)


def lower_returns(function: Any, namer: Namer) -> str | None:
    """Rewrite a function in place; the variable that holds its value, if there is one."""
    inside = [
        each
        for stmt in own_statements(function.body)
        if _is_control(stmt)
        for each in own_statements([stmt])
        if isinstance(each, gast.Return)
    ]
    if not inside:
        return None
    lowering = _Return(namer)
    lowering.has_values = any(
        isinstance(each, gast.Return) and each.value is not None
        for each in own_statements(function.body)
    )
    function.body = lowering.plain(function.body, outermost=True)
    return lowering.value


def note_returns(stmts: Sequence[Any], namer: Namer) -> tuple[list[Any], Lowering, str]:
    """A block in which `return` sets a flag, the lowering that has it, and the value's variable."""
    lowering = _Return(namer)
    lowering.has_values = True
    return lowering.block(stmts, True), lowering, lowering.value


class _Return(Lowering):
    has_values = False

    def __init__(self, namer: Namer) -> None:
        super().__init__(namer.fresh("do_return"), gast.Return)
        self.value = namer.fresh("retval")

    def emit(self, jump: Any, needed: bool) -> list[Any]:
        out: list[Any] = []
        if self.has_values:
            value = jump.value or constant(None, jump)
            out.append(statement("retval_ = value_", jump, retval_=self.value, value_=value))
        if needed:
            out.append(self.set_flag(True, jump))
        return out or [statement("pass", jump)]

    def plain(self, stmts: Sequence[Any], outermost: bool = False) -> list[Any]:
        """A block that Python itself runs, in which `return` may stay one."""
        out: list[Any] = []
        for index, stmt in enumerate(stmts):
            if isinstance(stmt, gast.Return):
                return [*out, stmt]
            if not contains(stmt, gast.Return):
                out.append(stmt)
            elif _is_plain(stmt) and all(map(_completes, blocks_of(stmt))):
                for part in (stmt, *_parts(stmt)):
                    for field in ("body", "orelse"):
                        if isinstance(block := getattr(part, field, None), list):
                            setattr(part, field, self.plain(block))
                out.append(stmt)
            else:
                return [*out, *self.tail(stmts[index:], outermost)]
        return out

    def tail(self, stmts: Sequence[Any], outermost: bool) -> list[Any]:
        """The rest of a plain block from the first statement that may return on."""
        origin = stmts[0]
        if self.has_values and not always_leaves(stmts):
            stmts = [*stmts, statement("return None", origin)]
        before, self.flag_used = self.flag_used, False
        out = self.block(stmts, False)
        if self.flag_used:
            out.insert(0, self.set_flag(False, origin))
        self.flag_used = before
        if self.has_values:
            leave = statement("return value_", origin)
            leave.value = name(self.value, origin)
            out.append(leave)
        elif not outermost:
            out.append(statement("return", origin))
        return out

    def inside(self, stmt: Any, needed: bool) -> None:
        if isinstance(stmt, LOOPS):
            stmt.body = self.loop(stmt.body, needed)
            stmt.orelse = self.block(stmt.orelse, needed)
        else:
            super().inside(stmt, needed)

    def loop(self, stmts: Sequence[Any], needed: bool) -> list[Any]:
        """The body of a loop, in which `return` is `break` and more."""
        out: list[Any] = []
        for stmt in stmts:
            if isinstance(stmt, gast.Return):
                leave = [
                    each for each in self.emit(stmt, needed) if not isinstance(each, gast.Pass)
                ]
                return [*out, *leave, statement("break", stmt)]
            out.append(stmt)
            if not contains(stmt, gast.Return):
                continue
            inner = isinstance(stmt, LOOPS) and any(contains(s, gast.Return) for s in stmt.body)
            abandons = isinstance(stmt, TRIES) and any(may_abandon(s, self.kind) for s in stmt.body)
            for part in (stmt, *_parts(stmt)):
                if isinstance(getattr(part, "body", None), list):
                    part.body = self.loop(part.body, needed or inner)
                if getattr(part, "orelse", None):
                    part.orelse = self.loop(part.orelse, needed)
            if abandons and needed:
                for handler in stmt.handlers:
                    handler.body.insert(0, self.set_flag(False, handler))
            if inner:
                leave = statement("if flag_:\n    break", stmt, flag_=self.flag)
                out.append(leave)
        return out


def _parts(stmt: Any) -> tuple[Any, ...]:
    return (*getattr(stmt, "handlers", ()), *getattr(stmt, "cases", ()))


def _completes(stmts: Sequence[Any]) -> bool:
    """Whether a plain block can return by itself wherever it returns."""
    for index, stmt in enumerate(stmts):
        if isinstance(stmt, gast.Return):
            return True
        if not contains(stmt, gast.Return):
            continue
        if not (_is_plain(stmt) and all(map(_completes, blocks_of(stmt)))):
            return always_leaves(stmts[index:])
    return True
