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
