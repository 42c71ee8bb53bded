"""Fourier transforms of as many points as only the run time knows."""

import numpy as np
import pytest

import agir as ag

ONE = ["fft", "ifft", "rfft", "irfft", "hfft", "ihfft"]
SEVERAL = ["fft2", "ifft2", "rfft2", "irfft2", "fftn", "ifftn", "rfftn", "irfftn"]


def operand(name):
    x = np.random.default_rng(0).standard_normal((3, 4, 6))
    return x if name.startswith("r") or name == "ihfft" else x + 1j * x[::-1]


@pytest.mark.parametrize("name", ONE)
@pytest.mark.parametrize("norm", [None, "ortho", "forward"])
def test_points_along_one_axis(name, norm):
    transform = getattr(np.fft, name)

    def f(x, n):
        return transform(x, n, norm=norm), transform(x, n, axis=1, norm=norm), transform(x[..., :n])

    x, decorated = operand(name), ag.jit(f)
    for n in (1, 2, 3, 4, 5, 6, 7, 10):
        if n == 1 and name in ("irfft", "hfft"):
            continue  # of one element they make none
        for found, wanted in zip(decorated(x, n), f(x, n), strict=True):
            np.testing.assert_allclose(found, wanted, rtol=1e-12, atol=1e-13)
            assert found.dtype == wanted.dtype
    assert decorated.experimental_get_tracing_count() == 1


@pytest.mark.parametrize("name", SEVERAL)
def test_points_along_several_axes(name):
    transform = getattr(np.fft, name)

    def f(x, n):
        return transform(x, (n, 4), (1, 2)), transform(x, (n, n + 1), axes=(2, 0))

    x, decorated = operand(name), ag.jit(f)
    for n in (1, 2, 5, 8):
        for found, wanted in zip(decorated(x, n), f(x, n), strict=True):
            np.testing.assert_allclose(found, wanted, rtol=1e-12, atol=1e-13)


@pytest.mark.parametrize("name", ONE)
def test_there_is_a_point(name):
    transform = getattr(np.fft, name)
    decorated = ag.jit(lambda x, n: transform(x, n))
    for n in (0, -3):
        with pytest.raises(ValueError, match="the number of points is 1 or more"):
            decorated(operand(name), n)


def test_what_says_what_is_recorded():
    x = np.arange(6.0).reshape(2, 3)
    for f in (lambda x, n: np.diff(x, n), lambda x, n: np.rot90(x, n)):
        with pytest.raises(
            ag.errors.OperatorNotAllowedInGraphError, match="It says what is recorded"
        ):
            ag.jit(f)(x, 5000)
        for decorated in (ag.jit(f), ag.jit(f, static=("n",))):
            np.testing.assert_array_equal(decorated(x, 1), f(x, 1))
