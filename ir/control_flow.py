"""Control flow as ``scf``: the recorded form of AutoGraph's ``if``, ``while`` and ``for``.

Bodies are recorded into detached blocks, one for each region; what they read and write is known
only then, so the ``scf`` operation is made last.  A loop body is recorded again only where a
carried variable turned out to need a wider type than it had before the loop.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from typing import Any

from agir.autograph.operators import Place, State, going_on
from agir.errors import StagingError
from agir.ir import bindings, effects, emit, foreseen, iteration, locations, ranges, slots
from agir.ir.cells import Cell, LoopScope, Scope
from agir.ir.failing import GoingOn, Unreachable
from agir.ir.journal import Frame, extended, holds
from agir.ir.list_slots import Listed  # noqa: F401 - has lists carried
from agir.ir.optional import for_place
from agir.ir.slots import JoinError, Slot, Typed
from agir.ir.symbolic import SymbolicTensor
from agir.ir.trace import Trace
from agir.ir.truth import truth
from agir.ir.types import bool_, int64, is_python_number

_ROUNDS = 8


def _refuse(trace: Trace, error: JoinError) -> StagingError:
    return StagingError(trace.explain(str(error)))


def in_region(trace: Trace) -> bool:
    """True inside of a branch or loop, which may not run at all."""
    return trace.scope is not trace.root


# if


@dataclass
class _Arm:
    """A recorded branch: what it leaves in the variables and in the places it has written to."""

    scope: Scope
    frame: Frame
    values: tuple[Any, ...]
    frozen: tuple[Any, ...]
    """The values, with copies of the containers among them as they are at the end."""
    after: dict[Any, Any]
    ends: bool
    """Whether control reaches the end."""
    kept: frozenset[str]
    """The variables that can be read even if it does not: in a handler."""

    def leaves(self, name: str) -> bool:
        """Whether the value that the branch leaves in a variable can be read."""
        return self.ends or name in self.kept


def if_stmt(
    trace: Trace, cond: Any, body: Callable[[], None], orelse: Callable[[], None], state: State
) -> None:
    """Record both branches, and one ``scf.if`` that yields what they leave in the state."""
    with trace.at_user_line():
        test = truth(trace, cond)
        before = state.get()
        arms = [_arm(trace, run, state, before) for run in (body, orelse)]
        if isinstance(cond, GoingOn):
            arms[1].ends = False
        state.set(before)  # a place may be a variable of the state too
        places = _places(trace, state, arms)
        arms = [_with_places(arm, places, bool(trace.tries)) for arm in arms]
        whole = extended(state, places, _store(trace))
        try:
            joined = _join(trace, whole.names, whole.get(), arms)
        except JoinError as error:
            raise _refuse(trace, error) from None
        cells = _written([arm.scope for arm in arms])
        results = _close_if(trace, test, arms, whole.names, joined, cells)
        after = slots.unpack_all(trace, joined, results)
        whole.set(after)
        effects.mark_copies(trace, state.names, before, after[: len(before)])
        if not any(arm.ends for arm in arms):
            raise Unreachable


def _kept(trace: Trace, state: State) -> frozenset[str]:
    """The variables that a handler may read after a failure in the statement."""
    return frozenset(state.keep) if trace.tries else frozenset()


def _arm(trace: Trace, run: Callable[[], None], state: State, before: tuple[Any, ...]) -> _Arm:
    scope = Scope(trace.scope)
    state.set(before)
    with trace.inside(scope), trace.journal.frame() as frame:
        ends = run_recorded(trace, run)
        values = state.get()
        frozen = tuple(map(slots.frozen, values))
        kept = effects.of(trace, frame)
        for place, _ in kept:
            frame.drop(place)
        after = {k: slots.frozen(note.place.get()) for k, note in frame.noted.items()}
        arm = _Arm(scope, frame.copy(), values, frozen, after, ends, _kept(trace, state))
    effects.keep(trace, kept)
    return arm


def _store(trace: Trace) -> Callable[[Place, Any], None]:
    """How a place gets the value that a branch or loop leaves in it."""

    def store(place: Place, value: Any) -> None:
        trace.journal.note(place)
        place.set(for_place(place, value))

    return store


def _places(trace: Trace, state: State, arms: Sequence[_Arm]) -> list[Place]:
    """What the arms write to, besides the variables of the statement."""
    found = list(
        {key: note.place for arm in arms for key, note in arm.frame.noted.items()}.values()
    )
    for place in found:
        trace.journal.note(place)
    return [place for place in found if not holds(state, place)]


def _with_places(arm: _Arm, places: Sequence[Place], in_try: bool) -> _Arm:
    """The arm with the places that any of the arms writes to as further variables."""
    more = tuple(arm.after[p.key] if p.key in arm.after else p.get() for p in places)
    kept = arm.kept | {p.name for p in places} if in_try else arm.kept
    return replace(arm, values=(*arm.values, *more), frozen=(*arm.frozen, *more), kept=kept)


def _join(
    trace: Trace, names: Sequence[str], before: tuple[Any, ...], arms: Sequence[_Arm]
) -> list[Slot]:
    """The slots of what the arms leave; an arm that does not end has no say."""
    found: list[Slot] = []
    for index, (name, old) in enumerate(zip(names, before, strict=True)):
        values = [arm.values[index] for arm in arms if arm.leaves(name)]
        frozen = [arm.frozen[index] for arm in arms if arm.leaves(name)]
        if len(values) == 2:
            same = slots.same_value(*values)
            found.append(slots.Static(values[0]) if same else _meet(trace, name, *frozen))
        elif values:
            outside = is_python_number(values[0]) or _is_outside(trace, values[0], old)
            found.append(slots.Static(values[0]) if outside else slots.slot_of(trace, frozen[0]))
        else:
            found.append(slots.Static(old))
    return [slot.outside(trace.scope) for slot in found]


def _meet(trace: Trace, name: str, left: Any, right: Any) -> Slot:
    """The slot of a variable; an error says where the two branches give it its values."""
    try:
        return slots.meet(trace, name, left, right)
    except JoinError as error:
        pair = (left, right)
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
    return slots.same_value(value, before)


def run_recorded(trace: Trace, body: Callable[[], None]) -> bool:
    """Run a branch or loop body while it is recorded; tells whether control reaches its end.

    An exception that is raised there is raised at run time, if control gets there.
    """
    try:
        body()
    except Unreachable:
        return False
    except BaseException as error:
        if not foreseen.record(trace, error):
            raise
        return False
    return True


def _written(scopes: Sequence[Scope]) -> list[Cell]:
    """The outer cells that the regions write, in the order of the first write."""
    found = {cell: None for scope in scopes for cell in scope.written if cell.home not in scopes}
    return list(found)


def _close_if(
    trace: Trace,
    test: Any,
    arms: Sequence[_Arm],
    names: Sequence[str],
    joined: Sequence[Slot],
    cells: Sequence[Cell],
) -> list[Any]:
    """Yield the variables and cells from both branches; gives the results of the variables."""
    for arm in arms:
        with trace.inside(arm.scope):
            yielded = [
                ssa
                for name, slot, value in zip(names, joined, arm.frozen, strict=True)
                for ssa in (
                    slot.pack(trace, value) if arm.leaves(name) else slot.placeholder(trace)
                )
            ]
            trace.create("scf.yield", (), [*yielded, *(arm.scope.read(cell) for cell in cells)])
    types = [t for slot in joined for t in slot.types()]
    types += [trace.scope.read(cell).type for cell in cells]
    if not types and not any(arm.scope.effects for arm in arms):
        return []
    operation = trace.create("scf.if", types, (test,), regions=2)
    for arm, region in zip(arms, operation.regions, strict=True):
        arm.scope.block.append_to(region)
    results = list(operation.results)
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


def logical(trace: Trace, left: Any, right: Callable[[], Any], conjunction: bool) -> Any:
    """``left and right()`` or ``left or right()``.

    The right side is computed only where Python would; where it is cheap and cannot fail, both
    are computed and combined, which is what a compiler makes of it anyway.
    """
    with trace.attempt() as attempt:
        start = len(trace.scope.recorded)
        value, cheap = _speculative(trace, right)
        cheap &= len(trace.scope.recorded) - start <= _CHEAP and attempt.only_computed
        if cheap and _is_truth(left) and _is_truth(value):
            with trace.at_user_line():
                name = "arith.andi" if conjunction else "arith.ori"
                ssa = trace.op(name, bool_.mlir(), truth(trace, left), truth(trace, value))
                return trace.make(ssa, bool_, ())
        attempt.take_back()
    if conjunction:
        return if_exp(trace, left, right, lambda: left)
    return if_exp(trace, left, lambda: left, right)


_CHEAP = 8


class TooCostly(BaseException):
    """Ends an attempt to compute what may not be needed: it calls the function that it is in."""


def _speculative(trace: Trace, compute: Callable[[], Any]) -> tuple[Any, bool]:
    """The value, and whether it may be computed where it is not needed.

    An error shows again when the value is made in a branch.
    """
    try:
        with trace.speculating():
            return compute(), True
    except (TooCostly, Unreachable, LookupError, NameError, ZeroDivisionError):
        return None, False


def _is_truth(value: Any) -> bool:
    if isinstance(value, SymbolicTensor):
        return value.dtype == bool_ and not value.dims
    return isinstance(value, bool)


# Loops.


def _loop_slots(trace: Trace, values: Sequence[Any], outer: Scope) -> list[Slot]:
    return [slots.slot_of(trace, value, outer).outside(outer) for value in values]


def _widen(
    trace: Trace, names: Sequence[str], before: Sequence[Slot], after: Sequence[Any], outer: Scope
) -> list[Slot]:
    """The slots joined with those of the values that the body leaves."""
    try:
        return [
            slots.join(name, slot, slots.slot_of(trace, value, outer)).outside(outer)
            for name, slot, value in zip(names, before, after, strict=True)
        ]
    except JoinError as error:
        raise _refuse(trace, error) from None


def _arguments(trace: Trace, scope: Scope, names: Sequence[str], carried: Sequence[Slot]) -> Any:
    """Block arguments for the slots, and the Python values that they stand for."""
    ir_names = [name for name, slot in zip(names, carried, strict=True) for _ in slot.types()]
    types = [t for slot in carried for t in slot.types()]
    made = [
        scope.block.add_argument(t, trace.named_location(name))
        for t, name in zip(types, ir_names, strict=True)
    ]
    return slots.unpack_all(trace, carried, made)


def _restore_cells(trace: Trace, cells: Sequence[Cell], results: Sequence[Any]) -> None:
    for cell, result in zip(cells, results, strict=True):
        trace.scope.write(cell, result)


def _settle(trace: Trace, state: State, record: Callable[[State, list[Slot]], _Recorded]) -> None:
    """Record a loop until the types of what it carries settle, then make its operation.

    A place that the body writes to is found while it is recorded, and carried from then on.
    """
    places: list[Place] = []
    carried: list[Slot] | None = None
    before = state.get()
    for _ in range(_ROUNDS):
        whole = extended(state, places, _store(trace))
        state.set(before)
        initial = whole.get()
        if carried is None:
            carried = _loop_slots(trace, initial, trace.scope)
        unchecked = trace.unchecked_loops
        with trace.journal.frame() as frame:
            try:
                loop = record(whole, carried)
            except BaseException:
                state.set(before)  # what the variables hold is of a region that will not be
                raise
            kept = effects.of(trace, frame)
            known = {place.key for place, _ in kept} | {place.key for place in places}
            found = [
                place
                for place in _changed(frame)
                if place.key not in known and not holds(state, place)
            ]
            after = [slots.frozen(place.get()) for place in found]
        state.set(before)
        if not found and loop.widened == carried and not _can_hang(trace, unchecked):
            results = loop.close(whole.get())
            whole.set(results)
            effects.mark_copies(trace, state.names, before, results[: len(before)])
            effects.keep(trace, kept)
            return
        entry = _loop_slots(trace, [place.get() for place in found], trace.scope)
        names = [place.name for place in found]
        carried = [*loop.widened, *_widen(trace, names, entry, after, trace.scope)]
        places += found
    raise StagingError(trace.explain(_unsettled(whole.names)))


def _changed(frame: Frame) -> list[Place]:
    """The places that hold something else at the end of a region."""
    notes = frame.noted.values()
    return [n.place for n in notes if not slots.unchanged(n.before, n.place.get())]


@dataclass
class _Recorded:
    """A loop that waits for its operation.

    ``close`` makes it, given the variables before the loop, and gives those after it.
    """

    widened: list[Slot]
    """The slots that the back edge asks for."""
    close: Callable[[Sequence[Any]], tuple[Any, ...]]


def while_stmt(
    trace: Trace, test: Callable[[], Any], body: Callable[[], None], state: State
) -> None:
    """Record ``while test(): body()`` as one ``scf.while``."""
    with trace.at_user_line():
        _settle(trace, state, lambda whole, entry: _record_while(trace, test, body, whole, entry))


def _left(trace: Trace, state: State, arguments: tuple[Any, ...], ends: bool) -> tuple[Any, ...]:
    """What a loop body leaves in its variables: what it got, where control never ends it."""
    if ends:
        return state.get()
    kept = _kept(trace, state)
    values = zip(state.names, state.get(), arguments, strict=True)
    return tuple(new if name in kept else old for name, new, old in values)


def _unsettled(names: Sequence[str]) -> str:
    return (
        f"the types of {', '.join(names)} keep changing from one iteration to the next; convert "
        "the variable to its final type before the loop"
    )


@dataclass
class _While:
    """The regions of a ``while``.

    ``entry`` are the slots before the test, ``tested`` those after it, which the body gets and the
    loop leaves: the test may bind a name.
    """

    before: LoopScope
    after: LoopScope
    condition: Any
    entry: list[Slot]
    tested: list[Slot]
    forwarded: list[Any]
    yielded: list[Any]


def _record_while(
    trace: Trace,
    test: Callable[[], Any],
    body: Callable[[], None],
    state: State,
    entry: list[Slot],
) -> _Recorded:
    """Record test and body once."""
    outer = trace.scope
    before, after = LoopScope(outer), LoopScope(outer)
    if trace.error is None:
        trace.unchecked_loops += 1
    with trace.inside(before):
        state.set(_arguments(trace, before, state.names, entry))
        condition = _condition(trace, test)
        values = state.get()
        tested = _loop_slots(trace, values, outer)
        forwarded = slots.pack_all(trace, tested, values)
    with trace.inside(after):
        arguments = _arguments(trace, after, state.names, tested)
        state.set(arguments)
        left = _left(trace, state, arguments, run_recorded(trace, body))
        widened = _widen(trace, state.names, entry, left, outer)
        yielded = slots.pack_all(trace, entry, left) if widened == entry else []
    loop = _While(before, after, condition, entry, tested, forwarded, yielded)
    return _Recorded(widened, lambda initial: _close_while(trace, loop, initial))


def _condition(trace: Trace, test: Callable[[], Any]) -> Any:
    """The truth of a loop's test; false where it has raised, on every path."""
    try:
        return truth(trace, test())
    except Unreachable:
        return trace.constant(bool_, False)


