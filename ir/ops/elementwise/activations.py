"""Activation functions under TensorFlow's names, composed of operations of the table."""

from __future__ import annotations

from math import pi, sqrt
from typing import Any

from agir.ir.building.types import float32
from agir.ir.ops.core.operands import composition
from agir.ir.tensors import dispatch
from agir.ir.tensors.likes import AxisLike, TensorLike

call = dispatch.call


def as_float(value: Any, name: str) -> Any:
    """The operand, which must be of real floating-point numbers; Python numbers become float32."""
    kind = dispatch.type_of(value, name)
    if isinstance(kind, list) or kind.weak:
        return call("cast", call("stack", value) if isinstance(value, list) else value, float32)
    if not kind.dtype.is_floating:
        raise TypeError(f"{name}() is not defined for {kind.dtype}; cast to a float dtype first")
    return value


@composition("features")
def relu(features: TensorLike, name: str | None = None) -> Any:
    """The greater of each element and 0.

    >>> ag.nn.relu([-1.0, 2.0]).numpy()
    array([0., 2.], dtype=float32)

    Shapes: features [...] -> [...]
    Dtypes: bool -> int64; int, uint, float -> the same
    Raises: OperandTypeError for other dtypes
    """
    return call("maximum", features, 0)


@composition("features")
def relu6(features: TensorLike, name: str | None = None) -> Any:
    """Each element, but at least 0 and at most 6.

    >>> ag.nn.relu6([-1.0, 9.0]).numpy()
    array([0., 6.], dtype=float32)

    Shapes: features [...] -> [...]
    Dtypes: bool -> int64; int, uint, float -> the same
    Raises: OperandTypeError for other dtypes
    """
    return call("minimum", call("maximum", features, 0), 6)


@composition("features")
def leaky_relu(features: TensorLike, alpha: Any = 0.2, name: str | None = None) -> Any:
    """Positive elements as they are, the others times ``alpha``; integers become float32.

    >>> ag.nn.leaky_relu([-1.0, 2.0]).numpy()
    array([-0.2,  2. ], dtype=float32)

    Shapes: features [...] -> [...]
    Dtypes: int, uint -> float32; float -> the same
    Raises: OperandTypeError for other dtypes
    """
    if dispatch.type_of(features).dtype.is_integer:
        features = call("cast", features, float32)
    x = as_float(features, "leaky_relu")
    return call("where", call("greater", x, 0.0), x, call("multiply", x, alpha))


@composition("features")
def elu(features: TensorLike, name: str | None = None) -> Any:
    """Positive elements as they are, ``exp(x) - 1`` of the others.

    >>> ag.nn.elu([-1.0, 2.0]).numpy().round(3)
    array([-0.632,  2.   ], dtype=float32)

    Shapes: features [...] -> [...]
    Dtypes: float -> the same
    Raises: OperandTypeError for other dtypes
    Source: Clevert et al. 2015, Exponential linear units
    """
    x = as_float(features, "elu")
    return call("where", call("less", x, 0.0), call("expm1", x), x)


_SELU_SCALE, _SELU_ALPHA = 1.0507009873554804934193349852946, 1.6732632423543772848170429916717


@composition("features")
def selu(features: TensorLike, name: str | None = None) -> Any:
    """The scaled ``elu`` that keeps mean 0 and variance 1 from layer to layer.

    >>> ag.nn.selu([-1.0, 2.0]).numpy().round(3)
    array([-1.111,  2.101], dtype=float32)

    Shapes: features [...] -> [...]
    Dtypes: float -> the same
    Raises: OperandTypeError for other dtypes
    Source: Klambauer et al. 2017, Self-normalizing neural networks
    """
    x = as_float(features, "selu")
    low = call("multiply", call("expm1", x), _SELU_ALPHA)
    return call("multiply", call("where", call("less", x, 0.0), low, x), _SELU_SCALE)


@composition("features")
def gelu(features: TensorLike, approximate: bool = False, name: str | None = None) -> Any:
    """``x`` times the normal distribution's probability of less than ``x``.

    ``approximate`` takes a hyperbolic tangent in place of the error function.

    >>> ag.nn.gelu([-1.0, 2.0]).numpy().round(3)
    array([-0.159,  1.954], dtype=float32)

    Shapes: features [...] -> [...]
    Dtypes: float -> the same
    Raises: OperandTypeError for other dtypes
    Source: Hendrycks and Gimpel 2016, Gaussian error linear units
    """
    x = as_float(features, "gelu")
    if approximate:
        cubic = call("multiply", call("multiply", call("multiply", x, x), x), 0.044715)
        inner = call("multiply", call("add", x, cubic), sqrt(2.0 / pi))
        below = call("tanh", inner)
    else:
        below = call("erf", call("multiply", x, sqrt(0.5)))
    return call("multiply", call("multiply", x, 0.5), call("add", below, 1.0))


@composition("features")
def silu(features: TensorLike, beta: Any = 1.0, name: str | None = None) -> Any:
    """``x * sigmoid(beta * x)``.

    >>> ag.nn.silu([-1.0, 2.0]).numpy().round(3)
    array([-0.269,  1.762], dtype=float32)

    Shapes: features [...] -> [...]
    Dtypes: float -> the same
    Raises: OperandTypeError for other dtypes
    Source: Elfwing et al. 2017, Sigmoid-weighted linear units
    """
    x = as_float(features, "silu")
    return call("multiply", x, call("sigmoid", call("multiply", x, beta)))


