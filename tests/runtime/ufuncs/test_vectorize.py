"""Ufuncs made of functions of numbers: everything that NumPy's own ufuncs do."""

from __future__ import annotations

import gc
import threading
from typing import Any

import numpy as np
import pytest

import agir as ag
from agir.errors import OperandTypeError


def larger_or_difference(x: Any, y: Any) -> Any:
    if x > y:
        return x + y
    return x - y


def collatz(n: Any) -> Any:
    steps = 0
    while n > 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        steps += 1
    return steps


def plus(x: Any, y: Any) -> Any:
    return x + y


DTYPES = ["i1", "i4", "i8", "u2", "f4", "f8"]


@pytest.fixture(scope="module")
def chosen() -> Any:
    return ag.vectorize(larger_or_difference)


@pytest.fixture(scope="module")
def total() -> Any:
    return ag.vectorize(plus, identity=0)


def by_python(function: Any, *arrays: Any) -> Any:
    """What the function gives for each element, one after the other."""
    several = np.broadcast_arrays(*arrays)
    with np.errstate(over="ignore"):
        return _by_python(function, several)


def _by_python(function: Any, several: Any) -> Any:
    found = [function(*each) for each in zip(*(a.ravel() for a in several), strict=True)]
    return np.array(found, dtype=found[0].dtype).reshape(several[0].shape)


def same(found: Any, expected: Any) -> None:
    assert np.asarray(found).dtype == np.asarray(expected).dtype
    np.testing.assert_array_equal(found, expected)


def test_it_is_a_ufunc(chosen: Any) -> None:
    assert type(chosen) is np.ufunc
    assert (chosen.nin, chosen.nout, chosen.signature) == (2, 1, None)
    assert chosen.__name__ == "larger_or_difference"


@pytest.mark.parametrize("left", DTYPES)
@pytest.mark.parametrize("right", DTYPES)
def test_dtypes(chosen: Any, left: str, right: str) -> None:
    x = np.array([3, 1, 7, 7], left)
    y = np.array([2, 1, 100, 6], right)
    same(chosen(x, y), by_python(larger_or_difference, x, y))


@pytest.mark.parametrize("dtype", ["c8", "c16", "?"])
def test_other_kinds(total: Any, dtype: str) -> None:
    x = np.array([0, 1, 1]).astype(dtype)
    same(total(x, x), x + x)


@pytest.mark.parametrize("dtype", [*DTYPES, "c8"])
@pytest.mark.parametrize("number", [2, 2.5, 2j])
def test_numbers_of_python_follow_the_array(total: Any, dtype: str, number: Any) -> None:
    x = np.array([1, 2, 3]).astype(dtype)
    same(total(x, number), np.add(x, number))


def test_ints_of_python_count() -> None:
    @ag.vectorize
    def power(x: Any, n: Any) -> Any:
        result = x * 0 + 1
        for _ in range(n):
            result = result * x
        return result

    for dtype in ("f4", "f8", "i4", "c8"):
        x = np.array([1, 2, 3], dtype)
        same(power(x, 3), x * x * x)


def test_both_dtypes_of_int64(total: Any) -> None:
    x = np.array([1, 2], np.longlong)
    same(total(x, np.float32(1)), np.array([2.0, 3.0]))
    same(total(np.float32(1), 1), np.float32(2))
    same(total(x, 1).astype("i8"), np.array([2, 3]))


def test_scalars(chosen: Any) -> None:
    same(chosen(3, 2), np.int64(5))
    same(chosen(2.0, 3), np.float64(-1.0))
    same(chosen(np.float32(1), np.float32(3)), np.float32(-2))


@pytest.mark.parametrize("size", [0, 1, 2, 7, 1000, 20_000])
def test_sizes(chosen: Any, size: int) -> None:
    rng = np.random.default_rng(size)
    x, y = rng.normal(size=size), rng.normal(size=size)
    same(chosen(x, y), np.where(x > y, x + y, x - y))


def test_strides_and_broadcasting(chosen: Any) -> None:
    x = np.arange(60.0).reshape(3, 4, 5)
    y = np.linspace(70, -10, 20).reshape(4, 5)
    for one, other in (
        (x, y), (x[::-1, ::2, 1:4], y[::2, 1:4]), (x.T, y.T[..., None]), (np.asfortranarray(x), 3.0),
        (x, y[:, :1]), (5.0, y),
    ):  # fmt: skip
        larger = np.greater(one, other)
        same(chosen(one, other), np.where(larger, np.add(one, other), np.subtract(one, other)))


def test_loops_in_the_function() -> None:
    steps = ag.vectorize(collatz)
    x = np.arange(1, 30)
    same(steps(x), np.array([collatz(int(n)) for n in x]))


