"""``while`` as ``scf.while``."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from agir.autograph.operators import Place, State
from agir.ir.building import bindings
from agir.ir.building.cells import Cell, LoopScope, Scope
from agir.ir.building.types import bool_, int64
from agir.ir.control_flow import effects
from agir.ir.control_flow.carried_layouts import Arriving
from agir.ir.control_flow.fixpoint import (
    Recorded,
    find_fixpoint,
    loop_abstracts,
    restore_cells,
    widen,
)
from agir.ir.control_flow.logical import logical
from agir.ir.control_flow.regions import block_arguments, left_by, run_recorded, written_cells
from agir.ir.emission.failing import Unreachable
from agir.ir.emission.truth import truth
from agir.ir.proofs import conditions
from agir.ir.tracing.trace import Trace
from agir.ir.values import abstract_values
from agir.ir.values.abstract_values import AbstractValue


def while_stmt(
    trace: Trace,
    test: Callable[[], Any],
    body: Callable[[], None],
    state: State,
    limit: Any = None,
) -> None:
    """Record ``while test(): body()``, with at most ``limit`` iterations, as one ``scf.while``."""
    if limit is not None:
        test, body, state = _counted(trace, test, body, state, limit)
    with trace.at_user_line():
        find_fixpoint(trace, state, partial(_record_while, trace, test, body))


def _counted(
    trace: Trace, test: Callable[[], Any], body: Callable[[], None], state: State, limit: Any
) -> tuple[Callable[[], Any], Callable[[], None], State]:
    """A loop that counts its iterations, and ends after so many."""
    iteration: list[Any] = [trace.make(trace.constant(int64, 0), int64, ())]

    def goes_on() -> Any:
        return logical(trace, iteration[0] < limit, test, conjunction=True)

    def step() -> None:
        body()
        iteration[0] = iteration[0] + 1

    def put(values: tuple[Any, ...]) -> None:
        iteration[0], *rest = values
        state.set(tuple(rest))

    names = ("maximum_iterations", *state.names)
    return goes_on, step, State(lambda: (iteration[0], *state.get()), put, names, state.keep)


@dataclass
class _While:
    """The regions of a ``while``.

    ``entry`` are the abstract values before the test, ``tested`` those after it, which the body
    gets and the loop leaves: the test may bind a name.
    """

    before: LoopScope
    after: LoopScope
    condition: Any
    entry: list[AbstractValue]
    tested: list[AbstractValue]
    forwarded: list[Any]
    yielded: list[Any]


def _record_while(
    trace: Trace,
    test: Callable[[], Any],
    body: Callable[[], None],
    state: State,
    entry: list[AbstractValue],
    more: Callable[[], list[Place]],
) -> Recorded:
    """Record test and body once; only the test, if it writes to what is not carried yet."""
    outer, initial = trace.scope, state.get()
    before, after = LoopScope(outer), LoopScope(outer)
    if trace.error is None:
        trace.unchecked_loops += 1
    with trace.inside(before):
        state.set(block_arguments(trace, before, state.names, entry))
        tested_values = state.get()
        arriving = Arriving(tested_values, initial)
        condition = _condition(trace, test)
        values = state.get()
        if more():
            return Recorded(entry, lambda _: values, (tested_values,), values)
        tested = loop_abstracts(trace, values, outer)
        forwarded = abstract_values.pack_all(trace, tested, values)
    with trace.inside(after):
        state.set(block_arguments(trace, after, state.names, tested))
        names = dict(zip(forwarded, after.block.arguments, strict=False))  # arrays follow
        conditions.assume(trace, condition, True, names)
        arguments = state.get()
        Arriving(arguments, values)
        ends = run_recorded(trace, body)
        effects.enter_lists(trace, state)
        left = left_by(trace, state, arguments, ends)
        arriving.also(left)
        widened = widen(trace, state.names, entry, left, outer)
        yielded = abstract_values.pack_all(trace, entry, left) if widened == entry else []
    loop = _While(before, after, condition, entry, tested, forwarded, yielded)
    close = partial(_close_while, trace, loop)
    return Recorded(widened, close, (tested_values, arguments), left)


def _condition(trace: Trace, test: Callable[[], Any]) -> Any:
    """The truth of a loop's test; false where it has raised, on every path."""
    try:
        return truth(trace, test())
    except Unreachable:
        return trace.constant(bool_, False)


