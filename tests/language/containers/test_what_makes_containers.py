"""Containers, however they are made: what only a branch does to them is done by no other path."""

import collections
import copy
import functools
import json
import linecache

import numpy as np
import pytest

import agir as ag

MODULES = {"copy": copy, "functools": functools, "json": json, "np": np, **vars(collections)}
MAKERS = [
    "k = [1, 2]", "k = [*[1, 2], 3]", "first, *k = [1, 2, 3]", "(k, m) = ([1], [2])", "k = [] or [2]",
    "k = given(1, 2)", "k = named(a=1)", "k = [x for x in [1, 2]]", "k = [[x] for x in (1, 2)]",
    "k = {x for x in (1, 2)}", "k = {x: 1 for x in (1, 2)}", "k = list({1: 2}.keys())",
    "k = [1] + [2]", "k = [1] * 2", "k = [1, 2, 3][1:]", "k = sorted([2, 1])", "k = 'a b'.split()",
    "k = {1: 2} | {3: 4}", "k = {1: 2}.copy()", "k = dict.fromkeys([1], 0)", "k = {**{1: 2}, 3: 4}",
    "k = dict(zip([1], [3]))", "k = {1} | {2}", "k = {1, 2} - {2}", "k = {1}.union([3])",
    "k = Counter([1]) + Counter([2])", "k = +Counter([1])", "k = Counter([1]).copy()",
    "k = Counter([1, 1, 2])", "k = defaultdict(int, {1: 2}).copy()", "k = OrderedDict({1: 2}).copy()",
    "k = copy.copy({1: 2})", "k = copy.deepcopy([[1]])[0]", "k = json.loads('[1, 2]')",
    "k = functools.reduce(lambda a, b: a + b, [[1], [2]])", "k = sum([[1], [2]], [])",
    "k = deque([1]) + deque([2])", "k = next(iter([[1], [2]]))", "k = max([1], [2])",
    "k = sorted([n, 2])", "k = sorted((n, 1), reverse=True)", "k = sorted({1: n, 0: 2}.items())",
    "k = list(reversed([n, 2]))", "k = list(zip([n], [1]))", "k = list(map(abs, (n, 1)))",
    "k = list({1: n}.values())", "k = sum([[n], [1]], [])", "k = sorted([str(n), 'a'])",
    "k = np.array([n, 1]).tolist()", "k = {1: n} | {2: 1}", "k = dict(zip([1, 2], [n, 1]))",
]  # fmt: skip
CHANGES = ["k.append(5)", "k.clear()", "k[1] = 5", "k.add(5)"]


def given(*values):
    return list(values)


def named(**values):
    """The dict that Python has made."""
    return values


def program(maker, change, statement):
    """A function of a source of its own, which a traceback can show."""
    source = f"def f(n):\n    {maker}\n    {statement}\n        {change}\n    return k\n"
    file = f"<{maker}; {statement} {change}>"
    linecache.cache[file] = (len(source), None, source.splitlines(True), file)
    names = {**MODULES, **globals()}
    exec(compile(source, file, "exec"), names)
    return names["f"]


def fits(function):
    """Whether the container that is made can be changed so."""
    try:
        function(3)
    except (AttributeError, IndexError, TypeError):
        return False
    return True


@pytest.mark.parametrize("maker", MAKERS)
def test_what_a_branch_does_stays_there(maker):
    found = []
    for change in CHANGES:
        for statement in ("if n > 2:", "for _ in range(n):"):
            f = program(maker, change, statement)
            if fits(f):
                found.append(change)
                decorated = ag.jit(f)
                assert [repr(decorated(n)) for n in (2, 3)] == [repr(f(n)) for n in (2, 3)]
    assert found
