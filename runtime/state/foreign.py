"""Arrays of other libraries as arguments: seen as NumPy arrays, in the memory that they lie in.

An object is an array where it has a buffer, ``__array_interface__``, ``__array_struct__``,
``__array__`` or ``__dlpack__``: a ``memoryview``, an ``array.array``, a tensor of PyTorch, an array
of JAX, a column of pandas or Arrow.  What has to be copied to be a NumPy array is read-only, so that
a function which writes into it is refused rather than writing into the copy.
"""

from __future__ import annotations

import sys
import warnings
from types import BuiltinFunctionType, FunctionType, MethodType, ModuleType
from typing import Any

import numpy as np

from agir.ir.building.types import DType, TensorSpec
from agir.ir.state.variables import Variable
from agir.ir.tensors.staged import Staged
from agir.ir.tensors.tensor import Tensor
from agir.runtime.blame import at_caller

_OWN = (
    *(bool, int, float, complex, str, bytes, type(None), type, range, slice, set, frozenset),
    *(FunctionType, BuiltinFunctionType, MethodType, ModuleType, np.generic, np.dtype, np.ufunc),
    *(Tensor, Variable, TensorSpec, Staged, DType),
)
"""What is a value of Python's, NumPy's or agir's own, whatever protocols it has."""

TRACED = "__ag_tracing_type__"
PROTOCOLS = ("__array_interface__", "__array_struct__", "__array__")

_REFUSED = (
    ("ma", "MaskedArray", "a masked array, whose mask would be lost", "x.filled(...), or x.data"),
    ("matrixlib", "matrix", "a numpy.matrix, whose * is a matrix product", "np.asarray(x)"),
)
"""Classes of NumPy's, by module and name: to import `numpy.ma` takes a while, and few programs do."""

_MEANINGS = ("__array_ufunc__", "__array_function__")
"""By what a class says that NumPy's functions mean something else for its arrays, such as units."""


def admitted(value: Any, name: str) -> Any:
    """An array of another library as NumPy's; any other value as it is.

    Raises ``TypeError``, which names the argument, for arrays that mean something else than NumPy's.
    """
    if type(value) is np.ndarray or isinstance(value, _OWN):
        return value
    if isinstance(value, np.ndarray):
        _check_meaning(value, name)
        return value
    if hasattr(type(value), TRACED):  # it says itself what it is
        return value
    try:
        return _seen(value)
    except (BufferError, RuntimeError, TypeError, ValueError) as error:
        raise TypeError(
            at_caller(
                f"argument {name!r}: a {type(value).__name__} cannot be seen as a NumPy array: {error}"
            )
        ) from error


def _check_meaning(value: Any, name: str) -> None:
    for module, name_of_kind, what, instead in _REFUSED:
        kind = getattr(sys.modules.get(f"numpy.{module}"), name_of_kind, None)
        if kind is not None and isinstance(value, kind):
            raise TypeError(at_caller(f"argument {name!r} is {what}: pass {instead}"))
    kind = type(value)
    if any(getattr(kind, each, None) is not getattr(np.ndarray, each) for each in _MEANINGS):
        raise TypeError(
            at_caller(
                f"argument {name!r} is a {kind.__qualname__}, whose class says what NumPy's functions "
                "mean for it: pass np.asarray(x)"
            )
        )


def _seen(value: Any) -> Any:
    if any(hasattr(value, protocol) for protocol in PROTOCOLS):
        return _without_copy(value)
    if _has_buffer(value):
        return np.asarray(value)
    if hasattr(value, "__dlpack__") and hasattr(value, "__dlpack_device__"):
        return np.from_dlpack(value)
    return value


def _has_buffer(value: Any) -> bool:
    try:
        memoryview(value)
    except TypeError:
        return False
    return True


def _without_copy(value: Any) -> Any:
    """The array in its own memory, or else a read-only copy."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # __array__ without the argument copy
        try:
            return np.asarray(value, copy=False)
        except (TypeError, ValueError):  # NumPy: a copy cannot be avoided, or this is not known
            array = np.asarray(value)
    view = array.view()
    view.flags.writeable = False
    return view
