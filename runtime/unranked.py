"""Concrete functions that have a trace for each rank, or for each shape, that they meet."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from agir.errors import AgirError, OperandValueError
from agir.ir.building.types import TensorSpec
from agir.ir.state.variables import Variable
from agir.runtime.blame import at_caller
from agir.runtime.compiling import concrete_function
from agir.runtime.concrete import ConcreteFunction
from agir.runtime.recording.graph import Graph
from agir.runtime.recording.recorded import Recorded
from agir.runtime.recording.traced import TracedFunction
from agir.runtime.signatures.trace_types import CallType, Leaf

if TYPE_CHECKING:
    from agir.backends.stages import Compilation


class _Unknown:
    """The type of results before there is a trace."""

    def __repr__(self) -> str:
        return "known after the first call"


_UNKNOWN = _Unknown()


class UnrankedFunction(ConcreteFunction):
    """One concrete function for all ranks; MLIR needs to know them, so it is traced for each.

    ``graph``, ``structured_outputs`` and the stages are those of the rank that was called last.
    """

    def __init__(
        self,
        owner: TracedFunction,
        kind: CallType,
        pattern: dict[str, Any],
        may_create: bool = False,
    ) -> None:
        self._may_create = may_create
        self._ranked: dict[tuple[Any, ...], ConcreteFunction] = {}
        self._last: ConcreteFunction | None = None
        self._tracing = threading.RLock()
        self._prepare(owner, kind, pattern)

    def ranked(self, values: Sequence[Any] | None = None) -> ConcreteFunction:
        """The concrete function for values of these ranks, all of whose sizes are open.

        Without values it is the one that was called last.
        """
        if values is None:
            return self._known("stages")
        ranks = tuple(map(self._told_apart, values))
        found = self._ranked.get(ranks)
        if found is None:
            with self._tracing:
                found = self._ranked.get(ranks)
                if found is None:
                    found = self._ranked[ranks] = self._specialised(ranks)
        self._last = found
        return found

    @staticmethod
    def _told_apart(value: Any) -> Any:
        """What there is a trace of its own for."""
        return _rank(value)

    @staticmethod
    def _leaf(leaf: Leaf, rank: Any) -> Leaf:
        """The type of an argument in the trace for values of this rank."""
        return replace(leaf, shape=(None,) * rank) if leaf.shape is None else leaf

    def _specialised(self, ranks: tuple[Any, ...]) -> ConcreteFunction:
        leaves = tuple(
            self._leaf(leaf, rank) for leaf, rank in zip(self.kind.leaves, ranks, strict=True)
        )
        kind = CallType(self.kind.structure, self.kind.parts, leaves, self.kind.same)
        may_create = self._may_create and not self._ranked
        return concrete_function(self._owner, kind, self._parameters.pattern, may_create=may_create)

    def call_flat(self, values: Sequence[Any]) -> Any:
        """Call with the run-time values alone."""
        return self.ranked(values).call_flat(values)

    @property
    def compilation(self) -> Compilation:  # type: ignore[override]
        """The stages, for the rank that was called last."""
        return self._known("stages").compilation

    @property
    def graph(self) -> Graph:
        """What was recorded for the rank that was called last."""
        return self._known("graph").graph

    @property
    def structured_outputs(self) -> Any:
        """The types of the results, for the rank that was called last; None before."""
        return None if self._last is None else self._last.structured_outputs

    def _output_type(self) -> Any:
        return _UNKNOWN if self._last is None else self.structured_outputs

    @property
    def captured_inputs(self) -> list[Any]:
        """The tensors of outside that the function uses."""
        return [] if self._last is None else self._last.captured_inputs

    @property
    def variables(self) -> list[Variable]:
        """The variables that it has captured."""
        return [] if self._last is None else self._last.variables

    @property
    def defers_errors(self) -> bool:
        """Whether it raises what tracing has raised, for the rank that was called last."""
        return self._last is not None and self._last.defers_errors

    @property
    def _recorded(self) -> Recorded:  # type: ignore[override]
        return self._known("trace")._recorded

    def _known(self, what: str) -> ConcreteFunction:
        if self._last is None:
            raise OperandValueError(
                at_caller(
                    f"{self.name} takes tensors of any rank, so it has no {what} before its first "
                    "call: call it, or give get_concrete_function or experimental_get_compiler_ir "
                    "a value"
                )
            )
        return self._last


class ShapedFunction(UnrankedFunction):
    """One concrete function for all sizes, whose program needs to know them: it is traced for each.

    NumPy decides by the sizes what ``squeeze`` drops, or how many rows a list has.
    """

    @staticmethod
    def _told_apart(value: Any) -> Any:
        return tuple(value.shape) if hasattr(value, "shape") else np.shape(value)

    @staticmethod
    def _leaf(leaf: Leaf, rank: Any) -> Leaf:
        return replace(leaf, shape=rank) if leaf.shape else leaf


def concrete(
    traced: TracedFunction, kind: CallType, pattern: dict[str, Any], may_create: bool
) -> ConcreteFunction:
    """A concrete function for calls of a type: one trace, or as many as its arguments need."""
    make = UnrankedFunction if kind.is_unranked else concrete_function
    try:
        return make(traced, kind, pattern, may_create=may_create)
    except AgirError as error:
        if not _needs_shapes(error, traced, kind):
            raise
        return ShapedFunction(traced, kind, pattern, may_create=may_create)


def _needs_shapes(error: BaseException, owner: TracedFunction, kind: CallType) -> bool:
    """Whether a trace has failed that can be made for arguments of known sizes."""
    open_ = any(leaf.shape and None in leaf.shape for leaf in kind.leaves)
    return open_ and owner.convention.arrays_are_mutable and getattr(error, "needs_sizes", False)


def _rank(value: Any) -> int:
    if isinstance(value, TensorSpec):
        if value.shape is None:
            raise OperandValueError(
                at_caller(
                    "the rank of a TensorSpec is open here, and each rank is a program: name it"
                )
            )
        return len(value.shape)
    return len(value.shape) if hasattr(value, "shape") else np.ndim(value)
