"""What arrays of NumPy's take of Python: numbers that fit, and NumPy's errors for those that do not."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest

import agir as ag

VALUES: list[Any] = [3, 300, -1, 2**40, 2**70, 1.5, -0.5, float("nan"), 1e30, 1j, None, "a", [1, 2, 3],
                     [300, -1, 2], True, np.int64(300), np.array([300, 1, 2])]  # fmt: skip


def element(v: Any, x: Any) -> None:
    v[0] = x


def whole(v: Any, x: Any) -> None:
    v[:] = x


def masked(v: Any, x: Any) -> None:
    v[v > 0] = x


def listed(v: Any, x: Any) -> None:
    v[[0, -1]] = x


def filled(v: Any, x: Any) -> None:
    v.fill(x)


def put(v: Any, x: Any) -> None:
    np.put(v, [0, 1], x)


def flat(v: Any, x: Any) -> None:
    v.flat = x


def flat_element(v: Any, x: Any) -> None:
    v.flat[0] = x


def put_where(v: Any, x: Any) -> None:
    np.putmask(v, v > 0, x)


def placed(v: Any, x: Any) -> None:
    np.place(v, v > 0, x)


def full(v: Any, x: Any) -> Any:
    return np.full(3, x, v.dtype)


def full_like(v: Any, x: Any) -> Any:
    return np.full_like(v, x)


def began(v: Any, x: Any) -> Any:
    return np.max(v, initial=x)


def added(v: Any, x: Any) -> Any:
    v += x
    return v


def power(v: Any, x: Any) -> Any:
    return v**x


def compared(v: Any, x: Any) -> Any:
    return v == x


STATEMENTS = [element, whole, masked, listed, filled, put, flat, flat_element, put_where, placed, full,
              full_like, began, added, power, compared]  # fmt: skip


def outcome(f: Any, array: Any) -> Any:
    """(None, the result, the array), or the error's class; None where C leaves the result open."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            found = None, f(array), array
        except Exception as error:
            return next(t for t in type(error).__mro__ if t.__module__ == "builtins"), None, array
    return None if any("cast" in str(w.message).lower() for w in caught) else found


def is_alike(got: Any, wanted: Any) -> bool:
    if wanted[0] is not None:
        return isinstance(got[0], type) and issubclass(got[0], wanted[0])
    if got[0] is not None:
        return False
    return all(map(is_same, got[1:], wanted[1:]))


def is_same(a: Any, b: Any) -> bool:
    if a is None or b is None:
        return a is b
    left, right = np.asarray(a), np.asarray(b)
    nan = left.dtype.kind in "fc"
    return left.dtype == right.dtype and np.array_equal(left, right, equal_nan=nan)


@pytest.mark.parametrize("dtype", ["uint8", "int8", "int64", "bool", "float32"])
@pytest.mark.parametrize("statement", STATEMENTS, ids=lambda f: f.__name__)
def test_what_python_has_is_stored_as_numpy_stores_it(statement: Any, dtype: str) -> None:
    for value in VALUES:
        if dtype == "bool" and type(value) is int and value > 2**63:
            continue  # an int64 first, for NumPy

        def f(v: Any, value: Any = value) -> Any:
            return statement(v, value)

        array = np.array([1, 0, 2], dtype)
        wanted = outcome(f, array.copy())
        if wanted is None or (wanted[1] is not None and np.asarray(wanted[1]).dtype.kind in "OU"):
            continue
        got = outcome(ag.jit(lambda v, f=f: f(v), jit_compile=False), array.copy())
        assert is_alike(got, wanted), (value, got, wanted)


RUN_TIME = [3, 1.5, 255.5, -0.5, float("nan"), float("inf"), 1e30]


@pytest.mark.parametrize("dtype", ["uint8", "int32", "int64", "uint64"])
@pytest.mark.parametrize(
    "statement", [element, whole, masked, listed, filled, put, flat], ids=lambda f: f.__name__
)
def test_floats_of_the_run_time_are_looked_at(statement: Any, dtype: str) -> None:
    compiled = ag.jit(statement)
    for value in RUN_TIME:
        array, changed = np.array([1, 0, 2], dtype), np.array([1, 0, 2], dtype)
        wanted = outcome(lambda v, x=value: statement(v, x), array)
        got = outcome(lambda v, x=value: compiled(v, x), changed)
        assert got[0] is wanted[0] or issubclass(got[0], wanted[0]), value
        np.testing.assert_array_equal(changed, array)


