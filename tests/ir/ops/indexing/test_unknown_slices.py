"""Slices of arrays whose sizes only the run time knows: what is known to be equal, and values."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import agir as ag

VECTOR = ag.TensorSpec([None], ag.float64)
BOUNDS = (None, 0, 1, 2, -1, -2, 5)


@pytest.mark.parametrize(("start", "stop"), list(itertools.product(BOUNDS, BOUNDS)))
@pytest.mark.parametrize("compiled", [True, False])
def test_slices_of_slices(start: int | None, stop: int | None, compiled: bool) -> None:
    first, second = slice(start, stop), slice(stop and -stop, start and -start)

    @ag.function(input_signature=[VECTOR], jit_compile=compiled)
    def both(x):
        return x[first], x[first][second], x[second][1:][:-1]

    for n in range(7):
        x = np.arange(float(n))
        expected = x[first], x[first][second], x[second][1:][:-1]
        for got, wanted in zip(both(x), expected, strict=True):
            np.testing.assert_array_equal(got.numpy(), wanted)


def stage(function, name: str, *types) -> str:
    return function.experimental_get_compiler_ir(*types)(name)


def test_cuts_of_equal_length_are_known_to_agree() -> None:
    @ag.jit
    def heat(u, h):
        u[1:-1] += h * (u[2:] - 2 * u[1:-1] + u[:-2]) + u[1:][:-1]

    text = stage(heat, "hlo", VECTOR, ag.TensorSpec([], ag.float64))
    assert "fail_unless" not in text
    assert "scf.if" not in text
    fused = stage(heat, "optimized_hlo", VECTOR, ag.TensorSpec([], ag.float64))
    assert fused.count("linalg.generic") == 1
    run = heat.get_concrete_function(VECTOR, ag.TensorSpec([], ag.float64))
    for n in range(8):
        u = np.linspace(0, 1, n) ** 2
        expected = u.copy()
        expected[1:-1] += 0.1 * (u[2:] - 2 * u[1:-1] + u[:-2]) + u[1:][:-1]
        run(u, 0.1)
        np.testing.assert_allclose(u, expected)


def test_cuts_of_different_length_are_checked() -> None:
    @ag.function(input_signature=[VECTOR])
    def wrong(x):
        return x[1:] + x[2:]

    assert wrong(np.arange(3.0)).numpy().tolist() == [3.0, 4.0]  # one element is repeated
    assert wrong(np.arange(2.0)).numpy().tolist() == []
    with pytest.raises(ag.errors.RuntimeShapeError):
        wrong(np.arange(5.0))


def test_in_a_loop_of_a_matrix() -> None:
    @ag.jit
    def sweep(a, steps):
        for _ in range(steps):
            a[1:-1, 1:-1] = 0.25 * (a[:-2, 1:-1] + a[2:, 1:-1] + a[1:-1, :-2] + a[1:-1, 2:])
        return a

    matrix = ag.TensorSpec([None, None], ag.float64)
    text = stage(sweep, "hlo", matrix, ag.TensorSpec([], ag.int64))
    assert "fail_unless" not in text[text.index("scf.for") :]
    for shape in ((0, 3), (1, 1), (2, 5), (5, 4), (7, 7)):
        a = np.random.default_rng(1).random(shape)
        expected = a.copy()
        sweep.python_function(expected, 3)
        concrete = sweep.get_concrete_function(matrix, ag.TensorSpec([], ag.int64))
        np.testing.assert_allclose(concrete(a, 3), expected)


def test_sizes_meet_once() -> None:
    @ag.function
    def step(x, y, h):
        return x + h * (y - 2 * x) + y

    types = (VECTOR, VECTOR, ag.TensorSpec([], ag.float64))
    text = stage(step, "hlo", *types)
    assert text.count("call @fail_unless") == 1
    concrete = step.get_concrete_function(*types)
    for n, m in ((3, 3), (1, 4), (4, 1), (0, 0), (0, 1), (1, 0), (1, 1)):
        x, y = np.arange(float(n)), np.ones(m)
        expected = step.python_function(x, y, 0.5)
        np.testing.assert_array_equal(concrete(x, y, 0.5).numpy(), expected)
    for n, m in ((3, 2), (0, 3)):
        with pytest.raises(ag.errors.RuntimeShapeError):
            concrete(np.ones(n), np.ones(m), 0.5)
