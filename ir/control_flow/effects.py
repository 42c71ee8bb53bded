"""Side effects on Python objects that a branch or loop cannot carry to run time.

A list, dict or set from outside of the traced function that gains or loses items in a staged branch
or loop does so once, while tracing, with a warning; for one made in the function it is an error.  An
object that still holds run-time values when the trace ends is told of, too.
"""

from __future__ import annotations

import dis
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from types import FrameType, FunctionType
from typing import Any

from agir.autograph.operators import (
    Attribute,
    Contents,
    Entry,
    FreeVariable,
    Place,
    State,
    Undefined,
)
from agir.errors import SideEffectWarning, StagingError
from agir.ir import hooks
from agir.ir.building.locations import warn_once
from agir.ir.building.types import is_python_number
from agir.ir.tensors import structure
from agir.ir.tensors.staged import Staged
from agir.ir.tensors.symbolic import SymbolicTensor, is_only_number
from agir.ir.tracing import opened
from agir.ir.tracing.journal import Frame, Note
from agir.ir.tracing.trace import Trace
from agir.ir.values.abstract_values import MaybeUnbound, unchanged
from agir.ir.values.alternatives.choices import Chosen
from agir.ir.values.alternatives.optional import presence, unchecked
from agir.ir.values.heap import kinds as kinds_of
from agir.ir.values.heap import objects
from agir.ir.values.heap.abstract_items import as_items
from agir.ir.values.heap.items import Items
from agir.ir.values.heap.kinds import ByReference
from agir.ir.values.heap.references import AbstractReference
from agir.ir.values.sequences.lists import TracedList, class_of

_MADE = re.compile(r"(if_body|else_body|loop_body|loop_test|get_state|set_state)(_\d+)?")
"""The functions that conversion makes of statements: one that is over reads nothing any more."""


_LEAK = (
    "{} {} a run-time value: that happens once, while the function is traced, and the symbol that it "
    "then holds is of no use outside; return the value instead"
)
_ONCE = (
    "{} changes once, while the function is traced, and not when it runs: it was not made in the "
    "traced function; make it there, and return it"
)
_PARTLY_ITEM = (
    "a list that {!r} names is put into another list on some paths only, and goes by another name, "
    "too: put it there as soon as it is made"
)


def has_run_time_values(value: Any) -> bool:
    """True for a run-time value, and a container of one."""
    if isinstance(value, (set, frozenset)):
        return any(map(has_run_time_values, value))
    leaves, _ = structure.flatten(value)
    return any(
        isinstance(leaf, (SymbolicTensor, Staged))
        and not getattr(type(leaf), "outlives_traces", False)
        for leaf in leaves
    )


def check(trace: Trace, place: Place) -> None:
    """Refuse a write that copies of the object in lists of run-time length would not see."""
    _check_extended(trace, place)
    if isinstance(place, Entry) and place.absence == "key" and _may_move(place.owner, place.entry):
        hooks.tables.become(trace, place.owner)
    if isinstance(place, Attribute):
        entries = place.entries
        if isinstance(entries, dict) and _may_move(entries, place.attribute):  # no class's
            _lose_order(trace, place.owner)
    if trace.journal.is_copied(place.owner):
        is_table = structure.is_own(type(place.owner))
        if trace.pools is None and (is_table or isinstance(place.owner, TracedList)):
            raise ByReference
        objects.need_table_of(trace, place.owner)
        objects.need(trace, type(place.owner))
        raise StagingError(
            trace.explain(
                f"{place.name} is written to, of an object that has a copy: as an item of a list of "
                "run-time length, or of a variable that only some paths assign anew; make a new "
                "object, and assign it where it is needed"
            )
        )


def _may_move(owner: dict[Any, Any], key: Any) -> bool:
    """Whether a key that is written to is perhaps there, before others, or else comes after them."""
    is_there = key in owner and presence(dict.get(owner, key)) is None
    return key in owner and not is_there and next(reversed(owner)) != key


def check_orders(trace: Trace, frames: Sequence[Frame]) -> None:
    """Have dicts be tables whose keys stand in an order that only the run time knows."""
    for frame in frames:
        for owner in frame.reordered():
            if isinstance(owner, dict):
                hooks.tables.become(trace, owner)
            else:
                _lose_order(trace, owner)


def _lose_order(trace: Trace, owner: Any) -> None:
    """Only the run time knows in which order an object got its attributes, and all of its class."""
    trace.journal.unordered.add(type(owner))
    _check_order(trace)


def attributes_of(trace: Trace, owner: Any, found: dict[str, Any]) -> dict[str, Any]:
    """The attributes of an object as a dict, in whose order they are."""
    trace.journal.belongs(found, owner)
    trace.journal.ordered.add(type(owner))
    _check_order(trace)
    return found


