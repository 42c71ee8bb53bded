"""Handlers of what a Python function raises when the program calls it: its class is known only then."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from agir.autograph.operators import State, no_state, skip
from agir.ir import control_flow
from agir.ir.building.types import bool_, int64
from agir.ir.emission import failing
from agir.ir.host import callbacks, template
from agir.ir.tracing.trace import Trace
from agir.ir.values.text import StagedText


def is_any(
    trace: Trace,
    matched: Sequence[int],
    perhaps: Sequence[int],
    classes: tuple[type[BaseException], ...],
    record: Sequence[Any] | None = None,
) -> Any:
    """Whether what is failing is one of the first sites, or one of the others with such a class (i1).

    The others are calls of Python functions; the host tells the class of what it keeps.  ``record``
    is the error record that is asked for, if not that of now.
    """
    if record is None:
        assert trace.error is not None
        record = [trace.scope.read(cell) for cell in trace.error.cells]
    found = failing.is_any(trace, matched, record[0]) if matched else None
    if not perhaps:
        return found
    fitting = _fits(trace, perhaps, classes, record)
    return fitting if found is None else trace.op("arith.ori", found.type, found, fitting)


def _fits(
    trace: Trace,
    sites: Sequence[int],
    classes: tuple[type[BaseException], ...],
    record: Sequence[Any],
) -> Any:
    number = trace.make(record[1], int64, ())
    held: list[Any] = [trace.make(trace.constant(int64, 0), int64, ())]

    def ask() -> None:
        (found,) = callbacks.record(trace, "match", [number], {}, (int64.mlir(),), given=classes)
        held[0] = trace.make(found, int64, ())

    def restore(values: tuple[Any, ...]) -> None:
        held[0] = values[0]

    state = State(lambda: (held[0],), restore, ("whether the class fits",))
    with trace.at_user_line():
        failed = trace.make(failing.is_any(trace, sites, record[0]), bool_, ())
        control_flow.if_stmt(trace, failed, ask, skip, state)
        return trace.compare("ne", held[0].ssa, trace.constant(int64, 0))


def text(trace: Trace, record: Sequence[Any], conversion: str, spec: str) -> StagedText:
    """What the exception of an error record says: made now, since the host may drop it."""
    number = trace.make(record[1], int64, ())
    with trace.at_user_line():
        (kept,) = callbacks.record(
            trace, "text", [number], {}, (int64.mlir(),), given=(conversion, spec)
        )
    gap = template.Gap(0, template.KEPT)
    return StagedText(template.template((gap,)), (trace.make(kept, int64, ()),))


def forget(trace: Trace, sites: Sequence[int], record: Sequence[Any]) -> None:
    """At the end of a handler: have the host drop the exception, unless it is raised again."""
    hosts = [number for number in sites if trace.sites[number - 1].kind == failing.HOST]
    if not hosts:
        return
    number = trace.make(record[1], int64, ())

    def drop() -> None:
        callbacks.record(trace, "forget", [number], {})

    with trace.at_user_line():
        failed = trace.make(failing.is_any(trace, hosts, record[0]), bool_, ())
        control_flow.if_stmt(
            trace, failed, lambda: callbacks.unless_failed(trace, drop), skip, no_state
        )
