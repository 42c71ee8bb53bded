"""Iterations of loops with a `while` in them run together only where they are independent."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import agir as ag
from agir.backends.cpu.calling import threads

R = np.random.default_rng(11)


def newton(a, most):
    roots = np.zeros_like(a)
    counts = np.zeros(a.shape[0], dtype=np.int64)
    for i in range(a.shape[0]):
        x = a[i]
        k = 0
        while abs(x * x - a[i]) > 1e-10 * a[i] and k < most:
            x = 0.5 * (x + a[i] / x)
            k += 1
        roots[i] = x
        counts[i] = k
    return roots, counts


def collatz(n):
    total = longest = 0
    for i in range(1, n):
        x = np.int64(i)
        k = 0
        while x != 1:
            if x % 2 == 1:
                x = 3 * x + 1
            else:
                x = x // 2
            k += 1
        total += k
        if k > longest:
            longest = k
    return total, longest


def escape(points, most):
    counts = np.zeros(points.shape, dtype=np.int32)
    last = np.zeros_like(points)
    for i in range(points.shape[0]):
        for j in range(points.shape[1]):
            c = points[i, j]
            z = 0j
            for n in range(most):
                if abs(z) >= 2.0:
                    break
                z = z * z + c
                counts[i, j] = n + 1
            last[i, j] = z
    return counts, last


def orbit(points, most):
    counts = np.zeros(points.shape[0], dtype=np.int64)
    for i in range(points.shape[0]):
        z = points[i]
        k = 0
        while z.real * z.real + z.imag * z.imag < 4.0 and k < most:
            k += 1
            if k % 4 == 3:
                continue
            z = np.conj(z) * z - z / (z + 3.0) + points[i]
        counts[i] = k
    return counts


def quotients(a, b):
    q = np.zeros(a.shape[0], dtype=a.dtype)
    rest = np.zeros(a.shape[0], dtype=a.dtype)
    for i in range(a.shape[0]):
        x = a[i]
        n = 0
        while x >= b[i] and b[i] > 0:
            x = x - b[i]
            n += 1
        q[i] = n
        rest[i] = x
    return q, rest


def remainders(a, b, most):
    q = np.zeros(a.shape[0], dtype=a.dtype)
    rest = np.zeros(a.shape[0], dtype=a.dtype)
    for i in range(a.shape[0]):
        x = a[i]
        n = 0
        while n < most and x >= b[i] > 0:
            x = x - b[i]
            n += 1
        q[i] = n
        rest[i] = x
    return q, rest


def bits(a):
    out = np.zeros(a.shape[0], dtype=np.int64)
    for i in range(a.shape[0]):
        x = a[i]
        odd = False
        n = 0
        while x:
            odd = not odd
            x &= x - 1
            if odd:
                n += 10
        out[i] = n + odd
    return out


INDEPENDENT = {
    "newton": (newton, (R.random(100) * 50, 60)),
    "newton, single": (newton, ((R.random(37) * 50).astype("f4"), 60)),
    "newton, few": (newton, (R.random(9) * 50, 3)),
    "collatz": (collatz, (300,)),
    "collatz, none": (collatz, (0,)),
    "escape": (escape, (R.normal(size=(5, 21)) + 1j * R.normal(size=(5, 21)), 40)),
    "escape, single": (
        escape,
        ((R.normal(size=(3, 17)) + 1j * R.normal(size=(3, 17))).astype("c8"), 40),
    ),
    "escape, special": (
        escape,
        (np.array([[np.nan, np.inf, 1j * np.inf, -0.0, 1e200, 1e-320, 1, -2, 0.3, 9, 8]]) + 0j, 9),
    ),
    "orbit": (orbit, (R.normal(size=40) + 1j * R.normal(size=40), 30)),
    "quotients": (quotients, (R.integers(0, 99, 40), R.integers(-2, 9, 40))),
    "remainders, i4": (
        remainders,
        (R.integers(0, 99, 40).astype("i4"), R.integers(-2, 9, 40).astype("i4"), 50),
    ),
    "bits": (bits, (R.integers(-(2**62), 2**62, 50),)),
}


def as_tuple(value):
    return value if isinstance(value, tuple) else (value,)


def same(function, arguments):
    given = [np.copy(a) if isinstance(a, np.ndarray) else a for a in arguments]
    with np.errstate(all="ignore"):
        expected = [*as_tuple(function(*given)), *given]
    given = [np.copy(a) if isinstance(a, np.ndarray) else a for a in arguments]
    found = [*as_tuple(ag.jit(function)(*given)), *given]
    for mine, wanted in zip(found, expected, strict=True):
        np.testing.assert_array_equal(mine, wanted)


def runs_together(function, arguments):
    text = ag.jit(function).experimental_get_compiler_ir(*arguments)("loops")
    return "vector<16x" in text


@pytest.mark.parametrize("name", INDEPENDENT)
def test_independent_iterations_run_together(name):
    function, arguments = INDEPENDENT[name]
    assert name == "collatz, none" or runs_together(function, arguments)
    same(function, arguments)


def test_a_count_without_a_bound_is_checked_for_each_narrow_integer():
    arguments = (R.integers(0, 99, 40).astype("i4"), R.integers(-2, 9, 40).astype("i4"))
    assert not runs_together(quotients, arguments)
    same(quotients, arguments)
    with pytest.raises(OverflowError, match="Python integer 128 out of bounds for int8"):
        ag.jit(lambda a, b: narrow(a, b))(np.arange(100, 140), np.ones(40, dtype=np.int64))


def narrow(a, b):
    q = np.zeros(a.shape[0], dtype=np.int8)
    for i in range(a.shape[0]):
        n = 0
        while a[i] > n * b[i]:
            n += 1
        q[i] = n
    return q


def test_searching_runs_together():
    edges = np.sort(R.random(40))
    x = np.concatenate([R.random(50), edges, [np.nan, np.inf, -np.inf]])
    for side in ("left", "right"):
        assert runs_together(lambda e, x, side=side: np.searchsorted(e, x, side), (edges, x))
        found = ag.jit(lambda e, x, side=side: np.searchsorted(e, x, side))(edges, x)
        np.testing.assert_array_equal(found, np.searchsorted(edges, x, side))


# Loops whose iterations need each other.


def previous(a, most):
    for i in range(1, a.shape[0]):
        x = a[i]
        while x < a[i - 1] and x < most:
            x += 0.25
        a[i] = x


def next_one(a, most):
    for i in range(a.shape[0] - 1):
        x = a[i]
        while x < most:
            x += 0.5
            a[i + 1] = a[i + 1] + 0.25
        a[i] = x


def carried(a, most):
    x = 0.0
    for i in range(a.shape[0]):
        while x < a[i] * most:
            x += 1.0
        a[i] = x


def carried_count(a, most):
    seed = 7
    for i in range(a.shape[0]):
        k = 0
        while seed % 16 != 3 and k < most:
            seed = (seed * 5 + 1) & 1023
            k += 1
        seed += 1
        a[i] = k


def one_place(a, most):
    for i in range(a.shape[0]):
        k = 0
        while k < i % 5 and k < most:
            k += 1
            a[0] = a[0] * 0.5 + k
        a[i] = k


def sorting(a, most):
    for i in range(1, a.shape[0]):
        key = a[i]
        j = i - 1
        while j >= 0 and a[j] > key:
            a[j + 1] = a[j]
            j -= 1
        a[j + 1] = key


def row_above(a, most):
    b = a.reshape(-1, 5)
    for i in range(1, b.shape[0]):
        for j in range(b.shape[1]):
            x = b[i, j]
            while x < b[i - 1, 4 - j] * most:
                x = x * 2 + 1
            b[i, 4 - j] = x


@pytest.mark.parametrize(
    "function", [previous, next_one, carried, carried_count, one_place, sorting, row_above]
)
def test_iterations_that_need_each_other_do_not(function):
    arguments = (R.random(40) * 4, 3.0)
    assert not runs_together(function, arguments)
    same(function, arguments)


SHIFTS = [*itertools.product((0, 1, 2), repeat=3)]


def shifted(write, read, late):
    """A loop that writes and reads one array at these distances from its counter."""
    return f"""