swish = silu


@composition("x")
def sigmoid(x: TensorLike, name: str | None = None) -> Any:
    """``1 / (1 + exp(-x))``.

    >>> ag.nn.sigmoid([0.0, 2.0]).numpy().round(3)
    array([0.5  , 0.881], dtype=float32)

    Shapes: x [...] -> [...]
    Dtypes: bool, int8, uint8 -> float16; int16, uint16 -> float32; int32, int64, uint32, uint64
        -> float64; float, complex -> the same
    Raises: OperandTypeError for what is no tensor
    """
    return call("sigmoid", x)


@composition("x")
def tanh(x: TensorLike, name: str | None = None) -> Any:
    """The hyperbolic tangent.

    >>> ag.nn.tanh([0.0, 1.0]).numpy().round(3)
    array([0.   , 0.762], dtype=float32)

    Shapes: x [...] -> [...]
    Dtypes: bool, int8, uint8 -> float16; int16, uint16 -> float32; int32, int64, uint32, uint64
        -> float64; float, complex -> the same
    Raises: OperandTypeError for what is no tensor
    """
    return call("tanh", x)


@composition("features")
def softplus(features: TensorLike, name: str | None = None) -> Any:
    """``log(1 + exp(x))``, which does not overflow.

    >>> ag.math.softplus([0.0, 1.0]).numpy().round(3)
    array([0.693, 1.313], dtype=float32)

    Shapes: features [...] -> [...]
    Dtypes: float -> the same
    Raises: OperandTypeError for other dtypes
    """
    x = as_float(features, "softplus")
    small = call("log1p", call("exp", call("negative", call("abs", x))))
    return call("add", call("maximum", x, 0.0), small)


@composition("features")
def softsign(features: TensorLike, name: str | None = None) -> Any:
    """``x / (1 + |x|)``.

    >>> ag.math.softsign([0.0, 1.0]).numpy()
    array([0. , 0.5], dtype=float32)

    Shapes: features [...] -> [...]
    Dtypes: float -> the same
    Raises: OperandTypeError for other dtypes
    """
    x = as_float(features, "softsign")
    return call("divide", x, call("add", call("abs", x), 1.0))


@composition("x")
def log_sigmoid(x: TensorLike, name: str | None = None) -> Any:
    """The logarithm of ``sigmoid(x)``.

    >>> ag.math.log_sigmoid([0.0, 2.0]).numpy().round(3)
    array([-0.693, -0.127], dtype=float32)

    Shapes: x [...] -> [...]
    Dtypes: float -> the same
    Raises: OperandTypeError for other dtypes
    """
    return call("negative", softplus(call("negative", as_float(x, "log_sigmoid"))))


@composition("features")
def crelu(features: TensorLike, axis: int = -1, name: str | None = None) -> Any:
    """The positive part and the negated negative part, one after the other along an axis.

    >>> ag.nn.crelu([-1.0, 2.0]).numpy()
    array([0., 2., 1., 0.], dtype=float32)

    Shapes: features [..., n] -> [..., m]; m is 2 * n
    Dtypes: int, uint, float -> the same
    Raises: OperandTypeError for other dtypes
    Source: Shang et al. 2016, Concatenated rectified linear units
    """
    return call("concat", [relu(features), relu(call("negative", features))], axis)


def _shifted(x: Any, axis: Any) -> Any:
    """The elements minus the greatest along the axis, so that no exponential overflows."""
    return call("subtract", x, call("max", x, axis, True))


@composition("logits")
def softmax(logits: TensorLike, axis: AxisLike = -1, name: str | None = None) -> Any:
    """Exponentials along the axis, divided by their sum.

    >>> ag.nn.softmax([0.0, 0.0]).numpy()
    array([0.5, 0.5], dtype=float32)

    Shapes: logits [...] -> [...]
    Dtypes: float -> the same
    Raises: OperandTypeError for other dtypes
    """
    x = _with_axis(logits, "softmax")
    if 0 in x.shape:
        return x
    powers = call("exp", _shifted(x, axis))
    return call("divide", powers, call("sum", powers, axis, keepdims=True))


@composition("logits")
def log_softmax(logits: TensorLike, axis: AxisLike = -1, name: str | None = None) -> Any:
    """The logarithm of ``softmax``.

    >>> ag.nn.log_softmax([0.0, 0.0]).numpy().round(3)
    array([-0.693, -0.693], dtype=float32)

    Shapes: logits [...] -> [...]
    Dtypes: float -> the same
    Raises: OperandTypeError for other dtypes
    """
    x = _with_axis(logits, "log_softmax")
    if 0 in x.shape:
        return x
    shifted = _shifted(x, axis)
    total = call("sum", call("exp", shifted), axis, keepdims=True)
    return call("subtract", shifted, call("log", total))


def _with_axis(logits: Any, name: str) -> Any:
    x = call("copy", logits) if not hasattr(logits, "shape") else logits
    x = as_float(x, name)
    if not dispatch.type_of(x).shape:
        raise ValueError(f"{name}() of a scalar: it has no axis")
    return x
