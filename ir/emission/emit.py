"""The vocabulary in which operations are emitted: lifting, conversion, broadcasting, elementwise.

Functions here take the trace and SSA values or symbolic tensors; they check nothing that a type
rule has checked.  Types are always computed here, never inferred by the bindings.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from agir.ir.building import attributes, bindings
from agir.ir.building.cells import Scope
from agir.ir.building.program import Block
from agir.ir.building.types import (
    DType,
    as_dtype,
    bool_,
    float16,
    float32,
    float64,
    int32,
    int64,
    is_python_number,
    mlir_type,
    python_dtype,
)
from agir.ir.table import TABLE
from agir.ir.tensors.staged import Staged
from agir.ir.tensors.symbolic import Dim, Dims, SymbolicTensor, static_shape
from agir.ir.tensors.tensor import Tensor
from agir.ir.tracing import ranges
from agir.ir.tracing.trace import CAPTURE_LIMIT, Trace

# Lifting: Python and NumPy values become symbolic.


def lift(trace: Trace, value: Any) -> SymbolicTensor:
    """The value as a symbolic tensor: a constant, or an array captured as an argument."""
    if isinstance(value, SymbolicTensor):
        return value
    if is_python_number(value):
        dtype = python_dtype(value)
        return trace.make(trace.constant(dtype, value), dtype, (), weak=True)
    if isinstance(value, (list, tuple)) and any(is_symbolic(v) for v in value):
        return TABLE["stack"](list(value))  # type: ignore[no-any-return]
    for array, tensor in trace.outside:
        if array is value:
            return tensor
    array = value.numpy() if isinstance(value, Tensor) else np.asarray(value)
    dtype = as_dtype(array.dtype)
    if array.size > CAPTURE_LIMIT:
        return trace.capture(value, array, dtype)
    if isinstance(value, Tensor):
        trace.use(value)
    if array.ndim == 0:
        return trace.make(trace.constant(dtype, array[()]), dtype, ())
    if _stays_known(trace) and (type(value) is np.ndarray or id(value) in trace.folded):
        trace.known_arrays.use(array)
        return SymbolicTensor(trace, _Known(trace.scope, array.copy()), dtype, array.shape)
    return trace.make(trace.dense(dtype, array.shape, array), dtype, array.shape)


def table(trace: Trace, numbers: Sequence[Any] | np.ndarray[Any, Any]) -> SymbolicTensor:
    """Known numbers as an array to look them up in, which is one wherever they are the same."""
    return lift(trace, trace.same_elements(np.asarray(numbers)))


def _stays_known(trace: Trace) -> bool:
    """Whether arrays of known elements are what tracing takes them for, and not written into."""
    return trace.convention.arrays_are_mutable and not trace.known_arrays.are_recorded


class Constant:
    """Storage of an array of known elements: a constant wherever it is read."""

    __slots__ = ("home", "known")
    never_changes = False

    def __init__(self, home: Scope, array: np.ndarray[Any, Any]) -> None:
        self.home = home
        self.known = array

    def read(self, trace: Trace) -> Any:
        """The elements as a constant, made once in each region."""
        if not trace.scope.encloses(self.home):
            raise LookupError
        found = trace.scope.recall("memo", self)
        if found is None:
            array = trace.same_elements(self.known)
            dtype = as_dtype(array.dtype)
            ssa = (
                trace.capture(array, array, dtype).ssa
                if array.size > CAPTURE_LIMIT
                else trace.dense(dtype, array.shape, array)
            )
            found = trace.scope.memo[self] = ssa
        return found


class _Known(Constant):
    """That of one that Python still has: nothing may be written into it, or a view of it."""

    __slots__ = ()
    never_changes = True

    def own(self, trace: Trace, tensor: SymbolicTensor) -> None:
        """It is about to be written into: begin the trace anew."""
        trace.known_arrays.written()


def is_symbolic(value: Any) -> bool:
    """True for a symbolic tensor or list of run-time length, and for lists and tuples that hold one."""
    if isinstance(value, (list, tuple)):
        return (isinstance(value, Staged) and value.is_staged) or any(is_symbolic(v) for v in value)
    return isinstance(value, SymbolicTensor)


# Dimensions.


def dim_value(trace: Trace, dim: int | Dim) -> Any:
    """The size as an SSA value of type ``index``."""
    return trace.index(dim) if isinstance(dim, int) else dim.value(trace)


def dynamic_sizes(trace: Trace, dims: Dims) -> list[Any]:
    """The sizes that are not static, as operations such as ``tensor.empty`` take them."""
    return [d.value(trace) for d in dims if isinstance(d, Dim)]


def known_sizes(trace: Trace, dims: Dims) -> list[Any]:
    """The sizes as ints, and SSA values of those that are not static."""
    return [d.value(trace) if isinstance(d, Dim) else d for d in dims]


def dim_of(trace: Trace, size: Any) -> int | Dim:
    """A dimension from an int or a symbolic integer scalar; equal scalars give equal dimensions.

    A scalar that may be negative is checked, and 0 takes its place where it is.
    """
    if not isinstance(size, SymbolicTensor):
        return int(size)
    key = ("dim", size.ssa)
    found = trace.scope.recall("memo", key)
    if found is None:
        found = trace.scope.memo[key] = Dim(value=_natural(trace, size))
    return found  # type: ignore[no-any-return]


def _natural(trace: Trace, size: SymbolicTensor) -> Any:
    value = to_index(trace, size)
    known = ranges.interval(trace, size.ssa)
    if size.dtype.kind in "ub" or (known is not None and known[0] >= 0):
        return value
    zero = trace.index(0)
    site = trace.site("negative_size")
    trace.guard(trace.compare("sge", value, zero), site, from_index(trace, value))
    return trace.op("arith.maxsi", value.type, value, zero)


def to_index(trace: Trace, value: Any) -> Any:
    """An int or an integer scalar tensor as an SSA value of type ``index``."""
    if not isinstance(value, SymbolicTensor):
        return trace.index(int(value))
    if value.dtype.kind not in "iub" or value.dims:
        kind = f"{value.dtype}{list(value.type.shape)}" if value.dims else value.dtype
        raise TypeError(f"a size, a count or an offset is one integer, not {kind}")
    counter = ranges.counter(trace, value.ssa)
    if counter is not None:
        return counter
    if value.dtype.kind in "ub":
        return trace.op("arith.index_castui", trace.index_type(), value.ssa)
    return as_index(trace, value.ssa)


def as_index(trace: Trace, ssa: Any) -> Any:
    """A signed integer as an ``index``, which is one value in a region and those inside it."""
    maker, index = ssa.maker, trace.index_type()
    if maker is not None and maker.name == "arith.index_cast" and maker.operands[0].type == index:
        return maker.operands[0]
    key = ("as index", ssa)
    found = trace.scope.recall("memo", key)
    if found is None:
        found = trace.scope.memo[key] = trace.op("arith.index_cast", index, ssa)
    return found


def from_index(trace: Trace, ssa: Any, dtype: DType = int64) -> Any:
    """An ``index`` as an integer of the dtype."""
    return trace.op("arith.index_cast", dtype.mlir(), ssa)


def from_size(trace: Trace, size: Dim, dtype: DType = int64) -> Any:
    """The size as an integer of the dtype; the dimension is found again by :func:`dim_of`."""
    value = size.value(trace)
    key = ("size", value, dtype)
    found = trace.scope.recall("memo", key)
    if found is None:
        found = trace.scope.memo[key] = from_index(trace, value, dtype)
        trace.scope.memo["dim", found] = size
        ranges.assume(trace, found, 0, int(np.iinfo(dtype.numpy).max))
    return found


def counted(trace: Trace, number: Any) -> SymbolicTensor:
    """An ``index`` or a size as a number that Python code computes with."""
    ssa = (from_size if isinstance(number, Dim) else from_index)(trace, number)
    return trace.make(ssa, int64, (), weak=True)


def empty(trace: Trace, dtype: DType, dims: Dims) -> Any:
    """An uninitialised tensor."""
    shaped = mlir_type(dtype, static_shape(dims))
    return trace.op("tensor.empty", shaped, *dynamic_sizes(trace, dims))


def splat(trace: Trace, scalar: Any, dtype: DType, dims: Dims) -> Any:
    """The SSA scalar repeated to the dimensions."""
    if not dims:
        return scalar
    shaped = mlir_type(dtype, static_shape(dims))
    return trace.op("tensor.splat", shaped, scalar, *dynamic_sizes(trace, dims))


# Linalg operations with a region.


def body(
    trace: Trace,
    operation: Any,
    types: Sequence[Any],
    build: Callable[..., Sequence[Any]],
    terminator: str = "linalg.yield",
) -> None:
    """Fill the operation's region: ``build`` takes the block's arguments, gives what it yields."""
    block = Block(types, [trace.location] * len(types))
    operation.give(block)
    scope = trace.scope
    before = scope.point, scope.constants
    scope.point, scope.constants = block, {}
    try:
        results = build(*block.arguments)
        trace.create(terminator, (), results)
    finally:
        scope.point, scope.constants = before


def map_scalars(
    trace: Trace, build: Callable[..., Any], dtype: DType, dims: Dims, *operands: Any
) -> Any:
    """``linalg.map``: a scalar computation over tensors of equal dimensions."""
    init = empty(trace, dtype, dims)
    ir = bindings.ir
    operation = trace.create("linalg.map", (init.type,), (*operands, init))
    types = [ir.RankedTensorType(o.type).element_type for o in (*operands, init)]
    body(trace, operation, types, lambda *scalars: (build(*scalars[: len(operands)]),))
    return operation.result


# Elementwise operations.


def elementwise(
    trace: Trace, name: str, dtype: DType, dims: Dims, *operands: Any, **attrs: Any
) -> Any:
    """An ``arith``, ``math`` or ``complex`` operation on scalars or tensors of these dimensions.

    ``arith`` and ``math`` map over tensors by themselves, ``complex`` does inside ``linalg.map``.
    """
    if not dims or not name.startswith("complex."):
        return trace.op(name, mlir_type(dtype, static_shape(dims)), *operands, **attrs)
    return map_scalars(
        trace,
        lambda *scalars: trace.op(name, dtype.mlir(), *scalars, **attrs),
        dtype,
        dims,
        *operands,
    )


def select(trace: Trace, condition: Any, left: Any, right: Any) -> Any:
    """``arith.select`` on values of one type."""
    return trace.op("arith.select", left.type, condition, left, right)


def both(trace: Trace | None, left: Any, right: Any) -> Any:
    """Whether two conditions hold; None is one that always does."""
    if trace is None or left is None or right is None:
        return right if left is None else left
    return trace.op("arith.andi", left.type, left, right)


def constant_like(trace: Trace, dtype: DType, dims: Dims, value: Any) -> Any:
    """The number as a constant of the dtype and dimensions."""
    static = static_shape(dims)
    if not dims:
        return trace.constant(dtype, value)
    if None in static:
        return splat(trace, trace.constant(dtype, value), dtype, dims)
    try:
        array = np.asarray(value, dtype.numpy)
    except OverflowError:
        raise trace.too_large(dtype, value) from None
    return trace.dense(dtype, static, array)  # type: ignore[arg-type]


def constant_value(ssa: Any) -> Any:
    """The Python number that an SSA value is known to be, the repeated one of a tensor; or None."""
    ir = bindings.ir
    maker = ssa.maker
    if maker is None or maker.name != "arith.constant":
        return None
    attribute = maker.attributes["value"]
    if isinstance(attribute, ir.DenseElementsAttr):
        if not attribute.is_splat:
            return None
        attribute = attribute.get_splat_value()
    return attribute.value


def compare_integers(trace: Trace, predicate: str, dims: Dims, left: Any, right: Any) -> Any:
    """``arith.cmpi`` on scalars or tensors."""
    attribute = attributes.integer_predicate(predicate)
    return elementwise(trace, "arith.cmpi", bool_, dims, left, right, predicate=attribute)


def compare_floats(trace: Trace, predicate: str, dims: Dims, left: Any, right: Any) -> Any:
    """``arith.cmpf`` on scalars or tensors."""
    attribute = attributes.float_predicate(predicate)
    return elementwise(trace, "arith.cmpf", bool_, dims, left, right, predicate=attribute)


# Conversion between dtypes.


def convert(trace: Trace, ssa: Any, source: DType, target: DType, dims: Dims) -> Any:
    """The value converted to another dtype, as ``numpy.ndarray.astype`` converts."""
    if source is target:
        return ssa
    if target.kind == "b":
        return _to_bool(trace, ssa, source, dims)
    if target.is_complex:
        return _to_complex(trace, ssa, source, target, dims)
    if source.is_complex:
        real = elementwise(trace, "complex.re", source.real, dims, ssa)
        return convert(trace, real, source.real, target, dims)
    if target.is_floating:
        return _to_float(trace, ssa, source, target, dims)
    return _to_integer(trace, ssa, source, target, dims)


def _to_bool(trace: Trace, ssa: Any, source: DType, dims: Dims) -> Any:
    zero = constant_like(trace, source, dims, 0)
    if source.is_complex:
        return elementwise(trace, "complex.neq", bool_, dims, ssa, zero)
    if source.is_floating:
        return compare_floats(trace, "une", dims, ssa, zero)
    return compare_integers(trace, "ne", dims, ssa, zero)


def _to_complex(trace: Trace, ssa: Any, source: DType, target: DType, dims: Dims) -> Any:
    part = target.real
    if source.is_complex:
        real = elementwise(trace, "complex.re", source.real, dims, ssa)
        imag = elementwise(trace, "complex.im", source.real, dims, ssa)
        imag = convert(trace, imag, source.real, part, dims)
        return elementwise(
            trace,
            "complex.create",
            target,
            dims,
            convert(trace, real, source.real, part, dims),
            imag,
        )
    real = convert(trace, ssa, source, part, dims)
    return elementwise(
        trace, "complex.create", target, dims, real, constant_like(trace, part, dims, 0)
    )


def _to_float(trace: Trace, ssa: Any, source: DType, target: DType, dims: Dims) -> Any:
    if not source.is_floating:
        wide = float32 if target.is_storage_only else target
        name = "arith.sitofp" if source.kind == "i" else "arith.uitofp"
        ssa, source = elementwise(trace, name, wide, dims, ssa), wide
    if source.itemsize < target.itemsize:
        return elementwise(trace, "arith.extf", target, dims, ssa)
    if target == float16 and source == float64:
        ssa, source = _to_odd_float32(trace, ssa, dims), float32
    elif target.is_storage_only and source != float32:
        ssa, source = convert(trace, ssa, source, float32, dims), float32
    if source == target:
        return ssa
    return elementwise(trace, "arith.truncf", target, dims, ssa)


def _to_odd_float32(trace: Trace, ssa: Any, dims: Dims) -> Any:
    """A float64 cut off to float32, with the last bit set where something was cut off.

    What is then rounded to fewer bits is rounded as if that had been done at once.  It is the
    nearest float32 and a step to its neighbour: the step is made of bits, which no derivative goes
    through, so that the whole has the derivative of the nearest.
    """
    near = elementwise(trace, "arith.truncf", float32, dims, ssa)
    back = elementwise(trace, "arith.extf", float64, dims, near)
    sizes = [elementwise(trace, "math.absf", float64, dims, each) for each in (back, ssa)]
    bits = elementwise(trace, "arith.bitcast", int32, dims, near)
    one = constant_like(trace, int32, dims, 1)
    below = elementwise(trace, "arith.subi", int32, dims, bits, one)
    cut = select(trace, compare_floats(trace, "ogt", dims, *sizes), below, bits)
    odd = elementwise(trace, "arith.ori", int32, dims, cut, one)
    ends = [elementwise(trace, "arith.bitcast", float32, dims, each) for each in (odd, bits)]
    step = elementwise(trace, "arith.subf", float32, dims, *ends)
    differs = compare_floats(trace, "one", dims, back, ssa)
    is_finite = compare_floats(
        trace, "olt", dims, sizes[0], constant_like(trace, float64, dims, np.inf)
    )
    moves = elementwise(trace, "arith.andi", bool_, dims, differs, is_finite)
    no_step = constant_like(trace, float32, dims, -0.0)  # by which a zero keeps its sign
    return elementwise(
        trace, "arith.addf", float32, dims, near, select(trace, moves, step, no_step)
    )


def _to_integer(trace: Trace, ssa: Any, source: DType, target: DType, dims: Dims) -> Any:
    if source.is_floating:
        return _float_to_integer(trace, ssa, source, target, dims)
    if source.bits == target.bits:
        return ssa
    if source.bits > target.bits:
        return elementwise(trace, "arith.trunci", target, dims, ssa)
    name = "arith.extsi" if source.kind == "i" else "arith.extui"
    return elementwise(trace, name, target, dims, ssa)


def _float_to_integer(trace: Trace, ssa: Any, source: DType, target: DType, dims: Dims) -> Any:
    """Truncation towards zero.

    LLVM gives poison for what does not fit, so that is replaced first; the least integer comes out,
    as it does in NumPy on x86.  Narrow integers go through 32 bits and wrap, as NumPy's do.
    """
    if source.is_storage_only:
        ssa, source = convert(trace, ssa, source, float32, dims), float32
    wide = target if target.bits >= 32 else int32
    signed = wide.kind == "i"

    def within(low: float, high: float) -> Any:
        """The numbers from one to below the other, 0 in the place of others, and where they are."""
        fits = elementwise(
            trace,
            "arith.andi",
            bool_,
            dims,
            compare_floats(trace, "oge", dims, ssa, constant_like(trace, source, dims, low)),
            compare_floats(trace, "olt", dims, ssa, constant_like(trace, source, dims, high)),
        )
        return select(trace, fits, ssa, constant_like(trace, source, dims, 0.0)), fits

    half = 2.0 ** (wide.bits - 1)
    safe, fits = within(-half, half if signed else 2 * half)
    if signed:
        number = elementwise(trace, "arith.fptosi", wide, dims, safe)
    else:  # negative numbers wrap
        minus, below = within(-half, 0.0)
        plus = select(trace, below, constant_like(trace, source, dims, 0.0), safe)
        number = select(
            trace,
            below,
            elementwise(trace, "arith.fptosi", wide, dims, minus),
            elementwise(trace, "arith.fptoui", wide, dims, plus),
        )
    least = int(-half if signed else half)
    number = select(trace, fits, number, constant_like(trace, wide, dims, least))
    return convert(trace, number, wide, target, dims)


def cast(trace: Trace, tensor: SymbolicTensor, dtype: DType) -> SymbolicTensor:
    """The tensor converted to the dtype; itself where it has it already."""
    if tensor.dtype == dtype and not tensor.weak:
        return tensor
    ssa = convert(trace, tensor.ssa, tensor.dtype, dtype, tensor.dims)
    return trace.make(ssa, dtype, tensor.dims)


def cast_dims(trace: Trace, ssa: Any, dtype: DType, dims: Dims) -> Any:
    """``tensor.cast`` to the static knowledge of these dimensions, where it differs."""
    target = mlir_type(dtype, static_shape(dims))
    return ssa if ssa.type == target else trace.op("tensor.cast", target, ssa)
