"""`break` becomes a flag that the condition of the loop looks at; `else` follows the loop.

::

    while a():                  break_ = False
        if b():                 while not break_ and a():
            break                   if b():
    else:                               break_ = True
        c()                     if not break_:
                                    c()
"""

from __future__ import annotations

from typing import Any

import gast

from agir.autograph.converters.common.jumps import Lowering, contains
from agir.autograph.pyct.naming import Namer


def lower_break(loop: Any, namer: Namer) -> list[Any]:
    """The statements that take the place of a loop."""
    orelse, loop.orelse = loop.orelse, []
    if not any(contains(stmt, gast.Break) for stmt in loop.body):
        return [loop, *orelse]
    lowering = Lowering(namer.fresh("break_"), gast.Break)
    loop.body = lowering.block(loop.body, True)
    before = lowering.set_flag(False, loop)
    if isinstance(loop, gast.For):
        loop.extra_test = lowering.unless(loop)
    else:
        loop.test = _and(lowering.unless(loop.test), loop.test)
    after = [lowering.guard(loop, orelse)] if orelse else []
    return [before, loop, *after]


def _and(unless: Any, test: Any) -> Any:
    if isinstance(test, gast.Constant) and test.value:
        return unless
    return gast.copy_location(gast.BoolOp(gast.And(), [unless, test]), test)
