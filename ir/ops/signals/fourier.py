"""Discrete Fourier transforms, which NumPy computes when the program runs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from agir.ir.building.types import DType, Shape, as_dtype, float32, float64, int64
from agir.ir.ops.core.checked import require
from agir.ir.ops.core.operands import axis_index, compose, dimension_sizes, operand_type
from agir.ir.ops.linalg import lapack_types
from agir.ir.ops.linalg.lapack import on_host
from agir.ir.tensors import dispatch
from agir.ir.tensors.symbolic import SymbolicTensor

call = dispatch.call
NORMS = ("backward", "ortho", "forward")
_SWAPPED = {"backward": "forward", "forward": "backward", "ortho": "ortho"}


def _half(n: Any) -> Any:
    return None if n is None else n // 2 + 1


def _define(
    name: str, function: Callable[..., Any], length: Callable[[Any], Any], real: bool
) -> None:
    """A transform along one axis whose result has ``length(n)`` elements there."""

    def shapes(
        what: str, dtype: DType, shape: Shape, n: int | None, axis: int, norm: str
    ) -> tuple[DType, Shape]:
        given = shape[axis] if n is None else n
        found = (*shape[:axis], length(given), *shape[axis + 1 :])
        return (dtype.real if real else lapack_types.complex_of(dtype)), found

    def compute(a: Any, n: int | None, axis: int, norm: str) -> Any:
        return function(a, n, axis, norm)

    on_host(f"fourier_{name}", compute, shapes, _DOCS[name], ("a",), ("n", "axis", "norm"))


_DOCS = {
    "fft": "The discrete Fourier transform along an axis.",
    "ifft": "The inverse of the discrete Fourier transform along an axis.",
    "rfft": "The first half of the transform of real numbers, of which the rest is the conjugate.",
    "irfft": "The inverse of ``rfft``: real numbers.",
    "hfft": "The transform of numbers that are conjugate about the middle: real numbers.",
    "ihfft": "The inverse of ``hfft``: the first half.",
}

_define("fft", np.fft.fft, lambda n: n, False)
_define("ifft", np.fft.ifft, lambda n: n, False)
_define("rfft", np.fft.rfft, _half, False)
_define("irfft", np.fft.irfft, lambda n: n, True)
_define("hfft", np.fft.hfft, lambda n: n, True)
_define("ihfft", np.fft.ihfft, _half, False)


def _operand(name: str, a: Any, real: bool) -> Any:
    """The array in a dtype that is transformed: integers in float64, half precision in float32."""
    kind = operand_type(dispatch.type_of(a, name))
    if real and kind.dtype.is_complex:
        raise TypeError(f"{name}() takes real numbers, not {kind.dtype}")
    if not kind.rank:
        raise ValueError(f"{name}() takes an array, not a scalar")
    if kind.dtype.kind in "biu":
        return call("cast", a, float64)
    return call("cast", a, float32) if kind.dtype.is_storage_only else call("copy", a)


def _norm(name: str, norm: Any) -> str:
    if norm is None:
        return "backward"
    if norm not in NORMS:
        raise ValueError(f"{name}(): norm is one of {', '.join(NORMS)}, not {norm!r}")
    return str(norm)


def _count(name: str, n: Any) -> Any:
    if isinstance(n, SymbolicTensor):
        require(call("greater_equal", n, 1), f"{name}(): the number of points is 1 or more")
        return n
    if n is None:
        return None
    if n < 1:
        raise ValueError(f"{name}(): the number of points is 1 or more, not {n}")
    return int(n)


def _transformed(name: str, values: Any, points: Any, axis: int, norm: str) -> Any:
    """A transform along one axis, of as many points as only the run time may know."""
    if not isinstance(points, SymbolicTensor):
        return call(f"fourier_{name}", values, points, axis, norm)
    if name == "hfft":
        return _to_real(call("conj", values), points, axis, _SWAPPED[norm])
    if name == "irfft":
        return _to_real(values, points, axis, norm)
    return call(f"fourier_{name}", _fitted(values, points, axis), None, axis, norm)


def _along(axis: int, key: slice) -> tuple[slice, ...]:
    return (*(slice(None),) * axis, key)


def _to_real(half: Any, points: Any, axis: int, norm: str) -> Any:
    """The inverse transform of the first half of what is conjugate about the middle."""
    count = points // 2 + 1
    half = _fitted(half, count, axis)
    rest = call("conj", call("flip", half[_along(axis, slice(1, 1 + points - count))], axis))
    whole = call("concat", [half, rest], axis)
    return call("real", call("fourier_ifft", whole, None, axis, norm))


def _fitted(values: Any, count: Any, axis: int) -> Any:
    """The first elements along an axis, with zeros where there are less."""
    sizes = list(dimension_sizes(values))
    sizes[axis] = call("maximum", count - sizes[axis], 0)
    kind = dispatch.type_of(values).dtype
    zeros = call("full", sizes, 0, kind)
    return call("concat", [values[_along(axis, slice(None, count))], zeros], axis)


def _one(name: str, real: bool) -> None:
    def transform(
        a: Any, n: Any = None, axis: int = -1, norm: Any = "backward", out: Any = None
    ) -> Any:
        values = _operand(name, a, real)
        along = axis_index(axis, len(values.shape), name)
        points = _count(name, n)
        if points is None and name in ("irfft", "hfft"):
            points = _count(name, 2 * (dimension_sizes(values)[along] - 1))
        return _transformed(name, values, points, along, _norm(name, norm))

    transform.__doc__ = _DOCS[name]
    compose(f"numpy_{name}", transform, operands=("a",), numpy=(getattr(np.fft, name),))


def _several(name: str, axes: Any) -> None:
    default = axes

    def transform(
        a: Any, s: Any = None, axes: Any = default, norm: Any = "backward", out: Any = None
    ) -> Any:
        values = _operand(name, a, name.startswith("rfft"))
        counts, along = _counts_and_axes(name, values, s, axes)
        if name.startswith("irfft") and s is None:
            counts[-1] = 2 * (dimension_sizes(values)[along[-1]] - 1)
        how = _norm(name, norm)
        for kind, n, axis in _plan(name, list(zip(counts, along, strict=True))):
            values = _transformed(kind, values, _count(name, n), axis, how)
        return values

    transform.__doc__ = _MANY[name]
    compose(f"numpy_{name}", transform, operands=("a",), numpy=(getattr(np.fft, name),))


def _plan(name: str, steps: list[Any]) -> list[tuple[str, Any, int]]:
    """The transforms along single axes: real numbers go in first, or come out last."""
    *others, last = steps
    if name.startswith("rfft"):
        return [("rfft", *last), *(("fft", *step) for step in others)]
    if name.startswith("irfft"):
        return [*(("ifft", *step) for step in others), ("irfft", *last)]
    return [("ifft" if name.startswith("i") else "fft", *step) for step in steps]


def _counts_and_axes(name: str, values: Any, s: Any, axes: Any) -> tuple[list[Any], list[int]]:
    rank = len(values.shape)
    if axes is None:
        axes = range(rank) if s is None else range(rank - len(s), rank)
    along = [axis_index(axis, rank, name) for axis in axes]
    if not along:
        raise ValueError(f"{name}() needs an axis")
    if len(set(along)) != len(along):
        raise ValueError(f"{name}(): an axis is given twice in {tuple(axes)}")
    counts = [None] * len(along) if s is None else [_all_if_minus_1(n) for n in s]
    if len(counts) != len(along):
        raise ValueError(f"{name}(): {len(counts)} numbers of points for {len(along)} axes")
    return counts, along


def _all_if_minus_1(n: Any) -> Any:
    return None if isinstance(n, (int, np.integer)) and n == -1 else n


_MANY = {
    "fftn": "The discrete Fourier transform along several axes; all where none are given.",
    "ifftn": "The inverse of ``fftn``.",
    "rfftn": "``fftn`` of real numbers: the first half along the last of the axes.",
    "irfftn": "The inverse of ``rfftn``: real numbers.",
    "fft2": "The discrete Fourier transform along the last two axes.",
    "ifft2": "The inverse of ``fft2``.",
    "rfft2": "``fft2`` of real numbers: the first half along the last axis.",
    "irfft2": "The inverse of ``rfft2``: real numbers.",
}

for _name in ("fft", "ifft", "rfft", "irfft", "hfft", "ihfft"):
    _one(_name, _name in ("rfft", "ihfft"))
for _name in _MANY:
    _several(_name, (-2, -1) if _name.endswith("2") else None)


# Frequencies, and their order.


def _is_positive(name: str, n: Any) -> None:
    if isinstance(n, (int, np.integer)) and n < 1:
        raise ValueError(f"{name}(): the number of points is 1 or more, not {n}")


def _spaced(numbers: Any, n: Any, d: Any, dtype: Any) -> Any:
    wide = float64 if dtype is None else as_dtype(dtype)
    scaled = call("cast", numbers, float64)
    return call("cast", call("multiply", scaled, call("divide", 1.0, call("multiply", n, d))), wide)


def fftfreq(n: Any, d: Any = 1.0, dtype: Any = None, device: Any = None) -> Any:
    """The frequencies of the elements of ``fft``'s result, for samples ``d`` apart."""
    _is_positive("fftfreq", n)
    middle = call("floor_divide", call("add", n, 1), 2)
    numbers = call("range", n, dtype=int64)
    wrapped = call("where", call("less", numbers, middle), numbers, call("subtract", numbers, n))
    return _spaced(wrapped, n, d, dtype)


