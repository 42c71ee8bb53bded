"""Floats of Python's fail where NumPy's become infinite: division by zero, powers that are too large.

Which of both a float is says its type (weak or not); elements of arrays are NumPy's.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from agir.ir.building.types import DType, bool_, is_python_number
from agir.ir.emission import broadcast, emit
from agir.ir.tensors.symbolic import SymbolicTensor
from agir.ir.tracing import ranges
from agir.ir.tracing.trace import Trace

Check = Callable[[Trace, SymbolicTensor, Sequence[Any]], None]
"""Looks at the result of an operator and at its operands."""

MESSAGES = {
    "/": {"i": "division by zero", "f": "float division by zero", "c": "complex division by zero"},
    "//": {"i": "integer division or modulo by zero", "f": "float floor division by zero"},
    "%": {"i": "integer modulo by zero", "f": "float modulo"},
}
"""What is said of a division by zero: by the operator, and the kind of the wider operand."""
_POLE = "0.0 cannot be raised to a negative power"
_TOO_LARGE = "(34, 'Numerical result out of range')"


def checked(name: str, result: Any, left: Any, right: Any) -> Any:
    """The result of an operator, which is checked where it is a float or complex number of Python's."""
    if isinstance(result, SymbolicTensor) and result.weak and not result.dims:
        trace = result.recorder
        convention = trace.convention
        fails = convention.math_fails if name == "power" else convention.division_fails
        if result.dtype.kind in "fc" and convention.arrays_are_mutable and fails:
            with trace.at_user_line():
                _CHECKS[name](trace, result, (left, right))
    return result


def division(operator: str) -> Check:
    """The check of a division that the divisor is not 0."""

    def check(trace: Trace, result: SymbolicTensor, operands: Sequence[Any]) -> None:
        kinds = {_kind(each) for each in operands}
        kind = "c" if "c" in kinds else "f" if "f" in kinds else "i"
        ok = _is_not_zero(trace, operands[1])
        if ok is not None:
            trace.guard(ok, trace.site("deferred_division", MESSAGES[operator][kind]))

    return check


def check_power(trace: Trace, result: SymbolicTensor, operands: Sequence[Any]) -> None:
    """The check of a power that there is one, and that it is a float of finite size."""
    if result.dtype.kind != "f":
        return
    dtype, exponent = result.dtype, operands[1]
    x, y = (broadcast.operand(trace, each, dtype, ()) for each in operands)
    zero = emit.constant_like(trace, dtype, (), 0.0)
    finite = _both(trace, _is_finite(trace, x, dtype), _is_finite(trace, y, dtype))
    if not (is_python_number(exponent) and exponent >= 0):
        pole = _both(trace, _compare(trace, "oeq", x, zero), _compare(trace, "olt", y, zero))
        trace.guard(_not(trace, pole), trace.site("deferred_division", _POLE))
        finite = _both(trace, finite, _not(trace, pole))
    if not _is_whole(exponent) and _least_sign(trace, x) is None:
        broken = _compare(trace, "one", trace.op("math.floor", y.type, y), y)
        below = _both(trace, _compare(trace, "olt", x, zero), finite)
        trace.guard(_not(trace, _both(trace, below, broken)), trace.refusal("complex_power"))
    if is_python_number(exponent) and 0 <= exponent <= 1:
        return
    infinite = _not(trace, _is_finite(trace, result.ssa, dtype))
    number = _compare(trace, "ord", result.ssa, result.ssa)
    too_large = _both(trace, _both(trace, infinite, number), finite)
    trace.guard(_not(trace, too_large), trace.site("overflow", _TOO_LARGE))


def _kind(value: Any) -> str:
    if isinstance(value, SymbolicTensor):
        return value.dtype.kind if value.dtype.kind in "fc" else "i"
    return "c" if isinstance(value, complex) else "f" if isinstance(value, float) else "i"


def _is_not_zero(trace: Trace, divisor: Any) -> Any:
    """Whether it is not 0 (i1); None where that is sure."""
    if not isinstance(divisor, SymbolicTensor):
        return None if divisor != 0 else trace.constant(bool_, False)
    kind = divisor.dtype.kind
    if kind == "c":
        parts = (
            trace.op(f"complex.{part}", divisor.dtype.real.mlir(), divisor.ssa)
            for part in ("re", "im")
        )
        zero = emit.constant_like(trace, divisor.dtype.real, (), 0.0)
        return trace.op(
            "arith.ori", bool_.mlir(), *(_compare(trace, "une", each, zero) for each in parts)
        )
    known = emit.constant_value(divisor.ssa)
    if known is not None:
        return None if known != 0 else trace.constant(bool_, False)
    if kind == "f":
        if _least_sign(trace, divisor.ssa) == 1:
            return None
        return _compare(trace, "une", divisor.ssa, _zero(trace, divisor))
    if kind == "b":
        return divisor.ssa
    interval = ranges.interval(trace, divisor.ssa)
    if interval is not None and (interval[0] > 0 or interval[1] < 0):
        return None
    return trace.compare("ne", divisor.ssa, _zero(trace, divisor))


def _zero(trace: Trace, number: SymbolicTensor) -> Any:
    return emit.constant_like(trace, number.dtype, (), 0)


def _is_whole(exponent: Any) -> bool:
    if isinstance(exponent, SymbolicTensor):
        return exponent.dtype.kind not in "fc"
    return float(exponent).is_integer() or math.isinf(exponent)


def _compare(trace: Trace, predicate: str, left: Any, right: Any) -> Any:
    return emit.compare_floats(trace, predicate, (), left, right)


def _both(trace: Trace, left: Any, right: Any) -> Any:
    return trace.op("arith.andi", left.type, left, right)


def _not(trace: Trace, condition: Any) -> Any:
    return trace.op("arith.xori", condition.type, condition, trace.constant(bool_, True))


def _is_finite(trace: Trace, number: Any, dtype: DType) -> Any:
    size = trace.op("math.absf", number.type, number)
    return _compare(trace, "olt", size, emit.constant_like(trace, dtype, (), math.inf))


_NEVER_NEGATIVE = ("math.absf", "math.exp", "math.exp2", "math.sqrt", "arith.uitofp")
_DEPTH = 8
"""So far back it is looked what a float has been computed of."""


def _least_sign(trace: Trace, ssa: Any, depth: int = _DEPTH) -> int | None:
    """1 for a float that is more than 0 or NaN, whatever it is made of; 0 for 0 or more; else None."""
    made = ssa.maker
    if made is None or depth == 0:
        return None
    least = emit.constant_value(ssa)
    if least is None and made.name == "arith.sitofp":
        interval = ranges.interval(trace, made.operands[0])
        least = -1 if interval is None else interval[0]
    if least is not None:
        return int(least > 0) if least >= 0 else None
    operands = list(made.operands)
    is_square = made.name == "arith.mulf" and operands[0] is operands[1]
    if is_square or made.name in _NEVER_NEGATIVE:
        return 0
    if made.name not in ("arith.addf", "arith.mulf", "arith.divf"):
        return None
    signs = [_least_sign(trace, each, depth - 1) for each in operands]
    known = [each for each in signs if each is not None]
    if len(known) < len(signs):
        return None
    return max(known) if made.name == "arith.addf" else 0  # products may be too small for a float


_CHECKS: dict[str, Check] = {
    "divide": division("/"),
    "floor_divide": division("//"),
    "remainder": division("%"),
    "power": check_power,
}
