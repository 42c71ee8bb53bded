"""Assertions about values: ``ag.debugging.assert_equal`` and its like.

What is known while tracing is checked while tracing; everything else when the program gets there.
A failure is an ``InvalidArgumentError`` that names the user's line and shows the values.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from agir import errors
from agir.errors import InvalidArgumentError
from agir.ir.control_flow import messages
from agir.ir.emission.truth import truth
from agir.ir.host.summary import summary
from agir.ir.tensors import dispatch
from agir.ir.tensors.tensor import Tensor
from agir.ir.tracing import trace
from agir.ir.values import text
from agir.runtime.control.agreement import explained
from agir.runtime.tensor import convert_to_tensor


def Assert(  # noqa: N802 - TensorFlow's name
    condition: Any, data: Any, summarize: int | None = None, name: str | None = None
) -> None:
    """``InvalidArgumentError`` with the data where the condition is false.

    >>> ag.Assert(ag.constant(True), [ag.constant(1)])

    Shapes: condition [], data list of any
    Dtypes: bool, int, uint, float, complex -> ()
    Raises: InvalidArgumentError where the condition is false
    """
    given = [data] if isinstance(data, (str, Tensor)) else list(data)
    _check(condition, ["assertion failed: ", *_listed(given, summarize)])


def assert_equal(
    x: Any,
    y: Any,
    message: str | None = None,
    summarize: int | None = None,
    name: str | None = None,
) -> None:
    """``x == y`` for every element.

    >>> ag.debugging.assert_equal([1, 2], [1, 2])

    Shapes: x and y broadcast
    Raises: InvalidArgumentError where it does not hold
    """
    _compare("assert_equal", "equal", "==", x, y, message, summarize)


def assert_none_equal(
    x: Any,
    y: Any,
    message: str | None = None,
    summarize: int | None = None,
    name: str | None = None,
) -> None:
    """``x != y`` for every element.

    >>> ag.debugging.assert_none_equal([1, 2], [2, 1])

    Shapes: x and y broadcast
    Raises: InvalidArgumentError where it does not hold
    """
    _compare("assert_none_equal", "not_equal", "!=", x, y, message, summarize)


def assert_less(
    x: Any,
    y: Any,
    message: str | None = None,
    summarize: int | None = None,
    name: str | None = None,
) -> None:
    """``x < y`` for every element.

    >>> ag.debugging.assert_less([2, 3], 4)

    Shapes: x and y broadcast
    Raises: InvalidArgumentError where it does not hold
    """
    _compare("assert_less", "less", "<", x, y, message, summarize)


def assert_less_equal(
    x: Any,
    y: Any,
    message: str | None = None,
    summarize: int | None = None,
    name: str | None = None,
) -> None:
    """``x <= y`` for every element.

    >>> ag.debugging.assert_less_equal([2, 3], 3)

    Shapes: x and y broadcast
    Raises: InvalidArgumentError where it does not hold
    """
    _compare("assert_less_equal", "less_equal", "<=", x, y, message, summarize)


def assert_greater(
    x: Any,
    y: Any,
    message: str | None = None,
    summarize: int | None = None,
    name: str | None = None,
) -> None:
    """``x > y`` for every element.

    >>> ag.debugging.assert_greater([2, 3], 1)

    Shapes: x and y broadcast
    Raises: InvalidArgumentError where it does not hold
    """
    _compare("assert_greater", "greater", ">", x, y, message, summarize)


def assert_greater_equal(
    x: Any,
    y: Any,
    message: str | None = None,
    summarize: int | None = None,
    name: str | None = None,
) -> None:
    """``x >= y`` for every element.

    >>> ag.debugging.assert_greater_equal([2, 3], 2)

    Shapes: x and y broadcast
    Raises: InvalidArgumentError where it does not hold
    """
    _compare("assert_greater_equal", "greater_equal", ">=", x, y, message, summarize)


def assert_positive(
    x: Any, message: str | None = None, summarize: int | None = None, name: str | None = None
) -> None:
    """``x > 0`` for every element.

    >>> ag.debugging.assert_positive([1, 2])

    Shapes: x any
    Raises: InvalidArgumentError where it does not hold
    """
    _compare("assert_positive", "greater", ">", x, 0, message, summarize)


def assert_negative(
    x: Any, message: str | None = None, summarize: int | None = None, name: str | None = None
) -> None:
    """``x < 0`` for every element.

    >>> ag.debugging.assert_negative([-1, -2])

    Shapes: x any
    Raises: InvalidArgumentError where it does not hold
    """
    _compare("assert_negative", "less", "<", x, 0, message, summarize)


def assert_non_negative(
    x: Any, message: str | None = None, summarize: int | None = None, name: str | None = None
) -> None:
    """``x >= 0`` for every element.

    >>> ag.debugging.assert_non_negative([0, 2])

    Shapes: x any
    Raises: InvalidArgumentError where it does not hold
    """
    _compare("assert_non_negative", "greater_equal", ">=", x, 0, message, summarize)


def assert_non_positive(
    x: Any, message: str | None = None, summarize: int | None = None, name: str | None = None
) -> None:
    """``x <= 0`` for every element.

    >>> ag.debugging.assert_non_positive([0, -2])

    Shapes: x any
    Raises: InvalidArgumentError where it does not hold
    """
    _compare("assert_non_positive", "less_equal", "<=", x, 0, message, summarize)


def assert_near(
    x: Any,
    y: Any,
    rtol: Any = None,
    atol: Any = None,
    message: str | None = None,
    summarize: int | None = None,
    name: str | None = None,
) -> None:
    """``|x - y| <= atol + rtol * |y|`` for every element; both are ten epsilons by default.

    >>> ag.debugging.assert_near([1.0], [1.0])

    Shapes: x and y broadcast
    Raises: InvalidArgumentError where it does not hold
    """
    x, y = _tensor(x), _tensor(y)
    if x.dtype.is_integer or y.dtype.is_integer:
        default: Any = 0 if x.dtype.is_integer and y.dtype.is_integer else 1e-6
    else:
        kinds = [np.finfo((d.real if d.is_complex else d).numpy) for d in (x.dtype, y.dtype)]
        default = 10 * max(float(kind.eps) for kind in kinds)
    rtol, atol = (default if each is None else each for each in (rtol, atol))
    room = dispatch.call("abs", y) * rtol + atol
    near = dispatch.call("less_equal", dispatch.call("abs", x - y), room)
    said = ["assert_near(): x and y are not near each other", *_shown(x, y, summarize)]
    _check(dispatch.call("all", near), [*_prefix(message), *said])


def check_numerics(tensor: Any, message: str, name: str | None = None) -> Any:
    """The tensor, after a check that no element is NaN or infinite.

    >>> ag.debugging.check_numerics([1.0, 2.0], "x").numpy()
    array([1., 2.], dtype=float32)

    Shapes: tensor [...] -> [...]
    Dtypes: float, complex -> the same
    Raises: InvalidArgumentError where one is NaN or infinite
    """
    tensor = _tensor(tensor)
    if not (tensor.dtype.is_floating or tensor.dtype.is_complex):
        raise explained(
            TypeError, f"check_numerics() takes a floating-point tensor, not one of {tensor.dtype}"
        )
    for test, what in (("isnan", "NaN"), ("isinf", "Inf")):
        found = dispatch.call("any", dispatch.call(test, tensor))
        said = [f"{message} : the tensor has {what} values: ", _value(tensor, None)]
        _check(dispatch.call("logical_not", found), said)
    return tensor


def assert_all_finite(x: Any, message: str | None = None, name: str | None = None) -> Any:
    """The tensor, after a check that no element is NaN or infinite.

    >>> ag.debugging.assert_all_finite([1.0, 2.0], "x").numpy()
    array([1., 2.], dtype=float32)

    Shapes: x [...] -> [...]
    Dtypes: float, complex -> the same
    Raises: InvalidArgumentError where one is NaN or infinite
    """
    return check_numerics(x, message or "assert_all_finite()", name)


# What they share.


def _tensor(value: Any) -> Any:
    return value if isinstance(value, Tensor) else convert_to_tensor(value)


def _compare(
    name: str, operation: str, sign: str, x: Any, y: Any, message: str | None, summarize: Any
) -> None:
    x = _tensor(x)
    if isinstance(y, int):
        said = [f"{name}(): x {sign} {y} does not hold for every element", ": x = "]
        said.append(_value(x, summarize))
    else:
        y = _tensor(y)
        said = [f"{name}(): x {sign} y does not hold for every element"]
        said += _shown(x, y, summarize)
    try:
        holds = dispatch.call(operation, x, y)
    except ValueError as error:
        raise explained(InvalidArgumentError, f"{name}(): {errors.message(error)}") from None
    _check(dispatch.call("all", holds), [*_prefix(message), *said])


def _prefix(message: Any) -> list[Any]:
    return [] if message is None or message == "" else [message, ". "]


def _shown(x: Any, y: Any, summarize: int | None) -> list[Any]:
    return [": x = ", _value(x, summarize), ", y = ", _value(y, summarize)]


def _listed(data: Sequence[Any], summarize: int | None) -> list[Any]:
    parts = [part for each in data for part in (" ", _value(each, summarize))]
    return parts[1:]


def _value(value: Any, summarize: int | None) -> Any:
    """The text of a value in the message."""
    count = 3 if summarize is None else summarize
    if isinstance(value, Tensor) and value.is_symbolic:
        return text.field(value, "tensor", str(count))
    if isinstance(value, Tensor) or hasattr(value, "__array__"):
        return summary(value, count)
    return text.text_of(value, "s", "")


def _check(condition: Any, message: Sequence[Any]) -> None:
    """Fail with the message where the condition is false: now, or when the program gets here."""
    whole = text.joined(list(message))
    current = trace.current()
    if current is not None and isinstance(condition, Tensor) and condition.is_symbolic:
        with current.at_user_line():
            messages.fail_with_text(current, truth(current, condition), "check", whole)
    elif not np.all(condition):
        if isinstance(whole, str):
            raise explained(InvalidArgumentError, whole)
        assert current is not None, "text with run-time values is made while tracing"
        with current.at_user_line():
            false = truth(current, False)
            messages.fail_with_text(current, false, "check", whole)