def rfftfreq(n: Any, d: Any = 1.0, dtype: Any = None, device: Any = None) -> Any:
    """The frequencies of the elements of ``rfft``'s result, for ``n`` samples ``d`` apart."""
    _is_positive("rfftfreq", n)
    length = call("add", call("floor_divide", n, 2), 1)
    return _spaced(call("range", length, dtype=int64), n, d, dtype)


def _axes(name: str, x: Any, axes: Any) -> list[int]:
    rank = operand_type(dispatch.type_of(x, name)).rank
    given = range(rank) if axes is None else [axes] if isinstance(axes, int) else axes
    return [axis_index(axis, rank, name) for axis in given]


def _turned(name: str, x: Any, axes: Any, back: bool) -> Any:
    along = _axes(name, x, axes)
    sizes = dimension_sizes(call("copy", x))
    half = [call("floor_divide", sizes[axis], 2) for axis in along]
    shift = [call("negative", h) for h in half] if back else half
    for amount, axis in zip(shift, along, strict=True):
        x = call("roll", x, _plain(amount), axis)
    return call("copy", x) if not along else x


def _plain(value: Any) -> Any:
    return value if value.is_symbolic else int(value)


def fftshift(x: Any, axes: Any = None) -> Any:
    """The frequency 0 moved to the middle."""
    return _turned("fftshift", x, axes, back=False)


def ifftshift(x: Any, axes: Any = None) -> Any:
    """The inverse of :func:`fftshift`."""
    return _turned("ifftshift", x, axes, back=True)


compose("fftfreq", fftfreq, operands=("n", "d"), numpy=(np.fft.fftfreq,), accepts="iuf")
compose("rfftfreq", rfftfreq, operands=("n", "d"), numpy=(np.fft.rfftfreq,), accepts="iuf")
compose("fftshift", fftshift, numpy=(np.fft.fftshift,))
compose("ifftshift", ifftshift, numpy=(np.fft.ifftshift,))
