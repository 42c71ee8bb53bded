"""Text in converted code: f-strings and ``%``."""

# ruff: noqa: UP031, F507 (old ways of formatting are what is tested)

from __future__ import annotations

import textwrap
from collections.abc import Callable
from typing import Any

import pytest

from agir import autograph


def body(function: Callable[..., Any]) -> str:
    """The converted statements."""
    return textwrap.dedent(autograph.to_code(function).split("\n", 1)[1]).strip()


def test_an_f_string() -> None:
    def f(x):
        return f"x is {x}, {x!r} or {x:.3f}"

    assert body(f) == (
        "return ag__.text('x is ', ag__.formatted(x), ', ', ag__.formatted(x, 'r'), ' or ', "
        "ag__.formatted(x, '', '.3f'))"
    )


def test_a_width_that_is_computed() -> None:
    def f(x, n):
        return f"{x!s:>{n}}"

    assert body(f) == (
        "return ag__.text(ag__.formatted(x, 's', ag__.text('>', ag__.formatted(n))))"
    )


def test_an_f_string_without_expressions_stays() -> None:
    def f():
        return f"a {{b}}" + "c"  # noqa: F541

    assert body(f) == "return f'a {{b}}' + 'c'"


def test_percent_after_text_and_before_a_tuple() -> None:
    def f(x, pattern):
        return "%d" % x, ("a" + "%s") % x, pattern % (x, 1), x % 2

    assert body(f) == (
        "return (ag__.percent('%d', x), ag__.percent('a' + '%s', x), "
        "ag__.percent(pattern, (x, 1)), x % 2)"
    )


def test_calls_in_an_f_string_are_converted() -> None:
    def f(g, x):
        return f"{g(x)=}"

    assert body(f) == "return ag__.text('g(x)=', ag__.formatted(ag__.call(g, (x,)), 'r'))"


class Thing:
    def __format__(self, spec: str) -> str:
        return f"thing({spec})"

    def __repr__(self) -> str:
        return "Thing"


@pytest.mark.parametrize("value", [1.5, "text", [1, "a"], Thing(), None, 12])
def test_plain_values_format_as_in_python(value: Any) -> None:
    def f(value, width):
        return (
            f"{value} {value!r} {value!s:>{width}} {value!a:_^20}",
            "%s|%r|%10s" % (value, value, value),
            "%(v)s" % {"v": value},
        )

    assert autograph.to_graph(f)(value, 15) == f(value, 15)


def test_errors_are_those_of_python() -> None:
    def spec(x):
        return f"{x:d}"

    def arguments(x):
        return "%d %d" % (x,)

    for function, kind, message in (
        (spec, ValueError, "Unknown format code 'd'"),
        (arguments, TypeError, "not enough arguments"),
    ):
        with pytest.raises(kind, match=message):
            autograph.to_graph(function)(1.5)


def test_the_modulus_of_numbers_is_left_to_them() -> None:
    def f(left):
        return left % (2,)

    class Left:
        def __mod__(self, other: object) -> object:
            return ("mod", other)

    assert autograph.to_graph(f)(Left()) == ("mod", (2,))
    assert autograph.to_graph(f)("%d!") == "2!"
