"""Python's ``math`` over run-time numbers: Python floats and ints, and Python's exceptions."""

from __future__ import annotations

import functools
import math
import operator
from collections.abc import Callable, Iterable
from typing import Any

from agir.autograph.operators import (
    LoopOptions,
    binary,
    call,
    for_stmt,
    if_stmt,
    no_state,
    skip,
    while_stmt,
)
from agir.autograph.operators.generators import Box, joined
from agir.ir.building.types import DType, bool_, float32, float64, int64, uint64
from agir.ir.emission import emit, failing
from agir.ir.emission.failing import Unreachable
from agir.ir.emission.python_numbers import TOO_LARGE, as_int
from agir.ir.plain import floats, integers
from agir.ir.plain.table import OF_FLOATS, OF_INTEGERS
from agir.ir.tensors import dispatch
from agir.ir.tensors.symbolic import SymbolicTensor
from agir.ir.tracing.trace import Trace

Replacement = Callable[..., Any]


def _scalar(trace: Trace, value: Any, dtype: DType) -> Any:
    """The value as a Python number of that type."""
    if not isinstance(value, SymbolicTensor):
        return float(value) if dtype is float64 else operator.index(value)
    if value.dims or value.dtype.kind == "c" or (dtype is int64 and value.dtype.kind == "f"):
        wanted = "a real number" if dtype is float64 else "an integer"
        raise TypeError(
            trace.explain(f"{wanted} is needed, got {value.dtype.name}{list(value.shape)}")
        )
    return weak_number(trace, value, dtype)


def real(trace: Trace, value: Any) -> Any:
    """The value as a float of Python's."""
    return _scalar(trace, value, float64)


def weak_number(trace: Trace, value: Any, dtype: DType) -> SymbolicTensor:
    """A scalar as a number of Python's."""
    if dtype is int64 and value.dtype == uint64:
        return as_int(value)
    cast = dispatch.call("cast", value, dtype)
    return trace.make(cast.ssa, dtype, (), weak=True)


def fail_if(trace: Trace, condition: Any, error: type[Exception], message: str) -> None:
    """An exception of Python's where the condition holds when the function runs."""

    def fail() -> None:
        failing.record(trace, error(message))
        raise Unreachable

    if_stmt(condition, fail, skip, no_state)


def _both(name: str, left: Any, right: Any) -> Any:
    return dispatch.call(f"logical_{name}", left, right)


def check_of_python(trace: Trace, result: Any, operands: list[Any], *, singular: bool) -> None:
    """Raise as Python does where the result is no number, or infinite, and the operands are not."""
    if not trace.convention.math_fails:
        return
    runtime = [each for each in operands if isinstance(each, SymbolicTensor)]
    nan, finite = _combined("or", "isnan", runtime), _combined("and", "isfinite", runtime)
    invalid = _both("and", dispatch.call("isnan", result), dispatch.call("logical_not", nan))
    infinite = _both("and", dispatch.call("isinf", result), finite)
    if singular:
        fail_if(trace, _both("or", invalid, infinite), ValueError, "math domain error")
        return
    fail_if(trace, invalid, ValueError, "math domain error")
    fail_if(trace, infinite, OverflowError, "math range error")


def _combined(by: str, name: str, values: list[Any]) -> Any:
    """Whether a test holds of any of the values, or of all."""
    tests = [dispatch.call(name, each) for each in values]
    return functools.reduce(functools.partial(_both, by), tests, by == "and")


def _function(name: str, *, fails: bool = True, singular: bool = False) -> Replacement:
    """A function that is an operation; where it fails, by `singular` with `ValueError` alone."""

    def apply(trace: Trace, *operands: Any) -> Any:
        numbers = [_scalar(trace, each, float64) for each in operands]
        result = weak_number(trace, dispatch.call(name, *numbers), float64)
        if fails:
            check_of_python(trace, result, numbers, singular=singular)
        return result

    return apply


def _test(name: str) -> Replacement:
    return lambda trace, value: dispatch.call(name, _scalar(trace, value, float64))


def _rounded(name: str) -> Replacement:
    def round_(trace: Trace, value: Any) -> Any:
        if value.dtype.kind != "f":
            return _scalar(trace, value, int64)
        return to_integer(trace, dispatch.call(name, _scalar(trace, value, float64)))

    return round_