def _close_while(trace: Trace, loop: _While, initial: Sequence[Any]) -> tuple[Any, ...]:
    before, after = loop.before, loop.after
    condition = _stop_on_error(trace, before, loop.condition)
    written = _written([before, after])
    for cell in written:
        before.read(cell)
        after.read(cell)
    condition, *forwarded = before.drop_read_only(set(written), [condition, *loop.forwarded])
    yielded = after.drop_read_only(set(written), loop.yielded)
    entering, leaving = list(before.entered), list(after.entered)
    with trace.inside(before):
        results = [*forwarded, *(before.read(cell) for cell in leaving)]
        trace.create("scf.condition", (), [condition, *results])
    with trace.inside(after):
        trace.create("scf.yield", (), [*yielded, *(after.read(cell) for cell in entering)])
    operands = slots.pack_all(trace, loop.entry, initial)
    operands += [trace.scope.read(cell) for cell in entering]
    operation = trace.create("scf.while", [r.type for r in results], operands, regions=2)
    for scope, region in zip((before, after), operation.regions, strict=True):
        scope.block.append_to(region)
    made = list(operation.results)
    _restore_cells(trace, leaving, made[len(forwarded) :])
    return slots.unpack_all(trace, loop.tested, made[: len(forwarded)])


def _stop_on_error(trace: Trace, before: Scope, condition: Any) -> Any:
    """A ``while`` stops once something has failed: its condition tests the error record.

    What goes on with safe values after a failure may never fulfil the user's own condition.
    """
    if trace.error is None:
        return condition
    with trace.inside(before):
        fine = trace.compare("eq", trace.failing(), trace.constant(int64, 0))
        return trace.op("arith.andi", fine.type, condition, fine)