def _check_order(trace: Trace) -> None:
    for kind in trace.journal.ordered & trace.journal.unordered:
        raise StagingError(
            trace.explain(
                f"the attributes of a {kind.__name__} are asked for as a dict, and some paths set "
                "them in another order than others: set them in one order"
            )
        )


def _check_extended(trace: Trace, place: Place) -> None:
    """Refuse to change an object of the caller's of which only the class's own methods know all."""
    kind: Any = type(place.owner)
    if not isinstance(place, Contents | Entry) or not trace.convention.arrays_are_mutable:
        return
    if hasattr(kind, "stands_for") or kind.__module__ in ("builtins", "collections"):
        return
    if structure.is_of_a_program(kind) and not trace.journal.is_made_here(place.owner):
        base = next(each for each in kind.__mro__ if not structure.is_of_a_program(each))
        raise StagingError(
            trace.explain(
                f"a {kind.__name__}, which is a {base.__name__} of the program's own and was not made "
                f"in the traced function, is changed there: use a {base.__name__}, or an object that "
                "holds one"
            )
        )


def mark_copies(
    trace: Trace,
    names: Sequence[str],
    paths: Sequence[Sequence[Any]],
    after: Sequence[Any],
    again: bool = False,
    written: Sequence[Collection[Any]] = (),
) -> None:
    """Note the objects in variables that a branch or loop has rebound, and that are elsewhere as well.

    The variable may hold the old object or one that a path has bound it to; what stands for all of
    them is another one.  ``again`` tells that what has been read may be read again, by another
    iteration; ``written`` is what each path has left in the places that it writes to.
    """
    elsewhere = written or [()] * len(paths)
    for at, (name, new) in enumerate(zip(names, after, strict=True)):
        if is_only_number(new):
            continue
        for path, places in zip(paths, elsewhere, strict=True):
            others = [*places, *(each for place, each in enumerate(path) if place != at)]
            if name.startswith("retval") and isinstance(new, MaybeUnbound):
                continue  # where it is bound, nothing comes after
            for old, made in _rebound(path[at], new):
                _mark(trace, name, old, made, others, again)


def mark_places(
    trace: Trace,
    paths: Sequence[Sequence[Any]],
    written: Sequence[Mapping[Any, Any]],
    places: Sequence[Place],
    after: Mapping[Any, Any],
    again: bool = False,
) -> None:
    """The same for what is in the places that a branch or loop writes to, which are like variables.

    They are attributes, entries of dicts, and the items of lists; ``after`` is what they then hold.
    """
    known = [
        (place, new)
        for place in places
        if (new := _in_place(place, after[place.key]))
        and all(len(_in_place(place, each[place.key])) == len(new) for each in written)
    ]
    names = [place.name for place, new in known for _ in new]
    if any(_can_change(each) for _, new in known for each in new):
        ended = [[v for place, _ in known for v in _in_place(place, e[place.key])] for e in written]
        left = [value for _, new in known for value in new]
        mark_copies(trace, names, ended, left, again, written=paths)


def _can_change(value: Any) -> bool:
    """Whether a value is, or may be, an object that can change."""
    value = unchecked(value)
    if isinstance(value, Chosen):
        return any(map(_can_change, value._values))
    return structure.is_mutable(value)


def grows(contents: Sequence[Any]) -> bool:
    """Whether only the run time will know how many items a list has, given what paths leave in it."""
    lengths = {len(each) if type(each) is list else None for each in contents}
    return len(lengths) > 1


def contents_of_sequences(values: Sequence[Any]) -> Sequence[Any]:
    """What is in lists, or in tuples; nothing where some values are of other classes."""
    classes = set(map(class_of, values))
    if classes <= {list} or classes <= {tuple}:
        return [each.snapshot() if isinstance(each, TracedList) else list(each) for each in values]
    return ()


def _in_place(place: Place, value: Any) -> Sequence[Any]:
    """The values that a place holds: the items of a list, if that is known, or one."""
    if not isinstance(place, Contents):
        return (value,)
    return value if type(value) is list else ()


def _mark(trace: Trace, name: str, old: Any, new: Any, others: Sequence[Any], again: bool) -> None:
    """Note that an object stands for another one, if that is elsewhere as well."""
    known = [isinstance(each, Staged) and each.is_known_by_itself for each in (old, new)]
    if all(known):
        return
    trace.journal.stands(new, old)
    if trace.journal.is_copied(old):
        trace.journal.copied(new)
        return
    if (
        trace.is_elsewhere(old)
        or any(_holds(each, old) for each in others)
        or _other_names(trace, name, old, again)
    ):
        _know_by_itself(trace, name, old)
        if any(known):
            raise StagingError(trace.explain(_PARTLY_ITEM.format(name)))
        trace.journal.copied(old)
        trace.journal.copied(new)


