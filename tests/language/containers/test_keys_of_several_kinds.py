"""Tables whose keys are text, numbers, None and tuples of these, one beside the other."""

from __future__ import annotations

import pytest

import agir as ag


def one_of_each(x):
    found = {}
    found[str(x)] = 1
    found[x] = 2
    found[None] = 3
    return found, str(x) in found, x in found, None in found, x + 1 in found


def in_loops(n):
    found = {}
    for k in range(n):
        found[k] = k
        found[str(k)] = -k
    return found, "1" in found, 1 in found, found.get("2", 9), found.get(2, 8)


def in_sets(n):
    kept = set()
    for k in range(n):
        kept.add(k % 3)
        kept.add(str(k % 2))
    kept.discard("0")
    return kept, "1" in kept, 1 in kept, "0" in kept, len(kept)


def in_tuples(n):
    found = {}
    for k in range(n):
        found[k, str(k)] = k
        found[k, None if k % 2 else k] = -k
    return found, (1, "1") in found, (1, None) in found


def removed(n):
    found = {}
    for k in range(n):
        found[str(k)] = k
        found[k] = k
        if k % 2:
            del found[str(k)]
        else:
            found.pop(k)
    return found, list(found.values()), sum(found.values())


@pytest.mark.parametrize("function", [one_of_each, in_loops, in_sets, in_tuples, removed])
def test_as_plain_python(function):
    compiled = ag.jit(function)
    for n in (0, 1, 3, 12):
        assert compiled(n) == function(n)


def test_a_key_that_is_not_there():
    @ag.jit
    def f(n):
        found = {}
        for k in range(n):
            found[k] = k
            found[str(k)] = k
        return found["9"]

    assert f(10) == 9
    with pytest.raises(KeyError):
        f(3)
