"""Dtypes, tensor types and their MLIR counterparts.

Signedness lives here: MLIR's integers are signless, so ``uint8`` and ``int8`` are both ``i8`` and
the operation table chooses between ``arith.divui`` and ``arith.divsi`` by the dtype.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cache, cached_property
from typing import Any

import ml_dtypes
import numpy as np

from agir.errors import OperandTypeError
from agir.ir.building import bindings
from agir.ir.table import TABLE

Shape = tuple[int | None, ...]
"""Dimensions of a tensor; ``None`` stands for one that is known only at run time."""


@dataclass(frozen=True, eq=False)
class DType:
    """An element type: its name, its NumPy dtype, and how MLIR writes it.

    >>> ag.float32.is_floating, ag.float32.size
    (True, 4)
    """

    name: str
    numpy: np.dtype[Any] = field(compare=False)
    mlir_name: str = field(compare=False)

    @cached_property
    def kind(self) -> str:
        """``b`` bool, ``i`` signed, ``u`` unsigned, ``f`` floating point, ``c`` complex."""
        return "f" if self.name == "bfloat16" else self.numpy.kind

    @cached_property
    def itemsize(self) -> int:
        """Bytes an element."""
        return self.numpy.itemsize

    @cached_property
    def bits(self) -> int:
        """Bits of an element as MLIR counts them: a bool has one."""
        return 1 if self.kind == "b" else 8 * self.itemsize

    @cached_property
    def is_integer(self) -> bool:
        """True for signed and unsigned integers, not for bool."""
        return self.kind in "iu"

    @cached_property
    def is_floating(self) -> bool:
        """True for the real floating-point dtypes."""
        return self.kind == "f"

    @cached_property
    def is_complex(self) -> bool:
        """True for ``complex64`` and ``complex128``."""
        return self.kind == "c"

    @cached_property
    def is_storage_only(self) -> bool:
        """True for the half-precision dtypes, whose arithmetic runs in ``float32``."""
        return self.kind == "f" and self.itemsize == 2

    @cached_property
    def is_bool(self) -> bool:
        """True for ``bool``."""
        return self.kind == "b"

    @cached_property
    def is_unsigned(self) -> bool:
        """True for the unsigned integers."""
        return self.kind == "u"

    @property
    def size(self) -> int:
        """Bytes an element, as TensorFlow calls them."""
        return self.itemsize

    @property
    def as_numpy_dtype(self) -> Any:
        """NumPy's scalar type, such as ``numpy.float32``."""
        return self.numpy.type

    @property
    def dtype(self) -> np.dtype[Any]:
        """NumPy's dtype, by which NumPy takes this one wherever it takes a dtype."""
        return self.numpy

    @property
    def type(self) -> Any:
        """NumPy's scalar type, as NumPy's dtypes have it."""
        return self.numpy.type

    @property
    def char(self) -> str:
        """NumPy's letter for the dtype."""
        return self.numpy.char

    def __eq__(self, other: object) -> bool:
        if isinstance(other, DType):
            return self is other or self.name == other.name
        if not isinstance(other, (np.dtype, type, str)):
            return NotImplemented
        try:
            return bool(self.numpy == np.dtype(other))
        except (TypeError, ValueError, SyntaxError):  # any text may be compared
            return False

    def __reduce__(self) -> Any:
        return as_dtype, (self.name,)  # there is one of each name

    __hash__ = object.__hash__

    @property
    def base_dtype(self) -> DType:
        """The dtype itself: there are no references to tensors."""
        return self

    @property
    def real_dtype(self) -> DType:
        """The dtype of the real part."""
        return self.real

    @property
    def min(self) -> Any:
        """The least finite number; ``TypeError`` for complex numbers, which have no order."""
        return self._limit("min")

    @property
    def max(self) -> Any:
        """The greatest finite number; ``TypeError`` for complex numbers."""
        return self._limit("max")

    @property
    def limits(self) -> tuple[Any, Any]:
        """The least and the greatest finite number."""
        return self.min, self.max

    def _limit(self, name: str) -> Any:
        if self.kind == "c":
            raise OperandTypeError(f"{self.name} has no {name}: complex numbers have no order")
        if self.kind == "b":
            return name == "max"
        if self.is_integer:
            return int(getattr(np.iinfo(self.numpy), name))
        finfo: Any = ml_dtypes.finfo
        return float(getattr(finfo(self.numpy), name))

    def is_compatible_with(self, other: Any) -> bool:
        """True where ``other`` means the same dtype."""
        return self == as_dtype(other)

    @property
    def real(self) -> DType:
        """The dtype of the real part: ``float32`` for ``complex64``; itself where real."""
        return {"complex64": float32, "complex128": float64}.get(self.name, self)

    def mlir(self) -> Any:
        """The MLIR element type."""
        return _element_type(self.mlir_name)

    def __call__(self, value: Any = 0) -> Any:
        """The value, or an array of values, converted, as NumPy's scalar types do it."""
        return TABLE["cast"](value, self)

    def __repr__(self) -> str:
        return f"agir.{self.name}"

    def __str__(self) -> str:
        return self.name


