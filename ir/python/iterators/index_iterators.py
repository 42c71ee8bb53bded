"""NumPy's iterators over the places and elements of arrays: ndindex, ndenumerate, nditer."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from agir.errors import StagingError
from agir.ir.ops.core.recorded import dimension_sizes, tensor
from agir.ir.tensors import dispatch
from agir.ir.tensors.symbolic import SymbolicTensor
from agir.ir.tracing.trace import Trace
from agir.ir.values.sequences import iteration, progressions

Replacement = Callable[..., Any]


def _places(trace: Trace, shape: tuple[Any, ...], item: Callable[[tuple[Any, ...]], Any]) -> Any:
    """What a function makes of the indices of each place, row by row."""
    total: Any = 1
    for size in shape:
        total = total * size

    def at(number: Any) -> Any:
        found: list[Any] = []
        for size in reversed(shape[1:]):
            known = size if isinstance(size, int) else dispatch.call("maximum", size, 1)
            found.append(number % known)
            number = number // known
        return item(tuple([number, *reversed(found)] if shape else []))

    staged = iteration.Mapped(trace, progressions.progression(trace, total), at)
    if not all(isinstance(size, int) for size in shape):
        return staged
    known = (item(place) for place in np.ndindex(*shape))
    return iteration.Known(trace, known, int(total), lambda: staged)


def _ndindex(trace: Trace, *shape: Any) -> Any:
    given = shape[0] if len(shape) == 1 and isinstance(shape[0], (tuple, list)) else shape
    return _places(trace, tuple(_size(each) for each in given), lambda place: place)


def _size(size: Any) -> Any:
    return size if isinstance(size, SymbolicTensor) else operator.index(size)


def _ndenumerate(trace: Trace, arr: Any) -> Any:
    x = tensor(arr)
    return _places(trace, dimension_sizes(x), lambda place: (place, x[place]))


def _nditer(trace: Trace, op: Any, flags: Any = (), op_flags: Any = (), **options: Any) -> Any:
    if isinstance(op, (tuple, list)) or flags or options:
        raise StagingError(
            trace.explain(
                "numpy.nditer() of one array without flags is recorded; use np.ndindex and subscripts"
            )
        )
    x = tensor(op)

    def element(place: tuple[Any, ...]) -> Any:
        key = (*place, Ellipsis)
        return x[key]

    return _places(trace, dimension_sizes(x), element)


REPLACED: dict[Any, Replacement] = {
    np.ndindex: _ndindex,
    np.ndenumerate: _ndenumerate,
    np.nditer: _nditer,
}
"""By the class of NumPy's: what stands for a call of it."""
