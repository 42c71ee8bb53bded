"""What a mask takes of an array, kept in the array's own shape as long as that will do.

``x[mask] += 1`` and ``x[mask] = numpy.sqrt(x[mask])`` need not gather elements and put them back:
they compute on whole arrays and keep the result where the mask is true, in one pass without branches.
Where something asks for the elements as an array, they are gathered and computed with instead; what
was computed on whole arrays in vain is dead code.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from agir.ir.building.cells import Scope
from agir.ir.building.types import DType, bool_
from agir.ir.emission import broadcast, emit
from agir.ir.ops.core import masks
from agir.ir.tensors.symbolic import Dims, Owned, SymbolicTensor
from agir.ir.tracing.trace import Trace

_DEPTH = 6


Gather = Callable[[Trace], Any]


class Chosen:
    """Storage of the elements of ``dense`` where ``mask`` is true; both are SSA values.

    ``gather`` makes the same elements in one dimension; None where they are taken from ``dense``.
    """

    __slots__ = ("dense", "dims", "dtype", "gather", "home", "mask")

    def __init__(
        self,
        home: Scope,
        mask: Any,
        dense: Any,
        dtype: DType,
        dims: Dims,
        gather: Gather | None = None,
    ) -> None:
        self.home = home
        self.mask = mask
        self.dense = dense
        self.dtype = dtype
        self.dims = dims
        self.gather = gather or self._compressed

    def _compressed(self, trace: Trace) -> Any:
        mask = trace.make(self.mask, bool_, self.dims)
        return masks.compress(trace, mask, trace.make(self.dense, self.dtype, self.dims)).ssa

    def read(self, trace: Trace) -> Any:
        """The elements in one dimension, gathered once."""
        if not trace.scope.encloses(self.home):
            raise LookupError
        found = trace.scope.recall("memo", self)
        if found is None:
            found = trace.scope.memo[self] = self.gather(trace)
        return found

    def own(self, trace: Trace, tensor: SymbolicTensor) -> None:
        """Give the tensor, which is about to be written into, elements of its own."""
        with trace.inside(self.home):
            trace.store(tensor, Owned(self.home, self.read(trace)))

    def all_of(self, trace: Trace, dtype: DType, outside: Any) -> tuple[Any, Dims]:
        """The whole array in the dtype, with a number where the mask is false; its dimensions."""
        whole = emit.convert(trace, self.dense, self.dtype, dtype, self.dims)
        other = emit.constant_like(trace, dtype, self.dims, outside)
        return emit.select(trace, self.mask, whole, other), self.dims


def taken(trace: Trace, mask: SymbolicTensor, x: SymbolicTensor) -> SymbolicTensor:
    """``x[mask]``, where the mask has all the dimensions of the array."""
    return _tensor(trace, mask, x.ssa, x.dtype)


def _tensor(
    trace: Trace,
    mask: SymbolicTensor,
    dense: Any,
    dtype: DType,
    weak: bool = False,
    gather: Gather | None = None,
) -> SymbolicTensor:
    storage = Chosen(trace.scope, mask.ssa, dense, dtype, mask.dims, gather)
    return SymbolicTensor(trace, storage, dtype, (masks.count(trace, mask),), weak)


def storage_of(trace: Trace, value: Any) -> Chosen | None:
    """The storage of what a mask has taken, where the whole array can be used here."""
    if isinstance(getattr(value, "storage", None), Chosen):
        trace.settle(value)
    storage = getattr(value, "storage", None)
    if isinstance(storage, Chosen) and trace.scope.encloses(storage.home):
        return storage
    return None


def elementwise(
    trace: Trace, operands: Sequence[Any], compute: Callable[[list[Any]], SymbolicTensor]
) -> SymbolicTensor | None:
    """The operation on the whole arrays, where the operands are of one mask, or scalars.

    None where they are not, and where the operation checks its operands: elements that the mask
    leaves out must not fail.
    """
    if not any(type(getattr(v, "storage", None)) is Chosen for v in operands):
        return None
    storages = [storage_of(trace, value) for value in operands]
    masked = [s for s in storages if s is not None]
    if not masked or not all(same(s.mask, masked[0].mask) for s in masked[1:]):
        return None
    scalars = [v for v, s in zip(operands, storages, strict=True) if s is None]
    if any(broadcast.dims_of(trace, v) for v in scalars):
        return None
    mark = trace.checkpoint()
    whole = [
        value if s is None else trace.make(s.dense, s.dtype, s.dims, value.weak)
        for value, s in zip(operands, storages, strict=True)
    ]
    result = compute(whole)
    if not trace.only_computed_since(mark):
        trace.rollback(mark)
        return None
    location = trace.location

    def gather(trace: Trace) -> Any:
        given = [
            value if s is None else trace.make(s.read(trace), s.dtype, value.dims, value.weak)
            for value, s in zip(operands, storages, strict=True)
        ]
        with trace.at(location):
            return compute(given).ssa

    mask = trace.make(masked[0].mask, bool_, masked[0].dims)
    return _tensor(trace, mask, result.ssa, result.dtype, result.weak, gather)


def update(trace: Trace, tensor: SymbolicTensor, result: SymbolicTensor) -> bool:
    """Make the result the contents of what a mask has taken, if it is of the same mask."""
    old, new = storage_of(trace, tensor), storage_of(trace, result)
    if old is None or new is None or old.home is not trace.scope or not same(old.mask, new.mask):
        return False
    source, dtype = new, tensor.dtype
    dense = emit.convert(trace, source.dense, source.dtype, dtype, source.dims)

    def gather(trace: Trace) -> Any:
        return emit.convert(trace, source.read(trace), source.dtype, dtype, result.dims)

    trace.store(tensor, Chosen(trace.scope, old.mask, dense, dtype, old.dims, gather))
    return True


def assigned(trace: Trace, x: SymbolicTensor, mask: SymbolicTensor, value: Any) -> Any | None:
    """``x`` with the value where the mask is true, if an equal mask has taken the value."""
    storage = storage_of(trace, value)
    if storage is None or len(storage.dims) != len(x.dims) or not same(storage.mask, mask.ssa):
        return None
    dense = emit.convert(trace, storage.dense, storage.dtype, x.dtype, storage.dims)
    return emit.select(trace, mask.ssa, emit.cast_dims(trace, dense, x.dtype, x.dims), x.ssa)


def same(left: Any, right: Any, depth: int = _DEPTH) -> bool:
    """True where two SSA values are one, or computed alike from equal ones."""
    if left == right:
        return True
    a, b = left.maker, right.maker
    if not depth or a is None or b is None:
        return False
    return (
        a.name == b.name
        and left.type == right.type
        and not (a.blocks or b.blocks)
        and len(a.operands) == len(b.operands)
        and a.attributes == b.attributes
        and a.name != "func.call"
        and all(same(x, y, depth - 1) for x, y in zip(a.operands, b.operands, strict=True))
    )
