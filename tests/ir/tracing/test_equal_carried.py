"""Numbers that a loop carries twice: those that are always equal are carried once, others are not."""

from __future__ import annotations

import linecache
import re

import pytest

import agir as ag
from agir.ir.proofs import equal_carried

RECORD = 3
"""What loops carry of the error record where sums may overflow."""


def text(function, *args):
    return str(ag.jit(function).get_concrete_function(*args).compilation.get("hlo"))


def carried(function, *args):
    """How many values the loops of a function carry, each."""
    return [
        len(each.split(", ")) for each in re.findall(r"iter_args\((.*?)\)", text(function, *args))
    ]


def twins(n):
    a, b = 0, 0
    for i in range(n):
        a += i * i % 7
        b += i * i % 7
    return a, b, a - b


def apart_late(n):
    a, b = 0, 0
    for i in range(n):
        a += 1
        b += 1
        if i == 5:
            b += 1
    return a, b


def apart_in_a_chain(n):
    a, b, c, d = 0, 0, 0, 0
    for i in range(n):
        a, b, c, d = b, c, d, i
    return a, b, c, d


def swapped(n):
    a, b, c = 1, 1, 2
    for _ in range(n):
        a, b, c = c, a, b
    return a, b, c


def floats(n):
    a, b, c = 0.5, 0.5, 0.5
    for i in range(n):
        a, b, c = a * 2.0, b * 2.0, c * (2.0 if i < 3 else 4.0)
    return a, b, c


def branches(n, k):
    a, b = 0, 0
    for i in range(n):
        if i % k == 0:
            a += 2
            b += 2
        else:
            a -= 1
            b -= 1 if i != 7 else 2
    return a, b


def unequal_where_equal(n):
    a, b, found = 0, 0, 0
    for _ in range(n):
        if a < b:
            found += 1
        if a == b:
            found += 10
        a += 1
        b += 1
    return found, a, b


def inner_loops(n):
    a, b, seen = 0, 0, 0
    for i in range(n):
        x, y = a, b
        j = 0
        while j < i:
            x += j
            y += j
            j += 1
        seen += x - y
        a += x
        b += y if i < 4 else x + 1
    return a, b, seen


def inner_loops_that_are_equal_always(n):
    a, b = 0, 0
    for i in range(n):
        for j in range(i):
            a += j
            b += j
        a += 1
        b += 1
    return a, b


def whiles(n):
    a, b, c = 0, 0, 0
    while a < n:
        a += 1
        b += 1
        c += 1 if a < 5 else 2
    return a, b, c


def left_early(n, k):
    a, b = 0, 0
    for i in range(n):
        a += 1
        if i == k:
            break
        b += 1
    return a, b


def bools(n):
    first = second = third = False
    for i in range(n):
        first = i % 3 == 0
        second = i % 3 == 0
        third = i % 3 == 1
    return first, second, third


PROGRAMS = [
    (twins, ()),
    (apart_late, ()),
    (apart_in_a_chain, ()),
    (swapped, ()),
    (floats, ()),
    (branches, (3,)),
    (unequal_where_equal, ()),
    (inner_loops, ()),
    (inner_loops_that_are_equal_always, ()),
    (whiles, ()),
    (left_early, (6,)),
    (bools, ()),
]


@pytest.mark.parametrize("backend", [None, False])
@pytest.mark.parametrize(("function", "more"), PROGRAMS, ids=[f.__name__ for f, _ in PROGRAMS])
def test_as_python(function, more, backend) -> None:
    compiled = ag.jit(function, jit_compile=backend)
    for n in (0, 1, 2, 3, 5, 6, 7, 8, 13, 40):
        expected, found = function(n, *more), compiled(n, *more)
        assert found == expected
        assert list(map(type, found)) == list(map(type, expected))


def test_what_is_always_equal_is_carried_once() -> None:
    assert carried(twins, 3) == [1 + RECORD]
    assert carried(floats, 3) == [2]
    assert carried(inner_loops_that_are_equal_always, 3) == [1 + RECORD] * 2


