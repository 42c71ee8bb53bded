"""Normalization, dropout and rearrangements of neural networks under TensorFlow's names."""

from __future__ import annotations

from typing import Any

from agir.ir.building.types import float32
from agir.ir.ops.core.operands import composition, dimension_sizes
from agir.ir.ops.elementwise.activations import as_float
from agir.ir.tensors import dispatch
from agir.ir.tensors.likes import AxisLike, TensorLike

call = dispatch.call


@composition("value", "bias")
def bias_add(
    value: TensorLike, bias: TensorLike, data_format: str | None = None, name: str | None = None
) -> Any:
    """The bias added to each channel, the last axis; the second one where the format is ``NC...``.

    >>> ag.nn.bias_add([[1.0, 2.0]], [10.0, 20.0]).numpy()
    array([[11., 22.]], dtype=float32)

    Shapes: value [..., c], bias [c] -> [..., c]
    Dtypes: bool, int, uint, float, complex -> the same
    Raises: OperandValueError where the channels differ in number
    """
    kinds = [dispatch.type_of(v, "bias_add") for v in (value, bias)]
    if kinds[1].rank != 1 or kinds[0].rank < 2:
        raise ValueError(
            f"bias_add() takes a value of two dimensions or more and a vector, not {kinds[0]} and "
            f"{kinds[1]}"
        )
    if data_format is not None and not data_format.startswith("N"):
        raise ValueError(f"bias_add(): data_format is 'N...C' or 'NC...', not {data_format!r}")
    axis = 1 if data_format is not None and data_format.startswith("NC") else -1
    channels = kinds[0].shape[axis]
    if None not in (channels, kinds[1].shape[0]) and channels != kinds[1].shape[0]:
        raise ValueError(f"bias_add(): {kinds[1].shape[0]} biases for {channels} channels")
    if axis == 1:
        bias = call("reshape", bias, (-1, *[1] * (kinds[0].rank - 2)))
    return call("add", value, bias)


def _square(x: Any) -> Any:
    if dispatch.type_of(x).dtype.is_complex:
        return call("real", call("multiply", x, call("conj", x)))
    return call("multiply", x, x)


@composition("x")
def l2_normalize(
    x: TensorLike, axis: AxisLike = None, epsilon: Any = 1e-12, name: str | None = None
) -> Any:
    """``x`` divided by the square root of its sum of squares along the axes, or of ``epsilon``.

    >>> ag.math.l2_normalize([3.0, 4.0]).numpy()
    array([0.6, 0.8], dtype=float32)

    Shapes: x [...] -> [...]
    Dtypes: bool, int, uint -> float64; float, complex -> the same
    Raises: OperandTypeError for what is no tensor
    """
    total = call("maximum", call("sum", _square(x), axis, keepdims=True), epsilon)
    return call("multiply", x, call("rsqrt", total))


@composition("x")
def moments(
    x: TensorLike,
    axes: AxisLike,
    shift: Any = None,
    keepdims: bool = False,
    name: str | None = None,
) -> tuple[Any, Any]:
    """The mean and the variance over the axes; half precision is computed in float32.

    >>> ag.nn.moments([1.0, 3.0], axes=[0])[1].numpy()
    np.float32(1.0)

    Shapes: x [...] -> [...] without the axes, twice
    Dtypes: float -> the same
    Raises: OperandValueError for an axis that the tensor has not; OperandTypeError for other
        dtypes
    """
    x = as_float(x, "moments")
    dtype = dispatch.type_of(x).dtype
    wide = call("cast", x, float32) if dtype.is_storage_only else x
    mean = call("mean", wide, axes, keepdims=True)
    centred = call("subtract", wide, mean)
    variance = call("mean", call("multiply", centred, centred), axes, keepdims=keepdims)
    mean = mean if keepdims else call("mean", wide, axes)
    return call("cast", mean, dtype), call("cast", variance, dtype)


