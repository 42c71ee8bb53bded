"""Converted code runs on the user's lines: tracing, debuggers, tracebacks, speed."""

from __future__ import annotations

import bdb
import io
import linecache
import pdb
import sys
import traceback
from collections.abc import Callable
from typing import Any

import pytest

from agir.autograph import convert


def lines_of(f: Callable[..., Any], *args: Any) -> set[int]:
    """The lines of this file that a call executes, counted from the first of the function."""
    seen: set[int] = set()

    def trace(frame: Any, event: str, _: object) -> Any:
        if frame.f_code.co_filename != __file__:
            return None
        if event == "line":
            seen.add(frame.f_lineno)
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        f(*args)
    except ZeroDivisionError:
        pass
    finally:
        sys.settrace(before)
    return {line - f.__code__.co_firstlineno for line in seen}


def branches(x: int) -> int:
    if x > 10:
        y = 1
    elif x > 5:
        y = 2
    else:
        y = 3
    if x == 0:
        return 0

    return y


def loops(n: int) -> list[int]:
    """Nested loops, with everything."""
    out = []
    i = 0
    while True:
        i += 1
        if i > n:
            break
        for j in range(i):
            if j == 2:
                continue
            if j == 4:
                return out
            out.append(
                i * j,
            )
        else:
            out.append(-1)
    else:
        out.append(-2)
    return out


def attempts(x: int) -> int:
    y = 0
    try:
        y = 1 // x
        if x == 2:
            return 5
    except ZeroDivisionError as error:
        y = len(str(error))
        raise
    finally:
        y += 1
    with open(__file__) as file:
        for line in file:
            if line:
                return y
    return y if x > 1 and y else 0


def unbound(x: int) -> int:
    try:
        if x:
            value = 1
        value = value + 1
    except NameError:
        value = 3
    del x
    while value < 5:
        value += 1
    return value


@pytest.mark.parametrize("argument", [0, 1, 2, 3, 5, 7, 20])
@pytest.mark.parametrize("f", [branches, loops, attempts, unbound])
def test_the_lines_that_run_are_the_users(f: Callable[..., Any], argument: int) -> None:
    assert lines_of(convert(f), argument) == lines_of(f, argument)


def test_breakpoints_and_steps() -> None:
    commands = io.StringIO(f"b {loops.__code__.co_firstlineno + 10}\nc\np j\nn\np i\nc\nq\n")
    out = io.StringIO()
    debugger = pdb.Pdb(stdin=commands, stdout=out, nosigint=True, readrc=False)
    before = sys.gettrace()
    try:
        debugger.runcall(convert(loops), 4)
    except bdb.BdbQuit:
        pass
    finally:
        sys.settrace(before)
        linecache.checkcache()
    text = out.getvalue()
    assert "Breakpoint 1 at" in text
    assert "continue" in text
    assert f"test_debugging.py({loops.__code__.co_firstlineno + 10})loop_body" in text.replace(
        "if_body", "loop_body"
    )


def fails(x: int) -> int:
    while x:
        if x == 2:
            x = x // 0
        x -= 1
    return x


def test_tracebacks_name_the_users_line() -> None:
    with pytest.raises(ZeroDivisionError) as caught:
        convert(fails)(3)
    frames = traceback.extract_tb(caught.value.__traceback__)
    assert frames[-1].filename == __file__
    assert frames[-1].line == "x = x // 0"


def test_a_thousand_lines_are_converted() -> None:
    block = """
    while a < {0}:
        a = a + 1
        if a % 3 == 0:
            continue
        for i in range(b):
            if i > a and not b:
                break
            c = f(a, i)
        else:
            c = a
"""
    source = "def f(a, b, c):\n" + "".join(block.format(n) for n in range(100)) + "    return c\n"
    filename = "<a thousand lines>"
    linecache.cache[filename] = (len(source), None, source.splitlines(True), filename)
    namespace: dict[str, Any] = {"__name__": "long"}
    exec(compile(source, filename, "exec"), namespace)
    assert convert(namespace["f"])(3, 0, 7) == namespace["f"](3, 0, 7)
    del linecache.cache[filename]
