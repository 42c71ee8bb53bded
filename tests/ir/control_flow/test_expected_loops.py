"""Loops in loops are recorded about as often as there are loops, not twice as often for each level."""

import functools
import runpy

import numpy as np
import pytest

import agir as ag
from agir.ir.control_flow import for_loops, while_loops

BODY = """
def f(x, y, n):
    a = 1
    z = x.copy()
    found = []
{loops}
    return a, z, found
"""


def nest(depth, *last):
    lines = ["    " * (level + 1) + f"for i{level} in range(n):" for level in range(depth)]
    lines += ["    " * (depth + 1) + line for line in ("a = a * 0.5", "z[0] = a", *last)]
    for level in reversed(range(depth)):
        lines += ["    " * (level + 2) + f"z = y if a > {level} else z"]
        lines += ["    " * (level + 2) + f"z[{level % 5}] = a"]
    return BODY.format(loops="\n".join(lines))


@pytest.fixture
def defined(tmp_path):
    """Makes a function of its text, in a file of its own."""

    def define(source):
        path = tmp_path / f"made_{len(list(tmp_path.iterdir()))}.py"
        path.write_text(source)
        return runpy.run_path(str(path))["f"]

    return define


@pytest.fixture
def recordings(monkeypatch):
    """How often bodies of loops are recorded, one number in a list."""
    count = [0]
    for module, name in ((for_loops, "_record_for"), (while_loops, "_record_while")):
        record = getattr(module, name)

        def counted(*given, record=record):
            count[0] += 1
            return record(*given)

        monkeypatch.setattr(module, name, counted)
    return count


@pytest.mark.parametrize("last", [(), ("found.append(a)",)], ids=["arrays", "lists"])
def test_loops_are_recorded_again_as_often_as_there_are_levels(last, recordings, defined):
    arguments = np.linspace(-1, 1, 5), np.arange(5.0), 2
    counts = []
    for depth in (4, 8, 12):
        recordings[0] = 0
        ag.jit(defined(nest(depth, *last))).get_concrete_function(*arguments)
        counts.append(recordings[0])
    assert counts[2] - counts[1] <= 3 * (counts[1] - counts[0])  # 16 times as many, if they doubled
    assert counts[2] < 12 * 12


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_what_nested_loops_compute_is_what_python_does(depth, defined):
    function = defined(nest(depth, "found.append(a)", "if a < 0.1: z = x"))
    for n in (0, 1, 3):
        given = [(np.linspace(-1, 1, 5), np.arange(5.0), n) for _ in range(2)]
        for found, wanted in zip(ag.jit(function)(*given[0]), function(*given[1]), strict=True):
            np.testing.assert_array_equal(found, wanted)
        np.testing.assert_array_equal(given[0][1], given[1][1])


def test_a_variable_that_one_path_binds_to_a_new_array_carries_no_number():
    """The functions of a branch see the variable, as its own function does: that is no other name."""

    def chosen(x, y, n):
        z = x.copy()
        for i in range(n):
            if x[0] > i:
                z = y + 1.0
            else:
                z[1] = 2.0
        return z

    arguments = np.linspace(-1, 1, 5), np.arange(5.0), 3
    text = ag.jit(chosen).experimental_get_compiler_ir(*arguments)(stage="hlo")
    assert "iter_args(%z = %x) -> (tensor<5xf64>)" in text
    np.testing.assert_array_equal(ag.jit(chosen)(*arguments), chosen(*arguments))


def by_default(z):
    return lambda kept=z: kept[1]


def by_keyword(z):
    def first(*, kept=z):
        return kept[1]

    return first


def by_closure(z):
    return lambda: z[1]


def by_partial(z):
    return functools.partial(lambda kept: kept[1], z)


def by_iterator(z):
    return iter([z])


def by_generator(z):
    return (each for each in [z])


@pytest.mark.parametrize(
    "hold", [by_default, by_keyword, by_closure, by_partial, by_iterator, by_generator]
)
def test_what_holds_the_array_sees_what_is_written_into_it(hold):
    def seen(x, y, n):
        z = x.copy()
        first = hold(z)
        if n > 2:
            z = y + 1.0
        z[1] = 5.0
        return (next(first)[1] if hold in (by_iterator, by_generator) else first()), z

    for n in (1, 3):
        found = ag.jit(seen)(np.zeros(3), np.ones(3), n)
        for one, other in zip(found, seen(np.zeros(3), np.ones(3), n), strict=True):
            np.testing.assert_array_equal(one, other)


def chosen_again(count):
    lines = ["def f(x, y, n):", "    z = x.copy()"]
    for number in range(count):
        lines += [
            f"    if x[{number % 3}] > n:",
            "        z = y",
            "    elif n > 3:",
            "        z = x",
        ]
        lines += [f"    z[{number % 3}] = {number}.5"]
    return "\n".join([*lines, "    return z"])


def test_a_name_that_is_chosen_anew_is_one_of_the_arrays_that_there_are(defined):
    """And not one of two, of which one is one of two, and so on."""
    arguments = np.linspace(-1, 1, 3), np.arange(3.0), 0
    sizes = []
    for count in (4, 8, 16):
        made = ag.jit(defined(chosen_again(count))).experimental_get_compiler_ir(*arguments)
        sizes.append(made(stage="hlo").count("scf.if"))
    assert sizes[2] - sizes[1] <= 2 * (sizes[1] - sizes[0]) + 8
    function = defined(chosen_again(6))
    for n in (-2, 0, 1, 5):
        given = [(np.linspace(-1, 1, 3), np.arange(3.0), n) for _ in range(2)]
        np.testing.assert_array_equal(ag.jit(function)(*given[0]), function(*given[1]))
        for found, wanted in zip(given[0][:2], given[1][:2], strict=True):
            np.testing.assert_array_equal(found, wanted)
