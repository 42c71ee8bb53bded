"""An element of the array that a name stands for by a condition is read and written in that array.

Neither are its other elements moved, nor those of a row taken first, whatever is known of sizes.
"""

from __future__ import annotations

import numpy as np
import pytest

import agir as ag


def elements(a, b, k, n):
    x = a if k == 0 else b
    for i in range(n):
        for j in range(x.shape[1]):
            x[i, j] += 1
    return a[0, 0] + b[1, 2]


def elements_of_rows(a, b, k, n):
    x = a if k == 0 else b
    for i in range(n):
        row = x[i]
        for j in range(1, row.shape[0]):
            row[j] += row[j - 1]
    return a[0, 0] + b[1, 2]


def elements_of_parts_of_rows(a, b, k, n):
    x = (a, b)[k]
    for i in range(n):
        part = x[i, ::-1][1:]
        for j in range(part.shape[0]):
            part[j] = part[-1] * 2 + j
    return a[0, 0] + b[1, 2]


def elements_transposed(a, b, k, n):
    x = a.T if k == 0 else b.T
    for i in range(n):
        for j in range(x.shape[0]):
            x[j, i] -= j
    return a[0, 0] + b[1, 2]


def exchanged(a, b, k, n):
    for i in range(n):
        a, b = b, a
        for j in range(min(a.shape[1], b.shape[1])):
            a[i, j] = b[i, j] + 1
    return a[0, 0] + b[1, 2]


def exchanged_in_a_list(a, b, k, n):
    both = [a, b]
    for i in range(n):
        for j in range(both[i % 2].shape[1]):
            both[i % 2][i, j] += both[0][i, 0]
    return a[0, 0] + b[1, 2]


def rows(a, b, k, n):
    x = a if k == 0 else b
    for i in range(1, n):
        x[i, 1:] = x[i - 1, :-1] + x[i, 1:]
        x[i] += 1
    return a[0, 0] + b[1, 2]


def caught(a, b, k, n):
    x = a if k == 0 else b
    try:
        for i in range(n + k):
            x[i, 0] = x[i, -1] + 1
    except IndexError:
        x[0, 0] = -1
    return a[0, 0] + b[1, 2]


PROGRAMS = [
    elements, elements_of_rows, elements_of_parts_of_rows, elements_transposed, exchanged,
    exchanged_in_a_list, rows, caught,
]  # fmt: skip
SHAPES = [((3, 4), (3, 4)), ((4, 3), (4, 5)), ((5, 7), (5, 3)), ((9, 3), (9, 3))]


def _arrays(shapes, dtype):
    rng = np.random.default_rng(3)
    return [(rng.random(shape) * 20).astype(dtype) for shape in shapes]


@pytest.mark.parametrize("dtype", ["int64", "float32", "complex128"])
@pytest.mark.parametrize("program", PROGRAMS)
def test_every_element_is_that_of_the_chosen_array(program, dtype):
    for options in ({}, {"reduce_retracing": True}):
        compiled = ag.jit(program, **options)
        for shapes in SHAPES:
            for k in (0, 1):
                mine, plain = _arrays(shapes, dtype), _arrays(shapes, dtype)
                n = mine[0].shape[0]
                found, expected = compiled(*mine, k, n), program(*plain, k, n)
                np.testing.assert_allclose(found, expected, rtol=1e-5)
                for one, other in zip(mine, plain, strict=True):
                    np.testing.assert_allclose(one, other, rtol=1e-5)


@pytest.mark.parametrize("program", PROGRAMS[:6])
def test_nothing_else_of_arrays_of_open_sizes_is_moved(program):
    compiled = ag.jit(program, reduce_retracing=True)
    for shapes in SHAPES[::-1]:
        compiled(*_arrays(shapes, float), 0, 2)
    text = compiled.experimental_get_compiler_ir(*_arrays(SHAPES[0], float), 0, 2)(
        stage="bufferized"
    )
    loops = text[text.index("scf.for") :]
    assert "memref.copy" not in loops
    assert "memref.alloc(" not in loops


def test_an_element_of_a_row_of_an_array_that_may_be_empty():
    @ag.jit(reduce_retracing=True)
    def sums(x, n):
        for i in range(n):
            row = x[i]
            for j in range(1, row.shape[0]):
                row[j] += row[j - 1]

    for shape in ((2, 3), (4, 5), (0, 2), (3, 0)):
        x = np.arange(shape[0] * shape[1], dtype=float).reshape(shape)
        expected = np.cumsum(x, axis=1)
        sums(x, shape[0])
        np.testing.assert_array_equal(x, expected)
    with pytest.raises(IndexError):
        sums(np.ones((0, 2)), 1)
    text = sums.experimental_get_compiler_ir(x, 0)(stage="bufferized")
    assert "memref.copy" not in text
    assert "memref.alloc(" not in text
