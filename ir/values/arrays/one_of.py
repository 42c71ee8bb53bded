"""One of several arrays, by a number: what is done with it is done with the one that it is."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from agir.ir.building import attributes, bindings
from agir.ir.building.cells import Scope
from agir.ir.building.types import DType, int64, mlir_type
from agir.ir.tensors.symbolic import Dims, SymbolicTensor, static_shape, write_into
from agir.ir.tracing import loops
from agir.ir.tracing.trace import Trace


class OneOf:
    """Storage of one of several arrays, or of elements of its own: the number of none of them.

    ``own`` is the array of those; None where it is always one of the others.
    """

    __slots__ = ("arrays", "dims", "dtype", "home", "members", "number", "spare")

    def __init__(
        self, home: Scope, number: Any, members: tuple[SymbolicTensor, ...],
        own: SymbolicTensor | None, dtype: DType, dims: Dims,
    ) -> None:  # fmt: skip
        self.home = home
        self.number = number
        self.members = members
        self.spare = own
        self.arrays = members if own is None else (*members, own)
        for member in members:
            member.viewed = True
        self.dtype = dtype
        self.dims = dims

    def state(self, trace: Trace) -> tuple[Any, ...]:
        """What the elements depend on: SSA values of arrays."""
        found: list[Any] = []
        for array in self.arrays:
            root = root_of(array)
            one_of = isinstance(root.storage, OneOf)
            found.extend(root.storage.state(trace) if one_of else (root.ssa,))
        return tuple(found)

    def read(self, trace: Trace) -> Any:
        """The elements as an SSA value, chosen once for each state of the arrays."""
        if not trace.scope.encloses(self.home):
            raise LookupError
        state = self.state(trace)
        found = trace.scope.recall("memo", (self, state))
        if found is None:
            wanted = mlir_type(self.dtype, static_shape(self.dims))
            found = self.of_the_array(trace, lambda array: _as(trace, array.ssa, wanted))
            trace.scope.memo[self, state] = found
        return found

    def write(self, trace: Trace, ssa: Any) -> None:
        """Give the array that it is new elements."""

        def put(array: SymbolicTensor) -> None:
            write_into(trace, array.storage, _of_shape(trace, ssa, array.mlir_type))

        self.for_the_array(trace, put)
        trace.scope.memo[self, self.state(trace)] = ssa

    @property
    def parts_fit(self) -> bool:
        """Whether parts of it are parts of each array, as far as is known of their sizes.

        Where one is known to be of another size, MLIR may come to see that a part is beyond it, and
        refuse that, though it is never executed.
        """
        return all(
            a is b or not isinstance(a, int) or a == b
            for array in self.arrays
            for a, b in zip(array.dims, self.dims, strict=True)
        )

    def of_the_array(self, trace: Trace, compute: Callable[[SymbolicTensor], Any]) -> Any:
        """What is computed (an SSA value) of the array that it is; all have one type."""

        def at(number: int) -> Any:
            array = self.arrays[number]
            if number + 1 == len(self.arrays):
                return compute(array)
            here = self.is_number(trace, number)
            return loops.if_ok(trace, here, lambda: compute(array), lambda: at(number + 1))

        return at(0)

    def for_the_array(self, trace: Trace, do: Callable[[SymbolicTensor], None]) -> None:
        """Record what is done to each of the arrays, and done to the one that it is."""
        for number, array in enumerate(self.arrays):
            _where(trace, self.is_number(trace, number), lambda array=array: do(array))  # type: ignore[misc]

    def is_number(self, trace: Trace, number: int) -> Any:
        """Whether it is the array of this number (i1)."""
        return trace.compare("eq", self.number, trace.constant(int64, number))


def _where(trace: Trace, condition: Any, do: Callable[[], None]) -> None:
    """Record what is done where the i1 is true: arrays that it writes to are threaded through."""
    scopes = [Scope(trace.scope), Scope(trace.scope)]
    with trace.inside(scopes[0]):
        do()
    cells = [cell for cell in scopes[0].written if cell.home is not scopes[0]]
    for scope in scopes:
        with trace.inside(scope):
            trace.create("scf.yield", (), [scope.read(cell) for cell in cells])
    types = [trace.scope.read(cell).type for cell in cells]
    blocks = [scope.block for scope in scopes]
    operation = trace.create("scf.if", types, (condition,), blocks=blocks)
    for cell, result in zip(cells, operation.results, strict=True):
        trace.scope.write(cell, result)


def _as(trace: Trace, ssa: Any, wanted: Any) -> Any:
    return ssa if ssa.type == wanted else trace.op("tensor.cast", wanted, ssa)


def _of_shape(trace: Trace, ssa: Any, wanted: Any) -> Any:
    """The elements for an array of this type, where it is the one that they are for.

    They are taken as a part where their sizes are not known: a cast is folded with the one of an
    array of another shape, where neither is executed, and is not valid then.
    """
    if ssa.type == wanted:
        return ssa
    if bindings.ir.ShapedType.get_dynamic_size() in wanted.shape:
        return _as(trace, ssa, wanted)
    if 0 in wanted.shape:  # of which MLIR has no part
        return trace.op("tensor.empty", wanted)
    part = attributes.slicing([ssa], [0] * len(wanted.shape), list(wanted.shape))
    return trace.create("tensor.extract_slice", (wanted,), *part).result


def root_of(array: Any) -> Any:
    """The array that an array is a view of, or itself."""
    while (base := base_of(array)) is not None:
        array = base
    return array


def watch(trace: Trace, array: Any) -> None:
    """Refuse from now on that anything is written into the array, or into what it may be."""
    root = root_of(array)
    while hasattr(root.storage, "array"):
        root = root.storage.array
    storage = root.storage
    if not isinstance(storage, OneOf):
        trace.watch(root)
        return
    for each in storage.arrays:
        watch(trace, each)


def base_of(array: Any) -> Any:
    """What an array is a view of; None for one that is none."""
    return getattr(storage_of(array), "base", None)


def storage_of(array: Any) -> Any:
    """The storage of an array, or the one that a checked one stands for."""
    storage = array.storage
    while hasattr(storage, "inner"):
        storage = storage.inner
    return storage