def _know_by_itself(trace: Trace, name: str, value: Any) -> None:
    """Trace again with the lists of a variable known by themselves, if they have not been."""
    if trace.pools is None or not isinstance(value, TracedList):
        return
    objects.need_table_of(trace, value)
    kinds, variable = trace.pools.kinds, kinds_of.variable(trace.place(), name)
    if variable not in kinds.named:
        kinds.named.add(variable)
        raise ByReference(kinds)


Entered = tuple[TracedList, kinds_of.PointsToClass]
"""A list that is known by itself, and its kind."""


def enter_lists(trace: Trace, state: State, frame: Frame | None = None) -> None:
    """Know the lists of some variables, and of places written to, by themselves from now on."""
    notes = () if frame is None else frame.noted.values()
    _enter(trace, state, [note.place for note in notes])


def enter_items(trace: Trace, value: Any, name: str) -> bool:
    """The same for those in a list whose length only the run time will know; whether any is new."""
    return _as_items(trace, value, ("growing", name))


def has_values_to_enter(trace: Trace, values: Sequence[Any]) -> bool:
    """Whether there are lists in some values that could be known by themselves, and are not."""
    lists = (each for value in values for each in _staged(value))
    return trace.pools is not None and not all(each.is_known_by_itself for each in lists)


def entered(frame: Frame) -> list[Entered]:
    """The lists from before a region that are known by themselves at its end."""
    places = [note.place for note in frame.noted.values()]
    lists = [p.owner for p in places if isinstance(p, Contents) and type(p.owner) is TracedList]
    return [(each, each.reference.kind) for each in lists if each.reference is not None]


def enter_before(
    trace: Trace,
    state: State,
    places: Sequence[Place],
    entered: Sequence[Entered],
    growing: Sequence[Place] = (),
) -> bool:
    """Know the lists by themselves that a region, put back now, has to know so: before it begins.

    Where the region itself did that, each of a list's names would get a list of its own.  Says
    whether there were any.
    """
    inner = [enter_items(trace, place.get(), place.name) for place in growing]
    late = [(each, kind) for each, kind in entered if each.reference is None]
    for each, kind in late:
        each.become_item(trace, AbstractReference(kind), ())
    return _enter(trace, state, places) or bool(late) or any(inner)


def _enter(trace: Trace, state: State, places: Sequence[Place]) -> bool:
    if trace.pools is None or not (named := trace.pools.kinds.named):
        return False
    held = list(zip(state.names, state.get(), strict=True))
    held += [(place.name, each) for place in places for each in _in_place(place, place.get())]
    any_new, at = False, trace.place()
    for name, value in held:
        if isinstance(value, Undefined) or kinds_of.variable(at, name) not in named:
            continue
        any_new |= _as_items(trace, unchecked(value), ("named", name))
    return any_new


def _as_items(trace: Trace, value: Any, path: tuple[str, str]) -> bool:
    """Know the lists in a value by themselves; says whether one of them has not been."""
    new = [each for each in _staged(value) if not each.is_known_by_itself]
    as_items(trace, value, None, path)
    return any(each.is_known_by_itself for each in new)


def _staged(value: Any) -> Iterator[Staged]:
    if isinstance(value, Staged):
        yield value
    elif (found := structure.parts(value)) is not None:
        for each in found[1]:
            yield from _staged(each)


def _rebound(old: Any, new: Any) -> Iterator[tuple[Any, Any]]:
    """The objects of a path, each with the one that stands for it after the statement."""
    old, new = (unchecked(each.value if isinstance(each, MaybeUnbound) else each)
                for each in (old, new))  # fmt: skip
    if old is new:
        return
    if isinstance(old, Chosen) or isinstance(new, Chosen):
        made = new._values if isinstance(new, Chosen) else (new,)
        for each in old._values if isinstance(old, Chosen) else (old,):
            if not any(other is each for other in made):  # then it stands for itself
                for other in made:
                    yield from _rebound(each, other)
    elif isinstance(old, tuple) and isinstance(new, tuple) and len(old) == len(new):
        for one, other in zip(old, new, strict=True):
            yield from _rebound(one, other)
    elif structure.is_mutable(old) and structure.is_mutable(new):
        yield old, new


def _holds(owner: Any, value: object, depth: int = 4) -> bool:
    """Whether an object is another one, or has it in itself."""
    owner = unchecked(owner.value if isinstance(owner, MaybeUnbound) else owner)
    if owner is value:
        return True
    return depth > 0 and any(_holds(each, value, depth - 1) for each in _parts(owner))


def _parts(owner: Any) -> Sequence[Any]:
    """What a value consists of, or may be."""
    if isinstance(owner, Chosen):
        return owner._values
    found = structure.parts(owner)
    return () if found is None else found[1]


