"""Blocks that a large program repeats: a loop around one, or one function and calls of it."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import agir as ag
from agir.backends.cpu.passes.outlining.repetitions import Run, runs

TIMES = 12


def optimized(function: Callable[..., Any], *arguments: Any) -> str:
    concrete = ag.jit(function).get_concrete_function(*arguments)
    return str(concrete.compilation.text("optimized_hlo"))


def calls(function: Callable[..., Any], *arguments: Any) -> list[str]:
    """The functions that are called, call by call."""
    return re.findall(r"call @(agir\.kernel_\w+)", optimized(function, *arguments))


def assert_right(function: Callable[..., Any], *arguments: Any, rtol: float = 1e-10) -> None:
    copies = [np.copy(each) for each in arguments]
    got, wanted = ag.jit(function)(*copies), function(*arguments)
    for ours, right in zip(np.atleast_1d(got), np.atleast_1d(wanted), strict=True):
        np.testing.assert_allclose(ours, right, rtol=rtol, atol=1e-13)
    for ours, right in zip(copies, arguments, strict=True):
        np.testing.assert_allclose(ours, right, rtol=rtol, atol=1e-13)


def arrays(*shape: int) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    random = np.random.default_rng(1)
    return random.normal(size=shape), random.normal(size=shape) / shape[-1]


@pytest.mark.parametrize(
    ("text", "landmarks", "found"),
    [
        ("abcabcabcabc", "a", [Run(0, 12, 3)]),
        ("xabcabcabcaby", "a", [Run(1, 12, 3)]),
        ("abababxcdcdcd", "ac", [Run(0, 6, 2), Run(7, 13, 2)]),
        ("aabaabaab", "b", [Run(0, 9, 3)]),
        ("aaaaaa", "a", [Run(0, 6, 1)]),
        ("abcdef", "abcdef", []),
        ("abcabc", "a", []),
        ("", "", []),
        ("abcabcabc", "", []),
    ],
)
def test_runs(text: str, landmarks: str, found: list[Run]) -> None:
    positions = [i for i, letter in enumerate(text) if letter in landmarks]
    assert sorted(runs(text, positions, least=3)) == found


def layers(x: Any, w: Any) -> Any:
    for _ in (None,) * TIMES:
        x = np.tanh(x @ w + x) * 0.5
    return x


def with_own_weights(x: Any, w: Any) -> Any:
    for k in (*range(TIMES),):
        x = np.tanh(x @ w[k] + x)
    return x


def with_own_numbers(x: Any, w: Any) -> Any:
    for k in (*range(TIMES),):
        x = np.tanh(x @ w) * (1.0 + k) + x
    return x


def with_loops(x: Any, w: Any) -> Any:
    for _ in (None,) * TIMES:
        x = np.sin(x)
        for i in range(x.shape[0]):
            x[i] = x[i] * 0.5 + w[i, 0]
        x = x - w.sum(axis=0)
    return x


def with_kept_values(x: Any, w: Any) -> Any:
    kept = []
    for _ in (None,) * TIMES:
        x = x @ w + x
        kept.append(x.max())
    return kept[3] + kept[-1] + sum(kept)


def with_two_phases(x: Any, w: Any) -> Any:
    for _ in (None,) * TIMES:
        x = x @ w + 1.0
    x = np.exp(-np.abs(x))
    for _ in (None,) * TIMES:
        x = np.cos(x @ w) - x.mean()
    return x


def in_place(x: Any, w: Any) -> Any:
    for _ in (None,) * TIMES:
        x[:] = np.tanh(x @ w) + x
    return x.sum()


def of_integers(x: Any, w: Any) -> Any:
    n = (x * 10.0).astype(np.int64)
    for _ in (None,) * TIMES:
        n = (n @ n) % 11 + n // 3
    return n


def of_views(x: Any, w: Any) -> Any:
    for _ in (None,) * TIMES:
        x = (x @ w).T[::-1]
    return x


def with_one_operand(x: Any, w: Any) -> Any:
    for _ in (None,) * TIMES:
        w = w @ w
        x = x + w.sum()
    return x


@pytest.mark.parametrize(
    "program",
    [
        layers,
        with_own_numbers,
        with_loops,
        with_kept_values,
        with_two_phases,
        in_place,
        of_integers,
        of_views,
        with_one_operand,
    ],
)
@pytest.mark.parametrize("size", [5, 40])
def test_results(program: Callable[..., Any], size: int) -> None:
    assert_right(program, *arrays(size, size))


def test_weights_of_their_own() -> None:
    x, _ = arrays(20, 20)
    _, w = arrays(TIMES, 20, 20)
    assert_right(with_own_weights, x, w)


@pytest.mark.parametrize("program", [layers, with_loops, with_one_operand])
def test_blocks_that_go_on_from_each_other_are_a_loop(program: Callable[..., Any]) -> None:
    text = optimized(program, *arrays(40, 40))
    assert re.search(r"scf\.for .* iter_args", text)
    assert text.count("linalg.contract") <= 3
    assert text.count("linalg.generic") <= 10


def test_equal_blocks_whose_values_are_kept_are_one_function() -> None:
    found = calls(with_kept_values, *arrays(40, 40))
    assert len(found) >= TIMES - 2
    assert len(set(found)) == 1


def test_phases_are_a_loop_each() -> None:
    assert optimized(with_two_phases, *arrays(40, 40)).count("scf.for") == 2


def test_of_twice_the_blocks_there_is_no_more_code() -> None:
    def repeated(times: int) -> int:
        def f(x: Any, w: Any) -> Any:
            for _ in (None,) * times:
                x = np.tanh(x @ w + x)
            return x

        concrete = ag.jit(f).get_concrete_function(*arrays(40, 40))
        return str(concrete.compilation.text("loops")).count("scf.for")

    assert repeated(16) == repeated(40)


def test_what_fuses_stays_in_one_piece() -> None:
    def chain(x: Any, w: Any) -> Any:
        for _ in (None,) * 40:
            x = np.tanh(x) * w
        return x

    text = optimized(chain, *arrays(40, 40))
    assert text.count("linalg.generic") == 1
    assert "scf.for" not in text


def test_small_programs_stay_whole() -> None:
    def small(x: Any, w: Any) -> Any:
        for _ in (None,) * 4:
            x = x @ w
        return x

    assert "scf.for" not in optimized(small, *arrays(40, 40))


def keeping_all(x: Any, w: Any) -> Any:
    kept = [x]
    for _ in (None,) * TIMES:
        x = np.tanh(x @ w + x) * 0.5
        kept.append(x)
    return kept[-1] + kept[2]


def test_results_are_computed_into_arrays_of_the_caller() -> None:
    concrete = ag.jit(keeping_all).get_concrete_function(*arrays(40, 40))
    text = str(concrete.compilation.text("bufferized"))
    assert re.findall(r"func\.func private @agir\.kernel_\w+\(.*\) attributes", text)
    kernel = text[text.index("func.func private @agir.kernel") :]
    assert "memref.alloc()" not in kernel
    assert "memref.copy" not in kernel
    assert_right(keeping_all, *arrays(40, 40))


def test_buffers_are_freed_after_their_last_use() -> None:
    concrete = ag.jit(keeping_all).get_concrete_function(*arrays(200, 200))
    text = str(concrete.compilation.text("loops"))
    body = text[: text.index("func.func private")]
    alive = most = 0
    for line in body.splitlines():
        alive += ("memref.alloc()" in line) - ("memref.dealloc" in line)
        most = max(most, alive)
    assert most <= 5


def test_the_last_ones_other_values_come_out_of_the_loop() -> None:
    def ending(x: Any, w: Any) -> Any:
        for _ in (None,) * TIMES:
            y = x @ w
            total = y.sum()
            x = np.tanh(y) + x * total * 1e-3
        return x, y, total, total + 1

    assert "scf.for" in optimized(ending, *arrays(40, 40))
    for ours, right in zip(ag.jit(ending)(*arrays(40, 40)), ending(*arrays(40, 40)), strict=True):
        np.testing.assert_allclose(ours, right, rtol=1e-10)


def test_unknown_sizes() -> None:
    spec = ag.TensorSpec([None, None], ag.float64)
    concrete = ag.jit(layers).get_concrete_function(spec, spec)
    x, w = arrays(30, 30)
    np.testing.assert_allclose(concrete(x, w), layers(x, w), rtol=1e-11)


def test_errors_in_blocks_name_the_users_line() -> None:
    def checked(x: Any, n: Any) -> Any:
        for _ in (None,) * TIMES:
            x = x @ x
            x = x + x[n, 0]
        return x

    f = ag.jit(checked)
    x, _ = arrays(20, 20)
    np.testing.assert_allclose(f(x / 20, 3), checked(x / 20, 3), rtol=1e-9)
    with pytest.raises(IndexError, match="x = x \\+ x\\[n, 0\\]"):
        f(x, 20)


def test_tensors_and_variables() -> None:
    state = ag.Variable(np.eye(20))

    @ag.function
    def step(x: Any) -> Any:
        for _ in (None,) * TIMES:
            x = ag.tanh(x @ state) + x
        state.assign(x)
        return x

    x = wanted = arrays(20, 20)[0]
    for _ in range(TIMES):
        wanted = np.tanh(wanted @ np.eye(20)) + wanted
    np.testing.assert_allclose(step(ag.constant(x)), wanted, rtol=1e-10)
    np.testing.assert_allclose(state.numpy(), wanted, rtol=1e-10)
