"""Neural networks: activations, losses, convolution and pooling under TensorFlow's names."""

from __future__ import annotations

import typing as _typing
from typing import Any

from agir.ir.ops.core.operands import composition as _composition
from agir.ir.ops.elementwise.activations import crelu as crelu
from agir.ir.ops.elementwise.activations import elu as elu
from agir.ir.ops.elementwise.activations import gelu as gelu
from agir.ir.ops.elementwise.activations import leaky_relu as leaky_relu
from agir.ir.ops.elementwise.activations import log_sigmoid as log_sigmoid
from agir.ir.ops.elementwise.activations import log_softmax as log_softmax
from agir.ir.ops.elementwise.activations import relu as relu
from agir.ir.ops.elementwise.activations import relu6 as relu6
from agir.ir.ops.elementwise.activations import selu as selu
from agir.ir.ops.elementwise.activations import sigmoid as sigmoid
from agir.ir.ops.elementwise.activations import silu as silu
from agir.ir.ops.elementwise.activations import softmax as softmax
from agir.ir.ops.elementwise.activations import softplus as softplus
from agir.ir.ops.elementwise.activations import softsign as softsign
from agir.ir.ops.elementwise.activations import swish as swish
from agir.ir.ops.elementwise.activations import tanh as tanh
from agir.ir.ops.signals import normalization as _normalization
from agir.ir.ops.signals.convolutions import conv1d as conv1d
from agir.ir.ops.signals.convolutions import conv1d_transpose as conv1d_transpose
from agir.ir.ops.signals.convolutions import conv2d as conv2d
from agir.ir.ops.signals.convolutions import conv2d_transpose as conv2d_transpose
from agir.ir.ops.signals.convolutions import conv3d as conv3d
from agir.ir.ops.signals.convolutions import conv3d_transpose as conv3d_transpose
from agir.ir.ops.signals.convolutions import convolution as convolution
from agir.ir.ops.signals.convolutions import depthwise_conv2d as depthwise_conv2d
from agir.ir.ops.signals.convolutions import separable_conv2d as separable_conv2d
from agir.ir.ops.signals.losses import l2_loss as l2_loss
from agir.ir.ops.signals.losses import log_poisson_loss as log_poisson_loss
from agir.ir.ops.signals.losses import (
    sigmoid_cross_entropy_with_logits as sigmoid_cross_entropy_with_logits,
)
from agir.ir.ops.signals.losses import (
    softmax_cross_entropy_with_logits as softmax_cross_entropy_with_logits,
)
from agir.ir.ops.signals.losses import (
    sparse_softmax_cross_entropy_with_logits as sparse_softmax_cross_entropy_with_logits,
)
from agir.ir.ops.signals.losses import (
    weighted_cross_entropy_with_logits as weighted_cross_entropy_with_logits,
)
from agir.ir.ops.signals.normalization import batch_normalization as batch_normalization
from agir.ir.ops.signals.normalization import bias_add as bias_add
from agir.ir.ops.signals.normalization import depth_to_space as depth_to_space
from agir.ir.ops.signals.normalization import embedding_lookup as embedding_lookup
from agir.ir.ops.signals.normalization import l2_normalize as l2_normalize
from agir.ir.ops.signals.normalization import (
    local_response_normalization as local_response_normalization,
)
from agir.ir.ops.signals.normalization import moments as moments
from agir.ir.ops.signals.normalization import space_to_depth as space_to_depth
from agir.ir.ops.signals.normalization import zero_fraction as zero_fraction
from agir.ir.ops.signals.pools import avg_pool as avg_pool
from agir.ir.ops.signals.pools import avg_pool1d as avg_pool1d
from agir.ir.ops.signals.pools import avg_pool2d as avg_pool2d
from agir.ir.ops.signals.pools import avg_pool3d as avg_pool3d
from agir.ir.ops.signals.pools import max_pool as max_pool
from agir.ir.ops.signals.pools import max_pool1d as max_pool1d
from agir.ir.ops.signals.pools import max_pool2d as max_pool2d
from agir.ir.ops.signals.pools import max_pool3d as max_pool3d
from agir.ir.ops.signals.pools import pool as pool
from agir.ir.tensors.likes import TensorLike as _TensorLike
from agir.names import public as _public
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


if not _typing.TYPE_CHECKING:  # type checkers go by the imports, and know literal lists only
    __all__ = _public(globals())

    def __dir__() -> list[str]:
        return __all__
