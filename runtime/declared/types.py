"""How programs name dtypes, arrays, pointers, containers and signatures: by Numba's names.

A type is called to convert a value (``float64(x)``), subscripted for an array of it
(``float64[:, :]``), or called with types for a signature (``float64(int64, float64[:])``).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

__ag_convert__ = True


class Type:
    """A type of values."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __call__(self, *args: Any) -> Any:
        """A signature with this type of result."""
        return Signature(self, args)

    def __getitem__(self, index: Any) -> Any:
        dimensions = index if isinstance(index, tuple) else (index,)
        if not all(isinstance(each, slice) for each in dimensions):
            raise TypeError(f"an array of {self.name} is written with colons, not {index!r}")
        first, last = dimensions[0].step == 1, dimensions[-1].step == 1
        layout = "C" if last else ("F" if first else "A")
        return Array(self, len(dimensions), layout)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Type) and self.name == other.name

    def __hash__(self) -> int:
        return hash(self.name)

    def __repr__(self) -> str:
        return self.name

    __str__ = __repr__


class Number(Type):
    """A type of numbers, with its dtype; called with a number it converts it."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.dtype = np.dtype(name)

    def __call__(self, *args: Any) -> Any:
        """A number of this type; of types, a signature."""
        if len(args) == 1 and not isinstance(args[0], Type):
            return converted(self.dtype, args[0])
        return Signature(self, args)

    @property
    def bitwidth(self) -> int:
        """How many bits a number has."""
        return self.dtype.itemsize * 8

    @property
    def minval(self) -> Any:
        """The least number."""
        return np.iinfo(self.dtype).min

    @property
    def maxval(self) -> Any:
        """The largest number."""
        return np.iinfo(self.dtype).max


class Boolean(Number):
    """Truth values."""


class Integer(Number):
    """Whole numbers."""

    @property
    def signed(self) -> bool:
        """Whether there are negative ones."""
        return self.dtype.kind == "i"


class Float(Number):
    """Real numbers."""


class Complex(Number):
    """Complex numbers."""


OF_PYTHON = {"float64": float, "int64": int, "complex128": complex, "bool": bool}


def converted(dtype: Any, value: Any) -> Any:
    """A number as one of a dtype; those of Python's sizes become Python's numbers, as in Numba."""
    kind = OF_PYTHON.get(dtype.name, dtype.type)
    return kind(value)


class Array(Type):
    """Arrays of a dtype and a number of dimensions; the layout is C, F or A for any."""

    def __init__(
        self, dtype: Type, ndim: int, layout: str, readonly: bool = False, aligned: bool = True
    ) -> None:
        self.dtype: Any = dtype
        self.ndim, self.layout = ndim, layout
        self.mutable, self.aligned = not readonly, aligned
        super().__init__(f"array({dtype}, {ndim}d, {layout})")


class Signature:
    """The types of the arguments and of the result; None where that is found out."""

    def __init__(self, return_type: Any, args: Sequence[Any]) -> None:
        self.return_type = return_type
        self.args = tuple(args)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Signature):
            return NotImplemented
        return (self.return_type, self.args) == (other.return_type, other.args)

    def __hash__(self) -> int:
        return hash((self.return_type, self.args))

    def __repr__(self) -> str:
        return f"({', '.join(map(repr, self.args))}) -> {self.return_type!r}"


class Container(Type):
    """Types of containers and other data, which agir has as Python's own."""

    def __init__(self, *parts: Any) -> None:
        self.parts = parts
        super().__init__(f"{type(self).__name__}({', '.join(map(str, parts))})")


class ListType(Container):
    """Lists."""


class List(Container):
    """Lists."""


class Set(Container):
    """Sets."""


class DictType(Container):
    """Dicts."""


class Tuple(Container):
    """Tuples."""


class UniTuple(Container):
    """Tuples of so many items of one type."""


class NamedTuple(Container):
    """Named tuples."""


class Optional(Container):
    """A value or None."""


class CPointer(Container):
    """Addresses of values."""


class FunctionType(Container):
    """Functions."""


class Literal(Container):
    """Values that are known when a program is compiled."""


def optional(kind: Any) -> Optional:
    """The type of values that may be None."""
    return Optional(kind)


def deferred_type() -> Any:
    """A type that is told later; types of fields are found out here, so it is of no use."""
    return Deferred("deferred")


class Deferred(Type):
    """See :func:`deferred_type`."""

    def define(self, kind: Any) -> None:
        """Tell the type."""
        self.kind = kind


boolean = Boolean("bool")
int8, int16, int32, int64 = (Integer(f"int{n}") for n in (8, 16, 32, 64))
uint8, uint16, uint32, uint64 = (Integer(f"uint{n}") for n in (8, 16, 32, 64))
float16, float32, float64 = (Float(f"float{n}") for n in (16, 32, 64))
complex64, complex128 = Complex("complex64"), Complex("complex128")
void = none = Type("none")
unicode_type = string = Type("unicode_type")
pyobject, voidptr, undefined, unknown = map(Type, ("pyobject", "voidptr", "undefined", "unknown"))
ffi_forced_object = ffi = pyobject

bool_ = b1 = boolean
i1, i2, i4, i8 = int8, int16, int32, int64
u1, u2, u4, u8 = uint8, uint16, uint32, uint64
f2, f4, f8 = float16, float32, float64
c8, c16 = complex64, complex128
char, byte, uchar = int8, uint8, uint8
short, ushort, intc, uintc = int16, uint16, int32, uint32
int_ = intp = long_ = longlong = ssize_t = int64
uint = uintp = ulong = ulonglong = size_t = uint64
double = float64

integer_domain = frozenset((int8, int16, int32, int64, uint8, uint16, uint32, uint64))
real_domain = frozenset((float32, float64))
complex_domain = frozenset((complex64, complex128))
number_domain = integer_domain | real_domain | complex_domain

_BY_DTYPE = {each.dtype: each for each in (boolean, *sorted(number_domain, key=repr), float16)}


def of_dtype(dtype: Any) -> Number:
    """The type of a dtype of NumPy's."""
    found = _BY_DTYPE.get(np.dtype(dtype))
    if found is None:
        raise TypeError(f"there is no type of numbers for {dtype}")
    return found


def of_value(value: Any) -> Any:
    """The type of a value."""
    if isinstance(value, np.ndarray):
        flags = value.flags
        layout = "C" if flags.c_contiguous else ("F" if flags.f_contiguous else "A")
        return Array(of_dtype(value.dtype), value.ndim, layout, not flags.writeable)
    if isinstance(value, np.generic):
        return of_dtype(value.dtype)
    for kind, found in ((bool, boolean), (int, int64), (float, float64), (complex, complex128)):
        if type(value) is kind:
            return found
    if value is None:
        return none
    if isinstance(value, str):
        return unicode_type
    if isinstance(value, tuple):
        parts = [of_value(each) for each in value]
        same = len(parts) > 1 and all(each == parts[0] for each in parts)
        return UniTuple(parts[0], len(parts)) if same else Tuple(parts)
    if isinstance(value, dict):
        key, item = next(iter(value.items()), (None, None))
        return DictType(of_value(key), of_value(item))
    if isinstance(value, list | set):
        item = of_value(next(iter(value), None))
        return ListType(item) if isinstance(value, list) else Set(item)
    return Type(f"instance of {type(value).__name__}")
