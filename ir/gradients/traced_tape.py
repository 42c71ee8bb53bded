"""A tape inside a traced function: which of the operations recorded count, and what is watched.

Nothing is kept beside the trace itself: the tape remembers between which operations it was on.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from agir.ir.building.cells import LoopScope, Scope
from agir.ir.building.program import Operation
from agir.ir.building.types import as_dtype
from agir.ir.emission import broadcast, emit
from agir.ir.gradients import reverse
from agir.ir.gradients.core.expressions import carries, filled_like, zeros_like
from agir.ir.gradients.jacobians import batch_jacobian, jacobian
from agir.ir.state.variables import Variable
from agir.ir.tensors.symbolic import SymbolicTensor
from agir.ir.tracing.trace import Trace


def _behind(recorded: Sequence[Operation], mark: Operation | None) -> int:
    """How many operations are recorded up to one of them."""
    return 0 if mark is None else recorded.index(mark) + 1


class TracedTape:
    """What a tape knows of the trace in which it was made."""

    def __init__(self, trace: Trace, accessed: bool) -> None:
        self.trace = trace
        self._accessed = accessed
        self._scope = trace.scope
        self._spans: list[list[Operation | None]] = []
        """Behind which operations it was turned on, and off."""
        self._watched: dict[int, tuple[Any, Any]] = {}
        self._before = {
            id(variable): (variable, trace.scope.read(storage.cell))
            for variable, storage in trace.variables.values()
        }

    # When it is on.

    def start(self) -> None:
        """What is recorded from here on counts."""
        self._spans.append([self._last()])

    def stop(self) -> None:
        """What is recorded from here on does not count."""
        if self._spans and len(self._spans[-1]) == 1:
            self._spans[-1].append(self._last())

    def forget(self) -> None:
        """Nothing that was recorded so far counts."""
        self._spans.clear()

    def _passed_over(self) -> set[Any]:
        """The results of operations that were recorded while the tape was off."""
        found: set[Any] = set()
        scope = self._scope.parent
        while scope is not None:
            for operation in scope.recorded:
                found.update(operation.results)
            scope = scope.parent
        at = 0
        recorded = self._scope.recorded
        for start, *end in [*self._spans, [self._last()]]:
            for operation in recorded[at : _behind(recorded, start)]:
                found.update(operation.results)
            at = _behind(recorded, end[0]) if end else len(recorded)
        return found

    def _last(self) -> Operation | None:
        """The operation that was recorded last."""
        recorded = self._scope.recorded
        return recorded[-1] if recorded else None

    # What is watched.

    def watch(self, value: Any) -> None:
        """Gradients can be asked for with respect to this tensor."""
        if isinstance(value, Variable):
            self._watched[id(value)] = (value, self._start_of(value))
        elif isinstance(value, SymbolicTensor):
            self._watched[id(value)] = (value, value.ssa)
        else:
            tensor = self.trace.stand_in(value)
            self._watched[id(value)] = self._watched[id(tensor)] = (value, tensor.ssa)

    def watched_variables(self) -> list[Variable]:
        """The variables that are watched, in the order in which they were first met."""
        found = [v for v, _ in self._watched.values() if isinstance(v, Variable)]
        if self._accessed:
            known = [v for v, _ in self.trace.variables.values() if v.trainable]
            found += [v for v in known if not any(v is each for each in found)]
        return found

    def _start_of(self, variable: Variable) -> Any:
        """The value that a variable had when the tape was made."""
        if id(variable) in self._before:
            return self._before[id(variable)][1]
        cell = variable.storage.cell
        self.trace.scope.read(cell)
        scope: Scope | None = self._scope
        while scope is not None:
            if isinstance(scope, LoopScope) and cell in scope.entered:
                return scope.entered[cell][0]
            scope = scope.parent
        return cell.initial

    def _source(self, value: Any) -> Any:
        """The SSA value that a source was; None for one that is not watched."""
        if id(value) in self._watched:
            return self._watched[id(value)][1]
        if isinstance(value, Variable):
            used = id(value) in self.trace.variables and self._accessed and value.trainable
            return self._start_of(value) if used else None
        if not isinstance(value, SymbolicTensor):
            return None
        ssa, roots = value.ssa, self._roots()
        return ssa if reverse.depends(self.trace, ssa, roots, self._passed_over()) else None

    def _roots(self) -> list[Any]:
        return [ssa for _, ssa in self._watched.values()] + [
            self._start_of(v) for v in self.watched_variables() if id(v) not in self._watched
        ]

    # Gradients.

    def gradient(
        self, targets: Sequence[Any], seeds: Sequence[Any], sources: Sequence[Any]
    ) -> list[Any]:
        """The gradients of the sum of the targets; None for a source without influence."""
        trace = self.trace
        with trace.at_user_line():
            found = [self._source(each) for each in sources]
            known = [ssa for ssa in found if ssa is not None]
            pairs = [
                (tensor.ssa, self._seed(tensor, seed))
                for target, seed in zip(targets, seeds, strict=True)
                if (tensor := self._target(target)) is not None
            ]
            values = [value for value, _ in pairs]
            given = [seed for _, seed in pairs]
            out = reverse.backward(trace, values, given, known, self._passed_over())
            supply = iter(out)
            return [
                None if ssa is None else self._result(source, ssa, next(supply))
                for source, ssa in zip(sources, found, strict=True)
            ]

    def _target(self, value: Any) -> SymbolicTensor | None:
        if isinstance(value, Variable):
            return value.read_value()  # type: ignore[no-any-return]
        if isinstance(value, SymbolicTensor):
            return value
        stand_in = self.trace.stand_ins.get(id(value))
        return stand_in[1] if stand_in is not None else None

    def _seed(self, target: SymbolicTensor, seed: Any) -> Any:
        if not carries(target.ssa):
            raise TypeError(
                self.trace.explain(
                    f"the gradient of {target.dtype} values: only floating-point and complex ones "
                    "have gradients"
                )
            )
        if seed is None:
            return filled_like(self.trace, target.ssa, 1)
        return broadcast.operand(self.trace, seed, target.dtype, target.dims)

    def _result(self, source: Any, ssa: Any, cotangent: Any) -> Any:
        if cotangent is None:
            return None
        dims = source.dims if isinstance(source, (SymbolicTensor, Variable)) else None
        dims = tuple(source.shape) if dims is None else dims
        return self.trace.make(cotangent, as_dtype(source.dtype), dims)

    def zeros(self, source: Any) -> Any:
        """A gradient of zero."""
        tensor = self._tensor_of(source)
        return self.trace.make(zeros_like(self.trace, tensor.ssa), tensor.dtype, tensor.dims)

    def _tensor_of(self, value: Any) -> SymbolicTensor:
        """The value in this trace."""
        tensor = value.read_value() if isinstance(value, Variable) else value
        if not isinstance(tensor, SymbolicTensor):
            tensor = self.trace.stand_in(tensor)
        return tensor

    def jacobian(self, target: Any, source: Any) -> Any:
        """The derivatives of every element of the target; None where there are none."""
        with self.trace.at_user_line():
            found = self._pair(target, source)
            if found is None:
                return None
            tensor, like, at = found
            return jacobian(self.trace, tensor, like, at, self._passed_over())

    def batch_jacobian(self, target: Any, source: Any, zero: bool) -> Any:
        """The Jacobians of the rows."""
        with self.trace.at_user_line():
            self._check_batches(target.shape, source.shape)
            found = self._pair(target, source)
            if found is None:
                return self._zeros((*target.dims, *source.dims[1:]), source) if zero else None
            tensor, like, at = found
            return batch_jacobian(self.trace, tensor, like, at, self._passed_over())

    def _check_batches(self, target: Any, source: Any) -> None:
        if (
            not target
            or not source
            or (target[0] != source[0] and None not in (target[0], source[0]))
        ):
            raise ValueError(
                self.trace.explain(
                    f"batch_jacobian() of shapes {list(target)} and {list(source)}: the first "
                    "dimensions have to be the same"
                )
            )

    def zero_jacobian(self, target: Any, source: Any) -> Any:
        """A Jacobian of zero."""
        dims = [self._tensor_of(each).dims for each in (target, source)]
        return self._zeros((*dims[0], *dims[1]), source)

    def _zeros(self, dims: Any, source: Any) -> Any:
        dtype = as_dtype(source.dtype)
        return self.trace.make(emit.constant_like(self.trace, dtype, dims, 0), dtype, dims)

    def _pair(self, target: Any, source: Any) -> Any:
        """The target, a tensor like the source and the SSA value that this was; None for neither."""
        at, tensor = self._source(source), self._target(target)
        if at is None or tensor is None:
            return None
        if not reverse.depends(self.trace, tensor.ssa, [at], self._passed_over()):
            return None
        return tensor, self._tensor_of(source), at
