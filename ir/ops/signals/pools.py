"""Pooling under TensorFlow's names."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

from agir.ir.ops.core.operands import composition, dimension_sizes
from agir.ir.ops.signals import windows
from agir.ir.ops.signals.pooling import identity
from agir.ir.ops.signals.windows import Motion
from agir.ir.tensors import dispatch
from agir.ir.tensors.likes import TensorLike

call = dispatch.call


def pooled(
    name: str,
    x: Any,
    kind: str,
    rank: int,
    ksize: Any,
    strides: Any,
    padding: Any,
    data_format: str | None,
    dilations: Any = None,
) -> Any:
    """The greatest (``"MAX"``) or the mean (``"AVG"``) of each window; padding does not count."""
    given = dispatch.type_of(x, name)
    if getattr(given, "rank", 0) != rank + 2:
        raise ValueError(f"{name}() takes an input of {rank + 2} dimensions, not {given}")
    if given.dtype.is_complex or (kind == "AVG" and not given.dtype.is_floating):
        raise TypeError(f"{name}() is not defined for {given.dtype}")
    first = windows.layout(data_format, rank, name)
    window = windows.spatial(ksize, rank, first, "ksize", name)
    steps = windows.spatial(window if strides is None else strides, rank, first, "strides", name)
    apart = windows.spatial(1 if dilations is None else dilations, rank, first, "dilations", name)
    axes = list(range(2, 2 + rank) if first else range(1, 1 + rank))
    motions = [Motion(*m) for m in zip(window, steps, apart, strict=True)]
    every = dimension_sizes(x)
    widths = windows.paddings(padding, [every[a] for a in axes], motions, first, name)
    combine = {"MAX": "max", "AVG": "sum"}[kind]
    moved = (combine, axes, window, steps, apart)
    padded = windows.pad(x, axes, widths, identity(combine, given.dtype))
    found = call("pool_windows", padded, *moved)
    if kind == "MAX":
        return found
    return call("divide", found, _counts(every, axes, widths, moved, given.dtype, window))


def _counts(
    every: Sequence[Any], axes: Any, widths: Any, moved: Any, dtype: Any, window: Any
) -> Any:
    """How many elements of each window are no padding."""
    if all(type(w) is int and w == 0 for pair in widths for w in pair):
        return float(prod(window))
    shape = [every[a] if a in axes else 1 for a in range(len(every))]
    ones = call("full", tuple(shape), 1.0, dtype)
    return call("pool_windows", windows.pad(ones, axes, widths, 0), *moved)


def _named(name: str, kind: str, rank: int, data_format: str) -> Any:
    @composition("input")
    def pool(
        input: Any,
        ksize: Any,
        strides: Any,
        padding: Any,
        data_format: str | None = data_format,
        name: str | None = None,
    ) -> Any:
        return pooled(pool.__name__, input, kind, rank, ksize, strides, padding, data_format)

    what = "The greatest element" if kind == "MAX" else "The mean"
    places = {1: "one axis", 2: "two axes", 3: "three axes"}[rank]
    pool.__name__ = pool.__qualname__ = name
    axes = "dhw"[-rank:] if rank > 1 else "w"
    inside, outside = ", ".join(axes), ", ".join(f"{each}'" for each in axes)
    pool.__doc__ = f"""{what} of each window that moves over {places}; padding does not count.

    >>> ag.nn.{name}(ag.ones({[1, *[4] * rank, 2]}), 2, 2, "VALID").shape
    {(1, *[2] * rank, 2)}

    Shapes: input [batch, {inside}, c] -> [batch, {outside}, c]
    Dtypes: {"int, uint, float" if kind == "MAX" else "float"} -> the same
    Raises: OperandValueError for a padding or format that is none; OperandTypeError for other dtypes
    """
    return pool


max_pool1d = _named("max_pool1d", "MAX", 1, "NWC")
max_pool2d = _named("max_pool2d", "MAX", 2, "NHWC")
max_pool3d = _named("max_pool3d", "MAX", 3, "NDHWC")
avg_pool1d = _named("avg_pool1d", "AVG", 1, "NWC")
avg_pool2d = _named("avg_pool2d", "AVG", 2, "NHWC")
avg_pool3d = _named("avg_pool3d", "AVG", 3, "NDHWC")


def _any_rank(name: str, given: Any) -> int:
    rank = int(getattr(dispatch.type_of(given, name), "rank", 0)) - 2
    if not 1 <= rank <= 3:
        raise ValueError(f"{name}() takes an input of 3 to 5 dimensions, not {rank + 2}")
    return rank


@composition("input")
def max_pool(
    input: TensorLike,
    ksize: Any,
    strides: Any,
    padding: Any,
    data_format: str | None = None,
    name: str | None = None,
) -> Any:
    """The greatest element of each window over one to three axes.

    >>> ag.nn.max_pool(ag.ones([1, 4, 4, 2]), 2, 2, "VALID").shape
    (1, 2, 2, 2)

    Shapes: input [batch, h, w, c] -> [batch, h', w', c]; or one axis, or three
    Dtypes: int, uint, float -> the same
    Raises: OperandValueError for a padding or format that is none; OperandTypeError for other
        dtypes
    """
    rank = _any_rank("max_pool", input)
    return pooled("max_pool", input, "MAX", rank, ksize, strides, padding, data_format)


@composition("input")
def avg_pool(
    input: TensorLike,
    ksize: Any,
    strides: Any,
    padding: Any,
    data_format: str | None = None,
    name: str | None = None,
) -> Any:
    """The mean of each window over one to three axes; padding does not count.

    >>> ag.nn.avg_pool(ag.ones([1, 4, 4, 2]), 2, 2, "VALID").shape
    (1, 2, 2, 2)

    Shapes: input [batch, h, w, c] -> [batch, h', w', c]; or one axis, or three
    Dtypes: float -> the same
    Raises: OperandValueError for a padding or format that is none; OperandTypeError for other
        dtypes
    """
    rank = _any_rank("avg_pool", input)
    return pooled("avg_pool", input, "AVG", rank, ksize, strides, padding, data_format)


@composition("input")
def pool(
    input: TensorLike,
    window_shape: Any,
    pooling_type: str,
    strides: Any = None,
    padding: Any = "VALID",
    data_format: str | None = None,
    dilations: Any = None,
    name: str | None = None,
) -> Any:
    """Pooling of the kind ``"MAX"`` or ``"AVG"``, with steps of 1 where no strides are given.

    >>> ag.nn.pool(ag.ones([1, 4, 2]), [2], "MAX").shape
    (1, 3, 2)

    Shapes: input [batch, w, c] -> [batch, w', c]; up to three axes
    Dtypes: int, uint, float -> the same
    Raises: OperandValueError for a kind, padding or format that is none; OperandTypeError for
        other dtypes
    """
    if pooling_type not in ("MAX", "AVG"):
        raise ValueError(f"pool(): pooling_type is 'MAX' or 'AVG', not {pooling_type!r}")
    rank = _any_rank("pool", input)
    steps = 1 if strides is None else strides
    return pooled(
        "pool", input, pooling_type, rank, window_shape, steps, padding, data_format, dilations
    )
