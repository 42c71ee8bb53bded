"""Loops are recorded until the types of what they carry settle."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from agir.autograph.operators import Place, State
from agir.errors import StagingError
from agir.ir import hooks
from agir.ir import trace as traces
from agir.ir.cells import Cell, Scope
from agir.ir.control_flow import effects, expected
from agir.ir.control_flow.carried_layouts import Arriving
from agir.ir.control_flow.regions import changed, contents_of, refusal, store
from agir.ir.journal import extended, holds
from agir.ir.trace import Trace
from agir.ir.values import objects, one_array, slots, text
from agir.ir.values.alike import share_extents
from agir.ir.values.kinds import note_lengths
from agir.ir.values.shared_arrays import begun, with_sharing
from agir.ir.values.slots import GROWING_TEXT, JoinError, Slot

_ROUNDS = 8


@dataclass
class Recorded:
    """A loop that waits for its operation.

    ``close`` makes it, given the variables before the loop, and gives those after it.
    """

    widened: list[Slot]
    """The slots that the back edge asks for."""
    close: Callable[[Sequence[Any]], tuple[Any, ...]]
    begun: tuple[tuple[Any, ...], ...]
    """What the variables are where a turn begins, in the test and in the body."""
    left: tuple[Any, ...]
    """What the body leaves in the variables."""


def settle(trace: Trace, state: State, record: Callable[[State, list[Slot]], Recorded]) -> None:
    """Record a loop until the types of what it carries settle, then make its operation.

    A place that the body writes to is found while it is recorded, and carried from then on.
    """
    last, now = expected.begin(trace)
    places, inside = list(last.places), last.inside
    carried: list[Slot] | None = None
    started: list[Slot] = []
    changing: dict[str, Slot] = {}
    effects.enter_lists(trace, state)
    before = state.get()
    for _ in range(_ROUNDS):
        whole = with_sharing(trace, extended(state, places, store(trace)))
        state.set(before)
        initial = whole.get()
        if carried is None:
            started = loop_slots(trace, initial, trace.scope)
            carried = expected.widened(trace, whole, started, last)
        carried = begun(trace, initial, carried, trace.scope)
        unchecked, checks = trace.unchecked_loops, len(trace.sites)
        with trace.journal.frame() as frame:
            try:
                with expected.recording(trace, inside) as recording:
                    loop = record(_telling_copies(trace, whole, state, places), carried)
                inside = recording.now
            except BaseException:
                state.set(before)  # what the variables hold is of a region that will not be
                raise
            kept = effects.of(trace, frame)
            known = {place.key for place, _ in kept} | {place.key for place in places}
            found = [
                place
                for place in changed(frame)
                if place.key not in known and not holds(state, place)
            ]
            after = [slots.frozen(place.get()) for place in found]
            noted = [note.place for note in frame.noted.values()]
            within = list(frame.inside.values())
            entered = effects.entered(frame)
            ends = contents_of([*places, *found])
            end = len(trace.sites)
        state.set(before)
        written = [*places, *found]
        growing = [each for each in written if effects.grows([each.get(), ends[each.key]])]
        if effects.enter_before(trace, state, written, entered, growing):
            carried = None  # what the loop begins with is something else
            places = written
            if not trace.tries:
                trace.forget_sites(checks, end)
            continue
        if not found and loop.widened == carried and not _can_hang(trace, unchecked):
            initial = whole.get()
            expected.note(trace, now, whole.names, started, carried, places, inside)
            closed = loop.close(initial)
            Arriving(closed, initial, loop.left)
            whole.set(closed)
            _mark(trace, state, places, initial, loop)
            effects.check_turn(trace, [*noted, *_in_standing(trace, within, loop)])
            note_lengths(trace, noted)
            effects.keep(trace, kept)
            return
        changing = {
            name: slot
            for name, slot, old in zip(whole.names, loop.widened, carried, strict=False)
            if slot != old
        }
        if not trace.tries:
            trace.forget_sites(checks, end)
        if objects.grow_without_end(trace, loop.widened):
            break
        entry = loop_slots(trace, [place.get() for place in found], trace.scope)
        names = [place.name for place in found]
        carried = [*loop.widened, *widen(trace, names, entry, after, trace.scope)]
        started += entry
        places += found
    raise StagingError(trace.explain(_unsettled(changing)))


def _mark(
    trace: Trace,
    state: State,
    places: Sequence[Place],
    initial: Sequence[Any],
    loop: Recorded,
) -> None:
    """Note which objects of the variables are elsewhere as well, after the loop and in its turns."""
    end = len(initial)
    first = end - len(places)
    own = slice(first - len(state.names), first)
    keys = [place.key for place in places]
    start, left, *turns = (
        (values[own], dict(zip(keys, values[first:end], strict=True)))
        for values in (initial, loop.left, *loop.begun)
    )
    after = state.get(), contents_of(places)
    for (values, held), paths in ((after, (start, left)), *((turn, (left,)) for turn in turns)):
        variables, written = [each for each, _ in paths], [each for _, each in paths]
        others = [each.values() for each in written]
        effects.mark_copies(trace, state.names, variables, values, again=True, written=others)
        effects.mark_places(trace, variables, written, places, held, again=True)


def _in_standing(trace: Trace, places: Sequence[Place], loop: Recorded) -> list[Place]:
    """The places among those in what a turn begins with, or what stands for it."""
    begun = trace.journal.perhaps(value for values in loop.begun for value in values)
    return [place for place in places if id(place.owner) in begun]


def _telling_copies(trace: Trace, whole: State, state: State, places: Sequence[Place]) -> State:
    """The state, whose body is told which of the objects that it gets are elsewhere as well."""
    before, held = state.get(), contents_of(places)

    def put(values: tuple[Any, ...]) -> None:
        whole.set(values)
        written = [held.values()]
        effects.mark_copies(trace, state.names, [before], state.get(), again=True, written=written)
        effects.mark_places(trace, [before], [held], places, contents_of(places), again=True)

    return State(whole.get, put, whole.names, whole.keep)


def loop_slots(trace: Trace, values: Sequence[Any], outer: Scope) -> list[Slot]:
    """The slots of what a loop begins with."""
    found = [slots.slot_of(trace, value, outer) for value in values]
    return share_extents([slot.outside(outer) for slot in found], [found])


def widen(
    trace: Trace,
    names: Sequence[str],
    before: Sequence[Slot],
    after: Sequence[Any],
    outer: Scope,
) -> list[Slot]:
    """The slots joined with those of the values that the body leaves."""
    entering = [slot.value if isinstance(slot, slots.Static) else None for slot in before]
    try:
        with one_array.meeting(trace, names, [entering, list(after)]):
            if trace.convention.arrays_are_mutable and not trace.tracks_arrays:
                one_array.watch_views(trace, after, outer)
            left = [slots.slot_of(trace, value, outer) for value in after]
            joined = [
                coded(trace, slots.join(name, slot, other)).outside(outer)
                for name, slot, other in zip(names, before, left, strict=True)
            ]
        return share_extents(joined, [before, left])
    except JoinError as error:
        raise refusal(trace, error) from None


def coded(trace: Trace, slot: Slot) -> Slot:
    """The slot; that of any text, where each iteration may leave another one."""
    return hooks.text_slot() if trace.codes_text and may_grow(slot) else slot


def may_grow(slot: Slot | None) -> bool:
    """Whether it is one of several texts, which may become ever more."""
    if slot is None or type(slot) is slots.Static:
        return False
    return slot.settling is GROWING_TEXT


def restore_cells(trace: Trace, cells: Sequence[Cell], results: Sequence[Any]) -> None:
    """Give the cells of the loop what it leaves in them."""
    for cell, result in zip(cells, results, strict=True):
        trace.scope.write(cell, result)


def _unsettled(changing: Mapping[str, Slot]) -> str:
    users = {name: slot for name, slot in changing.items() if " " not in name} or changing
    if any(slot.settling is GROWING_TEXT for slot in users.values()):
        text.need_codes(traces.current())
    advice = dict.fromkeys(slot.settling for slot in users.values())
    which = ", ".join(map(repr, users)) or "a variable"
    return f"the types of {which} keep changing from one iteration to the next: {'; '.join(advice)}"


def _can_hang(trace: Trace, unchecked: int) -> bool:
    """True where a body can fail after an inner ``while`` that was recorded before it could."""
    return trace.error is not None and trace.unchecked_loops > unchecked
