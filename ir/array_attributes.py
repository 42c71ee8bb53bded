"""Attributes of arrays that NumPy has as numbers, where they are known only at run time."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from agir.ir import iteration
from agir.ir.symbolic import SymbolicTensor
from agir.ir.trace import Trace


def find(trace: Trace, obj: Any, name: str) -> Callable[[], Any] | None:
    """What stands for ``obj.name``; None where Python's attribute does.

    Under NumPy's conventions a shape has integers in it.  Under TensorFlow's it has None where an
    extent is unknown, and ``ag.shape`` gives the numbers.
    """
    if name != "shape" or not isinstance(obj, SymbolicTensor):
        return None
    if not trace.convention.arrays_are_mutable or all(isinstance(d, int) for d in obj.dims):
        return None
    return partial(_shape, trace, obj)


def _shape(trace: Trace, array: SymbolicTensor) -> tuple[Any, ...]:
    with trace.at_user_line():
        return tuple(
            extent if isinstance(extent, int) else iteration.number(trace, extent.value(trace))
            for extent in array.dims
        )
