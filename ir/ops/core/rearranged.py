"""Arrays whose elements are another array's, in another shape or order."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from agir.ir.building.cells import Scope
from agir.ir.tensors.symbolic import (
    READ_ONLY,
    Dims,
    Fixed,
    PartOfOne,
    Protected,
    SymbolicTensor,
    Track,
    is_writable,
    own_elements,
)
from agir.ir.tracing.trace import Trace
from agir.ir.values.arrays.one_of import root_of

Rearrange = Callable[[Any], Any]
"""From the SSA value of one of the two arrays to that of the other."""


class ReadOnly(Fixed):
    """Storage of an array that NumPy does not let be written into, such as one that is broadcast."""


def read_only(tensor: Any) -> Any:
    """The tensor, which nothing can be written into from now on."""
    if isinstance(tensor, SymbolicTensor) and tensor.dims:
        tensor.storage = ReadOnly(tensor.storage.home, tensor.ssa)
        tensor.shared = True  # a path that leaves another array under its name may be written into
    return tensor


class Seen:
    """Storage of what is computed of another array's current elements, and is not written into.

    ``arrange`` does the same to a layout (``ir/ops/core/layouts.py``).
    """

    __slots__ = ("arrange", "base", "forward", "home")

    def __init__(
        self, home: Scope, base: SymbolicTensor, forward: Rearrange, arrange: Rearrange | None
    ) -> None:
        self.home = home
        self.arrange = arrange
        self.base = base
        self.forward = forward
        base.viewed = True

    def read(self, trace: Trace) -> Any:
        """The elements as an SSA value, computed once for each state of the array."""
        if not trace.scope.encloses(self.home):
            raise LookupError
        whole = self.base.ssa
        found = trace.scope.recall("memo", (self, whole))
        if found is None:
            found = trace.scope.memo[self, whole] = self.forward(whole)
        return found


class Rearranged(Seen):
    """Storage of all elements of another array: reads see its current ones, writes reach it."""

    __slots__ = ("backward",)

    has_views = True
    """Whether its parts are views, too."""

    def __init__(
        self,
        home: Scope,
        base: SymbolicTensor,
        forward: Rearrange,
        backward: Rearrange,
        arrange: Rearrange | None = None,
    ) -> None:
        super().__init__(home, base, forward, arrange)
        self.backward = backward

    def parts(self) -> tuple[Any, ...]:
        """What it was made of."""
        return self.home, self.base, self.forward, self.backward, self.arrange

    def write(self, trace: Trace, ssa: Any) -> None:
        """Write all elements into the array."""
        whole = self.backward(ssa)
        self.base.storage.write(trace, whole)
        trace.scope.memo[self, whole] = ssa


class Permuted(Rearranged):
    """Storage of all elements of another array with its dimensions in another order."""

    __slots__ = ("order",)

    def __init__(self, home: Scope, base: SymbolicTensor, *how: Any) -> None:
        *others, order = how
        super().__init__(home, base, *others)
        self.order: tuple[int, ...] = order

    def parts(self) -> tuple[Any, ...]:
        """What it was made of."""
        return *super().parts(), self.order


class Flat(Rearranged):
    """Storage of ``x.flat``, whose parts are copies."""

    __slots__ = ()

    has_views = False


def is_read_only(tensor: SymbolicTensor) -> bool:
    """Whether NumPy would not let the array be written into."""
    if isinstance(tensor.storage, ReadOnly) or type(tensor.storage) is Seen:
        return True
    return isinstance(root_of(tensor).storage, Protected)


def check_not_read_only(tensor: SymbolicTensor) -> None:
    """``ValueError`` for an array that NumPy does not let be written into: that comes first."""
    if is_read_only(tensor):
        if not tensor.recorder.tracks_arrays:
            raise Track  # it is perhaps a copy, by how an array lies in memory
        raise ValueError(tensor.recorder.explain(READ_ONLY))


def as_writable_as(base: SymbolicTensor, made: SymbolicTensor) -> SymbolicTensor:
    """What is made of an array that cannot be written into, and would be a view of it."""
    if isinstance(base.storage, ReadOnly):
        return read_only(made)  # type: ignore[no-any-return]
    trace = base.recorder
    if trace.convention.arrays_are_mutable and base.shared and isinstance(base.storage, Fixed):
        made.storage = PartOfOne(trace.scope, made.ssa)
        made.shared = True
    return made


def rearranged(
    trace: Trace,
    base: SymbolicTensor,
    dims: Dims,
    forward: Rearrange,
    backward: Rearrange,
    weak: bool = False,
    arrange: Rearrange | None = None,
    order: tuple[int, ...] | None = None,
) -> SymbolicTensor:
    """A view of the tensor in other dimensions, as NumPy's transpose and reshape give one.

    ``arrange`` does the same to a layout (``ir/ops/core/layouts.py``); ``order`` is that of the
    dimensions where nothing else changes.
    """
    if type(base.storage) is Seen:
        storage: Any = Seen(trace.scope, base, forward, arrange)
        part = SymbolicTensor(trace, storage, base.dtype, dims, weak)
        part.shared = True
        return part
    mutable = trace.convention.arrays_are_mutable
    if dims or (mutable and base.dims):
        own_elements(trace, base)
    if not (dims or mutable) or not is_writable(base.storage):
        made = trace.make(forward(base.ssa), base.dtype, dims, weak)
        return as_writable_as(base, made)
    how = (trace.scope, base, forward, backward, arrange)
    seen = Rearranged(*how) if order is None else Permuted(*how, order)
    view = SymbolicTensor(trace, seen, base.dtype, dims, weak)
    view.storage.read(trace)
    view.shared = True
    return view


def seen_through(x: Any, function: Callable[[Any], Any], arrange: Callable[..., Any]) -> Any:
    """``function(x)`` as NumPy's read-only views are: it shows what is written into ``x`` later.

    ``arrange`` gives its layout, of that of ``x`` and the dimensions of the result.
    """
    made = function(x)
    if not isinstance(x, SymbolicTensor) or not x.recorder.convention.arrays_are_mutable:
        return made
    trace, first = x.recorder, x.ssa
    own_elements(trace, x)
    if not (is_writable(x.storage) or type(x.storage) is Seen):
        return read_only(made)

    def forward(ssa: Any) -> Any:
        return function(trace.make(ssa, x.dtype, x.dims)).ssa

    storage = Seen(trace.scope, x, forward, partial(arrange, dims=made.dims))
    if x.ssa == first:
        trace.scope.memo[storage, first] = made.ssa
    seen = SymbolicTensor(trace, storage, made.dtype, made.dims)
    seen.shared = True
    return seen
