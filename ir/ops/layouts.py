"""How the elements of an array would lie in NumPy's memory, which decides what a reshape is.

NumPy's ``reshape`` is a view where steps through memory can express it, and a copy elsewhere, and a
program sees the difference when it writes.  A layout is a NumPy array of that shape and those steps
which has no memory behind it and is never read.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from agir.ir.symbolic import Dims, SymbolicTensor
from agir.ir.views import Selection, View

_unknown = [7]
"""What stands for an extent that only the run time knows: steps do not depend on which it is."""

Layout = Any


@contextmanager
def unknown(extent: int) -> Iterator[None]:
    """While it lasts, this is what stands for extents that only the run time knows."""
    _unknown.append(extent)
    try:
        yield
    finally:
        _unknown.pop()


def sizes(dims: Dims) -> tuple[int, ...]:
    """The extents as numbers."""
    return tuple(d if isinstance(d, int) else _unknown[-1] for d in dims)


def layout_of(tensor: SymbolicTensor) -> Layout:
    """The layout of an array: its own, or that of a view of another one."""
    storage = tensor.storage
    if isinstance(storage, View):
        return selected(layout_of(storage.base), storage.selection)
    arrange = getattr(storage, "arrange", None)
    if arrange is not None:
        found = arrange(layout_of(storage.base))
        if found is not None:
            return found
    elif tensor.shared:
        tensor.trace.arranged = True
    return _contiguous(sizes(tensor.dims))


def _contiguous(shape: Sequence[int]) -> Layout:
    steps = [1] * len(shape)
    for axis in range(len(shape) - 2, -1, -1):
        steps[axis] = steps[axis + 1] * max(shape[axis + 1], 1)
    return _layout(shape, steps)


def _layout(shape: Sequence[int], steps: Sequence[int]) -> Layout:
    return np.lib.stride_tricks.as_strided(np.empty(1, np.int8), tuple(shape), tuple(steps))


def selected(base: Layout, selection: Selection) -> Layout:
    """The layout of a part of an array."""
    shape, steps = [], []
    for place in selection.layout:
        if place is None:
            shape.append(1)
            steps.append(0)
            continue
        axis = selection.axes[place]
        shape.append(axis.dim if isinstance(axis.dim, int) else _unknown[-1])
        steps.append(base.strides[place] * axis.stride * (-1 if axis.reverse else 1))
    return _layout(shape, steps)


def reshaped(layout: Layout, dims: Dims) -> Layout | None:
    """The layout in other dimensions; None where NumPy copies."""
    shape = list(sizes(dims))
    unknown = [axis for axis, d in enumerate(dims) if not isinstance(d, int)]
    if len(unknown) == 1:
        shape[unknown[0]] = -1
    elif unknown:
        return _contiguous(shape) if layout.flags.c_contiguous else None
    if _unknown[-1] in layout.shape and layout.flags.c_contiguous:
        return _contiguous(sizes(dims))
    view = layout.view()
    try:
        view.shape = tuple(shape)
    except (AttributeError, ValueError):
        return None
    return view


def repeated(layout: Layout, dims: Dims) -> Layout | None:
    """The layout of an array that is broadcast."""
    shape = sizes(dims)
    try:
        return np.broadcast_to(layout, shape)
    except ValueError:  # which extents are repeated only the run time knows
        return None