def test_results_of_several_kinds() -> None:
    @ag.vectorize
    def clipped(x: Any, top: Any) -> Any:
        return 100 if x > top else x

    same(clipped(np.array([1, 7]), 5), np.array([1, 100]))
    same(clipped(np.array([1.5, 7.0]), 5), np.array([1.5, 100.0]))
    same(ag.vectorize(lambda x: x > 1)(np.array([1, 2])), np.array([False, True]))
    same(ag.vectorize(lambda x: 2)(np.array([1.0, 2.0])), np.array([2, 2]))


def test_operands_of_which_one_is_given() -> None:
    larger = ag.vectorize(lambda x, y: x if x > y else y)
    same(larger(1, 2.5), np.float64(2.5))
    same(larger(np.array([1, 7]), np.array([2.5, 3.0])), np.array([2.5, 7.0]))
    same(larger(np.float32(1.5), np.int64(7)), np.float64(7))


def test_several_results() -> None:
    @ag.vectorize(outputs=2)
    def split(x: Any) -> Any:
        whole = np.floor(x)
        return whole, x - whole

    x = np.array([1.25, -2.5, 3.0])
    whole, rest = split(x)
    same(whole, np.floor(x))
    same(rest, x - np.floor(x))


def test_reductions(total: Any) -> None:
    x = np.arange(24.0).reshape(2, 3, 4)
    for axis in (0, 1, 2, (0, 1), None):
        same(total.reduce(x, axis=axis), np.add.reduce(x, axis=axis))
    same(total.reduce(x, axis=1, keepdims=True), x.sum(axis=1, keepdims=True))
    same(total.reduce(x, axis=2, initial=10.0), x.sum(axis=2) + 10)
    same(total.reduce(x, axis=1, where=x > 5), np.add.reduce(x, axis=1, where=x > 5))
    same(total.reduce(np.array([], np.int64)), np.int64(0))


def test_reductions_without_an_identity(chosen: Any) -> None:
    def folded(items: Any) -> Any:
        value = items[0]
        for each in items[1:]:
            value = larger_or_difference(value, each)
        return value

    x = np.array([3.0, 1.0, 7.0, -2.0])
    same(chosen.reduce(x), folded(x))
    same(chosen.reduce(x.reshape(2, 2), axis=0), larger_or_difference_of_rows(x.reshape(2, 2)))
    with pytest.raises(ValueError, match="no identity"):
        chosen.reduce(np.array([]))


def larger_or_difference_of_rows(x: Any) -> Any:
    return np.where(x[0] > x[1], x[0] + x[1], x[0] - x[1])


@pytest.mark.parametrize("step", [1, 2, -1])
def test_accumulations(total: Any, chosen: Any, step: int) -> None:
    x = np.arange(12.0).reshape(3, 4)[:, ::step]
    for axis in (0, 1):
        same(total.accumulate(x, axis=axis), np.add.accumulate(x, axis=axis))
    values = [5.0]
    for each in (2.0, 9.0, -1.0):
        values.append(larger_or_difference(values[-1], each))
    same(chosen.accumulate(np.array([5.0, 2.0, 9.0, -1.0])), np.array(values))


def test_other_methods(total: Any) -> None:
    same(total.outer([1, 2], [10, 20, 30]), np.add.outer([1, 2], [10, 20, 30]))
    same(total.reduceat(np.arange(8), [0, 4, 1, 5]), np.add.reduceat(np.arange(8), [0, 4, 1, 5]))
    found, expected = np.zeros(4), np.zeros(4)
    total.at(found, [0, 0, 2], [1.0, 2.0, 5.0])
    np.add.at(expected, [0, 0, 2], [1.0, 2.0, 5.0])
    same(found, expected)


def test_out_and_where(total: Any, chosen: Any) -> None:
    x = np.arange(6.0)
    place = np.full(6, -1.0)
    assert total(x, 1, out=place, where=x > 2) is place
    same(place, np.where(x > 2, x + 1, -1.0))
    single = np.zeros(6, np.float32)
    total(x, x, out=single)
    same(single, (x + x).astype(np.float32))
    with pytest.raises(TypeError, match="Cannot cast"):
        total(x, x, out=np.zeros(6, np.int64))


def test_results_where_operands_lie(total: Any, chosen: Any) -> None:
    x = np.arange(6.0)
    total(x, x, out=x)
    same(x, 2 * np.arange(6.0))
    expected = by_python(larger_or_difference, x[1:], x[:-1])
    chosen(x[1:], x[:-1], out=x[1:])
    same(x[1:], expected)


def test_dtype_is_for_all_operands(total: Any) -> None:
    x = np.arange(3)
    same(total(x, x, dtype="f4"), np.add(x, x, dtype="f4"))
    with pytest.raises(TypeError):
        total(np.array([1j]), 1, dtype="f8")


def test_declared_types() -> None:
    product = ag.vectorize(["i4(i4, i4)", "ff->f", (np.float64, np.float64, np.float64)])(
        lambda x, y: x * y
    )
    same(product(np.int32(3), np.int32(4)), np.int32(12))
    same(product(np.float32(3), 4), np.float32(12))
    same(product(np.int64(3), 2.5), np.float64(7.5))
    same(product(np.array([1, 2], np.int16), np.array([3, 4], np.int8)), np.array([3, 8], np.int32))
    with pytest.raises(OperandTypeError, match="none takes a Python complex"):
        product(1j, np.complex128(2))


