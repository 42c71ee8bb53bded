"""Draws and clocks happen when the program runs: the numbers are those of the plain function."""

from __future__ import annotations

import copy
import random
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

import agir as ag

RNG = np.random.default_rng()
OLD = np.random.RandomState(5)
START = np.random.default_rng(7).bit_generator.state


def seeded() -> None:
    RNG.bit_generator.state = START
    OLD.seed(8)
    np.random.seed(9)
    random.seed(10)


def states() -> list[str]:
    return [repr(each) for each in (RNG.bit_generator.state, OLD.get_state(), random.getstate())]


def scalars(n: int) -> Any:
    total = 0.0
    for _ in range(n):
        total += np.random.random() + np.random.rand() + RNG.random() * OLD.uniform(1, 2)
        if RNG.random() < 0.5:
            total -= RNG.normal() * np.random.uniform(high=0.7) * RNG.uniform(-1, n)
    return total


def shapes(n: int, loc: float) -> Any:
    return (
        RNG.normal(size=3),
        RNG.normal(loc, 2.0, size=(n, 2)),
        RNG.integers(0, 10, n),
        RNG.integers(n, n + 2),
        RNG.standard_normal(n, dtype=np.float32),
        np.random.randn(2, n),
        np.random.randint(0, 5, size=4),
        np.random.ranf(2),
    )


def parameters(x: Any, n: int) -> Any:
    return (
        RNG.poisson(x),
        RNG.choice(x, size=n, replace=False),
        RNG.choice(n),
        RNG.permutation(x),
        RNG.dirichlet(x / x.sum()),
        RNG.multinomial(n, [0.25, 0.75]),
        RNG.binomial(n, 0.5),
        RNG.beta(2.0, n),
    )


def in_place(x: Any) -> Any:
    np.random.shuffle(x)
    RNG.shuffle(x, axis=0)
    return x[0] + 1


def own_generator(seed: int) -> Any:
    rng, old = np.random.default_rng(seed), np.random.RandomState(seed)
    np.random.seed(seed)
    return rng.random(2), rng.integers(5), old.randn(3), np.random.rand()


def standard_library(n: int) -> Any:
    own = random.Random(n)
    total = 0.0
    for _ in range(n):
        total += random.random() + random.uniform(1, 2) * random.randint(0, 5)
    drawn = random.sample(range(10), 3)
    return total, random.gauss(0, 1), own.random(), np.float32(2) * random.random(), *drawn


def annealed(n: int) -> Any:
    x, temperature = 5.0, 1.0
    while temperature > 1e-2:
        y = x + RNG.normal() * temperature
        if y * y < x * x or RNG.random() < np.exp((x * x - y * y) / temperature):
            x = y
        temperature *= 0.9
    return x * n


def unused(n: int) -> Any:
    RNG.random(n)
    np.random.rand()
    return n


PROGRAMS = [
    (scalars, (20,)),
    (shapes, (3, 1.5)),
    (parameters, (np.arange(1.0, 6.0), 3)),
    (in_place, (np.arange(5),)),
    (in_place, (np.arange(6.0).reshape(3, 2),)),
    (own_generator, (3,)),
    (standard_library, (4,)),
    (annealed, (2,)),
    (unused, (2,)),
]


@pytest.mark.parametrize("options", [{}, {"jit_compile": False}], ids=["cpu", "reference"])
@pytest.mark.parametrize(("function", "given"), PROGRAMS)
def test_the_numbers_are_those_of_python(
    function: Callable[..., Any], given: tuple[Any, ...], options: dict[str, Any]
) -> None:
    compiled = ag.jit(function, **options)
    plain = copy.deepcopy(given)
    seeded()
    wanted, then = [function(*plain), function(*plain)], states()
    for _ in range(2):  # the first call traces
        mine = copy.deepcopy(given)
        seeded()
        found = [compiled(*mine), compiled(*mine)]
        assert states() == then
        for left, right in zip(mine, plain, strict=True):
            np.testing.assert_array_equal(left, right)
        for left, right in zip(found, wanted, strict=True):
            same(left, right)


def same(found: Any, wanted: Any) -> None:
    if isinstance(wanted, tuple):
        for left, right in zip(found, wanted, strict=True):
            same(left, right)
        return
    assert np.asarray(found).dtype == np.asarray(wanted).dtype
    np.testing.assert_array_equal(found, wanted)


