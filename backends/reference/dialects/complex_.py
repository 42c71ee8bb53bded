"""Rules of the `complex` dialect; arrays stand for its scalars inside structured operations."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from agir.backends.reference.core.operation import Operation, Rule, always

from .arith import bitcast

Function = Callable[..., Any]


def _constant(operation: Operation) -> Function:
    value = operation.results[0].dtype.type(complex(*operation.attribute("value")))
    return lambda: value


def _create(operation: Operation) -> Function:
    dtype = operation.results[0].dtype

    def run(real: Any, imaginary: Any) -> Any:
        value = np.empty(np.broadcast_shapes(real.shape, imaginary.shape), dtype)
        value.real, value.imag = real, imaginary
        return value[()]

    return run


def _arctangent(y: Any, x: Any) -> Any:
    """-i log((x + iy) / sqrt(x² + y²))."""
    unit = y.dtype.type(1j)
    return -unit * np.log((x + unit * y) / np.sqrt(x * x + y * y))


def _sign(value: Any) -> Any:
    size = np.abs(value)
    return np.where(size == 0, value, value / np.where(size == 0, 1, size)).astype(value.dtype)[()]


def _integer_power(base: Any, exponent: Any) -> Any:
    return np.power(base, exponent.astype(base.dtype))


OPERATIONS: dict[str, Rule] = {
    "complex.constant": _constant,
    "complex.create": _create,
    "complex.re": always(lambda value: value.real),
    "complex.im": always(lambda value: value.imag),
    "complex.add": always(operator.add),
    "complex.sub": always(operator.sub),
    "complex.mul": always(operator.mul),
    "complex.div": always(operator.truediv),
    "complex.neg": always(operator.neg),
    "complex.abs": always(np.abs),
    "complex.angle": always(np.angle),
    "complex.conj": always(np.conj),
    "complex.sign": always(_sign),
    "complex.eq": always(operator.eq),
    "complex.neq": always(operator.ne),
    "complex.exp": always(np.exp),
    "complex.expm1": always(np.expm1),
    "complex.log": always(np.log),
    "complex.log1p": always(np.log1p),
    "complex.sqrt": always(np.sqrt),
    "complex.rsqrt": always(lambda value: value.dtype.type(1) / np.sqrt(value)),
    "complex.pow": always(np.power),
    "complex.powi": always(_integer_power),
    "complex.sin": always(np.sin),
    "complex.cos": always(np.cos),
    "complex.tan": always(np.tan),
    "complex.tanh": always(np.tanh),
    "complex.atan2": always(_arctangent),
    "complex.bitcast": bitcast,
}