@cache
def _element_type(text: str) -> Any:
    return bindings.ir.Type.parse(text, bindings.context())


bool_ = DType("bool", np.dtype(np.bool_), "i1")
int8 = DType("int8", np.dtype(np.int8), "i8")
int16 = DType("int16", np.dtype(np.int16), "i16")
int32 = DType("int32", np.dtype(np.int32), "i32")
int64 = DType("int64", np.dtype(np.int64), "i64")
uint8 = DType("uint8", np.dtype(np.uint8), "i8")
uint16 = DType("uint16", np.dtype(np.uint16), "i16")
uint32 = DType("uint32", np.dtype(np.uint32), "i32")
uint64 = DType("uint64", np.dtype(np.uint64), "i64")
float16 = DType("float16", np.dtype(np.float16), "f16")
bfloat16 = DType("bfloat16", np.dtype(ml_dtypes.bfloat16), "bf16")
float32 = DType("float32", np.dtype(np.float32), "f32")
float64 = DType("float64", np.dtype(np.float64), "f64")
complex64 = DType("complex64", np.dtype(np.complex64), "complex<f32>")
complex128 = DType("complex128", np.dtype(np.complex128), "complex<f64>")

DTYPES: tuple[DType, ...] = (
    bool_, int8, int16, int32, int64, uint8, uint16, uint32, uint64,
    float16, bfloat16, float32, float64, complex64, complex128,
)  # fmt: skip
_BY_NUMPY = {dtype.numpy: dtype for dtype in DTYPES}
_BY_NAME = {dtype.name: dtype for dtype in DTYPES} | {"bool_": bool_, "half": float16}


def as_dtype(value: Any) -> DType:
    """The :class:`DType` meant by a DType, its name, a NumPy dtype or scalar type, or a Python type.

    Raises ``TypeError`` for anything else, and for NumPy dtypes that agir has no counterpart of.

    >>> ag.as_dtype("float32")
    agir.float32

    Raises: OperandTypeError for what names no dtype
    """
    if isinstance(value, DType):
        return value
    if isinstance(value, str) and value in _BY_NAME:
        return _BY_NAME[value]
    if getattr(type(value), "is_staged", None) is not None and value.is_staged:
        raise OperandTypeError(
            "a dtype depends on the path taken at run time: it has to be known while tracing; convert "
            "in each of the branches, or decide by a static argument"
        )
    try:
        dtype = np.dtype(value)
    except (TypeError, ValueError):
        raise OperandTypeError(f"{value!r} names no dtype") from None
    found = _BY_NUMPY.get(dtype.newbyteorder("="))
    if found is None:
        names = ", ".join(d.name for d in DTYPES)
        raise OperandTypeError(f"arrays of dtype {dtype} cannot be compiled; agir has {names}")
    return found


_PYTHON_DTYPES = {bool: bool_, int: int64, float: float64, complex: complex128}


def is_python_number(value: object) -> bool:
    """True for bool, int, float and complex, and not for NumPy's scalars (np.float64 is a float)."""
    return type(value) in _PYTHON_DTYPES


def python_dtype(value: object) -> DType:
    """The dtype in which a Python number keeps its precision: int64, float64, complex128."""
    return _PYTHON_DTYPES[type(value)]


@dataclass(unsafe_hash=True, slots=True)
class TensorType:
    """What is known of a value before it is computed: dtype, shape, and whether it is weak.

    A weak value comes from a Python number and takes the dtype of the tensor that it meets.  Never
    changed: it is not frozen because several are made for each operation, which then takes longer.
    """

    dtype: DType
    shape: Shape
    weak: bool = False

    @property
    def rank(self) -> int:
        """Number of dimensions."""
        return len(self.shape)

    def mlir(self) -> Any:
        """The MLIR type: the element type itself at rank 0, else a ranked tensor."""
        return mlir_type(self.dtype, self.shape)

    def __str__(self) -> str:
        return f"{self.dtype}{list(self.shape)}".replace("None", "?")


def mlir_type(dtype: DType, shape: Shape) -> Any:
    """The MLIR type of a value: a scalar at rank 0, else ``tensor<4x?xf32>``."""
    if not shape:
        return dtype.mlir()
    return _tensor_type(dtype.mlir_name, shape)