def to_integer(trace: Trace, number: SymbolicTensor) -> SymbolicTensor:
    """A number without its fraction, as an int of Python's; an error where it is none."""
    if number.dtype.kind in "iub":
        return as_int(number)

    def fail() -> None:
        nan, inf = dispatch.call("isnan", number), dispatch.call("isinf", number)
        fail_if(trace, nan, ValueError, "cannot convert float NaN to integer")
        fail_if(trace, inf, OverflowError, "cannot convert float infinity to integer")
        failing.record(trace, OverflowError(TOO_LARGE), is_refusal=True)
        raise Unreachable

    if number.dtype.is_storage_only:  # to which 2.0**63 may be infinite
        number = dispatch.call("cast", number, float32)
    fits = _both("and", number < 2.0**63, number >= -(2.0**63))
    if_stmt(dispatch.call("logical_not", fits), fail, skip, no_state)
    zero = emit.constant_like(trace, number.dtype, (), 0.0)
    safe = emit.select(trace, fits.ssa, number.ssa, zero)
    return trace.make(trace.op("arith.fptosi", int64.mlir(), safe), int64, (), weak=True)


def _pow(trace: Trace, base: Any, exponent: Any) -> Any:
    x, y = (_scalar(trace, each, float64) for each in (base, exponent))
    if trace.convention.math_fails:
        pole = _both("and", x == 0, _both("and", y < 0, dispatch.call("isfinite", y)))
        fail_if(trace, pole, ValueError, "math domain error")
    return _function("power")(trace, x, y)


def _division_by_zero() -> str:
    try:
        return str(1.0 / 0.0)
    except ZeroDivisionError as error:
        return str(error)


_DIVISION = _division_by_zero()
"""Python's message, which depends on its version."""


def _log(trace: Trace, value: Any, *base: Any) -> Any:
    log = _function("log", singular=True)
    parts = [
        log(trace, x) if isinstance(x, SymbolicTensor) else math.log(x) for x in (value, *base)
    ]
    if not base:
        return parts[0]
    if isinstance(base[0], SymbolicTensor):
        fail_if(trace, parts[1] == 0, ZeroDivisionError, _DIVISION)
    return parts[0] / parts[1]


def _scaled(factor: Callable[[float], float]) -> Replacement:
    return lambda trace, value: _scalar(trace, value, float64) * factor(1.0)


def _fmod(trace: Trace, left: Any, right: Any) -> Any:
    x, y = (_scalar(trace, each, float64) for each in (left, right))
    rest = dispatch.call("remainder", abs(x), abs(y))
    result = weak_number(trace, dispatch.call("copysign", rest, x), float64)
    check_of_python(trace, result, [x, y], singular=True)
    return result


def _isclose(trace: Trace, a: Any, b: Any, *, rel_tol: float = 1e-09, abs_tol: float = 0.0) -> Any:
    x, y = (_scalar(trace, each, float64) for each in (a, b))
    size = dispatch.call("maximum", abs(x), abs(y))
    near = abs(x - y) <= dispatch.call("maximum", rel_tol * size, abs_tol)
    finite = _both("and", dispatch.call("isfinite", x), dispatch.call("isfinite", y))
    same = _both("or", dispatch.call("equal", x, y), _both("and", near, finite))
    return weak_number(trace, same, bool_)


def _gcd(trace: Trace, *values: Any) -> Any:
    return functools.reduce(functools.partial(_gcd_of_two, trace), values, 0)


def _gcd_of_two(trace: Trace, left: Any, right: Any) -> Any:
    a, b = (Box(n, _scalar(trace, v, int64)) for n, v in (("a", left), ("b", right)))

    def body() -> None:
        a.value, b.value = b.value, a.value % b.value

    while_stmt(lambda: b.value != 0, body, joined(a.state, b.state), LoopOptions())
    return abs(a.value)