def program(a, b):
    for i in range(a.shape[0] - 2):
        x = a[i + {read}]
        k = 0
        while x < b[i] and k < 20:
            x = x * 1.5 + 0.125
            k += 1
        a[i + {write}] = x + b[i + {late}]
        b[i + {late}] = k
"""


@pytest.mark.parametrize(("write", "read", "late"), SHIFTS)
def test_distances(write, read, late, tmp_path):
    path = tmp_path / "program.py"
    path.write_text(shifted(write, read, late))
    names = {}
    exec(compile(path.read_text(), str(path), "exec"), names)
    arguments = (R.random(50), R.random(50) * 9)
    together = runs_together(names["program"], arguments)
    assert together == (write == read and late == 0)
    same(names["program"], arguments)


def test_the_same_array_twice():
    def program(a, b):
        for i in range(a.shape[0] - 2):
            x = b[i + 1]
            while x < 8.0:
                x = x * 2 + 0.5
            a[i] = x

    for start, stop in ((0, 40), (1, 41), (2, 41)):
        plain, given = np.linspace(0, 3, 41), np.linspace(0, 3, 41)
        program(plain[:40], plain[start:stop])
        ag.jit(program)(given[:40], given[start:stop])
        np.testing.assert_array_equal(given, plain)


def test_lines_of_the_user_survive():
    compilation = ag.jit(newton).get_concrete_function(np.ones(20), 5).compilation
    text = compilation.text("loops", locations=True)
    for name in ("vector.reduction", "arith.divf"):
        assert name in text
    assert f"{__file__}" in text


@pytest.mark.skipif(not threads.are_wanted(), reason="needs two cores")
def test_groups_of_iterations_run_on_several_threads():
    for function, arguments in (
        (newton, (R.random(50_000) * 50, 60)),
        (escape, (R.normal(size=(300, 70)) + 1j * R.normal(size=(300, 70)), 40)),
    ):
        text = ag.jit(function).experimental_get_compiler_ir(*arguments)("loops")
        body = text[text.index("func.func private @agir.parallel") :]
        assert "vector.reduction <or>" in body
        assert "memref.alloca()" in body[: body.index("vector.reduction")]
        same(function, arguments)
