"""What is in a TensorArray of a traced function: one tensor, the number of the element first.

Where the shape of the elements is known, a TensorArray that does not grow is *full*: its column is
as long as it is, and writing is an insertion.  One that grows has a column with room for more.
Where a loop or branch is entered with nothing written, and the sizes of the elements are known
only at run time, the column has no room at first, and gets it when something is written.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NoReturn

from agir import errors
from agir.errors import OperandTypeError, OperandValueError
from agir.ir.building.cells import Scope
from agir.ir.building.types import Shape, bool_, int32, mlir_type
from agir.ir.emission import emit
from agir.ir.emission.failing import Unreachable
from agir.ir.tensors.staged import Staged
from agir.ir.tensors.symbolic import Dim, Dims, SymbolicTensor, static_shape
from agir.ir.tracing import loops
from agir.ir.tracing.trace import Trace
from agir.ir.values import columns
from agir.ir.values.arrays import array_indices
from agir.ir.values.arrays.tensor_array_types import TensorArrayType, weak_array
from agir.records import dataclass

_INITIAL = 4
_ONE_SHAPE = "the elements of a TensorArray of a compiled function have one shape; sizes"


@dataclass(frozen=True, eq=False)
class Elements(Staged):
    """The contents of a TensorArray at one point of the recorded program.

    ``dims`` and ``column`` are None until the shape of the elements is known.
    """

    trace: Trace
    home: Scope
    kind: TensorArrayType
    size: int | Dim
    dims: Dims | None = None
    column: Any = None
    full: bool = False
    spoiled: str | None = None
    """Where the array may have been written to under another name, so that this is out of date."""

    @staticmethod
    def new(trace: Trace, kind: TensorArrayType, size: Any) -> Elements:
        """A TensorArray of that many elements, in which nothing has been written."""
        dim_size = array_indices.dimension_size(trace, size)
        if isinstance(dim_size, int) and dim_size < 0:
            raise OperandValueError(
                trace.explain(f"the size of a TensorArray is negative: {dim_size}")
            )
        made = Elements(trace, trace.scope, kind, dim_size)
        shape = kind.element_shape
        if shape is None or None in shape:
            return made
        return made.allocated(tuple(d for d in shape if d is not None))

    def allocated(self, dims: Dims) -> Elements:
        """With room for elements of these dimensions."""
        size: int | Dim = self.size
        if self.kind.grows:
            size = Dim(value=emit.dim_value(self.trace, size))
        return self._of(self._zeros((size, *dims)), dims, not self.kind.grows)

    def _of(self, column: Any, dims: Dims, full: bool, size: Any = None) -> Elements:
        size = self.size if size is None else size
        return Elements(self.trace, self.trace.scope, self.kind, size, dims, column, full)

    def _zeros(self, dims: Dims) -> Any:
        zero = self.trace.constant(self.kind.dtype, 0)
        return emit.splat(self.trace, zero, self.kind.dtype, dims)

    # Elements.

    def write(self, index: Any, value: Any) -> Elements:
        """With the element at an index replaced."""
        part = self.lifted(value, "write")
        self._check(part.shape)
        whole = self if self.dims is not None else self.allocated(part.dims)
        if self.kind.grows:
            position, size = array_indices.reached(self.trace, index, whole.size)
            whole, inside = whole._with_room(position, part.dims, size), None
        else:
            position, inside = array_indices.inside(self.trace, index, whole.size)
            whole = whole._with_all_room(part.dims)
        fits = whole._fits(part, inside)
        return replace(whole, column=whole._inserted(position, part, fits))

    def read(self, index: Any) -> SymbolicTensor:
        """The element at an index; zeros where it has never been written."""
        dims = self.dims
        if dims is None:
            self.unknown()
        trace = self.trace
        position, inside = array_indices.inside(trace, index, self.size)
        if not self._has_room:
            there = trace.compare("ult", position, self._capacity())
            trace.guard(there, trace.site("unwritten"))
            inside = emit.both(trace, inside, there)

        def found() -> list[Any]:
            return [columns.read(trace, self.column, position)]

        if inside is None:
            return trace.make(found()[0], self.kind.dtype, dims)
        element = loops.either(trace, inside, found, lambda: [self._zeros(dims)])
        return trace.make(element[0], self.kind.dtype, dims)

    def _inserted(self, position: Any, part: SymbolicTensor, fits: Any) -> Any:
        trace, dims, ssa = self.trace, self.dims, part.ssa
        assert dims is not None, "an array that is written to has room"

        def store() -> list[Any]:
            value = emit.cast_dims(trace, ssa, self.kind.dtype, dims) if dims else ssa
            return [columns.write(trace, self.column, position, value)]

        if fits is None:
            return store()[0]
        return loops.either(trace, fits, store, lambda: [self.column])[0]

    def _check(self, shape: Shape) -> None:
        """Raise ``ValueError`` where an element is known to have another shape than the others."""
        try:
            self.kind.check_shape(shape)
            if self.dims is not None:
                replace(self.kind, element_shape=static_shape(self.dims)).check_shape(shape)
        except ValueError as error:
            raise OperandValueError(self.trace.explain(errors.message(error))) from None

    def _fits(self, part: SymbolicTensor, inside: Any) -> Any:
        """``inside``, and whether the sizes known at run time are those of the elements."""
        trace = self.trace
        assert self.dims is not None, "an array that is written to has dimensions"
        for ours, theirs in zip(self.dims, part.dims, strict=True):
            if ours is theirs or ours == theirs:
                continue
            left, right = emit.dim_value(trace, ours), emit.dim_value(trace, theirs)
            same = trace.compare("eq", left, right)
            given = [emit.from_index(trace, value) for value in (left, right)]
            trace.guard(same, trace.site("shape", _ONE_SHAPE), *given)
            inside = emit.both(trace, inside, same)
        return inside

    # Room.

    @property
    def _has_room(self) -> bool:
        """Whether there is room for every element: it is lacking only until sizes are known."""
        return self.full or not any(isinstance(d, Dim) for d in self.dims or ())

    def _capacity(self) -> Any:
        trace = self.trace
        return trace.op("tensor.dim", trace.index_type(), self.column, trace.index(0))

    def _with_room(self, position: Any, like: Dims, size: Dim) -> Elements:
        """An array that grows, with room at a position; its capacity doubles."""
        trace, capacity = self.trace, self._capacity()

        def doubled() -> Any:
            twice = trace.op("arith.addi", capacity.type, capacity, capacity)
            least = trace.op("arith.maxsi", capacity.type, twice, trace.index(_INITIAL))
            after = trace.op("arith.addi", capacity.type, position, trace.index(1))
            return trace.op("arith.maxsi", capacity.type, least, after)

        enough = trace.compare("ult", position, capacity)
        return self._widened(enough, capacity, doubled, like, size)

    def _with_all_room(self, like: Dims) -> Elements:
        """With room for all of the elements, of these dimensions where there was none."""
        if self.full:
            return self
        trace, capacity = self.trace, self._capacity()
        size = emit.dim_value(trace, self.size)
        enough = trace.compare("uge", capacity, size)
        return self._widened(enough, capacity, lambda: size, like, self.size)

    def _widened(self, enough: Any, capacity: Any, wanted: Any, like: Dims, size: Any) -> Elements:
        trace, dims = self.trace, self.dims
        assert dims is not None, "an array that gets room has dimensions"
        unused = trace.compare("eq", capacity, trace.index(0))
        sizes = [
            ours
            if isinstance(ours, int)
            else _either_size(trace, unused, emit.dim_value(trace, theirs), ours.value(trace))
            for ours, theirs in zip(dims, like, strict=True)
        ]

        def moved() -> list[Any]:
            new = self._zeros((Dim(value=wanted()), *sizes))

            def kept() -> list[Any]:
                return [columns.put(trace, self.column, new, 0, capacity)]

            if any(isinstance(d, Dim) for d in dims):  # an unused column has other sizes
                return loops.either(trace, unused, lambda: [new], kept)
            return kept()

        column = loops.either(trace, enough, lambda: [self.column], moved)[0]
        found = tuple(
            d if isinstance(d, int) else Dim(source=column, axis=axis + 1)
            for axis, d in enumerate(dims)
        )
        return self._of(column, found, False, size)

    # The whole.

    def tensor(self) -> SymbolicTensor:
        """The elements as one tensor."""
        if self.dims is None:
            self.unknown()
        trace = self.trace
        if self.full:
            return trace.make(self.column, self.kind.dtype, (self.size, *self.dims))
        whole = self
        if not self._has_room:
            size = emit.dim_value(trace, self.size)
            written = trace.compare("uge", self._capacity(), size)
            trace.guard(written, trace.site("unwritten"))
            whole = self._with_all_room(self.dims)
        assert whole.dims is not None, "it has had them before"
        count = self.size if isinstance(self.size, int) else self.size.value(trace)
        column = columns.items(trace, whole.column, 0, count)
        dims = tuple(
            d if isinstance(d, int) else Dim(source=column, axis=axis + 1)
            for axis, d in enumerate(whole.dims)
        )
        return trace.make(column, self.kind.dtype, (self.size, *dims))

    def holding(self, value: Any, what: str = "unstack") -> Elements:
        """With the rows of a tensor as its elements, in the place of all that it had."""
        rows = self.lifted(value, what)
        trace = self.trace
        if not rows.dims:
            raise OperandValueError(
                trace.explain(f"{what}() takes a tensor of at least one dimension")
            )
        count, dims = rows.dims[0], rows.dims[1:]
        try:
            self.kind.check_shape(static_shape(dims))
        except ValueError as error:
            raise OperandValueError(trace.explain(errors.message(error))) from None
        if self.kind.grows:
            shape = (None, *static_shape(dims))
            column, target = rows.ssa, mlir_type(rows.dtype, shape)
            column = column if column.type == target else trace.op("tensor.cast", target, column)
            return self._of(column, dims, False, count)
        self._check_count(count, what)
        return self._of(rows.ssa, dims, True, count)

    def _check_count(self, count: int | Dim, what: str) -> None:
        trace, size = self.trace, self.size
        message = f"{what}() of more elements than the TensorArray has"
        if count is size:
            return
        if isinstance(count, int) and isinstance(size, int):
            if count > size:
                raise OperandValueError(trace.explain(f"{message}: {count} and {size}"))
            return
        given, room = emit.dim_value(trace, count), emit.dim_value(trace, size)
        enough = trace.compare("ule", given, room)
        operands = [emit.from_index(trace, value) for value in (given, room)]
        trace.guard(enough, trace.site("shape", message), *operands)

    def count(self) -> SymbolicTensor:
        """The number of elements as a scalar."""
        trace = self.trace
        size = self.size
        if isinstance(size, int):
            return trace.make(trace.constant(int32, size), int32, ())
        return trace.make(emit.from_index(trace, size.value(trace), int32), int32, ())

    def lifted(self, value: Any, what: str) -> SymbolicTensor:
        """A value as a tensor of the array's dtype."""
        trace, dtype = self.trace, self.kind.dtype
        found = weak_array(value)
        try:
            if found is None:
                tensor = emit.lift(trace, value)
                self.kind.check_type(tensor.type)
                return emit.cast(trace, tensor, dtype)
            self.kind.check_type(found[1])
        except TypeError as error:
            raise OperandTypeError(trace.explain(f"{what}(): {errors.message(error)}")) from None
        return emit.lift(trace, found[0].astype(dtype.numpy))

    def unknown(self) -> NoReturn:
        """Fail where an element is asked for before anything says which shape it has.

        What comes first happens: it may have failed, as when every write is in a loop that raises.
        """
        trace = self.trace
        trace.guard(trace.constant(bool_, False), trace.site("unwritten"))
        raise Unreachable


def _either_size(trace: Trace, unused: Any, new: Any, old: Any) -> Dim:
    return Dim(value=emit.select(trace, unused, new, old))
