"""`continue` becomes a flag, where it cannot be an `else`."""

from __future__ import annotations

from typing import Any

import gast

from agir.autograph.converters.common.jumps import Lowering, contains
from agir.autograph.pyct.naming import Namer


def lower_continue(loop: Any, namer: Namer) -> None:
    """Rewrite the body of a loop in place."""
    if not any(contains(stmt, gast.Continue) for stmt in loop.body):
        return
    lowering = Lowering(namer.fresh("continue_"), gast.Continue)
    body = lowering.block(loop.body, False)
    if lowering.flag_used:
        body.insert(0, lowering.set_flag(False, loop))
    loop.body = body
