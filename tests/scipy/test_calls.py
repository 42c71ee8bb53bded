"""SciPy's functions in compiled ones: called as they are, when the program runs."""

from __future__ import annotations

import warnings
from functools import partial

import numpy as np
import pytest
from scipy import fft, integrate, linalg, ndimage, signal, special, stats
from scipy.spatial import distance

import agir as ag
from agir import errors
from agir.errors import StagingError

from . import scipy_results

A = np.array([[4.0, 1.0, 0.5], [1.0, 3.0, 0.25], [0.5, 0.25, 2.0]])
G = np.array([[1.0, -2.0, 0.5], [3.0, 1.5, -1.0], [0.0, 2.5, 2.0]])
TALL = np.arange(12.0).reshape(4, 3) + np.eye(4, 3)
b = np.array([1.0, -2.0, 3.0])
B = np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 7.0]])

LINEAR = {
    "solve": lambda: linalg.solve(A, b),
    "solve_pos": lambda: linalg.solve(A, B, assume_a="pos"),
    "solve_triangular": lambda: linalg.solve_triangular(np.tril(A), b, lower=True),
    "solve_banded": lambda: linalg.solve_banded((1, 1), G, b),
    "solve_toeplitz": lambda: linalg.solve_toeplitz(A[0], b),
    "lu": lambda: linalg.lu(G),
    "lu_pl": lambda: linalg.lu(TALL, permute_l=True),
    "lu_factor": lambda: linalg.lu_factor(G),
    "lu_solve": lambda: linalg.lu_solve(linalg.lu_factor(G), B, trans=1),
    "cholesky": lambda: linalg.cholesky(A, lower=True),
    "cho_solve": lambda: linalg.cho_solve(linalg.cho_factor(A), b),
    "cho_factor": lambda: linalg.cho_factor(A, lower=True),
    "qr": lambda: linalg.qr(TALL),
    "qr_economic": lambda: linalg.qr(TALL, mode="economic", pivoting=True),
    "qr_r": lambda: linalg.qr(TALL, mode="r"),
    "svd": lambda: linalg.svd(TALL),
    "svdvals": lambda: linalg.svdvals(TALL),
    "svd_thin": lambda: linalg.svd(TALL, full_matrices=False),
    "eigh": lambda: linalg.eigh(A),
    "eigh_general": lambda: linalg.eigh(A, np.eye(3) * b[2], subset_by_index=[0, 1]),
    "eigvalsh": lambda: linalg.eigvalsh(A),
    "eig": lambda: linalg.eig(G),
    "eigvals": lambda: linalg.eigvals(G),
    "schur": lambda: linalg.schur(A),
    "hessenberg": lambda: linalg.hessenberg(G, calc_q=True),
    "expm": lambda: linalg.expm(G),
    "cosm": lambda: linalg.cosm(G),
    "inv": lambda: linalg.inv(G),
    "pinv": lambda: linalg.pinv(TALL),
    "det": lambda: linalg.det(G),
    "norm": lambda: (linalg.norm(b), linalg.norm(G, 1), linalg.norm(G, axis=0)),
    "lstsq": lambda: linalg.lstsq(TALL, b[[0, 1, 2, 0]]),
    "null_space": lambda: linalg.null_space(G[:2]),
    "orth": lambda: linalg.orth(TALL),
    "toeplitz": lambda: linalg.toeplitz(b, b[::-1]),
    "circulant": lambda: linalg.circulant(b),
    "hankel": lambda: linalg.hankel(b),
    "block_diag": lambda: linalg.block_diag(A, B),
    "companion": lambda: linalg.companion(b),
    "khatri_rao": lambda: linalg.khatri_rao(A, G),
    "polar": lambda: linalg.polar(G),
    "sylvester": lambda: linalg.solve_sylvester(A, G, A),
    "lyapunov": lambda: linalg.solve_continuous_lyapunov(G, A),
    "bandwidth": lambda: (linalg.bandwidth(A), linalg.issymmetric(A), linalg.ishermitian(G)),
    "ldl": lambda: linalg.ldl(A),
}
OTHERS = {
    "logsumexp": lambda: (special.logsumexp(b), special.logsumexp(A, axis=1, keepdims=True)),
    "softmax": lambda: special.softmax(A, axis=0),
    "norm.pdf": lambda: (stats.norm.pdf(b, loc=1.0), stats.norm.cdf(b[0]), stats.t.ppf(0.9, b[2])),
    "frozen": lambda: stats.norm(1.0, 2.0).logpdf(b),
    "pearsonr": lambda: stats.rankdata(b),
    "trapezoid": lambda: (integrate.trapezoid(b), integrate.simpson(A, x=np.cumsum(np.abs(b)))),
    "cumulative": lambda: integrate.cumulative_trapezoid(b, initial=0.0),
    "lfilter": lambda: signal.lfilter([1.0, b[0]], [1.0, 0.5], A, axis=0),
    "convolve": lambda: signal.convolve(b, A[0], mode="same"),
    "fftconvolve": lambda: signal.fftconvolve(A, G, mode="full"),
    "butter": lambda: signal.filtfilt(*signal.butter(1, 0.25), np.tile(b, 10)),
    "gaussian": lambda: ndimage.gaussian_filter(A, b[0]),
    "label": lambda: ndimage.label(A > 0.75),
    "distance": lambda: (distance.cdist(A, G), distance.euclidean(A[0], b), distance.pdist(G)),
    "fft": lambda: (fft.rfft(A), fft.ifft2(G), fft.dct(b)),
}


