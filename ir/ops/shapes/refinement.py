"""Shapes that a program states: ``ensure_shape`` and ``Tensor.set_shape``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from agir.errors import OperandValueError, RuntimeShapeError
from agir.ir import hooks
from agir.ir.building.types import Shape
from agir.ir.emission import emit
from agir.ir.ops.core.host_calls import HostTensor
from agir.ir.recording import explained
from agir.ir.tensors.symbolic import Fixed, Owned, SymbolicTensor
from agir.ir.tensors.tensor import Tensor
from agir.ir.tracing import loops, trace


def as_shape(shape: Any) -> Shape | None:
    """A shape from what users write: a sequence of ints and None, an int, a ``TensorSpec``."""
    given = getattr(shape, "shape", shape)
    if given is None or getattr(given, "rank", 0) is None:
        return None
    if hasattr(given, "as_list") or not hasattr(given, "__iter__"):
        given = given.as_list() if hasattr(given, "as_list") else [given]
    sizes = tuple(None if n is None or n == -1 else int(n) for n in given)
    if any(n is not None and n < 0 for n in sizes):
        raise OperandValueError(f"a dimension is negative in the shape {_text(sizes)}")
    return sizes


def ensure_shape(x: Any, shape: Any, name: str | None = None) -> Any:
    """``x``, whose shape is checked: None stands for any size, and for any shape at all.

    What is known only at run time is checked then; a function that is traced knows it from there on.

    >>> ag.ensure_shape([1.0, 2.0], [None]).numpy()
    array([1., 2.], dtype=float32)

    Shapes: x [...] -> [...]
    Dtypes: bool, int, uint, float, complex -> the same
    Raises: OperandValueError, or RuntimeShapeError in a compiled function, where it has another
        shape
    """
    return stated(x, as_shape(shape), "ensure_shape(): the tensor has another shape than it should")


def set_shape(tensor: Tensor, shape: Any) -> None:
    """State the shape of a tensor, which is checked like that of `ensure_shape`."""
    refined = stated(tensor, as_shape(shape), "set_shape(): the tensor has another shape")
    if refined is tensor or not isinstance(tensor, SymbolicTensor):
        return
    current = trace.current()
    if current is not None and tensor.storage.home is current.scope:
        tensor.storage, tensor.dims = refined.storage, refined.dims


def stated(x: Any, shape: Shape | None, what: str) -> Any:
    """The tensor with that much known of its shape; ``RuntimeShapeError`` where it has another."""
    if not isinstance(x, Tensor):
        x = hooks.runtime.convert(x)
    if shape is None:
        return x
    if isinstance(x, HostTensor):
        x.settle(len(shape))
    if isinstance(x, SymbolicTensor) and x.is_symbolic:
        return _recorded(x, shape, what)
    _check_known(tuple(x.shape), shape, what)
    return x


def _check_known(given: Sequence[Any], shape: Shape, what: str) -> None:
    same = len(given) == len(shape) and all(
        a == b for a, b in zip(given, shape, strict=True) if isinstance(a, int) and b is not None
    )
    if not same:
        sizes = tuple(n if isinstance(n, int) else None for n in given)
        message = f"{what}: {_text(sizes)} instead of {_text(shape)}"
        raise RuntimeShapeError(explained(message))


def _text(shape: Sequence[int | None]) -> str:
    return "[" + ", ".join("?" if n is None else str(n) for n in shape) + "]"


def _recorded(tensor: SymbolicTensor, shape: Shape, what: str) -> SymbolicTensor:
    _check_known(tensor.dims, shape, what)
    current = tensor.recorder
    unknown = [
        (axis, n)
        for axis, n in enumerate(shape)
        if n is not None and not isinstance(tensor.dims[axis], int)
    ]
    if not unknown:
        return tensor
    with current.at_user_line():
        fine = None
        dims = list(tensor.dims)
        for axis, size in unknown:
            found = emit.dim_value(current, tensor.dims[axis])
            same = current.compare("eq", found, current.index(size))
            operands = [emit.from_index(current, n) for n in (found, current.index(size))]
            current.guard(same, current.site("shape", f"{what} in dimension {axis}"), *operands)
            fine = same if fine is None else current.op("arith.andi", same.type, fine, same)
            dims[axis] = size
        known = tuple(dims)

        def cast() -> Any:
            return emit.cast_dims(current, tensor.ssa, tensor.dtype, known)

        def zeros() -> Any:
            zero = current.constant(tensor.dtype, 0)
            return emit.splat(current, zero, tensor.dtype, known)

        ssa = loops.if_ok(current, fine, cast, zeros)
        storage = Owned if isinstance(tensor.storage, Owned) else Fixed
        return SymbolicTensor(current, storage(current.scope, ssa), tensor.dtype, known)
