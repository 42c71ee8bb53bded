"""The reverse sweep: from the cotangents of results to those of what they were computed from.

Operations that stand in a block of the trace are visited from the last to the first, and each adds
to the cotangents of its operands by the rule of its name.  What the rules compute is recorded like
anything else, so it can be differentiated again.  A loop or branch whose inner values are needed is
replaced by one that also gives those (`residuals`); the one that it replaces goes when the trace is
finished (`Trace.replace`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from agir.errors import NotDifferentiableError
from agir.ir import recording
from agir.ir.building import locations
from agir.ir.building.cells import Scope
from agir.ir.building.program import Before
from agir.ir.gradients.core import graph
from agir.ir.gradients.core.expressions import Expression, carries, zeros_like
from agir.ir.gradients.core.slices import Box, Slices
from agir.ir.tracing.trace import Trace

Rule = Callable[["Sweep", Any, list[Any]], None]
"""``(sweep, operation, cotangents of the results, None for none)``: adds to the operands'."""

RULES: dict[str, Rule] = {}


def refuse(operation: Any, why: str, name: str = "") -> NotDifferentiableError:
    """The error that no cotangent can pass an operation, which the user calls so."""
    what = name or f"the operation {operation.name}"
    if operation.name == "func.call" and not name:
        what = f"the call of {operation.attributes['callee'].value!r}"
    message = f"{what} has no derivative: {why}"
    place = locations.with_source(operation.location)
    trace = recording.current()
    if not place and trace is not None:
        return NotDifferentiableError(trace.explain(message))
    return NotDifferentiableError(message + place)


class Sweep:
    """One reverse sweep, over the blocks of one region and those around it."""

    def __init__(self, trace: Trace, active: set[Any]) -> None:
        self.trace = trace
        self.active = active
        """The values that depend on what is differentiated with respect to."""
        self.cotangents: dict[Any, Any] = {}
        self._slices: dict[Any, Slices] = {}
        """What is still to be added to slices of them."""
        self.masked: set[Any] = set()
        """The values whose cotangents a condition may have set to zero."""
        self._visits_masked = False
        self.in_loop = False
        """Whether it goes over the body of a loop.

        Which will stand in one that keeps its iterations.
        """

    # What rules use.

    def wants(self, value: Any) -> bool:
        """Whether a cotangent of the value is of use."""
        return self.resolve(value) in self.active and carries(value)

    def resolve(self, value: Any) -> Any:
        """The value that has taken the place of another."""
        return self.trace.replacement(value)

    def cotangent(self, value: Any) -> Any:
        """The cotangent so far, None for none."""
        value = self.resolve(value)
        slices = self._slices.pop(value, None)
        if slices is not None:
            found = slices.total(self.trace, value, self.cotangents.get(value))
            self.cotangents[value] = found
        return self.cotangents.get(value)

    def expression(self, value: Any) -> Expression:
        """The value in a formula."""
        return Expression(self.trace, self.resolve(value))

    def received(self, cotangent: Any) -> Expression:
        """A cotangent of the operation being visited, in a formula."""
        return Expression(self.trace, cotangent, self._visits_masked)

    def add(self, value: Any, cotangent: Any) -> None:
        """Add to the cotangent of a value."""
        if isinstance(cotangent, Expression):
            cotangent = cotangent.ssa
        if not self.wants(value):
            return
        value = self.resolve(value)
        if cotangent.type != value.type:
            cotangent = self.trace.op("tensor.cast", value.type, cotangent)
        if self._visits_masked:
            self.masked.add(value)
        before = self.cotangent(value)
        if before is not None:
            total = Expression(self.trace, before) + Expression(self.trace, cotangent)
            cotangent = total.ssa
        self.cotangents[value] = cotangent

    def add_to_slice(self, value: Any, box: Box, cotangent: Any) -> None:
        """Add to the cotangent of a part of a value."""
        if not self.wants(value):
            return
        value = self.resolve(value)
        if self._visits_masked:
            self.masked.add(value)
        self._slices.setdefault(value, Slices()).add(box, cotangent)

    def add_around(self, value: Any, box: Box, cotangent: Any) -> bool:
        """Let a value have a cotangent but for a part, where it has zero; False if it has one."""
        value = self.resolve(value)
        if value in self.cotangents or value in self._slices or cotangent.type != value.type:
            return False
        self.add(value, cotangent)
        self._slices[value] = Slices(box)
        return True

    def update(self, value: Any, change: Callable[[Any], Any]) -> None:
        """Replace the cotangent of a value, zero if it has none yet, by what is made of it."""
        if not self.wants(value):
            return
        value = self.resolve(value)
        if self._visits_masked:
            self.masked.add(value)
        self.cotangents[value] = change(self.accumulated(value))

    def accumulated(self, value: Any) -> Any:
        """The cotangent so far, zero for none."""
        found = self.cotangent(value)
        return zeros_like(self.trace, self.resolve(value)) if found is None else found

    @property
    def visits_masked(self) -> bool:
        """Whether the cotangents of the operation being visited are masked."""
        return self._visits_masked

    def mask(self) -> None:
        """What the operation being visited adds from now on is masked."""
        self._visits_masked = True

    # The sweep.

    def inner(self, operations: Sequence[Any], variables: Sequence[Any] = ()) -> Sweep:
        """A sweep over the operations of a region inside; its variables are active."""
        made = Sweep(self.trace, {*self.active, *variables})
        made.in_loop = self.in_loop
        graph.spread(operations, made.active)
        if self._visits_masked or any(map(_chooses, operations)):
            made.masked.update(made.active)
        return made

    def run(self, operations: Sequence[Any]) -> None:
        """Visit the operations, from the last to the first."""
        for operation in reversed(operations):
            results = [self.resolve(result) for result in operation.results]
            found = [self.cotangent(result) for result in results]
            if all(each is None for each in found) or graph.STOPPED in operation.attributes:
                continue
            if results[0] != operation.results[0]:
                continue  # what has taken its place is visited
            self._visits_masked = any(result in self.masked for result in results)
            with self.trace.at(operation.location):
                self.visit(operation, found)

    def visit(self, operation: Any, cotangents: list[Any]) -> None:
        """Apply the rule of the operation."""
        rule = RULES.get(operation.name)
        if rule is None:
            raise refuse(operation, "agir knows no rule for this operation")
        rule(self, operation, cotangents)

    @contextmanager
    def before(self, operation: Any) -> Iterator[Scope]:
        """Record right before an operation that stands in this region or one around it."""
        trace = self.trace
        scope: Scope | None = trace.scope
        while scope is not None and scope.block is not operation.block:
            scope = scope.parent
        assert scope is not None, "an operation that is visited stands in a region around"
        with recording_before(trace, scope, operation):
            yield scope


def _chooses(operation: Any) -> bool:
    """Whether an operation takes one of two values that carry cotangents: an index has none."""
    return operation.name == "arith.select" and carries(operation.results[0])


@contextmanager
def recording_before(trace: Trace, scope: Scope, operation: Any) -> Iterator[None]:
    """Record right before an operation of a scope; nothing that was made after it is used."""
    kept = scope.point, scope.constants, scope.memo
    scope.point, scope.constants, scope.memo = Before(operation), {}, {}
    trace.inserted.append(scope.point)
    try:
        with trace.inside(scope):
            yield
    finally:
        scope.point, scope.constants, scope.memo = kept
