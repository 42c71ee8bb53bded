"""Discrete Fourier transforms; NumPy computes them when the program runs."""

from __future__ import annotations

from typing import Any

import numpy as _numpy

from agir.ir.dispatch import call
from agir.numpy.arguments import array_function, check_device, element_type
from agir.numpy.recorded import missing


@array_function("x")
def fft(x: Any, /, n: Any = None, axis: int = -1, norm: Any = "backward") -> Any:
    """The discrete Fourier transform along an axis."""
    return call("numpy_fft", x, n, axis, norm)


@array_function("x")
def ifft(x: Any, /, n: Any = None, axis: int = -1, norm: Any = "backward") -> Any:
    """The inverse of :func:`fft`."""
    return call("numpy_ifft", x, n, axis, norm)


@array_function("x")
def fftn(x: Any, /, s: Any = None, axes: Any = None, norm: Any = "backward") -> Any:
    """The discrete Fourier transform along several axes; along all where none are given."""
    return call("numpy_fftn", x, s, axes, norm)


@array_function("x")
def ifftn(x: Any, /, s: Any = None, axes: Any = None, norm: Any = "backward") -> Any:
    """The inverse of :func:`fftn`."""
    return call("numpy_ifftn", x, s, axes, norm)


@array_function("x")
def rfft(x: Any, /, n: Any = None, axis: int = -1, norm: Any = "backward") -> Any:
    """The first half of the transform of real numbers, of which the rest is the conjugate."""
    return call("numpy_rfft", x, n, axis, norm)


@array_function("x")
def irfft(x: Any, /, n: Any = None, axis: int = -1, norm: Any = "backward") -> Any:
    """The inverse of :func:`rfft`; an even number of elements unless ``n`` says another."""
    return call("numpy_irfft", x, n, axis, norm)


@array_function("x")
def rfftn(x: Any, /, s: Any = None, axes: Any = None, norm: Any = "backward") -> Any:
    """:func:`fftn` of real numbers: the first half along the last of the axes."""
    return call("numpy_rfftn", x, s, axes, norm)


@array_function("x")
def irfftn(x: Any, /, s: Any = None, axes: Any = None, norm: Any = "backward") -> Any:
    """The inverse of :func:`rfftn`."""
    return call("numpy_irfftn", x, s, axes, norm)


@array_function("x")
def hfft(x: Any, /, n: Any = None, axis: int = -1, norm: Any = "backward") -> Any:
    """The transform of numbers that are conjugate about the middle: real numbers."""
    return call("numpy_hfft", x, n, axis, norm)


@array_function("x")
def ihfft(x: Any, /, n: Any = None, axis: int = -1, norm: Any = "backward") -> Any:
    """The inverse of :func:`hfft`: the first half."""
    return call("numpy_ihfft", x, n, axis, norm)


@array_function("x")
def fft2(x: Any, /, s: Any = None, axes: Any = (-2, -1), norm: Any = "backward") -> Any:
    """The discrete Fourier transform along two axes."""
    return call("numpy_fftn", x, s, axes, norm)


@array_function("x")
def ifft2(x: Any, /, s: Any = None, axes: Any = (-2, -1), norm: Any = "backward") -> Any:
    """The inverse of :func:`fft2`."""
    return call("numpy_ifftn", x, s, axes, norm)


@array_function("x")
def rfft2(x: Any, /, s: Any = None, axes: Any = (-2, -1), norm: Any = "backward") -> Any:
    """:func:`fft2` of real numbers: the first half along the last of the axes."""
    return call("numpy_rfftn", x, s, axes, norm)


@array_function("x")
def irfft2(x: Any, /, s: Any = None, axes: Any = (-2, -1), norm: Any = "backward") -> Any:
    """The inverse of :func:`rfft2`."""
    return call("numpy_irfftn", x, s, axes, norm)


@array_function()
def fftfreq(n: Any, /, d: Any = 1.0, *, dtype: Any = None, device: Any = None) -> Any:
    """The frequencies of the elements of :func:`fft`'s result, for ``n`` samples ``d`` apart."""
    check_device(device)
    return call("fftfreq", n, d, element_type(dtype))


@array_function()
def rfftfreq(n: Any, /, d: Any = 1.0, *, dtype: Any = None, device: Any = None) -> Any:
    """The frequencies of the elements of :func:`rfft`'s result, for ``n`` samples ``d`` apart."""
    check_device(device)
    return call("rfftfreq", n, d, element_type(dtype))


@array_function("x")
def fftshift(x: Any, /, axes: Any = None) -> Any:
    """The frequency 0 moved to the middle."""
    return call("fftshift", x, axes)


@array_function("x")
def ifftshift(x: Any, /, axes: Any = None) -> Any:
    """The inverse of :func:`fftshift`."""
    return call("ifftshift", x, axes)


def __getattr__(name: str) -> Any:
    """A function of ``numpy.fft`` that the operation table has."""
    return missing(name, _numpy.fft, __name__)


__all__ = [
    "fft",
    "fft2",
    "fftfreq",
    "fftn",
    "fftshift",
    "hfft",
    "ifft",
    "ifft2",
    "ifftn",
    "ifftshift",
    "ihfft",
    "irfft",
    "irfft2",
    "irfftn",
    "rfft",
    "rfft2",
    "rfftfreq",
    "rfftn",
]
