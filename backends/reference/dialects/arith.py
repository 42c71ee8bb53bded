"""Rules of the `arith` dialect, on scalars and elementwise on tensors."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from agir.backends.reference.core.integers import (
    PREDICATES,
    WIDE,
    boolean_or,
    ceil_divide,
    convert,
    divide,
    division,
    on_signed,
    on_unsigned,
    signed,
    unsigned,
    width,
)
from agir.backends.reference.core.operation import Operation, Rule, always
from agir.backends.reference.core.types import smallest_normal
from agir.errors import UnsupportedOperation

Function = Callable[..., Any]


def _constant(operation: Operation) -> Function:
    type_, value = operation.results[0], operation.attribute("value")
    if isinstance(value, str):
        raise UnsupportedOperation(f"constant {value} is not supported")
    if not type_.is_tensor:
        value = type_.dtype.type(value)
    return lambda: value


def _compare_integers(operation: Operation) -> Function:
    predicate: int = operation.attribute("predicate")
    return PREDICATES[predicate](operation)


def _unordered(a: Any, b: Any) -> Any:
    return (a != a) | (b != b)


_FLOAT_PREDICATES: tuple[Function, ...] = (
    lambda a, b: (a == b) & np.False_,
    operator.eq,
    operator.gt,
    operator.ge,
    operator.lt,
    operator.le,
    lambda a, b: (a < b) | (a > b),
    lambda a, b: ~_unordered(a, b),
    lambda a, b: ~((a < b) | (a > b)),
    lambda a, b: ~(a <= b),
    lambda a, b: ~(a < b),
    lambda a, b: ~(a >= b),
    lambda a, b: ~(a > b),
    operator.ne,
    _unordered,
    lambda a, b: (a == b) | np.True_,
)
"""false, oeq, ogt, oge, olt, ole, one, ord, ueq, ugt, uge, ult, ule, une, uno, true."""


def _compare_floats(operation: Operation) -> Function:
    predicate: int = operation.attribute("predicate")
    return _FLOAT_PREDICATES[predicate]


def _select(condition: Any, a: Any, b: Any) -> Any:
    if condition.__class__ is np.bool_:
        return a if condition else b
    return np.where(condition, a, b)


def maximum(a: Any, b: Any) -> Any:
    """The larger operand; NaN where there is one, and +0 is larger than -0."""
    return _select((a == 0) & (b == 0), a + b, np.maximum(a, b))


def minimum(a: Any, b: Any) -> Any:
    """The smaller operand; NaN where there is one, and -0 is smaller than +0."""
    return _select((a == 0) & (b == 0), -(-a + -b), np.minimum(a, b))


def _cast(read: Function) -> Rule:
    """A conversion that reads its operand through ``read``."""

    def rule(operation: Operation) -> Function:
        if operation.attribute("roundingmode", 0):
            raise UnsupportedOperation("only rounding to nearest even is supported")
        dtype = operation.results[0].dtype
        return lambda value: read(value).astype(dtype)

    return rule


def _same(value: Any) -> Any:
    return value


def _integer_cast(read: Function) -> Rule:
    """An extension or truncation: the result may be a boolean, either may have 128 bits."""

    def rule(operation: Operation) -> Function:
        source, target = operation.operands[0].dtype, operation.results[0].dtype
        if target == WIDE:
            return lambda value: int(read(value))
        if source == WIDE:
            return lambda value: _wrap(value, width(target), target)
        return lambda value: convert(read(value), target)

    return rule


def _float_to_signed(operation: Operation) -> Function:
    dtype = operation.results[0].dtype
    if dtype == np.bool_:
        return lambda value: convert(value.astype(np.int64), dtype)
    return lambda value: value.astype(dtype)


def _float_to_unsigned(operation: Operation) -> Function:
    dtype = operation.results[0].dtype
    target = unsigned(np.zeros((), dtype)).dtype
    return lambda value: convert(value.astype(target), dtype)


def bitcast(operation: Operation) -> Function:
    """The rule of every bitcast: the same bits as another type of the same width."""
    dtype = operation.results[0].dtype
    return lambda value: value.view(dtype)


def _add_extended(operation: Operation) -> Function:
    dtype = operation.results[0].dtype

    def run(a: Any, b: Any) -> tuple[Any, Any]:
        total = unsigned(a) + unsigned(b)
        overflow = total > 1 if dtype == np.bool_ else total < unsigned(a)
        return convert(total, dtype), overflow

    return run


def _subtract_extended(operation: Operation) -> Function:
    dtype = operation.results[0].dtype
    return lambda a, b: (
        convert(unsigned(a) - unsigned(b), dtype),
        unsigned(a) < unsigned(b),
    )


def _multiply_extended(read: Function) -> Rule:
    """The low and the high half of a product, by way of Python's integers."""

    def rule(operation: Operation) -> Function:
        dtype = operation.results[0].dtype
        bits = width(dtype)

        def run(a: Any, b: Any) -> tuple[Any, Any]:
            product = np.multiply(*(np.asarray(read(x)).astype(object) for x in (a, b)))
            return _wrap(product, bits, dtype), _wrap(product >> bits, bits, dtype)

        return run

    return rule


