"""What ``py_function`` and ``numpy_function`` raise, inside the program's own ``try`` statements."""

from __future__ import annotations

import contextlib
import gc
import sys
import weakref
from typing import Any

import numpy as np
import pytest

import agir as ag
from agir.errors import StagingError

from ..ways import everywhere, leaves, when_traced


class OwnError(KeyError):
    pass


KINDS = (ValueError, OwnError, OSError, ZeroDivisionError)


def host(i: Any) -> Any:
    if i < len(KINDS):
        raise KINDS[int(i)](f"for {i}")
    return np.int32(i)


def called(i: Any) -> Any:
    return ag.numpy_function(host, [i], ag.TensorSpec([], ag.int32))


def outcome(function: Any, *args: Any) -> Any:
    """The result, or the class and arguments of the exception."""
    try:
        return leaves(function(*args))
    except Exception as error:
        return type(error), error.args


def clauses(x: Any) -> Any:
    try:
        y = called(x)
    except (ValueError, KeyError):
        y = x - 10
    except OSError:
        y = x - 20
    else:
        y = y + 100
    return y


def nested(x: Any) -> Any:
    try:
        try:
            called(x)
        except OSError:
            return x
        finally:
            ag.print("finally", output_stream=sys.stdout)
    except KeyError:
        raise
    except ValueError as error:
        raise RuntimeError("another") from error
    return x + 1


def suppressed(x: Any) -> Any:
    y = x * 0
    with contextlib.suppress(KeyError, OSError):
        called(x)
        y = y + 1
    return y


class Suppressing:
    """A context manager that decides by the class that it is told."""

    def __enter__(self) -> Any:
        return self

    def __exit__(self, kind: Any, error: Any, traceback: Any) -> Any:
        return kind is not None and issubclass(kind, (KeyError, OSError))


def suppressed_by_class(x: Any) -> Any:
    y = x * 0
    with Suppressing():
        called(x)
        y = y + 1
    return y


def told_apart(x: Any) -> Any:
    try:
        y = called(x) + 1 // (int(x) - 4)
    except Exception as error:
        if isinstance(error, (KeyError, OSError)):
            return x * 0 + 1
        if isinstance(error, ZeroDivisionError):
            return x * 0 + 2
        return x * 0 + 3
    return y


def within_the_functions(x: Any) -> Any:
    try:
        return ag.map_fn(called, ag.stack([x + 2, x]))
    except LookupError:
        return ag.stack([x, x])


@everywhere
@pytest.mark.parametrize(
    "f",
    [clauses, nested, suppressed, suppressed_by_class, told_apart, within_the_functions],
    ids=lambda f: f.__name__,
)
def test_handlers_see_the_class(wrap: Any, f: Any, capsys: Any) -> None:
    function = wrap(f)
    for i in range(6):
        x = ag.constant(i)
        assert outcome(function, x) == outcome(f, x)
        printed = capsys.readouterr().out
        assert printed in ("", "finally\n" * 2)


@everywhere
def test_in_a_loop(wrap: Any) -> None:
    def f(n: Any) -> Any:
        total = n * 0
        for i in ag.range(n):
            try:
                total += called(i)
            except (ValueError, KeyError):
                total += 100
            except ArithmeticError:
                total += 1000
                continue
            except OSError:
                total += 10
            total += 10000
        return total

    function = wrap(f)
    assert [leaves(function(ag.constant(n))) for n in (0, 3, 6)] == [[0], [30210], [51219]]


@everywhere
def test_in_recursion(wrap: Any) -> None:
    def down(n: Any) -> Any:
        if n <= 0:
            return called(n + 1)
        return down(n - 1) + 1

    def f(n: Any) -> Any:
        try:
            return down(n)
        except KeyError:
            return n * 0 - 7

    assert leaves(wrap(f)(ag.constant(5))) == [-7]
    with pytest.raises(OwnError, match="for 1"):
        wrap(down)(ag.constant(5))


@everywhere
def test_linear_algebra(wrap: Any) -> None:
    def f(x: Any) -> Any:
        try:
            return ag.linalg.inv(x)
        except np.linalg.LinAlgError:
            return x * 0

    function = wrap(f)
    assert leaves(function(ag.constant([[1.0, 1.0], [1.0, 1.0]]))) == [[[0, 0], [0, 0]]]
    assert leaves(function(ag.constant([[2.0, 0.0], [0.0, 1.0]]))) == [[[0.5, 0], [0, 1]]]


