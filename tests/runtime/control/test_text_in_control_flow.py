"""Text that depends on the path taken: chosen strings, values that may be None, lists that grow."""

# ruff: noqa: UP031 (what is tested)

from __future__ import annotations

import contextlib
import io
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import agir as ag

MODES = [None, False]
X = np.array([0.5, -2.0, 3.0, 4.0])


def outcome(function: Callable[..., Any], *args: Any) -> tuple[str, Any]:
    """What one call prints, and returns."""
    output = io.StringIO()
    with contextlib.redirect_stdout(output):
        result = function(*args)
    return output.getvalue(), result


def chosen_strings(x, n):
    print("positive" if x[0] > 0 else "negative", f"{'even' if n % 2 == 0 else 'odd'!r:>8}|")
    word = "many"
    if n < 2:
        word = "few"
    elif n < 3:
        word = "two"
    print(word, [word], f"<{word:^8}>", word + "!", "%s" % word, ", ".join([word, "x"]))


def chosen_texts(x, n):
    if n > 2:
        text = f"big {n} {x[0]:.1f}"
    elif n > 1:
        text = f"middle {x[1]}"
    else:
        text = "small"
    print(text, f"{text!r:>30}|")
    return text


def returned_choice(x, n):
    return f"{n} is big" if n > 2 else f"{n} is small: {x[0]}"


def carried(x, n):
    text = ""
    best = "none"
    for i in range(n):
        if x[i] > 0:
            text = f"{i}: {x[i]}"
            best = "found"
        print(i, text, best)
    return text


def last_of(x, n):
    message = None
    for i in range(n):
        if x[i] < 0:
            message = f"negative at {i}"
    print(message)


def missing(x, n):
    found = None
    for i in range(n):
        if x[i] > 2:
            found = x[i]
    print(found, [found], f"{found}")


def growing(x, n):
    taken = []
    for i in range(n):
        if x[i] > 0:
            taken.append(x[i])
    print(taken, len(taken), f"{taken}")


PROGRAMS = [chosen_strings, chosen_texts, returned_choice, carried, last_of, missing, growing]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("program", PROGRAMS)
def test_as_python_does(program: Callable[..., Any], mode: bool | None) -> None:
    compiled = ag.jit(program, jit_compile=mode)
    for n in (0, 1, 2, 3, 4):
        assert outcome(compiled, X, n) == outcome(program, X, n)
        assert outcome(compiled, -X, n) == outcome(program, -X, n)


@pytest.mark.parametrize("mode", MODES)
def test_messages_of_checks(mode: bool | None) -> None:
    @ag.jit(jit_compile=mode)
    def f(x, n):
        kind = "even" if n % 2 == 0 else "odd"
        text = f"{n} is {kind}" if n > 5 else f"{n} is small"
        assert n < 3, (kind, text, n)
        return n

    for n, wanted in ((7, ("odd", "7 is odd", 7)), (4, ("even", "4 is small", 4))):
        with pytest.raises(AssertionError) as error:
            f(X, n)
        assert error.value.args == (wanted,)