@pytest.mark.parametrize("dtype", ["uint8", "int8", "int32", "int64", "uint64"])
@pytest.mark.parametrize("statement", STATEMENTS, ids=lambda f: f.__name__)
@pytest.mark.parametrize("options", [{}, {"jit_compile": False}], ids=["compiled", "interpreted"])
def test_ints_of_the_run_time_are_looked_at(options: Any, statement: Any, dtype: str) -> None:
    compiled = ag.jit(statement, **options)
    for value in (3, 300, -1, 2**40, -(2**40)):
        array, changed = np.array([1, 0, 2], dtype), np.array([1, 0, 2], dtype)
        wanted = outcome(lambda v, x=value: statement(v, x), array)
        got = outcome(lambda v, x=value: compiled(v, x), changed)
        assert is_alike(got, wanted), value


SOURCES = {
    "int16": [3, 300, -1], "int64": [3, 300, 2**40, -(2**40)], "uint64": [3, 300, 2**63 + 5],
    "uint8": [3, 200], "bool": [True], "float16": [3.5, 300, np.inf], "float32": [3.5, 1e10, np.nan],
    "float64": [3.5, -128.5, -129.5, 2.0**63, -np.inf, np.nan],
}  # fmt: skip


@pytest.mark.parametrize("dtype", ["uint8", "int8", "int32", "int64"])
@pytest.mark.parametrize("source", SOURCES)
@pytest.mark.parametrize(
    "statement",
    [element, whole, masked, listed, filled, put, flat, flat_element, put_where, full_like, began],
    ids=lambda f: f.__name__,
)
def test_elements_of_other_arrays_are_stored_as_numpy_stores_them(
    statement: Any, source: str, dtype: str
) -> None:
    def f(v: Any, x: Any) -> Any:
        return statement(v, x[0])

    compiled = ag.jit(f, jit_compile=False)
    for value in SOURCES[source]:
        array, changed = np.array([1, 0, 2], dtype), np.array([1, 0, 2], dtype)
        x = np.array([value], source)
        wanted = outcome(lambda v, x=x: f(v, x), array)
        if wanted is None or (wanted[0] is TypeError and statement is began):
            continue
        got = outcome(lambda v, x=x: compiled(v, x), changed)
        assert is_alike(got, wanted), (value, got, wanted)


def test_elements_of_other_arrays_in_loops() -> None:
    def f(v: Any, x: Any) -> None:
        for i in range(x.shape[0]):
            v[i] = x[i] * 2

    compiled = ag.jit(f)
    for last in (5, 64):
        array, changed = np.zeros(5, np.int8), np.zeros(5, np.int8)
        x = np.array([1, -64, 63, 4, last])
        wanted = outcome(lambda v, x=x: f(v, x), array)
        assert is_alike(outcome(lambda v, x=x: compiled(v, x), changed), wanted)


def clipped(v: Any, lo: int, hi: int) -> Any:
    return np.clip(v, lo, hi)


@pytest.mark.parametrize("dtype", ["uint8", "int8", "int64"])
def test_bounds_that_no_number_of_the_dtype_passes_are_none(dtype: str) -> None:
    compiled = ag.jit(clipped)
    for low, high in ((0, 300), (-500, 1), (0, -1), (300, 400), (-500, -300), (0, 1)):
        array = np.arange(3, dtype=dtype)
        wanted = outcome(lambda v, a=low, b=high: clipped(v, a, b), array)
        got = outcome(lambda v, a=low, b=high: compiled(v, a, b), array)
        assert is_alike(got, wanted), (low, high)


def counter(u: Any, n: int) -> None:
    for i in range(n):
        u[i] = i


def sums(u: Any, n: int) -> None:
    for i in range(n):
        for j in range(i, n):
            u[j] = i + 2 * j - 3


def given(u: Any, n: int) -> None:
    for i in range(u.shape[0]):
        u[i] = n


def counted(u: Any, n: int) -> None:
    k = 0
    while k < n:
        u[k] = k
        k += 3


def jumps(u: Any, n: int) -> None:
    k = n
    while k < 290:
        u[k] = k - n
        k = k * 2 + 1


