"""Formulas of SSA values: what derivative rules are written with.

An :class:`Expression` is a float, complex or boolean SSA value, a scalar or a tensor, with Python's
operators.  All operands of one have the same dimensions, so nothing is broadcast or checked.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from agir.ir.building import attributes, bindings
from agir.ir.building.types import DTYPES, DType, float32, mlir_type
from agir.ir.emission import emit
from agir.ir.tensors.symbolic import Dim, Dims
from agir.ir.tracing.trace import Trace


def shaped(kind: Any) -> Any:
    """The ranked tensor type that this MLIR type is; None for a scalar's."""
    ir = bindings.ir
    return ir.RankedTensorType(kind) if isinstance(kind, ir.RankedTensorType) else None


def element_type(kind: Any) -> Any:
    """The type of an element of values of this MLIR type."""
    tensor = shaped(kind)
    return kind if tensor is None else tensor.element_type


_BY_MLIR = {dtype.mlir_name: dtype for dtype in reversed(DTYPES)}


def dtype_of(kind: Any) -> DType | None:
    """The dtype of values of this MLIR type; None for ``index``.  Integers count as signed."""
    return _BY_MLIR.get(str(element_type(kind)))


def is_differentiable(kind: Any) -> bool:
    """Whether values of this MLIR type are real or complex numbers, or tensors of them."""
    dtype = dtype_of(kind)
    return dtype is not None and dtype.kind in "fc"


def carries(value: Any) -> bool:
    """Whether a value can have a cotangent: it is of real or complex numbers."""
    return is_differentiable(value.type)


def with_element(kind: Any, element: Any) -> Any:
    """The MLIR type with another element type."""
    tensor = shaped(kind)
    if tensor is None:
        return element
    return bindings.ir.RankedTensorType.get(tensor.shape, element)


def dimension_size(trace: Trace, value: Any, axis: int) -> Any:
    """The size of a tensor's dimension, of type ``index``."""
    tensor = shaped(value.type)
    if not tensor.is_dynamic_dim(axis):
        return trace.index(tensor.shape[axis])
    return trace.op("tensor.dim", trace.index_type(), value, trace.index(axis))


def known_dims(value: Any) -> Dims:
    """The dimensions of a value, of which nothing but its type is known."""
    tensor = shaped(value.type)
    if tensor is None:
        return ()
    return tuple(
        Dim(source=value, axis=axis) if tensor.is_dynamic_dim(axis) else tensor.shape[axis]
        for axis in range(tensor.rank)
    )


def dynamic_sizes(trace: Trace, value: Any) -> list[Any]:
    """The sizes that a tensor's type leaves open."""
    tensor = shaped(value.type)
    if tensor is None:
        return []
    return [dimension_size(trace, value, a) for a in range(tensor.rank) if tensor.is_dynamic_dim(a)]


def empty_like(trace: Trace, value: Any, element: Any = None) -> Any:
    """An uninitialised tensor of the dimensions of another."""
    kind = with_element(value.type, element or element_type(value.type))
    return trace.op("tensor.empty", kind, *dynamic_sizes(trace, value))


def filled_like(trace: Trace, value: Any, number: Any) -> Any:
    """The number in every element of a value like this one."""
    dtype = dtype_of(value.type)
    assert dtype is not None
    tensor = shaped(value.type)
    if tensor is None:
        return trace.constant(dtype, number)
    shape = tuple(None if tensor.is_dynamic_dim(a) else tensor.shape[a] for a in range(tensor.rank))
    if shape and None not in shape and not dtype.is_complex:
        return trace.dense(dtype, shape, number)  # type: ignore[arg-type]
    scalar = trace.constant(dtype, number)
    if not shape:
        return trace.op("tensor.from_elements", with_element(value.type, dtype.mlir()), scalar)
    sizes = dynamic_sizes(trace, value)
    return trace.op("tensor.splat", mlir_type(dtype, shape), scalar, *sizes)


def zeros_like(trace: Trace, value: Any) -> Any:
    """Zero in every element."""
    return filled_like(trace, value, 0)


def separate(trace: Trace, ssa: Any, attributes: dict[str, Any] | None = None) -> Any:
    """The same numbers as an SSA value of its own."""
    dtype, kind = dtype_of(ssa.type), ssa.type
    if shaped(kind) is not None:
        return trace.create("tensor.cast", (kind,), (ssa,), attributes).result
    if dtype is not None and dtype.is_complex:
        part = dtype.real.mlir()
        parts = [trace.op(name, part, ssa) for name in ("complex.re", "complex.im")]
        return trace.create("complex.create", (kind,), parts, attributes).result
    return trace.create("arith.bitcast", (kind,), (ssa,), attributes).result


def apply(trace: Trace, name: str, element: Any, *operands: Any, **attrs: Any) -> Any:
    """An elementwise operation on values of equal dimensions, its result of that element type."""
    kind = with_element(operands[0].type, element)
    if not name.startswith("complex.") or shaped(kind) is None:
        return trace.op(name, kind, *operands, **attrs)
    init = empty_like(trace, operands[0], element)
    operation = trace.create("linalg.map", (init.type,), (*operands, init))
    types = [element_type(o.type) for o in (*operands, init)]
    count = len(operands)
    emit.body(trace, operation, types, lambda *s: (trace.op(name, element, *s[:count], **attrs),))
    return operation.result


_REAL = {"+": "arith.addf", "-": "arith.subf", "*": "arith.mulf", "/": "arith.divf"}
_COMPLEX = {"+": "complex.add", "-": "complex.sub", "*": "complex.mul", "/": "complex.div"}


def _operator(sign: str, reflected: bool = False) -> Callable[[Any, Any], Expression]:
    def method(self: Expression, other: Any) -> Expression:
        operands = (self, self.like(other))
        return self.combined(sign, *(reversed(operands) if reflected else operands))

    return method


