"""Convolutions under TensorFlow's names: layouts, padding, groups and the transpose."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from agir.ir.ops.core.operands import composition, dimension_sizes
from agir.ir.ops.signals import windows
from agir.ir.ops.signals.windows import Motion
from agir.ir.tensors import dispatch
from agir.ir.tensors.likes import TensorLike

call = dispatch.call


def _checked(name: str, x: Any, filters: Any, rank: int) -> tuple[Any, Any]:
    kinds = [dispatch.type_of(v, name) for v in (x, filters)]
    ranks = [getattr(kind, "rank", 0) for kind in kinds]
    if ranks[0] < rank + 2 or ranks[1] != rank + 2:
        raise ValueError(
            f"{name}() takes an input of {rank + 2} dimensions (or more: then those before the last "
            f"{rank + 1} are the batch) and filters of {rank + 2}, not {ranks[0]} and {ranks[1]}"
        )
    return x, filters


def convolve(
    name: str,
    x: Any,
    filters: Any,
    rank: int,
    strides: Any,
    padding: Any,
    data_format: str | None,
    dilations: Any,
) -> Any:
    """A convolution over the last ``rank`` places of ``x``; groups follow from the channels."""
    x, filters = _checked(name, x, filters, rank)
    first = windows.layout(data_format, rank, name)
    strides = windows.spatial(1 if strides is None else strides, rank, first, "strides", name)
    dilations = windows.spatial(
        1 if dilations is None else dilations, rank, first, "dilations", name
    )
    batch = dimension_sizes(x)[: -rank - 1]
    if len(batch) > 1:
        x = call("reshape", x, (-1, *dimension_sizes(x)[-rank - 1 :]))
    x, filters = _padded(name, x, filters, rank, strides, padding, first, dilations)
    groups = _groups(name, x, filters, first)
    if groups > 1:
        x, filters = _grouped(x, filters, first, groups)
    made = call("convolve", x, filters, strides, dilations, first)
    if groups > 1:
        made = _merged(made, rank, first)
    return call("reshape", made, (*batch, *dimension_sizes(made)[1:])) if len(batch) > 1 else made


def _padded(
    name: str,
    x: Any,
    filters: Any,
    rank: int,
    strides: Sequence[int],
    padding: Any,
    first: bool,
    dilations: Sequence[int],
) -> tuple[Any, Any]:
    sizes = dimension_sizes(filters)[:rank]
    motions = [Motion(*m) for m in zip(sizes, strides, dilations, strict=True)]
    axes = range(2, 2 + rank) if first else range(1, 1 + rank)
    widths = windows.paddings(padding, [dimension_sizes(x)[a] for a in axes], motions, first, name)
    return windows.pad(x, axes, widths, 0), filters


def _groups(name: str, x: Any, filters: Any, first: bool) -> int:
    """How many groups of channels there are: each reads as many as the filters have."""
    channels = dispatch.type_of(x).shape[1 if first else -1]
    inputs, outputs = dispatch.type_of(filters).shape[-2:]
    if channels is None or inputs is None:
        return 1
    if inputs == 0 or channels % inputs:
        raise ValueError(
            f"{name}(): the input has {channels} channels, which is no multiple of the {inputs} "
            "that the filters take"
        )
    groups = channels // inputs
    if outputs is not None and groups and outputs % groups:
        raise ValueError(f"{name}(): {outputs} output channels do not fall into {groups} groups")
    return int(groups) or 1


def _grouped(x: Any, filters: Any, first: bool, groups: int) -> tuple[Any, Any]:
    batch, *rest = dimension_sizes(x)
    places, channels = (rest[1:], rest[0]) if first else (rest[:-1], rest[-1])
    split = (groups, channels // groups)
    shape = (batch, *split, *places) if first else (batch, *places, *split)
    *window, inputs, outputs = dimension_sizes(filters)
    return (
        call("reshape", x, shape),
        call("reshape", filters, (*window, inputs, groups, outputs // groups)),
    )


def _merged(x: Any, rank: int, first: bool) -> Any:
    """The result with its groups and their channels in one axis."""
    every = dimension_sizes(x)
    at = 1 if first else 1 + rank
    return call("reshape", x, (*every[:at], every[at] * every[at + 1], *every[at + 2 :]))


@composition("input", "filters")
def conv1d(
    input: TensorLike,
    filters: TensorLike,
    stride: Any,
    padding: Any,
    data_format: str | None = "NWC",
    dilations: Any = None,
    name: str | None = None,
) -> Any:
    """A convolution over one axis: input ``[batch, width, channels]`` (``NWC``, or ``NCW``).

    >>> ag.nn.conv1d([[[1.0], [2.0], [3.0]]], [[[1.0]], [[1.0]]], 1, "VALID").numpy()
    array([[[3.],
            [5.]]], dtype=float32)

    Shapes: input [batch, w, c], filters [k, c, o] -> [batch, w', o]
    Dtypes: int, uint, float -> the same
    Raises: OperandValueError where channels or formats do not fit; OperandTypeError for other
        dtypes
    """
    return convolve("conv1d", input, filters, 1, stride, padding, data_format, dilations)


@composition("input", "filters")
def conv2d(
    input: TensorLike,
    filters: TensorLike,
    strides: Any,
    padding: Any,
    data_format: str | None = "NHWC",
    dilations: Any = None,
    name: str | None = None,
) -> Any:
    """A convolution over two axes: input ``[batch, height, width, channels]`` (``NHWC``, ``NCHW``).

    Filters are ``[height, width, channels, outputs]``; where they take fewer channels than there
    are, these fall into groups.  ``padding`` is ``"SAME"``, ``"VALID"`` or a pair for each axis.

    >>> ag.nn.conv2d(ag.ones([1, 4, 4, 2]), ag.ones([3, 3, 2, 5]), 1, "SAME").shape
    (1, 4, 4, 5)

    Shapes: input [batch, h, w, c], filters [k, l, c, o] -> [batch, h', w', o]
    Dtypes: int, uint, float -> the same
    Raises: OperandValueError where channels or formats do not fit; OperandTypeError for other
        dtypes
    """
    return convolve("conv2d", input, filters, 2, strides, padding, data_format, dilations)


@composition("input", "filters")
def conv3d(
    input: TensorLike,
    filters: TensorLike,
    strides: Any,
    padding: Any,
    data_format: str | None = "NDHWC",
    dilations: Any = None,
    name: str | None = None,
) -> Any:
    """A convolution over three axes: input ``[batch, depth, height, width, channels]``.

    >>> ag.nn.conv3d(ag.ones([1, 4, 4, 4, 2]), ag.ones([2, 2, 2, 2, 5]), [1, 1, 1, 1, 1], "SAME").shape
    (1, 4, 4, 4, 5)

    Shapes: input [batch, d, h, w, c], filters [k, l, m, c, o] -> [batch, d', h', w', o]
    Dtypes: int, uint, float -> the same
    Raises: OperandValueError where channels or formats do not fit; OperandTypeError for other
        dtypes
    """
    return convolve("conv3d", input, filters, 3, strides, padding, data_format, dilations)


@composition("input", "filters")
def convolution(
    input: TensorLike,
    filters: TensorLike,
    strides: Any = None,
    padding: Any = "VALID",
    data_format: str | None = None,
    dilations: Any = None,
    name: str | None = None,
) -> Any:
    """A convolution over as many axes as the filters have beside their channels, up to three.

    >>> ag.nn.convolution(ag.ones([1, 4, 2]), ag.ones([2, 2, 5])).shape
    (1, 3, 5)

    Shapes: input [batch, w, c], filters [k, c, o] -> [batch, w', o]; up to three axes
    Dtypes: int, uint, float -> the same
    Raises: OperandValueError where channels or formats do not fit; OperandTypeError for other
        dtypes
    """
    rank = dispatch.type_of(filters).rank - 2
    if not 1 <= rank <= 3:
        raise ValueError(f"convolution() takes filters of 3 to 5 dimensions, not {rank + 2}")
    return convolve("convolution", input, filters, rank, strides, padding, data_format, dilations)


@composition("input", "filter")
def depthwise_conv2d(
    input: TensorLike,
    filter: TensorLike,
    strides: Any,
    padding: Any,
    data_format: str | None = None,
    dilations: Any = None,
    name: str | None = None,
) -> Any:
    """Each channel by itself: filters ``[height, width, channels, multiplier]``.

    The results for one channel stand next to each other.

    >>> ag.nn.depthwise_conv2d(ag.ones([1, 4, 4, 2]), ag.ones([3, 3, 2, 1]), [1, 1, 1, 1], "SAME").shape
    (1, 4, 4, 2)

    Shapes: input [batch, h, w, c], filter [k, l, c, m] -> [batch, h', w', o]; o is c * m
    Dtypes: int, uint, float -> the same
    Raises: OperandValueError where channels or formats do not fit; OperandTypeError for other
        dtypes
    """
    height, width, channels, multiplier = dimension_sizes(filter)
    grouped = call("reshape", filter, (height, width, 1, channels * multiplier))
    return convolve("depthwise_conv2d", input, grouped, 2, strides, padding, data_format, dilations)


@composition("input", "depthwise_filter", "pointwise_filter")
def separable_conv2d(
    input: TensorLike,
    depthwise_filter: TensorLike,
    pointwise_filter: TensorLike,
    strides: Any,
    padding: Any,
    data_format: str | None = None,
    dilations: Any = None,
    name: str | None = None,
) -> Any:
    """A depthwise convolution, and then one of windows of one element that mixes the channels.

    >>> x, filters, mix = ag.ones([1, 4, 4, 2]), ag.ones([3, 3, 2, 1]), ag.ones([1, 1, 2, 5])
    >>> ag.nn.separable_conv2d(x, filters, mix, [1, 1, 1, 1], "SAME").shape
    (1, 4, 4, 5)

    Shapes: input [batch, h, w, c], depthwise_filter [k, l, c, m], pointwise_filter [1, 1, cm,
        o] -> [batch, h', w', o]; cm is c * m
    Dtypes: int, uint, float -> the same
    Raises: OperandValueError where channels or formats do not fit; OperandTypeError for other
        dtypes
    """
    deep = depthwise_conv2d(input, depthwise_filter, strides, padding, data_format, dilations)
    return convolve("separable_conv2d", deep, pointwise_filter, 2, 1, "VALID", data_format, 1)


# The transpose of a convolution: each element of the input adds a filter to the result.


def _spread(x: Any, axes: Sequence[int], strides: Sequence[int]) -> Any:
    """The array with ``stride - 1`` zeros after each element along the axes."""
    for axis, stride in zip(axes, strides, strict=True):
        if stride == 1:
            continue
        every = dimension_sizes(x)
        wide = call("expand_dims", x, axis + 1)
        wide = windows.pad(wide, [axis + 1], [(0, stride - 1)], 0)
        x = call("reshape", wide, (*every[:axis], every[axis] * stride, *every[axis + 1 :]))
    return x


def transposed(
    name: str,
    x: Any,
    filters: Any,
    rank: int,
    output_shape: Any,
    strides: Any,
    padding: Any,
    data_format: str | None,
    dilations: Any,
) -> Any:
    """The array whose convolution with the filters reads each of its elements as ``x`` says."""
    x, filters = _checked(name, x, filters, rank)
    first = windows.layout(data_format, rank, name)
    strides = windows.spatial(strides, rank, first, "strides", name)
    dilations = windows.spatial(
        1 if dilations is None else dilations, rank, first, "dilations", name
    )
    axes = range(2, 2 + rank) if first else range(1, 1 + rank)
    target = list(output_shape)
    if len(target) == rank + 2:
        target = [target[axis] for axis in axes]
    motions = [
        Motion(*m) for m in zip(dimension_sizes(filters)[:rank], strides, dilations, strict=True)
    ]
    before = [low for low, _ in windows.paddings(padding, target, motions, first, name)]
    _check_sizes(name, x, axes, target, motions, padding)
    x = _spread(x, axes, strides)
    widths, cuts = [], []
    for axis, motion, wanted, low in zip(axes, motions, target, before, strict=True):
        reach = motion.span() - 1
        widths.append((reach, reach + motion.stride))
        cuts.append((axis, low, wanted))
    x = windows.pad(x, axes, widths, 0)
    turned = call("flip", filters, list(range(rank)))
    order = [*range(rank), rank + 1, rank]
    made = convolve(
        name, x, call("transpose", turned, order), rank, 1, "VALID", data_format, dilations
    )
    key: list[Any] = [slice(None)] * (rank + 2)
    for axis, low, wanted in cuts:
        key[axis] = slice(low, low + wanted)
    return call("getitem", made, tuple(key))


def _check_sizes(
    name: str, x: Any, axes: Any, target: Sequence[Any], motions: Sequence[Motion], padding: Any
) -> None:
    """The convolution of the result must have the sizes of ``x``."""
    same = isinstance(padding, str) and padding.upper() == "SAME"
    for axis, wanted, motion in zip(axes, target, motions, strict=True):
        size = dimension_sizes(x)[axis]
        if not all(isinstance(v, int) for v in (size, wanted, motion.size)):
            continue
        rest = 0 if same else motion.span() - 1
        if isinstance(padding, str) and -(-(wanted - rest) // motion.stride) != size:
            raise ValueError(
                f"{name}(): a size of {wanted} in output_shape does not belong to {size} in "
                f"the input, with strides of {motion.stride} and padding {padding!r}"
            )


@composition("input", "filters")
def conv1d_transpose(
    input: TensorLike,
    filters: TensorLike,
    output_shape: Any,
    strides: Any,
    padding: Any = "SAME",
    data_format: str | None = "NWC",
    dilations: Any = None,
    name: str | None = None,
) -> Any:
    """The transpose of ``conv1d``; filters are ``[width, outputs, channels]``.

    >>> ag.nn.conv1d_transpose([[[1.0], [2.0]]], [[[1.0]], [[1.0]]], [1, 3, 1], 1, "VALID").numpy()
    array([[[1.],
            [3.],
            [2.]]], dtype=float32)

    Shapes: input [batch, w, c], filters [k, o, c] -> [batch, w', o]
    Dtypes: int, uint, float -> the same
    Raises: OperandValueError where channels or formats do not fit; OperandTypeError for other
        dtypes
    """
    return transposed(
        "conv1d_transpose",
        input,
        filters,
        1,
        output_shape,
        strides,
        padding,
        data_format,
        dilations,
    )


@composition("input", "filters")
def conv2d_transpose(
    input: TensorLike,
    filters: TensorLike,
    output_shape: Any,
    strides: Any,
    padding: Any = "SAME",
    data_format: str | None = "NHWC",
    dilations: Any = None,
    name: str | None = None,
) -> Any:
    """The transpose of ``conv2d``; filters are ``[height, width, outputs, channels]``.

    >>> ag.nn.conv2d_transpose(ag.ones([1, 2, 2, 3]), ag.ones([2, 2, 5, 3]), [1, 4, 4, 5], 2).shape
    (1, 4, 4, 5)

    Shapes: input [batch, h, w, c], filters [k, l, o, c] -> [batch, h', w', o]
    Dtypes: int, uint, float -> the same
    Raises: OperandValueError where channels or formats do not fit; OperandTypeError for other
        dtypes
    """
    return transposed(
        "conv2d_transpose",
        input,
        filters,
        2,
        output_shape,
        strides,
        padding,
        data_format,
        dilations,
    )


@composition("input", "filters")
def conv3d_transpose(
    input: TensorLike,
    filters: TensorLike,
    output_shape: Any,
    strides: Any,
    padding: Any = "SAME",
    data_format: str | None = "NDHWC",
    dilations: Any = None,
    name: str | None = None,
) -> Any:
    """The transpose of ``conv3d``; filters are ``[depth, height, width, outputs, channels]``.

    >>> x, filters = ag.ones([1, 2, 2, 2, 3]), ag.ones([2, 2, 2, 5, 3])
    >>> ag.nn.conv3d_transpose(x, filters, [1, 4, 4, 4, 5], 2).shape
    (1, 4, 4, 4, 5)

    Shapes: input [batch, d, h, w, c], filters [k, l, m, o, c] -> [batch, d', h', w', o]
    Dtypes: int, uint, float -> the same
    Raises: OperandValueError where channels or formats do not fit; OperandTypeError for other
        dtypes
    """
    return transposed(
        "conv3d_transpose",
        input,
        filters,
        3,
        output_shape,
        strides,
        padding,
        data_format,
        dilations,
    )