def index_type() -> Any:
    """MLIR's ``index``."""
    return _element_type("index")


def wide_type() -> Any:
    """MLIR's integers of twice as many bits as the integers of Python's have."""
    return _element_type("i128")


@cache
def _tensor_type(element: str, shape: Shape) -> Any:
    ir = bindings.ir
    with bindings.context(), ir.Location.unknown():
        dynamic = ir.ShapedType.get_dynamic_size()
        sizes = [dynamic if d is None else d for d in shape]
        return ir.RankedTensorType.get(sizes, _element_type(element))


_BY_MLIR = {dtype.mlir_name: dtype for dtype in reversed(DTYPES)}  # signed before unsigned


def dtype_of(type_: Any) -> DType | None:
    """The element type of an MLIR type, an integer as a signed one; None for ``index``."""
    tensor = isinstance(type_, bindings.ir.RankedTensorType)
    return _BY_MLIR.get(str(type_.element_type if tensor else type_))


def shape_of(type_: Any) -> Shape:
    """The dimensions of an MLIR type."""
    if not isinstance(type_, bindings.ir.RankedTensorType):
        return ()
    return tuple(
        None if type_.is_dynamic_dim(axis) else type_.get_dim_size(axis)
        for axis in range(type_.rank)
    )


class TensorSpec:
    """The type of an argument: a shape, which may have unknown dimensions, and a dtype.

    ``shape`` is a sequence of ints and ``None`` (unknown until run time), or ``None`` where even
    the rank is unknown.  ``name`` is the argument's name in signatures and in the recorded IR.

    >>> ag.TensorSpec([None, 3], ag.float32)
    TensorSpec(shape=(None, 3), dtype=agir.float32)

    Dtypes: of the result
    Raises: OperandTypeError for other dtypes
    """

    __slots__ = ("dtype", "name", "shape")

    def __init__(
        self,
        shape: Iterable[int | None] | None = None,
        dtype: Any = float32,
        name: str | None = None,
    ) -> None:
        self.shape: Shape | None = None if shape is None else tuple(shape)
        self.dtype: DType = as_dtype(dtype)
        self.name = name

    @classmethod
    def from_tensor(cls, tensor: Any, name: str | None = None) -> TensorSpec:
        """The spec that describes just this tensor or array."""
        return cls(tensor.shape, tensor.dtype, name)

    def is_compatible_with(self, other: Any) -> bool:
        """True where a value of the type (or array) ``other`` may be passed."""
        if as_dtype(other.dtype) != self.dtype:
            return False
        if self.shape is None:
            return True
        return len(other.shape) == len(self.shape) and all(
            mine is None or mine == theirs
            for mine, theirs in zip(self.shape, other.shape, strict=True)
        )

    def __eq__(self, other: object) -> bool:
        return isinstance(other, TensorSpec) and (self.shape, self.dtype, self.name) == (
            other.shape,
            other.dtype,
            other.name,
        )

    def __hash__(self) -> int:
        return hash((self.shape, self.dtype, self.name))

    def __repr__(self) -> str:
        name = "" if self.name is None else f", name={self.name!r}"
        return f"TensorSpec(shape={self.shape}, dtype={self.dtype!r}{name})"


_WEAK_EXAMPLES: dict[str, Any] = {"b": True, "i": 1, "f": 1.0, "c": 1j}
_CATEGORY = {"b": 0, "u": 1, "i": 1, "f": 2, "c": 3}


def promote(*types: TensorType) -> tuple[DType, bool]:
    """Common dtype of operands, and whether it is weak.

    Strong dtypes combine as NumPy and the array API standard say.  Weak ones (Python numbers)
    count only by their kind: they take the strong dtype, and change it only where its kind cannot
    hold them (NEP 50).
    """
    strong = [t.dtype for t in types if not t.weak]
    weak = [t.dtype for t in types if t.weak]
    if not strong:
        return max(weak, key=lambda d: _CATEGORY[d.kind]), True
    dtype = strong[0]
    for other in strong[1:]:
        dtype = _promote_pair(dtype, other)
    for other in weak:
        if _CATEGORY[other.kind] > _CATEGORY[dtype.kind]:
            dtype = as_dtype(np.result_type(dtype.numpy, _WEAK_EXAMPLES[other.kind]))
    return dtype, False


@cache
def _promote_pair(left: DType, right: DType) -> DType:
    if left == right:
        return left
    if bfloat16 in (left, right):
        other = right if left == bfloat16 else left
        if other.is_integer or other == bool_:
            return bfloat16 if other == bool_ else _promote_pair(float32, other)
        return float32 if other == float16 else other
    return as_dtype(np.promote_types(left.numpy, right.numpy))
