"""Loops over what Python knows while tracing: recorded as one loop, or unrolled.

A short loop is unrolled: Python runs it, and every iteration is recorded.  A longer one is recorded
whole, unless the analysis of its body, which is run once with a symbol for the counter, finds that
it cannot be: that it needs the counter as a Python integer (to index a list of tensors, for a
shape), or has nothing to do with run-time values.  `set_loop_options` decides by hand.
"""

from __future__ import annotations

import logging
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from agir.autograph.operators import LoopOptions, State
from agir.config import config
from agir.errors import OperatorNotAllowedInGraphError, StagingError, UnrollWarning
from agir.ir import control_flow, iteration
from agir.ir.items import Items
from agir.ir.journal import Frame
from agir.ir.tensor import Tensor
from agir.ir.trace import Trace

_log = logging.getLogger("agir.autograph")

LIST_LIMIT = 64
"""Loops of up to so many iterations are unrolled if that keeps the length of a list known."""
WARN_LIMIT = 1_000
"""Longer loops are unrolled with a warning only, ..."""
REFUSE_LIMIT = 20_000
"""... and these not at all, unless `set_loop_options` says so."""

_warned: set[tuple[str, int]] = set()


def offer(
    trace: Trace,
    iterated: Any,
    body: Callable[[Any], None],
    extra_test: Callable[[], Any] | None,
    state: State,
    options: LoopOptions,
    target: str,
) -> bool:
    """Record the loop and return True, or leave it to Python."""
    length = _length(iterated)
    if length is None:
        return False
    if options.unroll is True:
        _say(trace, f"a loop of {length} iterations is unrolled: its options ask for it")
        return False
    if options.unroll is None and length <= config.unroll_limit:
        return False
    if options.unroll is False:
        control_flow.for_stmt(trace, iterated, body, extra_test, state, target)
        return True
    reason = _attempt(trace, iterated, length, body, extra_test, state, target)
    if reason is None:
        _say(trace, f"a loop of {length} iterations is recorded as one loop")
        return True
    _unroll(trace, length, reason)
    return False


def _length(iterated: Any) -> int | None:
    """How many iterations there are, if the loop can be recorded at all."""
    if isinstance(iterated, range | iteration.Known):
        return len(iterated)
    if isinstance(iterated, (np.ndarray, Tensor)) and iterated.shape:
        return iterated.shape[0]
    return None


def _attempt(
    trace: Trace,
    iterated: Any,
    length: int,
    body: Callable[[Any], None],
    extra_test: Callable[[], Any] | None,
    state: State,
    target: str,
) -> str | None:
    """Try to record the loop; the reason why it cannot be, and nothing of it remains."""
    before, start, rolling = state.get(), len(trace.scope.recorded), trace.rolling
    every_call = trace.convention.arrays_are_mutable  # otherwise Python prints, while tracing
    effects = trace.scope.effects
    with trace.attempt() as attempt:
        trace.rolling = length <= WARN_LIMIT
        try:
            control_flow.for_stmt(trace, iterated, body, extra_test, state, target)
            computes = control_flow.reads_run_time_values(trace, start)
            computes = computes or (every_call and trace.scope.effects > effects)
            reason = _objection(length, attempt.frame) if computes else _NOTHING
        except OperatorNotAllowedInGraphError as error:
            reason = f"its body needs the counter as a Python integer ({_first_line(error)})"
        finally:
            trace.rolling = rolling
        if reason is not None:
            attempt.take_back()
    if reason is not None:
        state.set(before)
    return reason


def _objection(length: int, frame: Frame) -> str | None:
    grown = any(
        isinstance(note.place.get(), Items) and not isinstance(note.before, Items)
        for note in frame.noted.values()
    )
    if grown and length <= LIST_LIMIT:
        return "it makes a list, whose length stays known"
    return None


_NOTHING = "it computes nothing from run-time values"


def _first_line(error: Exception) -> str:
    return str(error).partition("\n")[0]


def _say(trace: Trace, message: str) -> None:
    if _log.isEnabledFor(logging.INFO):
        _log.info("%s", trace.explain(message))


def _unroll(trace: Trace, length: int, reason: str) -> None:
    """Say that a loop is unrolled, the louder the longer it is."""
    message = f"a loop of {length} iterations is unrolled: {reason}"
    _say(trace, message)
    if length <= WARN_LIMIT or reason is _NOTHING:
        return
    advice = (
        "index arrays instead of Python lists with the counter, or decide with "
        "ag.autograph.set_loop_options(unroll=True)"
    )
    if length > REFUSE_LIMIT:
        raise StagingError(
            trace.explain(f"a loop of {length} iterations would be unrolled: {reason}; {advice}")
        )
    frames = trace.frames()
    place = (frames[0].f_code.co_filename, frames[0].f_lineno) if frames else ("?", 0)
    if place not in _warned:
        _warned.add(place)
        warnings.warn_explicit(f"{message}; {advice}", UnrollWarning, *place)