def remainders(u: Any, n: int) -> None:
    for i in range(-5, n):
        u[i] = i % 120
        u[i + 1] = min(max(i, 0), 127)


def elements(u: Any, n: int) -> Any:
    total = np.zeros_like(u)
    for i in range(n):
        total[i] = u[i] * i + n
    return total


@pytest.mark.parametrize("dtype", ["uint8", "int8", "uint16", "int32", "uint64"])
@pytest.mark.parametrize("loop", [counter, sums, given, counted, jumps, remainders, elements],
                         ids=lambda f: f.__name__)  # fmt: skip
def test_ints_that_loops_count_are_looked_at(loop: Any, dtype: str) -> None:
    compiled = ag.jit(loop)
    for n in (0, 1, 5, 60, 127, 130, 257, 280, -300):
        array, changed = np.zeros(300, dtype), np.zeros(300, dtype)
        wanted, got = (
            outcome(lambda v, n=n: loop(v, n), array),
            outcome(lambda v, n=n: compiled(v, n), changed),
        )
        assert is_alike(got, wanted), (n, got, wanted)


def from_a_number(u: Any, n: int, c: int) -> Any:
    k = n
    for i in range(c):
        k = u[i]
    return k


def on_one_path(u: Any, n: int, c: int) -> Any:
    k = u[0]
    for i in range(c):
        if i > 1:
            k = n + i
    return k


def chosen(u: Any, n: int, c: int) -> Any:
    return u[0] if c > 1 else n


@pytest.mark.parametrize("options", [{}, {"jit_compile": False}], ids=["compiled", "interpreted"])
@pytest.mark.parametrize("f", [from_a_number, on_one_path, chosen], ids=lambda f: f.__name__)
def test_names_of_ints_and_elements_hold_no_other_number(f: Any, options: Any) -> None:
    compiled = ag.jit(f, **options)
    for n in (5, 300, -1):
        for count in (0, 1, 3):
            u = np.arange(3, dtype=np.uint8)
            try:
                found = compiled(u, n, count)
            except OverflowError:
                assert n != 5
            else:
                assert int(found) == f(u, n, count)


def test_float16_is_rounded_once() -> None:
    near = 1 + 2.0**-11 + np.array([0, 2.0**-30, -(2.0**-30), 2.0**-40])
    special = [np.nan, np.inf, -np.inf, 65519.99999, 65520, -0.0, 1e-320, 5e-8, 2.0**-25, 1e300]
    rest = np.arange(2.0**11, 2.0**12, 0.5) + 2.0**-33
    x = np.concatenate([near, -near, near * 2.0**-15, near * 2.0**-24, special, rest])
    with np.errstate(all="ignore"):
        wanted = x.astype(np.float16)
    for options in ({}, {"jit_compile": False}):
        found = ag.jit(lambda v: v.astype(np.float16), **options)(x)
        np.testing.assert_array_equal(found, wanted)
        np.testing.assert_array_equal(np.signbit(found), np.signbit(wanted))


def test_no_element_to_a_negative_power_is_no_error() -> None:
    def f(v: Any, n: int) -> Any:
        v[n:] **= -2
        return v

    compiled = ag.jit(
        f, input_signature=[ag.TensorSpec([None], np.int64), ag.TensorSpec([], np.int64)]
    )
    np.testing.assert_array_equal(compiled(np.arange(3), 3), np.arange(3))
    with pytest.raises(ValueError, match="negative integer powers"):
        compiled(np.arange(3), 2)


@pytest.mark.parametrize("options", [{}, {"jit_compile": False}], ids=["compiled", "interpreted"])
@pytest.mark.parametrize("side", ["left", "right"])
def test_places_among_complex_numbers(side: Any, options: Any) -> None:
    rng = np.random.default_rng(1)
    draw = lambda n: rng.integers(-2, 3, n) + 1j * rng.integers(-2, 3, n)  # noqa: E731
    v = np.concatenate([draw(30), [np.nan, 1 + 1j * np.nan, np.nan + 2j, -0.0, 0, -0.0j]])

    def f(x: Any, y: Any) -> Any:
        return np.searchsorted(x, y, side)

    for a in (np.sort(draw(12)), np.sort(v), v[:0], np.sort(draw(5)).astype("c8")):
        for values in (v, v.real, v[3], v.reshape(6, 6)):
            np.testing.assert_array_equal(ag.jit(f, **options)(a, values), f(a, values))
    for bins in ([0, 1, 2, 4], np.array([0, 1j, 2 + 1j])):
        found = ag.jit(lambda x, b=bins: np.histogram(x, b)[0], **options)(v[:30])
        np.testing.assert_array_equal(found, np.histogram(v[:30], bins)[0])


