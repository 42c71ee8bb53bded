"""``cond``, ``case`` and ``switch_case``, in every way that a function can be run."""

from __future__ import annotations

import sys
from collections import namedtuple
from typing import Any

import numpy as np
import pytest

import agir as ag
from agir.errors import InvalidArgumentError

from ..ways import everywhere, leaves, line, when_traced

Point = namedtuple("Point", "x y")
X = np.array([1.0, -2.0, 3.0])


@everywhere
def test_only_the_chosen_function_runs(wrap: Any, capsys: Any) -> None:
    def f(x: Any, n: Any) -> Any:
        def yes() -> Any:
            ag.print("yes", output_stream=sys.stdout)
            return x * 2

        def no() -> Any:
            ag.print("no", output_stream=sys.stdout)
            return x - 1

        return ag.cond(n > 2, yes, no)

    f = wrap(f)
    np.testing.assert_array_equal(f(X, ag.constant(3)), X * 2)
    np.testing.assert_array_equal(f(X, ag.constant(2)), X - 1)
    assert capsys.readouterr().out == "yes\nno\n"


@everywhere
def test_functions_are_converted(wrap: Any) -> None:
    def f(n: Any) -> Any:
        def halved() -> Any:
            steps = 0
            m = n
            while m > 1:
                if m % 2 == 0:
                    m = m // 2
                else:
                    m = 3 * m + 1
                steps += 1
            return steps

        return ag.cond(n > 5, halved, lambda: 0)

    f = wrap(f)
    assert int(f(ag.constant(27))) == 111
    assert int(f(ag.constant(3))) == 0


@everywhere
def test_structures_come_back(wrap: Any) -> None:
    def f(x: Any, n: Any) -> Any:
        def yes() -> Any:
            return {"p": Point(x, n), "l": [x[0], None]}

        return ag.cond(n > 0, yes, lambda: {"l": [x[1], None], "p": Point(-x, n)})

    f = wrap(f)
    found = f(X, ag.constant(1))
    assert isinstance(found["p"], Point)
    assert found["l"][1] is None
    assert leaves(f(X, ag.constant(0))) == [-2.0, None, (-X).tolist(), 0]


@when_traced
@pytest.mark.parametrize("pred", [True, 1, np.bool_(True), ag.constant(True)])
def test_a_value_chooses_while_tracing(wrap: Any, pred: Any) -> None:
    traced = []

    def f(x: Any) -> Any:
        return ag.cond(pred, lambda: traced.append("yes") or x, lambda: traced.append("no"))

    np.testing.assert_array_equal(wrap(f)(X), X)
    assert traced == ["yes"]


def test_an_array_of_outside_chooses_as_the_convention_has_it() -> None:
    """It is a constant under TensorFlow's, and under NumPy's what it is at each call."""
    pred = np.array([3])

    def f(x: Any) -> Any:
        return ag.cond(pred, lambda: x, lambda: -x)

    constant, read = ag.function(f), ag.jit(f)
    np.testing.assert_array_equal(constant(X), X)
    np.testing.assert_array_equal(read(X), X)
    pred[0] = 0
    np.testing.assert_array_equal(constant(X), X)
    np.testing.assert_array_equal(read(X), -X)


@everywhere
def test_what_the_functions_change_is_kept(wrap: Any) -> None:
    def f(x: Any, n: Any) -> Any:
        seen: list[Any] = []
        array = ag.TensorArray(ag.float64, 2)
        ag.cond(n > 1, lambda: seen.append(x[0]), lambda: seen.append(x[1]))
        ag.cond(n > 1, lambda: array.write(0, x[2]), lambda: array.write(1, x[2]))
        return seen[0], array.stack()

    f = wrap(f)
    assert leaves(f(X, ag.constant(5))) == [1.0, [3.0, 0.0]]
    assert leaves(f(X, ag.constant(1))) == [-2.0, [0.0, 3.0]]


@everywhere
def test_what_is_not_chosen_does_not_fail(wrap: Any) -> None:
    def f(x: Any, i: Any) -> Any:
        def fail() -> Any:
            raise KeyError("the user's own")

        first = ag.cond(i < 3, lambda: x[i], lambda: x[0])
        return ag.cond(i > 10, fail, lambda: first)

    f = wrap(f)
    assert float(f(X, ag.constant(7))) == 1.0
    with pytest.raises(KeyError, match="the user's own"):
        f(X, ag.constant(11))


