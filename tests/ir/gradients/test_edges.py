"""The values of derivatives where there is no limit, or more than one."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import agir as ag


def slope(f: Any, x: Any) -> Any:
    interpreted = ag.grad(ag.function(f, jit_compile=False))(x).numpy()
    np.testing.assert_array_equal(ag.grad(f)(x).numpy(), interpreted)
    return interpreted


def test_a_root_at_zero() -> None:
    assert slope(ag.sqrt, 0.0) == np.inf
    assert slope(lambda x: ag.where(x > 0.0, ag.sqrt(x), 0.0), 0.0) == 0


def test_a_norm_at_zero() -> None:
    np.testing.assert_array_equal(slope(ag.linalg.norm, ag.zeros([3])), [0, 0, 0])
    assert slope(lambda x: ag.hypot(x, x), 0.0) == 0


@pytest.mark.parametrize(
    "unsafe",
    [ag.log, ag.sqrt, lambda x: x * ag.log(x), lambda x: 1.0 / x, lambda x: x**-0.5, ag.asin],
)
def test_what_the_branch_not_taken_computes_does_not_matter(unsafe: Any) -> None:
    for value in (0.0, -1.0):
        assert slope(lambda x: ag.where(x > 0.0, unsafe(x), 2.0 * x), value) == 2


def test_equal_ones_share_a_maximum() -> None:
    x = ag.constant([1.0, 3.0, 3.0])
    np.testing.assert_array_equal(slope(ag.reduce_max, x), [0, 0.5, 0.5])
    np.testing.assert_array_equal(slope(ag.reduce_min, -x), [0, 0.5, 0.5])


def test_the_first_of_two_equal_ones_is_the_maximum() -> None:
    both = ag.grad(ag.maximum, argnums=(0, 1))(1.0, 1.0)
    assert [float(each) for each in both] == [1, 0]
    both = ag.grad(ag.minimum, argnums=(0, 1))(1.0, 1.0)
    assert [float(each) for each in both] == [1, 0]


def test_the_magnitude_at_zero() -> None:
    assert slope(ag.abs, 0.0) == 0
    assert slope(lambda z: ag.abs(z), ag.constant(0j)) == 0


def test_powers_at_zero() -> None:
    assert slope(lambda x: x**2.5, 0.0) == 0
    assert slope(lambda x: x ** ag.constant(0.0), 0.0) == 0
    assert slope(lambda y: ag.constant(0.0) ** y, 2.0) == 0
    assert slope(lambda y: ag.constant(-2.0) ** y, 2.0) == 0


def test_a_product_with_zeros() -> None:
    np.testing.assert_array_equal(slope(ag.reduce_prod, ag.constant([2.0, 0.0, 3.0])), [0, 6, 0])
    np.testing.assert_array_equal(slope(ag.reduce_prod, ag.constant([0.0, 0.0, 3.0])), [0, 0, 0])


def test_the_gradient_of_a_holomorphic_function_is_the_conjugate() -> None:
    z = ag.constant(1 + 2j)
    with ag.GradientTape() as tape:
        tape.watch(z)
        w = z * z
    assert tape.gradient(w, z).numpy() == np.conj(2 * (1 + 2j))


def test_the_gradient_of_a_real_function_points_upwards() -> None:
    assert slope(lambda z: ag.abs(z) ** 2, ag.constant(1 + 2j)) == 2 + 4j


@pytest.mark.parametrize("jit_compile", [False, None])
def test_a_standard_deviation_of_equal_numbers(jit_compile: Any) -> None:
    x = np.ones((2, 3))
    for f in (lambda x: ag.reduce_std(x), lambda x: ag.reduce_sum(ag.reduce_std(x, 0))):
        function = ag.function(f, jit_compile=jit_compile)
        np.testing.assert_array_equal(ag.grad(function)(x).numpy(), np.zeros((2, 3)))
        assert ag.jvp(function, (x,), (x * 2.0,))[1].numpy() == 0.0


EDGES = {
    "abs": (ag.abs, [0.0, -1.0]),
    "sign": (ag.sign, [0.0, -1.0]),
    "norm": (ag.linalg.norm, [0.0, 0.0]),
    "hypot": (lambda v: ag.hypot(v[0], v[1]), [0.0, 0.0]),
    "where": (lambda v: ag.where(v > 0, ag.sqrt(v), 0.0 * v), [0.0, -1.0, 4.0]),
    "reduce_max": (ag.reduce_max, [1.0, 1.0, 0.0]),
    "maximum": (lambda v: ag.maximum(v[0], v[1]), [1.0, 1.0]),
    "zero to the zero": (lambda v: v[0] ** v[1], [0.0, 0.0]),
    "a negative base": (lambda v: v[0] ** v[1], [-1.0, 2.0]),
    "whole": (lambda v: ag.floor(v) + ag.round(v), [0.5, 1.0]),
    "products": (ag.reduce_prod, [0.0, 0.0, 2.0]),
    "running products": (ag.cumprod, [0.0, 3.0, 2.0]),
    "order": (lambda v: ag.sort(v) * np.array([1.0, 2.0, 3.0]), [2.0, 1.0, 1.0]),
}


@pytest.mark.parametrize("name", EDGES)
def test_both_ways_and_second_derivatives_agree_at_edges(name: str) -> None:
    f, x = EDGES[name]

    def total(v: Any) -> Any:
        return ag.reduce_sum(f(v))

    x = np.array(x)
    function = ag.function(total, jit_compile=False)
    found = ag.grad(function)(x).numpy()
    assert np.isfinite(found).all()
    forwards = [float(ag.jvp(function, (x,), (unit,))[1]) for unit in np.eye(len(x))]
    np.testing.assert_array_equal(found, forwards)
    second = ag.hessian(function)(x).numpy()
    np.testing.assert_array_equal(second, ag.jacfwd(ag.grad(function))(x).numpy())
