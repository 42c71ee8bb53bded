"""Equal parts of a long function: one function and calls of it, what is fixed computed once."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import agir as ag
from agir.backends.cpu.passes.outlining.repetitions import shortest_period


def fft(x: Any) -> Any:
    n = x.shape[0]
    if n == 1:
        return x
    even, odd = fft(x[::2]), fft(x[1::2])
    t = np.exp(-2j * np.pi * np.arange(n) / n)
    return np.concatenate((even + t[: n // 2] * odd, even + t[n // 2 :] * odd))


def hadamard(x: Any) -> Any:
    n = len(x)
    if n == 1:
        return x
    left, right = x[: n // 2], x[n // 2 :]
    return np.concatenate([hadamard(left + right), hadamard(left - right)])


def by_thirds(x: Any) -> Any:
    n = len(x)
    if n < 3:
        return x * 2
    parts = [by_thirds(x[k::3]) for k in (0, 1, 2)]
    weights = np.sqrt(np.arange(n // 3 * 1.0) + 1)
    return np.concatenate([weights * parts[0] - parts[2], parts[1], parts[2] + parts[0]])


def of_two(x: Any, y: Any) -> Any:
    n = len(x)
    if n == 1:
        return x + y, x - 2 * y
    a, b = of_two(x[::2], y[: n // 2])
    c, d = of_two(x[1::2], y[n // 2 :])
    return np.concatenate([a, d]), np.concatenate([c + a, b])


def that_writes(x: Any) -> Any:
    n = len(x)
    if n > 1:
        that_writes(x[: n // 2])
        that_writes(x[n // 2 :])
        x[: n // 2] += np.cos(np.arange(n // 2) * 1.0) * x[n // 2 :]
        x[n // 2 :] *= 0.5
    return x


def with_checks(x: Any, k: Any) -> Any:
    n = len(x)
    if n == 1:
        return x
    a, b = with_checks(x[: n // 2], k), with_checks(x[n // 2 :], k)
    return np.concatenate([a * b[k % (n // 2)], b - a[k % (n // 2)]])


def with_branches(x: Any) -> Any:
    n = len(x)
    if n == 1:
        return x
    a, b = with_branches(x[: n // 2]), with_branches(x[n // 2 :])
    if a[0] > b[0]:
        a = a - b
    for i in range(len(b)):
        b[i] = b[i] * 0.5 + a[-1 - i]
    return np.concatenate([a, b])


def optimized(function: Callable[..., Any], *arguments: Any) -> str:
    concrete = ag.jit(function).get_concrete_function(*arguments)
    return str(concrete.compilation.text("optimized_hlo"))


def calls(function: Callable[..., Any], *arguments: Any) -> Counter[str]:
    """How often each function is called, in the text."""
    return Counter(re.findall(r"call @(agir\.kernel_\w+)", optimized(function, *arguments)))


def assert_right(function: Callable[..., Any], *arguments: Any, rtol: float = 1e-10) -> None:
    copies = [np.copy(each) for each in arguments]
    got, wanted = ag.jit(function)(*copies), function(*arguments)
    for ours, right in zip(np.atleast_1d(got), np.atleast_1d(wanted), strict=True):
        assert np.asarray(ours).dtype == np.asarray(right).dtype
        np.testing.assert_allclose(ours, right, rtol=rtol, atol=1e-11)
    for ours, right in zip(copies, arguments, strict=True):
        np.testing.assert_allclose(ours, right, rtol=rtol, atol=1e-11)


def numbers(count: int, dtype: Any = np.float64) -> Any:
    values = np.random.default_rng(count).normal(size=2 * count)
    if np.dtype(dtype).kind == "c":
        return (values[::2] + 1j * values[1::2]).astype(dtype)
    return (values[:count] * 10).astype(dtype)


@pytest.mark.parametrize("dtype", [np.complex128, np.complex64, np.float64])
@pytest.mark.parametrize("count", [1, 2, 16, 32, 128])
def test_transforms(count: int, dtype: Any) -> None:
    x = numbers(count, dtype)
    single = np.dtype(dtype) == np.complex64
    got = ag.jit(fft)(x)
    np.testing.assert_allclose(got, np.fft.fft(x), rtol=1e-4 if single else 1e-10, atol=1e-3)
    assert got.dtype == fft(x).dtype


FUNCTIONS: dict[str, tuple[Callable[..., Any], tuple[Any, ...]]] = {
    "float64": (hadamard, (numbers(128),)),
    "float32": (hadamard, (numbers(64, np.float32),)),
    "int8": (hadamard, (numbers(64, np.int8),)),
    "strided": (hadamard, (numbers(256)[::-2],)),
    "infinite": (hadamard, (np.where(np.arange(64) % 9 == 5, np.inf, numbers(64)),)),
    "nan": (hadamard, (np.where(np.arange(64) % 50 == 5, np.nan, numbers(64)),)),
    "rows": (hadamard, (numbers(64 * 3).reshape(64, 3),)),
    "no rows": (hadamard, (numbers(0).reshape(64, 0),)),
    "thirds": (by_thirds, (numbers(81),)),
    "two results": (of_two, (numbers(64), numbers(65)[1:])),
    "writes": (that_writes, (numbers(64),)),
    "checks": (with_checks, (numbers(32) / 10, 5)),
    "branches": (with_branches, (numbers(32),)),
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_results(name: str) -> None:
    function, arguments = FUNCTIONS[name]
    rtol = 2e-4 if name == "float32" else 1e-10
    with np.errstate(all="ignore"):
        assert_right(function, *arguments, rtol=rtol)


def test_each_part_is_there_once() -> None:
    small, large = (optimized(fft, numbers(n, np.complex128)) for n in (128, 256))
    found = calls(fft, numbers(256, np.complex128))
    assert len(found) >= 3
    assert set(found.values()) == {2}
    assert len(large) < 1.5 * len(small)


def test_what_is_fixed_is_computed_once() -> None:
    text = optimized(fft, numbers(128, np.complex128))
    before, _, rest = text.partition("func.func private")
    assert before.count("complex.exp") == 7
    assert "complex.exp" not in rest


def unrolled(x: Any) -> Any:
    for _ in (None,) * 8:
        for k in (*range(40),):
            x = x * 0.9 + np.abs(x + k * 1.0)
    return x


def unlike(x: Any, y: Any) -> Any:
    for k in (*range(90),):
        x = np.sin(x) * 1.5 + k
    for k in (*range(90),):
        y = np.cos(y) * 1.5 + k
    return x + y


@pytest.mark.parametrize("function", [unrolled, unlike])
def test_what_is_left_as_it_is(function: Any) -> None:
    arguments = [numbers(7)] * (1 + (function is unlike))
    assert not calls(function, *arguments)
    assert_right(function, *arguments)


STEPS = [np.sin, np.cos, np.tanh, np.abs, np.floor, np.negative]
ORDER = [int(n) for n in np.random.default_rng(3).integers(len(STEPS), size=150)]


def steps(x: Any) -> Any:
    for n in ORDER:
        x = STEPS[n](x) * 1.25
    return x


def twice(x: Any, y: Any) -> Any:
    return steps(x) - 3 * steps(y)


def twice_printed(x: Any, y: Any) -> Any:
    first = steps(x)
    print("first", first.sum() > 0)
    second = steps(y)
    print("second", second.sum() > 0)
    return first - 3 * second


def test_twice_the_same() -> None:
    arguments = numbers(50), numbers(51)[1:]
    assert list(calls(twice, *arguments).values()) == [2]
    assert_right(twice, *arguments)


def test_what_is_printed_is_printed_in_order(capfd: Any) -> None:
    arguments = numbers(5), numbers(6)[1:]
    wanted = twice_printed(*arguments)
    printed = capfd.readouterr().out
    np.testing.assert_allclose(ag.jit(twice_printed)(*arguments), wanted)
    assert capfd.readouterr().out == printed


@pytest.mark.parametrize(
    ("text", "period"),
    [("a", 1), ("aaaa", 1), ("abab", 2), ("ababa", 2), ("abcab", 3), ("abcd", 4), ("aabaabaa", 3)],
)
def test_shortest_period(text: str, period: int) -> None:
    assert shortest_period(text) == period
