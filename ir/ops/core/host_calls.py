"""Calls of a Python function by the program that is recorded, and the tensors that it gives back.

The call itself gives a number, under which the host keeps the results; each result that is used is
then fetched as a tensor.  How many dimensions a result has need not be known when it is made: it is
settled where something asks for it, by what the program states (``ensure_shape``, ``set_shape``), else
by the inputs, and checked when the function has been called.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from agir.autograph.operators import State
from agir.ir.building import attributes
from agir.ir.building.cells import Scope
from agir.ir.building.types import DType, Shape, int64, mlir_type
from agir.ir.emission import failing
from agir.ir.host import callbacks, hosts, template
from agir.ir.tensors.staged import known_as
from agir.ir.tensors.symbolic import Dim, Dims, Fixed, Owned, SymbolicTensor
from agir.ir.tracing.trace import Trace
from agir.ir.values.abstract_values import KINDS, AbstractValue, Take, Wrap, abstract_of_tensor


@dataclass(eq=False)
class Result:
    """A result of a host function, as the trace and the host know it."""

    number: int
    dtype: DType
    shape: Shape | None
    used: bool = False
    """Whether the program fetches it; the host keeps no others."""


@dataclass(eq=False)
class HostFunction:
    """What the host calls: takes NumPy values, gives arrays that fit the results."""

    name: str
    """What the user calls it."""
    call: Callable[[Sequence[Any], Sequence[Result]], list[Any]]
    results: list[Result] = field(default_factory=list)
    said: dict[str, Any] = field(default_factory=dict)
    """What the declaration says of it: which operation of agir's it is, if it is one."""

    def __call__(self, values: Sequence[Any]) -> dict[int, Any]:
        """The arrays of the results that are used, by their numbers."""
        arrays = self.call(values, self.results)
        return {r.number: a for r, a in zip(self.results, arrays, strict=True) if r.used}


def record(
    trace: Trace,
    function: HostFunction,
    inputs: Sequence[SymbolicTensor],
) -> list[HostTensor]:
    """Record a call of the function; gives its results.

    It happens whether they are used or not, in the order of the program, unless a check has failed.
    """
    with trace.at_user_line():
        handle = _called(trace, function, inputs)
        zero = trace.constant(int64, 0)
        some = trace.compare("sgt", handle.ssa, zero)
        error = trace.op("arith.subi", int64.mlir(), zero, handle.ssa)
        trace.guard(some, trace.site(failing.HOST), error)
        guess = max((len(value.dims) for value in inputs), default=0)
        return [HostTensor(trace, handle, result, guess) for result in function.results]


def _called(trace: Trace, function: HostFunction, inputs: Sequence[SymbolicTensor]) -> Any:
    """The number of the results; 0 where it is not called, that of its exception, negated."""
    held: list[Any] = [trace.make(trace.constant(int64, 0), int64, ())]

    def call() -> None:
        i64 = int64.mlir()
        (number,) = callbacks.record(
            trace, "call", inputs, function.said, (i64,), given=function, what=function.name
        )
        held[0] = trace.make(number, int64, ())

    def restore(values: tuple[Any, ...]) -> None:
        held[0] = values[0]

    state = State(lambda: (held[0],), restore, ("the results of the call",))
    callbacks.unless_failed(trace, call, state)
    return held[0]


@known_as("Tensor")
class HostTensor(SymbolicTensor):
    """A result of a host function, which is fetched when something first asks for it."""

    __slots__ = ("_dims", "_guess", "_handle", "_home", "_operation", "_storage", "result")

    def __init__(self, trace: Trace, handle: Any, result: Result, guess: int) -> None:
        self.recorder = trace
        self.dtype = result.dtype
        self.weak = False
        self.shared = False
        self.taken = None
        self.viewed = False
        self.result = result
        self._handle = handle
        self._guess = guess
        self._home: Scope = trace.scope
        self._operation: Any = None
        self._storage: Any = None
        self._dims: Dims | None = None

    @property
    def is_open(self) -> bool:
        """Whether the number of dimensions is not settled yet."""
        return self.result.shape is None

    def settle(self, rank: int) -> None:
        """Have so many dimensions, if it has not been settled."""
        if self.result.shape is None:
            self.result.shape = (None,) * rank

    @property
    def dims(self) -> Dims:
        """The dimensions."""
        self._fetch()
        assert self._dims is not None, "it has been fetched"
        return self._dims

    @dims.setter
    def dims(self, dims: Dims) -> None:
        self._dims = dims

    @property
    def storage(self) -> Any:
        """Where the value is."""
        self._fetch()
        return self._storage

    @storage.setter
    def storage(self, storage: Any) -> None:
        self._storage = storage

    @property
    def handle(self) -> Any:
        """The number of the results, in the hands of who takes this one as it is."""
        self.result.used = True
        return self._handle

    def _fetch(self) -> None:
        """Record the fetching in the region of the call, unless that is done.

        What recorded it may have been taken back.
        """
        recorded = self._home.recorded
        if self._operation is not None and any(each is self._operation for each in recorded[::-1]):
            return
        self.settle(self._guess)
        trace, result = self.recorder, self.result
        result.used = True
        assert result.shape is not None, "it has just been settled"
        with trace.inside(self._home):
            ssa = _fetched(trace, self._handle, result, result.shape)
            self._operation = recorded[-1]
            self._dims = tuple(
                Dim(source=ssa, axis=axis) if size is None else size
                for axis, size in enumerate(result.shape)
            )
            self._storage = (Owned if self._dims else Fixed)(self._home, ssa)


def _fetched(trace: Trace, handle: Any, result: Result, shape: Shape) -> Any:
    """The SSA value of a result; a scalar crosses as an array of one element."""
    kind = mlir_type(result.dtype, shape or (1,))
    said = {
        hosts.RESULT: attributes.i64(result.number),
        hosts.SHAPE: template.string("x".join("?" if n is None else str(n) for n in shape)),
        hosts.DTYPE: template.string(result.dtype.name),
    }
    (array,) = callbacks.record(trace, "fetch", [handle], said, (kind,))
    if shape:
        return array
    return trace.op("tensor.extract", result.dtype.mlir(), array, trace.index(0))


@dataclass(frozen=True)
class Unfetched(AbstractValue):
    """A result that the function returns as it is: of any number of dimensions."""

    number: int

    def types(self) -> list[Any]:
        return [int64.mlir()]

    def dtypes(self) -> list[DType]:
        return [int64]

    def pack(self, trace: Trace, value: Any) -> list[Any]:
        return [value.handle.ssa]

    def unpack(self, trace: Trace, carried: list[Any]) -> Any:
        raise AssertionError("it is only returned to the caller")

    def placeholder(self, trace: Trace) -> list[Any]:
        return [trace.constant(int64, 0)]

    def assemble(self, take: Take, wrap: Wrap) -> Any:
        return wrap(hosts.taken(int(take()), self.number), False)

    def describe(self) -> str:
        return "a result of a host function"


def _abstract(trace: Trace, value: HostTensor, around: Scope | None) -> AbstractValue:
    if around is not None and around.parent is None and value.is_open and around is not trace.root:
        return Unfetched(value.result.number)
    return abstract_of_tensor(trace, value)


KINDS[HostTensor] = _abstract
