"""Loops are recorded until the types of what they carry settle."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from agir.autograph.operators import Place, State
from agir.errors import StagingError
from agir.ir import hooks
from agir.ir.building.cells import Cell, Scope
from agir.ir.control_flow import effects, expected
from agir.ir.control_flow.carried_layouts import Arriving
from agir.ir.control_flow.regions import changed, contents_of, refusal, store
from agir.ir.tracing import trace as traces
from agir.ir.tracing.journal import Frame, extended, holds
from agir.ir.tracing.trace import Trace
from agir.ir.values import abstract_values, text
from agir.ir.values.abstract_values import GROWING_TEXT, AbstractValue, JoinError
from agir.ir.values.arrays import one_array
from agir.ir.values.arrays.alike import share_sizes
from agir.ir.values.arrays.shared_arrays import begun, with_sharing
from agir.ir.values.heap import objects
from agir.ir.values.heap.kinds import learn_of_all, note_lengths
from agir.ir.values.sequences.abstract_lists import Listed

_ROUNDS = 8
_ROUNDS_OF_TEXTS = 4
"""So often texts may become more before they are taken to grow."""


@dataclass
class Recorded:
    """A loop that waits for its operation.

    ``close`` makes it, given the variables before the loop, and gives those after it.
    """

    widened: list[AbstractValue]
    """The abstract values that the back edge asks for."""
    close: Callable[[Sequence[Any]], tuple[Any, ...]]
    begun: tuple[tuple[Any, ...], ...]
    """What the variables are where an iteration begins, in the test and in the body."""
    left: tuple[Any, ...]
    """What the body leaves in the variables."""


def find_fixpoint(
    trace: Trace,
    state: State,
    record: Callable[[State, list[AbstractValue], Callable[[], list[Place]]], Recorded],
) -> None:
    """Record a loop until the types of what it carries settle, then make its operation.

    A place that the body writes to is found while it is recorded, and carried from then on; ``record``
    may ask whether there is one already.
    """
    last, now = expected.begin(trace)
    places, inside = list(last.places), last.inside
    carried: list[AbstractValue] | None = None
    started: list[AbstractValue] = []
    changing: dict[str, AbstractValue] = {}
    effects.enter_lists(trace, state)
    before = state.get()
    for number in range(_ROUNDS):
        whole = with_sharing(trace, extended(state, places, store(trace)))
        state.set(before)
        initial = whole.get()
        if carried is None:
            started = loop_abstracts(trace, initial, trace.scope)
            carried = expected.widened(trace, whole, started, last)
        carried = begun(trace, initial, carried, trace.scope)
        unchecked, checks = trace.unchecked_loops, len(trace.sites)
        with trace.journal.frame() as frame:
            try:
                with expected.recording(trace, inside) as recording:
                    told = _telling_copies(trace, whole, state, places)
                    more = partial(_to_carry_so_far, trace, frame, state, places)
                    loop = record(told, carried, more)
                inside = recording.now
            except BaseException:
                state.set(before)  # what the variables hold is of a region that will not be
                raise
            kept = effects.of(trace, frame)
            found = _to_carry(frame, kept, state, places)
            after = [abstract_values.frozen(place.get()) for place in found]
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
            effects.check_iteration(trace, [*noted, *_in_standing(trace, within, loop)])
            note_lengths(trace, noted)
            effects.keep(trace, kept)
            return
        changing = {
            name: abstract
            for name, abstract, old in zip(whole.names, loop.widened, carried, strict=False)
            if abstract != old
        }
        if number >= _ROUNDS_OF_TEXTS:
            _need_codes(_of_users(changing))
        if not trace.tries:
            trace.forget_sites(checks, end)
        if objects.grow_without_end(trace, loop.widened):
            break
        entry = loop_abstracts(trace, [place.get() for place in found], trace.scope)
        names = [place.name for place in found]
        carried = [*loop.widened, *widen(trace, names, entry, after, trace.scope)]
        started += entry
        places += found
    raise StagingError(trace.explain(_without_fixpoint(changing)))


def _to_carry_so_far(
    trace: Trace, frame: Frame, state: State, places: Sequence[Place]
) -> list[Place]:
    return _to_carry(frame, effects.of(trace, frame), state, places)


def _to_carry(
    frame: Frame, kept: Sequence[tuple[Place, Any]], state: State, places: Sequence[Place]
) -> list[Place]:
    """What has been written to in a loop that does not carry it yet."""
    known = {place.key for place, _ in kept} | {each.key for each in places}
    return [each for each in changed(frame) if each.key not in known and not holds(state, each)]


def _mark(
    trace: Trace,
    state: State,
    places: Sequence[Place],
    initial: Sequence[Any],
    loop: Recorded,
) -> None:
    """Note which objects of the variables are elsewhere as well.

    After the loop and in its iterations.
    """
    end = len(initial)
    first = end - len(places)
    own = slice(first - len(state.names), first)
    keys = [place.key for place in places]
    start, left, *iterations = (
        (values[own], dict(zip(keys, values[first:end], strict=True)))
        for values in (initial, loop.left, *loop.begun)
    )
    after = state.get(), contents_of(places)
    for (values, held), paths in (
        (after, (start, left)),
        *((iteration, (left,)) for iteration in iterations),
    ):
        variables, written = [each for each, _ in paths], [each for _, each in paths]
        others = [each.values() for each in written]
        effects.mark_copies(trace, state.names, variables, values, again=True, written=others)
        effects.mark_places(trace, variables, written, places, held, again=True)


def _in_standing(trace: Trace, places: Sequence[Place], loop: Recorded) -> list[Place]:
    """The places among those in what an iteration begins with, or what stands for it."""
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


def loop_abstracts(trace: Trace, values: Sequence[Any], outer: Scope) -> list[AbstractValue]:
    """The abstract values of what a loop begins with."""
    found = [abstract_values.abstract_of(trace, value, outer) for value in values]
    return share_sizes([abstract.outside(outer) for abstract in found], [found])


def widen(
    trace: Trace,
    names: Sequence[str],
    before: Sequence[AbstractValue],
    after: Sequence[Any],
    outer: Scope,
) -> list[AbstractValue]:
    """The abstract values joined with those of the values that the body leaves."""
    entering = [
        abstract.value if isinstance(abstract, abstract_values.Static) else None
        for abstract in before
    ]
    try:
        with one_array.meeting(trace, names, [entering, list(after)]):
            if trace.convention.arrays_are_mutable and not trace.tracks_arrays:
                one_array.watch_views(trace, after, outer)
            left = [abstract_values.abstract_of(trace, value, outer) for value in after]
            joins = (
                partial(abstract_values.join, name, abstract, other)
                for name, abstract, other in zip(names, before, left, strict=True)
            )
            joined = [coded(trace, each).outside(outer) for each in learn_of_all(joins)]
        return share_sizes(joined, [before, left])
    except JoinError as error:
        raise refusal(trace, error) from None


def coded(trace: Trace, abstract: AbstractValue) -> AbstractValue:
    """The abstract value; that of any text, where each iteration may leave another one."""
    return hooks.texts.abstract() if trace.codes_text and may_grow(abstract) else abstract


def may_grow(abstract: AbstractValue | None) -> bool:
    """Whether it is one of several texts, which may become ever more."""
    if abstract is None or type(abstract) is abstract_values.Static:
        return False
    return abstract.settling is GROWING_TEXT


def restore_cells(trace: Trace, cells: Sequence[Cell], results: Sequence[Any]) -> None:
    """Give the cells of the loop what it leaves in them."""
    for cell, result in zip(cells, results, strict=True):
        trace.scope.write(cell, result)


def _of_users(changing: Mapping[str, AbstractValue]) -> Mapping[str, AbstractValue]:
    """What changes of that which the program names, if any."""
    return {name: each for name, each in changing.items() if " " not in name} or changing


def _need_codes(changing: Mapping[str, AbstractValue]) -> None:
    """Trace again with text as lists of code points, if it is texts that become ever more."""
    parts = (each.element if isinstance(each, Listed) else each for each in changing.values())
    if any(abstract.settling is GROWING_TEXT for abstract in parts):
        text.need_codes(traces.current())


def _without_fixpoint(changing: Mapping[str, AbstractValue]) -> str:
    users = _of_users(changing)
    _need_codes(users)
    advice = dict.fromkeys(abstract.settling for abstract in users.values())
    which = ", ".join(map(repr, users)) or "a variable"
    return f"the types of {which} keep changing from one iteration to the next: {'; '.join(advice)}"


def _can_hang(trace: Trace, unchecked: int) -> bool:
    """True where a body can fail after an inner ``while`` that was recorded before it could."""
    return trace.error is not None and trace.unchecked_loops > unchecked
