"""Loops over what Python knows: recorded as one loop, or unrolled."""

import logging

import numpy as np
import pytest

import agir as ag


def _loops(function, *arguments):
    text = str(ag.jit(function).experimental_get_compiler_ir(*arguments)(stage="hlo"))
    return text.count("scf.for") + text.count("scf.while")


def _total(count):
    def f(x):
        t = x
        for i in range(count):
            t = t * 2 + i
        return t

    return f


def test_long_loops_are_recorded_short_ones_unrolled(agrees):
    assert (_loops(_total(3), 1.0), _loops(_total(300), 1.0)) == (0, 1)
    agrees(_total(3), (1.0,))
    agrees(_total(30), (1.0,))


@pytest.mark.parametrize(("unroll", "loops"), [(True, 0), (False, 1)])
def test_options_decide(agrees, unroll, loops):
    def f(x):
        for i in range(40):
            ag.autograph.set_loop_options(unroll=unroll)
            x = x + i
        return x

    assert _loops(f, 1.0) == loops
    assert ag.jit(f)(1.0) == 1.0 + sum(range(40))


def test_the_log_says_what_happened(caplog):
    with caplog.at_level(logging.INFO, logger="agir.autograph"):
        ag.jit(_total(300))(1.0)
    assert "a loop of 300 iterations is recorded as one loop" in caplog.text


def test_loops_that_need_the_counter_are_unrolled(agrees):
    names = ["a", "b"] * 20

    def f(x):
        for i in range(len(names)):
            if names[i] == "a":
                x = x + i
        return x

    agrees(f, (1.0,))
    assert _loops(f, 1.0) == 0


def test_arrays_are_iterated_over(agrees):
    weights = np.arange(50.0)

    def f(x):
        for i, w in enumerate(weights):
            x = x + w * i
        for a, b in zip(weights, weights, strict=True):
            x = x + a * b
        for w in reversed(weights):
            x = x * 0.5 + w
        for i in range(3):
            for w in weights:
                x = x + i * w
        return x

    agrees(f, (1.0,))


def test_a_nest_of_short_loops_is_not_unrolled_as_a_whole():
    def nest(x):
        total = 0.0
        for i in range(4):
            for j in range(4):
                for k in range(4):
                    for n in range(3):
                        total += x[i, j] * x[k, n] if i - n >= 0 else x[n, i]
        return total

    x = np.arange(16.0).reshape(4, 4)
    decorated = ag.jit(nest)
    assert decorated(x) == nest(x)
    text = str(decorated.experimental_get_compiler_ir(x)("hlo"))
    assert "scf.for" in text
    assert len(text.splitlines()) < 1000


def test_very_long_loops_over_constants_are_recorded():
    def total():
        s = 0
        for i in range(10**9):
            s += i & 3
        return s

    def listed():
        found = []
        for i in range(2 * 10**6):
            found.append(i)
        return len(found), found[-1]

    for decorate in (ag.jit, ag.function):
        assert int(decorate(total)()) == 1_500_000_000
        assert [int(each) for each in decorate(listed)()] == [2_000_000, 1_999_999]


def test_very_long_loops_that_change_what_is_outside_are_left_to_python():
    seen = {"n": 0}

    @ag.function
    def f(x):
        for _ in range(10**6 + 1):
            seen["n"] += 1
        return x

    assert int(f(ag.constant(1))) == 1
    assert seen["n"] == 10**6 + 1


def test_elements_that_an_unrolled_loop_made_are_gone_when_it_is_taken_back():
    def masked(c, s):
        b = c[c > -1]
        for _ in range(2):
            for _ in range(3):
                last = b[1:] if s > 0 else b[:-1]
                last[0] = s
                b[np.arange(5)[::-1]] = c + s
        return b

    def counted(c, s):
        b = np.arange(5)
        for _ in range(2):
            for _ in range(3):
                last = b[1:] if s > 0 else b[:-1]
                last[0] += 1
                b[np.arange(5)[::-1]] = b + 1
        return b

    for f in (masked, counted):
        for s in (1.5, -1.5):
            wanted = f(np.arange(5.0), s)
            np.testing.assert_array_equal(ag.jit(f)(np.arange(5.0), s), wanted)
