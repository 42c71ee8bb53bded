"""Functions that C calls."""

from __future__ import annotations

import ctypes
import sys
import threading
from typing import Any

import numpy as np
import pytest

import agir as ag
from agir.errors import (
    OperandTypeError,
    OverlappingArgumentsError,
    RuntimeZeroDivisionError,
)

Told = list[Any]


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> Told:
    """The errors that C's callers cannot get."""
    found: Told = []
    monkeypatch.setattr(sys, "unraisablehook", lambda each: found.append(each.exc_value))
    return found


def pointer(array: Any) -> Any:
    return np.ctypeslib.as_ctypes(array.reshape(-1))


SIGNED = ("int8_t", "short", "int", "long")
UNSIGNED = ("uint8_t", "unsigned short", "unsigned int", "unsigned long")


@pytest.mark.parametrize("name", [*SIGNED, *UNSIGNED])
def test_integers(name: str) -> None:
    def step(x, y):
        return x - y if x > y else y

    made = ag.cfunc(f"{name}({name}, {name})")(step)
    assert made.is_native
    kind = made.ctypes.restype
    bits = 8 * ctypes.sizeof(kind)
    low, high = (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1) if name in SIGNED else (0, 2**bits - 1)
    for x, y in ((5, 3), (3, 5), (high, 1), (low, low), (0, high)):
        assert made.ctypes(x, y) == step(x, y)
    assert made(9, 2) == 7


@pytest.mark.parametrize("name", ["float", "double"])
def test_floats(name: str) -> None:
    made = ag.cfunc(f"{name}({name}, int)")(lambda x, n: x * n + 0.5)
    assert made.is_native
    assert made.ctypes(1.25, 3) == 4.25
    assert made.ctypes(-2.0, 0) == 0.5


def test_truth_values() -> None:
    made = ag.cfunc("bool(bool, double)")(lambda flag, x: not flag and x > 1)
    assert made.is_native
    assert made.ctypes(False, 2.0) is True
    assert made.ctypes(True, 2.0) is False
    assert made.ctypes(False, 0.0) is False


def test_no_parameters_and_no_result() -> None:
    assert ag.cfunc("double()")(lambda: 1.5).ctypes() == 1.5

    @ag.cfunc("void(long *, long)")
    def put(where, value):
        where[0] = value

    cell = np.zeros(1, np.int64)
    assert put.ctypes(pointer(cell), 7) is None
    assert cell[0] == 7


def test_a_parameter_is_the_result() -> None:
    made = ag.cfunc("double(double, double)")(lambda x, y: y)
    assert made.ctypes(1.0, 2.0) == 2.0


def test_what_is_written_goes_there() -> None:
    @ag.cfunc("int(double *, long, double *)")
    def cumulated(values, n, result):
        x, y = ag.carray(values, (n,)), ag.carray(result, n)
        total = 0.0
        for i in range(n):
            total += x[i]
            y[i] = total
        x[:] = -1.0
        return n

    for n in (0, 1, 2, 1000):
        x, y = np.arange(float(n)), np.full(n + 1, 7.0)
        expected = np.cumsum(x)
        assert cumulated.is_native
        assert cumulated.ctypes(pointer(x), n, pointer(y)) == n
        np.testing.assert_array_equal(y, [*expected, 7.0])
        np.testing.assert_array_equal(x, np.full(n, -1.0))


def test_rows_and_columns() -> None:
    @ag.cfunc("double(float *, int, int)")
    def by_rows(values, n, m):
        x = ag.carray(values, (n, m), np.float32)
        x[0, 1] = 50
        return x[1, 0] * 100 + x.sum()

    @ag.cfunc("double(float *, int, int)")
    def by_columns(values, n, m):
        x = ag.farray(values, (n, m))
        x[0, 1] = 50
        return x[1, 0] * 100 + x.sum()

    for made, order in ((by_rows, "C"), (by_columns, "F")):
        x = np.arange(6, dtype=np.float32)
        expected = x.copy().reshape((2, 3), order=order)
        expected[0, 1] = 50
        assert made.ctypes(pointer(x), 2, 3) == expected[1, 0] * 100 + expected.sum()
        np.testing.assert_array_equal(x.reshape((2, 3), order=order), expected)


