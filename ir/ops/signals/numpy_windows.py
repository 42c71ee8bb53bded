"""Windows of signals, and windows that slide over an array."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from agir.ir.building.types import float64, int64
from agir.ir.ops.core import layouts
from agir.ir.ops.core.checked import require
from agir.ir.ops.core.operands import axis_index
from agir.ir.ops.core.rearranged import seen_through
from agir.ir.ops.core.recorded import dimension_size, dimension_sizes, rank, records, tensor
from agir.ir.ops.elementwise.float_parts import i0
from agir.ir.ops.shapes.numpy_creation import creates
from agir.ir.tensors import dispatch
from agir.ir.tensors.symbolic import Dims, SymbolicTensor

call = dispatch.call


def _window(function: Any, shape: Callable[[Any, Any], Any]) -> None:
    """A window of M points: a function of -(M-1), -(M-3), ..., M-1 and of M-1, at least 1."""

    @creates(function)
    def window(M: Any) -> Any:  # noqa: N803 - NumPy's name
        if not isinstance(M, SymbolicTensor):
            return function(M)
        count = call("cast", M, int64)
        points = call("cast", call("range", 1 - count, count, 2), float64)
        return shape(points, call("cast", call("maximum", count - 1, 1), float64))


def _cosines(*factors: float) -> Callable[[Any, Any], Any]:
    """A sum of cosines of multiples of the angle from -pi to pi."""

    def shape(points: Any, size: Any) -> Any:
        angle = call("multiply", call("divide", points, size), np.pi)
        total: Any = factors[0]
        for k, factor in enumerate(factors[1:], 1):
            total = call("add", total, call("multiply", call("cos", angle * k), factor))
        return total

    return shape


_window(np.hanning, _cosines(0.5, 0.5))
_window(np.hamming, _cosines(0.54, 0.46))
_window(np.blackman, _cosines(0.42, 0.5, 0.08))
_window(np.bartlett, lambda points, size: 1.0 - call("abs", points) / size)


@creates(np.kaiser)
def kaiser(M: Any, beta: Any) -> Any:  # noqa: N803 - NumPy's name
    """The Kaiser window."""
    if not isinstance(M, SymbolicTensor) and not isinstance(beta, SymbolicTensor):
        return np.kaiser(M, beta)
    count = call("cast", M, int64)
    points = call("cast", call("range", 1 - count, count, 2), float64)
    share = points / call("cast", call("maximum", count - 1, 1), float64)
    inside = call("sqrt", call("maximum", 1.0 - call("square", share), 0.0))
    return i0(call("multiply", inside, beta)) / i0(call("cast", beta, float64))


@records(np.lib.stride_tricks.sliding_window_view)
def sliding_window_view(
    x: Any, window_shape: Any, axis: Any = None, *, subok: bool = False, writeable: bool = False
) -> Any:
    """Every window of a shape: its place in the first axes, its elements in the last ones."""
    if writeable:
        raise ValueError("sliding_window_view(writeable=True): what is recorded is a copy")
    array = tensor(x)
    sizes = list(window_shape) if isinstance(window_shape, (tuple, list)) else [window_shape]
    given = range(rank(array)) if axis is None else axis
    axes = list(given) if isinstance(given, (tuple, list, range)) else [given]
    if len(axes) != len(sizes):
        raise ValueError(f"{len(sizes)} sizes of a window for {len(axes)} axes")
    places = [axis_index(each, rank(x), "sliding_window_view") for each in axes]

    def arrange(layout: Any, dims: Dims) -> Any:
        inner = [layout.strides[place] for place in places]
        return layouts.stepping(dims, [*layout.strides, *inner])

    _check_windows(array, sizes, places)
    return seen_through(
        array,
        lambda each: functools.reduce(_windows, zip(sizes, places, strict=True), each),
        arrange,
    )


def _check_windows(x: Any, sizes: list[Any], places: list[int]) -> None:
    counts = list(dimension_sizes(x))
    for size, axis in zip(sizes, places, strict=True):
        least, most = call("greater_equal", size, 0), call("less_equal", size, counts[axis])
        require(
            call("logical_and", least, most),
            "the window is larger than the array, or its size is negative",
        )
        counts[axis] = counts[axis] - size + 1


def _windows(x: Any, window: tuple[Any, int]) -> Any:
    """Windows along one axis; their elements become the last axis."""
    size, axis = window
    count = dimension_size(x, axis)
    starts = call("range", call("maximum", count - size + 1, 0), dtype="int64")
    places = starts[:, None] + call("range", size, dtype="int64")
    return call("moveaxis", call("take", x, places, axis), axis + 1, -1)
