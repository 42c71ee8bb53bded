"""agir.linalg against NumPy: one matrix and many, of all dtypes, compiled and interpreted."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

import agir as ag
from agir import linalg

DTYPES = ("float32", "float64", "complex64", "complex128")
LOOSE = {"float32": 3e-4, "complex64": 3e-4, "float64": 1e-10, "complex128": 1e-10}


def sample(shape: Any, dtype: str, seed: int = 0) -> Any:
    rng = np.random.default_rng(seed)
    x = rng.standard_normal(shape)
    if dtype.startswith("complex"):
        x = x + 1j * rng.standard_normal(shape)
    return x.astype(dtype)


def adjoint(a: Any) -> Any:
    return np.conj(np.swapaxes(a, -1, -2))


def definite(shape: Any, dtype: str) -> Any:
    a = sample(shape, dtype)
    return (a @ adjoint(a) + 2 * np.eye(shape[-1])).astype(dtype)


def regular(shape: Any, dtype: str) -> Any:
    return (sample(shape, dtype) + 4 * np.eye(shape[-1])).astype(dtype)


def near(result: Any, expected: Any, dtype: str) -> None:
    np.testing.assert_allclose(result, expected, rtol=LOOSE[dtype], atol=LOOSE[dtype])


def everywhere(python: Any, *sets: Any, dynamic: bool = True) -> Any:
    """For each set of arguments the results eagerly, compiled and interpreted."""
    specs = [ag.TensorSpec([None] * a.ndim if dynamic else a.shape, a.dtype) for a in sets[0]]
    runs = [python] + [
        ag.function(python, input_signature=specs, jit_compile=compile, autograph=False)
        for compile in (None, False)
    ]
    for arguments in sets:
        found = [[r.numpy() for r in run(*map(ag.constant, arguments))] for run in runs]
        for results in found:
            for result, wanted in zip(results, found[0], strict=True):
                assert result.dtype == wanted.dtype
                assert result.shape == wanted.shape
            yield arguments, results


def square_functions(a: Any, h: Any) -> list[Any]:
    sign, logarithm = linalg.slogdet(a)
    e, v = linalg.eigh(h)
    w, x = linalg.eig(a)
    factors, order = linalg.lu(a)
    return [
        linalg.inv(a),
        linalg.inv(a, adjoint=True),
        linalg.det(a),
        sign * ag.cast(ag.exp(logarithm), a.dtype),
        linalg.logdet(h),
        linalg.cholesky(h),
        e,
        v * ag.expand_dims(ag.cast(e, a.dtype), -2) @ linalg.adjoint(v),
        linalg.eigvalsh(h),
        linalg.expm(a),
        ag.cast(a, w.dtype) @ x - x * ag.expand_dims(w, -2),
        ag.reduce_sum(linalg.eigvals(a), -1),
        linalg.band_part(factors, 0, -1),
        order,
    ]


def expm(a: Any) -> Any:
    """The series, after scaling."""
    x = a.astype(np.complex128) / 2.0**10
    total = term = np.broadcast_to(np.eye(a.shape[-1]), a.shape).astype(np.complex128)
    for k in range(1, 20):
        term = term @ x / k
        total = total + term
    for _ in range(10):
        total = total @ total
    return total if a.dtype.kind == "c" else total.real


@pytest.mark.parametrize("dynamic", [False, True])
@pytest.mark.parametrize("dtype", DTYPES)
def test_square_matrices(dtype: str, dynamic: bool) -> None:
    batches = [(2,), (0,), (3,)] if dynamic else [()]
    sets = [(regular((*b, 3, 3), dtype), definite((*b, 3, 3), dtype)) for b in batches]
    for (a, h), results in everywhere(square_functions, *sets, dynamic=dynamic):
        expected = [
            np.linalg.inv(a),
            adjoint(np.linalg.inv(a)),
            np.linalg.det(a),
            np.linalg.det(a),
            np.log(np.linalg.det(h).real),
            np.linalg.cholesky(h),
            np.linalg.eigvalsh(h),
            h,
            np.linalg.eigvalsh(h),
            expm(a),
            np.zeros(a.shape),
            np.trace(a, axis1=-2, axis2=-1),
        ]
        for result, wanted in zip(results, expected, strict=False):
            scale = max(1.0, float(np.abs(wanted).max(initial=0.0)))
            near(result / scale, wanted / scale, dtype)


@pytest.mark.parametrize("dtype", DTYPES)
def test_elimination(dtype: str) -> None:
    for shape in ((4, 4), (3, 5, 5), (0, 2, 2), (1, 1)):
        a = sample(shape, dtype)
        factors, order = (t.numpy() for t in linalg.lu(a))
        lower = np.tril(factors, -1) + np.eye(shape[-1])
        rows = np.take_along_axis(a, order[..., None].astype(np.int64), -2)
        near(lower @ np.triu(factors), rows, dtype)
        assert (np.abs(np.tril(factors, -1)) <= 1 + 1e-6).all()
        assert order.dtype == np.int32
    assert linalg.lu(np.eye(2), ag.int64)[1].dtype == ag.int64


@pytest.mark.parametrize("dtype", DTYPES)
def test_rectangles(dtype: str) -> None:
    def functions(a: Any) -> list[Any]:
        q, r = linalg.qr(a)
        whole, upper = linalg.qr(a, full_matrices=True)
        s, u, v = linalg.svd(a)
        all_s, all_u, all_v = linalg.svd(a, full_matrices=True)
        scaled = u * ag.cast(ag.expand_dims(s, -2), a.dtype)
        return [
            q @ r,
            whole @ upper,
            scaled @ linalg.adjoint(v),
            s,
            all_s,
            linalg.svd(a, compute_uv=False),
            linalg.adjoint(all_u) @ all_u,
            linalg.adjoint(all_v) @ all_v,
            linalg.pinv(a),
            linalg.matrix_rank(a),
        ]

    sets = [(sample(shape, dtype),) for shape in ((1, 4, 2), (2, 2, 3), (2, 3, 3), (0, 3, 2))]
    for (a,), results in everywhere(functions, *sets):
        s = np.linalg.svd(a, compute_uv=False)
        sides = [np.broadcast_to(np.eye(n), (len(a), n, n)) for n in a.shape[1:]]
        expected = [
            a, a, a, s, s, s, *sides, np.linalg.pinv(a), np.linalg.matrix_rank(a),
        ]  # fmt: skip
        for result, wanted in zip(results, expected, strict=True):
            near(result, wanted, dtype)


@pytest.mark.parametrize("dtype", DTYPES)
def test_solutions(dtype: str) -> None:
    def functions(a: Any, h: Any, b: Any, tall: Any) -> list[Any]:
        lower = linalg.cholesky(h)
        return [
            linalg.solve(a, b),
            linalg.solve(a, b, adjoint=True),
            linalg.triangular_solve(a, b),
            linalg.triangular_solve(a, b, lower=False),
            linalg.triangular_solve(a, b, lower=True, adjoint=True),
            linalg.cholesky_solve(lower, b),
            linalg.lstsq(tall, ag.concat([b, b], -2)),
            linalg.lstsq(tall, ag.concat([b, b], -2), l2_regularizer=0.5),
        ]

    sets = []
    for batch, others in (((2, 1), (3,)), ((2, 1), (1,))):
        a, h = regular((*batch, 3, 3), dtype), definite((*batch, 3, 3), dtype)
        sets.append((a, h, sample((*others, 3, 2), dtype, 1), sample((*batch, 6, 3), dtype, 2)))
    for (a, h, b, tall), results in everywhere(functions, *sets):
        both = np.concatenate([b, b], -2)
        expected = [
            np.linalg.solve(a, b),
            np.linalg.solve(adjoint(a), b),
            np.linalg.solve(np.tril(a), b),
            np.linalg.solve(np.triu(a), b),
            np.linalg.solve(adjoint(np.tril(a)), b),
            np.linalg.solve(h, b),
            np.linalg.pinv(tall) @ both,
            np.linalg.solve(adjoint(tall) @ tall + 0.5 * np.eye(3), adjoint(tall) @ both),
        ]
        for result, wanted in zip(results, expected, strict=True):
            near(result, wanted, dtype)


def test_the_shortest_solution_of_a_singular_system() -> None:
    a, b = np.array([[1.0, 1.0], [1.0, 1.0]]), np.array([[2.0], [2.0]])
    near(linalg.lstsq(a, b).numpy(), [[1.0], [1.0]], "float64")
    near(linalg.pinv(a).numpy(), a / 4, "float64")
    assert int(linalg.matrix_rank(a)) == 1


@given(arrays.arrays(np.float64, (3, 3), elements=st.floats(-9, 9)))
@settings(max_examples=40, deadline=None)
def test_singular_values_and_exponentials(a: Any) -> None:
    s, u, v = (t.numpy() for t in linalg.svd(a))
    np.testing.assert_allclose(u * s @ v.T, a, atol=1e-11)
    skew = a - a.T
    turned = linalg.expm(skew).numpy()
    np.testing.assert_allclose(turned @ turned.T, np.eye(3), atol=1e-9)


# Without the host.


@pytest.mark.parametrize("dtype", ["int32", "float32", "complex128"])
@pytest.mark.parametrize("dynamic", [False, True])
def test_products(compare: Any, dtype: str, dynamic: bool) -> None:
    rng = np.random.default_rng(3)
    a, b = (rng.integers(-5, 6, s).astype(dtype) for s in ((2, 3, 4), (2, 4, 5)))

    def functions(a: Any, b: Any) -> list[Any]:
        return [
            linalg.matmul(a, b),
            linalg.matmul(b, a, transpose_a=True, transpose_b=True),
            linalg.matmul(b, a, adjoint_a=True, adjoint_b=True),
            linalg.matvec(a, b[..., 0]),
            linalg.matvec(b, b[..., 0], adjoint_a=True),
            linalg.einsum("bij,bjk->bik", a, b),
            linalg.tensordot(a, b, [[2], [1]]),
            linalg.matrix_transpose(a, conjugate=True),
            linalg.adjoint(a),
            linalg.cross(a[..., :3], ag.flip(a, [1])[..., :3]),
        ]

    def expected(a: Any, b: Any) -> list[Any]:
        transposed = np.swapaxes(b, -1, -2) @ np.swapaxes(a, -1, -2)
        return [
            a @ b,
            transposed,
            np.conj(transposed),
            (a @ b[..., :1])[..., 0],
            (adjoint(b) @ b[..., :1])[..., 0],
            a @ b,
            np.tensordot(a, b, [[2], [1]]),
            adjoint(a),
            adjoint(a),
            np.cross(a[..., :3], a[:, ::-1, :3]),
        ]

    compare(functions, a, b, expected=expected, dynamic=dynamic, rtol=1e-6)


@pytest.mark.parametrize("dynamic", [False, True])
@pytest.mark.parametrize("shape", [(3, 3), (2, 3, 5), (2, 4, 2), (2, 0, 3)], ids=str)
def test_diagonals(compare: Any, shape: Any, dynamic: bool) -> None:
    a = np.arange(np.prod(shape), dtype=np.int64).reshape(shape) + 1
    ks = range(-2, 3)

    def functions(a: Any) -> list[Any]:
        return [
            *(linalg.diag_part(a, k=k) for k in ks),
            *(linalg.band_part(a, i, j) for i, j in ((0, 0), (1, 0), (-1, 1), (0, -1), (-1, -1))),
            linalg.trace(a),
        ]

    def expected(a: Any) -> list[Any]:
        def band(i: int, j: int) -> Any:
            lower = np.tril(np.ones_like(a), j) if j >= 0 else np.ones_like(a)
            return a * lower * (np.triu(np.ones_like(a), -i) if i >= 0 else 1)

        return [
            *(np.diagonal(a, k, -2, -1) for k in ks),
            *(band(i, j) for i, j in ((0, 0), (1, 0), (-1, 1), (0, -1), (-1, -1))),
            np.trace(a, axis1=-2, axis2=-1),
        ]

    compare(functions, a, expected=expected, dynamic=dynamic)


@pytest.mark.parametrize("dynamic", [False, True])
def test_matrices_of_diagonals(compare: Any, dynamic: bool) -> None:
    d = np.arange(1, 7.0).reshape(2, 3)

    def whole(d: Any, k: int, rows: int, columns: int, fill: float = 0.0) -> Any:
        out = np.full((*d.shape[:-1], rows, columns), fill)
        i = np.arange(d.shape[-1])
        out[..., i + max(-k, 0), i + max(k, 0)] = d
        return out

    compare(
        lambda d: [
            linalg.diag(d),
            linalg.diag(d, k=1),
            linalg.diag(d, k=-2),
            linalg.diag(d, num_rows=3, num_cols=5, padding_value=9),
            linalg.set_diag(ag.cast(ag.fill((2, 3, 4), 7.0), "float64"), d),
            linalg.set_diag(ag.cast(ag.fill((2, 3, 4), 7.0), "float64"), d, k=1),
            linalg.tensor_diag(d),
            linalg.tensor_diag_part(linalg.tensor_diag(d)),
        ],
        d,
        expected=lambda d: [
            whole(d, 0, 3, 3),
            whole(d, 1, 4, 4),
            whole(d, -2, 5, 5),
            whole(d, 0, 3, 5, 9.0),
            whole(d, 0, 3, 4, 7.0),
            whole(d, 1, 3, 4, 7.0),
            np.diag(d.ravel()).reshape(2, 3, 2, 3),
            d,
        ],
        dynamic=dynamic,
    )


BANDS = {
    "RIGHT_LEFT": [[0, 2, 7], [1, 6, 11], [5, 10, 0]],
    "LEFT_RIGHT": [[2, 7, 0], [1, 6, 11], [0, 5, 10]],
    "LEFT_LEFT": [[2, 7, 0], [1, 6, 11], [5, 10, 0]],
    "RIGHT_RIGHT": [[0, 2, 7], [1, 6, 11], [0, 5, 10]],
}


@pytest.mark.parametrize("align", BANDS)
def test_several_diagonals(compare: Any, align: str) -> None:
    a = np.array([[1, 2, 3], [5, 6, 7], [9, 10, 11]])
    band = np.array([[1, 2, 0], [5, 6, 7], [0, 10, 11]])

    def functions(a: Any) -> list[Any]:
        lines = linalg.diag_part(a, k=(-1, 1), align=align)
        zero = ag.zeros_like(a)
        return [
            lines,
            linalg.diag(lines, k=(-1, 1), align=align),
            linalg.set_diag(zero, lines, k=(-1, 1), align=align),
        ]

    for dynamic in (False, True):
        compare(
            functions,
            a,
            expected=lambda a: [np.array(BANDS[align]), band, band],
            dynamic=dynamic,
        )


def test_eye() -> None:
    np.testing.assert_array_equal(linalg.eye(2, 3).numpy(), np.eye(2, 3, dtype=np.float32))
    many = linalg.eye(2, batch_shape=[3], dtype=ag.int32).numpy()
    np.testing.assert_array_equal(many, np.stack([np.eye(2, dtype=np.int32)] * 3))


@pytest.mark.parametrize("dtype", DTYPES)
def test_norms(dtype: str) -> None:
    a = sample((2, 3, 4), dtype)
    vectors = [("euclidean", 2), (2, 2), (1, 1), (3, 3), (np.inf, np.inf), (0.5, 0.5)]
    matrices = [("euclidean", "fro"), ("fro", "fro"), (1, 1), (np.inf, np.inf), (2, 2)]

    def functions(a: Any) -> list[Any]:
        return [
            *(linalg.norm(a, o, axis=1) for o, _ in vectors),
            *(linalg.norm(a, o, axis=[0, 2], keepdims=True) for o, _ in matrices),
            linalg.norm(a, 2, axis=(2, 0)),
            linalg.norm(a, 1, axis=(2, 1)),
            linalg.norm(a),
            linalg.normalize(a, axis=-1)[0],
            linalg.global_norm([a, a, None]),
        ]

    whole = np.sqrt((np.abs(a) ** 2).sum())
    expected = [
        *(np.linalg.norm(a, o, axis=1) for _, o in vectors),
        *(np.linalg.norm(a, o, axis=(0, 2), keepdims=True) for _, o in matrices),
        np.linalg.norm(a, 2, axis=(2, 0)),
        np.linalg.norm(a, 1, axis=(2, 1)),
        whole,
        a / np.linalg.norm(a, axis=-1, keepdims=True),
        whole * np.sqrt(2),
    ]
    for _, results in everywhere(functions, (a,)):
        for result, wanted in zip(results, expected, strict=True):
            assert result.shape == np.shape(wanted)
            near(result, wanted, dtype)


# Mistakes.


@pytest.mark.parametrize("compile", [None, False])
def test_a_singular_matrix_in_a_branch_and_in_a_loop(compile: bool | None) -> None:
    @ag.function(jit_compile=compile)
    def branch(a, wanted):
        if wanted:
            a = linalg.inv(a)  # the user's line
        return a

    singular, regular = np.ones((2, 2)), np.eye(2) * 2
    np.testing.assert_array_equal(branch(singular, ag.constant(False)).numpy(), singular)
    np.testing.assert_array_equal(branch(regular, ag.constant(True)).numpy(), regular / 4)
    with pytest.raises(np.linalg.LinAlgError, match=r"Singular matrix\n.*: a = linalg.inv\(a\)"):
        branch(singular, ag.constant(True))

    @ag.function(jit_compile=compile)
    def loop(a, count):
        total = ag.zeros((2, 2), ag.float64)
        for i in range(count):
            shift = ag.cast(3 - i, ag.float64) * ag.eye(2, dtype=ag.float64)
            total += linalg.solve(a + shift, a)
        return total

    a = np.array([[0.0, 1.0], [1.0, 0.0]])
    wanted = sum(np.linalg.solve(a + s * np.eye(2), a) for s in (3, 2))
    np.testing.assert_allclose(loop(a, ag.constant(2)).numpy(), wanted)
    with pytest.raises(np.linalg.LinAlgError, match="Singular"):
        loop(a, ag.constant(9))
    np.testing.assert_allclose(loop(a, ag.constant(2)).numpy(), wanted)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: linalg.cholesky(-np.eye(2)), "not positive definite"),
        (lambda: linalg.lu(np.zeros((2, 2))), "Singular"),
        (lambda: linalg.triangular_solve(np.zeros((2, 2)), np.ones((2, 1))), "Singular"),
        (lambda: linalg.solve(np.zeros((2, 2)), np.ones((2, 1))), "Singular"),
    ],
)
def test_matrices_without_an_answer(call: Any, message: str) -> None:
    with pytest.raises(np.linalg.LinAlgError, match=message):
        call()


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: linalg.inv(np.ones((2, 3))), ValueError, "takes square matrices"),
        (lambda: linalg.det(np.ones(2)), ValueError, "takes matrices"),
        (lambda: linalg.inv(np.eye(2, dtype=np.int32)), TypeError, "not defined for int32"),
        (lambda: linalg.svd(np.eye(2, dtype=np.float16)), TypeError, "not defined for float16"),
        (lambda: linalg.solve(np.eye(2), np.ones((3, 1))), ValueError, "do not fit"),
        (lambda: linalg.matmul(np.ones(2), np.ones((2, 2))), ValueError, "see matvec"),
        (
            lambda: linalg.matmul(np.eye(2), np.eye(2), transpose_a=True, adjoint_a=True),
            ValueError,
            "not both",
        ),
        (lambda: linalg.cross(np.ones(2), np.ones(2)), ValueError, "three numbers"),
        (lambda: linalg.norm(np.eye(2), "nuclear"), ValueError, "no norm 'nuclear'"),
        (lambda: linalg.norm(np.eye(2), 3, axis=[0, 1]), ValueError, "no norm 3 of matrices"),
        (lambda: linalg.norm(np.eye(2), axis=2), ValueError, "out of bounds"),
        (lambda: linalg.diag_part(np.eye(2), align="UP"), ValueError, None),
        (lambda: linalg.diag_part(np.eye(2), k=(1, 0)), ValueError, "lowest and the highest"),
        (lambda: linalg.set_diag(np.eye(2), np.ones(3)), ValueError, "do not fit"),
        (lambda: linalg.global_norm([None]), ValueError, "no tensors"),
    ],
)
def test_mistakes(call: Any, error: type[Exception], message: str | None) -> None:
    if message is None:
        call()  # a single diagonal is not aligned
        return
    with pytest.raises(error, match=message):
        call()
