"""Creation: zeros, ones, full, eye, arange (TensorFlow's range), linspace, and the ``*_like``."""

from __future__ import annotations

import math
from math import ceil
from typing import Any

import numpy as np

from agir.errors import RuntimeValueError, StagingError
from agir.ir.building import attributes
from agir.ir.building.cells import Scope
from agir.ir.building.types import DType, TensorType, as_dtype, float32, float64, int64, promote
from agir.ir.emission import emit
from agir.ir.emission.broadcast import dims_of, operand
from agir.ir.emission.gathering import generic, identity_map
from agir.ir.ops.core.operands import operand_type
from agir.ir.tensors.dispatch import call, define
from agir.ir.tensors.symbolic import Dim, Dims, Owned, SymbolicTensor
from agir.ir.tracing.trace import Trace
from agir.ir.values.sequences.progressions import Progression

_MOST = 2**59
"""So many elements of 16 bytes are as many as bytes can be counted."""


def shape_entries(shape: Any) -> tuple[Any, ...]:
    """A shape given as an int, a sequence, or a one-dimensional tensor, as a tuple."""
    if isinstance(shape, (int, np.integer)):
        return (int(shape),)
    if isinstance(shape, SymbolicTensor):
        if not shape.dims:
            return (shape,)
        if not isinstance(shape.dims[0], int):
            shape.recorder.ask(shape.dims[0].value(shape.recorder))
            raise StagingError("the rank of a shape must be known while tracing")
        return tuple(shape[i] for i in range(shape.dims[0]))
    return tuple(shape)


def static_sizes(shape: Any) -> tuple[int | None, ...]:
    """The sizes that are known while tracing, None for the others."""
    found = tuple(None if isinstance(e, SymbolicTensor) else _size(e) for e in shape_entries(shape))
    _check_size(found)
    return found


def _check_size(sizes: tuple[int | None, ...]) -> None:
    if 0 not in sizes and math.prod(e for e in sizes if e is not None) > _MOST:
        shape = tuple("?" if e is None else e for e in sizes)
        raise ValueError(f"an array of shape {shape} is too big")


def _size(value: Any) -> int:
    size = int(value)
    if size < 0:
        raise ValueError(f"negative dimensions are not allowed: {size}")
    return size


def dims_from(trace: Trace, shape: Any) -> Dims:
    """Dimensions from a shape with symbolic sizes, which are checked not to be negative."""
    return tuple(_dim(trace, size) for size in shape_entries(shape))


def _dim(trace: Trace, size: Any) -> Any:
    return emit.dim_of(trace, size) if isinstance(size, SymbolicTensor) else _size(size)


def _full_rule(shape: Any, value: TensorType, dtype: Any = None) -> TensorType:
    chosen = value.dtype if dtype is None else as_dtype(dtype)
    return TensorType(chosen, static_sizes(shape))


def _full_emit(trace: Trace, result: TensorType, shape: Any, value: Any, dtype: Any) -> Any:
    dims = dims_from(trace, shape)
    return trace.make(operand(trace, value, result.dtype, dims), result.dtype, dims)


@define(operands=("value",), rule=_full_rule, emit=_full_emit, creates=True)
def full(shape: Any, value: Any, dtype: Any = None) -> Any:
    """An array of the shape filled with the value; sizes may be symbolic.

    >>> ag.full([2], 1.5).numpy()
    array([1.5, 1.5])

    Shapes: shape a shape, value that broadcasts to it -> shape
    Dtypes: of the result bool, int, uint, float, complex
    Raises: OperandTypeError for what is no tensor
    """
    return np.full(shape, value, None if dtype is None else as_dtype(dtype).numpy)


def zeros(shape: Any, dtype: Any = float32) -> Any:
    """An array of zeros (``False`` for bools)."""
    return full(shape, 0, as_dtype(dtype))


def ones(shape: Any, dtype: Any = float32) -> Any:
    """An array of ones (``True`` for bools)."""
    return full(shape, 1, as_dtype(dtype))


# Ranges.


