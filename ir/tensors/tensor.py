"""The tensor that users see: the common base of eager and traced values.

Operators and methods go through the operation table, so that one definition serves both: an eager
operand is evaluated by NumPy at once, a symbolic one is recorded.
"""

from __future__ import annotations

from typing import Any, NoReturn

import numpy as np

from agir.ir import hooks
from agir.ir.building.types import DType, Shape, TensorType
from agir.ir.table import TABLE
from agir.ir.tensors.array_methods import ArrayMethods


def _call(name: str, *args: Any, **kwargs: Any) -> Any:
    return TABLE[name](*args, **kwargs)


def _operator(name: str) -> Any:
    def method(self: Tensor, other: Any) -> Any:
        if type(other) in AS_THEY_ARE:
            return TABLE[name](self, other)
        return TABLE[name](self, _plain(other)) if is_operand(other) else NotImplemented

    return method


def _reflected(name: str) -> Any:
    def method(self: Tensor, other: Any) -> Any:
        return _call(name, _plain(other), self) if is_operand(other) else NotImplemented

    return method


def is_operand(value: object) -> bool:
    """Whether operators take it: a number, an array, a list; dates and differences say themselves."""
    if is_known_time(value):
        return False
    return isinstance(value, (Tensor, *_OPERANDS)) or hasattr(value, "__array__")


def is_known_time(value: object) -> bool:
    """Whether it is a date or difference of NumPy's, or an array of such."""
    if isinstance(value, np.ndarray):
        return value.dtype.kind in "mM"
    return isinstance(value, (np.datetime64, np.timedelta64))


_FIRST_VERSION = "2021.12"  # of the standard; each one contains the one before
_OPERANDS = (bool, int, float, complex, np.ndarray, np.generic, list, tuple)


def _plain(value: Any) -> Any:
    """The number that a member of an `enum.IntEnum`, or of another class of numbers, is."""
    if isinstance(value, np.generic):
        return value
    kind = next((kind for kind in (int, float, complex) if isinstance(value, kind)), None)
    return value if kind is None or isinstance(value, bool) else kind(value)


AS_THEY_ARE = {bool, int, float, complex}
"""Classes of operands that operators hand on; those of tensors are added."""
_power = _operator("power")


