"""What `break`, `continue` and `return` have in common.

A jump becomes the assignment of a flag, and what it jumps over is run only if the flag is not set.
Where a branch always jumps, what follows is moved into the other branch instead ::

    if a:                       if a:
        continue                    pass
    b()                         else:
                                    b()
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import gast

from agir.autograph.pyct.templates import constant, name, statement

LOOPS = (gast.While, gast.For)
SCOPES = (gast.FunctionDef, gast.AsyncFunctionDef, gast.Lambda, gast.ClassDef)
STARS = (gast.TryStar,)
TRIES = (gast.Try, *STARS)


def blocks_of(stmt: Any) -> list[list[Any]]:
    """The statement lists of a compound statement of the same function."""
    if isinstance(stmt, SCOPES):
        return []
    blocks = [getattr(stmt, field, None) for field in ("body", "orelse", "finalbody")]
    parts = (*getattr(stmt, "handlers", ()), *getattr(stmt, "cases", ()))
    return [block for block in (*blocks, *(part.body for part in parts)) if block]


def own_statements(stmts: Iterable[Any]) -> Iterable[Any]:
    """All statements of a block that belong to the same function."""
    for stmt in stmts:
        yield stmt
        for block in blocks_of(stmt):
            yield from own_statements(block)


def contains(stmt: Any, kind: type) -> bool:
    """Whether a jump of this kind leaves the statement."""
    if isinstance(stmt, kind):
        return True
    if isinstance(stmt, LOOPS) and kind is not gast.Return:
        return any(contains(each, kind) for each in stmt.orelse)
    return any(contains(each, kind) for block in blocks_of(stmt) for each in block)


def always_leaves(stmts: Sequence[Any]) -> bool:
    """Whether control never reaches the end of the block."""
    return any(_leaves(stmt) for stmt in stmts)


def _leaves(stmt: Any) -> bool:
    if isinstance(stmt, gast.Return | gast.Break | gast.Continue | gast.Raise):
        return True
    if isinstance(stmt, gast.If):
        return always_leaves(stmt.body) and always_leaves(stmt.orelse)
    if isinstance(stmt, gast.While):
        forever = isinstance(stmt.test, gast.Constant) and bool(stmt.test.value)
        return forever and not any(contains(each, gast.Break) for each in stmt.body)
    if isinstance(stmt, TRIES):
        if always_leaves(stmt.finalbody):
            return True
        normally = always_leaves(stmt.body) or always_leaves(stmt.orelse)
        return normally and all(always_leaves(each.body) for each in stmt.handlers)
    return False


class Lowering:
    """Replaces one kind of jump in a block."""

    def __init__(self, flag: str, kind: type) -> None:
        self.flag = flag
        self.kind = kind
        self.flag_used = False

    def set_flag(self, value: bool, origin: Any) -> Any:
        """An assignment of the flag."""
        self.flag_used = True
        return statement("flag_ = value_", origin, flag_=self.flag, value_=constant(value, origin))

    def emit(self, jump: Any, needed: bool) -> list[Any]:
        """What takes the place of a jump; `needed` says whether the flag is looked at."""
        return [self.set_flag(True, jump) if needed else statement("pass", jump)]

    def block(self, stmts: Sequence[Any], needed: bool) -> list[Any]:
        """The block without jumps of the kind."""
        out: list[Any] = []
        for index, stmt in enumerate(stmts):
            rest = list(stmts[index + 1 :])
            if isinstance(stmt, self.kind):
                return [*out, *self.emit(stmt, needed)]
            out.append(stmt)
            if not contains(stmt, self.kind):
                continue
            if isinstance(stmt, gast.If) and self.branches(stmt, rest, needed):
                return out
            self.inside(stmt, needed or bool(rest))
            if rest:
                out.append(self.guard(stmt, self.block(rest, needed)))
            return out
        return out

    def branches(self, stmt: Any, rest: list[Any], needed: bool) -> bool:
        """Move what follows into the branch that goes on, if the other one never does."""
        ends, others_end = always_leaves(stmt.body), always_leaves(stmt.orelse)
        if not (ends or others_end):
            return False
        if not others_end:
            stmt.orelse = [*stmt.orelse, *rest]
        elif not ends:
            stmt.body = [*stmt.body, *rest]
        stmt.body = self.block(stmt.body, needed)
        stmt.orelse = self.block(stmt.orelse, needed)
        return True

    def inside(self, stmt: Any, needed: bool) -> None:
        """Replace the jumps in the blocks of a statement."""
        if isinstance(stmt, TRIES):
            self.attempt(stmt, needed)
            return
        for part in (stmt, *getattr(stmt, "cases", ())):
            for field in ("body", "orelse"):
                if isinstance(block := getattr(part, field, None), list):
                    setattr(part, field, self.block(block, needed))

    def attempt(self, stmt: Any, needed: bool) -> None:
        """Replace the jumps in a `try` statement."""
        jumps = any(contains(each, self.kind) for each in stmt.body)
        needed = needed or (jumps and bool(stmt.orelse))
        abandons = jumps and any(may_abandon(each, self.kind) for each in stmt.body)
        stmt.body = self.block(stmt.body, needed)
        for handler in stmt.handlers:
            body = self.block(handler.body, needed)
            # An exception on the way out cancels the jump.
            handler.body = [self.set_flag(False, handler), *body] if abandons and needed else body
        stmt.orelse = self.block(stmt.orelse, needed)
        if jumps and stmt.orelse:
            stmt.orelse = [self.guard(stmt.orelse[0], stmt.orelse)]

    def guard(self, origin: Any, stmts: list[Any]) -> Any:
        """``if not flag: stmts``, at the place of what ran before."""
        return statement("if not flag_:\n    stmts_", origin, flag_=self.flag, stmts_=stmts)

    def unless(self, origin: Any) -> Any:
        """``not flag``."""
        operand = name(self.flag, origin)
        return gast.copy_location(gast.UnaryOp(gast.Not(), operand), origin)


def may_abandon(stmt: Any, kind: type) -> bool:
    """Whether leaving by such a jump runs code of the user, which may raise."""
    leaving = isinstance(stmt, gast.With) or bool(getattr(stmt, "finalbody", None))
    if leaving and contains(stmt, kind):
        return True
    return any(may_abandon(each, kind) for block in blocks_of(stmt) for each in block)