class Lazy:
    """Storage of a range, whose elements are made only where something reads them.

    A loop over it counts; nothing is stored.
    """

    __slots__ = ("dims", "home", "progression")

    def __init__(self, home: Scope, progression: Progression, dims: Dims) -> None:
        self.home = home
        self.progression = progression
        self.dims = dims

    def read(self, trace: Trace) -> Any:
        """The elements as a tensor, made once in each region."""
        if not trace.scope.encloses(self.home):
            raise LookupError
        found = trace.scope.recall("memo", self)
        if found is None:
            found = trace.scope.memo[self] = self._elements(trace)
        return found

    def own(self, trace: Trace, tensor: SymbolicTensor) -> None:
        """Give the tensor, which is about to be written into, elements of its own."""
        with trace.inside(self.home):
            trace.store(tensor, Owned(self.home, self.read(trace)))

    def _elements(self, trace: Trace) -> Any:
        dtype = self.progression.dtype
        init = emit.empty(trace, dtype, self.dims)

        def element(_: Any) -> tuple[Any, ...]:
            position = trace.op("linalg.index", trace.index_type(), dim=attributes.i64(0))
            return (self.progression.item(position).ssa,)

        maps = [identity_map(1)]
        return generic(trace, [], [init], maps, ["parallel"], element).result


def _range_rule(
    start: TensorType,
    limit: TensorType | None = None,
    delta: TensorType | None = None,
    dtype: Any = None,
) -> TensorType:
    types = [t for t in (start, limit, delta) if t is not None]
    for kind in types:
        if kind.shape:
            raise ValueError(f"range() takes scalars, got {kind}")
    chosen = promote(*types)[0] if dtype is None else as_dtype(dtype)
    if chosen.kind not in "iuf":
        raise TypeError(f"range() is not defined for {chosen}")
    return TensorType(chosen, (None,))


def _range_emit(
    trace: Trace, result: TensorType, start: Any, limit: Any, delta: Any, dtype: Any
) -> SymbolicTensor:
    first, last = (0, start) if limit is None else (start, limit)
    bounds = [_bound(v, result.dtype) for v in (first, last, delta)]
    if result.dtype.is_floating:
        return _float_range(trace, result.dtype, *bounds)
    made = Progression(trace, bounds[0], bounds[1], bounds[2], result.dtype, weak=False)
    count = made.count
    dims: Dims = (count if isinstance(count, int) else Dim(value=count),)
    return SymbolicTensor(trace, Lazy(trace.scope, made, dims), result.dtype, dims)


def _bound(value: Any, dtype: DType) -> Any:
    if isinstance(value, SymbolicTensor):
        return value
    number = np.asarray(value)[()]
    return float(number) if dtype.is_floating else int(number)


def _float_range(trace: Trace, dtype: DType, start: Any, stop: Any, step: Any) -> SymbolicTensor:
    """``start + i * step``: the count is ``ceil((stop - start) / step)``, as NumPy's."""
    span = call("divide", call("subtract", stop, start), step)
    if isinstance(span, SymbolicTensor):
        ceiling = call("cast", call("ceil", span), int64)
        count: Any = emit.dim_of(trace, call("maximum", ceiling, 0))
    else:
        count = max(0, ceil(float(span)))
    positions = call("range", count if isinstance(count, int) else _size_tensor(trace, count))
    scaled = call("multiply", call("cast", positions, dtype), step)
    return call("add", scaled, start)  # type: ignore[no-any-return]


def _size_tensor(trace: Trace, dim: Dim) -> SymbolicTensor:
    return trace.make(emit.from_size(trace, dim), int64, ())


@define(
    "range", operands=("start", "limit", "delta"), rule=_range_rule, emit=_range_emit, creates=True
)
def range_(start: Any, limit: Any = None, delta: Any = 1, dtype: Any = None) -> Any:
    """
    The numbers from ``start`` (0 where only one bound is given) up to ``limit``, ``delta`` apart.

    A loop over the result counts without storing it.
    """
    if not delta:
        raise RuntimeValueError("range() step must not be zero")
    arange: Any = np.arange
    first, last = (0, start) if limit is None else (start, limit)
    return arange(first, last, delta, None if dtype is None else as_dtype(dtype).numpy)


# Others.


def _eye_rule(rows: Any, columns: Any = None, k: int = 0, dtype: Any = float32) -> TensorType:
    return TensorType(as_dtype(dtype), static_sizes((rows, rows if columns is None else columns)))


