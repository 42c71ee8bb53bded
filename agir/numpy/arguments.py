"""What the functions of the namespace take: tensors, arrays, numbers, and lists as NumPy reads them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np

from agir.ir.building.types import DType, as_dtype, is_python_number
from agir.ir.ops.core.operands import composition
from agir.ir.tensors import dispatch
from agir.ir.tensors.tensor import Tensor

Function = TypeVar("Function", bound=Callable[..., Any])


def operand(value: Any) -> Any:
    """An operand of an operation: a Python number stays one, and takes the dtype that it meets."""
    value = dispatch.operand(value)
    if value is None or is_python_number(value) or isinstance(value, (Tensor, np.ndarray)):
        return value
    return joined(value) if isinstance(value, (list, tuple)) else np.asarray(value)


def array(value: Any) -> Any:
    """The same, but a Python number is an array as well: of int64, float64, complex128 or bool."""
    found = operand(value)
    return np.asarray(found) if is_python_number(found) else found


def joined(values: Any) -> Any:
    """The array of nested lists, which may hold tensors whose values are yet to come."""
    if not dispatch.any_symbolic((values,), {}):
        return np.asarray(values)
    parts = [joined(v) if isinstance(v, (list, tuple)) else array(v) for v in values]
    return dispatch.call("stack", parts)


def array_function(*names: str) -> Callable[[Function], Function]:
    """A function of the namespace: what stands under these names goes into operations.

    Errors name the user's line while a function is traced.
    """
    return composition(*names, convert=array)


def element_type(dtype: Any) -> DType | None:
    """The dtype that is asked for; None where none is."""
    return None if dtype is None else as_dtype(dtype)


def check_device(device: Any) -> None:
    """``ValueError`` for a device that there is not."""
    if device not in (None, "cpu"):
        raise ValueError(f"the only device is 'cpu', not {device!r}")


def check_order(order: Any) -> None:
    """``ValueError`` for an order of elements in memory other than C's."""
    if order not in (None, "C", "K", "A"):
        raise ValueError(f"tensors are stored in the order 'C', not {order!r}")
