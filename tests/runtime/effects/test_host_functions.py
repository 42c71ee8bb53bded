"""``py_function`` and ``numpy_function``: Python called while the compiled function runs."""

from __future__ import annotations

import sys
import threading
import traceback
from typing import Any

import numpy as np
import pytest

import agir as ag
from agir.backends.cpu.engine import Executable
from agir.backends.stages import Compilation
from agir.errors import InvalidArgumentError, LoweringError

from ..ways import everywhere, leaves, line, when_traced

F64 = ag.float64
X = np.array([[1.0, -2.0, 3.0], [4.0, 5.0, 6.0]])
DTYPES = (
    "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 bfloat16 float32 float64 "
    "complex64 complex128"
)


@everywhere
@pytest.mark.parametrize("dtype", DTYPES.split())
@pytest.mark.parametrize("shape", [(), (3,), (0,), (2, 0, 3), (2, 3, 4)], ids=str)
def test_values_go_there_and_back(wrap: Any, dtype: str, shape: Any) -> None:
    got = []

    def same(x: Any) -> Any:
        got.append(x)
        return x

    def f(x: Any) -> Any:
        given = ag.numpy_function(same, [x], dtype)
        return given, ag.concat([ag.expand_dims(given, 0), ag.expand_dims(x, 0)], 0)[0]

    rng = np.random.default_rng(1)
    value = ag.cast(rng.integers(0, 100, shape), dtype).numpy()
    for each in wrap(f)(ag.constant(value)):
        assert np.asarray(each).dtype == value.dtype
        np.testing.assert_array_equal(each, value)
    assert type(got[0]) is (np.ndarray if shape else value.dtype.type)


@everywhere
def test_special_values(wrap: Any) -> None:
    values = np.array([np.nan, np.inf, -np.inf, -0.0, 5e-324])
    found = wrap(lambda x: ag.numpy_function(lambda a: a, [x], F64) * 1.0)(values)
    np.testing.assert_array_equal(found, values)
    assert np.signbit(np.asarray(found)[3])


@everywhere
def test_large_and_strided_results(wrap: Any) -> None:
    def turned(x: Any) -> Any:
        return x.T[::-1, ::2]

    x = np.arange(600_000.0).reshape(600, 1000)
    found = wrap(lambda x: ag.numpy_function(turned, [x], F64) + 1)(x)
    np.testing.assert_array_equal(found, turned(x) + 1)


@everywhere
def test_a_py_function_gets_tensors(wrap: Any) -> None:
    def f(x: Any) -> Any:
        def host(x: Any, n: Any) -> Any:
            assert isinstance(x, ag.Tensor)
            assert isinstance(n, ag.Tensor)
            if x[0, 0] > 0:
                return x * int(n)
            return x.numpy()

        return ag.py_function(host, [x, 3], F64) + 1

    np.testing.assert_array_equal(wrap(f)(X), X * 3 + 1)


@everywhere
def test_several_results(wrap: Any) -> None:
    def f(x: Any) -> Any:
        total, where, rows = ag.numpy_function(
            lambda a: (a.sum(), np.int32(a.argmax()), a[0]),
            [x],
            [ag.TensorSpec([], F64), ag.TensorSpec([], ag.int32), ag.TensorSpec([None], F64)],
        )
        return total + 1, where * 2, rows[::-1]

    assert leaves(wrap(f)(X)) == [18.0, 10, [3.0, -2.0, 1.0]]


@everywhere
def test_results_that_are_only_returned_have_any_shape(wrap: Any) -> None:
    def f(x: Any) -> Any:
        total = ag.numpy_function(np.sum, [x], F64)
        return {"t": total, "c": ag.numpy_function(lambda a: a[None], [x], [F64])}

    assert leaves(wrap(f)(X)) == [[X[None].tolist()][0], X.sum()]


