"""Derivatives of what NumPy and LAPACK compute: real, complex, of many matrices at once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import agir as ag

from .checks import check, weighted

linalg = ag.linalg
_RANDOM = np.random.default_rng(3)


def real(*shape: int) -> Any:
    return _RANDOM.normal(size=shape)


def complexes(*shape: int) -> Any:
    return real(*shape) + 1j * real(*shape)


def adjoint(a: Any) -> Any:
    return linalg.adjoint(a)


def definite(a: Any) -> Any:
    """Self-adjoint positive definite matrices with different eigenvalues."""
    return ag.matmul(a, adjoint(a)) + np.diag(np.arange(1.0, 1.0 + int(a.shape[-1])))


def signless(v: Any, like: Any) -> Any:
    """Vectors as columns without the phase that each is free to have."""
    first = ag.reduce_sum(v * like, axis=-2, keepdims=True)
    return v * ag.math.conj(first)


def weights(v: Any) -> Any:
    steps = np.arange(1.0, 1.0 + int(v.shape[-2]))[:, None]
    return ag.cast(steps, v.dtype)


def vectors(v: Any) -> Any:
    return signless(v, weights(v))


def eigh(a: Any) -> Any:
    w, v = linalg.eigh(definite(a))
    return w, vectors(v)


def svd(a: Any) -> Any:
    s, u, v = linalg.svd(a)
    both = ag.matmul(u, adjoint(v))  # the phase of the two cancels
    return s, vectors(u), vectors(v), both


def eig(a: Any) -> Any:
    w, v = linalg.eig(a)
    return w, vectors(v)


FUNCTIONS: dict[str, Callable[..., Any]] = {
    "det": linalg.det,
    "inv": linalg.inv,
    "slogdet": linalg.slogdet,
    "logdet": lambda a: linalg.logdet(definite(a)),
    "cholesky": lambda a: linalg.cholesky(definite(a)),
    "eigh": eigh,
    "eigvalsh": lambda a: linalg.eigvalsh(definite(a)),
    "eigvals": lambda a: ag.reduce_sum(linalg.eigvals(a) ** 3),
    "eig": eig,
    "svd": svd,
    "svdvals": lambda a: linalg.svd(a, compute_uv=False),
    "qr": linalg.qr,
    "lu": lambda a: linalg.lu(a + ag.eye(3, dtype=a.dtype) * 2.0)[0],
    "lu with exchanged rows": lambda a: linalg.lu(ag.reverse(a, [-2]))[0],
    "pinv": linalg.pinv,
    "expm": lambda a: linalg.expm(a * 0.5),
    "matrix_power": lambda a: (
        ag.numpy.linalg.matrix_power(a, 3),
        ag.numpy.linalg.matrix_power(a, -2),
    ),
    "nuclear_norm": lambda a: ag.numpy.linalg.norm(a, "nuc", axis=(-2, -1)),
    "spectral_norm": lambda a: ag.numpy.linalg.norm(a, 2, axis=(-2, -1)),
    "norm": lambda a: ag.numpy.linalg.norm(a, axis=(-2, -1)),
    "l2_lstsq": lambda a: linalg.lstsq(a, a[..., :2], l2_regularizer=0.3),
}
SQUARE = {
    "real": real(3, 3) + 2 * np.eye(3),
    "complex": complexes(3, 3) + 2 * np.eye(3),
    "many": real(2, 3, 3) + 2 * np.eye(3),
    "many complex": complexes(2, 3, 3) + 2 * np.eye(3),
}


@pytest.mark.parametrize("kind", SQUARE)
@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions_of_a_matrix(name: str, kind: str) -> None:
    check(FUNCTIONS[name], SQUARE[kind], tolerance=2e-5)


@pytest.mark.parametrize("name", ["svd", "svdvals", "qr", "pinv", "nuclear_norm"])
@pytest.mark.parametrize("shape", [(4, 2), (2, 4), (2, 4, 2)], ids=str)
def test_rectangles(name: str, shape: tuple[int, ...]) -> None:
    check(FUNCTIONS[name], real(*shape), tolerance=2e-5)
    check(FUNCTIONS[name], complexes(*shape), tolerance=2e-5)


@pytest.mark.parametrize("make", [real, complexes])
@pytest.mark.parametrize(
    "shapes",
    [((3, 3), (3, 2)), ((2, 3, 3), (3, 2)), ((3, 3), (2, 3, 1)), ((2, 1, 3, 3), (4, 3, 2))],
    ids=str,
)
def test_solutions(make: Any, shapes: Any) -> None:
    a, b = make(*shapes[0]) + 2 * np.eye(3), make(*shapes[1])
    check(linalg.solve, a, b)
    for lower in (True, False):
        check(lambda a, b, lower=lower: linalg.triangular_solve(a, b, lower=lower), a, b)


@pytest.mark.parametrize("make", [real, complexes])
@pytest.mark.parametrize(
    "shapes", [((4, 2), (4, 3)), ((2, 4), (2, 1)), ((3, 4, 2), (3, 4, 1)), ((4, 2), (3, 4, 1))],
    ids=str,
)  # fmt: skip
def test_least_squares(make: Any, shapes: Any) -> None:
    check(linalg.lstsq, make(*shapes[0]), make(*shapes[1]))


@pytest.mark.parametrize("make", [real, complexes])
def test_tensors_as_matrices(make: Any) -> None:
    a, b = make(2, 3, 6) + 2 * np.eye(6).reshape(2, 3, 6), make(2, 3)
    check(ag.numpy.linalg.tensorsolve, a, b)
    check(lambda a: ag.numpy.linalg.tensorsolve(a, a[0], (0,)), make(6, 3, 2))
    check(ag.numpy.linalg.tensorinv, a)


def test_a_real_matrix_and_complex_sides() -> None:
    check(lambda a, b: linalg.solve(ag.cast(a, ag.complex128), b), SQUARE["real"], complexes(3, 1))


def test_sizes_of_the_run_time() -> None:
    def f(a: Any, b: Any) -> Any:
        x = linalg.solve(a, b)
        s = linalg.svd(b, compute_uv=False)
        return ag.reduce_sum(x * x) + linalg.det(a) + ag.reduce_sum(linalg.inv(a)) + s[0]

    a, b = real(3, 3) + 2 * np.eye(3), real(3, 2)
    known = ag.grad(f, (0, 1))(a, b)
    kinds = [ag.TensorSpec([None, None], ag.float64)] * 2
    for jit_compile in (False, None):
        open_ = ag.function(ag.grad(f, (0, 1)), input_signature=kinds, jit_compile=jit_compile)
        for one, other in zip(open_(a, b), known, strict=True):
            np.testing.assert_allclose(one, other, rtol=1e-10)


def test_a_batch_of_one_that_the_run_time_broadcasts() -> None:
    def f(a: Any, b: Any) -> Any:
        return weighted(linalg.solve(a, b))

    a, b = real(1, 3, 3) + 2 * np.eye(3), real(4, 3, 2)
    known = ag.grad(f, (0, 1))(a, b)
    kinds = [ag.TensorSpec([None, 3, 3], ag.float64), ag.TensorSpec([None, 3, 2], ag.float64)]
    found = ag.function(ag.grad(f, (0, 1)), input_signature=kinds, jit_compile=False)(a, b)
    for one, other in zip(found, known, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-10)


def test_single_precision() -> None:
    def f(a: Any) -> Any:
        return ag.reduce_sum(linalg.inv(a)) + linalg.det(a)

    a = SQUARE["real"]
    narrow = ag.grad(f)(a.astype(np.float32))
    assert narrow.dtype == ag.float32
    np.testing.assert_allclose(narrow, ag.grad(f)(a), rtol=1e-4)


def test_compiled() -> None:
    def every(a: Any) -> Any:
        names = ("det", "inv", "slogdet", "cholesky", "eigh", "svd", "qr", "pinv")
        return [FUNCTIONS[name](a) for name in names]

    check(every, SQUARE["real"], jit_compile=None, tolerance=2e-5)
    check(every, SQUARE["many complex"], jit_compile=None, tolerance=2e-5)


@pytest.mark.parametrize(
    "name", ["det", "inv", "slogdet", "cholesky", "eigvalsh", "pinv", "qr", "svdvals", "eigh", "lu"]
)
def test_second_derivatives(name: str) -> None:
    f = FUNCTIONS[name]
    check(ag.grad(lambda a: weighted(f(a))), SQUARE["real"], tolerance=2e-4)


def test_third_derivatives_of_the_exponential() -> None:
    second = ag.grad(lambda a: weighted(ag.grad(lambda a: weighted(linalg.expm(a * 0.3)))(a)))
    check(second, real(2, 2), tolerance=2e-4)
    check(second, real(2, 2, 2), tolerance=2e-4)


def test_in_a_loop_and_a_branch() -> None:
    def f(a: Any, n: Any) -> Any:
        total = a
        for i in ag.range(n):
            if i % 2 == 0:
                total = linalg.solve(total + 2.0 * np.eye(3), a)
            else:
                total = total * linalg.det(total) + linalg.inv(total)
        return total

    check(f, SQUARE["real"], np.int64(3), jit_compile=None)


@pytest.mark.parametrize("kind", ["sqrt", "log"])
def test_in_a_loop_that_runs_again(kind: str) -> None:
    def f(a: Any, n: Any) -> Any:
        for _ in ag.range(n):
            ag.autograph.set_loop_options(checkpoint=kind)
            a = linalg.solve(a + 2.0 * np.eye(3), a * a)
        return a

    check(f, SQUARE["real"], np.int64(3))
    x = ag.constant(SQUARE["real"])
    compiled = ag.function(f)
    with ag.GradientTape() as tape:
        tape.watch(x)
        y = ag.reduce_sum(compiled(x, np.int64(3)))
    expected = ag.grad(lambda x, n: ag.reduce_sum(f(x, n)))(x, np.int64(3))
    np.testing.assert_allclose(tape.gradient(y, x), expected, rtol=1e-10)


def test_tapes_around_calls_and_eager_code() -> None:
    @ag.function
    def f(a: Any) -> Any:
        return linalg.det(a) + ag.reduce_sum(linalg.inv(a))

    x = ag.constant(SQUARE["real"])
    expected = ag.grad(f)(x)
    for each in (f, f.python_function):
        with ag.GradientTape() as tape:
            tape.watch(x)
            y = each(x)
        np.testing.assert_allclose(tape.gradient(y, x), expected, rtol=1e-10)


def test_a_singular_matrix_has_a_determinant_that_can_be_differentiated() -> None:
    singular = np.array([[1.0, 2.0, 3.0], [2.0, 4.0, 6.0], [1.0, 0.0, 1.0]])
    check(linalg.det, singular)
    np.testing.assert_allclose(ag.grad(linalg.det)(np.zeros((2, 2))), 0.0)


def test_equal_singular_values_of_a_pseudo_inverse() -> None:
    check(linalg.pinv, np.eye(3))


def test_what_fails_forwards_is_the_error() -> None:
    with pytest.raises(np.linalg.LinAlgError, match="Singular"):
        ag.grad(lambda a: ag.reduce_sum(linalg.inv(a)))(np.zeros((2, 2)))


def test_what_has_no_derivative_says_so() -> None:
    def with_all(a: Any) -> Any:
        return ag.reduce_sum(linalg.svd(a, full_matrices=True)[1])

    with pytest.raises(ag.errors.NotDifferentiableError, match="full_matrices"):
        ag.grad(with_all)(real(4, 2))


# Fourier transforms.

fft = ag.numpy.fft


@pytest.mark.parametrize("norm", ["backward", "ortho", "forward"])
@pytest.mark.parametrize("n", [None, 4, 7, 8])
@pytest.mark.parametrize("name", ["fft", "ifft", "rfft", "irfft", "hfft", "ihfft"])
def test_transforms(name: str, n: int | None, norm: str) -> None:
    function = getattr(fft, name)
    values = real(2, 6) if name in ("rfft", "ihfft") else complexes(2, 6)
    check(lambda a: function(a, n, norm=norm), values)
    check(lambda a: function(a, n, axis=0, norm=norm), values.T)


@pytest.mark.parametrize("name", ["fft2", "ifftn", "rfft2", "irfftn"])
def test_transforms_of_several_axes(name: str) -> None:
    function = getattr(fft, name)
    check(function, real(3, 4) if name == "rfft2" else complexes(3, 4), jit_compile=None)


def test_a_transform_of_real_numbers_and_its_second_derivative() -> None:
    def power(a: Any) -> Any:
        return ag.abs(fft.fft(a)) ** 2

    check(power, real(5))
    check(ag.grad(lambda a: weighted(power(a))), real(5), tolerance=1e-4)
