"""What a failed check says: messages with the values of the failing moment.

PYTEST_DONT_REWRITE: the assertions here are the programs' own.
"""

# ruff: noqa: UP031, RUF040 (what is tested)

from __future__ import annotations

import pickle
import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import agir as ag
from agir.errors import InvalidArgumentError
from agir.ir.building.types import bool_
from agir.ir.control_flow.messages import fail_with_text
from agir.ir.tracing import trace as tracing

MODES = [None, False]
X = np.array([0.5, -2.0, 3.0])


def text(x, n):
    assert n < 3, f"n is {n}, x[0] is {x[0]:.2f}"
    return n


def nothing(x, n):
    assert n < 3
    return n


def none(x, n):
    assert n < 3, None
    return n


def constant(x, n):
    assert n < 3, ("too", "big", 3)
    return n


def value(x, n):
    assert n < 3, n
    return n


def array(x, n):
    assert n < 3, x[1:]
    return n


def structure(x, n):
    assert n < 3, (n, {"x": x[0], "text": f"<{n}>"}, "constant")
    return n


def computed(x, n):
    assert n < 3, "the sum is %.3f" % (x * n).sum()
    return n


def in_a_loop(x, n):
    total = 0.0
    for i in range(n):
        total += i
        assert total < 3, f"total {total} in turn {i}"
    return total


def in_a_while(x, n):
    k = 0
    while k < n:
        if k > 1:
            assert k < 2, f"k is {k}"
        k += 1
    return k


def first_of_two(x, n):
    assert n < 3, f"first {n}"
    assert n < 2, f"second {n}"
    return n


def changed_after(x, n):
    y = x.copy()
    message = f"y was {y}"
    y[0] = 100
    assert n < 3, message
    return n


PROGRAMS = [text, nothing, none, constant, value, array, structure, computed, in_a_loop]
PROGRAMS += [in_a_while, first_of_two, changed_after]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("decorate", [ag.jit, ag.function])
@pytest.mark.parametrize("program", PROGRAMS)
def test_the_arguments_of_the_error(
    program: Callable[..., Any], decorate: Any, mode: bool | None
) -> None:
    compiled = decorate(program, jit_compile=mode)
    n = 5 if decorate is ag.jit else np.int64(5)
    with pytest.raises(AssertionError) as plain:
        program(X, n)
    with pytest.raises(AssertionError) as compiled_error:
        compiled(X, n)
    error = compiled_error.value
    assert repr(error.args) == repr(plain.value.args)
    assert str(error).startswith(str(plain.value) + "\n  at ")
    assert error.place.file == __file__
    assert isinstance(error, InvalidArgumentError)
    assert str(pickle.loads(pickle.dumps(error))) == str(error)
    assert compiled(X, type(n)(1)) == program(X, 1)


@pytest.mark.parametrize("mode", MODES)
def test_a_check_that_fails_in_the_message(mode: bool | None) -> None:
    @ag.jit(jit_compile=mode)
    def f(x, n):
        assert n < 3, f"it is {x[n]}"
        return n

    with pytest.raises(IndexError, match="index 7 is out of bounds"):
        f(X, 7)
    assert f(X, 1) == 1


def test_a_message_without_values_calls_nothing() -> None:
    def hlo(function: Callable[..., Any]) -> str:
        text = ag.jit(function).experimental_get_compiler_ir(X, 5)("hlo")
        assert isinstance(text, str)
        return text

    assert hlo(nothing).replace("@nothing", "@f") == hlo(constant).replace("@constant", "@f")
    assert "message" not in hlo(constant)
    assert "@message_0" in hlo(text)


def test_threads_fail_each_with_their_own_message() -> None:
    compiled = ag.jit(in_a_loop)
    compiled(X, 1)
    seen: dict[int, list[str]] = {}

    def run(n: int) -> None:
        for _ in range(50):
            try:
                compiled(X * n, n)
            except AssertionError as error:
                seen.setdefault(n, []).append(error.args[0])

    threads = [threading.Thread(target=run, args=(n,)) for n in (3, 4, 5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert seen == {n: ["total 3.0 in turn 2"] * 50 for n in (3, 4, 5)}


@pytest.mark.parametrize("mode", MODES)
def test_a_check_of_an_operation_may_have_a_message(mode: bool | None) -> None:
    def refuse(x: Any) -> None:
        trace = tracing.current()
        assert trace is not None
        with trace.at_user_line():
            ok = trace.constant(bool_, False)
            fail_with_text(trace, ok, "assert", (x, "always"))

    @ag.jit(jit_compile=mode)
    def f(x):
        refuse(x)
        return x

    with pytest.raises(AssertionError) as error:
        f(2.5)
    assert error.value.args == ((2.5, "always"),)


def test_an_exception_raised_by_the_message() -> None:
    class Odd:
        def __format__(self, spec: str) -> str:
            raise KeyError("no format")

    odd = Odd()

    @ag.jit
    def f(n):
        assert n < 3, f"{n:c}"
        return n, odd

    with pytest.raises(OverflowError, match="arg not in range"):
        f(2**40)
    assert f(1)[0] == 1


@pytest.mark.parametrize("convention", [ag.function, ag.jit])
@pytest.mark.parametrize("variable", [False, True])
@pytest.mark.parametrize(
    ("ask", "rank", "kind", "message"),
    [
        (lambda x: hash(x), 0, TypeError, "not hashable"),
        (lambda x: {x: 1}, 0, TypeError, "not hashable"),
        (lambda x: len(x), 0, TypeError, "len\\(\\) of a scalar"),
        (lambda x: list(x), 0, TypeError, "iteration over a scalar"),
        (lambda x: int(x), 1, TypeError, "only a scalar tensor can be converted"),
        (lambda x: float(x), 1, TypeError, "only a scalar tensor can be converted"),
        (lambda x: bool(x), 1, ValueError, "truth value of a tensor .* is ambiguous"),
        (lambda x: x[1.5], 1, IndexError, "1.5 is none of them"),
        (lambda x: x["a"], 1, IndexError, "valid indices"),
    ],
)
def test_what_python_asks_of_a_tensor_names_the_line(
    ask, rank, kind, message, variable, convention
):
    value = np.ones((2,) * rank)
    held = ag.Variable(value)
    f = convention(lambda x: ask(held if variable else x))
    with pytest.raises(kind, match=message) as info:
        f(value)
    assert "(lambda x: " in str(info.value)
    assert __file__ in str(info.value)


@pytest.mark.parametrize("convention", [ag.function, ag.jit])
@pytest.mark.parametrize("number", [2**31, -(2**63) - 1, 2**70])
def test_a_number_too_large_for_a_tensors_dtype_names_the_line(number, convention):
    f = convention(lambda x: x + number)
    with pytest.raises(OverflowError, match=f"{number} is out of bounds for int32") as info:
        f(ag.constant([1]))
    assert "x + number" in str(info.value)
