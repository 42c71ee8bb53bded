"""A `finally` clause that a jump leaves, which drops an exception, becomes two clauses.

::

    try:                        try:
        a()                         a()
    finally:                    except BaseException:
        if b():                     if b():
            break                       break
                                    raise
                                else:
                                    if b():
                                        break

What jumps out of ``a()`` sets a flag, and the jump follows the statement.  This is done before any
other jump is rewritten.
"""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import Any

import gast

from agir.autograph.converters.common.jumps import Lowering, blocks_of, contains
from agir.autograph.converters.leaving.return_statements import note_returns
from agir.autograph.pyct.naming import Namer
from agir.autograph.pyct.templates import name, replace, statement

JUMPS = (gast.Return, gast.Break, gast.Continue)

SPLIT = """
try:
    inner_
except BaseException:
    last_
    raise
else:
    last_again_
"""


def may_drop(stmt: Any) -> bool:
    """Whether a jump can leave the `finally` clause of a statement."""
    return _leaves(getattr(stmt, "finalbody", ()))


def _leaves(stmts: Sequence[Any]) -> bool:
    return any(contains(each, kind) for each in stmts for kind in JUMPS)


def lower_finally(stmts: Sequence[Any], namer: Namer) -> list[Any]:
    """A block in which no jump leaves a `finally` clause."""
    out: list[Any] = []
    for stmt in stmts:
        for block in blocks_of(stmt):
            block[:] = lower_finally(block, namer)
        out += _split(stmt, namer) if isinstance(stmt, gast.Try) and may_drop(stmt) else [stmt]
    return out


def _split(stmt: Any, namer: Namer) -> list[Any]:
    last, stmt.finalbody = stmt.finalbody, []
    inner = [stmt] if stmt.handlers else stmt.body
    before: list[Any] = []
    after: list[Any] = []
    for kind in JUMPS:
        if any(contains(each, kind) for each in inner):
            inner, flag, jump = _without(kind, inner, namer, stmt)
            before.append(flag)
            after.append(jump)
    again = copy.deepcopy(last)
    split = replace(SPLIT, stmt, inner_=inner, last_=last, last_again_=again)
    return [*before, *split, *after]


def _without(kind: Any, stmts: list[Any], namer: Namer, stmt: Any) -> tuple[list[Any], Any, Any]:
    """The block without jumps of a kind, and what stands before and after it."""
    jump = gast.copy_location(kind(), stmt)
    if kind is gast.Return:
        block, lowering, value = note_returns(stmts, namer)
        jump.value = name(value, stmt)
    else:
        lowering = Lowering(namer.fresh("leave_"), kind)
        block = lowering.block(stmts, True)
    after = statement("if flag_:\n    jump_", stmt, flag_=lowering.flag, jump_=[jump])
    return block, lowering.set_flag(False, stmt), after
