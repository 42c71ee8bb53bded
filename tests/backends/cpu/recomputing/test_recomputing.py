"""Stencils of several stages: what is computed again, and that the result has NumPy's bits."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import agir as ag
from agir.backends.cpu.recomputing import weighing

from ..sweeps.programs import load
from .programs import Writer

DTYPES = ("float64", "float32", "complex128", "int64")


@pytest.fixture
def always(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let stages of small arrays be computed again, whatever they cost."""
    monkeypatch.setattr(weighing, "OWN_LOOP", 10_000)


def lowered(function: Callable[..., Any], *arguments: Any, **options: Any) -> str:
    return str(ag.jit(function, **options).experimental_get_compiler_ir(*arguments)("bufferized"))


def kernels(text: str) -> int:
    return text.count("linalg.generic")


def allocations(text: str) -> list[str]:
    return re.findall(r"memref\.alloca?\(.*: (.*)", text)


def agree(function: Callable[..., Any], *arguments: Any, **options: Any) -> None:
    """The function and its compiled form give the same bits, and change arguments alike."""
    ours = [value.copy() for value in arguments]
    with np.errstate(all="ignore"):
        wanted = _several(function(*arguments))
    got = _several(ag.jit(function, **options)(*ours))
    for one, other in zip([*got, *ours], [*wanted, *arguments], strict=True):
        np.testing.assert_array_equal(one, other)


def _several(result: Any) -> tuple[Any, ...]:
    return result if isinstance(result, tuple) else (result,)


def diffusion(u, c):
    lap = 4.0 * u[1:-1, 1:-1] - (u[2:, 1:-1] + u[:-2, 1:-1] + u[1:-1, 2:] + u[1:-1, :-2])
    x = lap[1:, 1:-1] - lap[:-1, 1:-1]
    x = np.where(x * (u[2:-1, 2:-2] - u[1:-2, 2:-2]) > 0, 0, x)
    y = lap[1:-1, 1:] - lap[1:-1, :-1]
    y = np.where(y * (u[2:-2, 2:-1] - u[2:-2, 1:-2]) > 0, 0, y)
    return u[2:-2, 2:-2] - c[2:-2, 2:-2] * (x[1:] - x[:-1] + y[:, 1:] - y[:, :-1])


def test_four_stages_are_one_kernel_without_memory() -> None:
    u = np.zeros((1000, 900))
    text = lowered(diffusion, u, u)
    assert kernels(text) == 1
    assert allocations(text) == ["memref<996x896xf64>"]


def test_sizes_of_the_run_time() -> None:
    def twice(u):
        t = u[1:] - u[:-1]
        return t[1:] - t[:-1]

    signature = [ag.TensorSpec((None,), ag.float32)]
    text = lowered(twice, np.zeros(9, np.float32), input_signature=signature)
    assert kernels(text) == 1
    assert len(allocations(text)) == 1
    for n in range(5):
        agree(twice, np.arange(n, dtype=np.float32) ** 3, input_signature=signature)


def test_slices_from_the_run_time_on() -> None:
    def moved(u, n):
        t = u[n:] * 2 - 1
        s = t[1:] - t[:-1]
        return s[n:] + s[: len(s) - n] if n >= 0 else s

    signature = [ag.TensorSpec((None,), ag.float64), ag.TensorSpec((), ag.int64)]
    for n in (0, 1, 2):
        agree(moved, np.arange(9.0) ** 3, np.int64(n), input_signature=signature)


def test_a_small_array_is_kept_where_that_is_cheaper() -> None:
    small, large = np.zeros((20, 20)), np.zeros((900, 900))
    assert kernels(lowered(diffusion, small, small)) == 2
    assert kernels(lowered(diffusion, large, large)) == 1


def test_what_is_costly_is_computed_once() -> None:
    def costly(u):
        t = np.exp(u[1:]) + np.sqrt(u[:-1])
        return t[2:] + t[1:-1] + t[:-2]

    assert kernels(lowered(costly, np.zeros(100_000))) == 2


def test_there_is_an_end_to_it(tmp_path: Path) -> None:
    lines = ["def f(u):", *["    u = u[1:] - u[:-1]"] * 60, "    return u", ""]
    text = lowered(load("\n".join(lines), tmp_path, "sixty_differences"), np.zeros(100_000))
    assert 1 < kernels(text) < 20
    assert text.count("arith.subf") < 2000