def check(function, *args):
    """The compiled function gives what the plain one does, in classes, dtypes and shapes."""
    mine, plain = ag.jit(function)(*args), function(*args)
    same(mine, plain)
    return mine


same = partial(scipy_results.same, rtol=1e-13, atol=1e-13)


@pytest.mark.parametrize("name", [*LINEAR, *OTHERS])
def test_what_scipy_gives(name):
    """Arrays of outside are values of the run time, as arguments are."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        check({**LINEAR, **OTHERS}[name])


@pytest.mark.parametrize("dtype", ["f4", "f8", "c8", "c16"])
def test_dtypes(dtype):
    def f(a, x):
        factors = linalg.lu_factor(a)
        q, r = linalg.qr(a)
        return linalg.solve(a, x), linalg.lu_solve(factors, x), q @ r, linalg.norm(a)

    a, x = G.astype(dtype), b.astype(dtype)
    mine, plain = ag.jit(f)(a, x), f(a, x)
    for one, other in zip(mine, plain, strict=True):
        assert one.dtype == other.dtype
        np.testing.assert_allclose(one, other, rtol=1e-5)


def test_other_contents_and_sizes():
    f = ag.jit(lambda a, x: linalg.solve(a, x) + x)
    for n in (1, 2, 5, 40):
        for seed in range(2):
            rng = np.random.default_rng(seed)
            a, x = rng.normal(size=(n, n)), rng.normal(size=n)
            np.testing.assert_allclose(f(a, x), linalg.solve(a, x) + x, rtol=1e-12)
            x *= 2
            np.testing.assert_allclose(f(a, x), linalg.solve(a, x) + x, rtol=1e-12)


def test_in_branches_and_loops():
    def f(a, x, n):
        found = []
        for i in range(n):
            if x[0] > i:
                x = linalg.solve(a, x)
            else:
                x = a @ x
            found.append(linalg.norm(x))
        return x, found

    for n in (0, 1, 4):
        mine, plain = ag.jit(f)(A, b, n), f(A, b, n)
        np.testing.assert_allclose(mine[0], plain[0])
        np.testing.assert_allclose(mine[1], plain[1])
        assert [type(each) for each in mine[1]] == [type(each) for each in plain[1]]


def test_factors_are_kept():
    """Factors that are computed before a loop."""

    def f(a, x, steps):
        factors = linalg.cho_factor(a)
        for _ in range(steps):
            x = linalg.cho_solve(factors, x)
        return x

    check(f, A, b, 5)


def test_errors():
    singular = ag.jit(lambda a, x: linalg.cholesky(a) @ x)
    with pytest.raises(linalg.LinAlgError, match="not positive definite"):
        singular(-A, b)
    assert singular(A, b).shape == (3,)
    with pytest.raises(ValueError, match="infs or NaNs"):
        singular(A * np.nan, b)
    with pytest.raises(StagingError, match="no arguments were found"):
        ag.jit(lambda a, x: linalg.solve(a, x))(A, b[:2])
    with pytest.raises(TypeError, match="unexpected keyword"):
        ag.jit(lambda a: linalg.inv(a, wrong=1))(A)


def test_handled():
    def f(a):
        try:
            return linalg.cholesky(a)[0, 0]
        except linalg.LinAlgError:
            return -1.0

    compiled = ag.jit(f)
    assert compiled(A) == f(A)
    assert compiled(-A) == -1.0


def test_dtypes_that_depend_on_values():
    """Where some examples give complex numbers, all are complex."""
    for function in (linalg.sqrtm, linalg.logm, partial(linalg.fractional_matrix_power, t=0.5)):
        f = ag.jit(lambda a, function=function: function(a))
        for a in (A, G):
            assert f(a).dtype == np.complex128
            np.testing.assert_allclose(f(a), function(a), atol=1e-14)


def test_sizes_that_depend_on_values():
    f = ag.jit(lambda a: linalg.null_space(a))
    assert f(np.ones((3, 3))).shape == (3, 2)
    assert f(A).shape == (3, 0)


def test_number_of_dimensions_that_depends_on_values():
    """It is an error where it is used, and not where it is not."""
    assert ag.jit(lambda a, x: linalg.lstsq(a, x)[2])(A, b) == 3

    def residues(a, x):
        return linalg.lstsq(a, x)[1]

    square, tall = ag.jit(residues), ag.jit(residues)
    same(tall(TALL, np.arange(4.0)), residues(TALL, np.arange(4.0)))
    same(square(A, b), residues(A, b))
    flat = np.ones((4, 3))
    with pytest.raises(StagingError, match="dimensions"):
        tall(flat, np.arange(4.0))


def test_overwriting_is_not_seen():
    a = np.asfortranarray(G)
    before = a.copy()
    f = ag.jit(lambda a, x: linalg.solve(a, x, overwrite_a=True, overwrite_b=True))
    for _ in range(2):
        np.testing.assert_allclose(f(a, b), linalg.solve(G, b))
    assert (a == before).all()


def test_what_writes_is_refused():
    with pytest.raises(StagingError, match="writes into"):
        ag.jit(lambda x, y: ndimage.gaussian_filter(x, 1.0, output=y))(A, A.copy())
    with pytest.raises(StagingError, match="writes into"):
        ag.jit(lambda x, y: ndimage.gaussian_filter(x, 1.0, 0, y))(A, A.copy())


def test_results_that_are_objects():
    for function in (stats.linregress, stats.ttest_ind):
        with pytest.raises(StagingError, match="cannot be put together"):
            ag.jit(lambda x, y, function=function: function(x, y).pvalue)(b, b**2)


def test_drawing():
    """Draws come in the program's order, and tracing draws nothing."""

    def f(n, scale):
        return stats.norm.rvs(size=3), stats.expon.rvs(scale=scale, size=n), np.random.rand()

    compiled = ag.jit(f)
    np.random.seed(1)
    mine = [compiled(2, 3.0), compiled(2, 3.0), compiled(4, 1.0)]
    np.random.seed(1)
    plain = [f(2, 3.0), f(2, 3.0), f(4, 1.0)]
    for one, other in zip(mine, plain, strict=True):
        same(one, other)


