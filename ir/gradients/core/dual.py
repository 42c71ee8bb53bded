"""The forward sweep: beside each value its change, in the direction of the sources' tangents.

Operations are visited in their order, and what a change is computed by is recorded right behind
each.  A loop, branch or body is replaced by one that computes values and changes together.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from agir.ir.building.cells import Scope
from agir.ir.building.program import Operation
from agir.ir.gradients.core import graph, hosted
from agir.ir.gradients.core.expressions import Expression, carries, zeros_like
from agir.ir.gradients.core.sweep import recording_before, refuse
from agir.ir.tracing.trace import Trace

Rule = Callable[["Dual", Any, list[Any]], Sequence[Any]]
"""``(dual, operation, its results here)``: the change of each result, None for none."""
Whole = Callable[["Dual", Any], tuple[list[Any], Sequence[Any]]]
"""``(dual, operation)``: records what takes its place; gives the results, and their changes."""

FORWARD: dict[str, Rule] = {}
WHOLE: dict[str, Whole] = {}


class Dual:
    """One forward sweep."""

    def __init__(self, trace: Trace, tangents: dict[Any, Any], mapping: dict[Any, Any]) -> None:
        self.trace = trace
        self.tangents = tangents
        self.mapping = mapping
        """What stands here for values of a body that is recorded again."""

    # What rules use.

    def value(self, value: Any) -> Any:
        """What stands for a value here."""
        value = self.trace.replacement(value)
        return self.mapping.get(value, value)

    def tangent(self, value: Any) -> Any:
        """The change of a value; None for none."""
        return self.tangents.get(self.value(value))

    def change(self, value: Any) -> Any:
        """The change of a value, zero for none."""
        found = self.tangent(value)
        return zeros_like(self.trace, self.value(value)) if found is None else found

    def expression(self, value: Any) -> Expression:
        """The value in a formula."""
        return Expression(self.trace, self.value(value))

    def moves(self, values: Sequence[Any]) -> bool:
        """Whether any of the values changes."""
        return any(self.tangent(value) is not None for value in values)

    def is_moved(self, operation: Any) -> bool:
        """Whether anything changes that an operation computes with."""
        if self.moves(graph.used_by(operation)):
            return True
        operands = [self.value(value) for value in operation.operands]
        source = hosted.source_of(self.trace, operation, operands)
        return source is not None and self.moves(graph.used_by(source))

    def note(self, values: Sequence[Any], tangents: Sequence[Any]) -> None:
        """These values change so."""
        for value, tangent in zip(values, tangents, strict=True):
            if tangent is not None:
                self.tangents[value] = tangent

    def copy(self, operation: Any) -> list[Any]:
        """The operation again; gives its results."""
        made: Operation = operation.clone({}, self.value)
        self.trace.scope.point.append(made)
        return made.results

    def inner(self) -> Dual:
        """A sweep of a region inside."""
        return Dual(self.trace, dict(self.tangents), dict(self.mapping))

    # The sweep.

    def run(self, operations: Sequence[Any]) -> None:
        """Visit operations that stay where they are."""
        gone = set(self.trace.superseded)
        for number, operation in enumerate(operations):
            if operation in gone or not self.is_moved(operation):
                continue
            following = operations[number + 1] if number + 1 < len(operations) else None
            with self.trace.at(operation.location):
                whole = self._whole(operation)
                if whole is not None:
                    with self._before(operation):
                        results, tangents = whole(self, operation)
                    if results:
                        self.trace.supersede(operation, results)
                    self.note(results, tangents)
                    continue
                with self._before(following):
                    results = list(operation.results)
                    self.note(results, self._changes(operation, results))

    def beside(self, operations: Sequence[Any]) -> None:
        """Record the changes of operations that stand before, and stay as they are."""
        gone = set(self.trace.superseded)
        for operation in operations:
            if operation in gone or not self.is_moved(operation):
                continue
            results = [self.value(result) for result in operation.results]
            with self.trace.at(operation.location):
                whole = self._whole(operation)
                if whole is None:
                    self.note(results, self._changes(operation, results))
                else:
                    self.note(results, whole(self, operation)[1])

    @contextmanager
    def _before(self, operation: Any) -> Iterator[None]:
        if operation is None:
            yield
            return
        with recording_before(self.trace, self.trace.scope, operation):
            yield

    def again(self, operations: Sequence[Any]) -> None:
        """Record operations of another block again, with their changes."""
        for operation in operations:
            is_moved = self.is_moved(operation)
            whole = self._whole(operation) if is_moved else None
            if whole is not None:
                results, tangents = whole(self, operation)
                self.mapping.update(zip(operation.results, results, strict=True))
            else:
                results = self.copy(operation)
                self.mapping.update(zip(operation.results, results, strict=True))
                tangents = self._changes(operation, results) if is_moved else [None] * len(results)
            self.note(results, tangents)

    def _whole(self, operation: Any) -> Whole | None:
        """What takes the place of an operation; None for one that stays, as a call of the host."""
        if hosted.said(self.trace, operation) is not None:
            return None
        return WHOLE.get(operation.name)

    def _changes(self, operation: Any, results: list[Any]) -> Sequence[Any]:
        has_change = any(map(carries, results)) or hosted.said(self.trace, operation) is not None
        if graph.STOPPED in operation.attributes or not has_change:
            return [None] * len(results)
        rule = FORWARD.get(operation.name)
        if rule is None:
            raise refuse(operation, "agir knows no rule for this operation")
        return rule(self, operation, results)

    # Blocks.

    def block(
        self, kinds: Sequence[Any], build: Callable[[Dual, list[Any]], tuple[str, list[Any]]]
    ) -> Scope:
        """A block with arguments of these types; ``build`` gives its terminator and operands."""
        with self.trace.inside(Scope(self.trace.scope)) as scope:
            arguments = [scope.block.add_argument(kind, self.trace.location) for kind in kinds]
            name, operands = build(self.inner(), arguments)
            self.trace.create(name, (), operands)
        return scope


def reached(operations: Sequence[Any], moving: set[Any]) -> set[Any]:
    """The values that change where these do."""
    found = set(moving)
    graph.spread(operations, found)
    return found
