"""Blocks of many calls are split into functions, and compute what they did."""

import itertools
import re
import runpy
import textwrap

import numpy as np
import pytest

import agir as ag

PROGRAMS = {
    "entries": """
        for i in range(n):
            d[i * {k} % 17] = d.get(i + {k}, 0) + {k}
    """,
    "branches": """
        for i in range(n):
            if (i + {k}) % 2: d[i + {k}] = x[i] * {k}
            else: s.add(i * {k})
            s.discard({k} + i)
    """,
    "values that live long": """
        for i in range(n):
            d[i + {k} % 7] = {k}
            found.append(d[i] + x[0])
        first = d.get(0, 5)
        d[{k}] = first
    """,
    "views that live long": """
        part = x[1:n]
        d[n + {k}] = {k}
        part = part[: len(part) - {k} % 2]
        found.append(len(part))
    """,
    "text": """
        for i in range(n):
            d[str(i * {k})] = None if {k} % 3 == i else {k}
    """,
    "two names": """
        e = d
        for i in range(n):
            d[i + {k}] = {k}
            e[i] = len(d)
        found.append(d is e)
    """,
    "missing keys": """
        for i in range(n):
            d[i + {k}] = {k}
            d[i] += d[-n]  # no such key
            d[i - {k}] = {k}
    """,
}
"""Lines with `{k}` stand there many times, for as many numbers."""


def function_of(name, folder, many=24):
    """A function that does the lines of a program, from a file."""
    lines = []
    for fixed, group in itertools.groupby(
        textwrap.dedent(PROGRAMS[name]).strip().splitlines(), lambda line: "{k}" not in line
    ):
        group = list(group)
        lines += group if fixed else [each.format(k=k) for k in range(many) for each in group]
    body = textwrap.indent("\n".join(["d, s, found = {}, set(), []", *lines]), "    ")
    path = folder / "program.py"
    path.write_text(f"def f(x, n):\n{body}\n    return d, s, found\n")
    return runpy.run_path(str(path))["f"]


@pytest.mark.parametrize("name", [each for each in PROGRAMS if each != "missing keys"])
def test_split_blocks_compute_the_same(name, tmp_path):
    function = function_of(name, tmp_path)
    compiled, x = ag.jit(function), np.linspace(0.5, 3, 50)
    for n in (0, 1, 4, 30):
        assert compiled(x, n) == function(x, n)


def parts_of(function, *arguments):
    """The functions that parts of blocks became, and the text that they are in."""
    text = ag.jit(function).experimental_get_compiler_ir(*arguments)("optimized_hlo")
    return [
        each for each in text.split("func.func ") if each.startswith("private @agir.part")
    ], text


@pytest.mark.parametrize("name", ["entries", "text", "two names"])
def test_each_part_has_a_few_calls(name, tmp_path):
    parts, text = parts_of(function_of(name, tmp_path), np.ones(3), 4)
    assert parts
    counts = [each.count("call @") for each in parts]
    others = [each for each in counts if not 8 <= each <= 14]
    assert len(others) <= 1  # where the first entries in a loop are put in without a call
    assert len(counts) > 1
    assert len(re.findall(r"call @agir\.part", text)) >= len(parts)


def test_short_blocks_stay_whole(tmp_path):
    parts, text = parts_of(function_of("entries", tmp_path, many=4), np.ones(3), 4)
    assert "call @with_entry" in text
    assert not parts


def test_errors_inside_of_parts_come_with_their_line(tmp_path):
    function = function_of("missing keys", tmp_path)
    compiled = ag.jit(function)
    with pytest.raises(KeyError) as wanted:
        function(None, 3)
    with pytest.raises(KeyError) as found:
        compiled(None, 3)
    assert found.value.args == wanted.value.args
    assert "in f: d[i] += d[-n]  # no such key" in "".join(found.value.__notes__)
