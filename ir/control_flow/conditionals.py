"""Branches: both are recorded, and one ``scf.if`` yields what they leave."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, NamedTuple

from agir.autograph.operators import Contents, Place, State, Undefined
from agir.ir.building import locations
from agir.ir.building.cells import Scope
from agir.ir.building.types import is_python_number
from agir.ir.control_flow import effects
from agir.ir.control_flow.carried_layouts import Arriving
from agir.ir.control_flow.regions import (
    contents_of,
    kept_variables,
    refusal,
    run_recorded,
    store,
    written_cells,
)
from agir.ir.emission.failing import GoingOn, Unreachable, checks_so_far
from agir.ir.emission.truth import truth
from agir.ir.proofs import conditions
from agir.ir.tensors import structure
from agir.ir.tensors.symbolic import SymbolicTensor, is_only_number
from agir.ir.tracing.journal import Frame, extended, holds
from agir.ir.tracing.trace import Trace
from agir.ir.values import abstract_values
from agir.ir.values.abstract_values import AbstractValue, JoinError
from agir.ir.values.arrays import one_array
from agir.ir.values.arrays.alike import has_unknown, share_sizes
from agir.ir.values.arrays.shared_arrays import NAME, Held, with_sharing
from agir.ir.values.heap import objects
from agir.ir.values.heap.kinds import learn_of_all
from agir.ir.values.sequences.lists import TracedList


@dataclass
class _Arm:
    """A recorded branch: what it leaves in the variables and in the places it has written to."""

    scope: Scope
    frame: Frame
    values: tuple[Any, ...]
    frozen: tuple[Any, ...]
    """The values, with copies of the containers among them as they are at the end."""
    after: dict[Any, Any]
    written: dict[Any, Any]
    """What it leaves in the places that it writes to, as it is."""
    ends: bool
    """Whether control reaches the end."""
    kept: frozenset[str]
    """The variables that can be read even if it does not: in a handler."""
    entered: list[effects.Entered]
    """The lists that are known by themselves at the end."""

    def at_end(self) -> AbstractContextManager[None]:
        """What the branch has written to is as it leaves it, objects that are not copied included."""
        return self._put_back() if self.frame.noted else nullcontext()

    @contextmanager
    def _put_back(self) -> Iterator[None]:
        again = Frame()
        try:
            again.repeat(self.frame, self.written)
            yield
        finally:
            again.restore()

    def leaves(self, name: str) -> bool:
        """Whether the value that the branch leaves in a variable can be read."""
        return self.ends or name in self.kept

    def add_places(self, places: Sequence[Place], in_try: bool) -> None:
        """Take the places that any of the branches writes to as further variables."""
        after = self.after
        more = tuple(after[p.key] if p.key in after else _as_left(self, p.get()) for p in places)
        self.values = (*self.values, *more)
        self.frozen = (*self.frozen, *map(abstract_values.frozen, more))
        self.kept = self.kept | {p.name for p in places} if in_try else self.kept


def if_stmt(
    trace: Trace, cond: Any, body: Callable[[], None], orelse: Callable[[], None], state: State
) -> None:
    """Record both branches, and one ``scf.if`` that yields what they leave in the state."""
    with trace.at_user_line():
        test = truth(trace, cond)
        before = state.get()
        arms = _arms(trace, _assuring(trace, body, cond), orelse, state, test)
        if isinstance(cond, GoingOn):
            arms[1].ends = False
        left = [arm.values for arm in arms if arm.ends]
        written = [arm.written for arm in arms if arm.ends]
        state.set(before)  # a place may be a variable of the state too
        places = _places(trace, state, arms)
        for arm in arms if places else ():
            arm.add_places(places, bool(trace.tries))
        arms = [_hoisted(trace, arm) for arm in arms] if trace.tracks_arrays else arms
        for arm in arms if trace.convention.arrays_are_mutable else ():
            one_array.watch_views(trace, arm.frozen, trace.scope)
        old = contents_of(places)
        plain = extended(state, places, store(trace))
        is_shared = _add_sharing(trace, arms, plain.get())
        whole = with_sharing(trace, plain) if is_shared else plain
        try:
            joined = _join(trace, whole, whole.get(), arms)
        except JoinError as error:
            raise refusal(trace, error) from None
        objects.grow_without_end(trace, joined)
        results = _close_if(trace, test, arms, whole.names, joined)
        made = abstract_values.unpack_all(trace, joined, results)
        Arriving(made, *(arm.frozen for arm in arms if arm.ends))
        whole.set(made)
        effects.check_orders(trace, [arm.frame for arm in arms if arm.ends])
        contents = [{**old, **each} for each in written]
        held = [each.values() for each in (old, *contents)]
        effects.mark_copies(trace, state.names, [before, *left], state.get(), written=held)
        effects.mark_places(trace, left, contents, places, contents_of(places))
        if not any(arm.ends for arm in arms):
            raise Unreachable


def _assuring(trace: Trace, body: Callable[[], None], cond: Any) -> Callable[[], None]:
    """The body of a branch, which knows that nothing has failed if that is its condition."""
    if not isinstance(cond, GoingOn):
        return body

    def assured() -> None:
        trace.scope.assured = reached
        body()

    reached = checks_so_far(trace)
    return assured


def _arms(
    trace: Trace, body: Callable[[], None], orelse: Callable[[], None], state: State, test: Any
) -> list[_Arm]:
    """Both branches; a list that one of them has to know by itself is known so before."""
    effects.enter_lists(trace, state)
    before = state.get()
    while True:
        checks = len(trace.sites)
        runs = ((body, True), (orelse, False))
        with trace.journal.attempt() as attempt:
            arms = [_arm(trace, run, state, before, test, holds) for run, holds in runs]
            arms, growing = _entering(trace, state, before, arms)
        last = len(trace.sites)
        state.set(before)
        entered = [each for arm in arms for each in arm.entered]
        if not effects.enter_before(trace, state, _written_by(arms), entered):
            for each in growing:
                each.copy_items(trace)
            return arms
        attempt.restore()  # or what a branch does to objects from outside would be done twice
        if not trace.tries:
            trace.forget_sites(checks, last)


def _entering(
    trace: Trace, state: State, before: tuple[Any, ...], arms: list[_Arm]
) -> tuple[list[_Arm], list[_Growing]]:
    """The branches, with the lists known by themselves that are in lists which only the run time
    will know the length of; and what gets these."""
    known: set[Any] = set()
    while True:
        state.set(before)
        growing = _growing(state, _written_by(arms), arms)
        more = [each for each in growing if effects.has_values_to_enter(trace, each.contents)]
        if all(each.key in known for each in more):
            return arms, growing
        known.update(each.key for each in more)
        arms = [_entered(trace, state, arm, more) if arm.ends else arm for arm in arms]


def _written_by(arms: Sequence[_Arm]) -> list[Place]:
    """The places that branches write to."""
    return list({k: note.place for arm in arms for k, note in arm.frame.noted.items()}.values())


class _Growing(NamedTuple):
    """A variable, or a place that is written to, that gets a list of which only the run time will
    know the length."""

    key: Any
    name: str
    get: Callable[[], Any]
    contents: Sequence[Any]
    """What is in it at the end of each branch."""

    def copy_items(self, trace: Trace) -> None:
        """Note that the items of lists are copied that are not known by themselves."""
        for items in self.contents:
            for item in items if type(items) is list else ():
                trace.journal.copied(item)


def _growing(state: State, places: Sequence[Place], arms: Sequence[_Arm]) -> list[_Growing]:
    ends = [arm for arm in arms if arm.ends]
    found = []
    for place in places:
        before = place.get()
        contents: Sequence[Any] = [arm.written.get(place.key, before) for arm in ends]
        found.append(_Growing(place.key, place.name, place.get, contents))
    for at, (name, *values) in enumerate(
        zip(state.names, *(arm.values for arm in ends), strict=True)
    ):
        contents = effects.contents_of_sequences(values)
        found.append(_Growing(("variable", at), name, partial(_at, state, at), contents))
    return [each for each in found if effects.grows(each.contents)]


def _at(state: State, position: int) -> Any:
    return state.get()[position]


def _arm(
    trace: Trace,
    run: Callable[[], None],
    state: State,
    before: tuple[Any, ...],
    test: Any,
    holds: bool,
) -> _Arm:
    scope = Scope(trace.scope)
    state.set(before)
    with trace.inside(scope), trace.journal.frame() as frame:
        conditions.assume(trace, test, holds)
        ends = run_recorded(trace, run)
        if ends:
            effects.enter_lists(trace, state, frame)
        kept = effects.of(trace, frame)
        arm = _at_end(trace, state, scope, frame, ends, [place for place, _ in kept])
    effects.keep(trace, kept)
    return arm


def _at_end(
    trace: Trace, state: State, scope: Scope, frame: Frame, ends: bool, kept: Sequence[Place] = ()
) -> _Arm:
    """The branch, at whose end recording stands; the places ``kept`` are those of somebody else."""
    entered = effects.entered(frame)
    values = state.get()
    frozen = tuple(map(abstract_values.frozen, values))
    written = {key: note.place.get() for key, note in frame.noted.items()}
    for place in kept:
        frame.drop(place)
    after = {k: abstract_values.frozen(note.place.get()) for k, note in frame.noted.items()}
    names = kept_variables(trace, state)
    return _Arm(scope, frame.copy(), values, frozen, after, written, ends, names, entered)


def _entered(trace: Trace, state: State, arm: _Arm, growing: Sequence[_Growing]) -> _Arm:
    """A branch that goes on where it ended: the lists in what grows are known by themselves."""
    with trace.inside(arm.scope), trace.journal.frame() as frame:
        frame.repeat(arm.frame, arm.written)
        state.set(arm.values)
        for each in growing:
            effects.enter_items(trace, each.get(), each.name)
        return _at_end(trace, state, arm.scope, frame, arm.ends)


def _places(trace: Trace, state: State, arms: Sequence[_Arm]) -> list[Place]:
    """What the arms write to, besides the variables of the statement."""
    found = _written_by(arms)
    for place in found:
        trace.journal.note(place)
    return [place for place in found if not holds(state, place)]


def _as_left(arm: _Arm, value: Any) -> Any:
    """What is in a place that the arm does not write to: lists in it may be written to."""
    if type(value) is list:
        items = [_as_left(arm, each) for each in value]
        return items if any(map(operator.is_not, items, value)) else value
    if not isinstance(value, TracedList):
        return value
    before = value.snapshot()
    contents = arm.after.get(Contents(value).key, before)
    contents = _as_left(arm, before) if contents is before else contents
    if contents is before:
        return value
    left = value.frozen()
    left.restore(contents)
    return left


def _add_sharing(trace: Trace, arms: Sequence[_Arm], before: tuple[Any, ...]) -> bool:
    """Add to the arms the variable that says which names are one array, if any could be one.

    A container that neither arm has made stays; what is written into it are places of their own.
    """
    if not trace.convention.arrays_are_mutable:
        return False
    ending = [arm.values for arm in arms if arm.ends]
    if all(is_only_number(value) for values in ending for value in values):
        return False
    known = frozenset(
        at
        for at, (first, *others) in enumerate(zip(*ending, strict=True))
        if structure.parts(first) is not None
        and (all(o is first for o in others) if others else first is before[at])
    )
    for arm in arms:
        held = Held(arm.frozen, known)
        arm.values, arm.frozen = (held, *arm.values), (held, *arm.frozen)
        arm.kept = arm.kept | {NAME} if arm.kept else arm.kept
    return True


def _hoisted(trace: Trace, arm: _Arm) -> _Arm:
    """The arm with views that it has made as ones that are there after it, too."""
    frozen = tuple(one_array.hoisted(trace, value, trace.scope) for value in arm.frozen)
    return replace(arm, frozen=frozen)


def _join(
    trace: Trace, state: State, before: tuple[Any, ...], arms: Sequence[_Arm]
) -> list[AbstractValue]:
    """The abstract values of what the arms leave; an arm that does not end has no say."""
    frozen = [arm.frozen for arm in arms]
    with one_array.meeting(trace, state.names, frozen, list(state.cells())):
        found = learn_of_all(
            partial(_joined, trace, index, name, old, arms)
            for index, (name, old) in enumerate(zip(state.names, before, strict=True))
        )
    joined = [abstract.outside(trace.scope) for abstract in found]
    if any(arm.kept and not arm.ends for arm in arms) or not any(map(has_unknown, joined)):
        return joined
    ending = [arm for arm in arms if arm.ends]
    return share_sizes(joined, [[_abstract(trace, value) for value in a.frozen] for a in ending])


def _joined(trace: Trace, index: int, name: str, old: Any, arms: Sequence[_Arm]) -> AbstractValue:
    leaving = [arm for arm in arms if arm.leaves(name)]
    values = [arm.values[index] for arm in leaving]
    frozen = [arm.frozen[index] for arm in leaving]
    if (kept := _kept_object(name, values, arms)) is not None:
        return kept
    if len(values) == 2:
        same = abstract_values.same_value(*values)
        return abstract_values.Static(values[0]) if same else _meet(trace, name, frozen, leaving)
    if values:
        outside = is_python_number(values[0]) or _is_outside(trace, values[0], old)
        with leaving[0].at_end():
            return abstract_values.Static(values[0]) if outside else _abstract(trace, frozen[0])
    return abstract_values.Static(old)


def _kept_object(name: str, values: Sequence[Any], arms: Sequence[_Arm]) -> AbstractValue | None:
    """The abstract value of a variable that holds one list or dict of before, wherever it is bound."""
    bound = [each for each in values if not isinstance(each, Undefined)]
    held = [
        each.value if isinstance(each, abstract_values.MaybeUnbound) else each for each in bound
    ]
    if not held or not isinstance(held[0], TracedList | dict):
        return None
    if any(each is not held[0] for each in held):
        return None
    if any(arm.frame.has_made(held[0]) for arm in arms):
        return None
    inner = abstract_values.Static(held[0])
    is_bound = len(bound) == len(values) and all(a is b for a, b in zip(bound, held, strict=True))
    return inner if is_bound else abstract_values.Maybe(name, inner)


def _abstract(trace: Trace, value: Any) -> AbstractValue:
    around = trace.scope if trace.convention.arrays_are_mutable else None
    return abstract_values.abstract_of(trace, value, around)


def _meet(trace: Trace, name: str, pair: Sequence[Any], arms: Sequence[_Arm]) -> AbstractValue:
    """The abstract value of a variable; an error says where the two branches give it its values."""
    one, other = arms
    try:
        return abstract_values.meet(trace, name, pair[0], pair[1], (one.at_end, other.at_end))
    except JoinError as error:
        tensors = [
            t for t in pair if isinstance(t, SymbolicTensor) and hasattr(t.storage, "origin")
        ]
        places = [locations.describe(tensor.storage.origin.location) for tensor in tensors]
        if len(tensors) < 2 or not all(places) or places[0] == places[1]:
            raise
        raise JoinError(f"{error} (at {places[0]} and at {places[1]})") from None


def _is_outside(trace: Trace, value: Any, before: Any) -> bool:
    """True where a value of a branch is one that exists without the branch."""
    if isinstance(value, SymbolicTensor):
        return trace.scope.encloses(value.storage.home)
    return abstract_values.same_value(value, before)


def _packed(
    trace: Trace, arm: _Arm, names: Sequence[str], joined: Sequence[AbstractValue]
) -> list[Any]:
    """What a branch yields for the variables."""
    with trace.inside(arm.scope), arm.at_end():
        return [
            ssa
            for name, abstract, value in zip(names, joined, arm.frozen, strict=True)
            for ssa in (
                abstract.pack(trace, value) if arm.leaves(name) else abstract.placeholder(trace)
            )
        ]


def _close_if(
    trace: Trace,
    test: Any,
    arms: Sequence[_Arm],
    names: Sequence[str],
    joined: Sequence[AbstractValue],
) -> list[Any]:
    """Yield the variables and cells from both branches; gives the results of the variables."""
    packed = [_packed(trace, arm, names, joined) for arm in arms]
    cells = written_cells([arm.scope for arm in arms])  # also by checks of what was packed
    for arm, yielded in zip(arms, packed, strict=True):
        with trace.inside(arm.scope):
            trace.create("scf.yield", (), [*yielded, *(arm.scope.read(cell) for cell in cells)])
    types = [t for abstract in joined for t in abstract.types()]
    types += [trace.scope.read(cell).type for cell in cells]
    if not types and not any(arm.scope.effects for arm in arms):
        return []
    blocks = [arm.scope.block for arm in arms]
    results = trace.create("scf.if", types, (test,), blocks=blocks).results
    carried = len(results) - len(cells)
    for cell, result in zip(cells, results[carried:], strict=True):
        trace.scope.write(cell, result)
    return results[:carried]


def if_exp(trace: Trace, cond: Any, body: Callable[[], Any], orelse: Callable[[], Any]) -> Any:
    """``body() if cond else orelse()``: only the chosen one runs."""
    outcome: list[Any] = [None]

    def assign(make: Callable[[], Any]) -> Callable[[], None]:
        def run() -> None:
            outcome[0] = make()

        return run

    def restore(values: tuple[Any, ...]) -> None:
        outcome[0] = values[0]

    state = State(lambda: (outcome[0],), restore, ("the conditional expression",))
    if_stmt(trace, cond, assign(body), assign(orelse), state)
    return outcome[0]
