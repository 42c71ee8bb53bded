"""What methods of ufuncs compute element by element, in recorded loops."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from agir.autograph.operators import LoopOptions, for_stmt, no_state
from agir.ir import recording
from agir.ir.ops.core.recorded import dimension_size, dimension_sizes, dtype_of, tensor
from agir.ir.tensors import dispatch

call = dispatch.call
Combine = Callable[[Any, Any], Any]
"""Two parts of arrays, or numbers, combined."""


def repeat(count: Any, body: Callable[[Any], None]) -> None:
    """``for i in range(count): body(i)``, where the body writes into arrays."""
    numbers = range(count) if isinstance(count, int) else call("range", count, dtype="int64")
    for_stmt(numbers, body, None, no_state, LoopOptions())


def folded(rows: Any, combine: Combine, what: str, identity: Any = None, chosen: Any = None) -> Any:
    """The rows combined in their order, where only the run time knows how many there are.

    ``identity`` is what none of them give, with which they begin; None where that is an error.
    ``chosen`` says which elements count, where there is something to begin with.
    """
    if identity is not None:
        start = call("cast", identity, dtype_of(rows))
        first = call("broadcast_to", start, (1, *dimension_sizes(rows)[1:]))
        rows = call("concat", [first, rows], 0)
    count, trace = dimension_size(rows, 0), recording.current()
    assert trace is not None, "a run-time size is met in a trace"
    trace.guard(call("greater", count, 0).ssa, trace.site("empty", what))
    total = call("copy", rows[:1])

    def step(i: Any) -> None:
        new = combine(total[0], rows[i + 1])
        total[0] = new if chosen is None else call("where", chosen[i], new, total[0])

    repeat(count - 1, step)
    return total[0]


def scanned(rows: Any, combine: Combine) -> Any:
    """What the rows up to each one give."""
    found = call("copy", rows)

    def step(i: Any) -> None:
        found[i + 1] = combine(found[i], rows[i + 1])

    repeat(dimension_size(rows, 0) - 1, step)
    return found


def folded_parts(rows: Any, starts: Any, combine: Combine) -> Any:
    """For each start the rows from there up to the next start combined, or that row alone."""
    count = dimension_size(rows, 0)
    ends = call("concat", [starts[1:], tensor(call("reshape", count, (1,)), "int64")], 0)
    found = call("take", rows, starts, 0)

    def part(k: Any) -> None:
        first = starts[k]

        def step(i: Any) -> None:
            found[k] = combine(found[k], rows[first + 1 + i])

        repeat(call("maximum", ends[k] - first - 1, 0), step)

    repeat(dimension_size(starts, 0), part)
    return found


def updated(flat: Any, places: Any, values: Any, combine: Callable[..., Any]) -> Any:
    """A vector with the elements at the places changed one after the other."""
    found, kind = call("copy", flat), dtype_of(flat)

    def step(i: Any) -> None:
        at = places[i]
        given = () if values is None else (values[i],)
        found[at] = call("cast", combine(found[at], *given), kind)

    repeat(dimension_size(places, 0), step)
    return found
