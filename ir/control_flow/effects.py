"""Side effects on Python objects that a branch or loop cannot carry to run time.

A list, dict or set from outside of the traced function that gains or loses items in a staged branch
or loop does so once, while tracing, with a warning; for one made in the function it is an error.  An
object that still holds run-time values when the trace ends is told of, too.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from agir.autograph.operators import Attribute, Contents, Entry, Place
from agir.errors import SideEffectWarning, StagingError
from agir.ir import structure
from agir.ir.journal import Frame, Note
from agir.ir.locations import warn_once
from agir.ir.staged import Staged
from agir.ir.symbolic import SymbolicTensor
from agir.ir.trace import Trace
from agir.ir.values.items import Items
from agir.ir.values.lists import TracedList
from agir.ir.values.slots import unchanged


def has_run_time_values(value: Any) -> bool:
    """True for a run-time value, and a container of one."""
    if isinstance(value, (set, frozenset)):
        return any(map(has_run_time_values, value))
    leaves, _ = structure.flatten(value)
    return any(
        isinstance(leaf, (SymbolicTensor, Staged)) and not getattr(leaf, "outlives_traces", False)
        for leaf in leaves
    )


def check(trace: Trace, place: Place) -> None:
    """Refuse a write that copies of the object in lists of run-time length would not see."""
    if trace.journal.is_copied(place.owner):
        raise StagingError(
            trace.explain(
                f"{place.name} is written to, of an object that has a copy: as an item of a list of "
                "run-time length, or of a variable that only some paths assign anew; make a new "
                "object, and assign it where it is needed"
            )
        )


def mark_copies(
    trace: Trace, names: Sequence[str], before: Sequence[Any], after: Sequence[Any]
) -> None:
    """Note the objects that a branch or loop has rebound, and that go by another name as well.

    The variable may hold the old object or a new one; what stands for both is a third.
    """
    for name, old, new in zip(names, before, after, strict=True):
        if old is new or not (structure.is_mutable(old) and structure.is_mutable(new)):
            continue
        if _other_names(trace, name, old):
            trace.journal.copied(old)
            trace.journal.copied(new)


def _other_names(trace: Trace, name: str, value: object) -> bool:
    return any(
        each is value and other != name
        for frame in trace.frames()
        for other, each in frame.f_locals.items()
    )


def of(trace: Trace, frame: Frame) -> list[tuple[Place, Any]]:
    """The containers that a region has changed otherwise than item by item, and their contents."""
    return [
        (note.place, after)
        for note in frame.noted.values()
        if _is_effect(trace, note, after := note.place.get())
    ]


def _is_effect(trace: Trace, note: Note, after: Any) -> bool:
    place = note.place
    if not isinstance(place, Contents) or isinstance(place.owner, TracedList):
        return False
    if isinstance(note.before, Items) or isinstance(after, Items):
        return False
    one, other = structure.children(note.before), structure.children(after)
    if one is not None and other is not None and one[0] == other[0]:
        return False
    if one is None and note.before == after:
        return False
    if trace.journal.is_made_here(place.owner):
        raise StagingError(
            f"{place.name}, made in the traced function, gains or loses items in a branch or loop "
            "that depends on run-time values: use a list, or a dict of known keys"
            + (f"\n  at {note.line}" if note.line is not None else "")
        )
    warn(
        f"{place.name} changes once, while the branch or loop around is traced, and not when it "
        "runs: it was not made in the traced function; make it there, and return it",
        note.line,
    )
    return True


def keep(trace: Trace, effects: Sequence[tuple[Place, Any]]) -> None:
    """Have the containers changed for good."""
    for place, contents in effects:
        trace.journal.note(place)
        place.set(contents)


def warn_of_leaks(trace: Trace) -> None:
    """At the end of a trace, tell of objects that live on with its symbols in them."""
    for note in trace.journal.frames[0].noted.values():
        place = note.place
        known = isinstance(place, Attribute | Entry) or _is_outside(trace, place)
        after = place.get() if known else None
        if unchanged(note.before, after) or not has_run_time_values(after):
            continue
        what = "gets" if isinstance(place, Contents) else "is assigned"
        warn(
            f"{place.name} {what} a run-time value: that happens once, while the function is "
            "traced, and the symbol that it then holds is of no use outside; return the value "
            "instead",
            note.line,
        )


def _is_outside(trace: Trace, place: Place) -> bool:
    return isinstance(place, Contents) and not (
        isinstance(place.owner, TracedList) or trace.journal.is_made_here(place.owner)
    )


def warn(message: str, line: Any) -> None:
    """Warn of a side effect, once for each line of the user's."""
    warn_once(message, SideEffectWarning, line)