def _isqrt(trace: Trace, value: Any) -> Any:
    n = _scalar(trace, value, int64)
    fail_if(trace, n < 0, ValueError, "isqrt() argument must be nonnegative")
    root = weak_number(trace, dispatch.call("sqrt", weak_number(trace, n, float64)), int64)
    root = root - weak_number(trace, root * root > n, int64)  # the float may be one off
    return root + weak_number(trace, n // (root + 1) > root, int64)  # whose square may be too large


def _prod(trace: Trace, values: Any, *, start: Any = 1) -> Any:
    box = Box("prod", start)

    def body(value: Any) -> None:
        box.value = box.value * value

    for_stmt(values, body, None, box.state, LoopOptions())
    return box.value


def _in_python(function: Callable[..., Any], dtype: DType) -> Replacement:
    """A function in Python that takes numbers of one type alone."""

    def apply(trace: Trace, *values: Any) -> Any:
        return call(function, tuple(_scalar(trace, each, dtype) for each in values))

    return apply


def _ldexp(trace: Trace, x: Any, i: Any) -> Any:
    return call(floats.ldexp, (_scalar(trace, x, float64), _scalar(trace, i, int64)))


def power(trace: Trace, base: Any, exp: Any, mod: Any = None) -> Any:
    """``pow(base, exp, mod)``."""
    if mod is None:
        return binary("pow", base, exp)
    return _in_python(integers.power, int64)(trace, base, exp, mod)


def _hypot(trace: Trace, *coordinates: Any) -> Any:
    """Without overflow on the way: each coordinate is divided by the greatest."""
    if len(coordinates) == 2:
        return _function("hypot")(trace, *coordinates)
    sizes = [abs(_scalar(trace, each, float64)) for each in coordinates]
    greatest: Any = functools.reduce(_greater, sizes, 0.0)
    scale = dispatch.call(
        "where", (greatest > 0) & dispatch.call("isfinite", greatest), greatest, 1.0
    )
    squares = [(each / scale) * (each / scale) for each in sizes]
    result = weak_number(trace, dispatch.call("sqrt", sum(squares)) * scale, float64)
    check_of_python(trace, result, sizes, singular=False)
    return result


def _greater(left: Any, right: Any) -> Any:
    return dispatch.call("maximum", left, right)


def _dist(trace: Trace, p: Iterable[Any], q: Iterable[Any]) -> Any:
    first, second = list(p), list(q)
    if len(first) != len(second):
        raise ValueError(trace.explain("both points must have the same number of dimensions"))
    return _hypot(trace, *(a - b for a, b in zip(first, second, strict=True)))


def _modf(trace: Trace, value: Any) -> Any:
    x = _scalar(trace, value, float64)
    whole = dispatch.call("trunc", x)
    rest = dispatch.call("where", dispatch.call("isinf", x), 0.0, x - whole)
    return tuple(
        weak_number(trace, dispatch.call("copysign", each, x), float64) for each in (rest, whole)
    )


_SAFE = {math.atan: "atan", math.atan2: "atan2", math.asinh: "asinh", math.tanh: "tanh",
         math.fabs: "abs", math.copysign: "copysign", math.erf: "erf", math.erfc: "erfc"}  # fmt: skip
_LATER = {"cbrt": False, "exp2": True}
"""Those that older versions of Python lack, and whether they can overflow."""
_CHECKED = {math.sin: "sin", math.cos: "cos", math.tan: "tan", math.asin: "asin",
            math.acos: "acos", math.sinh: "sinh", math.cosh: "cosh", math.acosh: "acosh",
            math.exp: "exp", math.expm1: "expm1", math.sqrt: "sqrt"}  # fmt: skip
_SINGULAR = {math.log2: "log2", math.log10: "log10", math.log1p: "log1p", math.atanh: "atanh"}

STAGED: dict[Any, Replacement] = {
    **{function: _function(name, fails=False) for function, name in _SAFE.items()},
    **{function: _function(name) for function, name in _CHECKED.items()},
    **{function: _function(name, singular=True) for function, name in _SINGULAR.items()},
    **{getattr(math, name): _test(name) for name in ("isnan", "isinf", "isfinite")},
    **{getattr(math, name): _rounded(name) for name in ("floor", "ceil", "trunc")},
    **{getattr(math, name): _function(name, fails=fails)
       for name, fails in _LATER.items() if hasattr(math, name)},
    **{function: _in_python(plain, int64) for function, plain in OF_INTEGERS.items()},
    **{function: _in_python(plain, float64) for function, plain in OF_FLOATS.items()},
    math.ldexp: _ldexp,
    math.hypot: _hypot,
    math.dist: _dist,
    math.modf: _modf,
    math.pow: _pow,
    math.log: _log,
    math.degrees: _scaled(math.degrees),
    math.radians: _scaled(math.radians),
    math.fmod: _fmod,
    math.isclose: _isclose,
    math.gcd: _gcd,
    math.isqrt: _isqrt,
    math.prod: _prod,
}  # fmt: skip
"""What stands for a function of `math` that meets a run-time value."""
