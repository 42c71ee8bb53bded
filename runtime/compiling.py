"""From the type of a call to a concrete function: tracing, once or twice."""

from __future__ import annotations

from typing import Any

from agir.config import config
from agir.runtime.concrete import ConcreteFunction
from agir.runtime.recording.traced import TracedFunction
from agir.runtime.recording.tracing import record
from agir.runtime.signatures.trace_types import CallType
from agir.runtime.state.captures import Initialiser


def concrete_function(
    traced: TracedFunction, kind: CallType, pattern: dict[str, Any], *, may_create: bool = False
) -> ConcreteFunction:
    """Trace for calls of a type whose ranks are known: twice, if that creates variables."""
    config.load_plugins()
    recorded = record(traced, pattern, kind, may_create=may_create)
    if not recorded.created:
        return ConcreteFunction(recorded, traced, kind, pattern)
    try:
        again = record(traced, pattern, kind)
        concrete = ConcreteFunction(again, traced, kind, pattern)
    except BaseException:
        recorded.forget()
        raise
    if computed := [each.variable for each in recorded.created if each.initial is not None]:
        initial = ConcreteFunction(recorded, traced, kind, pattern)
        concrete.initialiser = Initialiser(computed, initial.call_flat)
    recorded.settle()
    return concrete