def test_the_declared_result_is_converted_to() -> None:
    halved = ag.vectorize("i8(i8)")(lambda x: x / 2)
    same(halved(np.array([5, 7])), np.array([2, 3]))


@pytest.mark.parametrize("wrong", ["f8", "f8(f8, f8)", "nothing(f8)", [("f8",)]])
def test_wrong_types(wrong: Any) -> None:
    with pytest.raises(OperandTypeError):
        ag.vectorize(wrong)(lambda x: x)


@pytest.mark.parametrize("operand", [np.array(["a"]), np.array([None]), np.array([1], "M8[s]")])
def test_what_are_no_numbers(operand: Any) -> None:
    negative = ag.vectorize(lambda x: -x)
    with pytest.raises(OperandTypeError, match="takes numbers"):
        negative(operand)


def test_wrong_numbers_of_results() -> None:
    with pytest.raises(OperandTypeError, match="is to give 1 results, and returns 2"):
        ag.vectorize(lambda x: (x, x))(1.0)
    with pytest.raises(OperandTypeError, match="is to give 2 results, and returns 1"):
        ag.vectorize(lambda x: x, outputs=2)(1.0)


def test_errors_of_the_function() -> None:
    @ag.vectorize
    def checked(x: Any) -> Any:
        if x < 0:
            raise ValueError("it is negative")
        return np.sqrt(x)

    same(checked(np.array([4.0, 9.0])), np.array([2.0, 3.0]))
    for _ in range(3):
        with pytest.raises(ValueError, match="it is negative"):
            checked(np.array([4.0, -9.0]))
    same(checked(np.array([4.0, 9.0])), np.array([2.0, 3.0]))


def test_what_cannot_be_recorded() -> None:
    @ag.vectorize
    def opened(x: Any) -> Any:
        return open(x)

    with pytest.raises(ag.errors.AgirError):
        opened(np.array([1.0]))


def test_in_compiled_functions(total: Any, chosen: Any) -> None:
    @ag.jit
    def both(x: Any, y: Any) -> Any:
        return total(x, y), chosen(x, 2.0), chosen(3.0, 2.0)

    x, y = np.arange(4.0), np.arange(4.0)[::-1].copy()
    found = both(x, y)
    same(found[0], x + y)
    same(found[1], chosen(x, 2.0))
    assert found[2] == 5.0


def test_threads(chosen: Any) -> None:
    rng = np.random.default_rng(1)
    pairs = [(rng.normal(size=30_000), rng.normal(size=30_000)) for _ in range(8)]
    found: dict[int, Any] = {}

    def work(n: int) -> None:
        for _ in range(20):
            found[n] = chosen(*pairs[n])

    threads = [threading.Thread(target=work, args=(n,)) for n in range(8)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    for n, (x, y) in enumerate(pairs):
        same(found[n], np.where(x > y, x + y, x - y))


def test_many_ufuncs() -> None:
    x = np.arange(3.0)
    made = [ag.vectorize(lambda x, n=n: x + n) for n in range(1)]  # a default is a parameter
    assert made[0].nin == 2
    several = [ag.vectorize(_adding(n)) for n in range(40)]
    gc.collect()
    for _ in range(3):
        for n, each in enumerate(several):
            same(each(x), x + n)


def _adding(n: int) -> Any:
    def added(x: Any) -> Any:
        return x + n

    return added


def test_parameters_that_are_no_operands() -> None:
    with pytest.raises(OperandTypeError, match="has no parameters"):
        ag.vectorize(lambda: 1)
    with pytest.raises(OperandTypeError, match=r"takes \*several"):
        ag.vectorize(lambda *several: several[0])

    def needing(x, *, n):
        return x * n

    with pytest.raises(OperandTypeError, match="needing takes n"):
        ag.vectorize(needing)

    @ag.vectorize
    def scaled(x, *, factor=3):
        return x * factor

    assert scaled.nin == 1
    assert scaled([1, 2]).tolist() == [3, 6]


@pytest.mark.parametrize("types", [None, ["f8(f8)"]])
def test_results_that_are_no_numbers(types: Any) -> None:
    def nothing(x):
        x + 1

    def text(x):
        return "text"

    def listed(x):
        return [x]

    with pytest.raises(
        OperandTypeError, match=r"nothing, at .*test_vectorize.py:\d+, returns None"
    ):
        ag.vectorize(nothing, types)(1.0)
    with pytest.raises(OperandTypeError, match=r"text, .*, returns a str"):
        ag.vectorize(text, types)(1.0)
    with pytest.raises(OperandTypeError, match=r"listed, .*, returns a list"):
        ag.vectorize(listed, types)(1.0)
