"""Eager tensors: an immutable NumPy array behind the common ``Tensor`` interface."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from agir.errors import ImmutableTensorError
from agir.ir import hooks, recording
from agir.ir.building.types import DType, TensorType, as_dtype
from agir.ir.tensors import dispatch
from agir.ir.tensors.staged import Staged
from agir.ir.tensors.tensor import Tensor
from agir.runtime import dlpack


class EagerTensor(Tensor):
    """A tensor that has its value: a NumPy array that nothing writes to.

    Convert with ``numpy()``, ``numpy.asarray``, ``float()`` and the like; combine with operators,
    agir's operations or NumPy's functions.
    """

    __slots__ = ("_type", "array")

    def __init__(self, array: np.ndarray[Any, Any]) -> None:
        if array.flags.writeable:
            array = array.view()
            array.flags.writeable = False
        self.array = array
        """The value, as a read-only array even where there are no dimensions."""
        self._type: TensorType | None = None

    @property
    def is_symbolic(self) -> bool:
        """False: the value is here."""
        return False

    @property
    def type(self) -> TensorType:
        """Dtype and shape."""
        if self._type is None:
            self._type = TensorType(as_dtype(self.array.dtype), self.array.shape)
        return self._type

    def numpy(self) -> Any:
        """The value: a read-only array, a NumPy scalar where there are no dimensions."""
        return self.array if self.array.ndim else self.array[()]

    @property
    def size(self) -> int:
        """The number of elements."""
        return self.array.size

    def item(self) -> Any:
        """The only element as a Python number."""
        return self.array.item()

    def tolist(self) -> Any:
        """The elements as nested lists of Python numbers."""
        return self.array.tolist()

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray[Any, Any]:
        if dtype is not None and np.dtype(dtype) != self.array.dtype:
            return self.array.astype(dtype)
        return self.array.copy() if copy else self.array

    def __dlpack__(
        self,
        *,
        stream: Any = None,
        max_version: tuple[int, int] | None = None,
        dl_device: tuple[int, int] | None = None,
        copy: bool | None = None,
    ) -> Any:
        return dlpack.capsule(self.array, stream, max_version, dl_device, copy)

    def __bool__(self) -> bool:
        return bool(self.array)

    def __int__(self) -> int:
        return int(self.array)

    def __float__(self) -> float:
        return float(self.array)

    def __complex__(self) -> complex:
        return complex(self.array)

    def __index__(self) -> int:
        return self.array.__index__()

    def __len__(self) -> int:
        return len(self.array)

    def __iter__(self) -> Iterator[EagerTensor]:
        if not self.array.ndim:
            raise TypeError("iteration over a scalar tensor: it has no dimensions")
        return (EagerTensor(np.asarray(row)) for row in self.array)

    def __format__(self, spec: str) -> str:
        return format(self.array[()] if not self.array.ndim else self.array, spec)

    def __setitem__(self, key: Any, value: Any) -> None:
        raise ImmutableTensorError(
            "an eager tensor is immutable; assign into x.numpy().copy(), or inside a function that "
            "agir compiles"
        )

    def __reduce__(self) -> Any:
        return (EagerTensor, (np.array(self.array),))

    def __repr__(self) -> str:
        return f"<agir.Tensor: shape={self.shape}, dtype={self.dtype}, numpy={self.array!r}>"


_PYTHON_DEFAULTS = {
    np.dtype(np.int64): np.dtype(np.int32),
    np.dtype(np.float64): np.dtype(np.float32),
}


def _holds_numpy(value: Any) -> bool:
    if isinstance(value, (list, tuple)):
        return any(_holds_numpy(v) for v in value)
    return hasattr(value, "dtype")


def constant(value: Any, dtype: Any = None, shape: Any = None, name: str | None = None) -> Any:
    """A tensor of the value.

    Python ints become int32 and floats float32, as in TensorFlow; NumPy data keeps its dtype.
    ``shape`` fills or reshapes to that shape; ``name`` is accepted and ignored.  Raises
    ``TypeError`` for what is not numeric and ``OverflowError`` for ints that do not fit the dtype.

    >>> ag.constant([1, 2]).numpy()
    array([1, 2], dtype=int32)

    Shapes: value any, or shape -> the same
    Dtypes: of the result bool, int, uint, float, complex
    Raises: OperandTypeError for what is not numeric, OverflowError for integers that do not fit
    """
    value = _read(value)
    if dispatch.any_symbolic((value,), {}):
        made = dispatch.call("stack", list(value)) if isinstance(value, (list, tuple)) else value
        return made if dtype is None else dispatch.call("cast", made, dtype)
    array = _as_array(value, None if dtype is None else as_dtype(dtype))
    if shape is not None:
        array = np.broadcast_to(array, shape) if array.size == 1 else array.reshape(shape)
    made = EagerTensor(np.array(array))
    current = recording.current()
    return made if current is None else current.fold(made)


def _read(value: Any) -> Any:
    """The value of a variable; anything else is itself."""
    return value.operand() if isinstance(value, Staged) and value.has_operand else value


def _as_array(value: Any, dtype: DType | None) -> np.ndarray[Any, Any]:
    if isinstance(value, Tensor):
        value = value.numpy()
    if dtype is not None:
        return np.asarray(value, dtype.numpy)
    array = np.asarray(value)
    if not _holds_numpy(value):
        smaller = _PYTHON_DEFAULTS.get(array.dtype)
        if smaller is not None:
            array = np.asarray(value, smaller)
    as_dtype(array.dtype)
    return array


def convert_to_tensor(value: Any, dtype: Any = None, name: str | None = None) -> Any:
    """The value as a tensor; a tensor stays itself, unless another dtype is asked for.

    >>> ag.convert_to_tensor([1.5, 2.0]).numpy()
    array([1.5, 2. ], dtype=float32)

    Shapes: value any -> the same
    Dtypes: of the result bool, int, uint, float, complex
    Raises: OperandTypeError for what is not numeric
    """
    value = _read(value)
    if isinstance(value, Tensor):
        return value if dtype is None else dispatch.call("cast", value, dtype)
    if isinstance(value, np.ndarray):
        current = recording.current()
        if current is not None and id(value) in current.stand_ins:  # a tape watches it
            return convert_to_tensor(current.stand_in(value), dtype)
        if hooks.observers.active and value.dtype.kind in "fc":
            return dispatch.call("cast", value, value.dtype if dtype is None else dtype)
    return constant(value, dtype)
