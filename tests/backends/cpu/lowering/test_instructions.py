"""Elementary functions by instructions of AVX-512, and as they are where there are none."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import agir as ag
from agir.backends.cpu.code import host
from agir.backends.cpu.library import calls, instructions

from ..test_elementary_functions import BOUND, KINDS, SPECIAL, UNARY, program, sample, ulps

pytestmark = pytest.mark.skipif(not instructions.available(), reason="the processor has none")

TAKE_APART = (
    "acosh asinh atanh cbrt cosh erfc exp exp2 expm1 log log10 log1p log2 sinh tanh".split()
)


@pytest.fixture
def without(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(instructions, "vectors", lambda: host.AVX_2)
    calls._table.cache_clear()
    with ag.config.scope(cache=False):
        yield
    calls._table.cache_clear()


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", TAKE_APART)
def test_accuracy_without(run: Any, without: None, name: str, kind: str) -> None:
    function, low, high = UNARY[name]
    points = sample(kind, low, high, seed=3)
    (result,) = run(program(name, kind), points)
    assert ulps(result, function, points) <= BOUND


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", TAKE_APART)
def test_special_values_without(run: Any, without: None, name: str, kind: str) -> None:
    given, expected = np.array([*SPECIAL[name], (np.nan, np.nan)]).T.astype(KINDS[kind])
    (result,) = run(program(name, kind), np.tile(given, 7))
    for got in result.reshape(7, -1):
        np.testing.assert_array_equal(got, expected)


def test_powers_without(run: Any, without: None) -> None:
    edges = [0.0, -0.0, 1.0, -1.0, 0.5, -2.0, 3.0, np.inf, -np.inf, np.nan]
    x, y = (a.ravel() for a in np.meshgrid(edges, edges))
    for kind, dtype in KINDS.items():
        (result,) = run(program("powf", kind, 2), x.astype(dtype), y.astype(dtype))
        with np.errstate(all="ignore"):
            np.testing.assert_allclose(result, np.power(x, y).astype(dtype), rtol=1e-6)


def test_what_a_loop_is_made_of(lower: Any, without: None) -> None:
    assert "getexp" not in lower(program("log", "f32"), "asm")


@pytest.mark.parametrize(("name", "kind"), [("log2", "f32"), ("log", "f64")])
def test_whole_registers_take_one_instruction(lower: Any, name: str, kind: str) -> None:
    """No call is left in the loop over whole registers."""
    code = lower(program(name, kind), "asm").split(f"\nagir.exponent_{kind}")[0]
    suffix = {"f32": "ps", "f64": "pd"}[kind]
    loops = [each for each in code.split("\n.L") if f"vgetmant{suffix}" in each and "zmm" in each]
    assert loops
    assert not any("call" in each for each in loops)


def alone(x: Any) -> Any:
    return np.log(x) + np.exp(-x) + np.cbrt(x)


def where_positive(x: Any) -> Any:
    out = np.zeros_like(x)
    for i in range(len(x)):
        if x[i] > 1.0:
            out[i] = np.log2(x[i]) + np.tanh(x[i])
    return out


def one_after_the_other(x: Any) -> Any:
    out = np.zeros_like(x)
    before = x.dtype.type(1)
    for i in range(len(x)):
        before = np.log1p(np.exp2(before * x[i] * 0.25))
        out[i] = before
    return out


@pytest.mark.parametrize("function", [alone, where_positive, one_after_the_other])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_lengths(function: Callable[[Any], Any], dtype: Any) -> None:
    """Whole registers, halves, quarters and single numbers, of arrays and of parts with gaps."""
    staged, near = ag.jit(function, reduce_retracing=True), 20 * np.finfo(dtype).eps
    for size in (0, 1, 2, 3, 4, 7, 8, 12, 15, 16, 17, 24, 31, 40, 63, 101):
        x = np.random.default_rng(size).uniform(0.1, 4, 2 * size).astype(dtype)
        for part in (x, x[::2], x[::-1]):
            expected = function(part)
            assert staged(part).dtype == expected.dtype
            np.testing.assert_allclose(staged(part), expected, rtol=near, atol=near)


def test_formats_together() -> None:
    """Fewer numbers of single precision than a register holds: as many as of double precision."""

    @ag.jit
    def both(x: Any, y: Any) -> Any:
        return np.log(x) * np.exp(y) + np.power(x, x)

    for size in (5, 8, 50, 2000):
        x = np.random.default_rng(1).uniform(0.1, 4, size).astype(np.float32)
        y = np.random.default_rng(2).uniform(0.1, 4, size)
        expected = np.log(x) * np.exp(y) + np.power(x, x)
        np.testing.assert_allclose(both(x, y), expected, rtol=1e-5, atol=1e-5)


def test_sines_keep_what_a_loop_has_in_registers() -> None:
    """Large angles are computed apart; what the loop needs after that is as it was."""

    def function(x: Any, y: Any) -> Any:
        return np.sin(x) * y + np.log(y) + np.tanh(y) * np.cos(x + y)

    staged = ag.jit(function)
    for dtype in (np.float32, np.float64):
        x = np.random.default_rng(3).uniform(-9, 9, 999).astype(dtype)
        x[::7] *= dtype(1e20)
        y = np.random.default_rng(4).uniform(0.5, 2, 999).astype(dtype)
        near = 50 * np.finfo(dtype).eps
        np.testing.assert_allclose(staged(x, y), function(x, y), rtol=near, atol=near)


def test_gradients() -> None:
    """The derivatives of functions that are made of instructions."""

    def total(x: Any) -> Any:
        return np.sum(np.log(x) * np.exp(-x) + np.cbrt(x) + np.power(x, 1.5))

    x = np.random.default_rng(5).uniform(0.5, 2, 37)
    slope = np.exp(-x) / x - np.log(x) * np.exp(-x) + np.cbrt(x) / (3 * x) + 1.5 * np.sqrt(x)
    np.testing.assert_allclose(ag.grad(ag.jit(total))(x), slope, rtol=1e-12)
