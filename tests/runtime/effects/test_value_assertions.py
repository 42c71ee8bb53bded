"""``ag.debugging``: each assertion holds where it should, and says what is wrong where it does not."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
import pytest

import agir as ag
from agir import debugging
from agir.errors import InvalidArgumentError

from ..ways import everywhere, line, when_traced

DTYPES = ["int8", "uint16", "int64", "float16", "bfloat16", "float32", "float64"]
PAIRS = {
    "assert_equal": np.equal,
    "assert_none_equal": np.not_equal,
    "assert_less": np.less,
    "assert_less_equal": np.less_equal,
    "assert_greater": np.greater,
    "assert_greater_equal": np.greater_equal,
}
SIGNS = {
    "assert_positive": np.greater,
    "assert_negative": np.less,
    "assert_non_negative": np.greater_equal,
    "assert_non_positive": np.less_equal,
}


def fails(function: Any, *args: Any) -> bool:
    try:
        function(*args)
    except InvalidArgumentError as error:
        return "does not hold for every element" in str(error)
    return False


@everywhere
@pytest.mark.parametrize("name", PAIRS)
def test_comparisons_of_two(wrap: Any, name: str) -> None:
    check = getattr(debugging, name)
    function = wrap(lambda x, y: check(x, y))
    for dtype in ("int32", "float64"):
        for left, right in (([1, 2], [1, 2]), ([1, 2], [2, 3]), ([2, 3], [1, 2]), ([1, 2], [2, 1])):
            x, y = ag.constant(left, dtype), ag.constant(right, dtype)
            wanted = not PAIRS[name](left, right).all()
            assert fails(function, x, y) == wanted


@everywhere
@pytest.mark.parametrize("name", SIGNS)
def test_signs(wrap: Any, name: str) -> None:
    check = getattr(debugging, name)
    function = wrap(lambda x: check(x))
    for values in ([1, 2], [0, 1], [0, 0], [-1, 0], [-1, -2], [-1, 1], []):
        x = np.array(values, np.float32)
        assert fails(function, x) == (not SIGNS[name](x, 0).all())
    assert fails(function, np.array([np.nan]))


@pytest.mark.parametrize("wrap", [lambda f: f, ag.function])
@pytest.mark.parametrize("dtype", DTYPES)
def test_every_dtype_and_broadcasting(wrap: Any, dtype: str) -> None:
    function = wrap(lambda x: debugging.assert_less(x, x[:1] + 1, message="Not so"))
    x = ag.cast(ag.constant([[1.0, 1.0], [1.0, 1.0]]), dtype)
    function(x)
    with pytest.raises(InvalidArgumentError, match=r"Not so\. assert_less"):
        function(ag.cast(ag.constant([[1.0, 1.0], [1.0, 5.0]]), dtype))


@everywhere
def test_large_and_strided_arrays(wrap: Any) -> None:
    x = np.arange(200_000.0).reshape(400, 500)[::2, ::-3]
    function = wrap(lambda x: debugging.assert_non_negative(x, summarize=1))
    function(x)
    x[-1, -1] = -1
    with pytest.raises(InvalidArgumentError, match=r"x = \[\[499 ... "):
        function(x)


@everywhere
def test_near(wrap: Any) -> None:
    close = wrap(lambda x, y: debugging.assert_near(x, y))
    close(np.float32([1, 100]), np.float32([1 + 1e-6, 100 + 1e-5]))
    close(np.array([1.0]), np.array([1 + 1e-15]))
    close(np.array([3, 4]), np.array([3, 4]))
    with pytest.raises(InvalidArgumentError, match="not near each other"):
        close(np.array([1.0]), np.array([1 + 1e-10]))
    with pytest.raises(InvalidArgumentError):
        close(np.array([np.nan]), np.array([np.nan]))
    loose = wrap(lambda x, y: debugging.assert_near(x, y, rtol=0.1, atol=1.0, message="M"))
    loose(np.array([10.0]), np.array([12.0]))
    with pytest.raises(InvalidArgumentError, match=r"M\. assert_near"):
        loose(np.array([10.0]), np.array([13.0]))


@everywhere
def test_finite(wrap: Any) -> None:
    function = wrap(lambda x: debugging.check_numerics(x, "bad x"))
    x = np.array([1.0, -2.0])
    np.testing.assert_array_equal(function(x), x)
    for value, word in ((np.nan, "NaN"), (np.inf, "Inf"), (-np.inf, "Inf")):
        with pytest.raises(InvalidArgumentError, match=f"bad x : the tensor has {word}"):
            function(np.array([1.0, value]))
    every = wrap(lambda x: debugging.assert_all_finite(x, "all"))
    np.testing.assert_array_equal(every(x + 1j), x + 1j)
    with pytest.raises(TypeError, match="takes a floating-point tensor"):
        function(np.array([1, 2]))


@everywhere
def test_assert_shows_the_data(wrap: Any) -> None:
    function = wrap(lambda x, n: debugging.Assert(n > 0, ["n is", n, "of", x], summarize=1))
    function(np.arange(5), ag.constant(1))
    with pytest.raises(InvalidArgumentError, match=r"n is 0 of \[0 ... 4\]"):
        function(np.arange(5), ag.constant(0))
    assert ag.Assert is debugging.Assert


@when_traced
def test_the_error_names_the_line_and_the_values_of_the_moment(wrap: Any) -> None:
    def f(n: Any) -> Any:
        total = 0
        for i in ag.range(n):
            total += i
            debugging.assert_less(total, 10, message="too much")
        return total

    f_ = wrap(f)
    assert int(f_(ag.constant(4))) == 6
    with pytest.raises(InvalidArgumentError, match=r"too much\. .*x = 10") as caught:
        f_(ag.constant(20))
    assert line(f, "assert_less") in str(caught.value)
    assert caught.value.place.line == int(line(f, "assert_less").rpartition(":")[2])


@when_traced
def test_what_is_known_fails_while_tracing_but_not_in_a_branch(wrap: Any) -> None:
    def always(x: Any) -> Any:
        debugging.assert_equal(1, 2)
        return x

    def sometimes(x: Any) -> Any:
        if x > 0:
            debugging.assert_equal(1, 2, message="in the branch")
        return x

    with pytest.raises(InvalidArgumentError, match="x == 2"):
        wrap(always).get_concrete_function(ag.constant(1.0))
    function = wrap(sometimes)
    assert float(function(ag.constant(-1.0))) == -1
    with pytest.raises(InvalidArgumentError, match="in the branch"):
        function(ag.constant(1.0))


@when_traced
def test_effects_after_a_failure_do_not_happen(wrap: Any, capsys: Any) -> None:
    def f(x: Any) -> Any:
        debugging.assert_positive(x)
        ag.print("after", output_stream=sys.stdout)

    with pytest.raises(InvalidArgumentError):
        wrap(f)(ag.constant(-1.0))
    assert capsys.readouterr().out == ""


STATIC = {
    "rank": (
        lambda x: debugging.assert_rank(x, 1, "M"),
        ValueError,
        "M. .*2 dimensions instead of 1",
    ),
    "at least": (lambda x: debugging.assert_rank_at_least(x, 3), ValueError, "of at least 3"),
    "rank in": (lambda x: debugging.assert_rank_in(x, [0, 3]), ValueError, r"one of \[0, 3\]"),
    "scalar": (lambda x: debugging.assert_scalar(x), ValueError, r"the shape \[2, 3\]"),
    "type": (lambda x: debugging.assert_type(x, ag.int8), TypeError, "of float64, not int8"),
    "integer": (lambda x: debugging.assert_integer(x), TypeError, "of float64"),
    "floats": (
        lambda x: debugging.assert_same_float_dtype([x, ag.cast(x, "float32")]),
        ValueError,
        "tensors of float64 and of float32",
    ),
    "a float": (lambda x: debugging.assert_same_float_dtype([], "int8"), ValueError, "no floating"),
    "iterable": (lambda x: debugging.assert_proper_iterable(x), TypeError, "a list or tuple"),
    "size": (lambda x: debugging.assert_shapes([(x, (2, 4))]), ValueError, "3 instead of 4"),
    "symbol": (
        lambda x: debugging.assert_shapes([(x, "NN")], message="M"),
        ValueError,
        r"M. .*\('N'\) has the size 3 instead of 2 in dimension 1",
    ),
    "dimensions": (lambda x: debugging.assert_shapes([(x, ("N",))]), ValueError, "2 dimensions"),
    "dots": (lambda x: debugging.assert_shapes([(x, ("N", "..."))]), ValueError, "only in front"),
    "no shape": (lambda x: debugging.assert_shapes([(x, 3)]), ValueError, "must be a tuple"),
}


@everywhere
@pytest.mark.parametrize("name", STATIC)
def test_dtypes_and_shapes_that_are_wrong(wrap: Any, name: str) -> None:
    check, error, message = STATIC[name]
    with pytest.raises(error, match=message):
        wrap(check)(np.ones((2, 3)))


@everywhere
def test_dtypes_and_shapes_that_are_right(wrap: Any) -> None:
    def f(x: Any, n: Any) -> Any:
        debugging.assert_rank(x, 2)
        debugging.assert_rank_at_least(x, 1)
        debugging.assert_rank_in(x, [1, 2])
        debugging.assert_type(x, "float64")
        debugging.assert_integer(n)
        debugging.assert_proper_iterable([x])
        assert debugging.assert_same_float_dtype([x, x]) == ag.float64
        debugging.assert_shapes([(x, ("N", 3)), (x[0], ("*", None)), (x, ("...", "N", "."))])
        debugging.assert_shapes([(n, ()), (x[:, 0], ["N"])])
        return debugging.assert_scalar(n)

    assert int(wrap(f)(np.ones((2, 3)), ag.constant(5))) == 5


@pytest.mark.parametrize("compiled", [None, False])
def test_shapes_of_the_run_time(compiled: Any) -> None:
    def f(x: Any, y: Any, rank: Any) -> Any:
        debugging.assert_shapes([(x, ("N", 3)), (y, ("N",))], message="Sizes")
        debugging.assert_rank(x, rank)
        debugging.assert_rank_in(x, [rank, 7])
        return x

    specs = [ag.TensorSpec([None, None], ag.float64), ag.TensorSpec([None], ag.float64)]
    specs.append(ag.TensorSpec([], ag.int32))
    f = ag.function(f, input_signature=specs, jit_compile=compiled)
    f(np.ones((2, 3)), np.ones(2), 2)
    for x, y in (((2, 4), 2), ((3, 3), 2), ((0, 3), 1)):
        with pytest.raises(InvalidArgumentError, match=r"Sizes\. .*another size"):
            f(np.ones(x), np.ones(y), 2)
    with pytest.raises(InvalidArgumentError, match="has 2 dimensions instead of 3"):
        f(np.ones((2, 3)), np.ones(2), 3)


@everywhere
def test_shapes_that_do_not_broadcast(wrap: Any) -> None:
    with pytest.raises(InvalidArgumentError, match="do not broadcast"):
        wrap(lambda x: debugging.assert_equal(x, np.ones(7)))(np.ones(3))
