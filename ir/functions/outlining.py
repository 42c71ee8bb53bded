"""Outlined functions: a function of the user's as a function of the module, called by ``func.call``.

The body is recorded like that of a loop: into a detached block, from which the regions around are
visible, until the types settle.  What changes in it is passed in and handed back: arguments,
results, arrays that are assigned into, places of Python's that are written to.  What it only reads
from outside becomes further arguments at the end (`agir.ir.functions.lifting`).

While the result's type is unknown, a call of the function by itself ends its region, so that the
paths that do not recur decide; then the body is recorded again with that type, until it holds.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import Any

from agir.errors import StagingError
from agir.ir.building import bindings, locations
from agir.ir.building.cells import FunctionScope, Scope
from agir.ir.building.types import int64
from agir.ir.control_flow.fixpoint import may_grow
from agir.ir.emission.failing import Unreachable
from agir.ir.functions import signature
from agir.ir.functions.callee import Callee
from agir.ir.functions.lifting import lift
from agir.ir.functions.outlined_calls import emit_call
from agir.ir.functions.returned import Returned
from agir.ir.tensors.symbolic import Owned
from agir.ir.values import abstract_values
from agir.ir.values.abstract_values import Static
from agir.ir.values.heap import objects
from agir.ir.values.text import need_codes

_ROUNDS = 16

Running = Callable[[Scope], AbstractContextManager[None]]


class Again(BaseException):
    """Ends a recording whose assumptions have turned out to be too narrow."""

    def __init__(self, function: Outlined) -> None:
        self.function = function


class Outlined(Callee):
    """A function that is recorded when it is called for the first time, and then called."""

    # Recording.

    def settle(self, running: Running) -> None:
        """Record the body until what is assumed of it holds."""
        trace = self.trace
        trace.error_record()
        for _ in range(_ROUNDS):
            mark = len(trace.sites)
            assumed = self._assumptions()
            try:
                output = self._record(running)
            except Again as again:
                if again.function is not self:
                    raise
                del trace.sites[mark:]
                continue
            if output is _NOTHING and self.waits and self.result.abstract is None:
                if any(each.waits for each in trace.outlining):
                    raise Unreachable
                raise StagingError(self._explain(_ENDLESS.format(name=self.name)))
            settled = self._assumptions() == assumed
            settled = settled and not (self.waits and self.result.abstract is None)
            if settled and self._closes(output):
                return
            del trace.sites[mark:]
            if objects.grow_without_end(self.trace, [*self.arguments, self.result.abstract]):
                break
        if any(map(may_grow, [*self.arguments, self.result.abstract])):
            need_codes(trace)
        raise StagingError(self._explain(_UNSETTLED.format(name=self.name)))

    def _explain(self, message: str) -> str:
        return self.trace.explain(message)

    def _assumptions(self) -> tuple[Any, ...]:
        return (
            list(self.arguments),
            self.result.abstract,
            self.returns,
            self.places.assumptions(),
            list(self.cells),
            set(self.written),
            self.explains,
        )

    def _record(self, running: Running) -> Any:
        trace = self.trace
        self.scope = scope = FunctionScope(self.outer)
        self.group, self.waits = [], False
        values = self._enter(scope)
        explanations = trace.explanations
        with self._as_innermost(scope), trace.journal.frame(), running(scope):
            self.places.enter()
            try:
                output = self._first.replaced(values).apply(self.function)
            except Unreachable:
                output = _NOTHING
            self.returns = output is not _NOTHING or self.waits
            if isinstance(output, abstract_values.MaybeUnbound):
                output = output.value
            output = self.result.known_by_itself(output)
            self._learn(output)
        self.explains |= trace.explanations > explanations
        return output

    @contextmanager
    def _as_innermost(self, scope: Scope) -> Iterator[None]:
        trace = self.trace
        stack, trace.stack = trace.stack, locations.Stack(sys._getframe(2))
        trace.outlining.append(self)
        try:
            with trace.inside(scope):
                yield
        finally:
            trace.outlining.pop()
            trace.stack = stack

    def _enter(self, scope: Scope) -> tuple[Any, ...]:
        """The block arguments, and the Python values that they stand for."""
        trace = self.trace
        block = scope.block
        with trace.inside(scope):
            self.depth = block.add_argument(int64.mlir(), trace.named_location("depth"))
            made = [
                block.add_argument(kind, trace.named_location(name))
                for name, abstract in zip(self.parameters, self.arguments, strict=True)
                for kind in abstract.types()
            ]
            values = abstract_values.unpack_all(trace, self.arguments, made)
            self._adopt(values, scope)
            self.places.take_arguments(block)
            for cell in self.cells:
                scope.read(cell)
            zero = trace.constant(int64, 0)
            for cell in trace.error_record().cells:
                scope.values[cell] = zero
        return values

    def _adopt(self, values: Sequence[Any], scope: Scope) -> None:
        """Arrays that are passed can be written to; containers that are rebuilt cannot."""
        self._leaves = []
        for value, abstract in signature.passed(values, self.arguments):
            if abstract.dims:
                value.storage = Owned(scope, value.ssa)
                value.shared = True
                self._leaves.append(value)
        pairs = list(zip(values, self.arguments, strict=True))
        self.places.begin([value for value, abstract in pairs if not isinstance(abstract, Static)])
        objects = [value for value, abstract in pairs if isinstance(abstract, Static)]
        self.result.begin(self._leaves, objects)

    # What a recording teaches.

    def _learn(self, output: Any) -> None:
        """Widen what is assumed by what this recording has shown."""
        self.places.learn()
        self._seen.update(self.scope.entered)
        self._learn_cells()
        self.written |= {
            number
            for number, leaf in enumerate(self._leaves)
            if isinstance(leaf.storage, Owned) and leaf.storage.cell in self.scope.written
        }
        if output is not _NOTHING:
            self.result.learn(output)

    def _learn_cells(self) -> bool:
        """Carry the cells that it writes to; says whether there are new ones.

        Those of the pools of lists it need only read: to pass it a list may put that into a pool.
        """
        before = len(self.cells)
        own = {*self.trace.error_record().cells, *self.cells}
        used = [*self.scope.written, *(c for c in self.scope.entered if c.grows)]
        news = (c for c in used if c not in own and c.home is not self.scope)
        self.cells.update(dict.fromkeys(news))
        return len(self.cells) > before

    # Calls.

    def call(self, values: Sequence[Any]) -> Any:
        """Record a call on these arguments; gives what it returns."""
        if self in self.trace.outlining:
            self._check_assumptions(values)
        found = signature.passed(values, self.arguments)
        result = emit_call(
            self, values, [(array, abstract) for array, abstract in found if abstract.dims]
        )
        if not self.returns:
            raise Unreachable
        return result

    def _check_assumptions(self, values: Sequence[Any]) -> None:
        """Begin the recording again where this call asks for more; end it where it must wait."""
        before = self._assumptions()
        self.places.learn()
        arguments = self.widened(values)
        if arguments != self.arguments:
            # what has been learnt of the arguments goes by their numbers, or by what they were
            pairs = zip(self._first.values, self.arguments, arguments, strict=True)
            self.places.forget(value for value, was, now in pairs if was != now)
            self.has_widened, self.arguments = True, arguments
            self.written, self.result = set(), Returned(self.trace, self.outer)
        if self._assumptions() != before:
            raise Again(self)
        if self.result.abstract is None:
            self.waits = True
            raise Unreachable

    def _closes(self, output: Any) -> bool:
        """Return what was recorded, and make it a function of the module.

        False where that has written to cells which the function does not hand back yet: lists that
        become known by themselves.
        """
        trace, scope = self.trace, self.scope
        with trace.inside(scope):
            returned = [] if output is _NOTHING else self.result.pack(output)
            returned += self.places.pack(self.places.left)
            if self._learn_cells():
                return False
            scope.drop_read_only(set(self.cells))
            first = len(returned)
            arrays = [self._leaves[number].storage.cell for number in sorted(self.written)]
            carried = [(cell, cell.initial) for cell in arrays]
            carried += [(cell, scope.entered[cell][0]) for cell in self.cells]
            self.destinations = {
                first + number: argument.number
                for number, (cell, argument) in enumerate(carried)
                if isinstance(argument.type, bindings.ir.RankedTensorType) and not cell.grows
            }
            returned += [scope.read(cell) for cell, _ in carried]
            returned += [scope.read(cell) for cell in self.record_cells]
            trace.create("func.return", (), returned)
        if trace.outlining:
            trace.outlining[-1].group += [*self.group, self]
        else:
            lift(trace, [self, *self.group])
        return True


class _Nothing:
    """What a function gives that never returns."""


_NOTHING = _Nothing()
_ENDLESS = (
    "{name} calls itself on every path, so it never returns; a path that ends the recursion must "
    "return without calling it"
)
_UNSETTLED = (
    "the types of the arguments or of the result of {name} keep changing from one call of itself "
    "to the next; convert them to their final type before the first call"
)
