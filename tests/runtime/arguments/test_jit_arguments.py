"""What ``@ag.jit`` makes of arguments: numbers, structures, defaults, mutation, methods."""

from __future__ import annotations

import dataclasses
from typing import Any, NamedTuple

import numpy as np
import pytest

import agir as ag

from ..ways import note

X = np.arange(6.0).reshape(2, 3)


@pytest.mark.parametrize("jit_compile", [None, False])
def test_numbers_share_a_trace_and_are_weak(jit_compile):
    f = ag.jit(lambda x, a: x * a, jit_compile=jit_compile)
    for number in (0.1, 0.2, -3.5, 1e300):
        np.testing.assert_array_equal(f(X, number), X * number)
    assert f.experimental_get_tracing_count() == 1
    narrow = X.astype(np.float32)
    assert f(narrow, 0.1).dtype == np.float32
    assert f(narrow, np.float64(0.1)).dtype == np.float64
    assert f(narrow.astype(np.int8), 3).dtype == np.int8


@pytest.mark.parametrize("value", [3, 2.5, True, 1 + 2j, np.float32(2), np.int8(3), np.bool_(True)])
def test_scalars_come_back_as_they_do_from_plain_python(value):
    found = ag.jit(lambda a: a + a)(value)
    assert (type(found), found) == (type(value + value), value + value)


def test_sizes_and_bounds_come_from_numbers():
    @ag.jit
    def squares(n):
        out = np.zeros(n)
        for i in range(n):
            out[i] = i * i
        return out

    for n in (4, 0, np.int64(7)):
        np.testing.assert_array_equal(squares(n), np.arange(n) ** 2.0)
    assert squares.experimental_get_tracing_count() == 2  # an int, and an int64


def test_shapes_that_depend_on_numbers_are_numbers():
    @ag.jit
    def f(n):
        table = np.ones((n, 3))
        rows, columns = table.shape
        return np.zeros(table.shape[0] + 1), rows * columns

    zeros, count = f(4)
    assert zeros.shape == (5,)
    assert count == 12


def test_static_names_are_constants():
    seen: list[Any] = []

    @ag.jit(static=("n", "mode"))
    def f(x, n, mode="times"):
        note(seen, (n, mode))
        return x * n if mode == "times" else x + n

    np.testing.assert_array_equal(f(X, 2), X * 2)
    np.testing.assert_array_equal(f(X, n=3, mode="plus"), X + 3)
    np.testing.assert_array_equal(f(X, 3, "plus"), X + 3)
    assert seen == [(2, "times"), (3, "plus")]
    with pytest.raises(ValueError, match="static names no parameter"):
        ag.jit(static="m")(lambda x, n: x)


def test_keywords_defaults_and_stars():
    @ag.jit
    def f(x, /, a=2.0, *more, b=3, **others):
        total = x * a + b
        for each in more:
            total = total + each
        return total + others.get("c", 0)

    def plain(x, /, a=2.0, *more, b=3, **others):
        return x * a + b + sum(more) + others.get("c", 0)

    for args, kwargs in [
        ((X,), {}),
        ((X, 1.5), {"b": 1}),
        ((X,), {"a": 1.5, "c": 5}),
        ((X, 1.0, X, X), {"b": 2.5}),
    ]:
        np.testing.assert_allclose(f(*args, **kwargs), plain(*args, **kwargs))
    with pytest.raises(TypeError, match="missing a required argument"):
        f()


@dataclasses.dataclass
class Body:
    position: Any
    mass: float


class Pair(NamedTuple):
    left: Any
    right: float


def test_structures_go_in_and_out_and_their_arrays_are_written_into():
    @ag.jit
    def f(d, body, pair, items):
        d["a"][0] = 9
        body.position[1] += body.mass
        pair.left[...] = pair.right
        items[0][:] = items[1]
        return {"sum": d["a"] + d["b"]}, Body(body.position * 2, body.mass), Pair(X, pair.right)

    arrays = [X.copy() for _ in range(6)]
    d, body = {"a": arrays[0], "b": arrays[1]}, Body(arrays[2], 2.0)
    sums, twice, pair = f(d, body, Pair(arrays[3], 7.0), [arrays[4], arrays[5] + 1])
    assert arrays[0][0].tolist() == [9, 9, 9]
    assert arrays[2][1].tolist() == [5, 6, 7]
    assert arrays[3].tolist() == [[7] * 3] * 2
    np.testing.assert_array_equal(arrays[4], X + 1)
    np.testing.assert_array_equal(sums["sum"], arrays[0] + arrays[1])
    assert type(twice) is Body
    assert type(pair) is Pair
    np.testing.assert_array_equal(twice.position, arrays[2] * 2)


def update(a):
    a[0] = 7
    a[-1] += 1
    return a