def test_numbers_are_what_tensorflow_makes_of_them() -> None:
    @ag.function
    def f(x: Any) -> Any:
        yes = x > 0
        return ag.cond(yes, lambda: 1, lambda: 2), ag.cond(yes, lambda: x, lambda: 0)

    number, adapted = f(ag.constant(1.5))
    assert number.dtype == ag.int32
    assert adapted.dtype == ag.float32
    assert leaves(f(ag.constant(-1.5))) == [2, 0.0]


@everywhere
def test_the_first_true_pair(wrap: Any) -> None:
    def f(n: Any) -> Any:
        pairs = [(n > 10, lambda: n * 2), (False, lambda: n), (n > 5, lambda: n + 100)]
        return ag.case(pairs, default=lambda: -n)

    f = wrap(f)
    assert [int(f(ag.constant(n))) for n in (11, 6, 1)] == [22, 106, -1]


@everywhere
def test_case_without_a_default(wrap: Any) -> None:
    def f(n: Any) -> Any:
        return ag.case([(n > 1, lambda: n), (n < -1, lambda: -n)])

    f = wrap(f)
    assert int(f(ag.constant(-5))) == 5
    with pytest.raises(InvalidArgumentError, match="none of the conditions is true"):
        f(ag.constant(0))


@everywhere
def test_exclusive_conditions(wrap: Any) -> None:
    def f(n: Any) -> Any:
        pairs = [(n > 1, lambda: n), (n > 3, lambda: -n)]
        return ag.case(pairs, default=lambda: n * 0, exclusive=True)

    f = wrap(f)
    assert int(f(ag.constant(2))) == 2
    assert int(f(ag.constant(0))) == 0
    with pytest.raises(InvalidArgumentError, match="more than one condition is true"):
        f(ag.constant(4))


@everywhere
@pytest.mark.parametrize(
    "branches",
    [
        lambda x: [lambda: x, lambda: x * 2, lambda: x * 3],
        lambda x: [(2, lambda: x * 3), (0, lambda: x), (1, lambda: x * 2)],
        lambda x: {1: lambda: x * 2, 2: lambda: x * 3, 0: lambda: x},
    ],
)
def test_a_branch_by_its_number(wrap: Any, branches: Any) -> None:
    f = wrap(lambda x, n: ag.switch_case(n, branches(x)))
    g = wrap(lambda x, n: ag.switch_case(n, branches(x), default=lambda: x * 0))
    for number, factor in ((0, 1), (1, 2), (2, 3), (3, 3), (-1, 3), (100, 3)):
        np.testing.assert_array_equal(f(X, ag.constant(number)), X * factor)
        outside = 0 if number not in (0, 1, 2) else factor
        np.testing.assert_array_equal(g(X, ag.constant(number)), X * outside)
    assert ag.switch_case(1, branches(5)) == 10


WRONG = {
    "structure": (
        lambda x, n: ag.cond(n > 0, lambda: (x, x), lambda: [x, x]),
        TypeError,
        "at result: true_fn has a tuple of 2, and false_fn a list of 2",
    ),
    "length": (
        lambda x, n: ag.cond(n > 0, lambda: {"a": (x, x)}, lambda: {"a": (x,)}),
        ValueError,
        r"at result\['a'\]: true_fn has a tuple of 2, and false_fn a tuple of 1",
    ),
    "keys": (
        lambda x, n: ag.cond(n > 0, lambda: {"a": x}, lambda: {"b": x}),
        ValueError,
        "a dict of 'a', and false_fn a dict of 'b'",
    ),
    "dtype": (
        lambda x, n: ag.cond(n > 0, lambda: (x, n), lambda: (x, ag.cast(n, ag.int64))),
        TypeError,
        r"result\[1\] is a tensor of int32\[\] in true_fn and a tensor of int64\[\] in false_fn",
    ),
    "rank": (
        lambda x, n: ag.cond(n > 0, lambda: x, lambda: x[0]),
        ValueError,
        "another number of dimensions",
    ),
    "none": (
        lambda x, n: ag.cond(n > 0, lambda: x, lambda: None),
        TypeError,
        "the Python value None in false_fn; both must be tensors",
    ),
    "case": (
        lambda x, n: ag.case([(n > 0, lambda: x), (n > 1, lambda: n)], default=lambda: x),
        TypeError,
        "in function 1",
    ),
    "switch": (
        lambda x, n: ag.switch_case(n, [lambda: x, lambda: x[0]]),
        ValueError,
        "in the default",
    ),
}