def _close_while(trace: Trace, loop: _While, initial: Sequence[Any]) -> tuple[Any, ...]:
    before, after = loop.before, loop.after
    operands = list(abstract_values.pack_all(trace, loop.entry, initial))
    for scope in (before, after):
        scope.renew()
    condition = _stop_on_error(trace, before, loop.condition)
    written = written_cells([before, after])
    for cell in written:
        before.read(cell)
        after.read(cell)
    condition, *forwarded = before.drop_read_only(set(written), [condition, *loop.forwarded])
    yielded = after.drop_read_only(set(written), loop.yielded)
    loop = replace(loop, condition=condition, forwarded=forwarded, yielded=yielded)
    operands += [trace.scope.read(cell) for cell in before.entered]
    close = _test_in_body if _writes_arrays(loop) else _test_apart
    made, leaving = close(trace, loop, operands)
    restore_cells(trace, leaving, made[len(forwarded) :])
    return abstract_values.unpack_all(trace, loop.tested, made[: len(forwarded)])


def _test_apart(trace: Trace, loop: _While, operands: list[Any]) -> tuple[list[Any], list[Cell]]:
    """The loop with its test in a region of its own, and the cells that are among its results."""
    before, after = loop.before, loop.after
    leaving = list(after.entered)
    with trace.inside(before):
        results = [*loop.forwarded, *(before.read(cell) for cell in leaving)]
        trace.create("scf.condition", (), [loop.condition, *results])
    with trace.inside(after):
        yielded = [*loop.yielded, *(after.read(cell) for cell in before.entered)]
        trace.create("scf.yield", (), yielded)
    blocks = before.block, after.block
    made = trace.create("scf.while", [r.type for r in results], operands, blocks=blocks)
    return list(made.results), leaving


def _writes_arrays(loop: _While) -> bool:
    """Whether the test makes others of the arrays that it gets, in the form that it gets them in."""
    before = loop.before
    left = [*loop.forwarded, *(before.read(cell) for cell in before.entered)]
    pairs = zip(before.block.arguments, left, strict=False)
    return loop.tested == loop.entry and any(
        one is not other and isinstance(other.type, bindings.ir.RankedTensorType)
        for one, other in pairs
    )


def _test_in_body(trace: Trace, loop: _While, operands: list[Any]) -> tuple[list[Any], list[Cell]]:
    """The loop with its test at the beginning of its body, and a truth value that ends it.

    Bufferization would copy each array that a test in a region of its own writes to.
    """
    before, after = loop.before, loop.after
    cells = list(before.entered)
    left = [*loop.forwarded, *(before.read(cell) for cell in cells)]
    tested = [*loop.forwarded, *(before.read(cell) for cell in after.entered)]
    names = dict(zip(after.block.arguments, tested, strict=True))
    after.block.replace(names)
    for argument in reversed(list(names)):
        after.block.erase_argument(argument.number)
    with trace.inside(after):
        yielded = [*loop.yielded, *(after.read(cell) for cell in cells)]
        trace.create("scf.yield", (), [names.get(each, each) for each in yielded])
    end, goes_on = Scope(before), LoopScope(trace.scope)
    with trace.inside(end):
        trace.create("scf.yield", (), left)
    kinds = [each.type for each in left]
    with trace.inside(before):
        blocks = after.block, end.block
        branch = trace.create("scf.if", kinds, [loop.condition], blocks=blocks)
        trace.create("scf.yield", (), [*branch.results, loop.condition])
        before.block.add_argument(loop.condition.type, loop.condition.location)
    with trace.inside(goes_on):
        carried = [
            goes_on.block.add_argument(each.type, each.location) for each in before.block.arguments
        ]
        trace.create("scf.condition", (), [carried[-1], *carried])
    operands = [*operands, trace.constant(bool_, True)]
    blocks = goes_on.block, before.block
    made = trace.create("scf.while", [each.type for each in operands], operands, blocks=blocks)
    return list(made.results)[:-1], cells


def _stop_on_error(trace: Trace, before: Scope, condition: Any) -> Any:
    """A ``while`` stops once something has failed: its condition tests the error record.

    What goes on with safe values after a failure may never fulfil the user's own condition.
    """
    if trace.error is None:
        return condition
    with trace.inside(before):
        fine = trace.compare("eq", trace.failing(), trace.constant(int64, 0))
        return trace.op("arith.andi", fine.type, condition, fine)
