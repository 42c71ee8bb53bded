"""What a traced function returns, as results of the compiled one."""

from __future__ import annotations

from collections.abc import (
    Sequence,
)
from typing import Any

import numpy as np

from agir.errors import StagingError
from agir.ir.building.types import (
    DType,
    TensorSpec,
    bool_,
    complex128,
    float64,
    int64,
    shape_of,
)
from agir.ir.emission import emit
from agir.ir.ops.core.host_calls import HostTensor
from agir.ir.ops.core.zero_dimensional import is_array
from agir.ir.plain.entering import OfArrays
from agir.ir.plain.records import Fields
from agir.ir.state.tensor_array import TensorArray
from agir.ir.tensors import structure
from agir.ir.tensors.staged import Staged, StandsIn
from agir.ir.tensors.symbolic import SymbolicTensor
from agir.ir.tensors.tensor import is_known_time
from agir.ir.tracing.trace import Trace
from agir.ir.values import abstract_values
from agir.ir.values.alternatives.choices import Chosen
from agir.ir.values.alternatives.mixed_numbers import MixedNumber
from agir.ir.values.alternatives.optional import CheckedTensor
from agir.ir.values.arrays.one_of import OneOf
from agir.ir.values.heap import references
from agir.ir.values.heap.kinds import PointsToClass
from agir.ir.values.sequences.progressions import Progression
from agir.runtime.recording.recorded import Result
from agir.runtime.signatures.trace_types import BY_VALUE
from agir.runtime.state import array_arguments
from agir.runtime.state.boxes import Unboxed
from agir.runtime.yielding.lazy import is_lazy, refuse_lazy, refuse_symbols


def taken_apart(
    trace: Trace,
    returned: Any,
    *,
    is_contents: bool = False,
    numbers: structure.Numbers | None = None,
) -> tuple[list[Any], Any]:
    """The leaves and the structure of what a function returns: an object that it has made, too.

    What stands for a container of the caller's is a leaf, unless ``is_contents`` asks what is in it.
    ``numbers`` tell which containers are the same in all that the function leaves.
    """

    def take(value: Any) -> tuple[Any, list[Any]] | None:
        if trace.is_callers(value) and not (is_contents and value is returned):
            return None
        if isinstance(value, OfArrays):
            _refuse_of_outside(trace, value)
        if type(value) is slice or (type(value) is Progression and value.weak):
            kind = slice if type(value) is slice else range
            return (kind, ("start", "stop", "step")), [value.start, value.stop, value.step]
        ours = getattr(type(value), "is_users", False)  # it stands for one of Python's own
        made = (ours or trace.journal.is_made_here(value)) and not is_lazy(value)
        found = structure.parts(value) if made else structure.children(value)
        needless = getattr(type(value), "of_no_use", ())
        if found is None or not needless:
            return found
        key, items = found
        return key, [
            None if name in needless else item for name, item in zip(key[1], items, strict=True)
        ]

    try:
        return structure.flatten(returned, take, numbers=numbers)
    except ValueError as error:
        raise StagingError(f"{trace.name} returns what cannot be rebuilt: {error}") from None


def _refuse_of_outside(trace: Trace, value: Any) -> None:
    if any(value is known for _, known in trace.containers):
        raise StagingError(
            f"{trace.name} hands out a {value.__called__} that is no argument, and that it has not "
            "made: return a copy (x.copy()), or pass the array in"
        )


def _refuse_records(trace: Trace, abstract: Any) -> None:
    """Refuse a list of records: what they are records of is no part of it."""
    if isinstance(abstract, abstract_values.Static):
        if isinstance(abstract.value, Fields):
            raise StagingError(
                f"{trace.name} returns a list of records, or one of several: return their numbers, or "
                "put them into a structured array (np.zeros(n, x.dtype))"
            )
        return
    for each in vars(abstract).values():
        for inner in each if isinstance(each, tuple) else (each,):
            if isinstance(inner, abstract_values.AbstractValue):
                _refuse_records(trace, inner)


