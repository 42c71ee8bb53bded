"""Fourier transforms on traced arrays against NumPy's."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from agir.ir.tensors.dispatch import call

ONE = ("fft", "ifft", "rfft", "irfft", "hfft", "ihfft")
SEVERAL = ("fftn", "ifftn", "rfftn", "irfftn", "fft2", "ifft2", "rfft2", "irfft2")
REAL = ("rfft", "ihfft", "rfftn", "rfft2")
RTOL = {"float32": 1e-4, "float64": 1e-10, "complex64": 1e-4, "complex128": 1e-10, "int16": 1e-10}


def values(name: str, dtype: str) -> Any:
    x = np.random.default_rng(4).integers(-9, 9, (3, 4, 5)).astype("c16")
    x += 0 if name in REAL or not dtype.startswith("complex") else 1j * x[::-1]
    return (x if dtype.startswith("complex") else x.real).astype(dtype)


@pytest.mark.parametrize("dtype", RTOL)
@pytest.mark.parametrize("name", ONE)
def test_along_one_axis(compare_host: Any, name: str, dtype: str) -> None:
    if name in REAL and dtype.startswith("complex"):
        pytest.skip("takes real numbers")
    transform = getattr(np.fft, name)

    def function(x: Any) -> list[Any]:
        found = [transform(x), transform(x, 7), transform(x, n=3, axis=0), transform(x, axis=1),
                 *(transform(x, norm=norm) for norm in ("ortho", "forward", None))]  # fmt: skip
        return found

    compare_host(function, values(name, dtype), expected=function, rtol=RTOL[dtype])
    if name in ("fft", "rfft"):
        compare_host(function, values(name, dtype), dynamic=True, rtol=RTOL[dtype])


@pytest.mark.parametrize("name", SEVERAL)
def test_along_several_axes(compare_host: Any, name: str) -> None:
    transform = getattr(np.fft, name)

    def function(x: Any) -> list[Any]:
        found = [transform(x), transform(x, axes=(0, 1)), transform(x, (4, 6), axes=(2, 0)),
                 transform(x, norm="ortho")]  # fmt: skip
        return found

    dtype = "float64" if name in REAL else "complex128"
    compare_host(function, values(name, dtype), expected=function, rtol=1e-10)


def test_frequencies_and_shifts(compare_host: Any) -> None:
    def function(x: Any) -> list[Any]:
        return [np.fft.fftshift(x), np.fft.fftshift(x, 1), np.fft.ifftshift(x, axes=(0, 2)),
                np.fft.ifftshift(x)]  # fmt: skip

    compare_host(function, values("fft", "float32"), expected=function)
    compare_host(function, values("fft", "float32"), dynamic=True)
    for n in (1, 2, 7, 8):
        for name in ("fftfreq", "rfftfreq"):
            np.testing.assert_allclose(call(name, n, 0.25).numpy(), getattr(np.fft, name)(n, 0.25))
    assert call("fftfreq", 4, dtype="f4").dtype.name == "float32"


def test_wrong_arguments() -> None:
    wrong = [
        ("numpy_rfft", (np.ones(3) * 1j,), TypeError, "takes real numbers"),
        ("numpy_fft", (np.float64(1.0),), ValueError, "not a scalar"),
        ("numpy_fft", (np.ones(3), 0), ValueError, "1 or more"),
        ("numpy_fft", (np.ones(3), 3, -1, "other"), ValueError, "norm is one of"),
        ("numpy_fft", (np.ones(3), 3, 1), ValueError, "out of bounds"),
        ("numpy_fftn", (np.ones((3, 3)), None, (0, 0)), ValueError, "twice"),
        ("numpy_fftn", (np.ones((3, 3)), (1,), (0, 1)), ValueError, "for 2 axes"),
        ("fftfreq", (0,), ValueError, "1 or more"),
    ]
    for name, arguments, error, message in wrong:
        with pytest.raises(error, match=message):
            call(name, *arguments)