def _can_hang(trace: Trace, unchecked: int) -> bool:
    """True where a body can fail after an inner ``while`` that was recorded before it could."""
    return trace.error is not None and trace.unchecked_loops > unchecked


def for_stmt(
    trace: Trace,
    iterated: Any,
    body: Callable[[Any], None],
    extra_test: Callable[[], Any] | None,
    state: State,
    target: str = "position",
    start: Any = 0,
) -> None:
    """Record a loop over a staged iterable: ``scf.for``, or ``scf.while`` where it may break.

    ``start`` is the number of items that Python has run the loop over already.
    """
    with trace.at_user_line():
        source = iteration.iterable(trace, iterated)
        if isinstance(source, iteration.Once):
            start = source.taken
        if (
            type(start) is int
            and start == 0
            and _whole(trace, source, body, extra_test, state, target)
        ):
            return
        _by_position(trace, source, body, extra_test, state, start)


def _whole(
    trace: Trace,
    source: Any,
    body: Callable[[Any], None],
    extra_test: Callable[[], Any] | None,
    state: State,
    target: str,
) -> bool:
    """Record a loop whose count is known when it begins; False if its body changes what it reads."""
    lists = source.lists()
    before = state.get()
    with trace.attempt() if lists else nullcontext() as attempt:
        if extra_test is None or (
            extra_test is going_on and _cannot_fail(trace, source, body, state, target)
        ):
            if extra_test is None:
                _count_up(trace, source, body, state, target)
            if isinstance(source, iteration.Once):
                source.take(iteration.EXHAUSTED)
        else:
            _by_position(trace, source, body, extra_test, state, 0)
            return True
        if attempt is None or not _writes(attempt.frame, lists):
            _refuse_assigned(trace, before, state, lists)
            return True
        attempt.take_back()
    state.set(before)
    return False