def _wrap(value: Any, bits: int, dtype: np.dtype[Any]) -> Any:
    half = 1 << (bits - 1)
    numbers = (value + half) % (2 * half) - half
    return convert(np.asarray(numbers, object).astype(np.int64), dtype)[()]


def _flush_denormals(value: Any) -> Any:
    smallest = smallest_normal(value.dtype)
    return _select(abs(value) < smallest, np.copysign(value.dtype.type(0), value), value)


def _scale(function: Function) -> Rule:
    def rule(operation: Operation) -> Function:
        source, target = operation.operands[0].dtype, operation.results[0].dtype
        wide = max(source, target, key=lambda dtype: dtype.itemsize)
        return lambda value, scale: function(value.astype(wide), scale.astype(wide)).astype(target)

    return rule


OPERATIONS: dict[str, Rule] = {
    "arith.constant": _constant,
    "arith.addi": boolean_or(operator.xor, operator.add),
    "arith.subi": boolean_or(operator.xor, operator.sub),
    "arith.muli": boolean_or(operator.and_, operator.mul),
    "arith.divsi": division(divide, signed),
    "arith.divui": division(operator.floordiv, unsigned),
    "arith.remsi": division(np.fmod, signed),
    "arith.remui": division(np.fmod, unsigned),
    "arith.floordivsi": division(operator.floordiv, signed),
    "arith.ceildivsi": division(ceil_divide, signed),
    "arith.ceildivui": division(ceil_divide, unsigned),
    "arith.addui_extended": _add_extended,
    "arith.subui_extended": _subtract_extended,
    "arith.mulsi_extended": _multiply_extended(signed),
    "arith.mului_extended": _multiply_extended(unsigned),
    "arith.andi": always(operator.and_),
    "arith.ori": always(operator.or_),
    "arith.xori": always(operator.xor),
    "arith.shli": on_unsigned(np.left_shift),
    "arith.shrsi": on_signed(np.right_shift),
    "arith.shrui": on_unsigned(np.right_shift),
    "arith.maxsi": on_signed(np.maximum),
    "arith.maxui": on_unsigned(np.maximum),
    "arith.minsi": on_signed(np.minimum),
    "arith.minui": on_unsigned(np.minimum),
    "arith.cmpi": _compare_integers,
    "arith.addf": always(operator.add),
    "arith.subf": always(operator.sub),
    "arith.mulf": always(operator.mul),
    "arith.divf": always(operator.truediv),
    "arith.remf": always(np.fmod),
    "arith.negf": always(operator.neg),
    "arith.maximumf": always(maximum),
    "arith.minimumf": always(minimum),
    "arith.maxnumf": always(np.fmax),
    "arith.minnumf": always(np.fmin),
    "arith.cmpf": _compare_floats,
    "arith.flush_denormals": always(_flush_denormals),
    "arith.select": always(_select),
    "arith.extsi": _integer_cast(signed),
    "arith.extui": _integer_cast(unsigned),
    "arith.trunci": _integer_cast(_same),
    "arith.index_cast": _integer_cast(signed),
    "arith.index_castui": _integer_cast(unsigned),
    "arith.extf": _cast(_same),
    "arith.truncf": _cast(_same),
    "arith.convertf": _cast(_same),
    "arith.scaling_extf": _scale(operator.mul),
    "arith.scaling_truncf": _scale(operator.truediv),
    "arith.sitofp": _cast(signed),
    "arith.uitofp": _cast(unsigned),
    "arith.fptosi": _float_to_signed,
    "arith.fptoui": _float_to_unsigned,
    "arith.bitcast": bitcast,
}
