"""Products of a matrix with its own transposition: half of them is computed."""

from __future__ import annotations

import numpy as np
import pytest

import agir as ag
from agir.backends.cpu.sweeps import triangles


def rows(a):
    return a @ a.T


def columns(a):
    return a.T @ a


def covariance(a):
    return np.cov(a)


def sums(a):
    return np.einsum("ik,jk->ij", a, a) / 3 + 1


@pytest.fixture
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let small matrices be worth while."""
    for name, value in {"_BLOCK": 8, "_FEWEST": 10, "_LEAST": 0}.items():
        monkeypatch.setattr(triangles, name, value)


def loops(function, *arguments):
    return str(ag.jit(function).experimental_get_compiler_ir(*arguments)("loops"))


@pytest.mark.usefixtures("small_blocks")
@pytest.mark.parametrize("function", [rows, columns, covariance, sums])
@pytest.mark.parametrize("shape", [(16, 5), (17, 9), (10, 2), (24, 30), (31, 12)])
@pytest.mark.parametrize("kind", ["f4", "f8"])
def test_products(function, shape, kind):
    a = (np.random.default_rng(0).random(shape) - 0.5).astype(kind)
    a = a.T.copy() if function is columns else a
    found = ag.jit(function)(a)
    close = {"rtol": 1e-5, "atol": 1e-6} if kind == "f4" else {"rtol": 1e-12, "atol": 1e-14}
    np.testing.assert_allclose(found, function(a), **close)
    np.testing.assert_array_equal(found, found.T)


@pytest.mark.usefixtures("small_blocks")
def test_values_that_are_no_numbers():
    a = np.random.default_rng(1).random((20, 6))
    a[3, 2], a[11, 0], a[17, 5] = np.nan, np.inf, -np.inf
    with np.errstate(invalid="ignore"):
        np.testing.assert_allclose(ag.jit(rows)(a), rows(a))


@pytest.mark.usefixtures("small_blocks")
def test_a_sum_that_begins_with_another_matrix_is_not_symmetric():
    def f(a, c):
        c += a @ a.T
        return c @ c.T + c

    generator = np.random.default_rng(2)
    a, c = generator.random((20, 7)), generator.random((20, 20))
    np.testing.assert_allclose(ag.jit(f)(a, c.copy()), f(a, c.copy()))


def test_when_it_is_worth_while():
    large, other = np.ones((256, 300)), np.ones((256, 300))
    whole = loops(lambda a, b: a @ b.T, large, other)
    assert loops(rows, large).count("scf.for") > whole.count("scf.for")
    assert "memref.subview" not in loops(rows, np.ones((64, 300)))
