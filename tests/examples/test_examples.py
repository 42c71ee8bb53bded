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
    tested |= {"lynx_and_hare", "training", "permutation_test"}
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


# --- training -----------------------------------------------------------------------------


def test_training(tmp_path: Path) -> None:
    printed = run("training", "--steps", "300", folder=tmp_path)
    losses = re.findall(r"(.*): loss (\S+) -> (\S+); right about (\S+)% .*, (\S+)%", printed)
    assert [name for name, *_ in losses] == ["logistic regression", "neural network"]
    for _, first, last, seen, unseen in losses:
        assert float(first) > 1.0
        assert float(last) < 0.15
        assert min(float(seen), float(unseen)) > 94.0
    if importlib.util.find_spec("PIL") is not None:
        assert (tmp_path / "learning_curve.png").read_bytes().startswith(b"\x89PNG")


def test_a_logistic_regression_is_what_numpy_computes() -> None:
    example = load("training")
    x, species = example.irises()
    (matrix, offset), curve = example.train(
        example.beginning((4, 3)), x, species, np.int64(25), np.float64(0.5)
    )
    own, at, losses = example.beginning((4, 3))[0], np.zeros(3), []
    chosen = np.eye(3)[species]
    for _ in range(25):
        shares = np.exp(x @ own + at)
        shares /= shares.sum(1, keepdims=True)
        losses.append(-np.mean(np.log(np.sum(shares * chosen, 1))))
        slope = (shares - chosen) / len(x)
        own, at = own - 0.5 * x.T @ slope, at - 0.5 * slope.sum(0)
    np.testing.assert_allclose(curve, losses, rtol=1e-10)
    np.testing.assert_allclose(matrix, own, rtol=1e-10)
    np.testing.assert_allclose(offset, at, atol=1e-12)


def test_the_training_is_one_function() -> None:
    example = load("training")
    x, species = example.irises()
    arguments = (example.beginning((4, 8, 3)), x, species, np.int64(10), np.float64(0.5))
    text = example.train.get_concrete_function(*arguments).compilation.text("hlo")
    assert text.count("scf.for") == 1


# --- lynx_and_hare ------------------------------------------------------------------------


def test_lynx_and_hare(tmp_path: Path) -> None:
    printed = run("lynx_and_hare", folder=tmp_path)
    found = re.search(r"misfit 0\.2655 -> (\S+) in (\d+) rounds", printed)
    assert found is not None
    assert float(found[1]) < 0.025
    assert int(found[2]) <= 60
    # what B. Carpenter has by Markov chains for the same equations, within their errors
    rates = {"birth of hares": 0.545, "hunting": 0.028, "death of lynxes": 0.80}
    for name, expected in rates.items():
        line = re.search(rf"{name} +(\S+)", printed)
        assert line is not None
        np.testing.assert_allclose(float(line[1]), expected, rtol=0.08)
    if importlib.util.find_spec("PIL") is not None:
        assert (tmp_path / "lynx_and_hare.png").read_bytes().startswith(b"\x89PNG")


def test_the_gradient_goes_back_through_the_solver() -> None:
    example = load("lynx_and_hare")
    _, observed = example.pelts()
    slopes, start = example.ag.value_and_grad(example.misfit), np.log(example.START)
    tolerance = np.float64(1e-9)
    _, slope = slopes(start, observed[:6], tolerance)
    for number in range(6):
        moved = [start.copy(), start.copy()]
        for each, step in zip(moved, (1e-5, -1e-5), strict=True):
            each[number] += step
        ends = [float(slopes(each, observed[:6], tolerance)[0]) for each in moved]
        expected = (ends[0] - ends[1]) / 2e-5
        np.testing.assert_allclose(slope[number], expected, rtol=1e-4, atol=1e-6)


def test_the_course_is_that_of_the_equations() -> None:
    example = load("lynx_and_hare")
    rates, state = np.array([0.5, 0.02, 1.0, 0.02]), np.array([30.0, 4.0])
    found = example.course(np.log([*rates, *state]), 4, np.float64(1e-8)).numpy()
    for year in range(3):  # the classic method of fourth order, with steps of a thousandth
        for _ in range(1000):
            slopes = [np.zeros(2)]
            for share in (0.0, 0.5, 0.5, 1.0):
                x, y = state + share * 1e-3 * slopes[-1]
                slopes.append(
                    np.array([x * (rates[0] - rates[1] * y), y * (rates[3] * x - rates[2])])
                )
            _, a, b, c, d = slopes
            state = state + 1e-3 / 6 * (a + 2 * b + 2 * c + d)
        np.testing.assert_allclose(found[year + 1], state, rtol=1e-5)


# --- permutation_test ---------------------------------------------------------------------


def test_permutations_on_a_cluster(tmp_path: Path) -> None:
    printed = run("permutation_test", "--draws", "1500", folder=tmp_path)
    assert "150 irises, 96.0% are of the species" in printed
    assert "1500 shuffles: 25" in printed
    assert "p < 0.0007" in printed
    assert "the workers compiled 0 programs" in printed


def test_shares_are_what_python_computes() -> None:
    example = load("permutation_test")
    points, species = example.read_table()
    near = example.neighbours(points, 3)
    distances = ((points[:, None] - points) ** 2).sum(axis=2)
    np.fill_diagonal(distances, np.inf)
    nearest = np.sort(distances, axis=1)[:, :3]
    assert np.allclose(np.take_along_axis(distances, near, axis=1), nearest)
    rows = example.shuffled(species, 3)[:20]
    plain = example.shares_guessed.python_function(rows, near)
    assert np.array_equal(example.shares_guessed(rows, near), plain)
