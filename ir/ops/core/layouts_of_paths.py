"""How an array lies that one of several paths leaves: a branch, a loop, an item of a list."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from agir.errors import StagingError
from agir.ir.ops.core import layouts, memory_steps
from agir.ir.ops.core.layouts import Assumption, Derived, Layout
from agir.ir.tensors.symbolic import SymbolicTensor
from agir.ir.tracing.trace import Trace


@dataclass(eq=False)
class Carried(Derived):
    """An array that a branch or a loop leaves: it is taken to lie as on the first path does.

    That the others agree is asked at the end, where it matters, when all of them are known.
    """

    first: list[SymbolicTensor] = field(default_factory=list)
    """The array that it is taken to lie as."""
    said: str = ""
    """What to say where the others do not."""
    is_checked: bool = False

    @property
    def has_gaps(self) -> bool:  # type: ignore[override]
        """Whether its gaps are those of its source, and not only the order of its axes."""
        return self.steps is _as_source

    def layout(self, trace: Trace, cell: Any) -> Layout:
        """The layout of the array with this cell."""
        found = super().layout(trace, cell)
        trace.assumes.append(Assumption(cell, derived=cell, carried=self))
        return found

    @property
    def decisive(self) -> Sequence[SymbolicTensor]:
        """The sources whose layouts the array has its own from."""
        return self.first

    def check(self, trace: Trace) -> None:
        """Refuse the program where the paths leave arrays that lie in different orders."""
        if self.is_checked:
            return
        self.is_checked, mark = True, len(trace.assumes)
        with layouts.unknown(layouts.SOME):
            found = super().layout(trace, None)
        if not memory_steps.lie_alike(found, self.sources, self.gaps_asked):
            raise StagingError(self.said)
        for each in trace.assumes[mark:]:
            each.decides = True


def _as_source(shape: tuple[int, ...], operands: Sequence[Layout]) -> Sequence[int]:
    return tuple(operands[0].strides)


def derive_carried(made: Any, sources: Iterable[Any], like: Any = None) -> Carried | None:
    """Note that an array is what one of several paths leaves.

    Where none of the first paths leaves it, it is taken to have its axes in the order of ``like``.
    """
    place = layouts.place_of(made) if isinstance(made, SymbolicTensor) else None
    if place is None or not made.dims or not made.recorder.convention.arrays_are_mutable:
        return None
    trace, rank = made.recorder, len(made.dims)
    arrays = [e for e in sources if isinstance(e, SymbolicTensor) and len(e.dims) == rank]
    if place in trace.derived or any(layouts.place_of(e) is place for e in arrays):
        return None
    first, steps = arrays[:1], _as_source
    if not first:
        first, steps = [like], layouts.elementwise_steps
    if not isinstance(first[0], SymbolicTensor) or len(first[0].dims) != rank:
        return None
    said = trace.explain(layouts.DIFFER)
    found = Carried(made.dims, arrays, steps, first=first, said=said)
    trace.derived[place] = found
    return found
