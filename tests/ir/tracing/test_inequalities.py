"""Checks of subscripts that the bounds of loops prove, where only the run time knows the bounds."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

import agir as ag


def upwards(n):
    t = np.zeros(n)
    for i in range(1, n):
        t[i] = t[i - 1] + i
    return t


def downwards(n):
    t = np.zeros(n)
    for i in range(n - 1, -1, -1):
        t[i] += i
        for j in range(i + 1, n):
            t[j - 1] += t[i] + j
    return t


def below_the_diagonal(n):
    t = np.zeros((n, n))
    for i in range(n):
        for j in range(i):
            t[i, j] = t[j, i] + t[i - j - 1, n - 1 - j]
    return t


def pieces(n):
    t = np.ones((n, n))
    for i in range(n - 1, -1, -1):
        for j in range(i + 1, n):
            for k in range(i + 1, j):
                t[i, j] += t[i, k] * t[k + 1, j]
    return t


def longer_by_one(n):
    t = np.zeros((3, n + 1))
    for i in range(1, 3):
        for j in range(n + 1):
            t[i, j] += t[i - 1, j] + i * j
    return t


def by_threes(n):
    t = np.zeros(n)
    for i in range(2, n, 3):
        t[i] += t[i - 2]
    return t


def from_the_end(x):
    for i in range(len(x) - 1, -1, -1):
        x[i] += i
        for j in range(len(x) - i):
            x[i + j] += x[len(x) - 1 - j]
    return x


def one_too_many(n):
    t = np.zeros(n)
    for i in range(n + 1):
        t[i] += i
    return t


def one_before(n):
    t = np.zeros(n)
    for i in range(n):
        t[i] += t[i - 1]
    return t


def checks(function, *arguments):
    text = str(ag.jit(function).experimental_get_compiler_ir(*arguments)(stage="hlo"))
    return text.count("call @fail_unless")


FUNCTIONS = [upwards, downwards, below_the_diagonal, pieces, by_threes]


@pytest.mark.parametrize("function", FUNCTIONS)
def test_only_the_size_is_checked(function):
    assert checks(function, 9) == 1


def test_of_an_array_of_unknown_size_nothing_is_checked():
    assert checks(from_the_end, ag.TensorSpec([None], ag.float64)) == 0


@pytest.mark.parametrize("function", [one_too_many, one_before])
def test_what_may_be_outside_is_checked(function):
    assert checks(function, 9) > 1


@pytest.mark.parametrize("function", [*FUNCTIONS, one_before])
def test_values(function):
    compiled = ag.jit(function)
    for n in range(8):
        np.testing.assert_allclose(compiled(n), function(n))


def test_a_sum_that_is_computed_twice_is_one_number():
    assert checks(longer_by_one, 9) == 2  # that n + 1 fits, and that it is no negative size
    for n in range(-1, 5):
        np.testing.assert_array_equal(ag.jit(longer_by_one)(n), longer_by_one(n))
    for n in (-2, -(2**63)):
        with pytest.raises(ValueError, match="negative dimensions"):
            ag.jit(longer_by_one)(n)
    with pytest.raises(OverflowError, match=r"9223372036854775807 \+ 1"):
        ag.jit(longer_by_one)(2**63 - 1)


def test_values_of_an_argument():
    for n in range(6):
        np.testing.assert_allclose(ag.jit(from_the_end)(np.ones(n)), from_the_end(np.ones(n)))


@pytest.mark.parametrize("n", [-1, -(2**63), -(2**63) + 1])
@pytest.mark.parametrize("function", [*FUNCTIONS, one_too_many])
def test_negative_sizes(function, n):
    with pytest.raises(ValueError, match="negative dimensions"):
        ag.jit(function)(n)


def test_one_too_many_is_an_error():
    with pytest.raises(IndexError, match="index 4 is out of bounds for axis 0 with size 4"):
        ag.jit(one_too_many)(4)


def program(seed):
    """Three loops inside each other, and subscripts of all that there is."""
    chosen = random.Random(seed)
    names = ["n"]
    lines = ["def run(n, m):", "    t = np.zeros((n + 2, n + 1))"]

    def number(signed=True):
        plus = chosen.choice(["", " + 1", " - 1", " + 2"])
        one = chosen.choice(names)
        other = f" - {chosen.choice(names)}" if signed and chosen.random() < 0.3 else ""
        return one + other + plus

    for depth, name in enumerate("ijk"[: chosen.choice([1, 2, 3])]):
        low = chosen.choice(["0", "1", number()])
        bounds = chosen.choice(
            [number(), f"{low}, {number()}", f"{number()}, {low}, -1", f"{low}, {number()}, 2"]
        )
        lines.append("    " * (depth + 1) + f"for {name} in range({bounds}):")
        names.append(name)
        row, column = number(), number()
        lines.append("    " * (depth + 2) + f"t[{row}, {column}] += t[{number()}, {number()}] + 1")
    return "\n".join([*lines, "    return t", ""])


def outcome(function, n):
    try:
        return function(n, n).tolist()
    except (IndexError, ValueError) as error:
        return str(error).splitlines()[0]


@pytest.mark.parametrize("seed", range(25))
def test_random_loops(seed, tmp_path, monkeypatch):
    (tmp_path / f"loops_{seed}.py").write_text("import numpy as np\n\n\n" + program(seed))
    monkeypatch.syspath_prepend(tmp_path)
    plain = __import__(f"loops_{seed}").run
    compiled = ag.jit(plain)
    for n in (0, 1, 2, 3, 5):
        assert outcome(compiled, n) == outcome(plain, n), program(seed)


def test_a_sum_of_more_terms_than_python_calls_are_deep(tmp_path):
    path = tmp_path / "long_sum.py"
    terms = "    total = total + n\n" * 700
    path.write_text(f"def long_sum(x, n):\n    total = n\n{terms}    return x[total - 700 * n]\n")
    names: dict[str, Any] = {}
    exec(compile(path.read_text(), path, "exec"), names)
    assert ag.jit(names["long_sum"])(np.arange(5.0), 3) == 3
