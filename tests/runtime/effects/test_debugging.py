"""Debuggers and tracebacks show the user's own lines in a decorated function."""

import re
import subprocess
import sys
import textwrap
import traceback

import numpy as np
import pytest

import agir as ag

SCRIPT = """\
import agir as ag

@ag.jit
def halvings(n):
    steps = 0
    while n > 1:
        if n % 2 == 0:
            n = n // 2
        else:
            n = 3 * n + 1
        steps += 1
    return steps

print("result", halvings(6))
"""


def test_stepping_in_pdb_stops_at_the_lines_of_the_function(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(SCRIPT)
    commands = [
        f"break {script}:5", "continue", "next", "break 8", "continue", "p n", "where",
        "break 11", "continue", "next", "clear 1", "clear 2", "clear 3", "continue", "quit",
    ]  # fmt: skip
    done = subprocess.run(
        [sys.executable, "-m", "pdb", str(script)],
        input="\n".join(commands),
        capture_output=True,
        text=True,
        timeout=120,
        cwd=tmp_path,
    )
    stops = re.findall(rf"> {re.escape(str(script))}\((\d+)\)(\w+|<module>)", done.stdout)
    lines = [int(line) for line, _ in stops]
    assert lines[:2] == [1, 5], done.stdout
    assert lines[2] == 6, done.stdout
    assert {8, 11} <= set(lines), done.stdout
    source = SCRIPT.splitlines()
    stop = rf"> {re.escape(str(script))}\((\d+)\)\w+\(\)(?:->\S+)?\n-> (.*)"
    for line, shown in re.findall(stop, done.stdout):
        assert source[int(line) - 1].strip() == shown
    assert "symbolic tensor int64[]" in done.stdout
    assert "result 8" in done.stdout


def test_the_traceback_of_an_error_while_tracing_shows_the_users_line():
    @ag.jit
    def f(x, y):
        z = x * 2
        while z.sum() > 0:
            z = z + y
        return z

    with pytest.raises(ValueError, match=re.escape(f"{__file__}:")) as info:
        f(np.ones(3), np.ones(2))
    assert "z = z + y" in "".join(traceback.format_exception(info.value))


def test_the_innermost_call_is_named_and_its_caller_is_in_the_location():
    def helper(v):
        return v / 3

    @ag.jit
    def f(x):
        return helper(x) + 1

    f(1.0)
    (concrete,) = f._concrete.values()
    text = concrete.compilation.text("hlo", locations=True)
    places = dict(re.findall(r"(#loc\d*) = loc\(\"\S*test_debugging.py\":(\d+)", text))
    (inner, outer) = re.search(r"callsite\((#loc\d*) at (#loc\d*)\)", text).groups()
    first = f.python_function.__code__.co_firstlineno
    assert (int(places[inner]), int(places[outer])) == (first - 2, first + 2)


def test_source_lines_of_functions_without_a_file():
    namespace = {"ag": ag}
    source = textwrap.dedent("""
        @ag.jit
        def f(n):
            while n > 10:
                n = n - 3
            return n
    """)
    exec(source, namespace)
    assert namespace["f"](20) == 8
