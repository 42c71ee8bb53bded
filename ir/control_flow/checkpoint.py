"""The option of a loop that says how much its gradient keeps, as an attribute of the operation."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from agir.ir.building import bindings
from agir.ir.tracing.trace import Trace

CHECKPOINT = "agir.checkpoint"
"""The attribute of a loop that says how it saves: ``sqrt``, ``log``, or a number of iterations."""

_KINDS = {None: None, False: None, True: "sqrt", "sqrt": "sqrt", "log": "log"}


def checked(trace: Trace, option: Any) -> str | None:
    """What an option means: how a loop saves, or None for one that saves all that is of use."""
    if isinstance(option, (bool, str, type(None))) and option in _KINDS:
        return _KINDS[option]
    if isinstance(option, int) and not isinstance(option, bool) and option > 0:
        return str(option)
    raise ValueError(
        trace.explain(
            f'checkpoint={option!r} of a loop: it is "sqrt" (or True), "log", a number of iterations, '
            "or None"
        )
    )


@contextmanager
def keeping(trace: Trace, option: Any) -> Iterator[None]:
    """Mark the loop that is recorded in this context."""
    kind = checked(trace, option)
    scope, start = trace.scope, len(trace.scope.recorded)
    yield
    if kind is None:
        return
    loops = [each for each in scope.recorded[start:] if each.name in ("scf.for", "scf.while")]
    for loop in loops[-1:]:
        loop.attributes[CHECKPOINT] = bindings.ir.StringAttr.get(kind)
