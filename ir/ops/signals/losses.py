"""Losses under TensorFlow's names, composed of operations of the table."""

from __future__ import annotations

from math import pi
from typing import Any

from agir.ir.building.types import is_python_number
from agir.ir.ops.core.checked import require
from agir.ir.ops.core.operands import composition, dimension_sizes
from agir.ir.ops.elementwise.activations import as_float, log_softmax
from agir.ir.tensors import dispatch
from agir.ir.tensors.likes import TensorLike

call = dispatch.call


def _alike(name: str, **operands: Any) -> None:
    """Refuse shapes that differ, where both are known: a loss broadcasts nothing."""
    (first, left), (second, right) = (
        (n, dispatch.type_of(v, name).shape) for n, v in operands.items()
    )
    if len(left) != len(right) or any(
        a != b and None not in (a, b) for a, b in zip(left, right, strict=True)
    ):
        raise ValueError(f"{name}(): {first} and {second} have the shapes {left} and {right}")


@composition("labels", "logits")
def softmax_cross_entropy_with_logits(
    labels: TensorLike, logits: TensorLike, axis: int = -1, name: str | None = None
) -> Any:
    """The cross entropy of the labels, which are probabilities, and ``softmax(logits)``.

    >>> ag.nn.softmax_cross_entropy_with_logits([0.0, 1.0], [0.0, 0.0]).numpy().round(3)
    np.float32(0.693)

    Shapes: labels [..., n], logits [..., n] -> [...]
    Dtypes: float -> the same
    Raises: OperandValueError where the shapes do not broadcast; OperandTypeError for other
        dtypes
    """
    logits = as_float(logits, "softmax_cross_entropy_with_logits")
    labels = call("cast", labels, dispatch.type_of(logits).dtype)
    product = call("multiply", labels, log_softmax(logits, axis))
    return call("negative", call("sum", product, axis))


@composition("labels", "logits")
def sparse_softmax_cross_entropy_with_logits(
    labels: TensorLike, logits: TensorLike, name: str | None = None
) -> Any:
    """The cross entropy of labels that are numbers of classes and ``softmax(logits)``.

    A label outside of ``[0, classes)`` is a ``ValueError``.

    >>> ag.nn.sparse_softmax_cross_entropy_with_logits([1], [[0.0, 0.0]]).numpy().round(3)
    array([0.693], dtype=float32)

    Shapes: logits [..., n], labels [...] -> [...]
    Dtypes: float -> the same
    Raises: OperandValueError, or InvalidArgumentError in a compiled function, for a label that
        is no class; OperandTypeError for other dtypes
    """
    this = "sparse_softmax_cross_entropy_with_logits"
    logits = as_float(logits, this)
    kinds = [dispatch.type_of(v, this) for v in (labels, logits)]
    if not kinds[0].dtype.is_integer:
        raise TypeError(f"{this}(): labels are integers, not {kinds[0].dtype}")
    if kinds[1].rank != kinds[0].rank + 1:
        raise ValueError(f"{this}(): labels {kinds[0]} have one axis less than logits, {kinds[1]}")
    classes = dimension_sizes(logits)[-1]
    inside = call("logical_and", call("greater_equal", labels, 0), call("less", labels, classes))
    require(inside, f"{this}(): a label is not the number of one of the classes")
    numbers = call("range", classes)
    wanted = call("equal", call("expand_dims", call("cast", labels, "int64"), -1), numbers)
    chosen = call("where", wanted, log_softmax(logits), 0.0)
    return call("negative", call("sum", chosen, -1))


@composition("labels", "logits")
def sigmoid_cross_entropy_with_logits(
    labels: TensorLike, logits: TensorLike, name: str | None = None
) -> Any:
    """The cross entropy of the labels, which are probabilities, and ``sigmoid(logits)``.

    >>> ag.nn.sigmoid_cross_entropy_with_logits([1.0, 0.0], [0.0, 2.0]).numpy().round(3)
    array([0.693, 2.127], dtype=float32)

    Shapes: labels [...], logits [...] -> [...]
    Dtypes: float -> the same
    Raises: OperandValueError where the shapes differ; OperandTypeError for other dtypes
    """
    this = "sigmoid_cross_entropy_with_logits"
    x = as_float(logits, this)
    _alike(this, labels=labels, logits=x)
    small = call("log1p", call("exp", call("negative", call("abs", x))))
    linear = call("subtract", call("maximum", x, 0.0), call("multiply", x, labels))
    return call("add", linear, small)


@composition("labels", "logits")
def weighted_cross_entropy_with_logits(
    labels: TensorLike, logits: TensorLike, pos_weight: TensorLike, name: str | None = None
) -> Any:
    """``sigmoid_cross_entropy_with_logits`` in which positive labels count ``pos_weight`` times.

    >>> ag.nn.weighted_cross_entropy_with_logits([1.0, 0.0], [0.0, 2.0], 2.0).numpy().round(3)
    array([1.386, 2.127], dtype=float32)

    Shapes: labels [...], logits [...] -> [...]
    Dtypes: float -> the same
    Raises: OperandValueError where the shapes differ; OperandTypeError for other dtypes
    """
    this = "weighted_cross_entropy_with_logits"
    x = as_float(logits, this)
    _alike(this, labels=labels, logits=x)
    if is_python_number(pos_weight):
        pos_weight = call("cast", pos_weight, dispatch.type_of(x).dtype)
    weight = call("add", call("multiply", labels, call("subtract", pos_weight, 1.0)), 1.0)
    small = call("log1p", call("exp", call("negative", call("abs", x))))
    loss = call("add", small, call("maximum", call("negative", x), 0.0))
    negative = call("multiply", call("subtract", 1.0, labels), x)
    return call("add", negative, call("multiply", weight, loss))


@composition("targets", "log_input")
def log_poisson_loss(
    targets: TensorLike,
    log_input: TensorLike,
    compute_full_loss: bool = False,
    name: str | None = None,
) -> Any:
    """``exp(log_input) - log_input * targets``; the full loss adds Stirling's formula.

    >>> ag.nn.log_poisson_loss([1.0], [0.0]).numpy()
    array([1.], dtype=float32)

    Shapes: targets [...], log_input [...] -> [...]
    Dtypes: float -> the same
    Raises: OperandTypeError for other dtypes
    """
    x = as_float(log_input, "log_poisson_loss")
    _alike("log_poisson_loss", targets=targets, log_input=x)
    loss = call("subtract", call("exp", x), call("multiply", x, targets))
    if not compute_full_loss:
        return loss
    series = call("subtract", call("multiply", targets, call("log", targets)), targets)
    series = call(
        "add", series, call("multiply", call("log", call("multiply", targets, 2 * pi)), 0.5)
    )
    small = call(
        "logical_and", call("greater_equal", targets, 0.0), call("less_equal", targets, 1.0)
    )
    return call("add", loss, call("where", small, 0.0, series))


@composition("t")
def l2_loss(t: TensorLike, name: str | None = None) -> Any:
    """Half the sum of the squares.

    >>> ag.nn.l2_loss([3.0, 4.0]).numpy()
    np.float32(12.5)

    Shapes: t [...] -> []
    Dtypes: float -> the same
    Raises: OperandTypeError for other dtypes
    """
    t = as_float(t, "l2_loss")
    return call("multiply", call("sum", call("multiply", t, t)), 0.5)
