"""``for`` as ``scf.for``, or as ``scf.while`` over the position where it may end early."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import nullcontext
from typing import Any

from agir.autograph.operators import State, going_on
from agir.errors import StagingError
from agir.ir.building.cells import LoopScope
from agir.ir.building.types import int64, is_python_number
from agir.ir.control_flow import effects
from agir.ir.control_flow.carried_layouts import Arriving
from agir.ir.control_flow.fixpoint import Recorded, find_fixpoint, restore_cells, widen
from agir.ir.control_flow.logical import logical
from agir.ir.control_flow.regions import block_arguments, left_by, run_recorded, written_cells
from agir.ir.control_flow.while_loops import while_stmt
from agir.ir.emission import emit
from agir.ir.tracing import ranges
from agir.ir.tracing.journal import Frame
from agir.ir.tracing.trace import Trace
from agir.ir.values import abstract_values
from agir.ir.values.abstract_values import AbstractValue, Typed
from agir.ir.values.alternatives.mixed_numbers import Mixed
from agir.ir.values.sequences import iteration


def for_stmt(
    trace: Trace,
    iterated: Any,
    body: Callable[[Any], None],
    extra_test: Callable[[], Any] | None,
    state: State,
    target: str = "position",
    start: Any = 0,
    limit: Any = None,
) -> None:
    """Record a loop over a staged iterable: ``scf.for``, or ``scf.while`` where it may break.

    ``start`` is the number of items that Python has run the loop over already, ``limit`` how many it
    is run over at most.
    """
    with trace.at_user_line():
        source = iteration.iterable(trace, iterated)
        body = _alone(trace, source, body)
        if isinstance(source, iteration.Once):
            source.begin()
            start = source.taken
        if (
            type(start) is int
            and start == 0
            and limit is None
            and _whole(trace, source, body, extra_test, state, target)
        ):
            return
        _by_position(trace, source, body, extra_test, state, start, limit)


class _TakesItselfError(Exception):
    """The body of a loop takes items from the iterator that the loop runs over."""


def _alone(trace: Trace, source: Any, body: Callable[[Any], None]) -> Callable[[Any], None]:
    """The body, which may not take from iterators that others stand beside (``zip``)."""
    beside = source.beside()

    def run(item: Any) -> None:
        before = [each.taken for each in beside]
        body(item)
        if any(each.taken is not was for each, was in zip(beside, before, strict=True)):
            raise StagingError(
                trace.explain(
                    "a loop over zip() or enumerate() of an iterator takes items from that iterator: "
                    "use next() for all of them"
                )
            )

    return run if beside else body


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
    once = isinstance(source, iteration.Once)
    with trace.attempt() if lists or once else nullcontext() as attempt:
        try:
            if extra_test is None:
                _count_up(trace, source, _not_taking(source, body), state, target)
            elif extra_test is not going_on or not _cannot_fail(trace, source, body, state, target):
                _by_position(trace, source, body, extra_test, state, 0)
                return True
            if once:
                source.take(iteration.EXHAUSTED)
            taken = False
        except _TakesItselfError:
            taken = True
        if attempt is None or not (taken or _writes(attempt.frame, lists)):
            _refuse_assigned(trace, before, state, lists)
            return True
        attempt.roll_back()
    state.set(before)
    return False


def _not_taking(source: Any, body: Callable[[Any], None]) -> Callable[[Any], None]:
    """The body of a counted loop, which takes nothing from an iterator that it runs over."""
    if not isinstance(source, iteration.Once):
        return body

    def run(item: Any) -> None:
        before = source.taken
        body(item)
        if source.taken is not before:
            raise _TakesItselfError

    return run


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
    return any(each.changes_with(owner) for owner in owners for each in lists)


def _count_up(
    trace: Trace, source: Any, body: Callable[[Any], None], state: State, target: str
) -> None:
    find_fixpoint(
        trace,
        state,
        lambda whole, carried, _: _record_for(trace, source, body, whole, carried, target),
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
        attempt.roll_back()
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
    carried: list[AbstractValue],
    target: str,
) -> Recorded:
    _bounds(trace, source)
    last = _last_position(source)  # found out here: it may be computed
    outer, initial = trace.scope, state.get()
    scope = LoopScope(outer)
    with trace.inside(scope):
        position = scope.block.add_argument(trace.index_type(), trace.named_location(target))
        ranges.assume(trace, position, 0, last)
        state.set(block_arguments(trace, scope, state.names, carried))
        arguments = state.get()
        arriving = Arriving(arguments, initial)
        ends = run_recorded(trace, lambda: body(source.item(position)))
        effects.enter_lists(trace, state)
        left = left_by(trace, state, arguments, ends)
        arriving.also(left)
        widened = widen(trace, state.names, carried, left, outer)
        yielded = abstract_values.pack_all(trace, carried, left) if widened == carried else []
    return Recorded(
        widened,
        lambda initial: _close_for(trace, source, scope, yielded, carried, initial),
        (arguments,),
        left,
    )


def _last_position(source: Any) -> int:
    count = source.count
    return max(count - 1, 0) if isinstance(count, int) else 2**62


def _close_for(
    trace: Trace,
    source: Any,
    scope: LoopScope,
    yielded: list[Any],
    carried: list[AbstractValue],
    initial: Sequence[Any],
) -> tuple[Any, ...]:
    operands = abstract_values.pack_all(trace, carried, initial)
    scope.renew()
    written = written_cells([scope])
    for cell in written:
        scope.read(cell)
    yielded = scope.drop_read_only(set(written), yielded)
    cells = list(scope.entered)
    entering = list(scope.block.arguments[1:])
    last = _last_constants(scope, carried, yielded)
    for place in reversed(last):
        scope.block.erase_argument(1 + place)
    kept = [place for place in range(len(yielded)) if place not in last]
    with trace.inside(scope):
        ends = [yielded[place] for place in kept]
        trace.create("scf.yield", (), [*ends, *(scope.read(cell) for cell in cells)])
    begins = [operands[place] for place in kept]
    begins += [trace.scope.read(cell) for cell in cells]
    types = [operand.type for operand in begins]
    bounds = _bounds(trace, source)
    operation = trace.create("scf.for", types, [*bounds, *begins], blocks=[scope.block])
    restore_cells(trace, cells, operation.results[len(kept) :])
    results = dict(zip(kept, operation.results[: len(kept)], strict=True))
    for place, number in last.items():
        results[place] = _after(trace, bounds[1], trace.constant(int64, number), operands[place])
    left = abstract_values.unpack_all(
        trace, carried, [results[place] for place in range(len(yielded))]
    )
    return _unchanged(carried, entering, yielded, initial, left)


def _last_constants(
    scope: LoopScope, carried: Sequence[AbstractValue], yielded: Sequence[Any]
) -> dict[int, int]:
    """The classes of numbers that each iteration leaves the same, and none looks at, by place."""
    found: dict[int, int] = {}
    place = 0
    for abstract in carried:
        place += len(abstract.types())
        if isinstance(abstract, Mixed):
            number = emit.constant_value(yielded[place - 1])
            if number is not None:
                found[place - 1] = int(number)
    if not found:
        return found
    uses = scope.block.uses()
    others = {*yielded, *scope.values.values()}
    arguments = scope.block.arguments
    return {
        place: number
        for place, number in found.items()
        if not uses[arguments[1 + place]] and arguments[1 + place] not in others
    }


def _after(trace: Trace, count: Any, last: Any, initial: Any) -> Any:
    """What so many iterations leave of which each gives the same: without any, the initial value."""
    known = emit.constant_value(count)
    if known is not None:
        return last if known > 0 else initial
    some = trace.compare("sgt", count, trace.index(0))
    return emit.select(trace, some, last, initial)


def _unchanged(
    carried: Sequence[AbstractValue],
    entering: Sequence[Any],
    yielded: Sequence[Any],
    initial: Sequence[Any],
    left: Sequence[Any],
) -> tuple[Any, ...]:
    """The variables after a loop; a Python number that the body never changed is one still."""
    out: list[Any] = []
    place = 0
    for abstract, before, after in zip(carried, initial, left, strict=True):
        same = isinstance(abstract, Typed) and entering[place] == yielded[place]
        out.append(before if same and is_python_number(before) else after)
        place += len(abstract.types())
    return tuple(out)


def _by_position(
    trace: Trace,
    source: Any,
    body: Callable[[Any], None],
    extra_test: Callable[[], Any] | None,
    state: State,
    start: Any,
    limit: Any = None,
) -> None:
    """A loop that may end early, or whose count may change: a ``while`` over the position."""
    once = isinstance(source, iteration.Once)
    live = bool(source.lists())
    fixed = None if live else emit.counted(trace, _count(trace, source))
    last = _last_position(source)
    first = emit.lift(trace, start)
    position: list[Any] = [trace.make(first.ssa, int64, (), weak=True)]

    def get() -> tuple[Any, ...]:
        return (position[0], *state.get())

    def restore(values: tuple[Any, ...]) -> None:
        position[0] = values[0]
        state.set(values[1:])

    def test() -> Any:
        inside = source.has(position[0]) if live else position[0] < fixed
        if limit is not None:
            inside = inside & (position[0] < limit)
        if extra_test is None:
            return inside
        return logical(trace, inside, extra_test, conjunction=True)

    def step() -> None:
        index = emit.to_index(trace, position[0])
        ranges.assume(trace, index, 0, last)
        item = source.item(index)
        position[0] = position[0] + 1
        if once:
            source.take(position[0])
        body(item)
        if once and source.taken is not position[0]:  # the body has taken some
            position[0] = emit.lift(trace, source.taken)

    while_stmt(trace, test, step, State(get, restore, ("position", *state.names), state.keep))
