"""Mistakes of agir's own are told apart from what a program raises."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from unittest import mock

import numpy as np
import pytest

import agir as ag
from agir.ir.emission import emit
from agir.ir.tensors import mistakes

MISTAKES = {
    "a function that does not take them": ("return take(1, 2)", TypeError),
    "an attribute that is not there": ("return take.nothing", AttributeError),
    "an attribute of a number": ("return zero.elements", AttributeError),
    "a key": ("return {}[zero]", KeyError),
    "an item": ("return [][zero]", IndexError),
    "a class of agir's": ("one = object.__new__(Constant)\n    return one + 1", TypeError),
    "arithmetic": ("return 1 // zero", ZeroDivisionError),
    "a name": ("return nothing", NameError),
    "a local name": ("if zero:\n        x = 1\n    return x", UnboundLocalError),
    "an assertion": ("assert zero", AssertionError),
    "MLIR's bindings": ("return bindings.ir.IntegerType.get_signless('x')", TypeError),
}
ON_PURPOSE = {
    "said": ("raise TypeError('take() takes 1 positional argument')", TypeError),
    "by C": ("return int('x')", ValueError),
    "by C for the program": ("return operator.floordiv(1, 0)", ZeroDivisionError),
    "by C of a list that is one of agir's": (
        "class list(type([])):\n        pass\n    own = list()\n    return int(own)",
        TypeError,
    ),
    "by NumPy": ("return np.broadcast_shapes((3,), (4,))", ValueError),
}


def written(body: str) -> Callable[..., Any]:
    """A function that counts as one of agir's, with that body."""
    names: dict[str, Any] = {"__name__": "agir.ir.emission.emit", "zero": 0, "np": np}
    names["Constant"] = emit.Constant
    imports = "import operator\nfrom agir.ir.building import bindings\n"
    source = f"{imports}\ndef given(*_):\n    {body}\n"
    exec(compile(source, "given.py", "exec"), names)
    exec("def take(x):\n    return x\n", names)
    return names["given"]  # type: ignore[no-any-return]


@pytest.fixture
def as_a_mistake() -> Any:
    """Has agir run such a function wherever it emits an operation on elements."""

    def run(body: str) -> Any:
        function = written(body)
        stand_in = mock.patch.object(emit, "elementwise", function)
        takes = mock.patch.object(emit, "take", function.__globals__["take"], create=True)
        return stand_in, takes

    return run


def plain(x, n):
    return x + 1.0


def in_a_branch(x, n):
    if n:
        x = x + 1.0
    return x


def in_a_try(x, n):
    try:
        x = x + 1.0
    except Exception:
        x = 5.0
    return x


def in_a_loop(x, n):
    for _ in range(n):
        x = x * 2.0
    return x


@pytest.mark.parametrize("kind", MISTAKES)
@pytest.mark.parametrize("function", [plain, in_a_branch, in_a_try, in_a_loop])
def test_a_mistake_is_said_to_be_one(kind: str, function: Any, as_a_mistake: Any) -> None:
    body, cause = MISTAKES[kind]
    one, other = as_a_mistake(body)
    with one, other, pytest.raises(ag.errors.InternalError, match="Please report it") as found:
        ag.jit(function)(2.0, True if function is in_a_branch else 3)
    assert type(found.value.__cause__) is cause
    assert found.value.__cause__.__traceback__ is not None
    assert "test_mistakes.py:" in str(found.value)
    assert not isinstance(found.value, (TypeError, AttributeError, ArithmeticError))


def test_after_a_mistake_the_function_works(as_a_mistake: Any) -> None:
    decorated = ag.jit(plain)
    one, other = as_a_mistake("return nothing")
    with one, other, pytest.raises(ag.errors.InternalError):
        decorated(2.0, 1)
    assert decorated(2.0, 1) == 3.0


@pytest.mark.parametrize("kind", ON_PURPOSE)
def test_what_is_raised_on_purpose_is_none(kind: str) -> None:
    body, cause = ON_PURPOSE[kind]
    with pytest.raises(cause) as found:
        written(body)()
    assert not mistakes.is_mistake(found.value)


def test_a_function_of_the_program_that_is_called_wrongly() -> None:
    with pytest.raises(TypeError, match="missing 1 required positional argument") as found:
        ag.jit(lambda x: ag.map_fn(lambda a, b: a, x))(np.ones(3))
    assert not isinstance(found.value, ag.errors.InternalError)


@pytest.mark.parametrize(
    "function",
    [
        lambda x, n: (x + n).nothing,
        lambda x, n: undefined + x + n,  # noqa: F821
        lambda x, n: n // 0 if n > 5 else x,
        lambda x, n: np.ones(3)[5] if n > 5 else x,
        lambda x, n: plain(x) if n > 5 else x,
    ],
)
def test_what_the_program_does_wrong_is_none(function: Any) -> None:
    with pytest.raises(
        (LookupError, AttributeError, NameError, TypeError, ArithmeticError)
    ) as wanted:
        function(2.0, 7)
    with pytest.raises(type(wanted.value)) as found:
        ag.jit(function)(2.0, 7)
    assert not isinstance(found.value, ag.errors.InternalError)


def test_a_mistake_of_the_back_end() -> None:
    function = written("return nothing")
    with (
        mock.patch("agir.backends.cpu.engine.machine_code", function),
        pytest.raises(ag.errors.InternalError, match="NameError: name 'nothing'") as found,
    ):
        ag.jit(plain)(2.0, 1)
    assert isinstance(found.value.__cause__, NameError)


@pytest.mark.parametrize("traced", [False, True])
def test_an_operation_that_is_not_there_is_the_callers_mistake(traced):
    from agir.ir.tensors.dispatch import call

    def misspelt(x):
        return call("log1q", x)

    with pytest.raises(LookupError, match=r"no operation 'log1q'; did you mean log1p\?"):
        (ag.jit(misspelt) if traced else misspelt)(np.ones(2))
