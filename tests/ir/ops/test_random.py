"""Random numbers: published vectors, agreement to the bit, and how the numbers are distributed."""

from __future__ import annotations

from math import erf, sqrt
from typing import Any

import numpy as np
import pytest

import agir as ag
from agir.ir.ops.elementwise import formulas
from agir.ir.ops.random.random_streams import generator, philox4x32, threefry2x32
from agir.ir.table import TABLE

FLOATS = ("float16", "bfloat16", "float32", "float64")
DRAWS = [("random_bits", "uint32"), ("random_bits", "uint64")] + [
    (name, dtype)
    for name in (
        "random_uniform",
        "random_normal",
        "random_truncated_normal",
        "random_exponential",
        "random_gumbel",
    )
    for dtype in FLOATS
]
ALGORITHMS = ("philox", "threefry")
SEED = np.array([12, -34])


def words(text: str) -> list[int]:
    return [int(word, 16) for word in text.split()]


@pytest.mark.parametrize(
    ("block", "counter", "key", "expected"),
    [
        (philox4x32, "0 0 0 0", "0 0", "6627e8d5 e169c58d bc57ac4c 9b00dbd8"),
        (
            philox4x32,
            "ffffffff ffffffff ffffffff ffffffff",
            "ffffffff ffffffff",
            "408f276d 41c83b0e a20bc7c6 6d5451fd",
        ),
        (
            philox4x32,
            "243f6a88 85a308d3 13198a2e 03707344",
            "a4093822 299f31d0",
            "d16cfe09 94fdcceb 5001e420 24126ea1",
        ),
        (threefry2x32, "0 0", "0 0", "6b200159 99ba4efe"),
        (threefry2x32, "ffffffff ffffffff", "ffffffff ffffffff", "1cb996fc bb002be7"),
        (threefry2x32, "243f6a88 85a308d3", "13198a2e 03707344", "c4923a9c 483df7a0"),
    ],
)
def test_the_published_vectors(block: Any, counter: str, key: str, expected: str) -> None:
    assert list(block(words(counter), words(key))) == words(expected)


def identical(results: list[Any], expected: list[Any]) -> None:
    for result, wanted in zip(results, expected, strict=True):
        assert result.dtype == wanted.dtype
        assert result.shape == wanted.shape
        assert result.tobytes() == wanted.tobytes()


@pytest.mark.parametrize("algorithm", ALGORITHMS)
@pytest.mark.parametrize(("name", "dtype"), DRAWS)
def test_draws_agree_to_the_bit(record: Any, name: str, dtype: str, algorithm: str) -> None:
    def draw(state: Any, count: Any) -> list[Any]:
        return [
            TABLE[name](state, shape, dtype, algorithm)
            for shape in ((), (count, 3), (0, 2), (2, 1, 5))
        ]

    size = generator(algorithm).size
    recorded = record(draw, ("int64", (size,)), ("int64", ()))
    state = TABLE["random_state"](SEED, algorithm).numpy()
    for count in (0, 7):
        eager = [tensor.numpy() for tensor in draw(state, count)]
        identical(recorded.compiled(state, np.int64(count)), eager)
        identical(recorded.interpreted(state, np.int64(count)), eager)


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_permutations_and_states_agree(record: Any, algorithm: str) -> None:
    def draw(seed: Any, count: Any) -> list[Any]:
        state = TABLE["random_state"](seed, algorithm)
        return [state, TABLE["random_permutation"](state, count, algorithm)]

    recorded = record(draw, ("int64", (2,)), ("int64", ()))
    for count in (0, 1, 2, 50):
        eager = [tensor.numpy() for tensor in draw(SEED, count)]
        np.testing.assert_array_equal(np.sort(eager[1]), np.arange(count))
        identical(recorded.compiled(SEED, np.int64(count)), eager)
        identical(recorded.interpreted(SEED, np.int64(count)), eager)


def test_the_counter_carries_into_its_upper_half() -> None:
    state = np.array([-1, 5, 9])
    drawn = TABLE["random_bits"](state, (8,), "uint32").numpy()
    low = TABLE["random_bits"](np.array([0, 6, 9]), (4,), "uint32").numpy()
    np.testing.assert_array_equal(drawn[4:], low)


@pytest.mark.parametrize("dtype", ["int32", "int64", "uint32", "uint64"])
def test_seeds_of_all_integer_dtypes(dtype: str) -> None:
    wide = TABLE["random_state"](np.array([7, 8])).numpy()
    np.testing.assert_array_equal(TABLE["random_state"](np.array([7, 8], dtype)).numpy(), wide)


# How the numbers are distributed.  Seeds are fixed, so a test passes always or never.


