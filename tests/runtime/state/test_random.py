"""ag.random: seeds, generators with a state, and the global one."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from math import sqrt
from typing import Any

import numpy as np
import pytest

import agir as ag
from agir import random

COMPILE = pytest.mark.parametrize("compile", [True, False])
Generator = random.Generator


# The numbers that TensorFlow's documentation shows.


def test_the_numbers_are_tensorflows() -> None:
    generator = Generator.from_seed(1)
    np.testing.assert_array_equal(generator.state.numpy(), [1, 0, 0])
    expected = [[0.43842274, -0.53439844, -0.07710262], [1.5658046, -0.1012345, -0.2744976]]
    np.testing.assert_allclose(generator.normal([2, 3]).numpy(), expected, rtol=1e-5)
    np.testing.assert_array_equal(generator.state.numpy(), [1 + 6 * 256, 0, 0])
    np.testing.assert_array_equal(random.create_rng_state(1, "philox").numpy(), [1, 0, 0])
    np.testing.assert_array_equal(
        random.split([1, 2], num=3).numpy(),
        [[1105988140, 1738052849], [-335576002, 370444179], [10670227, -246211131]],
    )
    np.testing.assert_array_equal(random.fold_in([1, 2], 3).numpy(), [1105988140, 3])


# Functions of a seed.


def stateless(seed: Any, n: Any, logits: Any) -> list[Any]:
    return [
        random.stateless_uniform((n, 3), seed, -2.0, 3.0),
        random.stateless_uniform((n, 3), seed, -5, n + 1, ag.int32),
        random.stateless_uniform((n,), seed, None, None, ag.uint32),
        random.stateless_uniform((2, n), seed, 0, [[7], [9]], ag.int64),
        random.stateless_normal((n,), seed, 1.0, 2.0, ag.float64, alg="threefry"),
        random.stateless_normal((2, 2), seed, [0.0, 10.0], dtype=ag.float16),
        random.stateless_truncated_normal((n,), seed, 5.0, 0.1),
        random.stateless_categorical(logits, n, seed),
        random.stateless_categorical(logits, 2, seed, ag.int32),
        random.stateless_shuffle(logits, seed),
        random.stateless_permutation(n, seed),
        random.split(seed, 3),
        random.fold_in(seed, n),
    ]


@COMPILE
def test_functions_of_a_seed_agree_to_the_bit(compile: bool) -> None:
    compiled = ag.function(stateless, jit_compile=compile)
    logits = np.random.default_rng(0).standard_normal((4, 5)).astype(np.float32)
    for n in (3, 0, 6):
        given = (ag.constant([1, -2]), ag.constant(n), logits)
        expected = stateless(given[0], n, logits)
        for result, wanted in zip(compiled(*given), expected, strict=True):
            assert result.dtype == wanted.dtype
            np.testing.assert_array_equal(result.numpy(), wanted.numpy())


@COMPILE
def test_a_seed_for_each_iteration_of_a_loop(compile: bool) -> None:
    def total(seed, n):
        found = ag.zeros((3,))
        for i in range(n):
            found += random.stateless_normal((3,), random.fold_in(seed, i))
        return found

    found = ag.function(total, jit_compile=compile)(ag.constant([3, 4]), ag.constant(5))
    np.testing.assert_array_equal(found.numpy(), total(ag.constant([3, 4]), 5).numpy())


def test_ranges() -> None:
    x = random.stateless_uniform((4000,), (1, 2), -3, 4, ag.int32).numpy()
    assert set(x) == set(range(-3, 4))
    counts = np.bincount(x + 3)
    assert ((counts - 4000 / 7) ** 2 / (4000 / 7)).sum() < 22.5  # chi square, 6 degrees
    for dtype in (ag.float16, ag.bfloat16, ag.float32, ag.float64):
        y = random.stateless_uniform((4000,), (1, 2), 1.0, 1.25, dtype).numpy().astype(np.float64)
        assert y.min() >= 1.0
        assert y.max() < 1.25
    wide = random.stateless_uniform((2000,), (1, 2), -(2**63), 2**63 - 1, ag.int64).numpy()
    assert (wide < -(2**61)).any()
    assert (wide > 2**61).any()
    bits = random.stateless_uniform((2000,), (5, 6), None, None, ag.int32).numpy()
    assert bits.min() < -(2**30)
    assert bits.max() > 2**30


def test_moments() -> None:
    n = 20_000
    x = random.stateless_normal((n,), (1, 2), 3.0, 2.0, ag.float64).numpy()
    assert abs(x.mean() - 3.0) < 4 * 2 / sqrt(n)
    assert abs(x.std() - 2.0) < 4 * 2 / sqrt(2 * n)
    t = random.stateless_truncated_normal((n,), (1, 2), 3.0, 2.0).numpy()
    assert abs(t - 3.0).max() <= 4.0
    assert abs(t.std() - 2 * 0.8796) < 0.02


def test_categories_follow_the_logits() -> None:
    p = np.array([[0.1, 0.6, 0.3, 0.0], [0.25, 0.25, 0.25, 0.25]])
    with np.errstate(divide="ignore"):
        drawn = random.stateless_categorical(np.log(p), 4000, (1, 2)).numpy()
    assert drawn.dtype == np.int64
    for row, wanted in zip(drawn, p, strict=True):
        share = np.bincount(row, minlength=4) / 4000
        assert (abs(share - wanted) <= 4 * np.sqrt(wanted * (1 - wanted) / 4000)).all()


# Generators.


def draws(generator: Any, n: Any) -> list[Any]:
    found = [
        generator.normal((n, 2)),
        generator.uniform((n,), -1.0, 1.0, ag.float64),
        generator.uniform((3,), 0, 10, ag.int32),
        generator.truncated_normal((2, 2), dtype=ag.float64),
        generator.uniform_full_int((n,)),
        generator.make_seeds(3),
        generator.shuffle(ag.range(n)),
        generator.categorical([[0.0, 1.0]], 4),
        generator.skip(5),
        generator.normal(()),
        generator.key,
    ]
    total = ag.zeros((2,))
    for i in range(n):
        if i % 2 == 0:
            total += generator.normal((2,))
    return [*found, total]


@COMPILE
@pytest.mark.parametrize("alg", ["philox", "threefry"])
def test_generators_agree_to_the_bit(alg: str, compile: bool) -> None:
    one, two = (Generator.from_seed(7, alg) for _ in range(2))
    compiled = ag.function(lambda n: draws(one, n), jit_compile=compile)
    for n in (3, 4):
        for result, wanted in zip(compiled(ag.constant(n)), draws(two, n), strict=True):
            assert result.dtype == wanted.dtype
            np.testing.assert_array_equal(result.numpy(), wanted.numpy())
        np.testing.assert_array_equal(one.state.numpy(), two.state.numpy())


@COMPILE
def test_a_call_that_fails_leaves_the_state(compile: bool) -> None:
    generator = Generator.from_seed(2)

    @ag.function(jit_compile=compile)
    def pick(x, i):
        noise = generator.normal((3,))
        return x[i] + noise

    before = generator.state.numpy().copy()
    with pytest.raises(IndexError):
        pick(np.zeros(3), ag.constant(5))
    np.testing.assert_array_equal(generator.state.numpy(), before)
    pick(np.zeros(3), ag.constant(1))
    assert (generator.state.numpy() != before).any()


@COMPILE
def test_a_branch_that_is_not_taken_draws_nothing(compile: bool) -> None:
    generator = Generator.from_seed(2)

    @ag.function(jit_compile=compile)
    def maybe(wanted):
        x = ag.zeros((2,))
        if wanted:
            x = generator.normal((2,))
        return x

    before = generator.state.numpy().copy()
    maybe(ag.constant(False))
    np.testing.assert_array_equal(generator.state.numpy(), before)
    expected = Generator.from_seed(2).normal((2,)).numpy()
    np.testing.assert_array_equal(maybe(ag.constant(True)).numpy(), expected)


def test_a_value_that_was_read_is_not_written_to_later() -> None:
    state = ag.Variable([1, 2, 3])

    @ag.function(jit_compile=False)
    def move():
        state.assign(state + 1)

    move()
    before = state.read_value()
    state.assign([0, 0, 0])
    np.testing.assert_array_equal(before.numpy(), [2, 3, 4])


def test_the_counter_carries() -> None:
    generator = Generator.from_state([-1, 0, 5], "philox")
    generator.skip(1)
    np.testing.assert_array_equal(generator.state.numpy(), [255, 1, 5])


def test_skipping_is_drawing() -> None:
    one, two = Generator.from_seed(3), Generator.from_seed(3)
    one.skip(4)
    two.uniform((2, 2))
    np.testing.assert_array_equal(one.normal((3,)).numpy(), two.normal((3,)).numpy())


def test_states_are_set() -> None:
    generator = Generator.from_seed(1)
    first = generator.normal((2,)).numpy()
    assert (generator.normal((2,)).numpy() != first).all()
    generator.reset_from_seed(1)
    np.testing.assert_array_equal(generator.normal((2,)).numpy(), first)
    generator.reset([1, 0, 0])
    np.testing.assert_array_equal(generator.normal((2,)).numpy(), first)
    generator.reset_from_key_counter(0, [1, 0])
    np.testing.assert_array_equal(generator.normal((2,)).numpy(), first)
    copy = Generator(copy_from=generator)
    np.testing.assert_array_equal(copy.normal((2,)).numpy(), generator.normal((2,)).numpy())
    large = Generator.from_seed(2**70 + 5)
    np.testing.assert_array_equal(large.state.numpy(), [5, 64, 0])
    assert Generator.from_seed([4, 5]).state.numpy().tolist() == [0, 4, 5]
    assert generator.algorithm == random.Algorithm.PHILOX.value
    assert generator.variables == (generator.state,)
    assert generator.trainable_variables == ()


def test_generators_of_their_own() -> None:
    generator = Generator.from_seed(1)
    parts = generator.split(3)
    numbers = [part.normal((4,)).numpy() for part in (*parts, generator)]
    assert len({n.tobytes() for n in numbers}) == 4
    one, two = (Generator.from_non_deterministic_state() for _ in range(2))
    assert (one.state.numpy() != two.state.numpy()).all()
    seeds = generator.make_seeds(2)
    assert seeds.shape == (2, 2)
    assert random.stateless_uniform((1,), seeds[:, 0]).shape == (1,)


# The global generator.


def test_the_global_generator() -> None:
    random.set_seed(5)
    before = [
        random.uniform((2,)),
        random.normal((2,), 1.0, 2.0),
        random.truncated_normal((2,)),
        random.shuffle([1, 2, 3]),
        random.categorical([[0.0, 0.0]], 5),
        random.uniform((2,), 0, 9, ag.int32),
        random.normal((2,), seed=4),
        random.normal((2,), seed=4),
    ]
    assert (before[6].numpy() != before[7].numpy()).all()

    @ag.function
    def again():
        return [
            random.uniform((2,)),
            random.normal((2,), 1.0, 2.0),
            random.truncated_normal((2,)),
            random.shuffle([1, 2, 3]),
            random.categorical([[0.0, 0.0]], 5),
            random.uniform((2,), 0, 9, ag.int32),
            random.normal((2,), seed=4),
            random.normal((2,), seed=4),
        ]

    random.set_seed(5)
    for result, wanted in zip(again(), before, strict=True):
        np.testing.assert_array_equal(result.numpy(), wanted.numpy())
    assert (again()[0].numpy() != before[0].numpy()).all()


def test_another_global_generator() -> None:
    old = random.get_global_generator()
    try:
        random.set_global_generator(Generator.from_seed(9))
        expected = Generator.from_seed(9).uniform((2,)).numpy()
        np.testing.assert_array_equal(random.uniform((2,)).numpy(), expected)
    finally:
        random.set_global_generator(old)
    assert random.get_global_generator() is old


@COMPILE
def test_dropout_draws_anew_each_time(compile: bool) -> None:
    drop = ag.function(lambda x: ag.nn.dropout(x, 0.5), jit_compile=compile)
    x = np.ones(200)
    assert (drop(x).numpy() != drop(x).numpy()).any()
    random.set_seed(1)
    first = drop(x).numpy()
    random.set_seed(1)
    np.testing.assert_array_equal(ag.nn.dropout(x, 0.5).numpy(), first)


# Mistakes.


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: random.stateless_uniform((2,), (1, 2), 5, 5, ag.int32), ValueError, "less than"),
        (lambda: random.stateless_uniform((2,), (1, 2), dtype=ag.int32), ValueError, "need maxval"),
        (lambda: random.stateless_uniform((2,), (1, 2), dtype=ag.bool), TypeError, "not bool"),
        (lambda: random.stateless_shuffle(1.0, (1, 2)), ValueError, "shuffle.. of a scalar"),
        (lambda: random.stateless_categorical([1.0], 2, (1, 2)), ValueError, "rows, classes"),
        (lambda: random.uniform((2,), dtype=ag.int32), ValueError, "need maxval"),
        (lambda: Generator.from_seed(1, "mt19937"), ValueError, "'mt19937'"),
        (lambda: Generator.from_state([1, 2], "philox"), ValueError, r"shape \(3,\)"),
        (lambda: Generator(), ValueError, "give copy_from"),
        (lambda: Generator.from_seed(1).uniform((2,), dtype=ag.int64), ValueError, "full_int"),
        (lambda: Generator.from_seed(1).normal((-2,)), ValueError, "negative"),
    ],
)
def test_mistakes(call: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        call()


@COMPILE
def test_a_range_that_is_empty_at_run_time(compile: bool) -> None:
    draw = ag.function(
        lambda high: random.stateless_uniform((2,), (1, 2), 0, high, ag.int32), jit_compile=compile
    )
    assert draw(ag.constant(4)).shape == (2,)
    with pytest.raises(ValueError, match="minval must be less than maxval") as caught:
        draw(ag.constant(0))
    assert "test_random.py" in str(caught.value)


def test_threads_draw_different_numbers() -> None:
    generator = Generator.from_seed(1)
    compiled = ag.function(lambda: generator.normal((2,)))
    compiled()

    def draw(number: int) -> bytes:
        return (compiled() if number % 2 else generator.normal((2,))).numpy().tobytes()

    with ThreadPoolExecutor(8) as pool:
        assert len(set(pool.map(draw, range(200)))) == 200
    assert generator.state.numpy()[0] == 1 + 201 * 2 * 256
