"""More draws, in loops, on paths and of generators that are given."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

import agir as ag


def in_a_loop(n):
    inside = 0
    for _ in range(n):
        x, y = np.random.random(), np.random.rand()
        if x * x + y * y < 1:
            inside += 1
    return 4.0 * inside / n


def on_a_path(n):
    s = 0.0
    for i in range(n):
        if i % 2 == 0 or np.random.random() > 0.5:
            s = s * 2 + random.random()
    return s


def of_python(n):
    s = 0.0
    for _ in range(n):
        s = s * 2 + random.random() + random.randint(1, 6) + random.uniform(1, n)
        s += random.gauss(0, 1) + random.getrandbits(8)
    return s, random.sample(range(10), 3)


def seeded(n):
    np.random.seed(n)
    random.seed(n)
    x = np.arange(n)
    np.random.shuffle(x)
    y = np.random.rand(3, n)
    return x, y, np.random.randn(n, 2), np.random.choice(n, 3), np.random.normal(y)


def of_its_own(n):
    rng = np.random.default_rng(n)
    old = np.random.RandomState(3)
    s = 0.0
    for i in range(n):
        s = s * 2 + rng.normal() + rng.integers(0, n) + rng.random((3, n)).sum()
        s += rng.normal(i, 0.5, size=2)[1] + old.rand()
    return s, rng.permutation(n), old.randint(0, n, size=(2, n)), random.Random(n).random()


def unused(n):
    np.random.random(3)
    return n + 1


@pytest.mark.parametrize("options", [{}, {"jit_compile": False}])
@pytest.mark.parametrize("function", [in_a_loop, on_a_path, of_python, seeded, of_its_own, unused])
def test_the_numbers_are_those_of_the_plain_function(function: Any, options: Any) -> None:
    decorated = ag.jit(function, **options)
    for seed in range(2):
        found = []
        for each in (function, decorated):
            random.seed(seed)
            np.random.seed(seed)
            result = each(7 + seed)
            found.append([*(result if isinstance(result, tuple) else (result,))])
            found[-1] += [np.random.random(), random.random()]
        for left, right in zip(*found, strict=True):
            np.testing.assert_allclose(left, right, rtol=1e-15)
            assert np.asarray(left).dtype == np.asarray(right).dtype


@pytest.mark.parametrize("make", [np.random.default_rng, np.random.RandomState])
def test_a_generator_that_is_given(make: Any) -> None:
    def draw(n: Any, rng: Any) -> Any:
        return rng.normal(size=n) + rng.uniform()

    mine, its = make(5), make(5)
    decorated = ag.jit(draw)
    for n in (3, 4, 3):
        np.testing.assert_array_equal(decorated(n, its), draw(n, mine))


def test_what_the_generator_raises() -> None:
    @ag.jit
    def draw(x: Any, high: Any) -> Any:
        x += 1
        return np.random.randint(0, high)

    x = np.zeros(2)
    with pytest.raises(ValueError, match="high"):
        draw(x, 0)
    assert x.sum() == 0
    assert 0 <= draw(x, 3) < 3


def test_what_is_no_number_is_refused() -> None:
    with pytest.raises(ag.errors.StagingError, match="no number"):
        ag.jit(lambda: random.randbytes(3))()


def shuffled_and_picked(n):
    random.seed(n)
    items = list(range(n))
    random.shuffle(items)
    return items, random.choice(items), random.sample(items, 2), random.choices(items, k=n)


def of_a_generator(n):
    own = random.Random(n)
    words = ["x", "yy", "zzz"]
    own.shuffle(words)
    rows = [[i, i * i] for i in range(n)]
    own.shuffle(rows)
    return words, own.choice("abcdef"), [own.choice(words) for _ in range(n)], rows


def of_several_kinds(n):
    random.seed(n)
    items = [1, 2.5, None, "a"]
    random.shuffle(items)
    return items, random.choices(range(0, 50, 5), [1, 0, 0, 0, 0, 0, 0, 0, 0, n], k=3)


def by_numpy(n):
    np.random.seed(n)
    items = [float(i) for i in range(n)]
    np.random.shuffle(items)
    return items


def of_none(n):
    return random.choice(list(range(n - n)))


@pytest.mark.parametrize("f", [shuffled_and_picked, of_a_generator, of_several_kinds, by_numpy])
def test_sequences(f):
    decorated = ag.jit(f)
    for n in (4, 7):
        assert repr(decorated(n)) == repr(f(n))


def test_none_to_choose_from():
    with pytest.raises(IndexError, match="empty sequence"):
        ag.jit(of_none)(3)
