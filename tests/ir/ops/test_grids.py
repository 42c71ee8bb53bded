"""linspace, meshgrid, triangles, distinct elements, neighbours of floats, running totals, diff."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from agir.ir.table import TABLE
from agir.ir.tensors.dispatch import call


@pytest.mark.parametrize("dtype", ["int32", "float64", "complex128"])
def test_linspace(compare: Any, dtype: str) -> None:
    x = np.array([1, -4], dtype)

    def function(x: Any) -> list[Any]:
        return [
            np.linspace(x[0], x[1], 5), np.linspace(x[0], 7, 4, endpoint=False),
            np.linspace(x, x + 1, 3, axis=-1), np.linspace(0, x, 1), np.linspace(x[0], 2, 0),
            *np.linspace(x[0], 3, 5, retstep=True),
        ]  # fmt: skip

    compare(function, x, expected=function, rtol=1e-6)
    single = np.ones(2, np.float32)
    assert call("numpy_linspace", single, single, 3).dtype.name == "float32"
    assert call("numpy_linspace", 1, 5, 3, True, False, "int16").dtype.name == "int16"
    with pytest.raises(ValueError, match="below 0"):
        call("numpy_linspace", 0, 1, -1)


def test_grids(compare: Any) -> None:
    def function(x: Any, y: Any) -> list[Any]:
        return [
            *np.meshgrid(x, y), *np.meshgrid(x, y, indexing="ij"), *np.meshgrid(y, x, y),
            *np.meshgrid(x), *np.meshgrid(x, y, sparse=True), *np.meshgrid(x[0], y),
        ]  # fmt: skip

    arguments = np.arange(3.0), np.array([4, 5, 6, 7], "i2")
    compare(function, *arguments, expected=function)
    compare(function, *arguments, dynamic=True, more=[[np.ones(1), np.arange(2, dtype="i2")]])


@pytest.mark.parametrize("k", [-2, 0, 1, 9])
def test_triangles(compare: Any, k: int) -> None:
    def function(x: Any) -> list[Any]:
        return [np.tril(x, k), np.triu(x, k), np.tril(x[0]), np.triu(x[0, 0])]

    compare(function, np.arange(24.0).reshape(2, 3, 4), expected=function)
    compare(function, np.ones((1, 5, 2), bool), dynamic=True, expected=function)


VALUES = {
    "bool": [True, False, True],
    "int8": [3, -1, 3, 7, -1],
    "uint64": [2**64 - 1, 0, 2**64 - 1],
    "float64": [2.5, np.nan, -0.0, 0.0, np.inf, np.nan, -np.inf, 2.5],
    "complex128": [1 + 2j, -0.0 + 1j, 1 + 1j, 0.0 + 1j, complex(1, np.nan), 1 + 2j],
}


@pytest.mark.parametrize("dtype", VALUES)
@pytest.mark.parametrize("dynamic", [False, True])
def test_distinct(compare: Any, dtype: str, dynamic: bool) -> None:
    def function(x: Any) -> list[Any]:
        return [*np.unique_all(x), *np.unique_counts(x), *np.unique_inverse(x), np.unique_values(x)]

    x = np.array(VALUES[dtype], dtype)

    def expected(x: Any) -> list[Any]:
        *others, values = function(x)
        return [*others, np.sort(values)]  # whose order NumPy leaves open

    # NumPy orders complex numbers with NaN in its own way
    reference = None if dtype == "complex128" else expected
    compare(function, x, dynamic=dynamic, expected=reference,
            more=[[x[:1]], [x[:0]]] if dynamic else ())  # fmt: skip
    assert len(call("unique_values", x).numpy()) == len(np.unique(x, equal_nan=False))
    if not dynamic:
        compare(function, x[: len(x) // 2 * 2].reshape(2, -1))
        compare(function, x[0])


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_neighbours_and_signs(compare: Any, dtype: str) -> None:
    x = np.array([0.0, -0.0, 1.0, -1.0, 5.9e-8, np.inf, -np.inf, np.nan, 2.0, 3.0], dtype)
    y = np.array([1.0, -1.0, 2.0, -2.0, 0.0, 1.0, 0.0, 1.0, np.nan, 3.0], dtype)

    def function(x: Any, y: Any) -> list[Any]:
        return [np.nextafter(x, y), np.nextafter(y, x), np.signbit(x), np.nextafter(x[0], 1)]

    compare(function, x, y, expected=function, zeros=True)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("dtype", ["bool", "int16", "uint8", "float32", "float64"])
def test_signs_and_logarithms(compare: Any, dtype: str) -> None:
    x, y = np.array([0, 1, 3, 100], dtype), np.array([[2], [0]], dtype)

    def function(x: Any, y: Any) -> list[Any]:
        return [np.signbit(x), np.logaddexp(x, y)]

    compare(function, x, y, expected=None if dtype == "bool" else function, rtol=2e-3)
    if dtype == "float64":
        far = np.array([np.inf, -np.inf, np.nan, 700.0, -700.0, 1e308])
        compare(lambda x, y: [np.logaddexp(x, y)], far, far[:, None],
                expected=lambda x, y: [np.logaddexp(x, y)])  # fmt: skip


def test_running_totals_and_differences(compare: Any) -> None:
    def function(x: Any) -> list[Any]:
        sums, products = TABLE["cumulative_sum"], TABLE["cumulative_prod"]
        return [
            sums(x, axis=0), sums(x, axis=1, include_initial=True), products(x, axis=-1),
            products(x[0], include_initial=True), sums(x[0], dtype="f4"),
            np.diff(x, prepend=7), np.diff(x, axis=0, append=x), np.diff(x, n=0),
            np.diff(x, n=2, prepend=x[:, :1], append=0),
        ]  # fmt: skip

    def expected(x: Any) -> list[Any]:
        sums, products = np.cumulative_sum, np.cumulative_prod
        return [
            sums(x, axis=0), sums(x, axis=1, include_initial=True), products(x, axis=-1),
            products(x[0], include_initial=True), sums(x[0], dtype="f4"),
            np.diff(x, prepend=7), np.diff(x, axis=0, append=x), np.diff(x, n=0),
            np.diff(x, n=2, prepend=x[:, :1], append=0),
        ]  # fmt: skip

    x = np.array([[1, 2, 3], [4, -5, 6]], "i4")
    there = hasattr(np, "cumulative_sum")
    compare(function, x, expected=expected if there else None)
    compare(function, x, dynamic=True, more=[[x[:1]], [x[:, :1]]])
    with pytest.raises(ValueError, match="give the axis"):
        call("cumulative_sum", x)
    with pytest.raises(ValueError, match="n is 0 or more"):
        call("diff", x, -1)


def test_diagonals_that_are_nowhere(compare: Any) -> None:
    eye = TABLE["eye"]
    compare(lambda x: [eye(2, 3, k=2**70), eye(2, 3, k=-(2**70)), eye(0, k=2**63), x], np.ones(1))


def test_the_outer_product_adds_nothing(compare: Any) -> None:
    x, y = np.array([0.0, -1.0, 2.0]), np.array([-1.0, 0.0])
    compare(lambda x, y: [np.outer(x, y), np.outer(x > 0, y < 0)], x, y, zeros=True,
            expected=lambda x, y: [np.outer(x, y), np.outer(x > 0, y < 0)])  # fmt: skip


def test_a_scalar_has_no_places() -> None:
    with pytest.raises(ValueError, match="which has no axes"):
        call("numpy_nonzero", np.float64(1.0))
    with pytest.raises(ValueError, match="not a scalar"):
        call("tril", np.float64(1.0))


def test_masks_without_elements(compare: Any) -> None:
    def function(x: Any) -> list[Any]:
        none, rows, columns = np.zeros((0, 0), bool), np.zeros(0, bool), np.zeros((2, 0), bool)
        return [x[none], x[rows], x[columns]]

    compare(function, np.arange(6.0).reshape(2, 3), expected=function)


PARTS = [0.0, -0.0, 1.0, -1.0, 0.5, np.inf, -np.inf, np.nan]
SPECIAL = np.array([complex(a, b) for a in PARTS for b in PARTS])


@pytest.mark.parametrize(
    "name", ["arccos", "arccosh", "arcsin", "arcsinh", "arctanh", "exp", "sign"]
)
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_complex_functions_at_special_values(record: Any, name: str) -> None:
    function = getattr(np, name)
    recorded = record(lambda z: [function(z)], ("c16", SPECIAL.shape))
    wanted = function(SPECIAL)
    for run in (recorded.compiled, recorded.interpreted):
        (found,) = run(SPECIAL)
        for part in ("real", "imag"):
            got, true = getattr(found, part), getattr(wanted, part)
            same = (np.isnan(got) & np.isnan(true)) | np.isclose(got, true, rtol=1e-12, atol=0)
            # C leaves open the sign of an infinity beside a NaN, and of a zero
            other = getattr(wanted, "imag" if part == "real" else "real")
            same |= np.isinf(got) & np.isinf(true) & np.isnan(other)
            assert same.all(), (part, SPECIAL[~same], found[~same], wanted[~same])
