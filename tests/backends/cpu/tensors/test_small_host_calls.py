"""Small systems, determinants and Fourier transforms are computed in the program, not by the host."""

from __future__ import annotations

import numpy as np
import pytest

import agir as ag


def solve(a, b):
    return np.linalg.solve(a, b)


def inverse(a, b):
    return np.linalg.inv(a)


def determinant(a, b):
    return np.linalg.det(a)


FUNCTIONS = [solve, inverse, determinant]
DTYPES = [np.float64, np.float32, np.complex128, np.complex64]


def matrices(n, dtype, columns=3):
    draw = np.random.default_rng(n)
    parts = [draw.normal(size=(n, n + columns)) for _ in range(2)]
    both = parts[0] + 1j * parts[1] if np.dtype(dtype).kind == "c" else parts[0]
    return both[:, :n].astype(dtype), both[:, n:].astype(dtype)


def asks_the_host(function, *args):
    text = ag.jit(function).experimental_get_compiler_ir(*args)(stage="optimized_hlo")
    return "call @fetch" in text


@pytest.mark.parametrize("n", [1, 2, 5, 16, 32, 33])
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("function", FUNCTIONS)
def test_results(function, dtype, n):
    a, b = matrices(n, dtype)
    found, wanted = ag.jit(function)(a, b), function(a, b)
    assert found.dtype == wanted.dtype
    limit = 1000 * np.finfo(dtype).eps
    np.testing.assert_allclose(found, wanted, limit, limit * np.abs(wanted).max())


@pytest.mark.parametrize("function", FUNCTIONS)
def test_the_host_is_asked_of_large_matrices_only(function):
    assert not asks_the_host(function, *matrices(4, np.float64))
    assert asks_the_host(function, *matrices(33, np.float64))


def test_one_column():
    a, b = matrices(4, np.float64)
    np.testing.assert_allclose(ag.jit(solve)(a, b[:, 0]), solve(a, b[:, 0]), 1e-12)


@pytest.mark.parametrize(
    "a",
    [
        [[0.0, 1.0], [1.0, 0.0]],
        [[1e-20, 1.0], [1.0, 1.0]],
        [[1e200, 0.0], [0.0, 1e-300]],
        [[np.inf, 1.0], [1.0, 1.0]],
        [[2.0, 0.0], [0.0, 2.0]],
    ],
)
@pytest.mark.parametrize("function", FUNCTIONS)
def test_unusual_elements(function, a):
    a, b = np.array(a), np.eye(2)
    with np.errstate(all="ignore"):
        np.testing.assert_allclose(ag.jit(function)(a, b), function(a, b), 1e-13)


@pytest.mark.parametrize("function", FUNCTIONS)
def test_nan_stays(function):
    assert np.isnan(ag.jit(function)(np.full((2, 2), np.nan), np.eye(2))).all()


def test_determinants_of_singular_matrices_are_zero():
    assert ag.jit(determinant)(np.ones((3, 3)), None) == 0


@pytest.mark.parametrize("function", [solve, inverse])
def test_singular_matrices_raise(function):
    with pytest.raises(np.linalg.LinAlgError, match=r"Singular matrix\n.*test_small_host_calls"):
        ag.jit(function)(np.ones((3, 3)), np.ones((3, 2)))


def test_arguments_stay():
    a, b = matrices(3, np.float64)
    before = a.copy(), b.copy()
    for function in FUNCTIONS:
        ag.jit(function)(a, b)
    np.testing.assert_array_equal((a, b), before)


def filtered(z, f, q, r):
    state, spread = np.zeros(2), np.eye(2)
    seen = np.array([[1.0, 0.0], [0.5, 1.0]])
    found = np.zeros((len(z), 2))
    for k in range(len(z)):
        state, spread = f @ state, f @ spread @ f.T + q
        gain = spread @ seen.T @ np.linalg.inv(seen @ spread @ seen.T + r)
        state = state + gain @ (z[k] - seen @ state)
        spread = (np.eye(2) - gain @ seen) @ spread
        if z[k, 0] > 2.5:
            state = np.linalg.solve(seen, state)
        found[k] = state
    return found, np.linalg.det(spread)


