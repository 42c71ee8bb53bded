"""Stencils of several stages in tiles: what is made, and that the results have NumPy's bits."""

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
from agir.backends.cpu.sweeps import tiles

from ..recomputing.programs import Writer
from ..recomputing.test_recomputing import DTYPES, agree, allocations, lowered
from .programs import load


@pytest.fixture
def small_tiles(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tile small arrays, whatever it costs, and compute nothing again where it is read."""
    monkeypatch.setattr(weighing, "MOST_OPERATIONS", -1)
    sizes = {"LARGE": -1, "SCRATCH_BYTES": 64, "FEWEST": 2, "SHORTEST": 3, "LINE": 1}
    for name, value in {**sizes, "MOST_AGAIN": float("inf")}.items():
        monkeypatch.setattr(tiles, name, value)


def is_tiled(text: str) -> bool:
    return "agir.scratch" in text and "scf.for" in text


def blurred(u):
    b = (u[:, :-4] + 4 * u[:, 1:-3] + 6 * u[:, 2:-2] + 4 * u[:, 3:-1] + u[:, 4:]) / 16
    b = (b[:-4] + 4 * b[1:-3] + 6 * b[2:-2] + 4 * b[3:-1] + b[4:]) / 16
    x, y = b[1:-1, 2:] - b[1:-1, :-2], b[2:, 1:-1] - b[:-2, 1:-1]
    return x * x + y * y


def flux(u):
    f = np.exp(-u[1:]) * (u[1:] - u[:-1])
    return u[1:-1] + 0.5 * (f[1:] - f[:-1])


def two_results(u, v):
    g = np.sin(u[1:, 1:] - v[:-1, 1:])
    h = np.cos(v[1:, 1:] * u[1:, :-1])
    return g[1:] - g[:-1] + h[1:], h[:-1] * g[1:] - h[1:]


def volume(u):
    t = np.exp(u[1:, 1:, 1:]) - u[:-1, :-1, :-1]
    s = np.sqrt(abs(t[2:, :, 1:] - t[:-2, :, :-1]))
    return s[:, 1:] + s[:, :-1]


def test_stages_are_kept_in_scratch_of_a_tile() -> None:
    u = np.zeros((1500, 1700))
    text = lowered(blurred, u)
    assert is_tiled(text)
    result, *scratch = sorted(allocations(text), key=lambda each: "1494" not in each)
    assert result == "memref<1494x1694xf64>"
    assert len(scratch) == 2
    for each in scratch:
        rows, columns = map(int, re.findall(r"\d+", each)[:2])
        assert rows * columns * 8 < tiles.SCRATCH_BYTES


def test_tiles_of_sizes_of_the_run_time() -> None:
    text = lowered(
        blurred,
        np.zeros((9, 9), np.float32),
        input_signature=[ag.TensorSpec((None,) * 2, ag.float32)],
    )
    assert is_tiled(text)
    assert "memref<?x?xf32>" in text
    agree(
        blurred,
        np.arange(70 * 600, dtype=np.float32).reshape(70, 600) % 97,
        input_signature=[ag.TensorSpec((None,) * 2, ag.float32)],
    )


def test_what_is_in_a_near_cache_is_left_alone() -> None:
    assert not is_tiled(lowered(flux, np.zeros(10_000)))


def test_halos_are_smaller_than_tiles() -> None:
    def far(u):
        t = np.exp(u)
        return t[100_000:] - t[:-100_000]

    assert not is_tiled(lowered(far, np.zeros(1_000_000)))


def test_stages_of_several_results() -> None:
    u = np.zeros((2000, 900))
    text = lowered(two_results, u, u)
    assert is_tiled(text)
    assert (
        len(re.findall("memref<1998x899xf64>|memref<1999x899xf64>", " ".join(allocations(text))))
        == 2
    )


@pytest.mark.usefixtures("small_tiles")
@pytest.mark.parametrize("dynamic", [False, True])
@pytest.mark.parametrize("shape", [(0, 9), (9, 0), (7, 9), (8, 30), (23, 11), (1, 1)])
def test_planes(shape: tuple[int, int], dynamic: bool) -> None:
    random = np.random.default_rng(0)
    u, v = (random.integers(-9, 9, shape).astype(float) for _ in range(2))
    options = {"input_signature": [ag.TensorSpec((None, None), ag.float64)]} if dynamic else {}
    agree(blurred, u, **options)
    if not dynamic:
        got, wanted = ag.jit(two_results)(u, v), two_results(u, v)
        for one, other in zip(got, wanted, strict=True):
            np.testing.assert_allclose(one, other, rtol=1e-12, atol=1e-12)


@pytest.mark.usefixtures("small_tiles")
@pytest.mark.parametrize(
    ("function", "shape"),
    [
        (flux, (0,)),
        (flux, (2,)),
        (flux, (3,)),
        (flux, (50,)),
        (flux, (64,)),
        (volume, (3, 4, 5)),
        (volume, (9, 9, 9)),
        (volume, (4, 2, 20)),
        (volume, (17, 5, 8)),
    ],
)
@pytest.mark.parametrize("dynamic", [False, True])
def test_lines_and_volumes(
    function: Callable[..., Any], shape: tuple[int, ...], dynamic: bool
) -> None:
    u = np.random.default_rng(0).standard_normal(shape)
    spec = ag.TensorSpec((None,) * u.ndim, ag.float64)
    got = ag.jit(function, **({"input_signature": [spec]} if dynamic else {}))(u)
    np.testing.assert_allclose(got, function(u), rtol=1e-12, atol=1e-12)


@pytest.mark.usefixtures("small_tiles")
def test_an_array_that_is_written_elsewhere_is_no_stencil_of_tiles() -> None:
    def updated(u):
        t = u[1:] - u[:-1]
        u[1:-1] += t[1:] - t[:-1]

    def swapped(u, v):
        t = u[1:] * 2
        v[1:-1] = t[1:] - t[:-1]
        u[2:] = v[:-2]

    u, v = np.arange(40.0) ** 2, np.arange(40.0) ** 3
    for function, arguments in ((updated, (u,)), (swapped, (u, v))):
        agree(function, *arguments)


@pytest.mark.usefixtures("small_tiles")
def test_elements_that_nobody_wrote_are_not_asked_for() -> None:
    def inner(u):
        t = np.zeros(u.shape)
        t[1:-1] = u[2:] * u[:-2]
        return t[1:] - t[:-1]

    agree(inner, np.arange(40.0) ** 2)


@pytest.mark.usefixtures("small_tiles")
def test_positions_are_counted_in_all_of_the_array() -> None:
    def numbered(u):
        t = u[1:] * np.arange(len(u) - 1)
        return (t[1:] - t[:-1]) * np.arange(len(u) - 2)

    assert is_tiled(lowered(numbered, np.ones(50)))
    agree(numbered, np.arange(50.0) % 7)


@pytest.mark.usefixtures("small_tiles")
def test_every_other_line_of_what_is_in_between() -> None:
    def lines(u):
        t = u[1:, 1:] * u[:-1, :-1]
        return t[::2] * 2 - 1, t[1:] * u[2:, :-1], t[:, 0] + 1

    for shape in ((4, 11), (9, 8), (2, 30)):
        agree(lines, np.arange(np.prod(shape), dtype=float).reshape(shape) % 23)


@pytest.mark.usefixtures("small_tiles")
def test_any_number_of_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    u = np.random.default_rng(1).standard_normal((300, 200))
    wanted = blurred(u)
    for threads in (1, 2):
        with ag.config.scope(num_threads=threads):
            np.testing.assert_array_equal(ag.jit(blurred)(u), wanted)


def test_large_tiles_run_on_several_threads() -> None:
    u = np.random.default_rng(1).standard_normal((900, 1100))
    with ag.config.scope(num_threads=2):
        np.testing.assert_array_equal(ag.jit(blurred)(u), blurred(u))


@pytest.mark.usefixtures("small_tiles")
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
    folder: Path = tmp_path_factory.mktemp("programs")
    function = load(writer.text(), folder, f"stencils_program_{seed}")
    random = np.random.default_rng(seed)
    shape = tuple(sizes[: writer.rank])
    a, b = (random.integers(-4, 5, shape).astype(dtype) for _ in range(2))
    spec = ag.TensorSpec((None,) * writer.rank, a.dtype)
    agree(function, a, b, **({"input_signature": [spec, spec]} if dynamic else {}))
