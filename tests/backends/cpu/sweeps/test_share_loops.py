"""Loops that several operations share: what is made, and that it computes what NumPy does."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import agir as ag
from agir.backends.cpu.sweeps import sizes

from .programs import Writer, load


def lowered(function: Callable[..., Any], *arguments: Any, **options: Any) -> str:
    return str(ag.jit(function, **options).experimental_get_compiler_ir(*arguments)("bufferized"))


def nests(text: str) -> int:
    """How many loops stand at the outermost level."""
    return len(re.findall(r"^    scf\.for", text, re.MULTILINE))


def allocations(text: str) -> list[str]:
    return re.findall(r"memref\.alloc\(.*: (.*)", text)


def on_stack(text: str) -> list[str]:
    return sorted(re.findall(r"memref\.alloca\(.*: (.*)", text))


@pytest.fixture
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let small arrays be worth while, and blocks be smaller than they are."""
    for name, value in {"NEAR": 0, "FEWEST": 2, "MOST": 2, "COLUMNS": 16}.items():
        monkeypatch.setattr(sizes, name, value)


def softmax(x):
    powers = np.exp(x - np.max(x, axis=-1, keepdims=True))
    return powers / np.sum(powers, axis=-1, keepdims=True)


def log_softmax(x):
    shifted = x - x.max(axis=-1, keepdims=True)
    return shifted - np.log(np.exp(shifted).sum(axis=-1, keepdims=True))


def logsumexp(x):
    largest = x.max(axis=-1, keepdims=True)
    return (np.log(np.exp(x - largest).sum(axis=-1, keepdims=True)) + largest)[..., 0]


def layer_norm(x):
    mean = x.mean(axis=-1, keepdims=True)
    spread = ((x - mean) ** 2).mean(axis=-1, keepdims=True)
    return (x - mean) / np.sqrt(spread + 1e-5), mean, spread


def by_columns(x):
    return (x - x.mean(axis=0)) / (1 + x.std(axis=0)), x.var(axis=0)


def by_middle(x):
    return x / (1 + np.abs(x).sum(axis=1, keepdims=True)), np.argmax(x, axis=1)


def recurrence(x):
    y = np.empty_like(x)
    y[:, :, 0] = x[:, :, 0]
    for k in range(1, x.shape[2]):
        factor = 1.0 / (2.0 + y[:, :, k - 1])
        y[:, :, k] = x[:, :, k] * factor
    for k in range(x.shape[2] - 2, -1, -1):
        y[:, :, k] = y[:, :, k] - 0.5 * y[:, :, k + 1]
    return y


ROWS = (softmax, log_softmax, logsumexp, layer_norm, by_columns, by_middle, recurrence)


@pytest.mark.parametrize("function", ROWS)
@pytest.mark.parametrize("dynamic", [False, True])
@pytest.mark.parametrize("shape", [(3, 5, 4), (1, 1, 1), (2, 3, 1), (5, 1, 7)])
@pytest.mark.usefixtures("small_blocks")
def test_rows_are_those_of_numpy(
    function: Callable[..., Any], dynamic: bool, shape: tuple[int, ...]
) -> None:
    x = np.random.default_rng(1).standard_normal(shape)
    options = {"input_signature": [ag.TensorSpec((None,) * 3, ag.float64)]} if dynamic else {}
    results = _several(ag.jit(function, **options)(x))
    for got, wanted in zip(results, _several(function(x)), strict=True):
        np.testing.assert_allclose(got, wanted, rtol=1e-12, atol=1e-12)


def _several(result: Any) -> tuple[Any, ...]:
    return result if isinstance(result, tuple) else (result,)


