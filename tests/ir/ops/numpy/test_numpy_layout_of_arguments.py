"""Views and copies of arguments that lie in memory in other orders, and of one of several arrays."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import agir as ag

LAYOUTS: list[Callable[[Any], Any]] = [
    lambda x: x,
    np.asfortranarray,
    lambda x: np.repeat(x, 2, 1)[:, ::2],
    lambda x: x[:, ::-1].copy()[:, ::-1],
]


def reshaped(a: Any, b: Any, n: int) -> Any:
    v = a.reshape(-1)
    v[0] = 9.0
    return v


def transposed(a: Any, b: Any, n: int) -> Any:
    v = a.T.reshape(-1)
    v[1] = 9.0
    return v


def in_columns(a: Any, b: Any, n: int) -> Any:
    w = np.asfortranarray(a)
    w[0, 0] = 8.0
    return w


def one_of_two(a: Any, b: Any, n: int) -> Any:
    w = a if n > 2 else b
    v = w.reshape(-1)
    v[0] = 7.0
    return v


def part_of_one(a: Any, b: Any, n: int) -> Any:
    w = a if n > 2 else b
    v = w[:, 1:]
    v[0, 0] = 7.0
    u = w[..., 0, 0]
    u += 5.0
    return v


@pytest.mark.parametrize("signature", [None, 2])
@pytest.mark.parametrize("function", [reshaped, transposed, in_columns, one_of_two, part_of_one])
def test_what_is_written_goes_where_numpy_puts_it(function: Any, signature: int | None) -> None:
    specs = [ag.TensorSpec([None, None], np.float64)] * 2 + [ag.TensorSpec([], np.int64)]
    for arrange in LAYOUTS:
        compiled = ag.jit(function, input_signature=specs if signature else None)
        for shape in ((2, 3), (3, 2), (1, 2), (2, 3)):
            for n in (1, 3):
                plain, given = (
                    [arrange(np.arange(6.0 + k)[k:].repeat(2)[: shape[0] * shape[1]].reshape(shape))
                     for k in (0, 1)]
                    for _ in range(2)
                )  # fmt: skip
                np.testing.assert_array_equal(compiled(*given, n), function(*plain, n))
                np.testing.assert_array_equal(given, plain)


def test_arrays_that_share_memory_and_lie_in_columns() -> None:
    def f(x: Any, y: Any) -> Any:
        z = x.reshape(-1)
        z[0] += 1
        x += y
        return z

    plain, given = (np.arange(9.0).reshape(3, 3) for _ in range(2))
    compiled = ag.jit(f)
    for one, other in ((plain.T, plain), (plain, plain.T), (plain.T, plain)):
        mine = given if one is plain else given.T
        theirs = given if other is plain else given.T
        np.testing.assert_array_equal(compiled(mine, theirs), f(one, other))
        np.testing.assert_array_equal(given, plain)


def test_one_of_several_arrays_in_different_orders() -> None:
    decorated = ag.jit(one_of_two)
    for n in (1, 3, 1):
        plain, given = ([np.ones((2, 3)), np.ones((3, 2)).T] for _ in range(2))
        np.testing.assert_array_equal(decorated(*given, n), one_of_two(*plain, n))
        for left, right in zip(given, plain, strict=True):
            np.testing.assert_array_equal(left, right)


def in_order_of_memory(a: Any) -> Any:
    return (a + 1).ravel(order="K")


def of_transposed(a: Any) -> Any:
    return (a.T + 1).ravel(order="K"), np.sin(a.T).reshape(-1, order="A")


def by_any_order(a: Any) -> Any:
    return (a * 2).flatten("A"), (a[::-1] * 2).flatten("A")


def of_two_orders(a: Any) -> Any:
    return (a + a.T).ravel(order="K"), (a.T + a.T).ravel(order="K"), (a + a[:1]).ravel(order="K")


def of_broadcast_columns(a: Any) -> Any:
    return (a + a[:, :1]).ravel(order="K"), (a.T[:, :1] * np.ones(3)).ravel(order="K")


def converted(a: Any) -> Any:
    return a.astype("f4").ravel(order="K"), a.copy("K").ravel(order="K")


def selected(a: Any) -> Any:
    return np.where(a > 3, a, 0).ravel(order="K"), np.where(a.T > 3, 1.0, 2.0).ravel(order="K")


def like(a: Any) -> Any:
    zeros = np.zeros_like(a + 1)
    zeros[0, 1] = 3
    return zeros.ravel(order="K")


def columns_written(a: Any) -> Any:
    b = a + 1
    v = b.reshape(-1, order="F")
    v[1] = 100
    return b


def copy_written(a: Any) -> Any:
    b = a.T + 1
    v = b.reshape(-1)
    v[1] = 100
    return b, v


def view_written(a: Any) -> Any:
    b = a.T + 1
    v = b.ravel(order="K")
    v[1] = 100
    return b, v


def original_written(a: Any) -> Any:
    b = np.abs(a) * 2
    v = b.reshape(-1)
    b[0, 1] = 100
    return b, v


def written_in_a_loop(a: Any) -> Any:
    out = np.zeros(9)
    for i in range(2):
        b = a - i
        v = b.reshape(-1)
        v[1] = 50
        out += b.ravel()
    return out


def through_a_part(a: Any) -> Any:
    v = (a + 1)[:, ::1].reshape(-1)
    v[0] = 5
    return v, (a + 1)[::-1].T.ravel(order="K")


ELEMENTWISE = [in_order_of_memory, of_transposed, by_any_order, of_two_orders, of_broadcast_columns,
               converted, selected, like, columns_written, copy_written, view_written,
               original_written, written_in_a_loop, through_a_part]  # fmt: skip


@pytest.mark.parametrize("open_sizes", [False, True])
@pytest.mark.parametrize("function", ELEMENTWISE, ids=lambda f: f.__name__)
def test_what_is_computed_elementwise_lies_as_its_operands(function: Any, open_sizes: bool) -> None:
    spec = {"input_signature": [ag.TensorSpec([None, None], np.float64)]} if open_sizes else {}
    compiled = ag.jit(function, jit_compile=False, **spec)
    for arrange in (*LAYOUTS, lambda x: x[::-1], lambda x: x.T[:, ::-1]):
        array = arrange(np.arange(9.0).reshape(3, 3))
        try:
            found = compiled(array)
        except ag.errors.StagingError:
            assert open_sizes
            continue
        wanted = function(array)
        for got, each in zip(
            *(r if type(r) is tuple else (r,) for r in (found, wanted)), strict=True
        ):
            np.testing.assert_array_equal(got, each)


@pytest.mark.parametrize("count", [1, 2, 3])
def test_orders_of_more_dimensions(count: int) -> None:
    def f(*arrays: Any) -> Any:
        made = arrays[0] * 1
        for each in arrays[1:]:
            made = made + each
        return made.ravel(order="K"), np.broadcast_arrays(made, made[:1])[1].ravel(order="K")

    rng = np.random.default_rng(3)
    for _ in range(12):
        arrays = []
        for _ in range(count):
            axes = rng.permutation(3)
            array = np.arange(24.0).reshape(np.array([2, 3, 4])[axes]).transpose(np.argsort(axes))
            arrays.append(array[:, ::-1] if rng.random() < 0.3 else array)
            if rng.random() < 0.3:
                arrays[-1] = arrays[-1][:, :1] if rng.random() < 0.5 else arrays[-1][0]
        wanted = f(*arrays)
        for got, each in zip(
            ag.jit(lambda *v: f(*v), jit_compile=False)(*arrays), wanted, strict=True
        ):
            np.testing.assert_array_equal(got, each)