def test_numbers_say_sizes():
    f = ag.jit(lambda n: linalg.hilbert(n))
    for n in (1, 2, 5):
        np.testing.assert_array_equal(f(n), linalg.hilbert(n))


def test_a_decorated_function_of_scipy():
    np.testing.assert_allclose(ag.jit(linalg.solve)(A, b), linalg.solve(A, b))
    np.testing.assert_allclose(ag.jit(special.logsumexp)(b), special.logsumexp(b))


def test_flags_of_the_caller():
    """They say what there is to give."""
    f = ag.jit(
        lambda x, signs, keep: special.logsumexp(x, axis=0, keepdims=keep, return_sign=signs)
    )
    for signs in (False, True):
        for keep in (False, True):
            plain = special.logsumexp(A, axis=0, keepdims=keep, return_sign=signs)
            same(f(A, signs, keep), plain)


def test_gradients_are_refused():
    x = ag.constant(b)
    with ag.GradientTape() as tape:
        tape.watch(x)
        with pytest.raises(errors.NotDifferentiableError):
            ag.jit(lambda x: linalg.solve(A, x).sum())(x)


def test_what_calls_back_stays():
    """SciPy calls a function while the program is traced, of known values."""
    f = ag.jit(lambda x: x * integrate.quad(lambda t: t * t, 0.0, 3.0)[0])
    assert f(2.0) == pytest.approx(18.0)
