"""``ag.TensorArray``: eager, and in compiled functions, where it must do what plain Python does."""

from __future__ import annotations

import inspect
import random
import textwrap
from typing import Any

import numpy as np
import pytest

import agir as ag

MODES: list[Any] = [
    pytest.param(ag.function, id="function"),
    pytest.param(lambda f: ag.function(f, jit_compile=True), id="compiled"),
    pytest.param(lambda f: ag.function(f, jit_compile=False), id="interpreted"),
    pytest.param(ag.jit, id="jit"),
    pytest.param(lambda f: ag.jit(f, jit_compile=False), id="jit interpreted"),
]
modes = pytest.mark.parametrize("compiled", MODES)


def i32(value: Any) -> Any:
    return ag.constant(value, ag.int32)


def scalar(value: int) -> Any:
    return np.int32(value)


def line_of(function: Any, text: str) -> int:
    lines, start = inspect.getsourcelines(function)
    return start + next(n for n, line in enumerate(lines) if text in line)


# Eager.


def test_eager_writes_change_the_array() -> None:
    array = ag.TensorArray(ag.float32, size=3)
    assert array.write(1, 2.5) is array
    array.write(0, 1)
    assert array.read(1).dtype == ag.float32
    np.testing.assert_array_equal(array.stack(), [1, 2.5, 0])
    np.testing.assert_array_equal(array.gather([1, 1, 2]), [2.5, 2.5, 0])
    assert int(array.size()) == 3
    assert array.size().dtype == ag.int32
    assert array.element_shape == ()
    assert not array.dynamic_size


def test_eager_growth_fills_with_zeros() -> None:
    array = ag.TensorArray(ag.int64, size=0, dynamic_size=True)
    assert array.stack().shape == (0,)
    array.write(3, [1, 2])
    np.testing.assert_array_equal(array.stack(), [[0, 0], [0, 0], [0, 0], [1, 2]])


def test_eager_rearrangements() -> None:
    array = ag.TensorArray(ag.float64, size=4, infer_shape=False)
    array.split(np.arange(6.0), [1, 2, 3])
    np.testing.assert_array_equal(array.read(2), [3, 4, 5])
    np.testing.assert_array_equal(array.concat(), np.arange(6.0))
    other = ag.TensorArray(ag.float64, size=3).unstack(np.eye(3))
    np.testing.assert_array_equal(other.scatter([2, 0], np.ones((2, 3))).stack()[0], [1, 1, 1])
    copy = other.identity()
    copy.write(0, np.zeros(3))
    np.testing.assert_array_equal(other.read(0), [1, 1, 1])


def test_eager_values_are_copies() -> None:
    x = np.ones(2)
    array = ag.TensorArray(ag.float64, size=1).write(0, x)
    x[0] = 5
    np.testing.assert_array_equal(array.read(0), [1, 1])


