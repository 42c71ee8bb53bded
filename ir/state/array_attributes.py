"""Attributes under NumPy's conventions: sizes as numbers, and the arrays that objects hold."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from agir.autograph import operators
from agir.errors import StagingError
from agir.ir.emission import emit
from agir.ir.state import outside
from agir.ir.tensors import dispatch
from agir.ir.tensors.symbolic import Owned, SymbolicTensor, own_elements
from agir.ir.tracing.trace import Trace


def find(trace: Trace, obj: Any, name: str) -> Callable[[], Any] | None:
    """What stands for ``obj.name``; None where Python's attribute does.

    Under NumPy's conventions a shape has integers in it, and an array of outside is the one that
    the object holds when the compiled function is called.  Under TensorFlow's a shape has None
    where a size is unknown, and the array is a constant.
    """
    if not trace.convention.arrays_are_mutable:
        return None
    if not isinstance(obj, SymbolicTensor):
        tensor = outside.find(trace, obj, name)
        return None if tensor is None else lambda: tensor
    if name != "shape" or all(isinstance(d, int) for d in obj.dims):
        return None
    return partial(_shape, trace, obj)


def reading(trace: Trace, function: Any, args: tuple[Any, ...]) -> Callable[..., Any] | None:
    """What stands for ``hasattr(obj, name)`` and ``getattr(obj, name)``, which read ``obj.name``."""
    if not (function is hasattr or function is getattr):
        return None
    if len(args) < 2 or type(args[1]) is not str:
        return None
    if not trace.convention.arrays_are_mutable:
        return None

    def read(obj: Any, name: str, *default: Any) -> Any:
        if function is getattr and hasattr(obj, name):
            return operators.get_attr(obj, name)
        find(trace, obj, name)
        return function(obj, name, *default)

    return read


def _shape(trace: Trace, array: SymbolicTensor) -> tuple[Any, ...]:
    with trace.at_user_line():
        return tuple(
            size if isinstance(size, int) else emit.counted(trace, size) for size in array.dims
        )


def assign_shape(trace: Trace, array: SymbolicTensor, shape: Any) -> None:
    """``array.shape = shape``: whoever holds this array sees its elements in other dimensions."""
    with trace.at_user_line():
        own_elements(trace, array)
        if refusal := _keeps_shape(trace, array):
            message = f"x.shape = ... {refusal}: write x = x.reshape(...)"
            raise StagingError(trace.explain(message))
        whole = SymbolicTensor(trace, array.storage, array.dtype, array.dims, array.weak)
        whole.shared = array.shared
        seen = dispatch.call("reshape", whole, shape)
        if getattr(seen.storage, "base", None) is not whole:
            message = "incompatible shape for in-place modification: use x.reshape(...), a copy"
            raise AttributeError(trace.explain(message))
        array.storage, array.dims = seen.storage, seen.dims


def _keeps_shape(trace: Trace, array: SymbolicTensor) -> str | None:
    """Why an array has to keep its dimensions."""
    own = isinstance(array.storage, Owned) and not array.shared
    if not trace.convention.arrays_are_mutable:
        return "would change a tensor, which is a value"
    if not own and not hasattr(array.storage, "base"):
        return "would change the array that the caller has, or another path holds"
    if array.storage.home is not trace.scope:
        return "in a branch or loop would change an array of outside"
    if array.viewed:
        return "would change an array of which there are views"
    return None