def has_a_loop_without_checks(f: Any, *arguments: Any) -> bool:
    text = ag.jit(f).experimental_get_compiler_ir(*arguments)("loops")
    branches = [each.split("} else {")[0] for each in text.split("scf.if")[1:]]
    return any(" scf.for %" in each for each in branches)


@pytest.mark.parametrize("loop", [counter, given, elements], ids=lambda f: f.__name__)
def test_bounds_of_loops_make_checks_in_them_needless(loop: Any) -> None:
    assert has_a_loop_without_checks(loop, np.zeros(300, np.int32), 20)


def test_real_parts_of_complex_arrays_are_stored_with_a_warning() -> None:
    @ag.jit
    def f(v: Any, z: Any) -> Any:
        v[:] = z
        return v

    with pytest.warns(np.exceptions.ComplexWarning):
        np.testing.assert_array_equal(f(np.zeros(2), np.array([1 + 2j, 3j])), [1, 0])


@pytest.mark.filterwarnings("ignore::numpy.exceptions.ComplexWarning")
def test_shapes_are_compared_before_dtypes() -> None:
    spec = [ag.TensorSpec([None], np.float64), ag.TensorSpec([None], np.complex128)]

    @ag.jit(input_signature=spec)
    def f(v: Any, z: Any) -> Any:
        v[1:] = z
        return v

    with pytest.raises(ValueError, match=r"size"):
        f(np.zeros(3), np.ones(3, complex))


def test_an_array_broadcast_against_nothing_is_an_error_and_reads_nothing() -> None:
    @ag.jit(jit_compile=False)
    def f(v: Any) -> Any:
        v[1:] += v[v > 9]
        return v

    with pytest.raises(ValueError, match=r"broadcast|size"):
        f(np.arange(5))


def test_powers_of_great_unsigned_exponents() -> None:
    def f(v: Any) -> Any:
        v **= v
        return v

    array = np.array([3, 2**63 + 5, 7, 0], np.uint64)
    for options in ({}, {"jit_compile": False}):
        np.testing.assert_array_equal(ag.jit(f, **options)(array.copy()), f(array.copy()))


@pytest.mark.parametrize("name", ["maximum", "minimum", "median", "sort"])
def test_order_of_complex_numbers(name: str) -> None:
    z = np.array([[1 + 2j, 1 - 1j, 0, 3j], [2, 1, 1 + 1j, np.nan]])
    f = (lambda v: getattr(np, name)(v, v[::-1])) if "imum" in name else getattr(np, name)
    for each in (z, z[:, :3], z[:1]):
        np.testing.assert_array_equal(ag.jit(lambda v: f(v))(each), f(each))


@pytest.mark.parametrize("options", [{}, {"trim": "f"}, {"trim": "B"}, {"axis": 0}, {"axis": -1}])
def test_zeros_around_arrays_of_all_dimensions(options: dict[str, Any]) -> None:
    for x in ([[0, 0, 2, 3, 0], [0, 1, 0, 3, 0], [0] * 5], [[0, 0]], [0, 1, 2, 0], [[], []]):
        array = np.array(x)
        spec = [ag.TensorSpec([None] * array.ndim, array.dtype)]
        for signature in ({}, {"input_signature": spec}):
            found = ag.jit(lambda v: np.trim_zeros(v, **options), **signature)(array)
            wanted = np.trim_zeros(array, **options)
            assert found.shape == wanted.shape
            assert np.array_equal(found, wanted)


def test_an_array_written_after_a_loop_has_turned_a_view_of_it_is_not_overlooked() -> None:
    def f(a: Any, n: int) -> Any:
        v = a[1:]
        for _ in range(n):
            v = v[::-1]
        a[0] = a[-1] = 2
        return v * 1

    try:
        found = ag.jit(f)(np.arange(6), 3)
    except ag.errors.StagingError:
        return
    np.testing.assert_array_equal(found, f(np.arange(6), 3))


