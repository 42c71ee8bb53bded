"""Where NumPy refuses shapes that a broadcast would join, and the dtypes of a few results."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import agir as ag


def outcome(f: Any, *arguments: Any) -> Any:
    """The result, or the first of Python's own classes that the error is of."""
    given = [np.copy(a) if isinstance(a, np.ndarray) else a for a in arguments]
    try:
        return f(*given), given
    except Exception as error:
        return next(t for t in type(error).__mro__ if t.__module__ == "builtins")


def agree(f: Any, *arguments: Any, compiled: Any = None) -> None:
    wanted = outcome(f, *arguments)
    got = outcome(compiled or ag.jit(f, jit_compile=False), *arguments)
    if isinstance(wanted, type) or isinstance(got, type):
        assert got is wanted, (got, wanted)
        return
    for mine, theirs in ((got[0], wanted[0]), *zip(got[1], wanted[1], strict=True)):
        assert np.asarray(mine).dtype == np.asarray(theirs).dtype
        np.testing.assert_array_equal(mine, theirs)


PRODUCTS: list[Callable[..., Any]] = [
    lambda c, d, n: c[:n] @ c[:n],
    lambda c, d, n: c[:n].T @ c,
    lambda c, d, n: d[:n] @ d[:1],
    lambda c, d, n: np.dot(c, d[:n]),
    lambda c, d, n: np.tensordot(c, d[:n], 1),
    lambda c, d, n: np.inner(d[:n], d[:1]),
    lambda c, d, n: np.vdot(d[:n], d[:1]),
    lambda c, d, n: np.vecdot(d[:n], d[:1]),
    lambda c, d, n: np.vecdot(c, d),
    lambda c, d, n: np.tensordot(c, d, 1),
    lambda c, d, n: np.einsum("i,i->", d[:n], d[:1]),
]


@pytest.mark.parametrize("product", range(len(PRODUCTS)))
def test_products_repeat_no_element(product: int) -> None:
    function = PRODUCTS[product]

    def f(c: Any, d: Any, n: int) -> Any:
        return function(c, d, n)

    compiled = ag.jit(f)
    for n in (0, 1, 2, 3):
        agree(f, np.arange(3.0).reshape(3, 1), np.arange(4.0), n, compiled=compiled)


def grown(a: Any) -> None:
    a[1:] ^= a


def to_itself(a: Any) -> None:
    a[1:] *= a[:1]


@pytest.mark.parametrize("f", [grown, to_itself])
@pytest.mark.parametrize("shape", [(2, 0), (2, 1), (1, 3), (3, 2)])
def test_an_in_place_operator_grows_no_array(f: Any, shape: Any) -> None:
    agree(f, np.arange(np.prod(shape)).reshape(shape))


ELEMENTS: list[Callable[[Any], Any]] = [
    lambda b: b, lambda b: b[:1], lambda b: b[:1][None], lambda b: b[:0], lambda b: b[0],
    lambda b: b[:1].sum(), lambda b: b[1:2].reshape(()),
]  # fmt: skip


@pytest.mark.parametrize("dtype", ["int64", "uint8", "float32", "complex128", "bool"])
@pytest.mark.parametrize("value", range(len(ELEMENTS)))
def test_an_array_is_no_element(value: int, dtype: str) -> None:
    taken = ELEMENTS[value]

    def f(b: Any) -> None:
        b[2] = taken(b)

    agree(f, np.arange(1, 4).astype(dtype))


@pytest.mark.parametrize("dtype", ["uint8", "int8", "int32", "int64", "float16", "float32", "bool"])
def test_dtypes_of_results(dtype: str) -> None:
    x = np.arange(1, 4).astype(dtype)
    agree(lambda v: np.vdot(v, v), x)
    if dtype != "bool":
        agree(lambda v: round(v[0]), x)
        agree(lambda v: round(v[1] * v[1]) + v[0], x)


def test_what_logical_reductions_begin_with() -> None:
    def f(v: Any) -> Any:
        first = np.logical_and.reduce(np.isnan(v), initial=0.5, where=np.isnan(v) != 1)
        kept = np.logical_and.reduce(v, initial=0, keepdims=True)
        return np.stack([first, np.logical_or.reduce(v, initial=3), kept[0]])

    for x in ([1.0, np.nan], [], [0.0, 0.0, 0.0]):
        agree(f, np.array(x))
