"""Blocks of a large program that are alike but for sizes and positions: one loop, or one function."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

import agir as ag

EVEN = (*range(24, 36),)
UNEVEN = dict.fromkeys((20, 23, 27, 30, 34, 37, 41, 44, 48, 51, 55, 59))  # over which loops unroll
Program = Callable[..., Any]


def arrays(*shapes: tuple[int, ...]) -> list[np.ndarray[Any, Any]]:
    random = np.random.default_rng(1)
    return [random.normal(size=shape) / 6 for shape in shapes]


def optimized(function: Program, *arguments: Any) -> str:
    concrete = ag.jit(function).get_concrete_function(*arguments)
    return str(concrete.compilation.text("optimized_hlo"))


def functions(text: str) -> list[str]:
    return re.findall(r"func\.func private @(agir\.kernel_\w+)", text)


def calls(text: str) -> list[str]:
    return re.findall(r"call @(agir\.kernel_\w+)", text)


def assert_right(function: Program, *arguments: Any, rtol: float = 1e-10) -> None:
    copies, ours = ([np.copy(each) for each in arguments] for _ in range(2))
    wanted, got = function(*copies), ag.jit(function)(*ours)
    wanted, got = (each if isinstance(each, tuple) else (each,) for each in (wanted, got))
    for one, right in zip([*got, *ours], [*wanted, *copies], strict=True):
        assert np.asarray(one).dtype == np.asarray(right).dtype
        np.testing.assert_allclose(one, right, rtol=rtol, atol=1e-12)


def block(x: Any, w: Any) -> Any:
    b = np.tanh(x + w)
    c = b * x
    return (np.exp(c) - c.sum() * 1e-3) @ w + x


def of_even_sizes(x: Any, w: Any) -> Any:
    total = 0.0
    for n in EVEN:
        total = total + block(x[:n, :n], w[:n, :n])[0, 0]
    return total


def of_shrinking_sizes(x: Any, w: Any) -> Any:
    total = 0.0
    for n in EVEN[::-1]:
        total = total + block(x[:n, :n], w[:n, n:] @ w[:n, n:].T)[n - 1, 3]
    return total


def of_uneven_sizes(x: Any, w: Any) -> Any:
    total = 0.0
    for n in UNEVEN:
        total = total + block(x[:n, :n], w[:n, :n]).sum()
    return total


def with_kept_arrays(x: Any, w: Any) -> Any:
    kept = []
    for n in UNEVEN:
        kept.append(np.tanh(x[:n, :n] @ w[:n, : n - 1]))
    return (*kept, sum([(each * 2).sum() for each in kept]))


def each_going_on_from_the_last(x: Any, w: Any) -> Any:
    for n in EVEN[::-1]:
        x = np.tanh(x[:n, :n] @ w[:n, :n])
    return x, x.max()


def with_views_as_results(x: Any, w: Any) -> Any:
    kept = []
    for n in EVEN:
        kept.append((x[:n, :n] @ w[:n, :n]).T[::-1])
    return tuple(kept)


def of_integers(x: Any, w: Any) -> Any:
    n, total = (x * 60).astype(np.int64), 0
    for k in EVEN:
        y = (n[:k, :k] @ n[:k, :k]) % 11
        total = total + y.sum() + y[k - 1, k - 1]
    return total


def of_complex_numbers(x: Any, w: Any) -> Any:
    z, total = x + 1j * w, 0j
    for n in EVEN:
        total = total + (np.exp(z[:n, :n] @ z[:n, :n] * 0.01) * 2j).sum()
    return total


def of_float32(x: Any, w: Any) -> Any:
    a, b, total = x.astype(np.float32), w.astype(np.float32), np.float32(0)
    for n in EVEN:
        total = total + (a[:n, :n] @ b[:n, :n]).max()
    return total


def of_short_sizes(x: Any, w: Any) -> Any:
    total = 0.0
    for n in (*range(1, 25),):
        total = total + (x[:n, :n] @ w[:n, :n]).max()
    return total


def with_loops(x: Any, w: Any) -> Any:
    total = 0.0
    for n in EVEN:
        y = np.zeros(n)
        for i in range(n):
            y[i] = x[i, :n].sum() * 0.5
        total = total + (y @ w[:n, :n]).sum()
    return total


def with_branches(x: Any, w: Any) -> Any:
    total = 0.0
    for n in EVEN:
        y = x[:n, :n] @ w[:n, :n]
        y = y * 2 + np.ones((n, n)) if y[0, 0] > 0 else y - 1
        total = total + y.sum()
    return total


def with_borders(x: Any, w: Any) -> Any:
    total = 0.0
    for n in EVEN:
        y = np.zeros((n, n))
        y[1:-1, 1:-1] = x[: n - 2, : n - 2] @ w[: n - 2, : n - 2]
        total = total + (y * np.ones((n, 1))).sum() + y[n // 2, 3]
    return total


def with_shapes(x: Any, w: Any) -> Any:
    total = 0.0
    for n in (*range(36, 60, 2),):
        y = x[:n, :n] @ w[:n, :n]
        z = y.reshape(n // 2, 2 * n).reshape(-1)[::3].sum() + y.T.ravel()[5]
        total = total + z + np.concatenate([y, y], axis=1).mean() + np.pad(y, 1).max()
    return total


def with_equal_sums_and_products(x: Any, w: Any) -> Any:
    total, row = 0.0, x.ravel()[:720]
    for n in (18, 20, 24, 30, 36, 40) * 2:
        y = row.reshape(n, 720 // n)
        z = np.concatenate([x[:n, :9] @ w[:9, :9], w[n:, :9]]) * x[:, :9]
        total = total + (y @ y.T).reshape(-1).mean() + z.sum() + (y.T * 2).reshape(720)[7]
    return total


def with_equal_products(x: Any, w: Any) -> Any:
    total, row = 0.0, x.ravel()[:2880]
    for n in (18, 20, 24, 30, 32, 36, 40, 45, 48, 60, 72, 80, 90, 96):
        y = row.reshape(n, 2880 // n)
        total = total + (y @ y.T).mean() + (y * 2).T.reshape(2880)[7]
    return total


def with_equal_sums(x: Any, w: Any) -> Any:
    total = 0.0
    for n in UNEVEN:
        z = np.concatenate([x[:n, :n] @ w[:n, :9], w[n:, :9]]) * x[:, :9]
        total = total + z.sum() + z[n - 1, 3]
    return total


def with_empty_arrays(x: Any, w: Any) -> Any:
    kept = []
    for n in UNEVEN:
        kept.append(np.concatenate([x[:0, :n] * (w[0, :n] @ w[:n, :n]), w[:n, :n] @ x[:n, :n]]))
        kept.append(x[:0, :n] @ w[:n, :n])
    return tuple(kept)


def with_masks(x: Any, w: Any) -> Any:
    total = 0.0
    for n in EVEN:
        y = x[:n, :n] @ w[:n, :n]
        total = total + np.where(y > 0, y, 0.0).sum() + y[y > 0.3].sum() + np.arange(n) @ y[0]
    return total


def with_rows(x: Any, w: Any) -> Any:
    total = 0.0
    for n in EVEN:
        y = x[:n, :n] @ w[:n, :n]
        y = np.exp(y - y.max(axis=1, keepdims=True))
        total = total + (y / y.sum(axis=1, keepdims=True) @ w[:n, :n]).std()
    return total


def along_axes(x: Any, w: Any) -> Any:
    total = 0.0
    for n in EVEN:
        y = x[:n, :n] @ w[:n, :n]
        total = total + np.roll(y, 1, axis=0)[1, 2] + np.cumsum(y, axis=1)[-1, -1]
        total = total + np.sort(y, axis=1)[0, 0] + y.argmax() + np.diff(y)[0, 0]
    return total


PROGRAMS = (
    *(of_even_sizes, of_shrinking_sizes, of_uneven_sizes, with_kept_arrays),
    *(each_going_on_from_the_last, with_views_as_results, of_integers, of_complex_numbers),
    *(of_short_sizes, with_loops, with_branches, with_borders, with_shapes, with_masks),
    *(
        with_rows,
        along_axes,
        with_empty_arrays,
        with_equal_sums,
        with_equal_products,
        with_equal_sums_and_products,
    ),
)


@pytest.mark.parametrize("program", PROGRAMS)
def test_results(program: Program) -> None:
    assert_right(program, *arrays((60, 60), (60, 60)))


def test_float32() -> None:
    assert_right(of_float32, *arrays((60, 60), (60, 60)), rtol=1e-5)


@pytest.mark.parametrize("program", [of_even_sizes, of_uneven_sizes])
def test_not_a_number(program: Program) -> None:
    x, w = arrays((60, 60), (60, 60))
    x[40, 3], w[0, 22] = np.inf, np.nan
    assert_right(program, x, w)


def test_arguments_that_lie_in_memory_otherwise() -> None:
    x, w = arrays((120, 60), (60, 60))
    y = w.T
    np.testing.assert_allclose(
        ag.jit(of_uneven_sizes)(x[::2], y), of_uneven_sizes(x[::2], y), rtol=1e-10
    )


def test_even_sizes_are_a_loop() -> None:
    text = optimized(of_even_sizes, *arrays((60, 60), (60, 60)))
    assert text.count("scf.for") == text.count("linalg.contract") == 1
    assert "tensor<?x?xf64>" in text
    assert not functions(text)


@pytest.mark.parametrize("program", [of_uneven_sizes, with_kept_arrays])
def test_other_sizes_are_one_function(program: Program) -> None:
    text = optimized(program, *arrays((60, 60), (60, 60)))
    assert len(functions(text)) == 1
    assert len(calls(text)) == len(UNEVEN)
    assert text.count("linalg.contract") == 1


def test_functions_are_called_what_they_compute() -> None:
    (name,) = functions(optimized(of_uneven_sizes, *arrays((60, 60), (60, 60))))
    assert re.fullmatch(r"agir\.kernel_addf_tanh_mulf_exp_[0-9a-f]{16}", name)


def test_a_few_blocks_of_their_own_sizes_are_compiled_for_them() -> None:
    def few(x: Any, w: Any) -> Any:
        total = 0.0
        for n in list(UNEVEN)[:6]:
            total = total + block(x[:n, :n], w[:n, :n]).sum()
        return total

    text = optimized(few, *arrays((60, 60), (60, 60)))
    assert "?" not in text
    assert text.count("linalg.contract") == 6


def layers(x: Any, *weights: Any) -> Any:
    for w in weights:
        x = np.maximum(x @ w, 0) + 0.1
    return x


def test_layers_of_a_network() -> None:
    widths = [20, 25, 30, 35, 45, 40, 50, 33, 28, 21, 60, 55, 48, 19]
    weights = arrays(*pairwise(widths))
    (x,) = arrays((30, widths[0]))
    text = optimized(layers, x, *weights)
    assert len(functions(text)) == 1
    assert len(calls(text)) == len(weights)
    assert_right(layers, x, *weights)


def test_results_of_any_sizes_are_computed_into_arrays_of_the_caller() -> None:
    concrete = ag.jit(with_kept_arrays).get_concrete_function(*arrays((60, 60), (60, 60)))
    text = str(concrete.compilation.text("bufferized"))
    kernel = text[text.index("func.func private @agir.kernel") :]
    assert "memref.alloc" not in kernel
    assert "memref.copy" not in kernel


def with_own_weights(x: Any, w: Any) -> Any:
    for k in (*range(12),):
        x = np.tanh(x @ w[k] + x)
    return x


def in_place(x: Any, w: Any) -> Any:
    for k in (*range(12),):
        x[k * 5 : (k + 1) * 5] = np.tanh(x[k * 5 : (k + 1) * 5] @ w)
    return x.sum()


def of_a_matrix_in_blocks(x: Any, w: Any) -> Any:
    for k in (*range(0, 48, 4),):
        x[k + 4 :, k + 4 :] -= x[k + 4 :, k : k + 4] @ x[k : k + 4, k + 4 :] * 0.1
    return x


def of_moving_windows(x: Any, w: Any) -> Any:
    total = 0.0
    for k in (*range(12),):
        y = x[k : k + 20, 2 * k : 2 * k + 20] @ w[20:40, :20]
        total = total + y[k, 3] + y[0, k] + x[k + 1, k]
    return total


@pytest.mark.parametrize(
    ("program", "shape"),
    [
        (with_own_weights, (12, 60, 60)),
        (in_place, (60, 60)),
        (of_a_matrix_in_blocks, (60, 60)),
        (of_moving_windows, (60, 60)),
    ],
)
def test_blocks_at_other_positions_are_a_loop(program: Program, shape: tuple[int, ...]) -> None:
    x, w = arrays((60, 60), shape)
    text = optimized(program, x, w)
    assert "scf.for" in text
    assert text.count("linalg.contract") <= 4
    assert_right(program, x, w)


def test_blocks_begin_where_the_fewest_arrays_are_live() -> None:
    def program(x: Any, w: Any) -> Any:
        for _ in (None,) * 12:
            x = block(x, w)
        return x

    text = optimized(program, *arrays((60, 60), (60, 60)))
    assert text.count("linalg.contract") == text.count("math.tanh") == 1


@pytest.mark.parametrize("sizes", [EVEN, UNEVEN])
def test_gradients(sizes: tuple[int, ...]) -> None:
    def program(x: Any, w: Any) -> Any:
        with ag.GradientTape() as tape:
            tape.watch([x, w])
            total = 0.0
            for n in sizes:
                total = total + ag.reduce_sum(ag.tanh(x[:n, :n] @ w[:n, :n]) * x[:n, :n])
        return total, tape.gradient(total, [x, w])

    x, w = (ag.constant(each) for each in arrays((60, 60), (60, 60)))
    f = ag.function(program)
    total, (dx, dw) = f(x, w)
    right, (right_x, right_w) = ag.function(program, jit_compile=False)(x, w)
    np.testing.assert_allclose(total, right, rtol=1e-10)
    np.testing.assert_allclose(dx, right_x, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(dw, right_w, rtol=1e-9, atol=1e-12)
    text = str(f.get_concrete_function(x, w).compilation.text("optimized_hlo"))
    assert text.count("linalg.contract") <= 9


def test_errors_name_the_users_line() -> None:
    def checked(x: Any, k: Any) -> Any:
        total = 0.0
        for n in EVEN:
            y = x[:n, :n] @ x[:n, :n]
            total = total + y[k, 0]
        return total

    (x,) = arrays((60, 60))
    assert_right(checked, x, 3)
    with pytest.raises(IndexError, match="total = total \\+ y\\[k, 0\\]"):
        ag.jit(checked)(x, 30)
