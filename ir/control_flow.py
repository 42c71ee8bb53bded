"""Control flow as ``scf``: the recorded form of AutoGraph's ``if``, ``while`` and ``for``.

Bodies are recorded into detached blocks, one for each region; what they read and write is known
only then, so the ``scf`` operation is made last.  A loop body is recorded again only where a
carried variable turned out to need a wider type than it had before the loop.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from agir.autograph.operators import Entry, FreeVariable, Place, State
from agir.errors import AgirError, StagingError
from agir.ir import bindings, effects, emit, foreseen, iteration, locations, ranges, slots
from agir.ir.cells import Cell, LoopScope, Scope
from agir.ir.journal import Frame, extended
from agir.ir.optional import CheckedTensor, for_place
from agir.ir.slots import JoinError, Slot
from agir.ir.staged import Staged
from agir.ir.symbolic import SymbolicTensor
from agir.ir.trace import Trace
from agir.ir.types import bool_, int64

_ROUNDS = 8


def truth(trace: Trace, value: Any) -> Any:
    """The truth value of a scalar as an SSA ``i1``."""
    if isinstance(value, Staged):
        return value.truth(trace)
    if not isinstance(value, SymbolicTensor):
        return trace.constant(bool_, bool(value))
    if isinstance(value, CheckedTensor) and value.may_be_none:
        return truth(trace, logical(trace, value.present, lambda: value.unchecked, True))
    if any(extent != 1 for extent in value.dims):
        raise ValueError(
            trace.explain(
                f"the truth value of a tensor of shape {list(value.shape)} is ambiguous: use "
                "agir.reduce_any or agir.reduce_all"
            )
        )
    ssa = value.ssa
    if value.dims:
        ssa = trace.op(
            "tensor.extract", value.dtype.mlir(), ssa, *[trace.index(0)] * len(value.dims)
        )
    return emit.convert(trace, ssa, value.dtype, bool_, ())


def _refuse(trace: Trace, error: JoinError) -> StagingError:
    return StagingError(trace.explain(str(error)))


class Unreachable(BaseException):
    """Ends the recording of a region whose rest can never run: it has raised, on every path.

    Not an ``Exception``, so that no handler of the user's takes it for one.
    """


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


def if_stmt(
    trace: Trace, cond: Any, body: Callable[[], None], orelse: Callable[[], None], state: State
) -> None:
    """Record both branches, and one ``scf.if`` that yields what they leave in the state."""
    with trace.at_user_line():
        test = truth(trace, cond)
        before = state.get()
        arms = [_arm(trace, run, state, before) for run in (body, orelse)]
        noted = [note.place for arm in arms for note in arm.frame.noted.values()]
        places = list({p.key: p for p in noted if not _is_variable(state, p)}.values())
        arms = [_with_places(arm, places) for arm in arms]
        whole = extended(state, places, _store(trace))
        state.set(before)
        try:
            joined = _join(trace, whole.names, whole.get(), arms)
        except JoinError as error:
            raise _refuse(trace, error) from None
        cells = _written([arm.scope for arm in arms])
        results = _close_if(trace, test, arms, joined, cells)
        whole.set(slots.unpack_all(trace, joined, results))
        if not any(arm.ends for arm in arms):
            raise Unreachable


def _arm(trace: Trace, run: Callable[[], None], state: State, before: tuple[Any, ...]) -> _Arm:
    scope = Scope(trace.scope)
    state.set(before)
    with trace.inside(scope), trace.journal.frame() as frame:
        ends = _run(trace, run)
        values = state.get()
        frozen = tuple(map(slots.frozen, values))
        kept = effects.of(trace, frame)
        for place, _ in kept:
            frame.drop(place)
        after = {k: slots.frozen(note.place.get()) for k, note in frame.noted.items()}
        arm = _Arm(scope, frame.copy(), values, frozen, after, ends)
    effects.keep(trace, kept)
    return arm


def _store(trace: Trace) -> Callable[[Place, Any], None]:
    """How a place gets the value that a branch or loop leaves in it."""

    def store(place: Place, value: Any) -> None:
        trace.journal.note(place)
        place.set(for_place(value))

    return store


def _with_places(arm: _Arm, places: Sequence[Place]) -> _Arm:
    """The arm with the places that any of the arms writes to as further variables."""
    more = tuple(arm.after[p.key] if p.key in arm.after else p.get() for p in places)
    return replace(arm, values=(*arm.values, *more), frozen=(*arm.frozen, *more))


def _join(
    trace: Trace, names: Sequence[str], before: tuple[Any, ...], arms: Sequence[_Arm]
) -> list[Slot]:
    """The slots of what the arms leave; an arm that does not end has no say."""
    ending = [arm for arm in arms if arm.ends]
    if len(ending) == 2:
        left, right = arms
        found = [
            slots.meet(trace, name, a, b)
            if slots.same_value(a, b)
            else slots.meet(trace, name, c, d)
            for name, a, b, c, d in zip(
                names, left.values, right.values, left.frozen, right.frozen, strict=True
            )
        ]
    elif ending:
        found = [
            slots.Static(value) if _is_outside(trace, value, old) else slots.slot_of(trace, frozen)
            for value, frozen, old in zip(ending[0].values, ending[0].frozen, before, strict=True)
        ]
    else:
        found = [slots.Static(value) for value in before]
    return [slot.outside(trace.scope) for slot in found]


def _is_outside(trace: Trace, value: Any, before: Any) -> bool:
    """True where a value of a branch is one that exists without the branch."""
    if isinstance(value, SymbolicTensor):
        return trace.scope.encloses(value.storage.home)
    return slots.same_value(value, before)


def _run(trace: Trace, body: Callable[[], None]) -> bool:
    """Run a branch or loop body while it is recorded; tells whether control reaches its end.

    An exception that the user's own code raises there would be raised on every path, or be caught
    by a handler that the path taken at run time never reaches.
    """
    try:
        body()
    except Unreachable:
        return False
    except AgirError:
        raise
    except Exception as error:
        if foreseen.record(trace, error):
            return False
        if not locations.raised_by_user(error):
            raise
        raise StagingError(
            f"{type(error).__name__} is raised while tracing, in a branch or loop that depends on "
            f"run-time values: {error}"
        ) from error
    return True


def _written(scopes: Sequence[Scope]) -> list[Cell]:
    """The outer cells that the regions write, in the order of the first write."""
    found = {cell: None for scope in scopes for cell in scope.written if cell.home not in scopes}
    return list(found)


def _close_if(
    trace: Trace, test: Any, arms: Sequence[_Arm], joined: Sequence[Slot], cells: Sequence[Cell]
) -> list[Any]:
    """Yield the variables and cells from both branches; gives the results of the variables."""
    for arm in arms:
        with trace.inside(arm.scope):
            yielded = (
                slots.pack_all(trace, joined, arm.frozen)
                if arm.ends
                else [ssa for slot in joined for ssa in slot.placeholder(trace)]
            )
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
        value = _value(right)
        cheap = len(trace.scope.recorded) - start <= _CHEAP and attempt.only_computed
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


def _value(make: Callable[[], Any]) -> Any:
    """The value; None where there is none, which shows again when it is made in a branch."""
    try:
        return make()
    except (LookupError, NameError, ZeroDivisionError, Unreachable):
        return None


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
            loop = record(whole, carried)
            kept = effects.of(trace, frame)
            known = {place.key for place, _ in kept} | {place.key for place in places}
            found = [
                place
                for place in _changed(frame)
                if place.key not in known and not _is_variable(state, place)
            ]
            after = [slots.frozen(place.get()) for place in found]
        state.set(before)
        if not found and loop.widened == carried and not _can_hang(trace, unchecked):
            results = loop.close(whole.get())
            whole.set(results)
            effects.keep(trace, kept)
            return
        entry = _loop_slots(trace, [place.get() for place in found], trace.scope)
        names = [place.name for place in found]
        carried = [*loop.widened, *_widen(trace, names, entry, after, trace.scope)]
        places += found
    raise StagingError(trace.explain(_unsettled(whole.names)))


def _is_variable(state: State, place: Place) -> bool:
    """True for a place that is a variable of the state: a nested function has assigned to it."""
    get = state.get
    cells = getattr(get, "__closure__", None) or ()
    if any(place.owner is cell for cell in cells):
        return True
    if isinstance(place, Entry) and place.owner is getattr(get, "__globals__", None):
        return place.entry in state.names
    held = [FreeVariable(cell, "").get() for cell in cells]
    return any(isinstance(each, State) and _is_variable(each, place) for each in held)


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
        condition = truth(trace, test())
        values = state.get()
        tested = _loop_slots(trace, values, outer)
        forwarded = slots.pack_all(trace, tested, values)
    with trace.inside(after):
        arguments = _arguments(trace, after, state.names, tested)
        state.set(arguments)
        left = state.get() if _run(trace, body) else arguments
        widened = _widen(trace, state.names, entry, left, outer)
        yielded = slots.pack_all(trace, entry, left) if widened == entry else []
    loop = _While(before, after, condition, entry, tested, forwarded, yielded)
    return _Recorded(widened, lambda initial: _close_while(trace, loop, initial))


def _close_while(trace: Trace, loop: _While, initial: Sequence[Any]) -> tuple[Any, ...]:
    before, after = loop.before, loop.after
    condition = _stop_on_error(trace, before, loop.condition)
    written = _written([before, after])
    for cell in written:
        before.read(cell)
        after.read(cell)
    for scope in (before, after):
        scope.drop_read_only(set(written))
    entering, leaving = list(before.entered), list(after.entered)
    with trace.inside(before):
        results = [*loop.forwarded, *(before.read(cell) for cell in leaving)]
        trace.create("scf.condition", (), [condition, *results])
    with trace.inside(after):
        trace.create("scf.yield", (), [*loop.yielded, *(after.read(cell) for cell in entering)])
    operands = slots.pack_all(trace, loop.entry, initial)
    operands += [trace.scope.read(cell) for cell in entering]
    operation = trace.create("scf.while", [r.type for r in results], operands, regions=2)
    for scope, region in zip((before, after), operation.regions, strict=True):
        scope.block.append_to(region)
    made = list(operation.results)
    _restore_cells(trace, leaving, made[len(loop.forwarded) :])
    return slots.unpack_all(trace, loop.tested, made[: len(loop.forwarded)])


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
) -> None:
    """Record a loop over a staged iterable: ``scf.for``, or ``scf.while`` where it may break."""
    with trace.at_user_line():
        source = iteration.iterable(trace, iterated)
        if extra_test is not None:
            _for_with_break(trace, source, body, extra_test, state)
            return
        _settle(
            trace,
            state,
            lambda whole, carried: _record_for(trace, source, body, whole, carried, target),
        )


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
        left = state.get() if _run(trace, lambda: body(source.item(position))) else arguments
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
    scope.drop_read_only(set(written))
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
    return slots.unpack_all(trace, carried, results[: len(yielded)])


def _for_with_break(
    trace: Trace,
    source: Any,
    body: Callable[[Any], None],
    extra_test: Callable[[], Any],
    state: State,
) -> None:
    """A counted loop that may end early: a ``while`` with the position as a further variable."""
    count = trace.make(emit.from_index(trace, _count(trace, source)), int64, ())
    position: list[Any] = [trace.make(trace.constant(int64, 0), int64, ())]

    def get() -> tuple[Any, ...]:
        return (position[0], *state.get())

    def restore(values: tuple[Any, ...]) -> None:
        position[0] = values[0]
        state.set(values[1:])

    def test() -> Any:
        return logical(trace, position[0] < count, extra_test, conjunction=True)

    def step() -> None:
        index = emit.to_index(trace, position[0])
        _assume_position(trace, index, source)
        body(source.item(index))
        position[0] = position[0] + 1

    while_stmt(trace, test, step, State(get, restore, ("position", *state.names)))


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