def test_in_loops_and_branches():
    z = np.arange(8.0).reshape(4, 2)
    args = z, np.array([[1.0, 0.1], [0.0, 1.0]]), 0.1 * np.eye(2), np.eye(2)
    found, wanted = ag.jit(filtered)(*args), filtered(*args)
    for mine, theirs in zip(found, wanted, strict=True):
        np.testing.assert_allclose(mine, theirs, 1e-12)


def caught(stack):
    total = 0.0
    for a in stack:
        try:
            total += np.linalg.inv(a)[0, 0]
        except np.linalg.LinAlgError:
            total += 100.0
    return total


def test_failures_are_caught():
    stack = np.array([np.eye(2), np.zeros((2, 2)), 2 * np.eye(2)])
    assert ag.jit(caught)(stack) == caught(stack) == 101.5


def test_gradients():
    a, b = (ag.constant(m) for m in matrices(3, np.float64))
    with ag.GradientTape() as tape:
        tape.watch(a)
        total = ag.reduce_sum(ag.function(lambda a, b: ag.linalg.solve(a, b))(a, b))
    found = tape.gradient(total, a)
    solution = np.linalg.solve(a.numpy(), b.numpy())
    adjoint = np.linalg.solve(a.numpy().T, np.ones((3, 3)))
    np.testing.assert_allclose(found.numpy(), -adjoint @ solution.T, 1e-10)


def transform(x):
    return np.fft.fft(x)


def back(x):
    return np.fft.ifft(x)


def half(x):
    return np.fft.rfft(x)


TRANSFORMS = [transform, back, half]


@pytest.mark.parametrize("n", [2, 4, 8, 64, 2048, 12])
@pytest.mark.parametrize("dtype", [*DTYPES, np.int64])
@pytest.mark.parametrize("function", TRANSFORMS)
def test_transforms(function, dtype, n):
    x = 5 * matrices(n, dtype, 1)[0][0] if n < 100 else np.arange(n).astype(dtype)
    x = x.astype(dtype)
    if function is half and x.dtype.kind == "c":
        return
    found, wanted = ag.jit(function)(x), function(x)
    assert (found.dtype, found.shape) == (wanted.dtype, wanted.shape)
    limit = 4 * np.finfo(wanted.dtype).eps * np.abs(wanted).max()
    np.testing.assert_allclose(found, wanted, 0, limit)
    assert asks_the_host(function, x) == (n == 12)


def test_transforms_of_one_element_are_exact():
    x = np.zeros(16)
    x[1] = 1.0
    found = ag.jit(transform)(x)
    np.testing.assert_array_equal(found[::4], [1, -1j, -1, 1j])


@pytest.mark.parametrize(
    "function",
    [
        lambda x: np.fft.fft(x, norm="ortho"),
        lambda x: np.fft.fft(x, 16),
        lambda x: np.fft.fft(np.stack((x, x))),
        lambda x: np.fft.fft(np.stack((x, x)), axis=0),
        lambda x: np.fft.irfft(x),
        lambda x: np.fft.fft(x[x.real > -9]),
    ],
)
def test_other_transforms_ask_the_host(function):
    x = np.arange(8.0) - 2
    np.testing.assert_allclose(ag.jit(function)(x), function(x), 1e-14, 1e-14)
    assert asks_the_host(function, x)


def repeatedly(x, n):
    for _ in range(n):
        x = np.fft.ifft(1.5 * np.fft.fft(x))
    return x


def test_transforms_in_loops():
    x = np.arange(32.0) + 0j
    np.testing.assert_allclose(ag.jit(repeatedly)(x, 3), repeatedly(x, 3), 1e-13, 1e-13)
    np.testing.assert_array_equal(x, np.arange(32.0))