_OF_PYTHON = frozenset((bool_, int64, float64, complex128))
"""The dtypes of Python's numbers."""


class Outputs:
    """The SSA values that the compiled function gives and their dtypes, as they are asked for."""

    def __init__(self, trace: Trace, symbols: Sequence[SymbolicTensor]) -> None:
        self.ssa: list[Any] = []
        self.dtypes: list[DType] = []
        self.trace = trace
        self.numbers = structure.Numbers() if trace.convention.arrays_are_mutable else None
        """Of the containers that the function leaves."""
        self._symbols = symbols
        self._results: dict[int, tuple[Any, Result]] = {}

    def contents(self, value: Any) -> Result:
        """Where what is in a list of run-time length comes from."""
        return self._in_abstract(value, is_contents=True)

    def rewritten(self, kind: PointsToClass, changed: Any) -> Result:
        """Where what is in the caller's lists of a kind comes from, or in attributes of objects."""
        abstract = references.rewritten(kind, changed)
        result = Result(index=len(self.ssa), abstract=abstract)
        self.ssa += abstract.pack(self.trace, None)
        self.dtypes += abstract.dtypes()
        return result

    def taken_apart(self, value: Any, *, is_contents: bool = False) -> tuple[list[Any], Any]:
        """The leaves and the structure of what the function leaves: what is the same is so there."""
        return taken_apart(self.trace, value, is_contents=is_contents, numbers=self.numbers)

    def settled(self, key: Any) -> Any:
        """A structure after all have been taken apart."""
        return key if self.numbers is None else self.numbers.settled(key)

    def result(self, leaf: Any) -> Result:
        """Where a leaf of the returned structure comes from: the same for a leaf that is the same."""
        if not self.trace.convention.arrays_are_mutable or not _can_change(leaf):
            return self._result(leaf)
        _, found = self._results.get(id(leaf), (None, None))
        if found is None:
            found = self._result(leaf)
            self._results[id(leaf)] = leaf, found
        return found

    def _result(self, leaf: Any) -> Result:
        if self.trace.is_callers(leaf):
            return Result(path=self.trace.callers[id(leaf)][1], kind=self._kind_of(leaf))
        if isinstance(leaf, TensorArray) and leaf._given is not None:
            return Result(argument=self.argument(leaf._given[0]))
        if isinstance(leaf, Unboxed):
            return Result(argument=self.argument(leaf.column))
        if isinstance(leaf, Chosen) and any(map(self.trace.is_callers, leaf._values)):
            return self._one_of_containers(leaf)
        if isinstance(leaf, (Staged, StandsIn, CheckedTensor, HostTensor, MixedNumber)):
            return self._in_abstract(leaf)
        if not abstract_values.is_tensor_like(leaf) or is_known_time(leaf):
            refuse_lazy(self.trace, leaf)
            refuse_symbols(self.trace, leaf)
            return Result(value=leaf)
        tensor = emit.lift(self.trace, leaf)
        # Under NumPy's conventions an array that comes in and goes out is one object.
        if self.trace.convention.arrays_are_mutable and tensor.dims and self._is_argument(tensor):
            return Result(argument=self.argument(tensor))
        if any(each is tensor for _, each in self.trace.outside):
            captures = [each for _, each in self.trace.captures]
            return Result(captured=next(n for n, c in enumerate(captures) if c is tensor))
        if isinstance(tensor.storage, OneOf):
            return self._one_of(tensor, tensor.storage)
        self.ssa.append(tensor.ssa)
        self.dtypes.append(tensor.dtype)
        lone = self._is_lone(tensor)
        of_python = self.trace.convention.gives_numbers and tensor.dtype in _OF_PYTHON
        is_number = (tensor.weak or of_python) and not tensor.dims and not lone
        return Result(
            index=len(self.ssa) - 1,
            is_array=lone,
            is_number=is_number and self.trace.convention.arrays_are_mutable,
        )

    def _is_lone(self, tensor: SymbolicTensor) -> bool:
        return self.trace.convention.arrays_are_mutable and is_array(tensor)

    def _one_of(self, tensor: SymbolicTensor, storage: OneOf) -> Result:
        """An array that may be an argument."""
        choices = tuple(
            self.argument(each) if self._is_argument(each) else None for each in storage.members
        )
        self.ssa += [storage.number, tensor.ssa]
        self.dtypes += [int64, tensor.dtype]
        return Result(index=len(self.ssa) - 2, choices=choices, is_array=self._is_lone(tensor))

    def _one_of_containers(self, chosen: Chosen) -> Result:
        """A container that may be one of the caller's."""
        number = len(self.ssa)
        self.ssa.append(chosen._index.ssa)
        self.dtypes.append(int64)
        alternatives = []
        for each in chosen._values:
            leaves, key = taken_apart(self.trace, each)
            alternatives.append((key, tuple(map(self.result, leaves))))
        kind = abstract_values.returned(self.trace, chosen).describe()
        return Result(index=number, alternatives=tuple(alternatives), kind=kind)

    def updates(self, placed: dict[str, Any]) -> list[tuple[int, Result]]:
        """The arguments whose elements the function has changed, and which results these are."""
        found = []
        for symbol, array in array_arguments.changed(placed):
            found.append((self.argument(symbol), self._in_abstract(array)))
        return found

    def kind(self, result: Result) -> Any:
        """The type of a leaf of the returned structure; None for a constant."""
        if result.kind is not None:
            return result.kind
        if result.abstract is not None:
            return result.abstract.describe()
        if result.index is not None:
            at = result.index + (result.choices is not None)
            return TensorSpec(shape_of(self.ssa[at].type), self.dtypes[at])
        if result.argument is not None or result.captured is not None:
            captures = [each for _, each in self.trace.captures]
            place = result.argument
            symbol = captures[result.captured or 0] if place is None else self._symbols[place]
            return TensorSpec(symbol.shape, symbol.dtype)
        return None

    def _kind_of(self, value: Any) -> Any:
        """The type of what is in a container of the caller's."""
        if isinstance(value, Staged) and value.is_staged:
            return abstract_values.returned(self.trace, value).describe()
        found = structure.children(value)
        if found is not None:
            return structure.rebuild(found[0], list(map(self._kind_of, found[1])))
        if isinstance(value, SymbolicTensor):
            return TensorSpec(value.shape, value.dtype)
        return value if isinstance(value, BY_VALUE) else type(value)  # which it does not keep alive

    def _in_abstract(self, value: Any, is_contents: bool = False) -> Result:
        """Several results, which make up one value."""
        abstract = abstract_values.returned(self.trace, value)
        for each in getattr(abstract, "alternatives", ()):
            if isinstance(each, abstract_values.Static):
                refuse_lazy(self.trace, each.value)
        abstract = references.returned(abstract, is_contents=is_contents)
        _refuse_records(self.trace, abstract)
        result = Result(index=len(self.ssa), abstract=abstract)
        self.ssa += abstract.pack(self.trace, value)
        self.dtypes += abstract.dtypes()
        return result

    def _is_argument(self, tensor: Any) -> bool:
        return any(each is tensor for each in self._symbols)

    def argument(self, tensor: Any) -> int:
        """Which argument a symbol is."""
        return next(at for at, each in enumerate(self._symbols) if each is tensor)


def _can_change(leaf: Any) -> bool:
    """Whether it makes a difference to the caller that two leaves are one."""
    if isinstance(leaf, HostTensor):
        return False  # nobody has said which shape it has
    if isinstance(leaf, SymbolicTensor):
        return bool(leaf.dims) or is_array(leaf)
    if isinstance(leaf, np.ndarray):
        return True
    return isinstance(leaf, Staged) and leaf.is_staged
