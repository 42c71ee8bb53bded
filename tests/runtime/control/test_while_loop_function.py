"""``while_loop``, in every way that a function can be run."""

from __future__ import annotations

import sys
from collections import namedtuple
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

import agir as ag

from ..ways import everywhere, leaves, line, when_traced

Point = namedtuple("Point", "x y")
X = np.array([1.0, -2.0, 3.0])


@dataclass
class Pair:
    left: Any
    right: Any


@everywhere
def test_variables_go_through_the_body(wrap: Any) -> None:
    def f(x: Any, n: Any) -> Any:
        def body(i: Any, total: Any) -> Any:
            if i % 2 == 0:
                total = total + x
            return i + 1, total

        return ag.while_loop(lambda i, total: i < n, body, (0, ag.zeros([3], ag.float64)))

    f = wrap(f)
    for n in (0, 1, 5):
        assert leaves(f(X, ag.constant(n))) == [n, (X * ((n + 1) // 2)).tolist()]


@everywhere
def test_structures_go_through(wrap: Any) -> None:
    def f(x: Any, n: Any) -> Any:
        def body(state: Any, pair: Any) -> Any:
            state = {"p": Point(state["p"].x + 1, state["p"].y * 2.0), "k": state["k"]}
            return state, Pair(pair.left + pair.right, pair.right)

        start = [{"k": [x[0]], "p": Point(0, 1.0)}, Pair(x, x)]
        return ag.while_loop(lambda state, _: state["p"].x < n, body, start)

    state, pair = wrap(f)(X, ag.constant(3))
    assert isinstance(state["p"], Point)
    assert isinstance(pair, Pair)
    assert leaves([state, pair]) == [1.0, 3, 8.0, (X * 4).tolist(), X.tolist()]


@everywhere
def test_one_variable_needs_no_list(wrap: Any) -> None:
    def f(n: Any) -> Any:
        return ag.while_loop(lambda i: i < n, lambda i: i * 3, [ag.constant(1)])

    found = wrap(f)(ag.constant(20))
    assert isinstance(found, list)
    assert leaves(found) == [27]


@everywhere
@pytest.mark.parametrize(("limit", "wanted"), [(0, 0), (3, 3), (100, 10)])
def test_no_more_than_maximum_iterations(wrap: Any, limit: int, wanted: int) -> None:
    def known(n: Any) -> Any:
        return ag.while_loop(lambda i: i < 10, lambda i: i + 1, [n], maximum_iterations=limit)

    def given(n: Any, limit: Any) -> Any:
        return ag.while_loop(lambda i: i < 10, lambda i: i + 1, [n], maximum_iterations=limit)

    assert leaves(wrap(known)(ag.constant(0))) == [wanted]
    assert leaves(wrap(given)(ag.constant(0), ag.constant(limit))) == [wanted]


@everywhere
def test_a_condition_that_is_always_true(wrap: Any) -> None:
    def f(n: Any) -> Any:
        return ag.while_loop(lambda i: True, lambda i: i + 1, [n], maximum_iterations=7)

    assert leaves(wrap(f)(ag.constant(1))) == [8]


@everywhere
def test_dimensions_may_change(wrap: Any) -> None:
    def f(x: Any, n: Any) -> Any:
        return ag.while_loop(
            lambda i, rows: i < n,
            lambda i, rows: (i + 1, ag.concat([rows, rows[:1] + 1], 0)),
            (0, x),
            shape_invariants=(ag.TensorSpec([], ag.int32), [None]),
        )

    assert leaves(wrap(f)(X, ag.constant(2))) == [2, [1.0, -2.0, 3.0, 2.0, 2.0]]


@everywhere
def test_invariants_are_checked(wrap: Any) -> None:
    def grows(x: Any, n: Any) -> Any:
        return ag.while_loop(
            lambda i, rows: i < n,
            lambda i, rows: (i + 1, ag.concat([rows, rows], 0)),
            (0, x),
            shape_invariants=([], [3]),
        )

    with pytest.raises(ValueError, match=r"loop_vars\[1\], whose shape_invariants say \[3\]"):
        wrap(grows)(X, ag.constant(2))
    with pytest.raises(ValueError, match="shape_invariants is not like loop_vars"):
        ag.while_loop(lambda i: i < 1, lambda i: i, [1], shape_invariants=[[], []])


@everywhere
def test_loops_in_loops_and_arrays(wrap: Any) -> None:
    def f(n: Any) -> Any:
        def body(i: Any, array: Any) -> Any:
            _, total = ag.while_loop(
                lambda j, total: j < i, lambda j, total: (j + 1, total + j), (0, 0)
            )
            return i + 1, array.write(i, total)

        array = ag.TensorArray(ag.int32, n)
        return ag.while_loop(lambda i, array: i < n, body, (0, array))[1].stack()

    assert leaves(wrap(f)(ag.constant(5))) == [[0, 0, 1, 3, 6]]


@everywhere
def test_effects_happen_in_every_iteration(wrap: Any, capsys: Any) -> None:
    def f(n: Any) -> Any:
        def body(i: Any) -> Any:
            ag.print("iteration", i, output_stream=sys.stdout)
            return i + 1

        return ag.while_loop(lambda i: i < n, body, [ag.constant(0)])

    wrap(f)(ag.constant(3))
    assert capsys.readouterr().out == "iteration 0\niteration 1\niteration 2\n"


@when_traced
def test_a_failure_ends_it(wrap: Any) -> None:
    def f(x: Any) -> Any:
        return ag.while_loop(lambda i: i >= 0, lambda i: i + ag.cast(x[i] * 0, ag.int32) + 1, [0])

    with pytest.raises(IndexError, match="index 3 is out of bounds") as caught:
        wrap(f)(X)
    assert line(f, "ag.while_loop") in str(caught.value)


WRONG = {
    "count": (lambda i, x: (i + 1,), ValueError, "loop_vars has a list of 2.* body a list of 1"),
    "structure": (lambda i, x: (i + 1, [x]), ValueError, r"at loop_vars\[1\]"),
    "dtype": (
        lambda i, x: (i + 1.0, x),
        TypeError,
        r"loop_vars\[0\] is a tensor of int32\[\] before the loop",
    ),
    "rank": (lambda i, x: (i + 1, x[0]), ValueError, r"loop_vars\[1\].*number of dimensions"),
    "value": (lambda i, x: (i + 1, None), TypeError, "the Python value None after the body"),
}


@pytest.mark.parametrize("wrap", [lambda f: f, ag.function])
@pytest.mark.parametrize("name", WRONG)
def test_a_body_that_gives_something_else(wrap: Any, name: str) -> None:
    body, error, message = WRONG[name]

    def f(n: Any) -> Any:
        return ag.while_loop(lambda i, x: i < n, body, (ag.constant(0), ag.constant(X)))

    with pytest.raises(error, match=message) as caught:
        wrap(f)(ag.constant(2))
    assert wrap is not ag.function or line(f, "ag.while_loop") in str(caught.value)


@everywhere
def test_arguments_that_make_no_sense(wrap: Any) -> None:
    for variables in ([], (), 5):
        with pytest.raises(ValueError, match="loop_vars must be a list"):
            wrap(lambda v=variables: ag.while_loop(lambda *_: True, lambda *v: v, v))()
    with pytest.raises(TypeError, match="body must be callable"):
        wrap(lambda: ag.while_loop(lambda i: True, None, [0]))()
    with pytest.raises(TypeError, match="cond must be callable"):
        wrap(lambda: ag.while_loop(1, lambda i: i, [0]))()


def test_an_array_stays_one() -> None:
    @ag.function
    def f(n: Any) -> Any:
        array = ag.TensorArray(ag.int32, 2)
        return ag.while_loop(lambda i, a: i < n, lambda i, a: (i + 1, n), (0, array))

    with pytest.raises(TypeError, match="a TensorArray of int32 before the loop"):
        f(ag.constant(2))
