"""Eager tensors: a NumPy array behind the common ``Tensor`` interface."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
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
    """A tensor that has its value: a NumPy array.

    Convert with ``numpy()``, ``numpy.asarray``, ``float()`` and the like; combine with operators,
    agir's operations or NumPy's functions.  What an operation gives can be assigned into, until a
    trace, a tape or a TensorArray has taken it as the value that it is then.
    """

    __slots__ = ("_memory", "_type", "array")
    _memory: np.ndarray[Any, Any] | None

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
        array = self._read()
        return array if array.ndim else array[()]

    @property
    def memory(self) -> np.ndarray[Any, Any] | None:
        """What owns the elements where they can be assigned to; its flag is for all views."""
        return getattr(self, "_memory", None)  # machine code makes tensors that have none

    def freeze(self) -> None:
        """Have the elements stay what they are: someone relies on it."""
        if self.memory is not None:
            self.memory.flags.writeable = False

    def _read(self) -> np.ndarray[Any, Any]:
        """The value, which stays what it is where a trace reads it."""
        if self.memory is not None and recording.current() is not None:
            self.freeze()
        return self.array

    @property
    def size(self) -> int:
        """The number of elements."""
        return self.array.size

    def item(self) -> Any:
        """The only element as a Python number."""
        return self._read().item()

    def tolist(self) -> Any:
        """The elements as nested lists of Python numbers."""
        return self._read().tolist()

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray[Any, Any]:
        array: np.ndarray[Any, Any] = self._read()
        if dtype is not None and np.dtype(dtype) != array.dtype:
            array = array.astype(dtype)
        elif copy:
            array = array.copy()
        elif self.can_be_assigned:
            array = self._place()
        return array

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
        return bool(self._read())

    def __int__(self) -> int:
        return int(self._read())

    def __float__(self) -> float:
        return float(self._read())

    def __complex__(self) -> complex:
        return complex(self._read())

    def __index__(self) -> int:
        return self._read().__index__()

    def __len__(self) -> int:
        return len(self.array)

    def __iter__(self) -> Iterator[EagerTensor]:
        if not self.array.ndim:
            raise TypeError("iteration over a scalar tensor: it has no dimensions")
        return (result(np.asarray(row), (self,)) for row in self._read())

    def __format__(self, spec: str) -> str:
        return format(self.numpy(), spec)

    def __setitem__(self, key: Any, value: Any) -> None:
        if not self.can_be_assigned:
            raise ImmutableTensorError(
                "this eager tensor is immutable; assign into x.numpy().copy(), or inside a function "
                "that agir compiles"
            )
        self._place()[_subscript(key)] = value

    @property
    def can_be_assigned(self) -> bool:
        """Whether elements can be assigned to, here and now."""
        if self.memory is None or recording.current() is not None:
            return False
        return bool(self.memory.flags.writeable)

    def _place(self) -> np.ndarray[Any, Any]:
        """The elements as an array that can be written into.

        NumPy lets a view write again that is read-only on its own, if the owner of the memory can.
        """
        array: np.ndarray[Any, Any] = self.array.view()
        array.flags.writeable = True
        return array

    def __reduce__(self) -> Any:
        return (EagerTensor, (np.array(self.array),))

    def __repr__(self) -> str:
        return f"<agir.Tensor: shape={self.shape}, dtype={self.dtype}, numpy={self.array!r}>"


def result(array: np.ndarray[Any, Any], operands: Iterable[Any]) -> EagerTensor:
    """The tensor of what an operation gives, which can be assigned into as NumPy's array could be.

    Operations read tensors as read-only arrays, so what may be written into is new, or the caller's.
    A view of a tensor goes by that tensor.
    """
    made = EagerTensor(array)
    owner = array
    while isinstance(owner.base, np.ndarray):
        owner = owner.base
    if array.flags.writeable or any(
        isinstance(each, EagerTensor) and each.memory is owner for each in operands
    ):
        made._memory = owner
    return made


def _subscript(key: Any) -> Any:
    """A subscript with arrays in the place of tensors."""
    if isinstance(key, tuple):
        return tuple(map(_subscript, key))
    return key.numpy() if isinstance(key, Tensor) else key


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
