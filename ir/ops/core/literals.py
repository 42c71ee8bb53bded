"""Arrays of a traced function whose elements are known as long as nothing is written into them."""

from __future__ import annotations

from typing import Any

import numpy as np

from agir.ir.building.types import as_dtype
from agir.ir.emission import emit
from agir.ir.emission.emit import Constant
from agir.ir.tensors.symbolic import Owned, SymbolicTensor
from agir.ir.tensors.tensor import Tensor
from agir.ir.tracing.trace import Trace


class Literal(Constant):
    """Storage of an array that Python has made: a constant, until it is written into."""

    __slots__ = ()

    def own(self, trace: Trace, tensor: SymbolicTensor) -> None:
        """Give the tensor, which is about to be written into, elements of its own."""
        with trace.inside(self.home):
            trace.store(tensor, Owned(self.home, self.read(trace)))


def writable(trace: Trace, made: Any, always: bool = False) -> Any:
    """What a function has made, with arrays that can be written into.

    With ``always`` that goes for one without dimensions too, which is a number else.
    """
    if isinstance(made, tuple):
        return tuple(writable(trace, each) for each in made)
    if isinstance(made, Tensor):
        if made.is_symbolic:
            return _cell(trace, made) if always and not made.shape else made
        made = made.numpy()
    if not isinstance(made, np.ndarray) and not (always and isinstance(made, np.generic)):
        return made
    if not made.ndim:
        return _cell(trace, emit.lift(trace, made)) if always else emit.lift(trace, made)
    array = np.array(made)
    return SymbolicTensor(trace, Literal(trace.scope, array), as_dtype(array.dtype), array.shape)


def _cell(trace: Trace, made: Any) -> SymbolicTensor:
    """An array of its own without dimensions."""
    return SymbolicTensor(trace, Owned(trace.scope, made.ssa), made.dtype, ())