@everywhere
def test_a_shape_can_be_stated(wrap: Any) -> None:
    def f(x: Any) -> Any:
        total = ag.ensure_shape(ag.numpy_function(np.sum, [x], F64), [])
        rows = ag.numpy_function(lambda a: a[0], [x], F64)
        rows.set_shape([3])
        return total * 2, rows + total

    assert leaves(wrap(f)(X)) == [34.0, [18.0, 15.0, 20.0]]


@everywhere
def test_it_is_called_whether_its_result_is_used_or_not(wrap: Any) -> None:
    seen: list[Any] = []

    def f(n: Any) -> Any:
        for i in ag.range(n):
            if i % 2 == 0:
                ag.py_function(lambda i: seen.append(("even", int(i))), [i], None)
            else:
                ag.numpy_function(lambda i: seen.append(("odd", int(i))) or 1.0, [i], F64)
        ag.py_function(lambda: seen.append("end"), [], [])
        return n

    function = wrap(f)
    for _ in range(2):
        seen.clear()
        function(ag.constant(3))
        assert seen == [("even", 0), ("odd", 1), ("even", 2), "end"]


@everywhere
def test_it_is_in_order_with_prints(wrap: Any, capsys: Any) -> None:
    def f(n: Any) -> Any:
        total = 0
        for i in ag.range(n):
            ag.print("before", i, output_stream=sys.stdout)
            total += ag.py_function(lambda i: print("host", int(i)) or i * i, [i], ag.int32)
            ag.print("after", total, output_stream=sys.stdout)
        return total

    assert int(wrap(f)(ag.constant(3))) == 5
    assert capsys.readouterr().out == (
        "before 0\nhost 0\nafter 0\nbefore 1\nhost 1\nafter 1\nbefore 2\nhost 2\nafter 5\n"
    )


@everywhere
def test_in_the_functions_of_control_flow(wrap: Any) -> None:
    def f(x: Any, n: Any) -> Any:
        double = lambda a: ag.numpy_function(lambda a: a * 2, [a], F64)  # noqa: E731
        chosen = ag.cond(n > 1, lambda: double(x), lambda: x)
        looped = ag.while_loop(lambda i, a: i < n, lambda i, a: (i + 1, double(a)), (0, x))[1]
        return chosen, looped, ag.map_fn(double, x)

    assert leaves(wrap(f)(X, ag.constant(2))) == [
        (X * 2).tolist(),
        (X * 4).tolist(),
        (X * 2).tolist(),
    ]


class OwnError(Exception):
    pass


@everywhere
def test_its_exceptions_come_through(wrap: Any, capsys: Any) -> None:
    def host(i: Any) -> Any:
        if i == 2:
            raise OwnError("the host's own", 17)
        return i

    def f(n: Any) -> Any:
        i = n * 0
        while i >= 0:
            ag.print("iteration", output_stream=sys.stdout)
            i = ag.numpy_function(host, [i], ag.int32) + 1
        return i

    function = wrap(f)
    for _ in range(2):
        with pytest.raises(OwnError) as caught:
            function(ag.constant(0))
        assert caught.value.args == ("the host's own", 17)
        assert "raise OwnError" in "".join(traceback.format_exception(caught.value))
    assert capsys.readouterr().out == "iteration\n" * 6


@when_traced
def test_it_is_not_called_after_a_failure(wrap: Any) -> None:
    seen: list[Any] = []

    def f(x: Any, i: Any) -> Any:
        y = x[i, 0]
        return ag.numpy_function(lambda y: seen.append(y) or y, [y], F64) + 1

    function = wrap(f)
    assert float(function(X, ag.constant(1))) == 5
    with pytest.raises(IndexError):
        function(X, ag.constant(9))
    assert seen == [4.0]


