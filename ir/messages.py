"""Checks whose message holds run-time values: the text is made when the check fails."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from agir.autograph.operators import State, skip
from agir.ir import callbacks, control_flow, emit, hosts, structure, template
from agir.ir.symbolic import SymbolicTensor
from agir.ir.text import StagedText
from agir.ir.trace import Site, Trace
from agir.ir.types import bool_, int64


def fail_with_text(trace: Trace, ok: Any, kind: str, message: object, *extra: Any) -> None:
    """Check ``ok`` (i1) at run time; where it is the first to fail, its site gets the message.

    ``message`` is any object: a text, a tensor, a structure that holds some.  It becomes
    ``site.extra[0]``, with the values of the failing moment, and ``extra`` what follows.
    """
    fail_with(trace, ok, kind, lambda: message, *extra)


def fail_with(trace: Trace, ok: Any, kind: str, make: Callable[[], object], *extra: Any) -> None:
    """The same for a message that is made only where the check fails.

    What ``make`` records is executed only then; a check that fails in it comes first.
    """
    place = trace.site(kind)
    number, message = _made_on_failure(trace, ok, make)
    deferred = number is not None
    site = Site(kind, place.place, place.text, (message, *extra), deferred)
    trace.guard(ok, site, number)


def _made_on_failure(trace: Trace, ok: Any, make: Callable[[], object]) -> tuple[Any, Any]:
    """The number under which the host keeps the message (i64), or None and the message."""
    held: list[Any] = [0, None]

    def failing() -> None:
        held[1] = make()
        if _is_run_time(held[1]):
            held[0] = _kept(trace, held[1])

    def restore(values: tuple[Any, ...]) -> None:
        held[0] = values[0]

    state = State(lambda: (held[0],), restore, ("the message",))
    control_flow.if_stmt(trace, _fails_now(trace, ok), failing, skip, state)
    number = held[0]
    return (number.ssa, None) if isinstance(number, SymbolicTensor) else (None, held[1])


def _fails_now(trace: Trace, ok: Any) -> SymbolicTensor:
    """Whether the check is broken, and nothing was before."""
    i1 = bool_.mlir()
    now = trace.op("arith.xori", i1, ok, trace.constant(bool_, True))
    before = trace.failing()
    if before is not None:
        fine = trace.compare("eq", before, trace.constant(int64, 0))
        now = trace.op("arith.andi", i1, now, fine)
    return trace.make(now, bool_, ())


def _is_run_time(message: object) -> bool:
    return any(isinstance(leaf, SymbolicTensor) for leaf in structure.flatten(message)[0])


def _kept(trace: Trace, message: object) -> SymbolicTensor:
    """Have the host make the message, and keep it under a number."""
    leaves, key = structure.flatten(message)
    places = [i for i, leaf in enumerate(leaves) if isinstance(leaf, SymbolicTensor)]
    values = [emit.lift(trace, leaves[i]) for i in places]
    attributes = {}
    if isinstance(message, StagedText):
        attributes[hosts.TEXT] = template.encode(message.template.pieces)
    build = _builder(key, leaves, places)
    i64 = int64.mlir()
    (number,) = callbacks.record(trace, "message", values, attributes, (i64,), build)
    return trace.make(number, int64, ())


def _builder(
    key: Any, leaves: Sequence[Any], places: Sequence[int]
) -> Callable[[Sequence[Any]], Any]:
    """The function that puts values into the message."""
    constant = [None if i in places else leaf for i, leaf in enumerate(leaves)]
    weak = [bool(leaves[i].weak and not leaves[i].dims) for i in places]

    def build(values: Sequence[Any]) -> Any:
        filled = list(constant)
        for place, value, is_weak in zip(places, values, weak, strict=True):
            filled[place] = value.item() if is_weak else value
        return structure.unflatten(key, iter(filled))

    return build