def _refuse_assigned(
    trace: Trace, before: Sequence[Any], state: State, lists: Sequence[Any]
) -> None:
    """A variable of a loop holds a copy, of whose growth by ``+=`` the iteration knows nothing."""
    for name, old, new in zip(state.names, before, state.get(), strict=True):
        if old is not new and any(old is each for each in lists):
            raise StagingError(
                trace.explain(
                    f"the loop assigns to {name}, the list that it iterates over; iterate over a "
                    f"copy ({name}[:]), or change the list with append or extend"
                )
            )


def _writes(frame: Frame, lists: Sequence[Any]) -> bool:
    owners = [note.place.owner for note in frame.noted.values()]
    return any(owner is each for owner in owners for each in lists)


def _count_up(
    trace: Trace, source: Any, body: Callable[[Any], None], state: State, target: str
) -> None:
    _settle(
        trace,
        state,
        lambda whole, carried: _record_for(trace, source, body, whole, carried, target),
    )


def _cannot_fail(
    trace: Trace, source: Any, body: Callable[[Any], None], state: State, target: str
) -> bool:
    """Record a loop in a ``try``, which need not stop early if nothing in it can fail."""
    before, sites = state.get(), len(trace.sites)
    _bounds(trace, source)  # which the iterable keeps
    with trace.attempt() as attempt:
        _count_up(trace, source, body, state, target)
        if len(trace.sites) == sites:
            return True
        attempt.take_back()
    state.set(before)
    return False