@composition("x", "mean", "variance", "offset", "scale")
def batch_normalization(
    x: TensorLike,
    mean: TensorLike,
    variance: TensorLike,
    offset: TensorLike,
    scale: TensorLike,
    variance_epsilon: Any,
    name: str | None = None,
) -> Any:
    """``(x - mean) / sqrt(variance + variance_epsilon)`` times ``scale`` plus ``offset``.

    ``scale`` and ``offset`` may be None.

    >>> ag.nn.batch_normalization([[1.0], [3.0]], [2.0], [1.0], None, None, 0.0).numpy().ravel()
    array([-1.,  1.], dtype=float32)

    Shapes: x [..., c], mean [c], variance [c] -> [..., c]; offset and scale as well
    Dtypes: bool, int, uint -> float64; float, complex -> the same
    Raises: OperandTypeError for what is no tensor
    Source: Ioffe and Szegedy 2015, Batch normalization
    """
    factor = call("rsqrt", call("add", variance, variance_epsilon))
    if scale is not None:
        factor = call("multiply", factor, scale)
    shift = call("negative", call("multiply", mean, factor))
    if offset is not None:
        shift = call("add", offset, shift)
    return call("add", call("multiply", x, factor), shift)


@composition("input", "bias")
def local_response_normalization(
    input: TensorLike,
    depth_radius: int = 5,
    bias: float = 1,
    alpha: Any = 1,
    beta: Any = 0.5,
    name: str | None = None,
) -> Any:
    """Each element divided by a power of the sum of squares of the channels around it.

    >>> ag.nn.local_response_normalization(ag.ones([1, 1, 1, 2]), 1).shape
    (1, 1, 1, 2)

    Shapes: input [batch, h, w, c] -> [batch, h, w, c]
    Dtypes: float -> the same
    Raises: OperandTypeError for other dtypes
    Source: Krizhevsky et al. 2012, ImageNet classification
    """
    x = as_float(input, "local_response_normalization")
    kind = dispatch.type_of(x)
    if kind.rank != 4:
        raise ValueError(f"local_response_normalization() takes four dimensions, not {kind}")
    padded = call("pad", call("multiply", x, x), [(0, 0)] * 3 + [(depth_radius, depth_radius)])
    sums = call("pool_windows", padded, "sum", [3], [2 * depth_radius + 1], [1], [1])
    divisor = call(
        "power", call("add", call("multiply", sums, float(alpha)), float(bias)), float(beta)
    )
    return call("divide", x, divisor)


def dropped(x: Any, rate: Any, noise_shape: Any, draw: Any, name: str) -> Any:
    """Elements set to 0 with probability ``rate``, the others divided by ``1 - rate``.

    ``draw(shape, dtype)`` gives uniform numbers; axes where ``noise_shape`` is 1 share theirs.
    """
    x = as_float(x, name)
    fixed = isinstance(rate, (int, float))
    if fixed and not 0 <= rate < 1:
        raise ValueError(f"{name}(): rate is at least 0 and less than 1, not {rate}")
    if fixed and rate == 0:
        return x
    shape = dimension_sizes(x)
    if noise_shape is not None:
        given = list(noise_shape)
        shape = tuple(s if n is None else n for s, n in zip(shape, given, strict=True))
    kept = call("greater_equal", draw(shape, dispatch.type_of(x).dtype), rate)
    scaled = call("divide", x, call("subtract", 1.0, rate) if not fixed else 1.0 - rate)
    return call("where", kept, scaled, 0.0)


@composition("value")
def zero_fraction(value: TensorLike, name: str | None = None) -> Any:
    """The share of the elements that are 0, as float32.

    >>> ag.math.zero_fraction([0.0, 1.0]).numpy()
    np.float32(0.5)

    Shapes: value [...] -> []
    Dtypes: bool, int, uint, float, complex -> float32
    Raises: OperandTypeError for what is no tensor
    """
    return call("mean", call("cast", call("equal", value, 0), float32))


