"""The rows that the functions over them go through."""

from __future__ import annotations

from typing import Any

from agir.ir.emission import emit
from agir.ir.tensors import dispatch
from agir.ir.tensors.symbolic import SymbolicTensor
from agir.ir.tracing import nest, trace
from agir.ir.tracing.trace import Trace
from agir.runtime.control.agreement import described, explained, type_of
from agir.runtime.tensor import convert_to_tensor


class Rows:
    """The rows of a tensor, or of the tensors in a structure, which have as many each.

    ``broadcast`` lets a tensor of one row stand for as many as the others have.
    """

    def __init__(self, what: str, elems: Any, broadcast: bool = False) -> None:
        self._what = what
        self._like = elems
        pairs = list(nest.paths(elems, "elems"))
        if not pairs:
            raise explained(ValueError, f"{what}: elems holds no tensor")
        self._paths = [path for path, _ in pairs]
        self._tensors = [self._tensor(path, leaf) for path, leaf in pairs]
        self._broadcast = broadcast
        self.count: Any = self._agreed()
        """How many: an int, or a symbolic scalar."""

    def _tensor(self, path: str, leaf: Any) -> Any:
        tensor = convert_to_tensor(leaf) if isinstance(leaf, (list, int, float)) else leaf
        if type_of(tensor) is None:
            raise explained(TypeError, f"{self._what}: {path} must be a tensor, not {leaf!r}")
        tensor = convert_to_tensor(tensor)
        if not tensor.shape:
            raise explained(
                ValueError, f"{self._what}: {path} is {described(leaf)}, which has no rows"
            )
        return tensor

    def like(self) -> Any:
        """The structure, with dtypes for the tensors."""
        return nest.pack_sequence_as(self._like, [tensor.dtype for tensor in self._tensors])

    def known_count(self) -> int:
        """How many there are, where that is known."""
        assert isinstance(self.count, int), "an eager tensor has a shape"
        return self.count

    def need_one(self, why: str) -> None:
        """``ValueError`` where there is no row."""
        message = f"{self._what}: elems has no rows, and {why}"
        current = trace.current()
        if isinstance(self.count, int):
            if self.count == 0:
                raise explained(ValueError, message)
        elif current is not None:
            with current.at_user_line():
                some = dispatch.call("greater", self.count, 0)
                current.guard(some.ssa, current.site("argument", message))

    def at(self, position: Any) -> Any:
        """The row at a position, in the structure that was given."""
        return nest.pack_sequence_as(
            self._like, [self._row(tensor, position) for tensor in self._tensors]
        )

    def example(self) -> Any:
        """A row as far as its types go, also where there is none."""
        if not isinstance(self.count, int) or self.count:
            return self.at(0)
        zeros = [
            dispatch.call("full", dispatch.call("shape", tensor)[1:], 0, tensor.dtype)
            for tensor in self._tensors
        ]
        return nest.pack_sequence_as(self._like, zeros)

    def _row(self, tensor: Any, position: Any) -> Any:
        size = tensor.shape[0]
        if not self._broadcast or (size is not None and size != 1):
            return tensor[position]
        if size is None:
            several = dispatch.call("greater", dispatch.call("shape", tensor)[0], 1)
            return tensor[position * dispatch.call("cast", several, "int64")]
        return tensor[0]

    def _agreed(self) -> Any:
        """The number of rows, after a check that all tensors have as many."""
        found = [(p, t) for p, t in zip(self._paths, self._tensors, strict=True)]
        if self._broadcast and any(t.shape[0] != 1 for _, t in found):
            found = [(p, t) for p, t in found if t.shape[0] != 1]
        known = next((pair for pair in found if pair[1].shape[0] is not None), found[0])
        current = trace.current()
        if self._broadcast and known[1].shape[0] is None:
            return self._greatest([tensor for _, tensor in found])
        for path, tensor in found:
            sizes = (known[1].shape[0], tensor.shape[0])
            if None not in sizes and sizes[0] != sizes[1]:
                raise explained(
                    ValueError,
                    f"{self._what}: {known[0]} has {sizes[0]} rows, and {path} {sizes[1]}",
                )
            if current is not None and sizes[1] is None and tensor is not known[1]:
                message = f"{self._what}: {known[0]} and {path} have rows"
                _guard(current, known[1], tensor, message, self._broadcast)
        size = known[1].shape[0]
        return dispatch.call("shape", known[1])[0] if size is None else size

    def _greatest(self, tensors: list[Any]) -> Any:
        """The greatest of several counts of the run time; each of the others is that, or one."""
        counts = [dispatch.call("shape", tensor)[0] for tensor in tensors]
        greatest = counts[0]
        for each in counts[1:]:
            greatest = dispatch.call("maximum", greatest, each)
        current = trace.current()
        assert current is not None, "a size is unknown only in a trace"
        for path, each in zip(self._paths, counts, strict=True):
            with current.at_user_line():
                fits = dispatch.call("logical_or", each == greatest, each == 1)
                numbers = [dispatch.call("cast", n, "int64").ssa for n in (greatest, each)]
                site = current.site("shape", f"{self._what}: elems and {path} have rows")
                current.guard(fits.ssa, site, *numbers)
        return greatest


def _guard(current: Trace, one: Any, other: SymbolicTensor, message: str, or_one: bool) -> None:
    """Check at run time that two tensors have as many rows, or that the other has one."""
    left = one.dims[0] if isinstance(one, SymbolicTensor) else one.shape[0]
    if left is other.dims[0]:
        return
    with current.at_user_line():
        sizes = [emit.dim_value(current, each) for each in (left, other.dims[0])]
        numbers = [emit.from_index(current, each) for each in sizes]
        same = current.compare("eq", *sizes)
        if or_one:
            single = current.compare("eq", sizes[1], current.index(1))
            same = current.op("arith.ori", same.type, same, single)
        current.guard(same, current.site("shape", message), *numbers)
