"""Signless integers: NumPy holds them signed, and these helpers read the bits either way."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from agir.errors import UndefinedBehaviour

from .operation import Operation, Rule

Function = Callable[..., Any]
_UNSIGNED = {np.dtype(f"i{size}"): np.dtype(f"u{size}") for size in (1, 2, 4, 8)}
_UNSIGNED[np.dtype(np.bool_)] = np.dtype(np.uint8)
WIDE = np.dtype(object)
"""Of integers of 128 bits: NumPy has none, they are Python's, and their sums are not reduced."""


def is_boolean(value: Any) -> bool:
    """Whether a value (or a type) is an ``i1``."""
    return bool(value.dtype == np.bool_)


def any_true(flags: Any) -> bool:
    """Whether a boolean scalar, or an element of a boolean array, is true."""
    return bool(flags if flags.__class__ is np.bool_ else flags.any())


def unsigned(value: Any) -> Any:
    """The same bits as an unsigned integer (a ``uint8`` for ``i1``)."""
    return value.view(_UNSIGNED[value.dtype])


def signed(value: Any) -> Any:
    """The signed reading: the true ``i1`` is -1."""
    return np.negative(value.view(np.int8)) if is_boolean(value) else value


def convert(value: Any, dtype: np.dtype[Any]) -> Any:
    """An integer reduced modulo two to the width of ``dtype``."""
    return (value & 1).astype(np.bool_) if dtype == np.bool_ else value.astype(dtype)


def width(dtype: np.dtype[Any]) -> int:
    """The number of bits."""
    return 1 if dtype == np.bool_ else 8 * dtype.itemsize


def on_signed(function: Function) -> Rule:
    """The rule of an integer operation that reads its operands as signed."""

    def rule(operation: Operation) -> Function:
        if not is_boolean(operation.operands[0]):
            return function
        return lambda *operands: convert(
            function(*map(signed, operands)), operation.results[0].dtype
        )

    return rule


def on_unsigned(function: Function) -> Rule:
    """The rule of an integer operation that reads its operands as unsigned."""

    def rule(operation: Operation) -> Function:
        dtype = operation.results[0].dtype
        return lambda *operands: convert(function(*map(unsigned, operands)), dtype)

    return rule


def boolean_or(boolean: Function, integer: Function) -> Rule:
    """The rule of an operation whose wraparound arithmetic NumPy lacks for booleans."""
    return lambda operation: boolean if is_boolean(operation.operands[0]) else integer


def compare(signedness: Function, function: Function) -> Rule:
    """The rule of a comparison: its result is ``i1`` whatever it compares."""

    def rule(operation: Operation) -> Function:
        if signedness is signed and not is_boolean(operation.operands[0]):
            return function
        return lambda a, b: function(signedness(a), signedness(b))

    return rule


def _compare_bits(function: Function) -> Rule:
    """The rule of a comparison that reads no sign."""

    def rule(operation: Operation) -> Function:
        if operation.operands[0].dtype == WIDE:
            return lambda a, b: np.bool_(function(a, b))
        return function

    return rule


PREDICATES: tuple[Rule, ...] = (
    _compare_bits(operator.eq),
    _compare_bits(operator.ne),
    compare(signed, operator.lt),
    compare(signed, operator.le),
    compare(signed, operator.gt),
    compare(signed, operator.ge),
    compare(unsigned, operator.lt),
    compare(unsigned, operator.le),
    compare(unsigned, operator.gt),
    compare(unsigned, operator.ge),
)
"""The rules of `arith.cmpi`, in the order of its predicate attribute."""


def division(function: Function, signedness: Function) -> Rule:
    """The rule of an integer division, which is undefined for a zero divisor and on overflow."""

    def rule(operation: Operation) -> Function:
        dtype = operation.results[0].dtype
        lowest = None if signedness is unsigned else -1 << (width(dtype) - 1)

        def run(a: Any, b: Any) -> Any:
            a, b = signedness(a), signedness(b)
            _require_defined(a, b, lowest)
            return convert(function(a, b), dtype)

        return run

    return rule


def _require_defined(a: Any, b: Any, lowest: int | None) -> None:
    if any_true(b == 0):
        raise UndefinedBehaviour("integer division by zero")
    if lowest is not None and any_true((b == -1) & (a == lowest)):
        raise UndefinedBehaviour("integer division overflows")


def divide(a: Any, b: Any) -> Any:
    """Division rounded towards zero."""
    return (a - np.fmod(a, b)) // b


def ceil_divide(a: Any, b: Any) -> Any:
    """Division rounded towards plus infinity."""
    return a // b + (np.fmod(a, b) != 0).astype(a.dtype)