def test_what_comes_apart_is_not() -> None:
    assert carried(apart_in_a_chain, 3) == [4]
    assert carried(apart_late, 3) == [2]


def test_a_branch_of_what_never_differs_is_not_taken() -> None:
    module = ag.jit(unequal_where_equal).get_concrete_function(3).compilation
    assert "scf.if" not in str(module.get("optimized_hlo"))


def counted(numbers):
    found = {}
    for number in numbers:
        found[number] = found.get(number, 0) + 1
    return found


def counted_and_taken_out(numbers, taken):
    found = {}
    for number in numbers:
        found[number] = found.get(number, 0) + 1
        if number == taken:
            del found[number]
    return found


@pytest.mark.parametrize("numbers", [[5] * 200, list(range(300)), [n * n % 91 for n in range(500)]])
def test_a_dict_of_which_nothing_is_taken_out_looks_for_no_gaps(numbers) -> None:
    compiled = ag.jit(counted)
    assert compiled(numbers) == counted(numbers)
    assert list(compiled(numbers)) == list(counted(numbers))
    module = compiled.get_concrete_function(numbers).compilation
    assert "@compacted" in str(module.get("hlo"))
    assert "call @compacted" not in str(module.get("optimized_hlo"))


@pytest.mark.parametrize("numbers", [[5] * 200, list(range(300)), [n * n % 91 for n in range(500)]])
@pytest.mark.parametrize("taken", [-1, 0, 5, 4])
def test_a_dict_of_which_something_is_taken_out(numbers, taken) -> None:
    compiled = ag.jit(counted_and_taken_out)
    expected = counted_and_taken_out(numbers, taken)
    assert list(compiled(numbers, taken).items()) == list(expected.items())


def test_lists_that_grow_and_are_not_looked_at() -> None:
    def grown(n, k):
        one, other, third = [0], [0], [0]
        for i in range(n):
            one.append(i)
            other.append(i * 2)
            third.append(i * 3)
            if i == k:
                third.pop()
        return one, third

    compiled = ag.jit(grown)
    for n, k in ((0, 0), (1, 0), (50, 7), (50, 60)):
        assert compiled(n, k) == grown(n, k)
    lists = (
        text(grown, 3, 2),
        str(compiled.get_concrete_function(3, 2).compilation.get("optimized_hlo")),
    )
    assert lists[0].count("tensor.empty") > lists[1].count("tensor.empty")


DEPTH = 9


def nest(name):
    """A function of loops in loops, in each of which what is carried comes apart bit by bit."""
    lines = ["def nest(n):", "    a, b, c, d = 0, 0, 0, 0"]
    lines += ["    " * (n + 1) + f"for i{n} in range(n):" for n in range(DEPTH)]
    lines.append("    " * (DEPTH + 1) + "a, b, c, d = b, c, d, d | i0 | 1")
    for n in range(DEPTH - 1, 0, -1):
        lines.append("    " * (n + 1) + "a, b = b, c")
    lines.append("    return a, b, c, d")
    text = "\n".join(lines)
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
    space = {}
    exec(compile(text, name, "exec"), space)
    return space["nest"]


def test_loops_in_loops_are_not_looked_at_again_and_again(monkeypatch) -> None:
    looked_at, sizes = [], []
    look, unite = equal_carried._Numbering._operation, equal_carried.unite

    def counting(numbering, operation):
        looked_at.append(operation)
        look(numbering, operation)

    def measuring(block):
        sizes.append(len(block.walk()))
        unite(block)

    monkeypatch.setattr(equal_carried._Numbering, "_operation", counting)
    monkeypatch.setattr(equal_carried, "unite", measuring)
    function = nest("<nest of loops>")
    compiled = ag.jit(function)
    for n in (0, 1, 2):
        assert compiled(n) == function(n)
    assert len(looked_at) < sum(sizes) * (equal_carried._MOST + 2 * DEPTH)
