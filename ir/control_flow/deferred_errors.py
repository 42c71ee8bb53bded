"""Errors that are certain while a branch or loop is traced that may not run.

A read of a name that surely has no value, an index that no list of that length has, the length of a
number: Python raises while the region is traced.  At run time the error is raised only where control
gets there, so it becomes a check that fails, which ends the region.
"""

from __future__ import annotations

import linecache
import re
from collections.abc import Callable

from agir.errors import AgirError, AxisError, UsageError, message
from agir.ir.building import locations
from agir.ir.building.checks import Site
from agir.ir.building.types import bool_
from agir.ir.emission import failing
from agir.ir.tensors import mistakes
from agir.ir.tracing.trace import Trace, without_place

_NAME = re.compile(r"(?:local|free) variable '(\w+)'")


def _unbound(error: Exception) -> tuple[str, str] | None:
    found = _NAME.search(message(error))
    return ("unbound", found[1]) if found is not None else None


def _as_kind(kind: str) -> Callable[[Exception], tuple[str, str] | None]:
    return lambda error: (kind, without_place(message(error)))


_KINDS: dict[type[Exception], Callable[[Exception], tuple[str, str] | None]] = {
    ValueError: _as_kind("argument"),  # NumPy's error of axes is an IndexError, too
    NameError: _unbound,
    AttributeError: _as_kind("attribute"),
    IndexError: _as_kind("no_item"),
    KeyError: _as_kind("key"),
    TypeError: _as_kind("type"),
    ZeroDivisionError: _as_kind("deferred_division"),
    OverflowError: _as_kind("overflow"),
}
"""The kind of the site, and what its message needs to know."""


def record(trace: Trace, error: BaseException) -> bool:
    """Record an exception as one of run time; False for one that tells of the recording itself."""
    if failing.is_failure(trace, error):
        failing.record(trace, error)
        return True
    return (
        isinstance(error, Exception)
        and not mistakes.is_mistake(error)
        and not getattr(error, "needs_sizes", False)  # a trace for each shape may do without it
        and (isinstance(error, UsageError) or not isinstance(error, AgirError))
        and not _is_of_the_graph(trace, error)
        and _record_as_check(trace, error)
    )


def _is_of_the_graph(trace: Trace, error: Exception) -> bool:
    """Whether it is raised while tracing, as TensorFlow does for shapes that do not fit anywhere."""
    of_shapes = isinstance(error, ValueError) and not isinstance(error, AxisError)
    return of_shapes and not trace.convention.arrays_are_mutable


def _record_as_check(trace: Trace, error: Exception) -> bool:
    kind = next((_KINDS[each] for each in type(error).__mro__ if each in _KINDS), None)
    found = kind(error) if kind is not None else None
    frames = locations.frames_of(error)
    places = [locations.position(each) for each in frames]
    if not places and isinstance(error, LookupError):  # in a function of agir's own, like heappop
        places = [locations.position(each) for each in trace.frames()]
        places = places or [each for each in (trace.definition,) if each is not None]
    if found is None or not places:
        return False
    place = places[0]
    text = linecache.getline(place.file, place.line).strip()
    site = Site(found[0], place, text, found[1:], is_deferred=True)
    with trace.at(locations.location_of(places)):
        trace.guard(trace.constant(bool_, False), site)
    failing.note_deferred(trace, error)
    return True
