"""``contextlib.contextmanager``: what the generator does is recorded, in its place."""

from __future__ import annotations

from contextlib import ExitStack, contextmanager

import numpy as np
import pytest

import agir as ag


@contextmanager
def telling(x):
    print("in", x)
    yield x * 2
    print("out", x)


@contextmanager
def scaled(a, factor):
    a *= factor
    try:
        yield a
    finally:
        a /= factor


@contextmanager
def named():
    print("in")
    yield "name"
    print("out")


class Manager:
    def __init__(self):
        self.depth = 0

    @contextmanager
    def deeper(self, x):
        self.depth += 1
        yield self.depth + x
        self.depth -= 1


MANAGER = Manager()


def told(x):
    with telling(x) as v:
        print("body", v)
    return v


def in_a_stack(x):
    with ExitStack() as stack:
        first = stack.enter_context(telling(x))
        second = stack.enter_context(telling(first))
        print("body")
    return second


def one_in_another(x):
    with named() as name, telling(x) as v:
        print(name, v)
    return v


def in_a_loop(n):
    total = 0
    for i in range(n):
        with telling(i) as v:
            total += v
    return total


def of_a_method(x):
    with MANAGER.deeper(x) as one, MANAGER.deeper(x) as other:
        return one, other, MANAGER.depth


@pytest.mark.parametrize("program", [told, in_a_stack, one_in_another, in_a_loop, of_a_method])
def test_as_plain_python_has_it(program, capsys):
    compiled = ag.jit(program)
    for x in (3, 1, 4):
        wanted = program(x)
        told_by_python = capsys.readouterr().out
        assert compiled(x) == wanted
        assert capsys.readouterr().out == told_by_python


def test_an_array_that_is_changed_and_changed_back():
    def total(a, factor):
        with scaled(a, factor) as changed:
            return changed.sum()

    found, plain = np.arange(4.0), np.arange(4.0)
    assert ag.jit(total)(found, 2.0) == total(plain, 2.0)
    np.testing.assert_array_equal(found, plain)