_FAR = 2**62
"""Further from the main diagonal than any element of an array."""


def _eye_emit(
    trace: Trace, result: TensorType, rows: Any, columns: Any, k: int, dtype: Any
) -> SymbolicTensor:
    dims = dims_from(trace, (rows, rows if columns is None else columns))
    init = emit.empty(trace, result.dtype, dims)
    index = trace.index_type()
    k = max(-_FAR, min(int(k), _FAR))

    def element(_: Any) -> tuple[Any, ...]:
        row, column = (trace.op("linalg.index", index, dim=attributes.i64(a)) for a in (0, 1))
        shifted = trace.op("arith.addi", index, row, trace.index(k))
        one, zero = trace.constant(result.dtype, 1), trace.constant(result.dtype, 0)
        return (emit.select(trace, trace.compare("eq", shifted, column), one, zero),)

    made = generic(trace, [], [init], [identity_map(2)], ["parallel"] * 2, element)
    return trace.make(made.result, result.dtype, dims)


@define(operands=(), rule=_eye_rule, emit=_eye_emit, creates=True)
def eye(rows: int, columns: int | None = None, k: int = 0, dtype: Any = float32) -> Any:
    """Ones on the diagonal ``k``, zeros elsewhere."""
    return np.eye(rows, columns, k, as_dtype(dtype).numpy)


def _array_rule(x: Any) -> TensorType:
    kind = operand_type(x)
    return TensorType(kind.dtype, kind.shape)


def _array_emit(trace: Trace, result: TensorType, x: Any) -> SymbolicTensor:
    tensor = emit.lift(trace, x)
    return trace.make(tensor.ssa, tensor.dtype, tensor.dims)


@define(operands=("x",), rule=_array_rule, emit=_array_emit, creates=True)
def array(x: Any) -> Any:
    """An array of its own with these elements; in a trace one that can be written into."""
    return np.array(x)


def linspace(start: Any, stop: Any, num: int, dtype: Any = None) -> Any:
    """``num`` numbers evenly spaced from ``start`` to ``stop``, both included."""
    if num < 2:
        return call("multiply", call("full", (num,), 1.0, float64), start)
    step = call("divide", call("subtract", stop, start), num - 1)
    positions = call("cast", call("range", num), float64)
    spaced = call("add", call("multiply", positions, step), start)
    last = call("equal", positions, float(num - 1))
    found = call("where", last, stop, spaced)
    return found if dtype is None else call("cast", found, dtype)


def zeros_like(x: Any, dtype: Any = None) -> Any:
    """Zeros in the shape of ``x``, in its dtype unless another is given."""
    return _like(x, 0, dtype)


def ones_like(x: Any, dtype: Any = None) -> Any:
    """Ones in the shape of ``x``, in its dtype unless another is given."""
    return _like(x, 1, dtype)


def full_like(x: Any, value: Any, dtype: Any = None) -> Any:
    """The value in the shape of ``x``, in its dtype unless another is given.

    >>> ag.full_like([1.0, 2.0], 3.0).numpy()
    array([3., 3.], dtype=float32)

    Shapes: x [...] -> [...]
    Dtypes: bool, int, uint, float, complex -> the same
    Raises: OperandTypeError for what is no tensor
    """
    return _like(x, value, dtype)


def _like(x: Any, value: Any, dtype: Any) -> Any:
    return call("fill_like", x, value, dtype)


def _fill_like_rule(x: TensorType, value: TensorType, dtype: Any = None) -> TensorType:
    kind = operand_type(x)
    return TensorType(kind.dtype if dtype is None else as_dtype(dtype), kind.shape)


def _fill_like_emit(
    trace: Trace, result: TensorType, x: Any, value: Any, dtype: Any
) -> SymbolicTensor:
    dims = dims_of(trace, x)
    return trace.make(operand(trace, value, result.dtype, dims), result.dtype, dims)


@define(operands=("x", "value"), rule=_fill_like_rule, emit=_fill_like_emit)
def fill_like(x: Any, value: Any, dtype: Any = None) -> Any:
    """An array in the shape of ``x`` filled with the value."""
    return np.full_like(np.asarray(x), value, None if dtype is None else as_dtype(dtype).numpy)
