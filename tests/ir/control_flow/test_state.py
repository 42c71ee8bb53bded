"""Item assignment, views, aliases: NumPy's meaning inside traced functions."""

import numpy as np
import pytest

import agir as ag


def check(function, *arguments):
    """The decorated function does to its arguments, and returns, what the plain one does."""
    plain = [np.array(a) if isinstance(a, np.ndarray) else a for a in arguments]
    expected = function(*plain)
    for options in ({}, {"jit_compile": False}):
        traced = [np.array(a) if isinstance(a, np.ndarray) else a for a in arguments]
        got = ag.jit(function, **options)(*traced)
        for a, b in zip(plain, traced, strict=True):
            np.testing.assert_array_equal(a, b)
        if expected is not None:
            for a, b in zip(np.atleast_1d(expected), np.atleast_1d(got), strict=True):
                np.testing.assert_array_equal(a, b)


def test_aliases_see_writes():
    def f(x):
        y = x
        y[0] = 5
        return x[0] + y[1]

    check(f, np.arange(3.0))


def test_views_write_through():
    def f(x):
        row = x[1]
        part = row[::2]
        part[0] = 100
        row[-1] = -1
        x[0, 1] = part[1]
        return row.sum()

    check(f, np.arange(12.0).reshape(3, 4))


def test_views_see_later_writes_to_their_array():
    def f(x):
        view = x[2:]
        x[2] = 42
        return view[0]

    check(f, np.arange(5))


def test_augmented_assignment_of_parts():
    def f(x, k):
        x[1:-1] += k
        x[0] *= 2
        x[::-1][0] -= 1
        x += 0.5

    check(f, np.arange(6.0), 3)


def test_overlapping_parts_are_read_before_they_are_written():
    def f(x):
        x[1:] = x[:-1]
        x[::-1][:2] = x[:2]

    check(f, np.arange(6))


def test_assignment_in_a_loop_reads_what_the_last_iteration_wrote():
    def f(x, n):
        total = 0.0
        for i in range(n):
            total = total + x[0]
            x[0] = total + x[i]
        return total

    check(f, np.arange(5.0), 5)


def test_assignment_in_branches():
    def f(x, flag):
        if flag > 0:
            x[0] = 1
        else:
            x[1] = x[0] + 5
        return x.sum()

    check(f, np.arange(3.0), 1)
    check(f, np.arange(3.0), -1)


def test_assignment_in_nested_loops_and_branches():
    def f(a, n):
        for i in range(n):
            for j in range(i):
                if (i + j) % 2 == 0:
                    a[i, j] = a[j, i] * 2
                else:
                    a[j, i] += 1
            k = i
            while k > 0:
                a[k, 0] += k
                k -= 2

    check(f, np.arange(25.0).reshape(5, 5), 5)


def test_broadcast_and_conversion_on_assignment():
    def f(x, y):
        x[:] = 7
        x[1] = y
        x[:, 0] = 2.9
        x[0, ...] = y[None]

    check(f, np.zeros((3, 3), np.int32), np.arange(3.0))


@pytest.mark.parametrize(
    "key",
    [0, -1, slice(None), slice(1, 3), slice(None, None, 2), slice(None, None, -1), slice(5, 1, -2),
     slice(9, 20), slice(-100, 3), (slice(None), 1), (0, slice(None, -1)), (Ellipsis, 0),
     (None, 2), (slice(1, None), None, slice(None, None, -2)), Ellipsis, ()],
)  # fmt: skip
@pytest.mark.parametrize("dynamic", [False, True])
def test_every_basic_key_reads_and_writes_as_numpy_does(key, dynamic):
    def read(x):
        return x[key]

    def write(x):
        x[key] = x[key] * 2 + 1
        return x

    x = np.arange(24.0).reshape(6, 4)
    spec = [ag.TensorSpec([None, None], ag.float64)] if dynamic else None
    for function in (read, write):
        expected = function(x.copy())
        for compiled in (None, False):
            f = ag.function(function, input_signature=spec, jit_compile=compiled)
            got = np.asarray(f(x))
            assert got.shape == np.shape(expected)
            np.testing.assert_array_equal(got, expected)


@pytest.mark.parametrize("dynamic", [False, True])
def test_slices_with_run_time_bounds(dynamic):
    def f(x, a, b):
        return x[a:b], x[a:], x[:b], x[a:b:2], x[b:a:-1]

    x = np.arange(7.0)
    spec = ag.TensorSpec([None] if dynamic else [7], ag.float64)
    bound = ag.TensorSpec([], ag.int64)
    g = ag.function(f, input_signature=[spec, bound, bound])
    for a in range(-9, 10, 3):
        for b in range(-9, 10, 2):
            for got, expected in zip(g(x, a, b), f(x, a, b), strict=True):
                np.testing.assert_array_equal(got, expected)


def test_a_scalar_cannot_be_assigned_into():
    @ag.jit
    def f(x):
        x[0] = 1

    with pytest.raises(TypeError, match="item assignment"):
        f(1.0)


def test_static_indices_are_checked_while_tracing():
    with pytest.raises(IndexError, match="index 5 is out of bounds for axis 0 with size 3"):
        ag.jit(lambda x: x[5])(np.zeros(3))
    with pytest.raises(IndexError, match="too many indices"):
        ag.jit(lambda x: x[0, 0])(np.zeros(3))


def test_a_value_that_does_not_fit_the_part_is_refused():
    def f(x, y):
        x[1:] = y

    with pytest.raises(ValueError, match="does not broadcast"):
        ag.jit(f)(np.zeros(3), np.zeros(5))


def test_empty_arrays_are_guarded_at_run_time():
    f = ag.function(lambda x, i: x[i])
    concrete = f.get_concrete_function(
        ag.TensorSpec([None], ag.float64), ag.TensorSpec([], ag.int64)
    )
    assert float(concrete(np.ones(2), np.int64(1))) == 1.0
    with pytest.raises(IndexError, match="size 0"):
        concrete(np.zeros(0), np.int64(0))
