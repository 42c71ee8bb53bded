"""Cotangents of slices, which are gathered: against differences, interpreted and compiled."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import hypothesis
import hypothesis.strategies as st
import numpy as np
import pytest

import agir as ag
from agir.ir.gradients.core.slices import Box

from .checks import check

ROW = np.sin(np.arange(11.0) * 1.7) + 0.2
FIELD = np.sin(np.arange(42.0) * 0.7).reshape(6, 7)


def linear(u: Any, n: Any) -> Any:
    for _ in ag.range(n):
        u[1:-1] = u[1:-1] + 0.1 * (u[2:] - 2.0 * u[1:-1] + u[:-2])
    return u


def product(u: Any, n: Any) -> Any:
    for _ in ag.range(n):
        u[1:-1] = u[1:-1] - 0.3 * u[1:-1] * (u[2:] - u[:-2])
    return u


def far(u: Any, n: Any) -> Any:
    for _ in ag.range(n):
        u[3:-2] = u[:-5] * u[5:] + ag.sin(u[2:-3]) + u[3:-2] * 0.5
    return u


def halves(u: Any, n: Any) -> Any:
    for _ in ag.range(n):
        u[:5] = u[:5] * u[6:] + u[5]
        u[6:] = ag.cos(u[:5]) - u[6:]
    return u


def overwritten(u: Any, n: Any) -> Any:
    v = u[1:] * u[:-1]
    u[2:-2] = 0.5
    u[4:6] = v[:2] * u[:2]
    return v[1:] * u[:-2] * n


def functional(u: Any, n: Any) -> Any:
    for _ in ag.range(n):
        u = ag.concat([u[:1], u[1:-1] + 0.2 * u[2:] * u[:-2], u[-1:]], 0)
    return u


def chosen(u: Any, n: Any) -> Any:
    for _ in ag.range(n):
        left, right = u[:-2], u[2:]
        u[1:-1] = ag.where(left > right, left * u[1:-1], right)
    return u


def five_points(a: Any, n: Any) -> Any:
    for _ in ag.range(n):
        inner = a[1:-1, 1:-1]
        around = a[:-2, 1:-1] + a[2:, 1:-1] + a[1:-1, :-2] * inner + a[1:-1, 2:]
        a[1:-1, 1:-1] = inner + 0.1 * around
    return a


def two_fields(a: Any, n: Any) -> Any:
    b = a * 0.5
    for _ in ag.range(n):
        b[:, 1:] = b[:, 1:] - 0.5 * (a[:, 1:] - a[:, :-1]) * a[:, 1:]
        a[1:, :] = a[1:, :] + b[1:, :] * b[:-1, :]
    return a, b


ROWS = [linear, product, far, halves, overwritten, functional, chosen]


@pytest.mark.parametrize("jit_compile", [False, True])
@pytest.mark.parametrize("f", ROWS)
def test_stencils_of_rows(f, jit_compile):
    check(f, ROW, np.int64(3), jit_compile=jit_compile)


@pytest.mark.parametrize("jit_compile", [False, True])
@pytest.mark.parametrize("f", [five_points, two_fields])
def test_stencils_of_fields(f, jit_compile):
    check(f, FIELD, np.int64(2), jit_compile=jit_compile)


@pytest.mark.parametrize("n", [0, 1])
def test_few_iterations(n):
    check(product, ROW, np.int64(n), jit_compile=True)


def test_second_derivatives():
    def slope(u: Any) -> Any:
        return ag.grad(lambda v: ag.reduce_sum(product(v * 1.0, 2) ** 2))(u)

    check(slope, ROW, jit_compile=True, tolerance=1e-4)


def test_a_stencil_backwards_takes_two_passes(lowered_gradient: Callable[..., str]):
    text = lowered_gradient(product, np.zeros(1000), np.int64(3))
    forwards, backwards = re.findall(r"scf\.for .*?\n(.*?)\n    }", text, flags=re.DOTALL)
    assert forwards.count("linalg.generic") == 1
    assert forwards.count("memref.copy") == 1  # what is kept of the iteration
    assert "memref.copy" not in backwards
    assert "memref.alloc" not in forwards + backwards
    sizes = re.findall(r"linalg.generic.*outs\(.*?memref<(\d+)xf64", backwards)
    assert sorted(map(int, sizes)) == [1, 1, 2, 2, 996, 998]


@pytest.fixture
def lowered_gradient() -> Callable[..., str]:
    def lowered(f: Callable[..., Any], *args: Any) -> str:
        found = ag.grad(lambda u, n: ag.reduce_sum(f(u, n)))
        return str(found.get_concrete_function(*args).compilation.text("bufferized"))

    return lowered


bounds = st.lists(st.integers(0, 8), min_size=2, max_size=2, unique=True).map(sorted)


@hypothesis.given(st.lists(st.tuples(bounds, bounds), min_size=1, max_size=4), st.booleans())
@hypothesis.settings(max_examples=25)
def test_any_slices(parts, writes):
    """The sum of squares of slices, of which the first one may be written to before."""

    def f(x: Any) -> Any:
        x = x * 1.0
        if writes:
            (a, b), (c, d) = parts[0]
            x[a:b, c:d] = ag.sin(x[a:b, c:d]) * x[0, 0]
        return ag.add_n([ag.reduce_sum(x[a:b, c:d] ** 2) for (a, b), (c, d) in parts])

    x = np.cos(np.arange(64.0)).reshape(8, 8)
    found = ag.grad(ag.function(f))(x).numpy()
    expected = np.zeros_like(x)
    y = x.copy()
    if writes:
        (a, b), (c, d) = parts[0]
        y[a:b, c:d] = np.sin(x[a:b, c:d]) * x[0, 0]
    for (a, b), (c, d) in parts:
        expected[a:b, c:d] += 2 * y[a:b, c:d]
    if writes:
        (a, b), (c, d) = parts[0]
        part = expected[a:b, c:d].copy()
        expected[a:b, c:d] = part * np.cos(x[a:b, c:d]) * x[0, 0]
        expected[0, 0] += np.sum(part * np.sin(x[a:b, c:d]))
    np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-12)


@hypothesis.given(st.tuples(bounds, bounds), st.tuples(bounds, bounds))
def test_what_is_left_of_a_box_is_the_rest_once(whole, inner):
    outer = Box(*zip(*whole, strict=True))
    middle = Box(*zip(*inner, strict=True)).meet(outer)
    hypothesis.assume(middle.elements > 0)
    seen = np.zeros((9, 9), int)
    for box in (middle, *outer.without(middle)):
        seen[tuple(slice(b, e) for b, e in zip(box.begin, box.end, strict=True))] += 1
    expected = np.zeros((9, 9), int)
    expected[tuple(slice(b, e) for b, e in whole)] = 1
    np.testing.assert_array_equal(seen, expected)