@when_traced
@pytest.mark.parametrize("name", WRONG)
def test_results_that_differ(wrap: Any, name: str) -> None:
    function, error, message = WRONG[name]
    with pytest.raises(error, match=message) as caught:
        wrap(function)(X, ag.constant(1))
    assert f"{__file__}:" in str(caught.value)


@everywhere
@pytest.mark.parametrize(
    ("use", "error", "message"),
    [
        (lambda x: ag.cond(x > 0, lambda: x, lambda: x), ValueError, "(?i)ambiguous|reduce_any"),
        (lambda x: ag.cond(None, lambda: x, lambda: x), TypeError, "pred must be a bool scalar"),
        (lambda x: ag.cond(x[0] > 0, x, lambda: x), TypeError, "true_fn must be callable"),
        (lambda x: ag.case([]), TypeError, "pred_fn_pairs must be a list of pairs"),
        (lambda x: ag.case([lambda: x]), TypeError, "item 0 must be a pair"),
        (lambda x: ag.switch_case(0, []), TypeError, "branch_fns must be functions"),
        (lambda x: ag.switch_case(0.5, [abs]), TypeError, "must be an integer scalar"),
        (lambda x: ag.switch_case(x, [abs]), TypeError, "must be an integer scalar"),
        (lambda x: ag.switch_case(0, [(1, abs), (1, abs)]), ValueError, "the number 1 is there"),
        (lambda x: ag.switch_case(0, [("a", abs)]), TypeError, "must be a function, or a pair"),
    ],
)
def test_arguments_that_make_no_sense(
    wrap: Any, use: Any, error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        wrap(use)(X)


@when_traced
def test_an_error_names_the_line(wrap: Any) -> None:
    def f(n: Any) -> Any:
        n = n + 1
        return ag.case([(n > 1, lambda: n)])

    with pytest.raises(InvalidArgumentError) as caught:
        wrap(f)(ag.constant(0))
    notes = getattr(caught.value, "__notes__", [])
    assert line(f, "ag.case") in str(caught.value) + "".join(notes)


def test_without_autograph_and_eagerly() -> None:
    def f(x: Any, n: Any) -> Any:
        y = ag.cond(n > 2, lambda: x * 2, lambda: x)
        i, y = ag.while_loop(lambda i, y: i < n, lambda i, y: (i + 1, y + 1), (0, y))
        return ag.scan(lambda total, row: total + row, y), i

    plain = ag.function(f, autograph=False)
    for n in (0, 3):
        wanted = np.cumsum((X * 2 if n > 2 else X) + n)
        for function in (plain, ag.function(ag.autograph.do_not_convert(f))):
            found, iterations = function(X, ag.constant(n))
            np.testing.assert_allclose(found, wanted)
            assert int(iterations) == n
        assert plain.get_concrete_function(X, ag.constant(n)) is not None


@everywhere
def test_strings_can_be_chosen(wrap: Any, capsys: Any) -> None:
    def f(x: Any) -> Any:
        sign = ag.cond(x > 0, lambda: "positive", lambda: "negative")
        ag.print(x, "is", sign, output_stream=sys.stdout)
        return sign

    function = wrap(f)
    assert [function(ag.constant(v)) for v in (1, -1)] == ["positive", "negative"]
    assert capsys.readouterr().out == "1 is positive\n-1 is negative\n"


@everywhere
def test_recursion_through_cond(wrap: Any) -> None:
    def factorial(n: Any) -> Any:
        return ag.cond(n <= 1, lambda: n * 0 + 1, lambda: n * factorial(n - 1))

    assert int(wrap(factorial)(ag.constant(6))) == 720


@everywhere
def test_case_without_pairs_is_the_default(wrap: Any) -> None:
    f = wrap(lambda x: (ag.case([], default=lambda: x), ag.case([], lambda: x, exclusive=True)))
    assert leaves(f(ag.constant(3))) == [3, 3]