@pytest.mark.parametrize("function", [softmax, layer_norm, recurrence])
@pytest.mark.parametrize("shape", [(0, 5, 4), (3, 0, 4)])
@pytest.mark.usefixtures("small_blocks")
def test_there_may_be_no_rows(function: Callable[..., Any], shape: tuple[int, ...]) -> None:
    x = np.zeros(shape)
    options = {"input_signature": [ag.TensorSpec((None,) * 3, ag.float64)]}
    for got, wanted in zip(
        _several(ag.jit(function, **options)(x)), _several(function(x)), strict=True
    ):
        assert got.shape == wanted.shape


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.usefixtures("small_blocks")
def test_random_programs(seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    writer = Writer(seed)
    function = load(writer.text(), tmp_path, f"sweeps_program_{seed}")
    shape = tuple(writer.random.choice([2, 3, 4, 5]) for _ in range(3))
    monkeypatch.setattr(sizes, "COLUMNS", writer.random.choice([8, 16, 24]))
    options = {"input_signature": [ag.TensorSpec((None,) * 3, ag.float64)] * 3} if seed % 2 else {}
    random = np.random.default_rng(seed)
    given = [random.standard_normal(shape) for _ in range(3)]
    wanted, got = ([x.copy() for x in given] for _ in range(2))
    wanted += function(*wanted)
    got += ag.jit(function, **options)(*got)
    for one, other in zip(got, wanted, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-9, atol=1e-9)


def test_softmax_is_one_pass_over_rows() -> None:
    text = lowered(softmax, np.zeros((300, 400), np.float32))
    assert nests(text) == 1
    assert allocations(text) == ["memref<300x400xf32>"]
    assert on_stack(text) == ["memref<f32>", "memref<f32>"]


def test_rows_of_run_time_length() -> None:
    text = lowered(
        layer_norm,
        np.zeros((300, 400)),
        input_signature=[ag.TensorSpec((None, None), ag.float64)],
    )
    assert nests(text) == 1


def test_columns_are_taken_in_blocks() -> None:
    text = lowered(by_columns, np.zeros((50, 10000)))
    assert nests(text) == 1
    assert "memref<10000xf64>" not in " ".join(on_stack(text))


def test_a_recurrence_needs_no_arrays_but_its_result() -> None:
    text = lowered(recurrence, np.zeros((40, 32, 80)))
    assert nests(text) == 1
    assert allocations(text) == ["memref<40x32x80xf64>"]
    assert set(on_stack(text)) == {"memref<4xf64>"}


def test_each_iteration_needs_what_its_neighbour_did(small_blocks: None) -> None:
    def smoothed(x):
        for k in range(1, x.shape[1] - 1):
            x[1:, k] = x[:-1, k] + x[1:, k - 1]

    x = np.random.default_rng(0).standard_normal((6, 7))
    wanted = x.copy()
    smoothed(wanted)
    assert nests(lowered(smoothed, x)) == 1  # the loop that is there
    ag.jit(smoothed)(x)
    np.testing.assert_allclose(x, wanted)


def test_a_time_loop_goes_over_one_block_at_a_time() -> None:
    def relaxed(x, y):
        for _ in range(50):
            x = 0.5 * (x + y)
        return x

    text = lowered(relaxed, np.zeros(100000), np.zeros(100000))
    assert re.search(r"^    scf\.for .* step %c\d+.*\n(.*\n)*      scf\.for", text, re.MULTILINE)


def test_what_is_small_is_left_alone() -> None:
    assert nests(lowered(softmax, np.zeros((8, 8)))) == 0


def test_locations_are_kept() -> None:
    function = ag.jit(softmax)
    text = function.experimental_get_compiler_ir(np.zeros((300, 400)))("bufferized")
    assert "linalg.generic" in text
    line = softmax.__code__.co_firstlineno + 1
    located = function.get_concrete_function(np.zeros((300, 400))).compilation.text(
        "bufferized", locations=True
    )
    assert f'test_share_loops.py":{line}:' in located


def test_what_only_shares_something_small_is_left_alone() -> None:
    def chain(x, y):
        return np.tanh(x + 1) * np.sin(y)

    text = lowered(chain, np.zeros((1000, 500)), np.zeros(500))
    assert text.count("linalg.generic") == 2
    assert nests(text) == 0


def test_rows_are_divided_among_threads() -> None:
    function = ag.jit(softmax)
    with ag.config.scope(num_threads=2):
        text = str(function.experimental_get_compiler_ir(np.zeros((3000, 400)))("loops"))
    assert "@agir.parallel.0.run" in text


def test_a_repeated_loop_along_memory_takes_row_after_row():
    def f(x, y, n):
        z = np.zeros((len(y), len(x)))
        for _ in range(n):
            inside = np.abs(z) < 2
            z[inside] = z[inside] * z[inside] + (x + y[:, None])[inside]
        return z

    x, y = np.linspace(-2, 0.3, 3000), np.linspace(-0.1, 0.1, 17)
    np.testing.assert_allclose(ag.jit(f)(x, y, 5), f(x, y, 5))
    text = lowered(f, x, y, 5)
    assert nests(text) == 1
    assert "x2xf64" not in text  # no two rows at a time, as columns
