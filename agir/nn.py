"""Neural networks: activations, losses, convolution and pooling under TensorFlow's names."""

from __future__ import annotations

from typing import Any

from agir.ir.ops.core.operands import composition as _composition
from agir.ir.ops.elementwise.activations import (
    crelu,
    elu,
    gelu,
    leaky_relu,
    log_sigmoid,
    log_softmax,
    relu,
    relu6,
    selu,
    sigmoid,
    silu,
    softmax,
    softplus,
    softsign,
    swish,
    tanh,
)
from agir.ir.ops.signals import normalization as _normalization
from agir.ir.ops.signals.convolutions import (
    conv1d,
    conv1d_transpose,
    conv2d,
    conv2d_transpose,
    conv3d,
    conv3d_transpose,
    convolution,
    depthwise_conv2d,
    separable_conv2d,
)
from agir.ir.ops.signals.losses import (
    l2_loss,
    log_poisson_loss,
    sigmoid_cross_entropy_with_logits,
    softmax_cross_entropy_with_logits,
    sparse_softmax_cross_entropy_with_logits,
    weighted_cross_entropy_with_logits,
)
from agir.ir.ops.signals.normalization import (
    batch_normalization,
    bias_add,
    depth_to_space,
    embedding_lookup,
    l2_normalize,
    local_response_normalization,
    moments,
    space_to_depth,
    zero_fraction,
)
from agir.ir.ops.signals.pools import (
    avg_pool,
    avg_pool1d,
    avg_pool2d,
    avg_pool3d,
    max_pool,
    max_pool1d,
    max_pool2d,
    max_pool3d,
    pool,
)
from agir.ir.tensors.likes import TensorLike as _TensorLike
from agir.random import stateless_uniform as _stateless_uniform
from agir.random import uniform as _uniform


@_composition("x")
def stateless_dropout(
    x: _TensorLike,
    rate: Any,
    seed: _TensorLike,
    rng_alg: Any = "auto_select",
    noise_shape: Any = None,
    name: str | None = None,
) -> Any:
    """Elements set to 0 with probability ``rate``, chosen by a seed of two integers.

    The others are divided by ``1 - rate``.  Axes where ``noise_shape`` is 1 share their choice.

    >>> ag.nn.stateless_dropout([1.0, 2.0], 0.0, [1, 2]).numpy()
    array([1., 2.], dtype=float32)

    Shapes: x [...], seed [2] -> [...]
    Dtypes: float -> the same
    Raises: OperandValueError for a rate that is none; OperandTypeError for other dtypes
    Source: Srivastava et al. 2014, Dropout
    """

    def draw(shape: Any, dtype: Any) -> Any:
        return _stateless_uniform(shape, seed, dtype=dtype, alg=rng_alg)

    return _normalization.dropped(x, rate, noise_shape, draw, "stateless_dropout")


@_composition("x")
def dropout(
    x: _TensorLike,
    rate: Any,
    noise_shape: Any = None,
    seed: _TensorLike | None = None,
    name: str | None = None,
) -> Any:
    """Elements set to 0 with probability ``rate``, the others divided by ``1 - rate``.

    The choice comes from the global generator.  Axes where ``noise_shape`` is 1 share it.

    >>> ag.nn.dropout([1.0, 2.0], 0.0).numpy()
    array([1., 2.], dtype=float32)

    Shapes: x [...] -> [...]
    Dtypes: float -> the same
    Raises: OperandValueError for a rate that is none; OperandTypeError for other dtypes
    Source: Srivastava et al. 2014, Dropout
    """

    def draw(shape: Any, dtype: Any) -> Any:
        return _uniform(shape, dtype=dtype, seed=seed)

    return _normalization.dropped(x, rate, noise_shape, draw, "dropout")


__all__ = [
    "avg_pool",
    "avg_pool1d",
    "avg_pool2d",
    "avg_pool3d",
    "batch_normalization",
    "bias_add",
    "conv1d",
    "conv1d_transpose",
    "conv2d",
    "conv2d_transpose",
    "conv3d",
    "conv3d_transpose",
    "convolution",
    "crelu",
    "depth_to_space",
    "depthwise_conv2d",
    "dropout",
    "elu",
    "embedding_lookup",
    "gelu",
    "l2_loss",
    "l2_normalize",
    "leaky_relu",
    "local_response_normalization",
    "log_poisson_loss",
    "log_sigmoid",
    "log_softmax",
    "max_pool",
    "max_pool1d",
    "max_pool2d",
    "max_pool3d",
    "moments",
    "pool",
    "relu",
    "relu6",
    "selu",
    "separable_conv2d",
    "sigmoid",
    "sigmoid_cross_entropy_with_logits",
    "silu",
    "softmax",
    "softmax_cross_entropy_with_logits",
    "softplus",
    "softsign",
    "space_to_depth",
    "sparse_softmax_cross_entropy_with_logits",
    "stateless_dropout",
    "swish",
    "tanh",
    "weighted_cross_entropy_with_logits",
    "zero_fraction",
]


def __dir__() -> list[str]:
    return __all__
