"""Arrays without dimensions as arguments, under NumPy's conventions: they can be written into.

Compiled code takes a scalar by value, so such an array is passed as one of a single element in the same
memory, and the function gets the element of that, which writes through.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from agir.ir.tensors import dispatch
from agir.ir.tensors.symbolic import SymbolicTensor
from agir.ir.tracing.trace import Trace


class Element(np.ndarray[Any, Any]):
    """The element of an array without dimensions, in one dimension, which remembers the array."""

    source: Any


class Boxed(NamedTuple):
    """An array without dimensions among the arguments of a call."""

    column: Any


class Unboxed(SymbolicTensor):
    """What the function gets for it."""

    __slots__ = ("column",)

    column: SymbolicTensor


def is_box(value: Any) -> bool:
    """Whether an argument is an array without dimensions."""
    return isinstance(value, np.ndarray) and not value.ndim and not isinstance(value, Element)


def boxed(array: Any) -> Boxed:
    """The array as it is passed."""
    column = array.reshape(1).view(Element)
    column.source = array
    return Boxed(column)


def unboxed(trace: Trace, box: Boxed) -> Unboxed:
    """The array as the function gets it."""
    with trace.at_user_line():
        element = dispatch.call("getitem", box.column, (Ellipsis, 0))
    made = Unboxed(trace, element.storage, element.dtype, ())
    made.column = box.column
    return made