def test_old_contents_are_kept_where_they_are_needed() -> None:
    @ag.cfunc("double(double *, long, long)")
    def moved(values, n, times):
        x = ag.carray(values, n)
        old = x.copy()
        for k in range(times):
            if k % 2:
                x[1:] = x[:-1]
                x[0] = old[-1]
            else:
                x[:] = x[::-1] + old
        return old @ x

    x = np.arange(1.0, 6.0)
    expected = x.copy()
    result = moved(pointer(expected), 5, 5)
    assert moved.ctypes(pointer(x), 5, 5) == result
    np.testing.assert_array_equal(x, expected)


def test_pointers_to_anything() -> None:
    @ag.cfunc("double(double, void *)")
    def line(x, data):
        a = ag.carray(data, 2, np.float64)
        return a[0] * x + a[1]

    @ag.cfunc("double(double, void *)")
    def unused(x, data):
        return x + 1

    @ag.cfunc("long(bool, void *)")
    def perhaps(flag, data):
        if flag:
            return ag.carray(data, (3,), ag.int32).sum()
        return -1

    data = np.array([3.0, 4.0])
    assert line.is_native
    assert line.ctypes(2.0, pointer(data)) == 10.0
    data[:] = 1
    assert line.ctypes(2.0, pointer(data)) == 3.0
    assert unused.ctypes(2.0, None) == 3.0
    assert perhaps.ctypes(True, pointer(np.array([1, 2, 3], np.int32))) == 6
    assert perhaps.ctypes(False, None) == -1


def test_items_of_pointers() -> None:
    @ag.cfunc("void(double, double *, double *)")
    def lotka(t, u, du):
        du[0] = u[0] * (2 - u[1])
        du[1] = u[1] * (u[0] - 1)

    u, du = np.array([3.0, 0.5]), np.zeros(2)
    lotka.ctypes(0.0, pointer(u), pointer(du))
    np.testing.assert_array_equal(du, [4.5, 1.0])

    @ag.cfunc("double(double *, long)")
    def item(x, i):
        return x[i]

    assert item.ctypes(pointer(u), 1) == 0.5


def test_elements_before_the_first(told: Told) -> None:
    item = ag.cfunc("double(double *, long)")(lambda x, i: x[i])
    assert item.ctypes(pointer(np.ones(3)), -1) == 0.0
    with pytest.raises(IndexError, match="before the first"):
        item.raise_pending()


def test_errors(told: Told) -> None:
    @ag.cfunc("long(long, double *)")
    def share(n, found):
        found[0] = 1.0
        return 100 // n

    found = np.zeros(1)
    assert share.ctypes(7, pointer(found)) == 14
    assert share.ctypes(0, pointer(found)) == 0
    assert share.ctypes(0, pointer(found)) == 0
    assert len(told) == 1
    with pytest.raises(RuntimeZeroDivisionError, match=r"test_cfunc.py:\d+, in share"):
        share.raise_pending()
    share.raise_pending()
    assert share.ctypes(0, pointer(found)) == 0
    assert len(told) == 2


def test_nothing_is_read_after_an_error(told: Told) -> None:
    @ag.cfunc("double(double *, long)")
    def first(values, n):
        if n == 0:
            raise ValueError("nothing there")
        return values[0] + ag.carray(values, 5).sum() + values[n]

    @ag.cfunc("double(double *, long)")
    def in_a_loop(values, n):
        total = 0.0
        for i in range(3):
            if i >= n:
                raise ValueError("nothing there")
            total += values[i << 30]
        values[0] = 5.0
        return total

    x = np.arange(6.0)
    assert first.ctypes(pointer(x), 1) == 11.0
    assert in_a_loop.ctypes(pointer(x), 1) == 0.0
    assert x[0] == 0.0
    for each in (first, in_a_loop):
        assert each.ctypes(None, 0) == 0.0
        with pytest.raises(ValueError, match="nothing there"):
            each.raise_pending()


