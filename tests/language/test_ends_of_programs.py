"""``exit()``, ``quit()`` and ``sys.exit()`` end a program where control gets there."""

from __future__ import annotations

import copyreg
import sys

import pytest

import agir as ag


def checked(n):
    if n < 0:
        sys.exit(f"{n} is too small")
    if n > 10:
        sys.exit(3)
    return n * 2


def left(n):
    for i in range(n):
        if i > 3:
            exit()
    return n


def caught(n):
    try:
        if n > 2:
            quit(n)
    except SystemExit:
        return -1
    return n


def raised(n):
    if n > 2:
        raise SystemExit(n + 1)
    if n < 0:
        raise StopIteration(n)
    return n


def ended(function, n):
    """What a call gives, or what it leaves the program with."""
    try:
        return function(n)
    except SystemExit as error:
        return "left", error.code


@pytest.mark.parametrize("function", [checked, left, caught])
def test_as_plain_python(function):
    compiled = ag.jit(function)
    for n in (3, -1, 11, 0):
        assert ended(compiled, n) == ended(function, n)


def test_attributes_of_exceptions():
    compiled = ag.jit(raised)
    for n in (5, 11):
        with pytest.raises(SystemExit) as info:
            compiled(n)
        assert info.value.code == n + 1
    with pytest.raises(StopIteration) as stopped:
        compiled(-4)
    assert stopped.value.value == -4
    assert compiled(1) == 1


def test_codes_are_kept_where_a_library_has_its_own_way_to_copy_exceptions(monkeypatch):
    def reduced(error):
        return SystemExit.__new__, (SystemExit,), {}

    monkeypatch.setitem(copyreg.dispatch_table, SystemExit, reduced)
    compiled = ag.jit(checked)
    assert [ended(compiled, n) for n in (3, 11)] == [6, ("left", 3)]


def test_attributes_that_the_arguments_do_not_tell_are_kept():
    def missing(n):
        if n > 2:
            raise ImportError("it is not there", name="module", path="place")
        return n

    compiled = ag.jit(missing)
    assert compiled(1) == 1
    with pytest.raises(ImportError, match="it is not there") as caught:
        compiled(3)
    assert (caught.value.name, caught.value.path) == ("module", "place")
