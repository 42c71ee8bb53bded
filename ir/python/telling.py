"""What a program tells while it runs: the standard streams, warnings, logs; and that it waits.

Under NumPy's conventions each call tells, in its order.  All of it is written as ``print`` writes: to a
file, or to what hands a text on.
"""

from __future__ import annotations

import logging
import sys
import time
import warnings
from collections.abc import Callable
from functools import partial
from typing import Any

from agir.autograph.operators import call
from agir.errors import StagingError
from agir.ir.building.locations import Position
from agir.ir.python.by_example import Call
from agir.ir.python.texts.printing import record_print
from agir.ir.python.texts.text_builtins import percent
from agir.ir.tracing.trace import Trace
from agir.ir.values import text

_LEVELS = {
    "debug": logging.DEBUG,
    "info": logging.INFO,
    "warning": logging.WARNING,
    "warn": logging.WARNING,
    "error": logging.ERROR,
    "critical": logging.CRITICAL,
    "fatal": logging.CRITICAL,
}
_OF_ROOT = {getattr(logging, name): level for name, level in _LEVELS.items()}


def find(trace: Trace, function: Any) -> Callable[..., Any] | None:
    """What records the calls of such a function; None for any other."""
    if not trace.convention.arrays_are_mutable:
        return None
    if function is time.sleep:
        return partial(_slept, trace)
    if function is warnings.warn:
        return partial(_warned, trace)
    if function in _OF_ROOT:
        return partial(_logged, trace, logging.getLogger(), _OF_ROOT[function])
    owner, name = getattr(function, "__self__", None), getattr(function, "__name__", "")
    if isinstance(owner, logging.Logger | logging.LoggerAdapter) and name in _LEVELS:
        return partial(_logged, trace, owner, _LEVELS[name])
    if owner is not None and (owner is sys.stdout or owner is sys.stderr):
        return partial(_OF_STREAMS[name], trace, owner) if name in _OF_STREAMS else None
    return None


def _slept(trace: Trace, seconds: Any) -> None:
    Call(trace, "sleep", (seconds,), {}).record(lambda: time.sleep, None)


def _write(trace: Trace, stream: Any, what: Any) -> Any:
    if type(what) is not str and not isinstance(what, text.StagedText) and not text.is_coded(what):
        raise TypeError(f"write() argument must be str, not {type(what).__name__}")
    record_print(trace, what, stream)
    return call(len, (what,))


def _write_lines(trace: Trace, stream: Any, lines: Any) -> None:
    for each in lines:
        record_print(trace, each, stream)


def _flush(trace: Trace, stream: Any) -> None:
    record_print(trace, "", stream, flush=True)


_OF_STREAMS: dict[str, Callable[..., Any]] = {
    "write": _write,
    "writelines": _write_lines,
    "flush": _flush,
}


class _Telling:
    """A file to which a text is written that somebody is told."""

    def __init__(self, tell: Callable[[str], None]) -> None:
        self.write = tell

    def flush(self) -> None:
        """Nothing: it has been told."""


def _warned(
    trace: Trace, message: Any, category: Any = None, stacklevel: int = 1, source: Any = None
) -> None:
    """``warnings.warn``: of the line that calls it, whatever called that."""
    if isinstance(message, Warning):
        category, message = type(message), str(message)
    category = category or UserWarning
    place = _place(trace)

    def warn(said: str) -> None:
        warnings.warn_explicit(said, category, place.file, place.line, source=source)

    record_print(trace, text.text_of(message, "s", ""), _Telling(warn))


def _logged(trace: Trace, logger: Any, level: int, message: Any, *args: Any, **kwargs: Any) -> None:
    """A method of a logger: it is asked for its level when the program runs."""
    if kwargs:
        given = ", ".join(kwargs)
        raise StagingError(trace.explain(f"a log message with {given} is not recorded"))
    said = message if type(message) is str else text.text_of(message, "s", "")
    if args:
        said = percent(said, args[0] if len(args) == 1 and isinstance(args[0], dict) else args)
    place = _place(trace)
    owner = logger.logger if isinstance(logger, logging.LoggerAdapter) else logger

    def log(said: str) -> None:
        if owner.isEnabledFor(level):
            if owner is not logger:
                said, _ = logger.process(said, {})
            owner.handle(
                owner.makeRecord(owner.name, level, place.file, place.line, said, (), None)
            )

    record_print(trace, said, _Telling(log))


def _place(trace: Trace) -> Position:
    return trace.place() or Position("unknown", 0, 0, "")
