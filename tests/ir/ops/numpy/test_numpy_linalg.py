"""``numpy.linalg`` on traced arrays: compiled, interpreted, eager, and NumPy itself."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import agir as ag
from agir.ir.tensors.dispatch import call

RTOL = {"float32": 2e-4, "float64": 1e-9, "complex64": 2e-4, "complex128": 1e-9, "int32": 1e-9}


def matrices(dtype: str) -> Any:
    """Two well-conditioned matrices, self-adjoint and positive definite."""
    rng = np.random.default_rng(1)
    a = rng.integers(-4, 5, (2, 3, 3)) + (1j * rng.integers(-4, 5, (2, 3, 3)))
    a = a if dtype.startswith("complex") else a.real
    return (a @ a.conj().swapaxes(-1, -2) + 9 * np.eye(3)).astype(dtype)


@pytest.mark.parametrize("dtype", RTOL)
@pytest.mark.parametrize("dynamic", [False, True])
def test_of_square_matrices(compare_host: Any, dtype: str, dynamic: bool) -> None:
    la = np.linalg

    def function(a: Any) -> list[Any]:
        return [
            la.cholesky(a), la.cholesky(a, upper=True), la.inv(a), la.det(a), *la.slogdet(a),
            la.eigvalsh(a), la.eigvalsh(a, "U"), la.solve(a, a), la.solve(a[0], a[1, 0]),
            la.svd(a).S, la.svd(a, compute_uv=False), la.matrix_rank(a), la.matrix_power(a, 3),
            la.matrix_power(a, 0), la.matrix_power(a, -2), la.pinv(a), la.cond(a), la.cond(a, 1),
            la.multi_dot([a[0], a[1], a[0, 0]]), la.eigh(a).eigenvalues,
            *la.eigh(a, "U")[:1],
        ]  # fmt: skip

    if dynamic and dtype not in ("float64", "complex64"):
        pytest.skip("two dtypes are enough where sizes are not known")
    compare_host(function, matrices(dtype), dynamic=dynamic, expected=function, rtol=RTOL[dtype])


@pytest.mark.parametrize("shape", [(4, 2), (2, 4), (3, 2, 3), (0, 2), (2, 0)])
def test_of_any_matrices(compare_host: Any, shape: tuple[int, ...]) -> None:
    x = np.random.default_rng(2).normal(size=shape)

    def function(x: Any) -> list[Any]:
        la = np.linalg
        q, r = la.qr(x)
        u, s, vh = la.svd(x, full_matrices=False)
        whole = la.svd(x)
        return [
            q @ r, la.qr(x, "complete").Q.shape[-1] * s, abs(la.qr(x, "r")), s,
            (u * s[..., None, :]) @ vh, abs(whole.U @ np.swapaxes(whole.U, -1, -2)),
            abs(whole.Vh @ np.swapaxes(whole.Vh, -1, -2)), la.svdvals(x), la.pinv(x, rtol=1e-9),
            la.matrix_rank(x), la.matrix_rank(x, rtol=0.5), la.matrix_rank(x, tol=1.0),
        ]  # fmt: skip

    def rounded(x: Any) -> list[Any]:
        return [np.rint(1e6 * v) if v.dtype.kind == "f" else v for v in function(x)]

    compare_host(rounded, x, expected=rounded)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_norms(compare_host: Any) -> None:
    inf = np.inf

    def function(x: Any) -> list[Any]:
        la = np.linalg
        return [
            *(la.vector_norm(x, ord=p) for p in (0, 1, 2, 3, 0.5, -1, inf, -inf)),
            la.vector_norm(x, axis=1, keepdims=True), la.vector_norm(x, axis=(0, 2), ord=1),
            *(la.matrix_norm(x, ord=p) for p in ("fro", "nuc", 1, -1, 2, -2, inf, -inf)),
            la.matrix_norm(x, keepdims=True), la.matrix_norm(x, ord=1, keepdims=True),
            la.norm(x), la.norm(x[0]), la.norm(x[0], 1), la.norm(x[0, 0], 1),
            la.norm(x, axis=-1), la.norm(x, 2, (0, 2)), la.norm(x, "nuc", (2, 0), True),
            la.norm(x, keepdims=True), la.norm(x, axis=(0, 1)),
        ]  # fmt: skip

    x = np.random.default_rng(3).normal(size=(2, 3, 2))
    compare_host(function, x, expected=function, rtol=1e-12)
    compare_host(function, x + 1j, expected=function, rtol=1e-12)
    compare_host(function, np.array([[[1, -2], [3, 0]]]), expected=function, rtol=1e-12)


def test_products_and_diagonals(compare_host: Any) -> None:
    def function(x: Any, y: Any) -> list[Any]:
        la = np.linalg
        return [
            np.cross(x, y), np.cross(x.T, y.T, axis=0), np.cross(x, y, axisc=0), la.cross(x, y),
            la.cross(x.T, y.T, axis=0), la.vecdot(x, y), la.vecdot(x, y, axis=0),
            np.trace(x), np.trace(x, 1), np.trace(x, dtype="f4"), la.trace(x, offset=-1),
            np.diagonal(x), np.diagonal(x, -1), np.diagonal(x, 1, 1, 0), la.diagonal(x, offset=2),
            la.diagonal(x, offset=9),
        ]  # fmt: skip

    x, y = np.arange(6.0).reshape(2, 3), np.array([[3.0, -1.0, 2.0], [0.5, 0.0, 1.0]])
    compare_host(function, x, y, expected=function)
    for_complex = lambda x: [np.linalg.vecdot(x, x + 1j)]  # noqa: E731
    compare_host(for_complex, x + 2j, expected=for_complex)


def test_least_squares(compare_host: Any) -> None:
    def function(a: Any, b: Any) -> list[Any]:
        return [*np.linalg.lstsq(a, b), *np.linalg.lstsq(a, b[:, 0])[:1]]

    a = np.array([[1.0, 2], [3, 4], [5, 7]])
    b = np.array([[1.0, 0], [2, 1], [3, 5]])
    kinds = [np.int64 if i == 2 else np.float64 for i in range(5)]

    def expected(a: Any, b: Any) -> list[Any]:
        return [np.asarray(v, k) for v, k in zip(function(a, b), kinds, strict=True)]

    compare_host(function, a, b, expected=expected, rtol=1e-9)
    compare_host(function, a[:2], b[:2], expected=expected, rtol=1e-9)
    deficient = np.ones((3, 2))
    assert call("numpy_lstsq", deficient, b)[1].shape == (0,)


@pytest.mark.parametrize("dtype", RTOL)
@pytest.mark.parametrize("dynamic", [False, True])
def test_tensors_as_matrices(compare_host: Any, dtype: str, dynamic: bool) -> None:
    la, rng = np.linalg, np.random.default_rng(4)

    def function(a: Any, b: Any) -> list[Any]:
        turned = np.moveaxis(a, 2, 0)
        return [
            la.tensorinv(a), np.tensordot(la.tensorinv(a), b), la.tensorinv(a.reshape(6, 3, 2), 1),
            la.tensorsolve(a, b), la.tensorsolve(turned, b, (0,)),
            la.tensorsolve(a[:1, :1, :1], b[:1, :1]), la.tensorsolve(a[:1, :1, 0], b[:1, :1]),
        ]  # fmt: skip

    a = rng.integers(-4, 5, (2, 3, 6)) + 9 * np.eye(6).reshape(2, 3, 6)
    b = rng.integers(-4, 5, (2, 3)) * (1j if dtype.startswith("complex") else 1)
    arguments = a.astype(dtype), b.astype(dtype)
    compare_host(function, *arguments, dynamic=dynamic, expected=function, rtol=RTOL[dtype])


def test_eigenvalues_are_complex(compare_host: Any) -> None:
    a = np.array([[0.0, 1.0], [-1.0, 0.0]])

    def function(a: Any) -> list[Any]:
        values, vectors = np.linalg.eig(a)
        return [values, a @ vectors - vectors * values, np.linalg.eigvals(a)]

    compare_host(function, a)
    assert call("numpy_eigvals", np.eye(2)).dtype.name == "complex128"


def test_errors() -> None:
    for compiled in (None, False):
        run = ag.function(lambda a: np.linalg.inv(a), jit_compile=compiled)
        with pytest.raises(np.linalg.LinAlgError, match=r"Singular[^\n]*\n  at"):
            run(np.zeros((2, 2)))
    wrong = [
        ("numpy_inv", (np.ones(3),), "takes matrices"),
        ("numpy_qr", (np.ones((2, 2)), "full"), "mode is"),
        ("numpy_matrix_norm", (np.ones((2, 2)),), "ord is"),
        ("numpy_matrix_power", (np.ones((2, 3)), 2), "square"),
        ("numpy_tensorinv", (np.ones((2, 3)), 1), "as many elements"),
        ("numpy_tensorinv", (np.ones((2, 2)), 0), "greater than 0"),
        ("numpy_tensorsolve", (np.ones((2, 3)), np.ones(2)), "as many elements"),
        ("numpy_tensorsolve", (np.ones((2, 2)), np.ones(2), (2,)), "no axis"),
        ("numpy_multi_dot", ([np.ones((2, 2))],), "two arrays"),
        ("numpy_eigh", (np.ones((2, 2)), "X"), "UPLO"),
        ("numpy_norm", (np.ones((2, 2, 2)), 1), "give the axis"),
        ("numpy_diagonal", (np.ones((2, 2)), 0, 1, 1), "different"),
    ]
    for name, arguments, message in wrong:
        options = {"ord": "x"} if name == "numpy_matrix_norm" else {}
        with pytest.raises(ValueError, match=message):
            call(name, *arguments, **options)