WRONG = {
    "rank": (
        lambda x: ag.numpy_function(np.sum, [x], F64) + 1,
        r"result 0 has the shape \[\] instead of \[\?, \?\]; give its shape as Tout",
    ),
    "stated rank": (
        lambda x: ag.ensure_shape(ag.numpy_function(np.sum, [x], F64), [None]),
        r"result 0 has the shape \[\] instead of \[\?\]",
    ),
    "size": (
        lambda x: ag.numpy_function(lambda a: a, [x], ag.TensorSpec([2, 4], F64)),
        r"the shape \[2, 3\] instead of \[2, 4\]",
    ),
    "stated size": (
        lambda x: ag.ensure_shape(ag.numpy_function(lambda a: a, [x], F64), [2, 4]),
        "has another shape than it should",
    ),
    "dtype": (
        lambda x: ag.numpy_function(lambda a: a.astype("float32"), [x], F64),
        "result 0 is of float32 instead of float64",
    ),
    "tensor": (
        lambda x: ag.py_function(lambda a: a > 0, [x], F64),
        "result 0 is of bool instead of float64",
    ),
    "number": (lambda x: ag.numpy_function(lambda a: 1.5, [x], ag.int32), "1.5, which is no value"),
    "nothing": (lambda x: ag.numpy_function(lambda a: None, [x], F64), "None, which is no value"),
    "text": (lambda x: ag.numpy_function(lambda a: "abc", [x], F64), "'abc', which is no value"),
    "too large": (lambda x: ag.numpy_function(lambda a: 300, [x], ag.uint8), "300, which is no"),
    "count": (
        lambda x: ag.numpy_function(lambda a: (a, a), [x], [F64, F64, F64]),
        "gives 2 instead of 3 results",
    ),
    "single": (
        lambda x: ag.numpy_function(lambda a: a, [x], [F64, F64]),
        "gives a single value instead of 2 results",
    ),
}


@when_traced
@pytest.mark.parametrize("name", WRONG)
def test_results_are_checked(wrap: Any, name: str) -> None:
    function, message = WRONG[name]
    with pytest.raises(InvalidArgumentError, match=message) as caught:
        wrap(function)(X)
    assert f"{__file__}:" in str(caught.value)


@pytest.mark.parametrize("name", [name for name in WRONG if name != "rank"])
def test_results_are_checked_eagerly(name: str) -> None:
    function, _ = WRONG[name]
    with pytest.raises(InvalidArgumentError):
        function(ag.constant(X))


@everywhere
def test_numbers_and_lists_take_the_dtype(wrap: Any) -> None:
    def f(n: Any) -> Any:
        return (
            ag.numpy_function(lambda n: 3, [n], ag.float32),
            ag.numpy_function(lambda n: [1, 2], [n], ag.TensorSpec([2], ag.int8)),
            ag.numpy_function(lambda n: True, [n], ag.bool),
            ag.numpy_function(lambda n: 2.5, [n], ag.complex64),
        )

    found = wrap(f)(ag.constant(1))
    assert leaves(found) == [3.0, [1, 2], True, 2.5]
    dtypes = [np.asarray(each).dtype.name for each in found]
    assert dtypes == ["float32", "int8", "bool", "complex64"]


@everywhere
def test_arguments_that_make_no_sense(wrap: Any) -> None:
    with pytest.raises(TypeError, match="func must be callable"):
        wrap(lambda x: ag.py_function(3, [x], F64))(X)
    with pytest.raises(TypeError, match="'nonsense' in Tout"):
        wrap(lambda x: ag.numpy_function(abs, [x], "nonsense"))(X)


