"""Sparse matrices in compiled functions: their arrays, and products with dense ones."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest
from scipy import sparse
from scipy.sparse import linalg

import agir as ag
from agir.errors import StagingError

from . import scipy_results

KINDS = (sparse.csr_matrix, sparse.csc_matrix, sparse.csr_array, sparse.csc_array)
DTYPES = ("f4", "f8", "i4", "u1", "c16")


def made(kind, shape, dtype="f8", density=0.5, seed=0):
    rng = np.random.default_rng(seed)
    dense = (rng.random(shape) < density) * rng.integers(-9, 10, shape)
    if np.dtype(dtype).kind == "c":
        dense = dense * (1 + 0.5j)
    return kind(dense.astype(dtype))


same = partial(scipy_results.same, rtol=1e-6)


def check(function, *args):
    same(ag.jit(function)(*args), function(*args))


WITH_ONE = {
    "arrays": lambda a: (a.data, a.indices, a.indptr),
    "sizes": lambda a: (a.shape, a.nnz, a.ndim, a.format, a.shape[0] + 1),
    "dense": lambda a: (a.toarray(), a.T.toarray(), a.transpose().toarray()),
    "scaled": lambda a: (a * 2, 2 * a, a / 4, -a, abs(a), a.conj(), a.astype(complex)),
    "copies": lambda a: (a.copy(), a.T),
    "sums": lambda a: (a + a, a - a.T.T, a.multiply(a).tocsr()),
    "product": lambda a: (a @ a.T, a.T @ a),
    "reduced": lambda a: (a.sum(), a.max(), a.min(), a.diagonal(), a.count_nonzero()),
    "converted": lambda a: (a.tocsr(), a.tocsc()),
    "parts": lambda a: (a[1:3], a[:, [0, 2]], a[2, 3], a[-1, -2]),
    "compared": lambda a: (a != a * 2, a > a.T.T),
    "classes": lambda a: (
        isinstance(a, sparse.csr_matrix), isinstance(a, sparse.csc_array), sparse.issparse(a),
    ),
}  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", WITH_ONE)
def test_what_scipy_gives(kind, name):
    check(WITH_ONE[name], made(kind, (5, 4)))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("dtype", DTYPES)
def test_products(kind, dtype):
    def f(a, x, y):
        return a @ x, a.dot(x), a.T @ y, y @ a, a @ np.stack([x, x], 1), a @ x[:, None], x @ a.T

    a = made(kind, (5, 4), dtype)
    # each kind and each dtype meets each of these
    other = ("f8", "f4", "i8", "c8")[(KINDS.index(kind) + DTYPES.index(dtype)) % 4]
    x, y = np.arange(1, 5).astype(other), np.arange(5).astype(other)
    check(f, a, x, y)
    if "matrix" in kind.__name__:
        check(lambda a, x, y: (a * x, y * a), a, x, y)


@pytest.mark.parametrize("kind", KINDS)
def test_sizes(kind):
    f = ag.jit(lambda a, x: a @ x)
    for shape in ((0, 3), (3, 0), (1, 1), (300, 200)):
        for density in (0.0, 0.1, 1.0):
            a, x = made(kind, shape, density=density), np.arange(float(shape[1]))
            same(f(a, x), a @ x)


def test_one_trace_for_all_of_a_size():
    f = ag.jit(lambda a, x: a @ x)
    x = np.arange(4.0)
    for seed in range(5):
        a = made(sparse.csr_matrix, (5, 4), density=0.2 + 0.1 * seed, seed=seed)
        same(f(a, x), a @ x)
        a.data *= 2
        same(f(a, x), a @ x)
    assert f.experimental_get_tracing_count() == 1


@pytest.mark.parametrize("kind", KINDS)
def test_writing(kind):
    """What is written into the arrays is written into the caller's matrix."""

    def f(a, factor):
        a.data *= factor
        a.data[0] = 7.0
        for i in range(a.nnz):
            a.data[i] += i
        return a.toarray()

    mine, plain = made(kind, (5, 4)), made(kind, (5, 4))
    compiled = ag.jit(f)
    for factor in (2.0, 3.0):
        same(compiled(mine, factor), f(plain, factor))
        same(mine, plain)


def test_solver():
    def conjugate_gradients(a, b, steps):
        x = np.zeros_like(b)
        r = b - a @ x
        p = r.copy()
        rs = r @ r
        for _ in range(steps):
            ap = a @ p
            alpha = rs / (p @ ap)
            x += alpha * p
            r -= alpha * ap
            new = r @ r
            if np.sqrt(new) < 1e-12:
                break
            p = r + (new / rs) * p
            rs = new
        return x

    n = 50
    a = sparse.diags_array([np.full(n, 4.0), np.full(n - 1, -1.0), np.full(n - 1, -1.0)],
                           offsets=[0, 1, -1])  # fmt: skip
    for kind in KINDS:
        found = ag.jit(conjugate_gradients)(kind(a), np.arange(float(n)), 100)
        np.testing.assert_allclose(found, conjugate_gradients(kind(a), np.arange(float(n)), 100))