def _count(trace: Trace, source: Any) -> Any:
    return trace.index(source.count) if isinstance(source.count, int) else source.count


def _bounds(trace: Trace, source: Any) -> tuple[Any, Any, Any]:
    """Lower bound, upper bound and step; the constants are made before the body can need them."""
    return trace.index(0), _count(trace, source), trace.index(1)


def _record_for(
    trace: Trace,
    source: Any,
    body: Callable[[Any], None],
    state: State,
    carried: list[Slot],
    target: str,
) -> _Recorded:
    _bounds(trace, source)
    outer = trace.scope
    scope = LoopScope(outer)
    with trace.inside(scope):
        position = scope.block.add_argument(trace.index_type(), trace.named_location(target))
        _assume_position(trace, position, source)
        arguments = _arguments(trace, scope, state.names, carried)
        state.set(arguments)
        ends = run_recorded(trace, lambda: body(source.item(position)))
        left = _left(trace, state, arguments, ends)
        widened = _widen(trace, state.names, carried, left, outer)
        yielded = slots.pack_all(trace, carried, left) if widened == carried else []
    return _Recorded(
        widened, lambda initial: _close_for(trace, source, scope, yielded, carried, initial)
    )


def _assume_position(trace: Trace, position: Any, source: Any) -> None:
    if isinstance(source.count, int):
        ranges.assume(trace, position, 0, max(source.count - 1, 0))
    else:
        ranges.assume(trace, position, 0, 2**62)


