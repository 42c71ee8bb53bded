"""``set_loop_options(maximum_iterations=...)``."""

import numpy as np
import pytest

import agir as ag

MODES = [{}, {"jit_compile": True}, {"jit_compile": False}]
set_loop_options = ag.autograph.experimental.set_loop_options


def counted(n, most):
    i, s = ag.constant(0), ag.constant(0)
    while i < n:
        set_loop_options(maximum_iterations=most)
        i += 1
        if i == 2:
            continue
        s += i
    else:
        s += 100
    return i, s


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(
    ("n", "most", "iterations"), [(10, 4, 4), (3, 4, 3), (3, 0, 0), (3, -1, 0)]
)
def test_a_while_ends_after_so_many_iterations(mode, n, most, iterations):
    f = ag.function(counted, **mode)
    wanted = 100 + sum(i for i in range(1, iterations + 1) if i != 2)
    for limit in (most, ag.constant(most)):
        i, s = f(ag.constant(n), limit)
        assert (int(i), int(s)) == (iterations, wanted)
    i, s = f(n, most)
    assert (int(i), int(s)) == (iterations, wanted), "also where Python runs the loop"


@pytest.mark.parametrize("mode", MODES)
def test_a_while_that_begins_in_python(mode):
    @ag.function(**mode)
    def f(x):
        iterations = 0
        while True:
            set_loop_options(maximum_iterations=5)
            iterations += 1
            if iterations > 2 and x > 1000:
                break
            x += 1
        return iterations, x

    iterations, x = f(ag.constant(1))
    assert (int(iterations), int(x)) == (5, 6)


@pytest.mark.parametrize("mode", MODES)
def test_loops_over_tensors(mode):
    @ag.function(**mode)
    def f(x, n):
        s = ag.constant(0)
        for v in x:
            set_loop_options(maximum_iterations=2)
            s += v
        for i in ag.range(n):
            set_loop_options(maximum_iterations=n - 1)
            s += 100 * i
            if i == 7:
                break
        for v in ag.constant([1, 1, 1]):
            set_loop_options(maximum_iterations=2)
            s += 10000 * v
        return s

    assert int(f(ag.constant([5, 6, 7]), ag.constant(4))) == 11 + 300 + 20000
    assert int(f(ag.constant([5]), ag.constant(0))) == 5 + 20000


def test_it_has_no_effect_on_what_python_iterates_over_or_runs():
    def f(x):
        for _ in range(4):
            set_loop_options(maximum_iterations=1)
            x = x + 1
        return x

    assert f(1) == 5
    assert int(ag.jit(f)(1)) == 5


def test_options_that_there_are_not():
    @ag.jit
    def f(n):
        while n > 0:
            set_loop_options(max_iterations=3)
            n -= 1
        return n

    with pytest.raises(TypeError, match="unexpected keyword argument 'max_iterations'"):
        f(np.int32(3))