def test_loops_over_the_arrays():
    def f(a, x):
        out = np.zeros(a.shape[0])
        for row in range(a.shape[0]):
            for place in range(a.indptr[row], a.indptr[row + 1]):
                out[row] += a.data[place] * x[a.indices[place]]
        return out, a[2, 1]

    for seed in range(3):
        check(f, made(sparse.csr_matrix, (5, 4), seed=seed), np.arange(4.0))


def test_in_branches_and_loops():
    def f(a, b, x, n):
        c = a if n > 1 else b
        for _ in range(n):
            x = c @ x
            c = c * 0.5
        return x, c

    a, b = (made(sparse.csr_array, (4, 4), seed=seed) for seed in range(2))
    for n in (0, 1, 2, 5):
        check(f, a, b, np.arange(4.0), n)


OUTSIDE = made(sparse.csr_matrix, (5, 4))


class Model:
    def __init__(self, matrix):
        self.matrix = matrix

    @ag.jit
    def apply(self, x):
        return self.matrix @ x

    @ag.jit
    def scale(self, factor):
        self.matrix.data *= factor


def test_of_outside():
    """In names and attributes, with what they hold at each call."""
    global OUTSIDE
    f = ag.jit(lambda x: OUTSIDE @ x)
    x = np.arange(4.0)
    same(f(x), OUTSIDE @ x)
    OUTSIDE.data *= 3
    same(f(x), OUTSIDE @ x)
    for seed in (1, 2):
        OUTSIDE = made(sparse.csr_matrix, (5, 4), seed=seed)
        same(f(x), OUTSIDE @ x)
    model = Model(made(sparse.csc_array, (5, 4)))
    same(model.apply(x), model.matrix @ x)
    model.scale(2.0)
    same(model.apply(x), model.matrix @ x)
    model.matrix = made(sparse.csr_matrix, (3, 4))
    same(model.apply(x), model.matrix @ x)


def test_in_structures():
    a, b = made(sparse.csr_matrix, (5, 4)), made(sparse.csc_matrix, (4, 3))
    check(lambda d, x: d["a"] @ (d["b"] @ x), {"a": a, "b": b}, np.arange(3.0))
    check(lambda pair, x: pair[0] @ (pair[1] @ x), (a, b), np.arange(3.0))


def test_the_same_twice():
    def f(a, b):
        a.data[0] = 5.0
        return b.toarray()

    mine, plain = made(sparse.csr_matrix, (5, 4)), made(sparse.csr_matrix, (5, 4))
    same(ag.jit(f)(mine, mine), f(plain, plain))


def test_an_argument_that_is_returned():
    a = made(sparse.csr_matrix, (5, 4))
    assert ag.jit(lambda a: a)(a) is a
    assert ag.jit(lambda a: (a.data, 1))(a)[0] is a.data


def test_scipys_functions():
    n = 6
    for kind in KINDS:
        a = kind(made(kind, (n, n)).toarray() + 20 * np.eye(n))
        check(lambda a, x: (linalg.spsolve(a.tocsc(), x), linalg.norm(a)), a, np.arange(float(n)))
        check(lambda a: sparse.kron(a, a, format="csr")[:3], a)
        check(lambda a, x: linalg.cg(a @ a.T, x)[0], a, np.arange(float(n)))


def test_errors():
    a = made(sparse.csr_matrix, (5, 4))
    with pytest.raises(ValueError, match="dimension mismatch"):
        ag.jit(lambda a, x: a @ x)(a, np.ones(5))
    with pytest.raises(ValueError, match="use '\\*' instead"):
        ag.jit(lambda a, x: a @ x)(a, 2.0)
    with pytest.raises(IndexError, match="out of range"):
        ag.jit(lambda a, i: a[i, 0])(a, 5)
    with pytest.raises(StagingError, match="writes into"):
        ag.jit(lambda a: a.eliminate_zeros())(a)
    with pytest.raises(StagingError, match="assigning"):
        ag.jit(lambda a, x: setattr(a, "data", x))(a, np.ones(a.nnz))
    with pytest.raises((StagingError, TypeError)):
        ag.jit(lambda a: bool(a))(a)
    with pytest.raises((StagingError, TypeError)):
        ag.jit(lambda a: {a: 1})(a)
    with pytest.raises(TypeError, match=r"'a' is a coo_matrix"):
        ag.jit(lambda a: a.toarray())(a.tocoo())
    other = a.tolil()
    with pytest.raises(StagingError, match="other is a lil_matrix"):
        ag.jit(lambda x: other.toarray() * x)(2.0)