class Tensor(ArrayMethods):
    """An array of one dtype: a value (eager), or a value to come (symbolic, while tracing).

    >>> x = ag.constant([[1, 2], [3, 4]])
    >>> x.shape, x.dtype, x[0].numpy()
    ((2, 2), agir.int32, array([1, 2], dtype=int32))

    Shapes: any
    Source: Python's operators and subscripts apply the operations of the same meaning
    """

    __slots__ = ("__weakref__",)
    __array_priority__ = 100.0
    outlives_traces = False
    """Whether it is an object of its own, which is passed as itself: a variable."""

    # What the two kinds provide.

    @property
    def is_symbolic(self) -> bool:
        """True for a value that exists only when the traced function runs."""
        raise NotImplementedError

    @property
    def type(self) -> TensorType:
        """Dtype, shape and weakness."""
        raise NotImplementedError

    def numpy(self) -> np.ndarray[Any, Any]:
        """The value as a NumPy array; an error on a symbolic tensor."""
        raise NotImplementedError

    # What follows from them.

    @property
    def dtype(self) -> DType:
        """The element type."""
        return self.type.dtype

    @property
    def shape(self) -> Shape:
        """The dimensions; ``None`` for one that is unknown until run time."""
        return self.type.shape

    @property
    def ndim(self) -> int:
        """The number of dimensions."""
        return len(self.shape)

    @property
    def device(self) -> str:
        """Where the elements are: ``"cpu"``."""
        return "cpu"

    def to_device(self, device: Any, /, *, stream: Any = None) -> Any:
        """The tensor itself: ``"cpu"`` is the only device there is."""
        if device != "cpu" or stream is not None:
            raise ValueError(f"there is the device 'cpu', without streams; not {device!r}")
        return self

    def __array_namespace__(self, /, *, api_version: str | None = None) -> Any:
        """``agir.numpy``, which has the functions of the array API standard."""

        known = hooks.namespace.__array_api_version__
        if api_version is not None and not _FIRST_VERSION <= api_version <= known:
            raise ValueError(f"agir.numpy has version {known} of the standard, not {api_version!r}")
        return hooks.namespace

    def set_shape(self, shape: Any) -> None:
        """State the shape, None for a size that may be any; it is checked at run time."""
        hooks.tensors.set_shape(self, shape)

    def freeze(self) -> None:
        """Have the elements stay what they are; those of a traced tensor do."""

    def __setitem__(self, key: Any, value: Any) -> None:
        raise NotImplementedError

    def __getitem__(self, key: Any) -> Any:
        return _call("getitem", self, key)

    def __neg__(self) -> Any:
        return _call("negative", self)

    def __pos__(self) -> Any:
        return _call("positive", self)

    def __round__(self, digits: int | None = None) -> Any:
        """``round(x, digits)``: a scalar rounded without digits is an integer, as in Python."""
        if digits is not None:
            return _call("round", self * 10.0**digits) / 10.0**digits
        rounded = _call("round", self)
        return (
            rounded if self.shape or rounded.dtype.is_integer else _call("cast", rounded, "int64")
        )

    def __abs__(self) -> Any:
        return _call("abs", self)

    def __invert__(self) -> Any:
        return _call("bitwise_invert", self)

    __add__, __radd__ = _operator("add"), _reflected("add")
    __sub__, __rsub__ = _operator("subtract"), _reflected("subtract")
    __mul__, __rmul__ = _operator("multiply"), _reflected("multiply")
    __truediv__, __rtruediv__ = _operator("divide"), _reflected("divide")
    __floordiv__, __rfloordiv__ = _operator("floor_divide"), _reflected("floor_divide")
    __mod__, __rmod__ = _operator("remainder"), _reflected("remainder")
    __rpow__ = _reflected("power")
    __matmul__, __rmatmul__ = _operator("matmul"), _reflected("matmul")
    __and__, __rand__ = _operator("bitwise_and"), _reflected("bitwise_and")
    __or__, __ror__ = _operator("bitwise_or"), _reflected("bitwise_or")
    __xor__, __rxor__ = _operator("bitwise_xor"), _reflected("bitwise_xor")
    __lshift__, __rlshift__ = _operator("bitwise_left_shift"), _reflected("bitwise_left_shift")
    __rshift__, __rrshift__ = _operator("bitwise_right_shift"), _reflected("bitwise_right_shift")
    __lt__, __le__ = _operator("less"), _operator("less_equal")
    __gt__, __ge__ = _operator("greater"), _operator("greater_equal")
    __eq__, __ne__ = _operator("equal"), _operator("not_equal")

    def __pow__(self, other: Any) -> Any:
        numpys = self.dtype.is_bool and not getattr(self, "weak", False)
        if numpys and type(other) is int and other == 2:  # NumPy takes the square
            return _call("multiply", _call("cast", self, "int8"), _call("cast", self, "int8"))
        return _power(self, other)

    def __divmod__(self, other: Any) -> Any:
        return self // other, self % other

    def __rdivmod__(self, other: Any) -> Any:
        return other // self, other % self

    def __hash__(self) -> NoReturn:
        raise TypeError("a Tensor is not hashable: == compares elements; use id(tensor) as a key")

    def __dlpack_device__(self) -> tuple[int, int]:
        return (1, 0)  # the first CPU

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **kwargs: Any) -> Any:
        return hooks.tensors.ufunc(ufunc, method, inputs, kwargs)

    def __array_function__(self, function: Any, types: Any, args: Any, kwargs: Any) -> Any:
        return hooks.tensors.array_function(function, args, kwargs)
