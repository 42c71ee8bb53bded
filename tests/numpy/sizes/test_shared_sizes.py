"""Arrays of one length that only the run time knows stay so through branches and loops."""

from __future__ import annotations

import numpy as np
import pytest

import agir as ag

X = np.array([3.0, 1, 4, 1, 5, 9, 2, 6])


def compressed(x, n):
    y, i = x * 2, np.arange(len(x))
    for k in range(n):
        if not len(x):
            break
        kept = x > k
        x, y, i = x[kept], y[kept], i[kept]
        y = y + x * i
    return x, y, i


def while_any(x, n):
    y = x[::-1]
    while len(x) > n:
        x, y = x[1:], y[:-1]
        y = x + y
    return x, y


def shifted(x, n):
    a = b = c = x
    for k in range(n):
        a, b, c = b, c, x[x > k]
    return a, b, c


def in_branches(x, n):
    if n > 3:
        a = x[x > 1]
        b = a * 2
    else:
        a = x[x > n]
        b = a + 1
    return a + b


def in_tuples(x, n):
    pair = (x, x + 1)
    for k in range(n):
        kept = pair[0] > k
        pair = (pair[0][kept], pair[1][kept])
        pair = (pair[0], pair[0] * pair[1])
    return pair


def refilled(x, n):
    c = x[x > n] + 1j
    z = np.zeros(c.shape, complex)
    for _ in range(n):
        z[:] = z * z + c
    np.multiply(z, z, z)
    return z, np.empty(len(c)).shape


@pytest.mark.parametrize(
    "function", [compressed, while_any, shifted, in_branches, in_tuples, refilled]
)
def test_sizes_that_are_shared(function):
    compiled = ag.jit(function)
    for n in range(12):
        for found, wanted in zip(compiled(X, n), function(X, n), strict=True):
            np.testing.assert_allclose(found, wanted, rtol=1e-14)


@pytest.mark.parametrize("function", [compressed, in_branches, in_tuples, refilled])
def test_nothing_is_compared_where_sizes_are_shared(function):
    text = str(ag.jit(function).experimental_get_compiler_ir(X, 3)("hlo"))
    assert "fail_unless" not in text
    assert "tensor.generate" not in text


def test_sizes_that_are_shared_for_a_while():
    def f(x, n):
        a, b = x[x > 1], x[x > 1]
        for k in range(n):
            b = b[1:] if k == 2 else b + 1
            a = a * 1
        return a + b

    compiled = ag.jit(f)
    for n in range(3):
        np.testing.assert_array_equal(compiled(X, n), f(X, n))
    for n in (3, 5):
        with pytest.raises(ValueError, match="do not broadcast"):
            compiled(X, n)


def test_branches_of_one_shape_with_other_conditions():
    def f(x, p, q):
        a = x[x > 1] if p else x[x > 3]
        b = x[x > 1] if q else x[x > 3]
        return a + b

    compiled = ag.jit(f)
    for p, q in ((False, False), (True, True)):
        np.testing.assert_array_equal(compiled(X, p, q), f(X, p, q))
    with pytest.raises(ValueError, match="do not broadcast"):
        compiled(X, True, False)


def test_sizes_that_a_handler_reads():
    def f(x, n):
        a = b = x
        try:
            for k in range(n):
                a = x[x > k]
                if k == 2:
                    raise ValueError("enough")
                b = a + 1
        except ValueError:
            pass
        return a.sum(), b.sum(), len(a), len(b)

    compiled = ag.jit(f)
    for n in range(5):
        assert compiled(X, n) == f(X, n)


def test_all_of_an_array_is_written_without_a_copy():
    def f(x, n):
        y = x[x > n]
        y[:] = y * 2
        np.add(y, 1, out=y)
        return y

    text = str(ag.jit(f).experimental_get_compiler_ir(X, 3)("hlo"))
    assert "insert_slice" not in text
    np.testing.assert_array_equal(ag.jit(f)(X, 3), f(X, 3))
