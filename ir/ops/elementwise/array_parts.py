"""What attributes of arrays show of their elements: real and imaginary parts, bits, all in a row."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from agir.errors import StagingError
from agir.ir import recording
from agir.ir.building.types import DType, as_dtype, bool_, complex128, float64
from agir.ir.emission import emit
from agir.ir.emission.python_numbers import as_int
from agir.ir.ops.core import layouts
from agir.ir.ops.core.rearranged import (
    Flat,
    Rearranged,
    Seen,
    as_writable_as,
    is_read_only,
    read_only,
    seen_through,
)
from agir.ir.ops.core.recorded import dimension_sizes, dtype_of, rank, records, tensor
from agir.ir.ops.core.zero_dimensional import as_array_like, is_array
from agir.ir.ops.shapes.numpy_creation import lying, ordered
from agir.ir.ops.shapes.shapes import reshaped
from agir.ir.recording import explained
from agir.ir.tensors import dispatch
from agir.ir.tensors.symbolic import Dims, SymbolicTensor, is_writable, own_elements
from agir.ir.tracing.trace import Trace

call = dispatch.call


class Reinterpreted(Seen):
    """Storage of something computed of each element of another array, from which that follows.

    ``forward(base)`` gives the tensor that is seen, ``backward(seen, base)`` the base's new contents.
    """

    __slots__ = ("backward", "dims", "dtype")

    def __init__(
        self, base: SymbolicTensor, seen: SymbolicTensor, forward: Any, backward: Any, arrange: Any
    ) -> None:
        super().__init__(base.recorder.scope, base, lambda _: forward(base).ssa, arrange)
        self.backward = backward
        self.dtype = seen.dtype
        self.dims = seen.dims

    def write(self, trace: Trace, ssa: Any) -> None:
        """Write the elements into the array."""
        new = self.backward(trace.make(ssa, self.dtype, self.dims), self.base)
        self.base.storage.write(trace, new.ssa)


def _reinterpreted(x: SymbolicTensor, forward: Any, backward: Any, arrange: Any) -> Any:
    """A view of the array through a function of its elements."""
    trace = x.recorder
    own_elements(trace, x)
    seen = forward(x)
    if not x.dims and not is_array(x):
        return seen
    if is_read_only(x):
        return read_only(seen)
    if not is_writable(x.storage):
        return as_writable_as(x, seen)
    storage = Reinterpreted(x, seen, forward, backward, arrange)
    view = SymbolicTensor(trace, storage, seen.dtype, seen.dims)
    view.shared = True
    return view


def part(x: Any, name: str) -> Any:
    """``x.real``, ``x.imag``: views of a complex array."""
    if not isinstance(x, SymbolicTensor) or not (x.dims or is_array(x)):
        of_python = isinstance(x, SymbolicTensor) and x.weak and x.dtype == bool_
        return call(name, as_int(x) if of_python else x)  # those of Python's bools are ints
    if not x.dtype.is_complex:
        return x if name == "real" else seen_through(x, partial(call, name), layouts.packed)
    with x.recorder.at_user_line():
        return _reinterpreted(x, lambda z: call(name, z), _BACKWARD[name], layouts.spread)


_BACKWARD = {
    "real": lambda new, z: call("complex", new, call("imag", z)),
    "imag": lambda new, z: call("complex", call("real", z), new),
}


def set_part(x: Any, name: str, value: Any) -> None:
    """``x.real = value``."""
    seen = getattr(value, "storage", None)
    own = isinstance(seen, Reinterpreted) and seen.base is x and seen.backward is _BACKWARD[name]
    if own:
        return  # the second half of `x.real += v`
    if name == "imag" and not dtype_of(x).is_complex:
        raise TypeError("the imaginary part of an array of real numbers cannot be assigned to")
    part(x, name)[...] = value


def viewed(x: Any, dtype: Any) -> Any:
    """``x.view(dtype)``: the same bits."""
    if dtype is None or as_dtype(dtype) == dtype_of(x):
        return x[...] if rank(x) else x
    target, source = as_dtype(dtype), dtype_of(x)
    if source.itemsize != target.itemsize or "b" in (source.kind, target.kind) or source.is_complex:
        return _of_parts(x, source, target)
    return _through(
        x,
        lambda y: call("same_bits", y, target),
        lambda new, y: call("same_bits", new, source),
        lambda layout: layout,
    )


def _through(x: Any, forward: Any, backward: Any, arrange: Any) -> Any:
    if not isinstance(x, SymbolicTensor):
        return forward(x)
    return _reinterpreted(x, forward, backward, arrange)


def _pairs(x: Any) -> Any:
    """Complex numbers as real and imaginary parts, one behind the other."""
    pair = call("stack", [call("real", x), call("imag", x)], -1)
    shape = dimension_sizes(x)
    return call("reshape", pair, (*shape[:-1], shape[-1] * 2))


def _of_pairs(new: Any, x: Any) -> Any:
    pair = call("reshape", new, (*dimension_sizes(x), 2))
    return call("complex", pair[..., 0], pair[..., 1])


def _of_parts(x: Any, source: DType, target: DType) -> Any:
    if source.is_complex and target == source.real:
        return _through(x, _pairs, _of_pairs, layouts.in_pairs)
    if source.is_bool and target.itemsize == 1:
        return _through(
            x,
            lambda y: call("cast", y, target),
            lambda new, y: call("cast", new, source),
            lambda layout: layout,
        )
    raise StagingError(
        f"a view of {source} as {target} cannot be recorded: views have elements of the same width, "
        "or are the parts of complex numbers"
    )


def flat(x: Any) -> Any:
    """``x.flat``: all elements in one dimension, whatever their order in memory."""
    if not isinstance(x, SymbolicTensor) or not (x.dims or is_array(x)):
        return call("reshape", x, (-1,))
    with x.recorder.at_user_line():
        total = call("numpy_size", x)
        dims: Dims = (total if isinstance(total, int) else emit.dim_of(x.recorder, total),)
        made = reshaped(x.recorder, x, dims, sure=True)
        if isinstance(made.storage, Rearranged):
            made.storage = Flat(*made.storage.parts())
        return made


def set_flat(x: Any, values: Any) -> None:
    """``x.flat = values``, which are repeated."""
    flat(x)[...] = tensor(values, x.dtype)


def converted(
    x: Any, dtype: Any, casting: str = "unsafe", copy: bool = True, order: Any = "K"
) -> Any:
    """``x.astype(dtype)``."""
    try:
        target, source = as_dtype("float64" if dtype is None else dtype), dtype_of(x)
    except TypeError as error:
        raise dispatch.located(error, recording.current()) from error.__cause__
    if casting != "unsafe" and not np.can_cast(source.numpy, target.numpy, casting):  # type: ignore[arg-type]
        raise TypeError(f"{source} is not converted to {target} by the casting rule {casting!r}")
    if not copy and source == target:
        return lying(x, "CF" if order == "A" else order)
    return as_array_like(ordered(call("cast", x, target), order, x), x)


@records(np.astype)
def astype(x: Any, dtype: Any, /, *, copy: bool = True, device: Any = None) -> Any:
    """The values converted to a dtype."""
    return converted(x, dtype, copy=copy)


def number(x: Any) -> Any:
    """``x.item()``: a number of Python's, which takes the dtype of what it meets."""
    value = call("reshape", x, ()) if rank(x) else x
    if not isinstance(value, SymbolicTensor):
        return value.numpy()[()].item()
    if value.dtype.is_integer:
        return as_int(value)
    dtype = {"b": bool_, "f": float64, "c": complex128}[value.dtype.kind]
    weak = call("cast", value, dtype)
    return SymbolicTensor(value.recorder, weak.storage, dtype, (), weak=True)


def refusal(x: Any, message: str) -> Exception:
    """The error for what only memory has."""
    return StagingError(explained(message))