@everywhere
def test_a_result_that_does_not_fit_can_be_caught(wrap: Any) -> None:
    def f(x: Any) -> Any:
        try:
            return ag.numpy_function(lambda a: a * 0.5, [x], ag.int32)
        except ag.errors.InvalidArgumentError:
            return x

    assert leaves(wrap(f)(ag.constant(3))) == [3]


@when_traced
def test_details_are_not_known_while_tracing(wrap: Any) -> None:
    def shown(x: Any) -> Any:
        try:
            called(x)
        except Exception as error:
            return x + len(error.args)
        return x

    def asked(x: Any) -> Any:
        try:
            called(x)
        except Exception as error:
            if type(error) is OwnError:
                return x
        return x + 1

    with pytest.raises(StagingError, match="not looked into"):
        wrap(shown)(ag.constant(1))
    with pytest.raises(StagingError, match=r"ask with isinstance\(\)"):
        wrap(asked)(ag.constant(1))


@when_traced
def test_what_is_caught_is_not_kept_alive(wrap: Any) -> None:
    held: list[Any] = []

    def failing(x: Any) -> Any:
        error = OwnError()
        held.append(weakref.ref(error))
        raise error

    def f(x: Any) -> Any:
        try:
            return ag.numpy_function(failing, [x], ag.TensorSpec([], ag.int32))
        except KeyError:
            return x

    function = wrap(f)
    for _ in range(3):
        assert leaves(function(ag.constant(1))) == [1]
    gc.collect()
    assert [reference() for reference in held] == [None] * 3


@everywhere
def test_interrupts_are_not_for_handlers_of_exceptions(wrap: Any) -> None:
    def interrupted(x: Any) -> Any:
        raise KeyboardInterrupt

    def f(x: Any) -> Any:
        try:
            return ag.numpy_function(interrupted, [x], ag.TensorSpec([], ag.int32))
        except Exception:
            return x

    with pytest.raises(KeyboardInterrupt):
        wrap(f)(ag.constant(1))


@everywhere
def test_in_a_function_of_its_own(wrap: Any) -> None:
    inner = ag.function(lambda i: called(i) + 1)
    total = ag.Variable(0)

    def f(x: Any) -> Any:
        total.assign(x * 0)
        try:
            total.assign_add(x * 0 + 1)
            y = inner(x)
            total.assign_add(x * 0 + 10)
        except ValueError:
            total.assign_add(x * 0 + 100)
            y = x
        return y, total.read_value()

    function = wrap(f)
    assert leaves(function(ag.constant(0))) == [0, 101]
    assert leaves(function(ag.constant(5))) == [6, 11]


@everywhere
@pytest.mark.parametrize(("x", "expected"), [([1.0, 5.0], 1.0), ([-1.0, 5.0], IndexError)])
def test_a_manager_that_decides_at_run_time(wrap: Any, x: Any, expected: Any) -> None:
    class Positive:
        def __init__(self, value: Any) -> None:
            self.value = value

        def __enter__(self) -> Any:
            return self

        def __exit__(self, kind: Any, error: Any, traceback: Any) -> Any:
            return self.value > 0

    def f(x: Any) -> Any:
        y = x[0]
        with Positive(y):
            y = x[ag.cast(x[1], ag.int32)]
        return y

    if expected is IndexError:
        with pytest.raises(IndexError):
            wrap(f)(ag.constant(x))
    else:
        assert leaves(wrap(f)(ag.constant(x))) == [expected]


@everywhere
def test_what_it_says_is_text(wrap: Any, capsys: Any) -> None:
    def f(x: Any) -> Any:
        text = "nothing"
        for i in ag.range(2):
            try:
                called(x + i)
            except Exception as error:
                ag.print("printed", error, output_stream=sys.stdout)
                print(f"{error!r:>22}|{error}")
                text = str(error)
        print(text)
        return x

    function = wrap(f)
    for i, said in enumerate(
        [
            "printed ValueError('for 0')\n   ValueError('for 0')|for 0\n"
            "printed OwnError('for 1')\n     OwnError('for 1')|'for 1'\n'for 1'\n",
            "printed OwnError('for 1')\n     OwnError('for 1')|'for 1'\n"
            "printed OSError('for 2')\n      OSError('for 2')|for 2\nfor 2\n",
        ]
    ):
        function(ag.constant(i))
        assert capsys.readouterr().out == said
    function(ag.constant(7))
    assert capsys.readouterr().out == "nothing\n"


@everywhere
def test_its_text_in_another_exception(wrap: Any) -> None:
    def f(x: Any) -> Any:
        try:
            return called(x)
        except OSError as error:
            raise RuntimeError(f"wrapped: {error}") from error

    with pytest.raises(RuntimeError, match="wrapped: for 2"):
        wrap(f)(ag.constant(2))