def test_the_text_of_a_program_does_not_hold_the_function() -> None:
    f = ag.function(lambda x: ag.numpy_function(lambda a: a, [x], F64) + 1)
    text = f.experimental_get_compiler_ir(X)(stage="hlo")
    assert 'agir.callback = "fetch"' in text
    compilation = Compilation.from_text(text, "hlo")
    with pytest.raises(LoweringError, match="exists only in the process that traced it"):
        Executable(compilation, "lambda_")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('agir.shape = "2x3"', 'agir.shape = "4x3"'),
        ('agir.shape = "2x3"', 'agir.shape = "nonsense"'),
        ('agir.dtype = "float64"', 'agir.dtype = "float32"'),
        ("agir.result = 0 : i64", 'agir.result = "x"'),
    ],
)
def test_a_text_that_was_damaged_is_refused(old: str, new: str) -> None:
    f = ag.function(lambda x: ag.numpy_function(lambda a: a, [x], ag.TensorSpec([2, 3], F64)) + 1)
    text = f.experimental_get_compiler_ir(X)(stage="hlo")
    assert old in text
    compilation = Compilation.from_text(text.replace(old, new), "hlo")
    with pytest.raises(LoweringError, match="fetch_0"):
        Executable(compilation, "lambda_", given={"call_0": lambda values: {0: values[0]}})
    compilation = Compilation.from_text(text, "hlo")
    for given, wanted in ((X * 2, X * 2 + 1), (X[:1], X * 0 + 1)):
        call = {"call_0": lambda values, given=given: {0: given}}
        run = Executable(compilation, "lambda_", given=call)
        np.testing.assert_array_equal(run([X])[0], wanted)


def test_results_are_copies() -> None:
    own = np.zeros(3)

    def host(n: Any) -> Any:
        own[:] = n
        return own

    def f(n: Any) -> Any:
        return [ag.numpy_function(host, [n + i], ag.TensorSpec([3], F64)) for i in range(2)]

    for function in (f, ag.function(f)):
        assert leaves(function(ag.constant(1.0, F64))) == [[1, 1, 1], [2, 2, 2]]


def test_nothing_is_kept_of_what_is_not_used() -> None:
    import gc
    import weakref

    alive: list[Any] = []

    class Watched(np.ndarray[Any, Any]):
        pass

    def host(x: Any) -> Any:
        made = x.copy().view(Watched)
        alive.append(weakref.ref(made))
        return made

    @ag.function
    def f(x: Any) -> Any:
        ag.numpy_function(host, [x], F64)
        return ag.numpy_function(host, [x], F64) + 1

    for _ in range(5):
        f(X)
    gc.collect()
    assert len(alive) == 10
    assert not any(reference() is not None for reference in alive)


@everywhere
def test_a_result_outlives_many_other_calls(wrap: Any) -> None:
    def f(x: Any) -> Any:
        first = ag.numpy_function(lambda a: a + 1, [x], F64)
        for _ in ag.range(1100):
            ag.numpy_function(lambda a: a, [x], F64)
        for i in ag.range(1100):
            x = ag.numpy_function(lambda a, i: a + i, [x, i], F64)
        return first, x

    assert leaves(wrap(f)(ag.constant(1.0, F64))) == [2, 1100 * 1099 / 2 + 1]


def test_many_threads() -> None:
    f = ag.function(lambda x: ag.numpy_function(lambda a: a * 2, [x], F64) + 1)
    f(X)
    wrong: list[Any] = []

    def work(k: int) -> None:
        for n in range(30):
            x = X * k + n
            if not np.array_equal(f(x), x * 2 + 1):
                wrong.append((k, n))

    threads = [threading.Thread(target=work, args=(k,)) for k in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


@when_traced
def test_a_failed_check_of_the_result_names_the_line(wrap: Any) -> None:
    def f(x: Any) -> Any:
        x = x + 1
        return ag.numpy_function(lambda a: a[0], [x], F64) + 1

    with pytest.raises(InvalidArgumentError) as caught:
        wrap(f)(X)
    assert line(f, "numpy_function") in str(caught.value)


def test_an_exception_keeps_nothing_alive() -> None:
    import gc
    import weakref

    class Big:
        pass

    held: list[Any] = []

    def host(x: Any) -> Any:
        big = Big()
        held.append(weakref.ref(big))
        raise OwnError

    f = ag.function(lambda x: ag.numpy_function(host, [x], F64) + 1)
    gc.collect()
    gc.disable()
    try:
        for _ in range(3):
            try:
                f(X)
            except OwnError:
                pass
        assert [reference() for reference in held] == [None] * 3
    finally:
        gc.enable()