@pytest.mark.parametrize("jit_compile", [None, False])
@pytest.mark.parametrize(
    "view",
    [
        lambda x: x,
        lambda x: x[::-1],
        lambda x: x[:, ::2],
        lambda x: x.T,
        lambda x: x[1:, 1:],
        lambda x: x[..., 0],
    ],
)
@pytest.mark.parametrize("rows", [4, 200])
def test_views_are_written_into(view, rows, jit_compile):
    plain = np.arange(rows * 90.0).reshape(rows, 90)
    given = plain.copy()
    passed = view(given)
    found = ag.jit(update, jit_compile=jit_compile)(passed)
    wanted = update(view(plain))
    np.testing.assert_array_equal(given, plain)
    np.testing.assert_array_equal(found, wanted)
    assert found is passed


def test_arrays_that_numpy_has_to_copy_are_written_into():
    swapped = np.arange(4.0).astype(">f8")
    unaligned = np.zeros(33, np.uint8)[1:].view(np.float64)
    unaligned[:] = np.arange(4.0)
    for array in (swapped, unaligned):
        ag.jit(update)(array)
        assert array.tolist() == [7, 1, 2, 4]


@pytest.mark.parametrize("make", [np.arange, lambda n: np.broadcast_to(0.0, (n,))])
def test_read_only_arrays_are_read_and_not_written(make):
    array = make(4)
    array.flags.writeable = False
    np.testing.assert_array_equal(ag.jit(lambda a: a + 1)(array), array + 1)
    with pytest.raises(ValueError, match=r"the array is read-only"):
        ag.jit(update)(array)


def test_nothing_is_written_where_the_call_fails():
    @ag.jit
    def f(a, i):
        a[0] = 7
        return a[i]

    array = np.arange(4.0)
    with pytest.raises(IndexError):
        f(array, 9)
    assert array.tolist() == [0, 1, 2, 3]
    f(array, 1)
    assert array[0] == 7


def test_results_are_arrays_that_numpy_owns():
    for size in (3, 5000):
        given = np.ones(size)
        found = ag.jit(lambda a: a * 2)(given)
        assert type(found) is np.ndarray
        assert found.flags.writeable
        assert found.flags.c_contiguous
        assert not np.shares_memory(found, given)
        found += 1
        kept = found[1:]
        del found
        np.testing.assert_array_equal(kept, np.full(size - 1, 3.0))


class Counter:
    scale = 2.0

    @ag.jit
    def method(self, x):
        return x * self.scale

    @staticmethod
    @ag.jit
    def inside_static(x):
        return x + 1

    @ag.jit
    @staticmethod
    def around_static(x):
        return x + 2

    @classmethod
    @ag.jit
    def inside_class(cls, x):
        return x * cls.scale

    @ag.jit
    @classmethod
    def around_class(cls, x):
        return x * cls.scale + 1

    @property
    @ag.jit
    def doubled(self):
        return self.scale * 2

    @ag.jit
    def __call__(self, x):
        return self.method(x) + 1


def test_methods_of_all_kinds():
    one = Counter()
    np.testing.assert_array_equal(one.method(X), X * 2)
    np.testing.assert_array_equal(Counter.method(one, X), X * 2)
    for holder in (one, Counter):
        np.testing.assert_array_equal(holder.inside_static(X), X + 1)
        np.testing.assert_array_equal(holder.around_static(X), X + 2)
        np.testing.assert_array_equal(holder.inside_class(X), X * 2)
        np.testing.assert_array_equal(holder.around_class(X), X * 2 + 1)
    assert one.doubled == 4
    np.testing.assert_array_equal(one(X), X * 2 + 1)


def test_stages_signatures_and_explanations():
    f = ag.jit(lambda x, a: x * a)
    f(X, 0.5)
    f(X, 2)
    assert "func.func" in f.experimental_get_compiler_ir(X, 0.5)(stage="hlo")
    assert "argument 'a' has another dtype" in f.explain_retracing()
    assert "a: float64 Tensor, shape=()" in f.pretty_printed_concrete_signatures()
    concrete = f.get_concrete_function(ag.TensorSpec([None, 3], ag.float64), 0.5)
    np.testing.assert_array_equal(concrete(X, 3.0), X * 3)


@pytest.mark.parametrize("mode", [None, False])
@pytest.mark.parametrize("number", [2**63, 2**64 - 1, 2**70, -(2**63) - 1])
def test_integers_of_python_that_do_not_fit(mode, number):
    f = ag.jit(lambda n: n, jit_compile=mode)
    with pytest.raises(OverflowError, match=rf"argument 'n'.* {number} is out of bounds for int64"):
        f(number)
    assert f(2**63 - 1) == 2**63 - 1
    assert f(-(2**63)) == -(2**63)
    for _ in range(200):  # some of them by the short ways
        f(1)
    with pytest.raises(OverflowError):
        f(number)
    with pytest.raises(OverflowError):
        ag.jit(lambda numbers: numbers[0], jit_compile=mode)([number])


@pytest.mark.parametrize("function", [int, max])
def test_functions_whose_parameters_python_does_not_know(function):
    with pytest.raises(TypeError, match="decorate a function that calls it"):
        ag.jit(function)
