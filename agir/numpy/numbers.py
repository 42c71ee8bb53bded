"""Parts of numbers, and numbers near them."""

from __future__ import annotations

from typing import Any

import numpy as np

from agir.ir.ops.core.operands import composition
from agir.ir.table import TABLE
from agir.numpy import elementwise
from agir.numpy.arguments import array, array_function, operand


@array_function("x")
def real(x: Any, /) -> Any:
    """The real parts.

    >>> ag.numpy.real([1 + 2j]).numpy()
    array([1.])
    """
    return TABLE["real"](x)


@array_function("x")
def imag(x: Any, /) -> Any:
    """The imaginary parts; 0 of real numbers.

    >>> ag.numpy.imag([1 + 2j]).numpy()
    array([2.])
    """
    return TABLE["imag"](x)


@array_function("x")
def angle(x: Any, /, deg: Any = False) -> Any:
    """The angles of complex numbers in radians, or in degrees.

    >>> ag.numpy.angle(1j, deg=True).numpy()
    np.float64(90.0)
    """
    found = TABLE["angle"](x)
    return TABLE["multiply"](found, 180.0 / np.pi) if deg else found


@array_function("x")
def round(x: Any, /, decimals: int = 0) -> Any:
    """The nearest integers, or numbers of so many decimals; halves to the even one.

    >>> ag.numpy.round([1.26, 2.5], 1).numpy()
    array([1.3, 2.5])
    """
    if not decimals:
        return TABLE["round"](x)
    scale = 10.0 ** elementwise.abs(decimals)
    there, back = ("multiply", "divide") if decimals > 0 else ("divide", "multiply")
    found = TABLE[back](TABLE["round"](TABLE[there](x, scale)), scale)
    return TABLE["cast"](found, getattr(x, "dtype", found.dtype))


@composition()
def clip(
    x: Any, /, min: Any = None, max: Any = None, out: Any = None, *, a_min: Any = None,
    a_max: Any = None,
) -> Any:  # fmt: skip
    """The elements kept between ``min`` and ``max``, of which None is no bound.

    The dtype is that of ``x`` where the bounds are Python numbers.

    >>> ag.numpy.clip([1, 5, 9], 2, 6).numpy()
    array([2, 5, 6])
    """
    low, high = (operand(own if own is not None else other)
                 for own, other in ((min, a_min), (max, a_max)))  # fmt: skip
    return TABLE["clip"](array(x), low, high)


around = round

__all__ = ["angle", "around", "clip", "imag", "real", "round"]