@pytest.mark.parametrize("dtype", ["uint8", "int32", "uint64", "int64"])
def test_numbers_of_the_run_time_are_compared_as_they_are(dtype: str) -> None:
    def f(v: Any, n: Any) -> Any:
        return v < n, v <= n, v == n, v != n, v > n, v >= n, n < v, n == v, (v > n)[v >= 0]

    compiled = ag.jit(f, jit_compile=False)
    for number in (1, 300, -1, 2**40, -(2**40)):
        array = np.array([1, 0, 200], dtype)
        for got, wanted in zip(compiled(array, number), f(array, number), strict=True):
            np.testing.assert_array_equal(got, wanted, str(number))


def test_an_axis_that_is_not_there_is_the_error_of_numpy_after_a_check_as_well() -> None:
    @ag.jit
    def f(v: Any, n: int) -> Any:
        v[n] = 1
        return v.cumsum(axis=-2)

    with pytest.raises(ValueError, match="axis -2"):
        f(np.zeros(3), 1)
    with pytest.raises(IndexError, match="index 7"):
        f(np.zeros(3), 7)


def test_layouts_that_are_only_assumed_make_no_array_the_argument_itself() -> None:
    f = ag.jit(lambda v: np.asfortranarray(v))
    array = np.arange(10.0)[::2]
    assert f(array) is not array


LISTS: dict[str, Any] = {
    "part": lambda x, p, q: x.__setitem__(slice(0, 2), [p, q]),
    "mask": lambda x, p, q: x.__setitem__(x == 0, [p, q]),
    "too many": lambda x, p, q: x.__setitem__(slice(0, 2), [p, q, p]),
    "places": lambda x, p, q: x.__setitem__([1, 0], [p, q]),
    "put": lambda x, p, q: np.put(x, [0, 1], [p, q]),
    "array": lambda x, p, q: np.array([p, q], x.dtype),
}


@pytest.mark.parametrize("options", [{}, {"jit_compile": False}], ids=["compiled", "interpreted"])
@pytest.mark.parametrize("name", LISTS)
def test_numbers_in_lists_of_run_time_values_have_to_fit(name: str, options: Any) -> None:
    for dtype in ("int8", "uint8"):
        for p, q in ((1, 2), (300, 1), (1, -1), (1.5, 2), (np.inf, 2), (np.nan, 2)):
            plain, own = np.zeros(2, dtype), np.zeros(2, dtype)
            wanted = error = None
            try:
                wanted = LISTS[name](plain, p, q)
            except (ValueError, OverflowError) as raised:
                error = type(raised)
            if error is None:
                assert np.array_equal(ag.jit(LISTS[name], **options)(own, p, q), wanted)
                assert np.array_equal(own, plain)
            else:
                with pytest.raises(error):
                    ag.jit(LISTS[name], **options)(own, p, q)


READ_ONLY: dict[str, Any] = {
    "copyto": lambda x: np.copyto(x, 2.0),
    "putmask": lambda x: np.putmask(x, x > 0, 1j),
    "remainder": lambda x: x.__setitem__(0, x[0] % 0),
    "take": lambda x: np.take(x, [0, 9, 0], out=x),
    "real": lambda x: x.real.__setitem__(0, 1),
}


@pytest.mark.parametrize("name", READ_ONLY)
def test_that_an_array_is_read_only_comes_first(name: str) -> None:
    x = np.zeros(3, int)
    x.flags.writeable = False
    for f in (READ_ONLY[name], ag.jit(READ_ONLY[name])):
        with pytest.raises(ValueError, match="read-only"), np.errstate(all="ignore"):
            f(x)


def test_what_is_wrong_first_is_the_error() -> None:
    def take(x: Any, y: Any) -> Any:
        np.take(x, [0, 0, 0], out=y)

    def at(x: Any, y: Any) -> Any:
        np.bitwise_or.at(x, [0, 0], 3)

    for f, x, y, error in (
        (take, np.zeros(0), np.zeros(2), ValueError),
        (take, np.zeros(3, np.float32), np.zeros(3), TypeError),
        (take, np.zeros(0), np.zeros(3), IndexError),
        (at, np.zeros(0), np.zeros(0), TypeError),
    ):
        for each in (f, ag.jit(f)):
            with pytest.raises(error):
                each(x, y)