@pytest.mark.parametrize(
    ("use", "error", "message"),
    [
        (lambda a: a.read(2), IndexError, "index 2 is out of range for 2 elements"),
        (lambda a: a.write(-1, 1.0), IndexError, "index -1 is out of range"),
        (lambda a: a.read(2), ag.errors.InvalidArgumentError, "out of range"),
        (lambda a: a.read(0.0), TypeError, "an index of a TensorArray is an integer"),
        (lambda a: a.read(True), TypeError, "an index of a TensorArray is an integer"),
        (lambda a: a.read(0), ag.errors.InvalidArgumentError, "never been written"),
        (lambda a: a.write(0, 1j), TypeError, "is given a value of complex128"),
        (lambda a: a.write(0, np.float64(1)), TypeError, "convert it with agir.cast"),
        (lambda a: a.write(0, [1.0]).write(1, 1.0), ValueError, "shape"),
        (lambda a: a.unstack([1.0, 2.0, 3.0]), ValueError, "3 and 2"),
        (lambda a: a.scatter([0], [1.0, 2.0]), ValueError, "as many rows"),
        (lambda a: a.split([1.0, 2.0], [1]), ValueError, "pieces of length"),
        (lambda a: a.unstack([1.0]).concat(), ValueError, "scalars"),
    ],
)
def test_eager_errors(use: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        use(ag.TensorArray(ag.float32, size=2))


def test_what_the_constructor_refuses() -> None:
    with pytest.raises(ValueError, match="negative: -1"):
        ag.TensorArray(ag.float32, size=-1)
    with pytest.raises(ValueError, match="no handle and no flow"):
        ag.TensorArray(ag.float32, size=1, flow=1.0)
    with pytest.raises(ValueError, match=r"shape \[2\] is given one of shape \[3\]"):
        ag.TensorArray(ag.float32, size=1, element_shape=[2]).write(0, [1, 2, 3])


# In compiled functions.


@modes
def test_a_dropped_write_counts(compiled: Any) -> None:
    def f(x: Any, n: Any) -> Any:
        ta = ag.TensorArray(ag.float64, size=n)
        for i in ag.range(n):
            ta.write(i, x[i] * 2)
        return ta.stack()

    np.testing.assert_array_equal(compiled(f)(np.arange(4.0), scalar(4)), [0, 2, 4, 6])
    assert compiled(f)(np.arange(4.0), scalar(0)).shape == (0,)


@modes
def test_growing(compiled: Any) -> None:
    def f(n: Any) -> Any:
        ta = ag.TensorArray(ag.int32, size=0, dynamic_size=True)
        i = ag.constant(0)
        while i < n:
            ta = ta.write(2 * i, i + 1)
            i += 1
        return ta.stack(), ta.size()

    rows, size = compiled(f)(scalar(6))
    np.testing.assert_array_equal(rows, [1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6])
    assert int(size) == 11
    rows, size = compiled(f)(scalar(0))
    assert rows.shape == (0,)
    assert int(size) == 0


@modes
@pytest.mark.parametrize("dtype", [ag.bool_, ag.uint8, ag.int64, ag.float16, ag.complex64])
def test_dtypes(compiled: Any, dtype: Any) -> None:
    def f(x: Any, n: Any) -> Any:
        fixed = ag.TensorArray(x.dtype, size=n)
        grown = ag.TensorArray(x.dtype, dynamic_size=True)
        for i in ag.range(n):
            fixed.write(n - 1 - i, x[i])
            grown.write(i, fixed.read(n - 1 - i))
        return fixed.stack(), grown.stack()

    x = np.asarray([1, 0, 3], dtype.numpy)
    fixed, grown = compiled(f)(x, scalar(3))
    np.testing.assert_array_equal(fixed, x[::-1])
    np.testing.assert_array_equal(grown, x)


@pytest.mark.parametrize("grows", [False, True])
@pytest.mark.parametrize("interpreted", [None, False])
def test_elements_of_run_time_sizes(grows: bool, interpreted: Any) -> None:
    spec = [ag.TensorSpec([None, None], ag.float64), ag.TensorSpec([], ag.int32)]

    def f(x: Any, n: Any) -> Any:
        ta = ag.TensorArray(ag.float64, size=1 if grows else n, dynamic_size=grows)
        late = ag.TensorArray(ag.float64, size=1 if grows else n, dynamic_size=grows)
        for i in ag.range(n):
            ta.write(i, x[i])
            part = x[i, i:]  # sizes that exist only inside the loop
            if i > 0:
                part = late.read(i - 1)
            late.write(i, part + 1)
        return ta.stack(), late.stack()

    x = np.arange(12.0).reshape(3, 4)
    run = ag.function(f, input_signature=spec, jit_compile=interpreted)
    first, second = run(x, i32(3))
    np.testing.assert_array_equal(first, x)
    np.testing.assert_array_equal(second, [x[0] + 1, x[0] + 2, x[0] + 3])


@modes
def test_elements_whose_sizes_differ(compiled: Any) -> None:
    def f(x: Any, n: Any) -> Any:
        ta = ag.TensorArray(ag.float64, size=3)
        for i in ag.range(n):
            ta.write(i, x[i:])  # here
        return ta.stack()

    run = compiled(f)
    with pytest.raises(ValueError, match=r"elements of a TensorArray .* have one shape") as caught:
        run(np.arange(3.0), scalar(2))
    assert isinstance(caught.value, ag.errors.InvalidArgumentError)
    assert caught.value.place.line == line_of(f, "# here")
    with pytest.raises(ag.errors.InvalidArgumentError, match="never been written"):
        run(np.arange(3.0), scalar(0))


@modes
def test_reading_what_was_never_written(compiled: Any) -> None:
    def f(n: Any, i: Any) -> Any:
        known = ag.TensorArray(ag.int32, size=n, element_shape=[2])
        later = ag.TensorArray(ag.int32, size=n)
        before = known.read(i)
        if i > 0:
            later.write(i, i)
        return before, later.stack(), later.read(0)

    before, rows, first = compiled(f)(scalar(3), scalar(2))
    np.testing.assert_array_equal(before, [0, 0])
    np.testing.assert_array_equal(rows, [0, 0, 2])
    assert int(first) == 0


def test_reading_before_anything_says_which_shape() -> None:
    def f(n: Any) -> Any:
        ta = ag.TensorArray(ag.int32, size=n)
        return ta.read(0)  # here

    with pytest.raises(ag.errors.InvalidArgumentError, match="give element_shape") as caught:
        ag.function(f)(i32(3))
    assert f":{line_of(f, '# here')}" in str(caught.value)


@modes
def test_a_read_in_a_loop_before_the_first_write(compiled: Any) -> None:
    def f(x: Any, n: Any) -> Any:
        ta = ag.TensorArray(ag.float64, size=n)
        i = ag.constant(0)
        while i < n and (i == 0 or ta.read(i - 1) < 20):
            total = x[i]
            if i > 0:
                total = total + ta.read(i - 1)
            ta.write(i, total)
            i += 1
        return ta.stack()

    x = np.arange(1.0, 11)
    np.testing.assert_array_equal(compiled(f)(x, scalar(10)), [*np.cumsum(x)[:6], 0, 0, 0, 0])


def test_a_read_that_no_write_can_precede() -> None:
    def f(n: Any) -> Any:
        ta = ag.TensorArray(ag.int32, size=n)
        total = 0
        for i in ag.range(n):
            total += ta.read(i)  # here
        return total

    for mode in (None, False):
        run = ag.function(f, jit_compile=mode)
        with pytest.raises(ag.errors.InvalidArgumentError, match="never been written") as caught:
            run(i32(3))
        assert caught.value.place.line == line_of(f, "# here")
        assert int(run(i32(0))) == 0


@modes
@pytest.mark.parametrize("index", [-1, 3, 2**31 - 1, -(2**31)])
@pytest.mark.parametrize("writes", [False, True])
def test_indices_outside(compiled: Any, index: int, writes: bool) -> None:
    def f(n: Any, i: Any) -> Any:
        ta = ag.TensorArray(ag.int32, size=n).unstack(ag.range(n))
        if writes:
            ta.write(i, 7)  # write
        else:
            n = ta.read(i)  # read
        return ta.stack() + n

    with pytest.raises(IndexError, match=f"index {index} is out of range for 3") as caught:
        compiled(f)(scalar(3), scalar(index))
    assert isinstance(caught.value, ag.errors.InvalidArgumentError)
    assert caught.value.place.line == line_of(f, "# write" if writes else "# read")


@modes
def test_indices_outside_of_one_that_grows(compiled: Any) -> None:
    def f(n: Any, i: Any) -> Any:
        ta = ag.TensorArray(ag.int32, dynamic_size=True)
        ta.write(i, 7)
        return ta.read(n)

    assert int(compiled(f)(scalar(3), scalar(3))) == 7
    assert int(compiled(f)(scalar(1), scalar(3))) == 0
    for n, i in ((3, -1), (-1, 3), (3, 2), (3, 2**31 - 1)):
        with pytest.raises(IndexError, match="out of range"):
            compiled(f)(scalar(n), scalar(i))


def test_errors_while_tracing() -> None:
    def trace(use: Any) -> None:
        def f(x: Any, n: Any) -> Any:
            use(ag.TensorArray(ag.float32, size=3, element_shape=[2]), x, n)
            return x

        ag.function(f).get_concrete_function(np.ones(2, np.float32), scalar(2))

    cases: list[tuple[Any, type[Exception], str]] = [
        (lambda a, x, n: a.write(3, x), IndexError, "index 3 is out of range for 3"),
        (lambda a, x, n: a.read(-1), IndexError, "index -1 is out of range"),
        (lambda a, x, n: a.read(x), TypeError, "an index of a TensorArray is an integer scalar"),
        (lambda a, x, n: a.read(n > 1), TypeError, "an index of a TensorArray is an integer"),
        (lambda a, x, n: a.write(n, ag.cast(x, ag.int32)), TypeError, "a value of int32"),
        (lambda a, x, n: a.write(n, 1.0), ValueError, r"shape \[2\] is given one of shape \[\]"),
        (lambda a, x, n: a.write(n, [1.0, 2, 3]), ValueError, r"one of shape \[3\]"),
        (lambda a, x, n: a.unstack(ag.ones([4, 2])), ValueError, "4 and 3"),
        (lambda a, x, n: a.unstack(1.0), ValueError, "at least one dimension"),
        (lambda a, x, n: a.scatter([0, 1], ag.ones([3, 2])), ValueError, "2 and 3"),
        (lambda a, x, n: a.split(ag.ones([5, 2]), [2, 3]), ValueError, "one length"),
        (lambda a, x, n: a.split(ag.ones([5]), [2, 2]), ValueError, "5 rows"),
    ]
    for use, error, message in cases:
        with pytest.raises(error, match=message) as caught:
            trace(use)
        assert "test_tensor_array.py:" in str(caught.value), message


def test_arrays_of_other_worlds() -> None:
    outside = ag.TensorArray(ag.float32, size=1).write(0, 1.0)
    kept: list[Any] = []

    @ag.function
    def uses(x: Any) -> Any:
        return outside.read(0) + x

    @ag.function
    def leaks(x: Any) -> Any:
        kept.append(ag.TensorArray(ag.float32, size=1).write(0, x))
        return x

    with pytest.raises(ag.errors.InaccessibleTensorError, match="outside of this compiled"):
        uses(1.0)
    with pytest.warns(ag.errors.SideEffectWarning, match="the list gets a run-time value"):
        leaks(1.0)
    with pytest.raises(ag.errors.InaccessibleTensorError, match="another compiled function"):
        kept[0].read(0)


@modes
def test_unstack_gather_scatter_concat_split(compiled: Any) -> None:
    def f(x: Any, n: Any, where: Any) -> Any:
        ta = ag.TensorArray(ag.float64, size=4).unstack(x)
        some = ta.gather(where)
        ta.scatter(where, some * 10)
        flat = ta.concat()
        pieces = ag.TensorArray(ag.float64, size=n, dynamic_size=True)
        pieces.split(flat, [6, 6])
        return some, ta.stack(), flat, pieces.stack(), pieces.size()

    x, where = np.arange(12.0).reshape(4, 3), np.asarray([2, 0])
    some, whole, flat, pieces, size = compiled(f)(x, scalar(0), where)
    expected = x.copy()
    expected[where] *= 10
    np.testing.assert_array_equal(some, x[where])
    np.testing.assert_array_equal(whole, expected)
    np.testing.assert_array_equal(flat, expected.ravel())
    np.testing.assert_array_equal(pieces, expected.reshape(2, 6))
    assert int(size) == 2
    with pytest.raises(IndexError):
        compiled(f)(x, scalar(0), np.asarray([2, 4]))


@modes
def test_pieces_of_run_time_lengths(compiled: Any) -> None:
    def f(x: Any, lengths: Any) -> Any:
        return ag.TensorArray(ag.float64, dynamic_size=True).split(x, lengths).stack()

    x = np.arange(6.0)
    np.testing.assert_array_equal(compiled(f)(x, np.asarray([3, 3])), x.reshape(2, 3))
    for lengths in ([2, 4], [2, 2]):
        with pytest.raises(ag.errors.InvalidArgumentError):
            compiled(f)(x, np.asarray(lengths))


@modes
def test_arrays_chosen_by_a_branch(compiled: Any) -> None:
    def f(n: Any) -> Any:
        a = ag.TensorArray(ag.int32, size=2).unstack([1, 2])
        b = ag.TensorArray(ag.int32, size=3)
        if n > 0:
            a.write(0, 10)
            chosen = a
        else:
            chosen = b.write(2, 20)
        both = a.stack(), b.stack()
        chosen.write(1, 30)
        return chosen.stack(), chosen.size(), *both

    def stacks(n: int) -> list[list[int]]:
        return [np.asarray(each).tolist() for each in compiled(f)(scalar(n))]

    assert stacks(1) == [[10, 30], 2, [10, 2], [0, 0, 0]]
    assert stacks(0) == [[0, 30, 20], 3, [1, 2], [0, 0, 20]]


def test_an_array_that_was_written_under_another_name() -> None:
    def chosen_first(n: Any) -> Any:
        a, b = ag.TensorArray(ag.int32, 2), ag.TensorArray(ag.int32, 2)
        (a if n > 0 else b).write(0, n)  # written
        return a.stack()  # here

    def chosen_later(n: Any) -> Any:
        a, b = ag.TensorArray(ag.int32, 2), ag.TensorArray(ag.int32, 2)
        c = a if n > 0 else b
        for i in ag.range(n):
            a.write(i, n)  # written
        return c.stack()  # here

    for f in (chosen_first, chosen_later):
        with pytest.raises(ag.errors.StagingError, match="use only one of the names") as caught:
            ag.function(f)(i32(1))
        assert f":{line_of(f, '# here')}" in str(caught.value)
        assert f":{line_of(f, '# written')}" in str(caught.value)


def test_lists_of_arrays() -> None:
    def known(n: Any) -> Any:
        arrays = [ag.TensorArray(ag.int32, 2) for _ in range(2)]
        for i in ag.range(n):
            for array in arrays:
                array.write(i, i + 1)
        return arrays

    def indexed(n: Any) -> Any:
        arrays = [ag.TensorArray(ag.int32, 2) for _ in range(2)]
        for array in arrays:
            array.write(0, 5)
        chosen = arrays[n]
        chosen.write(0, 1)
        return chosen.read(0)

    for array in ag.function(known)(i32(2)):
        np.testing.assert_array_equal(array.stack(), [1, 2])
    assert int(ag.function(indexed)(i32(1))) == 1


@modes
def test_a_new_array_each_time_round(compiled: Any) -> None:
    def f(x: Any, n: Any, rounds: Any) -> Any:
        ta = ag.TensorArray(ag.float64, size=n).unstack(x)
        for _ in ag.range(rounds):
            new = ag.TensorArray(ag.float64, size=n)
            for i in ag.range(n):
                new.write(i, ta.read(i) + ta.read((i + 1) % n))
            ta = new
        return ta.stack()

    x = np.asarray([1.0, 2, 3, 4])
    expected = x
    for _ in range(3):
        expected = expected + np.roll(expected, -1)
    np.testing.assert_array_equal(compiled(f)(x, scalar(4), scalar(3)), expected)
    np.testing.assert_array_equal(compiled(f)(x, scalar(4), scalar(0)), x)


@modes
def test_arrays_that_swap_in_a_loop(compiled: Any) -> None:
    def f(n: Any) -> Any:
        a = ag.TensorArray(ag.int32, size=2).unstack([1, 2])
        b = ag.TensorArray(ag.int32, size=3).unstack([3, 4, 5])
        for i in ag.range(n):
            a, b = b, a
            a.write(0, i)
        return a.stack(), b.stack()

    for n, expected in ((0, [[1, 2], [3, 4, 5]]), (3, [[2, 4, 5], [1, 2]])):
        assert [np.asarray(v).tolist() for v in compiled(f)(scalar(n))] == expected


@modes
def test_places_for_arrays(compiled: Any) -> None:
    class Model:
        def __init__(self, n: Any) -> None:
            self.log = ag.TensorArray(ag.int32, size=n)
            self.extra = None

        def step(self, i: Any) -> None:
            self.log = self.log.write(i, i * i)

    def helper(ta: Any, i: Any) -> Any:
        ta.write(i, -i)
        return ta

    def f(n: Any) -> Any:
        model = Model(n)
        arrays = {"a": ag.TensorArray(ag.int32, size=n), "b": [ag.TensorArray(ag.int32, n)]}
        for i in ag.range(n):
            model.step(i)
            arrays["a"] = helper(arrays["a"], i)
            if i % 2 == 0:
                arrays["b"][0].write(i, 1)
        return model.log.stack(), arrays["a"].stack(), arrays["b"][0].stack()

    found = [np.asarray(v).tolist() for v in compiled(f)(scalar(4))]
    assert found == [[0, 1, 4, 9], [0, -1, -2, -3], [1, 0, 1, 0]]


@modes
def test_bound_on_some_paths_or_none(compiled: Any) -> None:
    def f(n: Any) -> Any:
        best = None
        for i in ag.range(n):
            ta = ag.TensorArray(ag.int32, size=2).write(0, i)
            if i % 2 == 0:
                best = ta
        if best is None:
            return ag.constant([-1, -1])
        return best.write(1, 5).stack() + ta.read(0)

    assert np.asarray(compiled(f)(scalar(0))).tolist() == [-1, -1]
    assert np.asarray(compiled(f)(scalar(4))).tolist() == [5, 8]


@modes
def test_a_returned_array_is_eager(compiled: Any) -> None:
    def f(n: Any) -> Any:
        fixed = ag.TensorArray(ag.int32, size=n)
        grown = ag.TensorArray(ag.int32, dynamic_size=True)
        for i in ag.range(n):
            fixed.write(i, i)
            grown.write(2 * i, [i, i])
        return fixed, {"grown": grown, "empty": ag.TensorArray(ag.int32, 2, element_shape=[1])}

    fixed, rest = compiled(f)(scalar(3))
    assert isinstance(fixed, ag.TensorArray)
    np.testing.assert_array_equal(fixed.write(0, 5).stack(), [5, 1, 2])
    np.testing.assert_array_equal(
        rest["grown"].write(5, [9, 9]).stack(), [[0, 0], [0, 0], [1, 1], [0, 0], [2, 2], [9, 9]]
    )
    assert rest["grown"].dynamic_size
    np.testing.assert_array_equal(rest["empty"].read(1), [0])


@modes
def test_copies_and_values_of_their_own(compiled: Any) -> None:
    def f(x: Any) -> Any:
        ta = ag.TensorArray(ag.float64, size=2).unstack(x)
        copy = ta.identity()
        before = ta.stack()
        ta.write(0, x[1] * 0)
        return before, copy.stack(), ta.stack()

    x = np.ones((2, 2))
    before, copy, after = compiled(f)(x)
    np.testing.assert_array_equal(before, x)
    np.testing.assert_array_equal(copy, x)
    np.testing.assert_array_equal(after, [[0, 0], [1, 1]])


def test_arrays_assigned_into_after_they_were_written() -> None:
    def f(x: Any) -> Any:
        ta = ag.TensorArray(ag.float64, size=2)
        ta.write(0, x)
        x[0] = 5
        row = ta.read(0)
        row[1] = 7
        return ta.stack()

    for mode in (None, False):
        x = np.ones(2)
        np.testing.assert_array_equal(ag.jit(f, jit_compile=mode)(x), [[1, 1], [0, 0]])
        np.testing.assert_array_equal(x, [5, 1])


def test_python_loops_and_numbers() -> None:
    def f(x: Any) -> Any:
        ta = ag.TensorArray(ag.float32, dynamic_size=True)
        for i in range(3):
            ta.write(i, x * i)
        return ta.write(4, 2).stack()

    for mode in (None, False):
        found = ag.function(f, jit_compile=mode)(ag.constant(1.5))
        np.testing.assert_array_equal(found, [0, 1.5, 3, 0, 2])


def test_a_write_in_a_loop_copies_nothing() -> None:
    spec = [ag.TensorSpec([None, 3], ag.float64), ag.TensorSpec([], ag.int32)]

    @ag.function(input_signature=spec)
    def fixed(x: Any, n: Any) -> Any:
        ta = ag.TensorArray(ag.float64, size=n)
        for i in ag.range(n):
            ta = ta.write(i, x[0] * 2)
        return ta.stack()

    text = fixed.get_concrete_function().compilation.text("bufferized")
    assert "memref.copy" not in text
    assert text.count("memref.alloc(") == 1
    # The counter is known to be inside: nothing is checked but the size itself.
    assert "cmpi ult" not in text


# Random programs, against plain Python.


class Model:
    """What a TensorArray does, in plain Python."""

    def __init__(self, size: int, grows: bool, shape: tuple[int, ...]) -> None:
        self.rows = [np.zeros(shape, np.int64) for _ in range(size)]
        self.grows, self.shape = grows, shape

    def write(self, index: int, value: Any) -> Model:
        if index < 0 or (index >= len(self.rows) and not self.grows):
            raise IndexError
        while index >= len(self.rows):
            self.rows.append(np.zeros(self.shape, np.int64))
        self.rows[index] = np.asarray(value)
        return self

    def read(self, index: int) -> Any:
        if not 0 <= index < len(self.rows):
            raise IndexError
        return self.rows[index]

    def size(self) -> int:
        return len(self.rows)

    def stack(self) -> Any:
        return np.stack(self.rows) if self.rows else np.zeros((0, *self.shape), np.int64)


class Writer:
    """Writes the source of a random program."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.loops = 0

    def index(self) -> str:
        return self.random.choice(["k % 4", "(k * 3 + n) % 4", "k // 2", "2", "k % 5 - 0"])

    def statement(self, depth: int) -> str:
        which = self.random.randrange(9 if depth > 0 else 4)
        name = self.random.choice("ab")
        if which < 3:
            bind = self.random.choice([f"{name} = ", ""])
            return f"{bind}{name}.write({self.index()}, x + k * {self.random.randrange(1, 5)})"
        if which == 3:
            return f"x = x + {name}.read({self.index()})"
        body = textwrap.indent(self.block(depth - 1), "    ")
        if which < 6:
            other = textwrap.indent(self.block(depth - 1), "    ")
            return f"if {self.random.choice(['k % 2 == 0', 'n > 2'])}:\n{body}\nelse:\n{other}"
        if which == 6:
            return "a, b = b, a"
        self.loops += 1
        counter = f"i{self.loops}"
        step = "    k = k + 1"
        if which == 7:
            return f"for {counter} in rng(n):\n{step}\n{body}"
        return f"{counter} = n\nwhile {counter} > 0:\n{step}\n{body}\n    {counter} = {counter} - 2"

    def block(self, depth: int) -> str:
        return "\n".join(self.statement(depth) for _ in range(self.random.randrange(1, 4)))


def program(seed: int, swaps: bool) -> str:
    writer = Writer(seed)
    body = textwrap.indent(writer.block(2 if seed % 2 else 3), "    ")
    if not swaps:
        body = body.replace("a, b = b, a", "k = k + 2")
    return f"def f(x, n, k, a, b):\n{body}\n    return x, a.stack(), b.stack(), a.size()\n"


@pytest.mark.parametrize("seed", range(20))
def test_random_programs(seed: int, tmp_path: Any) -> None:
    grows, shape = seed % 2 == 1, [(), (2,)][seed // 2 % 2]
    source = program(seed, swaps=seed % 3 == 0)
    path = tmp_path / f"program{seed}.py"
    path.write_text(source)
    python: dict[str, Any] = {"rng": range}
    exec(compile(source, str(path), "exec"), python)
    traced: dict[str, Any] = {"rng": ag.range}
    exec(compile(source, str(path), "exec"), traced)

    def run(x: Any, n: Any, k: Any) -> Any:
        hint = shape if seed % 5 else None
        a = ag.TensorArray(ag.int64, size=4, dynamic_size=grows, element_shape=hint)
        b = ag.TensorArray(ag.int64, size=4, dynamic_size=grows, element_shape=hint)
        if hint is None:
            b.write(0, x * 0)
            a.write(1, x * 0)
        return traced["f"](x, n, k, a, b)

    x = np.full(shape, 3, np.int64)
    functions = [ag.function(run), ag.jit(run), ag.function(run, jit_compile=False)]
    for n in (0, 1, 5):
        arguments = (x, np.int64(n), np.int64(1))
        try:
            expected = python["f"](x, n, 1, Model(4, grows, shape), Model(4, grows, shape))
        except IndexError:
            for function in functions:
                with pytest.raises(IndexError):
                    function(*arguments)
            continue
        for function in functions:
            for want, got in zip(expected, function(*arguments), strict=True):
                np.testing.assert_array_equal(want, got, err_msg=source)


@modes
def test_nothing_says_which_shape_an_element_has(compiled: Any) -> None:
    def read(x: Any) -> Any:
        return ag.TensorArray(ag.float32, 3).read(x)

    def stacked(x: Any) -> Any:
        return ag.TensorArray(ag.float32, 3).stack()

    for f in (read, stacked):
        with pytest.raises(ag.errors.InvalidArgumentError, match="never been written"):
            compiled(f)(scalar(0))


@modes
def test_split_into_no_pieces(compiled: Any) -> None:
    def f(x: Any, lengths: Any) -> Any:
        ta = ag.TensorArray(ag.float64, size=0, dynamic_size=True).split(x, lengths)
        none = ag.TensorArray(ag.float64, size=0, dynamic_size=True).split(x[:0], [])
        return ta.size(), ta.concat(), none.size()

    run = compiled(f)
    found = run(np.zeros(0), np.zeros(0, np.int32))
    assert [np.asarray(each).tolist() for each in found] == [0, [], 0]
    found = run(np.arange(4.0), np.array([2, 2], np.int32))
    assert [np.asarray(each).tolist() for each in found] == [2, [0, 1, 2, 3], 0]
    for lengths in ([], [1, 3], [-4], [3], [0, 0]):
        with pytest.raises(ValueError):  # noqa: PT011
            run(np.arange(4.0), np.array(lengths, np.int32))