def _comparison(predicate: str) -> Callable[[Any, Any], Expression]:
    def method(self: Expression, other: Any) -> Expression:
        return self.compared(predicate, self.like(other))

    return method


class Expression:
    """An SSA value in a formula.

    One that is ``masked`` is a cotangent that may be zero because a condition has excluded the
    value: then its products are zero too, whatever the other factor is.
    """

    __slots__ = ("masked", "ssa", "trace")

    def __init__(self, trace: Trace, ssa: Any, masked: bool = False) -> None:
        self.trace = trace
        self.ssa = ssa
        self.masked = masked

    @property
    def dtype(self) -> DType:
        """The dtype; integers count as signed."""
        found = dtype_of(self.ssa.type)
        assert found is not None
        return found

    @property
    def element(self) -> Any:
        """The MLIR type of an element."""
        return element_type(self.ssa.type)

    def _new(self, ssa: Any) -> Expression:
        return Expression(self.trace, ssa, self.masked)

    def like(self, other: Any) -> Expression:
        """A number as a value of these dimensions and this dtype; an expression is itself."""
        if isinstance(other, Expression):
            return other
        return Expression(self.trace, filled_like(self.trace, self.ssa, other))

    def combined(self, sign: str, left: Expression, right: Expression) -> Expression:
        """The sum, difference, product or quotient; half precision is computed in float32."""
        trace, dtype = self.trace, self.dtype
        masked = left.masked or right.masked
        if dtype.is_storage_only:
            wide = [each.converted(float32) for each in (left, right)]
            return wide[0].combined(sign, *wide).converted(dtype)
        name = (_COMPLEX if dtype.is_complex else _REAL)[sign]
        out = Expression(trace, apply(trace, name, self.element, left.ssa, right.ssa), masked)
        if sign in "+-" or not masked:
            return out
        zero = left if left.masked else right
        return zero.equals(0).choose(zero.like(0), out, masked=True)

    __add__, __radd__ = _operator("+"), _operator("+", True)
    __sub__, __rsub__ = _operator("-"), _operator("-", True)
    __mul__, __rmul__ = _operator("*"), _operator("*", True)
    __truediv__, __rtruediv__ = _operator("/"), _operator("/", True)
    __lt__, __le__ = _comparison("olt"), _comparison("ole")
    __gt__, __ge__ = _comparison("ogt"), _comparison("oge")

    def __neg__(self) -> Expression:
        if self.dtype.is_storage_only:
            return (-self.converted(float32)).converted(self.dtype)
        name = "complex.neg" if self.dtype.is_complex else "arith.negf"
        return self._new(apply(self.trace, name, self.element, self.ssa))

    def compared(self, predicate: str, other: Expression) -> Expression:
        """``arith.cmpf``."""
        i1 = bindings.ir.IntegerType.get_signless(1)
        attribute = attributes.float_predicate(predicate)
        ssa = apply(self.trace, "arith.cmpf", i1, self.ssa, other.ssa, predicate=attribute)
        return Expression(self.trace, ssa)

    def equals(self, other: Any) -> Expression:
        """Where the two are equal."""
        right = self.like(other)
        if not self.dtype.is_complex:
            return self.compared("oeq", right)
        i1 = bindings.ir.IntegerType.get_signless(1)
        return Expression(self.trace, apply(self.trace, "complex.eq", i1, self.ssa, right.ssa))

    def choose(self, left: Any, right: Any, masked: bool = False) -> Expression:
        """The left value where this condition holds, else the right one."""
        one = next(each for each in (left, right) if isinstance(each, Expression))
        left, right = one.like(left), one.like(right)
        ssa = self.trace.op("arith.select", left.ssa.type, self.ssa, left.ssa, right.ssa)
        return Expression(self.trace, ssa, masked or left.masked or right.masked)

    def both(self, other: Expression) -> Expression:
        """Where both conditions hold."""
        ssa = self.trace.op("arith.andi", self.ssa.type, self.ssa, other.ssa)
        return Expression(self.trace, ssa)

    def function(self, name: str, *others: Any, dtype: DType | None = None) -> Expression:
        """A function of the ``math`` or ``complex`` dialect, of this and other values."""
        element = self.element if dtype is None else dtype.mlir()
        operands = [self.ssa, *(self.like(other).ssa for other in others)]
        return self._new(apply(self.trace, name, element, *operands))

    def converted(self, dtype: DType) -> Expression:
        """The same real numbers in another floating dtype."""
        source = self.dtype
        if source == dtype:
            return self
        if {source.name, dtype.name} == {"float16", "bfloat16"}:
            return self.converted(float32).converted(dtype)
        name = "arith.extf" if source.itemsize < dtype.itemsize else "arith.truncf"
        return self._new(apply(self.trace, name, dtype.mlir(), self.ssa))

    def conj(self) -> Expression:
        """The complex conjugate; a real number is itself."""
        return self.function("complex.conj") if self.dtype.is_complex else self

    @property
    def re(self) -> Expression:
        """The real part."""
        return self.function("complex.re", dtype=self.dtype.real)

    @property
    def im(self) -> Expression:
        """The imaginary part."""
        return self.function("complex.im", dtype=self.dtype.real)


def complex_of(dtype: DType, re: Any, im: Any) -> Expression:
    """The complex numbers of these parts, one of which may be a Python number."""
    one = re if isinstance(re, Expression) else im
    re, im = one.like(re), one.like(im)
    ssa = apply(one.trace, "complex.create", dtype.mlir(), re.ssa, im.ssa)
    return Expression(one.trace, ssa, re.masked or im.masked)


Formula = Callable[..., Expression]