def check_iteration(trace: Trace, places: Sequence[Place]) -> None:
    """Refuse what an iteration of a loop has written to by now, and a later one would again."""
    for place in places:
        check(trace, place)


def _other_names(trace: Trace, name: str, value: object, again: bool) -> bool:
    return any(
        other != name and _holds(each, value) and (again or _is_read_later(frame, other))
        for frames in trace.functions_around()
        for frame in frames
        for other, each in frame.f_locals.items()
    )


def _is_read_later(frame: FrameType, name: str) -> bool:
    """Whether a function may read a variable after the statement that it is at.

    What another iteration of a loop reads of this one is no variable of the body's own.
    """
    if name in frame.f_code.co_freevars:
        return True
    named = (each for each in dis.get_instructions(frame.f_code) if each.offset > frame.f_lasti)
    if any(_reads(each, name) for each in named):
        return True
    functions = (each for each in frame.f_locals.values() if isinstance(each, FunctionType))
    return any(
        name in each.__code__.co_freevars and not _MADE.fullmatch(each.__name__)
        for each in functions
    )


def _reads(instruction: dis.Instruction, name: str) -> bool:
    found = instruction.argval
    is_named = found == name or (isinstance(found, tuple) and name in found)
    return is_named and instruction.opname not in ("STORE_FAST", "STORE_DEREF")


def of(trace: Trace, frame: Frame) -> list[tuple[Place, Any]]:
    """The containers that a region has changed otherwise than item by item, and their contents."""
    check_orders(trace, [frame])
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
    opened.open_(trace, place.owner)
    if isinstance(place.owner, dict | set):
        hooks.tables.become(trace, place.owner)
    if trace.journal.is_made_here(place.owner):
        raise StagingError(
            f"{place.name}, made in the traced function, gains or loses items in a branch or loop "
            "that depends on run-time values: use a list, or a dict of known keys"
            + (f"\n  at {note.line}" if note.line is not None else "")
        )
    warn(trace, _ONCE.format(place.name), note.line)
    return True


def keep(trace: Trace, effects: Sequence[tuple[Place, Any]]) -> None:
    """Have the containers changed for good."""
    for place, contents in effects:
        trace.journal.note(place)
        place.set(contents)


def warn_of_leaks(trace: Trace) -> None:
    """At the end of a trace, tell of objects that live on with its symbols in them."""
    is_once = trace.convention.arrays_are_mutable and not trace.creation
    for note in trace.journal.frames[0].noted.values():
        place = note.place
        known = isinstance(place, Attribute | Entry) or _is_outside(trace, place)
        after = place.get() if known else None
        if unchanged(note.before, after):
            continue
        is_placed = has_run_time_values(note.before)  # and has the items again that it had
        is_data = _is_data(after) and not is_placed
        if isinstance(place, Contents) and (is_data or has_run_time_values(after)):
            opened.open_(trace, place.owner)
        if has_run_time_values(after):
            what = "gets" if isinstance(place, Contents) else "is assigned"
            warn(trace, _LEAK.format(place.name, what), note.line)
        elif is_once and not is_placed and _is_outside(trace, place):
            warn(trace, _ONCE.format(place.name), note.line)


def _is_data(contents: Any) -> bool:
    """Whether a container holds nothing but numbers and text: calls change it as plain Python does."""
    is_set = isinstance(contents, set | frozenset)
    leaves, _ = structure.flatten(list(contents) if is_set else contents)
    return all(leaf is None or is_python_number(leaf) or type(leaf) is str for leaf in leaves)


def _is_outside(trace: Trace, place: Place) -> bool:
    return isinstance(place, Contents) and not (
        isinstance(place.owner, TracedList) or trace.journal.is_made_here(place.owner)
    )


def warn(trace: Trace, message: str, line: Any) -> None:
    """Warn of a side effect, once for each line of the user's; an error where Python can take over."""
    if trace.may_be_repeated:
        error = StagingError(message + (f"\n  at {line}" if line is not None else ""))
        error.place = line
        raise error
    warn_once(message, SideEffectWarning, line)


def refuse_what_is_left(trace: Trace) -> None:
    """At the end, refuse changes of objects of outside that would be made this once.

    Others belong to the trace: the program makes them at each call.
    """
    for note in trace.journal.frames[0].noted.values():
        place = note.place
        is_outside = _is_outside(trace, place) or isinstance(
            place, Attribute | Entry | FreeVariable
        )
        if is_outside and not unchanged(note.before, after := place.get()):
            if isinstance(place, Contents) and has_run_time_values(after):
                opened.open_(trace, place.owner)
            warn(trace, _ONCE.format(place.name), note.line)