@composition("params", "ids")
def embedding_lookup(
    params: TensorLike, ids: TensorLike, max_norm: Any = None, name: str | None = None
) -> Any:
    """The rows of ``params`` at the ids; scaled down to the norm ``max_norm`` where it is given.

    >>> ag.nn.embedding_lookup([[1.0, 2.0], [3.0, 4.0]], [1, 0]).numpy()
    array([[3., 4.],
           [1., 2.]], dtype=float32)

    Shapes: params [n, ...], ids [m] -> [m, ...]; ids of any shape
    Dtypes: bool, int, uint, float, complex -> the same
    Raises: RuntimeIndexError for an id outside
    """
    rows = call("gather", params, ids, 0)
    if max_norm is None:
        return rows
    axes = list(range(dispatch.type_of(ids).rank, dispatch.type_of(rows).rank))
    norm = call("sqrt", call("sum", call("multiply", rows, rows), axes, keepdims=True))
    wide = call("where", call("greater", norm, max_norm), norm, max_norm)
    return call("divide", call("multiply", rows, max_norm), wide)


# Blocks of places as channels.


def _block_axes(x: Any, block_size: int, data_format: str, name: str) -> bool:
    kind = dispatch.type_of(x, name)
    if data_format not in ("NHWC", "NCHW"):
        raise ValueError(f"{name}(): data_format is 'NHWC' or 'NCHW', not {data_format!r}")
    if kind.rank != 4 or block_size < 2:
        raise ValueError(f"{name}() takes four dimensions and blocks of 2 or more, not {kind}")
    return data_format == "NCHW"


def _exactly(name: str, size: Any, by: int) -> Any:
    if isinstance(size, int) and size % by:
        raise ValueError(f"{name}(): a size of {size} does not fall into parts of {by}")
    return size // by


@composition("input")
def space_to_depth(
    input: TensorLike, block_size: int, data_format: str = "NHWC", name: str | None = None
) -> Any:
    """Blocks of ``block_size`` by ``block_size`` places become channels of one place.

    >>> ag.nn.space_to_depth(ag.ones([1, 4, 4, 1]), 2).shape
    (1, 2, 2, 4)

    Shapes: input [batch, h, w, c] -> [batch, h', w', c']
    Dtypes: bool, int, uint, float, complex -> the same
    Raises: OperandValueError for sizes that do not divide
    """
    first = _block_axes(input, block_size, data_format, "space_to_depth")
    x = call("transpose", input, [0, 2, 3, 1]) if first else input
    batch, height, width, channels = dimension_sizes(x)
    height, width = (_exactly("space_to_depth", e, block_size) for e in (height, width))
    x = call("reshape", x, (batch, height, block_size, width, block_size, channels))
    x = call("transpose", x, [0, 1, 3, 2, 4, 5])
    x = call("reshape", x, (batch, height, width, channels * block_size**2))
    return call("transpose", x, [0, 3, 1, 2]) if first else x


@composition("input")
def depth_to_space(
    input: TensorLike, block_size: int, data_format: str = "NHWC", name: str | None = None
) -> Any:
    """Channels become blocks of ``block_size`` by ``block_size`` places.

    >>> ag.nn.depth_to_space(ag.ones([1, 2, 2, 4]), 2).shape
    (1, 4, 4, 1)

    Shapes: input [batch, h, w, c] -> [batch, h', w', c']
    Dtypes: bool, int, uint, float, complex -> the same
    Raises: OperandValueError for channels that do not divide
    """
    first = _block_axes(input, block_size, data_format, "depth_to_space")
    x = call("transpose", input, [0, 2, 3, 1]) if first else input
    batch, height, width, channels = dimension_sizes(x)
    depth = _exactly("depth_to_space", channels, block_size**2)
    x = call("reshape", x, (batch, height, width, block_size, block_size, depth))
    x = call("transpose", x, [0, 1, 3, 2, 4, 5])
    x = call("reshape", x, (batch, height * block_size, width * block_size, depth))
    return call("transpose", x, [0, 3, 1, 2]) if first else x
