"""Discrete Fourier transforms; NumPy computes them when the program runs."""

from __future__ import annotations

from typing import Any

import numpy as _numpy

from agir.ir.tensors.dispatch import call
from agir.numpy.arguments import array_function, check_device, element_type
from agir.numpy.recorded import missing


@array_function("x")
def fft(x: Any, /, n: Any = None, axis: int = -1, norm: Any = "backward") -> Any:
    """The discrete Fourier transform along an axis.

    >>> ag.numpy.fft.fft([1.0, 0.0]).numpy()
    array([1.+0.j, 1.+0.j])
    """
    return call("numpy_fft", x, n, axis, norm)


@array_function("x")
def ifft(x: Any, /, n: Any = None, axis: int = -1, norm: Any = "backward") -> Any:
    """The inverse of :func:`fft`.

    >>> ag.numpy.fft.ifft([2.0, 0.0]).numpy()
    array([1.+0.j, 1.+0.j])
    """
    return call("numpy_ifft", x, n, axis, norm)


@array_function("x")
def fftn(x: Any, /, s: Any = None, axes: Any = None, norm: Any = "backward") -> Any:
    """The discrete Fourier transform along several axes; along all where none are given.

    >>> ag.numpy.fft.fftn([[1.0, 0.0]]).numpy()
    array([[1.+0.j, 1.+0.j]])
    """
    return call("numpy_fftn", x, s, axes, norm)


@array_function("x")
def ifftn(x: Any, /, s: Any = None, axes: Any = None, norm: Any = "backward") -> Any:
    """The inverse of :func:`fftn`.

    >>> ag.numpy.fft.ifftn([[2.0, 0.0]]).numpy()
    array([[1.+0.j, 1.+0.j]])
    """
    return call("numpy_ifftn", x, s, axes, norm)


@array_function("x")
def rfft(x: Any, /, n: Any = None, axis: int = -1, norm: Any = "backward") -> Any:
    """The first half of the transform of real numbers, of which the rest is the conjugate.

    >>> ag.numpy.fft.rfft([1.0, 0.0, 0.0]).shape
    (2,)
    """
    return call("numpy_rfft", x, n, axis, norm)


@array_function("x")
def irfft(x: Any, /, n: Any = None, axis: int = -1, norm: Any = "backward") -> Any:
    """The inverse of :func:`rfft`; an even number of elements unless ``n`` says another.

    >>> ag.numpy.fft.irfft([2.0, 0.0]).numpy()
    array([1., 1.])
    """
    return call("numpy_irfft", x, n, axis, norm)


@array_function("x")
def rfftn(x: Any, /, s: Any = None, axes: Any = None, norm: Any = "backward") -> Any:
    """:func:`fftn` of real numbers: the first half along the last of the axes.

    >>> ag.numpy.fft.rfftn(ag.numpy.ones((2, 3))).shape
    (2, 2)
    """
    return call("numpy_rfftn", x, s, axes, norm)


@array_function("x")
def irfftn(x: Any, /, s: Any = None, axes: Any = None, norm: Any = "backward") -> Any:
    """The inverse of :func:`rfftn`.

    >>> ag.numpy.fft.irfftn(ag.numpy.ones((2, 3))).shape
    (2, 4)
    """
    return call("numpy_irfftn", x, s, axes, norm)


@array_function("x")
def hfft(x: Any, /, n: Any = None, axis: int = -1, norm: Any = "backward") -> Any:
    """The transform of numbers that are conjugate about the middle: real numbers.

    >>> ag.numpy.fft.hfft([1.0, 0.0]).numpy()
    array([1., 1.])
    """
    return call("numpy_hfft", x, n, axis, norm)


@array_function("x")
def ihfft(x: Any, /, n: Any = None, axis: int = -1, norm: Any = "backward") -> Any:
    """The inverse of :func:`hfft`: the first half.

    >>> ag.numpy.fft.ihfft([1.0, 0.0]).numpy()
    array([0.5-0.j, 0.5-0.j])
    """
    return call("numpy_ihfft", x, n, axis, norm)


@array_function("x")
def fft2(x: Any, /, s: Any = None, axes: Any = (-2, -1), norm: Any = "backward") -> Any:
    """The discrete Fourier transform along two axes.

    >>> ag.numpy.fft.fft2([[1.0, 0.0]]).numpy()
    array([[1.+0.j, 1.+0.j]])
    """
    return call("numpy_fftn", x, s, axes, norm)


@array_function("x")
def ifft2(x: Any, /, s: Any = None, axes: Any = (-2, -1), norm: Any = "backward") -> Any:
    """The inverse of :func:`fft2`.

    >>> ag.numpy.fft.ifft2([[2.0, 0.0]]).numpy()
    array([[1.+0.j, 1.+0.j]])
    """
    return call("numpy_ifftn", x, s, axes, norm)


@array_function("x")
def rfft2(x: Any, /, s: Any = None, axes: Any = (-2, -1), norm: Any = "backward") -> Any:
    """:func:`fft2` of real numbers: the first half along the last of the axes.

    >>> ag.numpy.fft.rfft2(ag.numpy.ones((2, 3))).shape
    (2, 2)
    """
    return call("numpy_rfftn", x, s, axes, norm)


@array_function("x")
def irfft2(x: Any, /, s: Any = None, axes: Any = (-2, -1), norm: Any = "backward") -> Any:
    """The inverse of :func:`rfft2`.

    >>> ag.numpy.fft.irfft2(ag.numpy.ones((2, 3))).shape
    (2, 4)
    """
    return call("numpy_irfftn", x, s, axes, norm)


@array_function()
def fftfreq(n: Any, /, d: Any = 1.0, *, dtype: Any = None, device: Any = None) -> Any:
    """The frequencies of the elements of :func:`fft`'s result, for ``n`` samples ``d`` apart.

    >>> ag.numpy.fft.fftfreq(4).numpy()
    array([ 0.  ,  0.25, -0.5 , -0.25])
    """
    check_device(device)
    return call("fftfreq", n, d, element_type(dtype))


@array_function()
def rfftfreq(n: Any, /, d: Any = 1.0, *, dtype: Any = None, device: Any = None) -> Any:
    """The frequencies of the elements of :func:`rfft`'s result, for ``n`` samples ``d`` apart.

    >>> ag.numpy.fft.rfftfreq(4).numpy()
    array([0.  , 0.25, 0.5 ])
    """
    check_device(device)
    return call("rfftfreq", n, d, element_type(dtype))


@array_function("x")
def fftshift(x: Any, /, axes: Any = None) -> Any:
    """The frequency 0 moved to the middle.

    >>> ag.numpy.fft.fftshift([0, 1, -2, -1]).numpy()
    array([-2, -1,  0,  1])
    """
    return call("fftshift", x, axes)


@array_function("x")
def ifftshift(x: Any, /, axes: Any = None) -> Any:
    """The inverse of :func:`fftshift`.

    >>> ag.numpy.fft.ifftshift([-2, -1, 0, 1]).numpy()
    array([ 0,  1, -2, -1])
    """
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


def __dir__() -> list[str]:
    return __all__