def _close_for(
    trace: Trace,
    source: Any,
    scope: LoopScope,
    yielded: list[Any],
    carried: list[Slot],
    initial: Sequence[Any],
) -> tuple[Any, ...]:
    written = _written([scope])
    for cell in written:
        scope.read(cell)
    yielded = scope.drop_read_only(set(written), yielded)
    cells = list(scope.entered)
    with trace.inside(scope):
        trace.create("scf.yield", (), [*yielded, *(scope.read(cell) for cell in cells)])
    operands = slots.pack_all(trace, carried, initial)
    operands += [trace.scope.read(cell) for cell in cells]
    types = [operand.type for operand in operands]
    operation = trace.create("scf.for", types, [*_bounds(trace, source), *operands], regions=1)
    scope.block.append_to(operation.regions[0])
    results = list(operation.results)
    _restore_cells(trace, cells, results[len(yielded) :])
    left = slots.unpack_all(trace, carried, results[: len(yielded)])
    return _unchanged(carried, scope.block.arguments[1:], yielded, initial, left)


def _unchanged(
    carried: Sequence[Slot],
    entering: Sequence[Any],
    yielded: Sequence[Any],
    initial: Sequence[Any],
    left: Sequence[Any],
) -> tuple[Any, ...]:
    """The variables after a loop; a Python number that the body never changed is one still."""
    out: list[Any] = []
    place = 0
    for slot, before, after in zip(carried, initial, left, strict=True):
        same = isinstance(slot, Typed) and entering[place] == yielded[place]
        out.append(before if same and is_python_number(before) else after)
        place += len(slot.types())
    return tuple(out)


def _by_position(
    trace: Trace,
    source: Any,
    body: Callable[[Any], None],
    extra_test: Callable[[], Any] | None,
    state: State,
    start: Any,
) -> None:
    """A loop that may end early, or whose count may change: a ``while`` over the position."""
    once = isinstance(source, iteration.Once)
    live = bool(source.lists())
    fixed = None if live else iteration.number(trace, _count(trace, source))
    first = emit.lift(trace, start)
    position: list[Any] = [trace.make(first.ssa, int64, (), weak=True)]

    def get() -> tuple[Any, ...]:
        return (position[0], *state.get())

    def restore(values: tuple[Any, ...]) -> None:
        position[0] = values[0]
        state.set(values[1:])

    def test() -> Any:
        inside = source.has(position[0]) if live else position[0] < fixed
        if extra_test is None:
            return inside
        return logical(trace, inside, extra_test, conjunction=True)

    def step() -> None:
        index = emit.to_index(trace, position[0])
        _assume_position(trace, index, source)
        item = source.item(index)
        position[0] = position[0] + 1
        if once:
            source.take(position[0])
        body(item)

    while_stmt(trace, test, step, State(get, restore, ("position", *state.names), state.keep))


def negation(trace: Trace, value: Any) -> SymbolicTensor:
    """``not value`` as a bool scalar."""
    with trace.at_user_line():
        true = trace.constant(bool_, True)
        return trace.make(trace.op("arith.xori", true.type, truth(trace, value), true), bool_, ())


def reads_run_time_values(trace: Trace, start: int) -> bool:
    """True where what was recorded from the operation ``start`` on depends on more than constants."""
    ir = bindings.ir
    recorded = trace.scope.recorded[start:]
    inside: set[Any] = set()

    def outer(value: Any) -> bool:
        owner = value.owner
        if isinstance(owner, ir.Block):
            return owner not in inside
        return owner.operation not in made and owner.operation.name != "arith.constant"

    made: set[Any] = set()

    def collect(operation: Any) -> Any:
        made.add(operation.operation)
        inside.update(block for region in operation.operation.regions for block in region.blocks)
        return ir.WalkResult.ADVANCE

    for operation in recorded:
        operation.walk(collect)
    return any(outer(value) for operation in made for value in operation.operands)


def size_since(scope: Scope, start: int) -> int:
    """How many operations there are in what a region has from the operation ``start`` on."""
    count = 0

    def visit(_: Any) -> Any:
        nonlocal count
        count += 1
        return bindings.ir.WalkResult.ADVANCE

    for operation in scope.recorded[start:]:
        operation.walk(visit)
    return count
