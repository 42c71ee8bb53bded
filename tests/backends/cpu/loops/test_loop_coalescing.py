"""Loops over short rows that lie one after the other in memory are one loop."""

from __future__ import annotations

import numpy as np
import pytest

import agir as ag


def scaled(x, y):
    return x * 2 + y


def with_a_row(x, y):
    return x * 2 + y[0]


def with_a_column(x, y):
    return x * 2 + y[:, :1]


def turned(x, y):
    return x * 2 + y.T[: x.shape[0], : x.shape[1]]


def in_place(x, y):
    z = np.ones_like(x)
    z[1:] = x[1:] + y[1:]
    z *= x
    return z


def in_part(x, y):
    z = np.ones_like(x)
    z[:, 1:] = x[:, 1:] + y[:, 1:]
    return z


def summed(x, y):
    return (x * y).sum()


def summed_by_rows(x, y):
    return (x * y).sum(axis=-1)


def summed_by_columns(x, y):
    return (x * y).sum(axis=0)


def numbered(x, y):
    return x + np.arange(x.size).reshape(x.shape) - y


def by_elements(x, y):
    z = np.empty_like(x)
    for i in range(x.shape[0]):
        for j in range(x.shape[1]):
            z[i, j] = x[i, j] * y[i, j] + 1
    return z


def triangle(x, y):
    z = np.zeros_like(x)
    for i in range(x.shape[0]):
        for j in range(i):
            z[i, j] = x[i, j] - y[i, j]
    return z


def shifted(x, y):
    z = np.zeros_like(x)
    for i in range(x.shape[0]):
        for j in range(x.shape[1]):
            z[i, j] = x[i, j] - y[i, j - 1]
    return z


def one_after_the_other(x, y):
    """Each iteration reads what the one before has written, in the row before too."""
    z = x.copy()
    for i in range(1, x.shape[0]):
        for j in range(x.shape[1]):
            z[i, j] += y[i, j]
            y[i, j] = z[i, j] * 2
    return z + y


FUNCTIONS = [
    *(scaled, with_a_row, with_a_column, turned, in_place, in_part),
    *(summed, summed_by_rows, summed_by_columns, numbered),
    *(by_elements, triangle, shifted, one_after_the_other),
]


def operands(shape, kind):
    random = np.random.default_rng(3)
    return [random.integers(-9, 9, shape).astype(kind) for _ in range(2)]


@pytest.mark.parametrize("function", FUNCTIONS)
@pytest.mark.parametrize("shape", [(5, 5), (50, 3), (3, 50), (40, 1), (1, 40), (1, 1), (4, 0)])
@pytest.mark.parametrize("kind", ["f8", "f4", "i8", "c16"])
def test_results(function, shape, kind):
    if function in (turned, triangle):
        shape = shape[:1] * 2
    x, y = operands(shape, kind)
    np.testing.assert_allclose(ag.jit(function)(x, y.copy()), function(x, y), rtol=1e-6)


@pytest.mark.parametrize("function", FUNCTIONS)
@pytest.mark.parametrize("shape", [(6, 6), (7, 1), (3, 0)])
def test_unknown_sizes(function, shape):
    if function in (turned, triangle):
        shape = shape[:1] * 2
    x, y = operands(shape, "f8")
    spec = ag.TensorSpec([None, None], ag.float64)
    compiled = ag.jit(function).get_concrete_function(spec, spec)
    np.testing.assert_allclose(compiled(x, y.copy()), function(x, y))


@pytest.mark.parametrize("function", [f for f in FUNCTIONS if f not in (turned, triangle)])
@pytest.mark.parametrize("rows", [0, 1, 7])
def test_rows_of_a_known_length(function, rows):
    x, y = operands((rows, 3), "f8")
    spec = ag.TensorSpec([None, 3], ag.float64)
    compiled = ag.jit(function).get_concrete_function(spec, spec)
    if function is with_a_row and not rows:
        pytest.skip("there is no row")
    np.testing.assert_allclose(compiled(x, y.copy()), function(x, y))


@pytest.mark.parametrize("rows", [300_000, None])
def test_rows_that_threads_share(rows):
    x, y = operands((300_000, 3), "f8")
    spec = ag.TensorSpec([rows, 3], ag.float64)
    compiled = ag.jit(in_place).get_concrete_function(spec, spec)
    np.testing.assert_array_equal(compiled(x, y), in_place(x, y))


@pytest.mark.parametrize("function", [scaled, with_a_row, with_a_column, summed_by_columns])
def test_three_axes_and_strides(function):
    x, y = operands((6, 8, 4), "f8")
    for take in (np.s_[:], np.s_[::2], np.s_[:, ::2], np.s_[..., ::2], np.s_[::-1]):
        np.testing.assert_allclose(ag.jit(function)(x[take], y[take]), function(x[take], y[take]))
    swapped = x.transpose(2, 0, 1), y.transpose(2, 0, 1)
    np.testing.assert_allclose(ag.jit(function)(*swapped), function(*swapped))


def halves_swapped(x, y):
    """Of four loops the outer two are one and the inner two, but those are not."""
    return x.transpose(2, 3, 0, 1) * 2 + y.transpose(2, 3, 0, 1)


@pytest.mark.parametrize("shape", [(2, 3, 4, 5), (70, 2, 3, 2), (1, 3, 1, 2), (2, 0, 3, 4)])
def test_four_axes(shape):
    x, y = operands(shape, "f8")
    for take in (np.s_[:], np.s_[::-1], np.s_[:, ::2], np.s_[..., ::2]):
        given = x[take], y[take]
        np.testing.assert_array_equal(ag.jit(halves_swapped)(*given), halves_swapped(*given))
    spec = ag.TensorSpec([None, *shape[1:]], ag.float64)
    compiled = ag.jit(halves_swapped).get_concrete_function(spec, spec)
    np.testing.assert_array_equal(compiled(x, y), halves_swapped(x, y))


def test_what_is_not_a_number_stays_where_it_is():
    x, y = operands((9, 3), "f8")
    x[4, 1], x[8, 2], y[0, 0] = np.nan, np.inf, -0.0
    np.testing.assert_array_equal(ag.jit(scaled)(x, y), scaled(x, y))
    np.testing.assert_array_equal(ag.jit(summed)(x, y), summed(x, y))


def loops(function, shape, stage="loops"):
    return str(
        ag.jit(function).get_concrete_function(*operands(shape, "f8")).compilation.text(stage)
    )


def depth(text):
    """How many loops are inside of one another at most."""
    spaces = [len(line) - len(line.lstrip()) for line in text.splitlines() if "scf.for" in line]
    return len(set(spaces))


@pytest.mark.parametrize(
    ("function", "shape", "loops_around"),
    [
        (scaled, (50, 3), 1),
        (scaled, (4, 5, 6), 1),
        (scaled, (50, 100), 2),
        (with_a_row, (50, 3), 2),
        (with_a_row, (4, 5, 6), 2),
        (turned, (30, 30), 2),
        (halves_swapped, (2, 3, 4, 5), 2),
        (summed, (50, 3), 1),
        (summed, (50, 60), 2),
        (in_place, (50, 30), 1),
        (in_part, (50, 30), 2),
        (by_elements, (50, 3), 1),
        (triangle, (6, 6), 2),
        (shifted, (6, 40), 2),
        (one_after_the_other, (6, 3), 1),
    ],
)
def test_how_many_loops(function, shape, loops_around):
    with ag.config.scope(num_threads=1):
        assert depth(loops(function, shape)) == loops_around
