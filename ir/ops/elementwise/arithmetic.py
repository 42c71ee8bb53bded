"""Arithmetic: add, subtract, multiply, divide, floor_divide, remainder, power, negative, ..."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from agir.autograph import operators
from agir.errors import RuntimeValueError, RuntimeZeroDivisionError
from agir.ir import recording
from agir.ir.building.types import DType, TensorType, bool_, int64, is_python_number
from agir.ir.emission import emit, exact_integers
from agir.ir.emission.python_floats import MESSAGES
from agir.ir.ops.core.operands import operand_type
from agir.ir.ops.core.scalar_checks import all_true, is_python_int
from agir.ir.ops.elementwise.elementwise import (
    Declared,
    Emitter,
    elementwise_operation,
    emit_elementwise,
    simple,
)
from agir.ir.plain import integers
from agir.ir.tensors import dispatch
from agir.ir.tensors.symbolic import Dims, SymbolicTensor
from agir.ir.tracing.trace import Trace

_ADD = {"b": simple("arith.ori"), "f": simple("arith.addf"), "c": simple("complex.add")}
_SUB = {"f": simple("arith.subf"), "c": simple("complex.sub")}
_MUL = {"b": simple("arith.andi"), "f": simple("arith.mulf"), "c": simple("complex.mul")}


def _integers(name: str) -> dict[str, Any]:
    return {"i": simple(name), "u": simple(name)}


@elementwise_operation(np.add, _ADD | _integers("arith.addi"), exact=exact_integers.check)
def add(x: Any, y: Any) -> Any:
    """``x + y``; on bools, logical or.

    >>> ag.add([1, 2], 3).numpy()
    array([4, 5], dtype=int32)
    """


@elementwise_operation(np.subtract, _SUB | _integers("arith.subi"), exact=exact_integers.check)
def subtract(x: Any, y: Any) -> Any:
    """``x - y``; not defined for bools.

    >>> ag.subtract([5, 7], 2).numpy()
    array([3, 5], dtype=int32)
    """


@elementwise_operation(np.multiply, _MUL | _integers("arith.muli"), exact=exact_integers.check)
def multiply(x: Any, y: Any) -> Any:
    """``x * y``; on bools, logical and.

    >>> ag.multiply([1, 2], 3).numpy()
    array([3, 6], dtype=int32)
    """


@elementwise_operation(
    np.divide,
    dict.fromkeys("biuf", simple("arith.divf")) | {"c": simple("complex.div")},
)
def divide(x: Any, y: Any) -> Any:
    """``x / y``: true division; integers are divided in float64.

    >>> ag.divide([7, 8], 2).numpy()
    array([3.5, 4. ])
    """


# Integer division.

_BY_ZERO = {operator: said["i"] for operator, said in MESSAGES.items()}


def _safe_divisor(
    trace: Trace, dtype: DType, dims: Dims, y: Any, by_zero: bool, operator: str
) -> tuple[Any, Any]:
    """(divisor that cannot trap, i1 where the divisor is -1), after a check for zero.

    Dividing the least integer by -1 overflows, which traps as division by zero does.  NumPy's numbers
    may be divided by zero, if ``by_zero``.
    """
    one = emit.constant_like(trace, dtype, dims, 1)
    zero = emit.constant_like(trace, dtype, dims, 0)
    nonzero = emit.compare_integers(trace, "ne", dims, y, zero)
    if not by_zero:
        trace.guard(all_true(trace, nonzero, dims), trace.site("division", _BY_ZERO[operator]))
    safe = emit.select(trace, nonzero, y, one)
    if dtype.kind == "u":
        return safe, None
    minus_one = emit.constant_like(trace, dtype, dims, -1)
    minus = emit.compare_integers(trace, "eq", dims, y, minus_one)
    return emit.select(trace, minus, one, safe), minus


def _with_numpys(trace: Trace | None) -> bool:
    return trace is not None and trace.convention.arrays_are_mutable


def _or_zero(trace: Trace, dtype: DType, dims: Dims, y: Any, quotient: Any) -> Any:
    """The quotient, or 0 where the divisor is 0."""
    zero = emit.constant_like(trace, dtype, dims, 0)
    nonzero = emit.compare_integers(trace, "ne", dims, y, zero)
    return emit.select(trace, nonzero, quotient, zero)


def _is_safe(divisor: Any) -> bool:
    return emit.constant_value(divisor) not in (None, 0, -1)


def _floor_divide(trace: Trace, dtype: DType, dims: Dims, x: Any, y: Any, by_zero: bool) -> Any:
    name = "arith.divui" if dtype.kind == "u" else "arith.floordivsi"
    if _is_safe(y):
        return emit.elementwise(trace, name, dtype, dims, x, y)
    safe, minus = _safe_divisor(trace, dtype, dims, y, by_zero, "//")
    divided = emit.elementwise(trace, name, dtype, dims, x, safe)
    if minus is not None:
        divided = emit.select(trace, minus, _negate_integer(trace, dtype, dims, x), divided)
        if not by_zero and dtype == int64 and not dims and _with_numpys(trace):
            _check_quotient(trace, x, minus)
    return _or_zero(trace, dtype, dims, y, divided) if by_zero else divided


def _check_quotient(trace: Trace, x: Any, minus: Any) -> None:
    """Check that it is not the least int that is divided by -1."""
    if not exact_integers.is_never_least(trace, x):
        least = trace.compare("eq", x, trace.constant(int64, -(2**63)))
        both = trace.op("arith.andi", least.type, least, minus)
        ok = trace.op("arith.xori", both.type, both, trace.constant(bool_, True))
        exact_integers.require(trace, ok, "{} // -1", x)


def _modulo(trace: Trace, dtype: DType, dims: Dims, x: Any, y: Any, by_zero: bool) -> Any:
    """``x - (x // y) * y``, which has the sign of the divisor; unsigned, the plain remainder."""
    known = emit.constant_value(y)
    if known is not None and known > 0 and known & (known - 1) == 0:
        mask = emit.constant_like(trace, dtype, dims, known - 1)
        return emit.elementwise(trace, "arith.andi", dtype, dims, x, mask)
    known_safe = _is_safe(y)
    safe = y if known_safe else _safe_divisor(trace, dtype, dims, y, by_zero, "%")[0]
    if dtype.kind == "u":
        rest = emit.elementwise(trace, "arith.remui", dtype, dims, x, safe)
        return _or_zero(trace, dtype, dims, y, rest) if by_zero and not known_safe else rest
    divided = emit.elementwise(trace, "arith.floordivsi", dtype, dims, x, safe)
    product = emit.elementwise(trace, "arith.muli", dtype, dims, divided, safe)
    return emit.elementwise(trace, "arith.subi", dtype, dims, x, product)


def _float_divmod(trace: Trace, dtype: DType, dims: Dims, x: Any, y: Any) -> tuple[Any, Any]:
    """NumPy's floor division and remainder of floats (npy_divmod): (quotient, remainder)."""
    zero = emit.constant_like(trace, dtype, dims, 0.0)
    one = emit.constant_like(trace, dtype, dims, 1.0)
    half = emit.constant_like(trace, dtype, dims, 0.5)

    def op(name: str, *operands: Any) -> Any:
        return emit.elementwise(trace, name, dtype, dims, *operands)

    def compare(predicate: str, left: Any, right: Any) -> Any:
        return emit.compare_floats(trace, predicate, dims, left, right)

    def logic(name: str, left: Any, right: Any) -> Any:
        return trace.op(name, left.type, left, right)

    mod = op("arith.remf", x, y)
    quotient = op("arith.divf", op("arith.subf", x, mod), y)
    nonzero = compare("une", mod, zero)
    signs = logic("arith.xori", compare("olt", y, zero), compare("olt", mod, zero))
    adjust = logic("arith.andi", nonzero, signs)
    quotient = emit.select(trace, adjust, op("arith.subf", quotient, one), quotient)
    remainder = emit.select(trace, adjust, op("arith.addf", mod, y), mod)
    remainder = emit.select(trace, nonzero, remainder, op("math.copysign", zero, y))
    floor = op("math.floor", quotient)
    up = compare("ogt", op("arith.subf", quotient, floor), half)
    floor = emit.select(trace, up, op("arith.addf", floor, one), floor)
    ratio = op("arith.divf", x, y)
    signed_zero = op("math.copysign", zero, ratio)
    floor = emit.select(trace, compare("oeq", quotient, zero), signed_zero, floor)
    by_zero = compare("oeq", y, zero)
    return emit.select(trace, by_zero, ratio, floor), emit.select(trace, by_zero, mod, remainder)


def _check_divisor(said: str, x: Any, y: Any) -> None:
    divisor = np.asarray(y)
    if divisor.dtype.kind in "iub" and np.asarray(x).dtype.kind in "iub" and not divisor.all():
        shape = np.broadcast_shapes(np.shape(x), divisor.shape)
        numpys = bool(shape) or not all(map(is_python_number, (x, y)))
        if 0 in shape or (numpys and _with_numpys(recording.current())):
            return
        raise RuntimeZeroDivisionError(said)


def _division(ufunc: np.ufunc, integers: Any, floats: Emitter) -> Declared:
    """A division of integers and floats.

    An integer divided by zero is 0 where NumPy's numbers are, and an error where both are Python's.
    """
    checked, unchecked = (
        dict.fromkeys("biu", partial(integers, by_zero=by_zero)) for by_zero in (False, True)
    )

    def of_numpys(trace: Trace, result: TensorType, x: Any, y: Any) -> Any:
        pythons = result.weak and not result.shape and trace.convention.division_fails
        if result.dtype.kind not in "iu" or pythons or not _with_numpys(trace):
            return None
        return emit_elementwise(trace, unchecked, result.dtype, result, [x, y])

    emitters: dict[str, Any] = {**checked, "f": floats}
    said = _BY_ZERO["//" if ufunc is np.floor_divide else "%"]
    return elementwise_operation(
        ufunc, emitters, check=partial(_check_divisor, said), shortcut=of_numpys
    )


@_division(
    np.floor_divide,
    _floor_divide,
    lambda trace, dtype, dims, x, y: _float_divmod(trace, dtype, dims, x, y)[0],
)
def floor_divide(x: Any, y: Any) -> Any:
    """``x // y``, rounded towards minus infinity; an integer divided by zero is an error.

    >>> ag.math.floordiv([7, -7], 2).numpy()
    array([ 3, -4], dtype=int32)

    Raises: RuntimeZeroDivisionError for an integer divided by zero
    """


@_division(
    np.remainder,
    _modulo,
    lambda trace, dtype, dims, x, y: _float_divmod(trace, dtype, dims, x, y)[1],
)
def remainder(x: Any, y: Any) -> Any:
    """``x % y``, with the sign of the divisor; an integer divided by zero is an error.

    >>> ag.math.floormod([7, -7], 3).numpy()
    array([1, 2], dtype=int32)

    Raises: RuntimeZeroDivisionError for an integer divided by zero
    """


# Powers.

_NEGATIVE_POWER = "integers to negative integer powers are not allowed; use a float"


def _integer_power(trace: Trace, dtype: DType, dims: Dims, x: Any, y: Any) -> Any:
    known = emit.constant_value(y)
    if dtype.kind == "i" and (known is None or known < 0):
        zero = emit.constant_like(trace, dtype, dims, 0)
        natural = emit.compare_integers(trace, "sge", dims, y, zero)
        trace.guard(all_true(trace, natural, dims), trace.site("negative_power"))
        y = emit.select(trace, natural, y, zero)
    if dtype.kind == "u" and dtype.bits < 64:  # the exponent of ipowi has a sign
        wide = [emit.convert(trace, v, dtype, int64, dims) for v in (x, y)]
        found = emit.elementwise(trace, "math.ipowi", int64, dims, *wide)
        return emit.convert(trace, found, int64, dtype, dims)
    if dtype.kind == "u" and (known is None or known > _GREATEST):
        return _wide_power(trace, dtype, dims, x, y)
    return emit.elementwise(trace, "math.ipowi", dtype, dims, x, y)


_GREATEST = 2**63 - 1


def _wide_power(trace: Trace, dtype: DType, dims: Dims, x: Any, y: Any) -> Any:
    """``x ** y`` of uint64, whose exponents need not fit an int64: the square of half of it."""

    def made(name: str, *operands: Any) -> Any:
        return emit.elementwise(trace, name, dtype, dims, *operands)

    one = emit.constant_like(trace, dtype, dims, 1)
    root = made("math.ipowi", x, made("arith.shrui", y, one))
    odd = emit.convert(trace, made("arith.andi", y, one), dtype, bool_, dims)
    return made("arith.muli", made("arith.muli", root, root), emit.select(trace, odd, x, one))


def _constant_power(trace: Trace, result: TensorType, x: Any, y: Any) -> SymbolicTensor | None:
    """Small constant exponents as products, 0.5 as a square root."""
    if result.dtype.kind in "iufc" and is_python_int(y) and y in (2, 3):
        if operand_type(dispatch.type_of(x)).dtype != result.dtype:  # a bool
            x = dispatch.call("cast", x, result.dtype)
            x = trace.make(x.ssa, x.dtype, x.dims, weak=result.weak)
        square = multiply(x, x)
        tensor = square if y == 2 else multiply(square, x)
        return tensor  # type: ignore[no-any-return]
    if result.weak and result.dtype == int64 and not result.shape and _with_numpys(trace):
        return _exact_power(trace, x, y)
    if result.dtype.is_floating and type(y) is float and y == 0.5:
        root = dispatch.call("sqrt", dispatch.call("cast", x, result.dtype))
        if not result.weak:
            return root  # type: ignore[no-any-return]
        return root.recorder.make(root.ssa, root.dtype, root.dims, weak=True)  # type: ignore[no-any-return]
    if result.dtype.is_integer and is_python_int(y) and y < 0:
        emit.constant_like(trace, result.dtype, (), y)  # NumPy says first that it does not fit
        if 0 in result.shape or None in result.shape:  # no element, no error
            return None
        raise ValueError(_NEGATIVE_POWER)
    return None


def _exact_power(trace: Trace, x: Any, y: Any) -> SymbolicTensor:
    """The power of ints of Python's, product by product."""
    if is_python_int(y) and y < 0:
        whole: SymbolicTensor = _float_power(x, y)
        return whole
    if isinstance(y, SymbolicTensor) and trace.powers_are_mixed:
        raised = partial(operators.call, integers.raised, (x, y), {})
        mixed: SymbolicTensor = operators.if_exp(y >= 0, raised, lambda: _float_power(x, y))
        return mixed
    if isinstance(y, SymbolicTensor):
        zero = trace.constant(int64, 0)
        ssa = emit.convert(trace, y.ssa, y.dtype, int64, ())
        natural = trace.compare("sge", ssa, zero)
        trace.guard(natural, trace.refusal("negative_power"))  # plain Python gives a float
        y = trace.make(emit.select(trace, natural, ssa, zero), int64, (), weak=True)
    if isinstance(x, SymbolicTensor) and x.dtype != int64:
        x = trace.make(emit.convert(trace, x.ssa, x.dtype, int64, ()), int64, (), weak=True)
    power: SymbolicTensor = operators.call(integers.raised, (x, y))
    return power


def _float_power(x: Any, y: Any) -> Any:
    """The power of ints whose exponent is negative: a float."""
    return operators.call(float, (x,)) ** operators.call(float, (y,))


def _check_power(x: Any, y: Any) -> None:
    if np.result_type(x, y).kind == "i" and (np.asarray(y) < 0).any():
        raise RuntimeValueError("integers to negative integer powers are not allowed")


@elementwise_operation(
    np.power,
    {
        "b": _integer_power,
        "i": _integer_power,
        "u": _integer_power,
        "f": simple("math.powf"),
        "c": simple("complex.pow"),
    },
    check=_check_power,
    shortcut=_constant_power,
)
def power(x: Any, y: Any) -> Any:
    """``x ** y``; an integer to a negative integer power is an error.

    >>> ag.pow([2, 3], 2).numpy()
    array([4, 9], dtype=int32)

    Raises: InvalidArgumentError for an integer to a negative integer power
    """


# Signs.


def _negate_integer(trace: Trace, dtype: DType, dims: Dims, x: Any) -> Any:
    zero = emit.constant_like(trace, dtype, dims, 0)
    return emit.elementwise(trace, "arith.subi", dtype, dims, zero, x)


def _unchanged(trace: Trace, dtype: DType, dims: Dims, x: Any) -> Any:
    return x


def _negation_fits(what: str) -> Callable[[Trace, SymbolicTensor], None]:
    """The check that an int has an opposite, whose operand is the last one of its operation."""

    def check(trace: Trace, result: SymbolicTensor) -> None:
        made = result.ssa.maker
        if made is not None and made.name in ("arith.subi", "math.absi"):
            exact_integers.check_negation(trace, made.operands[-1], what)

    return check


@elementwise_operation(
    np.negative,
    {
        "i": _negate_integer,
        "u": _negate_integer,
        "f": simple("arith.negf"),
        "c": simple("complex.neg"),
    },
    exact=_negation_fits("-({})"),
)
def negative(x: Any) -> Any:
    """``-x``; unsigned integers wrap around.

    >>> ag.negative([1, -2]).numpy()
    array([-1,  2], dtype=int32)
    """


@elementwise_operation(np.positive, dict.fromkeys("iufc", _unchanged))
def positive(x: Any) -> Any:
    """``+x``: the same values.

    >>> ag.positive([1, -2]).numpy()
    array([ 1, -2], dtype=int32)
    """


def _absolute_complex(trace: Trace, dtype: DType, dims: Dims, x: Any) -> Any:
    return emit.elementwise(trace, "complex.abs", dtype.real, dims, x)


@elementwise_operation(
    np.absolute,
    {
        "b": _unchanged,
        "i": simple("math.absi"),
        "u": _unchanged,
        "f": simple("math.absf"),
        "c": _absolute_complex,
    },
    exact=_negation_fits("abs({})"),
    name="abs",
)
def absolute(x: Any) -> Any:
    """``abs(x)``; the modulus of complex numbers.

    >>> ag.abs([-1.5, 2.0]).numpy()
    array([1.5, 2. ], dtype=float32)
    """