@pytest.mark.usefixtures("always")
@pytest.mark.parametrize(
    "function",
    [
        lambda n: np.arange(10)[2:7].sum(),
        lambda n: (np.arange(12).reshape(3, 4) * 2)[1:, ::2].sum(),
        lambda n: (np.arange(12).reshape(3, 4) * 2)[1:, ::2].sum(axis=0),
        lambda n: np.full(n, 2.5)[1:].sum(),
        lambda n: (np.arange(n) * 2)[::2].max(),
        lambda n: np.diff(np.arange(n)[1:]).sum(),
    ],
)
@pytest.mark.parametrize("n", [1, 2, 9])
def test_a_reduction_of_formulas_keeps_its_size(function: Callable[..., Any], n: int) -> None:
    assert ag.jit(function)(n) == pytest.approx(function(n))


def test_what_is_returned_is_kept() -> None:
    def both(u):
        t = u[1:] - u[:-1]
        return t, t[1:] - t[:-1]

    assert kernels(lowered(both, np.zeros(1000))) == 2
    agree(both, np.arange(10.0) ** 2)


@pytest.mark.usefixtures("always")
def test_an_array_that_changes_in_between_is_read_before() -> None:
    def changed(u):
        t = u[1:] - u[:-1]
        u[2] = 100
        return t[1:] - t[:-1]

    def updated(u):
        t = u[1:] - u[:-1]
        u[1:-1] += t[1:] - t[:-1]

    for function in (changed, updated):
        assert kernels(lowered(function, np.zeros(1000))) == 2
        agree(function, np.arange(10.0) ** 3)


@pytest.mark.usefixtures("always")
def test_stages_in_a_loop_over_time() -> None:
    def steps(u, v):
        for _ in range(5):
            t = u[1:] - u[:-1]
            v[1:-1] += 0.5 * (t[1:] - t[:-1])
            u += 0.1 * v

    text = lowered(steps, np.zeros(1000), np.zeros(1000))
    assert kernels(text) == 2
    assert not allocations(text)
    agree(steps, np.arange(10.0) ** 3, np.ones(10))


@pytest.mark.usefixtures("always")
@pytest.mark.parametrize(
    "function",
    [
        lambda u, v: ((u[1:] + u[:-1])[::2] * 2, v),
        lambda u, v: ((u[:, 1:] - u[:, :-1])[:, 0] * 2, v),
        lambda u, v: ((u[1:] - v[:-1]).T[1:] * 2, v),
        lambda u, v: ((u[1:] - v[:-1])[:, None, 1:] * 2, v),
        lambda u, v: ((u[1:] - v[:1])[1:].sum(axis=0), v),
        lambda u, v: (np.zeros((2, 6)) + (u[1:] - v[:-1])[1:3, 1:2], v),
    ],
)
@pytest.mark.parametrize("dtype", DTYPES)
def test_keys_of_all_kinds(function: Callable[..., Any], dtype: str) -> None:
    given_ = np.arange(42).reshape(6, 7)
    agree(function, (given_**2 % 17).astype(dtype), (given_**3 % 23).astype(dtype))


@pytest.mark.usefixtures("always")
def test_positions_are_counted_from_the_slice() -> None:
    def numbered(u):
        t = u[1:] * np.arange(len(u) - 1)
        return t[1:] - t[:-1]

    agree(numbered, np.ones(10))


@pytest.mark.usefixtures("always")
@pytest.mark.parametrize("shape", [(0, 9), (3, 9), (4, 4), (5, 5), (5, 1), (9, 6)])
@pytest.mark.parametrize("dynamic", [False, True])
def test_tiny_and_empty(shape: tuple[int, ...], dynamic: bool) -> None:
    def stages(u):
        t = u[1:, 1:] - u[:-1, :-1]
        s = t[2:, :] * t[:-2, :]
        return s[:, 1:] - s[:, :-1]

    options = {"input_signature": [ag.TensorSpec((None, None), ag.float64)]} if dynamic else {}
    agree(stages, np.random.default_rng(0).standard_normal(shape), **options)


@pytest.mark.usefixtures("always")
@settings(max_examples=12, deadline=None)
@given(
    seed=st.integers(0, 100_000),
    dynamic=st.booleans(),
    dtype=st.sampled_from(DTYPES),
    sizes=st.lists(st.integers(0, 9), min_size=3, max_size=3),
)
def test_random_programs(
    seed: int, dynamic: bool, dtype: str, sizes: list[int], tmp_path_factory: Any
) -> None:
    writer = Writer(seed)
    text = writer.text()
    folder: Path = tmp_path_factory.mktemp("programs")
    function = load(text, folder, f"recomputing_program_{seed}")
    random = np.random.default_rng(seed)
    shape = tuple(sizes[: writer.rank])
    a, b = (random.integers(-4, 5, shape).astype(dtype) for _ in range(2))
    spec = ag.TensorSpec((None,) * writer.rank, a.dtype)
    agree(function, a, b, **({"input_signature": [spec, spec]} if dynamic else {}))