def test_errors_of_bounds_and_of_the_program(told: Told) -> None:
    @ag.cfunc("double(double *, long, long)")
    def checked(values, n, i):
        x = ag.carray(values, n)
        if x[0] < 0:
            raise ValueError("negative")
        return x[i]

    x = np.arange(1.0, 4.0)
    assert checked.ctypes(pointer(x), 3, -1) == 3.0
    assert checked.ctypes(pointer(x), 3, 3) == 0.0
    with pytest.raises(IndexError, match="3"):
        checked.raise_pending()
    assert checked.ctypes(pointer(-x), 3, 0) == 0.0
    with pytest.raises(ValueError, match="negative"):
        checked.raise_pending()
    assert checked.ctypes(pointer(x), -3, 0) == 0.0
    with pytest.raises(ValueError, match="negative dimensions"):
        checked.raise_pending()


def test_one_address_for_two_pointers(told: Told) -> None:
    @ag.cfunc("void(double *, double *)")
    def copied(source, target):
        target[0] = source[0]
        target[1] = source[0]

    @ag.cfunc("double(double *, double *)")
    def read(one, other):
        return one[0] + other[1]

    x, y = np.array([1.0, 2.0]), np.zeros(2)
    copied.ctypes(pointer(x), pointer(y))
    assert y.tolist() == [1.0, 1.0]
    copied.ctypes(pointer(x), pointer(x))
    assert x.tolist() == [1.0, 2.0]
    with pytest.raises(OverlappingArgumentsError, match="parameters 0 and 1"):
        copied.raise_pending()
    assert read.ctypes(pointer(x), pointer(x)) == 3.0


def test_what_is_outside() -> None:
    table = np.array([1.0, 2.0, 3.0])
    factor = 10
    made = ag.cfunc("double(long)")(lambda i: table[i] * factor)
    assert made.is_native
    assert made.ctypes(1) == 20.0
    table[1] = 5.0
    assert made.ctypes(1) == 50.0


def test_arrays_outside_that_are_written() -> None:
    counts = np.zeros(3, np.int64)

    @ag.cfunc("void(long)")
    def count(i):
        counts[i] += 1

    for i in (1, 1, 2):
        count.ctypes(i)
    assert counts.tolist() == [0, 2, 1]


def test_functions_that_need_python(capfd: pytest.CaptureFixture[str], told: Told) -> None:
    @ag.cfunc("double(double, double *)")
    def shown(x, y):
        print("got", x, y[1])
        y[0] = x
        return x / y[1]

    assert not shown.is_native
    y = np.array([0.0, 4.0])
    assert shown.ctypes(2.0, pointer(y)) == 0.5
    assert y[0] == 2.0
    y[1] = 0.0
    assert shown.ctypes(2.0, pointer(y)) == 0.0
    assert capfd.readouterr().out == "got 2.0 4.0\ngot 2.0 0.0\n"
    with pytest.raises(ZeroDivisionError):
        shown.raise_pending()


