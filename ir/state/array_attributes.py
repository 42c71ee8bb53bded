"""Attributes under NumPy's conventions: extents as numbers, and the arrays that objects hold."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from agir.ir import emit
from agir.ir.state import outside
from agir.ir.symbolic import SymbolicTensor
from agir.ir.trace import Trace


def find(trace: Trace, obj: Any, name: str) -> Callable[[], Any] | None:
    """What stands for ``obj.name``; None where Python's attribute does.

    Under NumPy's conventions a shape has integers in it, and an array of outside is the one that
    the object holds when the compiled function is called.  Under TensorFlow's a shape has None
    where an extent is unknown, and the array is a constant.
    """
    if not trace.convention.arrays_are_mutable:
        return None
    if not isinstance(obj, SymbolicTensor):
        tensor = outside.find(trace, obj, name)
        return None if tensor is None else lambda: tensor
    if name != "shape" or all(isinstance(d, int) for d in obj.dims):
        return None
    return partial(_shape, trace, obj)


def _shape(trace: Trace, array: SymbolicTensor) -> tuple[Any, ...]:
    with trace.at_user_line():
        return tuple(
            extent if isinstance(extent, int) else emit.counted(trace, extent.value(trace))
            for extent in array.dims
        )