def test_threads_draw_from_one_generator() -> None:
    rng = np.random.default_rng(3)

    @ag.jit
    def total(n: int) -> Any:
        found = 0.0
        for _ in range(n):
            found += rng.random()
        return found

    total(1)
    rng = np.random.default_rng(3)
    total(1)  # the name has another generator now
    rng.bit_generator.state = np.random.default_rng(3).bit_generator.state
    with ThreadPoolExecutor(4) as pool:
        found = sum(pool.map(total, [20_000] * 8))
    numbers = np.random.default_rng(3).random(160_001)
    assert found == pytest.approx(numbers[:-1].sum())
    assert rng.random() == numbers[-1]


def test_threads_make_their_own() -> None:
    @ag.jit
    def total(seed: int, n: int) -> Any:
        rng = np.random.default_rng(seed)
        found = 0.0
        for _ in range(n):
            found += rng.random()
        return found

    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda seed: total(seed, 5000), range(16)))
    for seed, each in enumerate(found):
        assert each == pytest.approx(np.random.default_rng(seed).random(5000).sum())


def test_recursion() -> None:
    @ag.jit
    def depth(n: int) -> Any:
        if n > 5000 or RNG.random() < 0.01:
            return n
        return depth(n + 1)

    def plain(n: int) -> int:
        return n if n > 5000 or RNG.random() < 0.01 else plain(n + 1)

    seeded()
    wanted = [plain(0), plain(0)]
    seeded()
    assert [depth(0), depth(0)] == wanted


def test_gradients_draw_once() -> None:
    @ag.jit
    def noisy(x: Any) -> Any:
        total = 0.0
        for _ in range(3):
            total += x * x * RNG.random()
        return total

    seeded()
    factor = sum(RNG.random() for _ in range(3))
    after = states()
    seeded()
    value, slope = ag.value_and_grad(noisy)(2.0)
    assert states() == after
    assert value == pytest.approx(4 * factor)
    assert slope == pytest.approx(4 * factor)


def test_clocks() -> None:
    @ag.jit
    def timed(x: Any) -> Any:
        start = time.perf_counter()
        total = x.sum()
        return time.perf_counter() - start, time.time_ns(), total

    first, second = timed(np.ones(3)), timed(np.ones(3))
    assert first[0] > 0
    assert second[1] > first[1]


def test_errors_are_those_of_numpy() -> None:
    @ag.jit
    def reversed_bounds(n: int) -> Any:
        return RNG.integers(n, 0)

    with pytest.raises(ValueError, match=r"low >= high\n  at .*: return RNG.integers\(n, 0\)"):
        reversed_bounds(5)
    assert reversed_bounds(-1) == -1


@pytest.mark.parametrize(
    ("function", "kind", "message"),
    [
        (lambda n: np.random.rand(n + 0.5), TypeError, "cannot be interpreted as an integer"),
        (lambda n: RNG.normal("a") + n, ValueError, "could not convert string to float: 'a'"),
        (lambda n: RNG.random(sizes=n), TypeError, "unexpected keyword argument 'sizes'"),
        (lambda n: RNG.integers(3, 2) + n, ValueError, "low >= high"),
        (lambda n: random.choice([]) + n, IndexError, "empty sequence"),
    ],
)
def test_mistakes_name_the_line(function: Any, kind: type[Exception], message: str) -> None:
    with pytest.raises(kind, match=message) as raised:
        ag.jit(function)(3)
    assert f"\n  at {__file__}:" in str(raised.value)


def test_a_generator_of_python_where_numpys_are_not_loaded() -> None:
    program = (
        "import random, sys, agir as ag\n"
        "def f(n):\n    return random.Random(n).random()\n"
        "g = ag.jit(f)\n"
        "assert [g(1), g(2), g(1)] == [f(1), f(2), f(1)]\n"
        "assert 'numpy.random' not in sys.modules\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr


def test_what_has_no_dtype_is_refused() -> None:
    @ag.jit
    def text(n: int) -> Any:
        return RNG.bytes(n)

    with pytest.raises(
        ag.errors.StagingError, match=r"bytes\(\) gives a bytes, which is no number"
    ):
        text(3)


def test_tensorflow_draws_while_tracing() -> None:
    @ag.function
    def constant(x: Any) -> Any:
        return x + np.random.rand()

    x = ag.constant(0.0)
    assert float(constant(x)) == float(constant(x))


def test_compiling_leaves_the_generators_alone(tmp_path: Any) -> None:
    seeded()
    before = states()
    with ag.config.scope(cache=True, cache_dir=tmp_path):
        for n in range(8):
            ag.jit(lambda x, n=n: x * n)(np.ones(3))
    assert states() == before
