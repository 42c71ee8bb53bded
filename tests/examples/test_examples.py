"""Every example runs by itself, and computes what plain Python and NumPy compute."""

from __future__ import annotations

import importlib.util
import itertools
import re
import subprocess
import sys
import types
from pathlib import Path
from typing import Any

import numpy as np
import pytest

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


def run(name: str, *arguments: str, folder: Path) -> str:
    """What the example prints, run as its user runs it, in an empty folder."""
    done = subprocess.run(
        [sys.executable, "-W", "error", EXAMPLES / f"{name}.py", *arguments],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stdout
    return done.stdout


def load(name: str) -> types.ModuleType:
    spec = importlib.util.spec_from_file_location(f"example_{name}", EXAMPLES / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_every_example_is_tested() -> None:
    tested = {"collatz", "mandelbrot", "principal_components", "shortest_paths"}
    assert {path.stem for path in EXAMPLES.glob("*.py")} == tested


# --- collatz ------------------------------------------------------------------------------


def test_collatz(tmp_path: Path) -> None:
    printed = run("collatz", "--limit", "10000", folder=tmp_path)
    assert "below 10000: 6171 takes 261 steps and climbs to 975400" in printed
    assert "6171 18514 9257" in printed
    assert "16 8 4 2 1\n" in printed


@pytest.mark.parametrize("limit", [2, 3, 10, 1000])
def test_collatz_is_what_python_computes(limit: int) -> None:
    longest_chain = load("collatz").longest_chain
    assert longest_chain(limit) == longest_chain.python_function(limit)


# --- mandelbrot ---------------------------------------------------------------------------

SMALL = ("--size", "60", "40", "--step", "0.0625", "--limit", "50")


def test_the_demo(tmp_path: Path) -> None:
    printed = run("mandelbrot", *SMALL, "--demo", folder=tmp_path)
    assert re.search(r"60 x 40 pixels take [\d.]+ s, with compiling [\d.]+ s\n", printed)
    for stage in (
        "hlo",
        "optimized_hlo",
        "bufferized",
        "loops",
        "llvm",
        "llvm_ir",
        "asm",
        "object",
    ):
        assert re.search(rf"^{stage} +[\d ]+ +\d+ +\d+\.\d \w+", printed, re.MULTILINE), printed
    assert re.search(r"measured on 20 of the 2400 pixels, of which 20 agree", printed)
    path = re.search(r"the picture is (.*)", printed)
    assert path is not None
    assert (tmp_path / path[1]).stat().st_size > 200


def test_the_picture(tmp_path: Path) -> None:
    image = pytest.importorskip("PIL.Image", reason="the examples extra is not installed")
    run("mandelbrot", *SMALL, "--output", "small.png", folder=tmp_path)
    with image.open(tmp_path / "small.png") as picture:
        pixels = np.asarray(picture)
    assert pixels.shape == (40, 60, 3)
    assert not pixels[20, 30].any()  # -0.65 is inside
    assert pixels[0, 0].any()


def test_the_picture_without_pillow(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mandelbrot = load("mandelbrot")
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    picture = np.arange(24, dtype=np.uint8).reshape(2, 4, 3)
    path = mandelbrot.save(picture, tmp_path / "made" / "picture.png")
    assert path == tmp_path / "made" / "picture.pgm"
    assert path.read_bytes() == b"P5 4 2 255\n" + bytes([1, 4, 7, 10, 13, 16, 19, 22])


def test_mandelbrot_is_what_python_computes() -> None:
    escape = load("mandelbrot").escape

    def picture(function: Any) -> list[np.ndarray[Any, Any]]:
        rounds, size = np.zeros((30, 40), np.int32), np.zeros((30, 40))
        function(rounds, size, -2.25, 1.17, 0.078, 60)
        return [rounds, size]

    for ours, expected in zip(picture(escape), picture(escape.python_function), strict=True):
        np.testing.assert_array_equal(ours, expected)


# --- shortest_paths -----------------------------------------------------------------------


def test_shortest_paths(tmp_path: Path) -> None:
    printed = run("shortest_paths", "--range", "1000", folder=tmp_path)
    assert "11 cities, 22 direct flights of up to 1000 miles" in printed
    assert " 3403 miles  Boston - Chicago - Denver - San Francisco - Seattle\n" in printed
    assert " 3740 miles  Miami - Atlanta" in printed


def test_cities_that_cannot_be_reached(tmp_path: Path) -> None:
    assert "no route    Boston - Seattle" in run(
        "shortest_paths", "--range", "500", folder=tmp_path
    )


@pytest.mark.parametrize("reach", [500.0, 1000.0, 3000.0])
def test_shortest_paths_are_what_numpy_computes(reach: float) -> None:
    example = load("shortest_paths")
    cities, table = example.read_table()
    direct = example.direct_flights(table, reach)
    distance = direct.copy()
    before = np.repeat(np.arange(len(cities))[:, np.newaxis], len(cities), axis=1)
    example.shortest_paths(distance, before)

    expected = direct.copy()
    for via in range(len(cities)):
        expected = np.minimum(expected, expected[:, via, np.newaxis] + expected[via])
    np.testing.assert_array_equal(distance, expected)
    for start, end in np.argwhere(np.isfinite(distance)):
        legs = itertools.pairwise(example.stops(before, start, end))
        assert sum(direct[leg] for leg in legs) == distance[start, end]


def test_the_table_of_distances() -> None:
    cities, table = load("shortest_paths").read_table()
    assert len(cities) == 11
    np.testing.assert_array_equal(table, table.T)
    assert not table.diagonal().any()


# --- principal_components -----------------------------------------------------------------


def test_principal_components(tmp_path: Path) -> None:
    printed = run("principal_components", "--count", "2", folder=tmp_path)
    assert "150 flowers; sepal length, sepal width, petal length, petal width" in printed
    assert "component 1: 92.46% of the variance, direction +0.361 -0.085 +0.857 +0.358" in printed
    assert "component 2:  5.31% of the variance" in printed


def test_principal_components_are_those_of_numpy() -> None:
    example = load("principal_components")
    _, data = example.read_table()
    directions, variances = np.zeros((4, 4)), np.zeros(4)
    left = example.principal_components(data, directions, variances, 1e-13)
    expected, vectors = np.linalg.eigh(np.cov(data, rowvar=False))
    np.testing.assert_allclose(variances, expected[::-1], rtol=1e-10)
    np.testing.assert_allclose(np.abs(directions), np.abs(vectors.T[::-1]), atol=1e-9)
    np.testing.assert_allclose(left, 0, atol=1e-12)