def distance(sample: Any, distribution: Any) -> float:
    """Kolmogorov's and Smirnov's: the greatest distance of the two distribution functions."""
    x = np.sort(np.asarray(sample, np.float64))
    expected = np.array([distribution(v) for v in x])
    steps = np.arange(len(x) + 1) / len(x)
    return float(max(np.abs(expected - steps[1:]).max(), np.abs(expected - steps[:-1]).max()))


def phi(x: float) -> float:
    return 0.5 * (1.0 + erf(x / sqrt(2.0)))


TWO = phi(2.0) - phi(-2.0)
COUNT = 20_000
BOUND = 1.63 / sqrt(COUNT)  # exceeded by one sample in a hundred
FUNCTIONS = {
    "random_uniform": lambda x: x,
    "random_normal": phi,
    "random_truncated_normal": lambda x: (phi(x) - phi(-2.0)) / TWO,
    "random_exponential": lambda x: 1.0 - np.exp(-x),
    "random_gumbel": lambda x: np.exp(-np.exp(-x)),
}


@pytest.mark.parametrize("algorithm", ALGORITHMS)
@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("name", FUNCTIONS)
def test_numbers_follow_their_distribution(name: str, dtype: str, algorithm: str) -> None:
    state = TABLE["random_state"](SEED, algorithm)
    sample = TABLE[name](state, (COUNT,), dtype, algorithm).numpy()
    assert distance(sample, FUNCTIONS[name]) < BOUND


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_neighbours_are_independent(algorithm: str) -> None:
    state = TABLE["random_state"](SEED, algorithm)
    for dtype in ("float32", "float64"):
        sample = TABLE["random_normal"](state, (COUNT,), dtype, algorithm).numpy()
        for lag in (1, 2, 3, 4):
            assert abs(np.corrcoef(sample[lag:], sample[:-lag])[0, 1]) < 3.5 / sqrt(COUNT)


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_bits_are_fair(algorithm: str) -> None:
    state = TABLE["random_state"](SEED, algorithm)
    bits = TABLE["random_bits"](state, (COUNT,), "uint64", algorithm).numpy()
    ones = [int((bits >> np.uint64(i) & np.uint64(1)).sum()) for i in range(64)]
    assert max(abs(n - COUNT / 2) for n in ones) < 4.5 * sqrt(COUNT) / 2


def test_permutations_are_equally_likely() -> None:
    seen: dict[tuple[int, ...], int] = {}
    for step in range(2400):
        order = TABLE["random_permutation"](np.array([step, 3, 4]), 4).numpy()
        seen[tuple(order)] = seen.get(tuple(order), 0) + 1
    assert len(seen) == 24
    assert sum((n - 100) ** 2 / 100 for n in seen.values()) < 45  # chi square, 23 degrees


# The functions that the formulas approximate.


def test_logarithm_and_sine_are_accurate() -> None:
    x = np.concatenate([np.logspace(-300, 300, 4001), 1.0 + np.linspace(-1e-3, 1e-3, 1001)])
    np.testing.assert_allclose(formulas.log(x), np.log(x), rtol=6e-16)
    turn = np.linspace(0.0, 1.0, 4001)[:-1]
    sine, cosine = formulas.sincos_turn(turn)
    np.testing.assert_allclose(sine, np.sin(2 * np.pi * turn), atol=4e-16)
    np.testing.assert_allclose(cosine, np.cos(2 * np.pi * turn), atol=4e-16)


def test_the_quantile_inverts_the_normal_distribution() -> None:
    x = np.linspace(-6.0, 6.0, 1201)
    found = formulas.normal_quantile(np.array([phi(v) for v in x]))
    np.testing.assert_allclose(found, x, rtol=1e-6, atol=1e-12)


# Mistakes.


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ((np.zeros(2, np.int64), (2,)), ValueError, r"shape \(3,\)"),
        ((np.zeros(3, np.int32), (2,)), TypeError, "int64 or uint64"),
        ((np.zeros(3, np.int64), (-2,)), ValueError, "negative dimensions"),
        ((np.zeros(3, np.int64), (2,), "int32"), TypeError, "not int32"),
        ((np.zeros(3, np.int64), (2,), "float32", "mersenne"), ValueError, "'mersenne'"),
    ],
)
def test_mistakes(arguments: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        TABLE["random_uniform"](*arguments)


@pytest.mark.parametrize("seed", [[1], [1, 2, 3], 4, [1.0, 2.0]])
def test_a_seed_is_two_integers(seed: Any) -> None:
    with pytest.raises((TypeError, ValueError), match="two integers"):
        ag.random.stateless_uniform((2,), seed)
