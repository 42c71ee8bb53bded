"""Arrays without dimensions, which can be written into, and numbers, which cannot."""

from __future__ import annotations

from typing import Any

from agir.ir import recording
from agir.ir.emission import emit
from agir.ir.ops.core.recorded import rank
from agir.ir.tensors import symbolic
from agir.ir.tensors.symbolic import Owned, SymbolicTensor


def is_array(x: Any) -> bool:
    """Whether a tensor without dimensions is an array of NumPy's, and no number."""
    return isinstance(x, SymbolicTensor) and not x.dims and symbolic.is_array(x)


def as_array(made: Any) -> Any:
    """A number as an array without dimensions; anything else as it is."""
    trace = recording.current()
    if rank(made) or trace is None or not trace.convention.arrays_are_mutable or is_array(made):
        return made
    number = emit.lift(trace, made)
    return SymbolicTensor(trace, Owned(trace.scope, number.ssa), number.dtype, ())


def as_number(made: Any) -> Any:
    """An array without dimensions as the number that it holds; anything else as it is."""
    return made.recorder.make(made.ssa, made.dtype, ()) if is_array(made) else made


def as_array_like(made: Any, *operands: Any) -> Any:
    """What is made of operands of which one is an array without dimensions is one as well."""
    return as_array(made) if any(map(is_array, operands)) else made
