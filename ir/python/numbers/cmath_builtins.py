"""Python's ``cmath`` over run-time numbers: Python's complex numbers, and Python's exceptions."""

from __future__ import annotations

import cmath
from collections.abc import Callable
from typing import Any

from agir.ir.building.types import bool_, complex128, float64
from agir.ir.python.numbers.math_builtins import check_of_python, fail_if, real, weak_number
from agir.ir.tensors import dispatch
from agir.ir.tensors.symbolic import SymbolicTensor
from agir.ir.tracing.trace import Trace

Replacement = Callable[..., Any]
call = dispatch.call


def _complex(trace: Trace, value: Any) -> Any:
    """The value as a Python complex number."""
    if not isinstance(value, SymbolicTensor):
        return complex(value)
    if value.dims:
        raise TypeError(
            trace.explain(f"a complex number is needed, got {value.dtype.name}{list(value.shape)}")
        )
    return weak_number(trace, value, complex128)


def _function(name: str, *, singular: bool = False) -> Replacement:
    """A function that is an operation; where it is infinite, by ``singular`` with ``ValueError``."""

    def apply(trace: Trace, z: Any) -> Any:
        number = _complex(trace, z)
        result = weak_number(trace, call(name, number), complex128)
        check_of_python(trace, result, [number], singular=singular)
        return result

    return apply


def _test(name: str) -> Replacement:
    def test(trace: Trace, z: Any) -> Any:
        return weak_number(trace, call(name, _complex(trace, z)), bool_)

    return test


_NO_BASE = object()


def _log(trace: Trace, z: Any, base: Any = _NO_BASE) -> Any:
    """``log(z, base)``: the quotient of two logarithms, where only the base is looked at."""
    number = _complex(trace, z)
    if base is _NO_BASE:
        return _function("log", singular=True)(trace, number)
    base = _complex(trace, base)
    over, under = (_logarithm(trace, each) for each in (number, base))
    if isinstance(under, SymbolicTensor):
        fails = call("logical_or", call("equal", under, 0), call("equal", base, 0))
        fail_if(trace, fails, ValueError, "math domain error")
    return over / under


def _logarithm(trace: Trace, z: Any) -> Any:
    known = not isinstance(z, SymbolicTensor)
    return cmath.log(z) if known else weak_number(trace, call("log", z), complex128)


def _phase(trace: Trace, z: Any) -> Any:
    number = _complex(trace, z)
    angle = call("atan2", call("imag", number), call("real", number))
    return weak_number(trace, angle, float64)


def _polar(trace: Trace, z: Any) -> Any:
    number = _complex(trace, z)
    size = weak_number(trace, call("abs", number), float64)
    check_of_python(trace, size, [number], singular=False)
    return size, _phase(trace, number)


def _rect(trace: Trace, r: Any, phi: Any) -> Any:
    size, angle = real(trace, r), real(trace, phi)
    re, im = (call("multiply", size, call(name, angle)) for name in ("cos", "sin"))
    nothing = call("equal", size, 0)  # to any direction
    re = call("where", call("logical_and", nothing, call("isnan", re)), 0.0, re)
    im = call("where", call("logical_and", nothing, call("isnan", im)), 0.0, im)
    im = call("where", call("equal", angle, 0), angle, im)  # of what is infinite, too
    result = weak_number(trace, call("complex", re, im), complex128)
    check_of_python(trace, result, [size, angle], singular=False)
    return result


def _isclose(trace: Trace, a: Any, b: Any, *, rel_tol: float = 1e-09, abs_tol: float = 0.0) -> Any:
    """Equal, or no farther apart than a share of the greater size, or than ``abs_tol``."""
    left, right = _complex(trace, a), _complex(trace, b)
    distance = call("abs", call("subtract", left, right))
    greater = call("maximum", call("abs", left), call("abs", right))
    near = call("less_equal", distance, call("maximum", rel_tol * greater, abs_tol))
    finite = call("logical_and", call("isfinite", left), call("isfinite", right))
    same = call("logical_or", call("equal", left, right), call("logical_and", near, finite))
    return weak_number(trace, same, bool_)


_ANYWHERE = (
    "acos", "acosh", "asin", "asinh", "cos", "cosh", "exp", "sin", "sinh", "sqrt", "tan", "tanh",
)  # fmt: skip
_SINGULAR = ("atan", "atanh", "log10")

STAGED: dict[Any, Replacement] = {
    **{getattr(cmath, name): _function(name) for name in _ANYWHERE},
    **{getattr(cmath, name): _function(name, singular=True) for name in _SINGULAR},
    **{getattr(cmath, name): _test(name) for name in ("isnan", "isinf", "isfinite")},
    cmath.log: _log,
    cmath.phase: _phase,
    cmath.polar: _polar,
    cmath.rect: _rect,
    cmath.isclose: _isclose,
}
"""What stands for a function of `cmath` that meets a run-time value."""
