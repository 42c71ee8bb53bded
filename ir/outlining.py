"""Outlined functions: a function of the user's as a function of the module, called by ``func.call``.

The body is recorded like that of a loop: into a detached block, from which the regions around are
visible, until the types settle.  What changes in it is passed in and handed back: arguments,
results, arrays that are assigned into, places of Python's that are written to.  What it only reads
from outside becomes further arguments at the end (`agir.ir.lifting`).

While the result's type is unknown, a call of the function by itself ends its region, so that the
paths that do not recur decide; then the body is recorded again with that type, until it holds.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from types import FunctionType
from typing import Any

from agir.autograph.operators import Place
from agir.errors import StagingError
from agir.ir import bindings, signature, slots, structure
from agir.ir.arguments import Arguments
from agir.ir.cells import Cell, FunctionScope, Scope
from agir.ir.control_flow import Unreachable
from agir.ir.lifting import lift
from agir.ir.outlined_calls import emit_call
from agir.ir.slots import JoinError, Slot, Static
from agir.ir.symbolic import Owned, SymbolicTensor
from agir.ir.trace import Trace
from agir.ir.types import int64

_ROUNDS = 16

Running = Callable[[Scope], AbstractContextManager[None]]


class Again(BaseException):
    """Ends a recording whose assumptions have turned out to be too narrow."""

    def __init__(self, function: Outlined) -> None:
        self.function = function


class Outlined:
    """One function, on arguments of these types; first what is assumed of it, then what holds."""

    def __init__(self, trace: Trace, function: FunctionType, arguments: Arguments) -> None:
        self.trace = trace
        self.function = function
        self.name = function.__name__
        self.symbol = trace.functions.temporary_symbol()
        self.outer = trace.scope
        self.scope = self.outer
        self._first = arguments
        self.parameters = arguments.names
        self.arguments = [
            signature.argument_slot(trace, value, self.outer) for value in arguments.values
        ]
        self.has_widened = False
        self.result: Slot | None = None
        self.returns = True
        """False where every path ends in an error."""
        self.places: list[Place] = []
        self.place_slots: list[Slot] = []
        self.cells: dict[Cell, None] = {}
        self.written: set[int] = set()
        """Which of the arrays among the arguments it writes into."""
        self.explains = False
        """Whether a check in it has operands, which it has to hand back."""
        self.waits = False
        """Whether a call in the present recording would have needed the result's type."""
        self.group: list[Outlined] = []
        """The functions that were outlined while this one was recorded."""
        self.captured: list[Any] = []
        """The SSA values of the caller's that are passed besides."""
        self.destinations: dict[int, int] = {}
        """Which results are the new contents of which arguments."""
        self.depth: Any = None
        self._before: tuple[Any, ...] = ()
        self._left: list[Any] = []
        self._frames = 0
        self._given: dict[int, object] = {}
        self._leaves: list[SymbolicTensor] = []
        self._returned: list[_Argument] = []

    # What it can be called with.

    def widened(self, values: Sequence[Any]) -> list[Slot]:
        """The argument types with those of a call; ``JoinError`` where they have nothing in common."""
        trace = self.trace
        return [
            signature.join(
                trace, name, slot, signature.argument_slot(trace, value, self.outer), self.outer
            )
            for name, slot, value in zip(self.parameters, self.arguments, values, strict=True)
        ]

    def accepts(self, values: Sequence[Any]) -> bool:
        """True where a call with these values asks for no other types."""
        try:
            return self.widened(values) == self.arguments
        except JoinError:
            return False

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
            if output is _NOTHING and self.waits and self.result is None:
                if any(each.waits for each in trace.outlining):
                    raise Unreachable
                raise StagingError(self._explain(_ENDLESS.format(name=self.name)))
            if self._assumptions() == assumed and not (self.waits and self.result is None):
                self._close(output)
                return
            del trace.sites[mark:]
        raise StagingError(self._explain(_UNSETTLED.format(name=self.name)))

    def _explain(self, message: str) -> str:
        return self.trace.explain(message)

    def _assumptions(self) -> tuple[Any, ...]:
        return (
            list(self.arguments),
            self.result,
            self.returns,
            [place.key for place in self.places],
            list(self.place_slots),
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
            self._enter_places()
            try:
                output = self._first.replaced(values).apply(self.function)
            except Unreachable:
                output = _NOTHING
            self.returns = output is not _NOTHING or self.waits
            if isinstance(output, slots.MaybeUnbound):
                output = output.value
            self._learn(output)
            self._left = [slots.frozen(place.get()) for place in self.places]
        self.explains |= trace.explanations > explanations
        return output

    @contextmanager
    def _as_innermost(self, scope: Scope) -> Iterator[None]:
        trace = self.trace
        base, trace.base_frame = trace.base_frame, sys._getframe(2)
        self._frames = len(trace.journal.frames)
        trace.outlining.append(self)
        try:
            with trace.inside(scope):
                yield
        finally:
            trace.outlining.pop()
            trace.base_frame = base

    def _enter(self, scope: Scope) -> tuple[Any, ...]:
        """The block arguments, and the Python values that they stand for."""
        trace = self.trace
        block = scope.block
        with trace.inside(scope):
            self.depth = block.add_argument(int64.mlir(), trace.named_location("depth"))
            made = [
                block.add_argument(kind, trace.named_location(name))
                for name, slot in zip(self.parameters, self.arguments, strict=True)
                for kind in slot.types()
            ]
            values = slots.unpack_all(trace, self.arguments, made)
            self._adopt(values, scope)
            carried = [
                block.add_argument(kind, trace.named_location(place.name))
                for place, slot in zip(self.places, self.place_slots, strict=True)
                for kind in slot.types()
            ]
            self._before = slots.unpack_all(trace, self.place_slots, carried)
            for cell in self.cells:
                scope.read(cell)
            zero = trace.constant(int64, 0)
            for cell in trace.error_record().cells:
                scope.values[cell] = zero
        return values

    def _adopt(self, values: Sequence[Any], scope: Scope) -> None:
        """Arrays that are passed can be written to; containers that are rebuilt cannot."""
        self._leaves = []
        for value, slot in signature.passed(values, self.arguments):
            if slot.dims:
                value.storage = Owned(scope, value.ssa)
                value.shared = True
                self._leaves.append(value)
        while len(self._returned) < len(self._leaves):
            self._returned.append(_Argument(len(self._returned)))
        self._given = {}
        for value, slot in zip(values, self.arguments, strict=True):
            if not isinstance(slot, Static):
                _note_containers(value, self._given)

    def _enter_places(self) -> None:
        for place, value in zip(self.places, self._before, strict=True):
            self.trace.journal.note(place)
            place.set(value)

    # What a recording teaches.

    def _learn(self, output: Any) -> None:
        """Widen what is assumed by what this recording has shown."""
        trace = self.trace
        self._note_places()
        self._widen_places()
        self.cells.update(
            {c: None for c in self.scope.written if c not in trace.error_record().cells}
        )
        self.cells = {c: None for c in self.cells if c.home is not self.scope}
        self.written |= {
            number
            for number, leaf in enumerate(self._leaves)
            if isinstance(leaf.storage, Owned) and leaf.storage.cell in self.scope.written
        }
        if output is not _NOTHING:
            self._widen_result(self._result_slot(output))

    def _widen_result(self, slot: Slot) -> None:
        trace = self.trace
        if self.result is None:
            self.result = slot
            return
        left, right = (self._without_identity(each) for each in (self.result, slot))
        if self.result == slot:
            return
        try:
            self.result = signature.join(trace, "retval", left, right, self.outer)
        except JoinError as error:
            raise StagingError(trace.explain(str(error))) from None

    def _without_identity(self, slot: Slot) -> Slot:
        if isinstance(slot, Static) and isinstance(slot.value, _Argument):
            leaf = self._leaves[slot.value.number]
            return slots.outside(slots.slot_of(self.trace, leaf), self.outer)
        return slot

    def _result_slot(self, value: Any) -> Slot:
        for number, leaf in enumerate(self._leaves):
            if value is leaf:
                return Static(self._returned[number])
        if any(isinstance(s, Static) and s.value is value for s in self.arguments):
            return Static(value)
        found = structure.children(value)
        if found is not None:
            return slots.Structure(found[0], tuple(self._result_slot(item) for item in found[1]))
        if slots.is_python_number(value):
            return Static(value)
        return slots.outside(slots.slot_of(self.trace, value, self.outer), self.outer)

    def _note_places(self) -> None:
        """Carry the places that hold something else than they did at the beginning."""
        known = {place.key for place in self.places}
        for frame in self.trace.journal.frames[self._frames :]:
            for place in frame.places:
                if place.key in known or slots.same_value(self._original(place), place.get()):
                    continue
                if id(place.owner) in self._given:
                    raise StagingError(
                        self._explain(
                            f"{self.name} changes {place.name} that it was given; a function that "
                            "calls itself on run-time values gets a copy of it: return the new "
                            "value instead"
                        )
                    )
                known.add(place.key)
                self.places.append(place)
                slot = slots.slot_of(self.trace, self._original(place), self.outer)
                self.place_slots.append(slots.outside(slot, self.outer))

    def _original(self, place: Place) -> Any:
        """What the place held before the function was entered."""
        for frame in self.trace.journal.frames[self._frames :]:
            if place.key in frame.noted:
                return frame.before(place)
        return place.get()

    def _widen_places(self) -> None:
        trace = self.trace
        for number, (place, slot) in enumerate(zip(self.places, self.place_slots, strict=True)):
            value = slots.frozen(place.get())
            here = slots.outside(slots.slot_of(trace, value, self.outer), self.outer)
            try:
                self.place_slots[number] = slots.outside(
                    slots.join(place.name, slot, here), self.outer
                )
            except JoinError as error:
                raise StagingError(self._explain(str(error))) from None

    # Calls.

    def call(self, values: Sequence[Any]) -> Any:
        """Record a call on these arguments; gives what it returns."""
        inside = self in self.trace.outlining
        if inside:
            self._check_assumptions(values)
        elif not self.returns:
            emit_call(self, values, self._leaves_of(values))
            raise Unreachable
        result = emit_call(self, values, self._leaves_of(values))
        return self._identified(result, values)

    def _check_assumptions(self, values: Sequence[Any]) -> None:
        before = self._assumptions()
        self._note_places()
        self._widen_places()
        arguments = self.widened(values)
        self.has_widened |= arguments != self.arguments
        self.arguments = arguments
        if self._assumptions() != before:
            raise Again(self)
        if self.result is None:
            self.waits = True
            raise Unreachable

    def _leaves_of(self, values: Sequence[Any]) -> list[Any]:
        found = signature.passed(values, self.arguments)
        return [value for value, slot in found if slot.dims]

    def _identified(self, value: Any, values: Sequence[Any]) -> Any:
        """The result, with the caller's own arrays where the function returns its argument."""
        leaves = self._leaves_of(values)
        if isinstance(value, _Argument):
            return leaves[value.number]
        if structure.children(value) is None or not self._returned:
            return value
        return structure.transform(
            lambda leaf: leaves[leaf.number] if isinstance(leaf, _Argument) else leaf, value
        )

    def _close(self, output: Any) -> None:
        """Return what was recorded, and make it a function of the module."""
        trace, scope = self.trace, self.scope
        scope.drop_read_only(set(self.cells))
        with trace.inside(scope):
            returned: list[Any] = []
            if output is not _NOTHING:
                assert self.result is not None, "what returns has a result"
                returned += self.result.pack(trace, output)
            returned += slots.pack_all(trace, self.place_slots, self._left)
            first = len(returned)
            arrays = [self._leaves[number].storage.cell for number in sorted(self.written)]
            carried = [(cell, cell.initial) for cell in arrays]
            carried += [(cell, scope.entered[cell][0]) for cell in self.cells]
            self.destinations = {
                first + number: argument.arg_number
                for number, (_, argument) in enumerate(carried)
                if isinstance(argument.type, bindings.ir.RankedTensorType)
            }
            returned += [scope.read(cell) for cell, _ in carried]
            returned += [scope.read(cell) for cell in self.record_cells]
            trace.create("func.return", (), returned)
        if trace.outlining:
            trace.outlining[-1].group += [*self.group, self]
        else:
            lift(trace, [self, *self.group])

    @property
    def record_cells(self) -> tuple[Cell, ...]:
        """The cells of the error record that it hands back: the operands only if it has some."""
        cells = self.trace.error_record().cells
        return cells if self.explains else cells[:1]


class _Argument:
    """Stands in a result for the array that was passed as an argument."""

    def __init__(self, number: int) -> None:
        self.number = number


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


def _note_containers(value: Any, into: dict[int, object]) -> None:
    found = structure.children(value)
    if found is not None:
        into[id(value)] = value
        for item in found[1]:
            _note_containers(item, into)