def test_threads() -> None:
    @ag.cfunc("double(double *, long)")
    def total(values, n):
        x = ag.carray(values, n)
        found = 0.0
        for i in range(n):
            found += x[i] * x[i] if x[i] > 0 else 1.0
        return found

    inputs = [np.random.default_rng(n).normal(size=5000 + n) for n in range(8)]
    expected = [total(pointer(x), len(x)) for x in inputs]
    found: dict[int, set[float]] = {n: set() for n in range(8)}

    def work(n: int) -> None:
        for _ in range(200):
            found[n].add(total.ctypes(pointer(inputs[n]), len(inputs[n])))

    threads = [threading.Thread(target=work, args=(n,)) for n in range(8)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert found == {n: {value} for n, value in enumerate(expected)}


def test_recursion_and_helpers() -> None:
    def helper(n):
        return 1 if n < 2 else helper(n - 1) + helper(n - 2)

    made = ag.cfunc("long(long)")(helper)
    assert [made.ctypes(n) for n in range(10)] == [helper(n) for n in range(10)]


def test_called_by_compiled_functions() -> None:
    square = ag.cfunc("double(double)")(lambda x: x * x)

    @ag.jit
    def twice(x):
        return square(x) + square(x + 1)

    assert twice(2.0) == 13.0


def test_what_it_is() -> None:
    @ag.cfunc("double(double)")
    def half(x):
        """Halves."""
        return x / 2

    assert (half.__name__, half.__doc__) == ("half", "Halves.")
    assert half.address == ctypes.cast(half.ctypes, ctypes.c_void_p).value
    assert half.native_name in half.inspect_llvm()
    keep = half.ctypes
    del half
    assert keep(3.0) == 1.5


def test_cffi() -> None:
    cffi = pytest.importorskip("cffi")
    half = ag.cfunc("double(double)")(lambda x: x / 2)
    called = cffi.FFI().cast("double (*)(double)", half.cffi)
    assert called(3.0) == 1.5


def test_refusals() -> None:
    identity = ag.cfunc("double(double)")
    with pytest.raises(OperandTypeError, match="has 2 parameters, and its signature 1"):
        identity(lambda x, y: x)
    with pytest.raises(OperandTypeError, match="returns None"):
        identity(lambda x: None)
    with pytest.raises(OperandTypeError, match="returns a str"):
        identity(lambda x: "text")
    with pytest.raises(OperandTypeError, match="is not understood"):
        ag.cfunc("double(dubble)")(lambda x: x)
    with pytest.raises(OperandTypeError, match="no complex128"):
        ag.cfunc("complex128(double)")(lambda x: x)
    with pytest.raises(OperandTypeError, match="no array"):
        ag.cfunc("double(double[:])")(lambda x: x[0])
    with pytest.raises(OperandTypeError, match="give one number"):
        ag.cfunc("double *(double)")(lambda x: x)
    with pytest.raises(OperandTypeError, match="is not like"):
        ag.cfunc("double")(lambda x: x)
    with pytest.raises(OperandTypeError, match="a pointer to float64"):
        ag.cfunc("double(double *)")(lambda p: ag.carray(p, 1, np.int32)[0])
    with pytest.raises(OperandTypeError, match="needs a dtype"):
        ag.cfunc("double(void *)")(lambda p: ag.carray(p, 1)[0])


def test_carray_of_ctypes() -> None:
    x = np.arange(6.0)
    typed = x.ctypes.data_as(ctypes.POINTER(ctypes.c_double))
    np.testing.assert_array_equal(ag.carray(typed, (2, 3)), x.reshape(2, 3))
    np.testing.assert_array_equal(ag.farray(typed, (2, 3)), x.reshape(3, 2).T)
    view = ag.carray(x.ctypes.data_as(ctypes.c_void_p), 6, np.float64)
    view[0] = 7
    assert x[0] == 7
    with pytest.raises(OperandTypeError, match="needs a dtype"):
        ag.carray(x.ctypes.data_as(ctypes.c_void_p), 6)
    with pytest.raises(OperandTypeError, match="does not point to"):
        ag.carray(typed, 6, np.int64)


def test_messages_with_numbers(told: Told) -> None:
    @ag.cfunc("void(double *, long)")
    def put(where, n):
        where[0] = 1.0
        if n < 0:
            raise ValueError(f"{n} is negative")
        where[1] = 2.0

    x = np.zeros(2)
    assert put.is_native
    put.ctypes(pointer(x), -3)
    assert x.tolist() == [1.0, 0.0]
    with pytest.raises(ValueError, match="-3 is negative"):
        put.raise_pending()
    put.ctypes(pointer(x), 3)
    assert x.tolist() == [1.0, 2.0]
