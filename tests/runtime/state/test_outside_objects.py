"""Arrays and numbers in attributes of objects from outside, under NumPy's conventions."""

from __future__ import annotations

import copy
import gc
import warnings
import weakref

import numpy as np
import pytest

import agir as ag


class Simulation:
    def __init__(self, n: int = 4) -> None:
        self.u = np.arange(float(n))
        self.v = np.zeros(n)
        self.time = 0.0
        self.steps = 0
        self.order = 2
        self.mode = "fast"

    def read(self, x):
        return x * self.u * self.order

    def write(self, x):
        self.u[1:-1] += x
        return self.u.sum()

    def advance(self, dt):
        self.v = self.v + dt * self.u
        self.u += dt * self.v
        self.time += dt
        self.steps += 1
        return self.time

    def run(self, n, dt):
        for _ in range(n):
            self.u += dt
            self.v = 0.5 * self.v + self.u
            self.steps += 1
            if self.steps > 3:
                self.time = self.time + dt

    def swap(self):
        self.u, self.v = self.v, self.u

    def new(self, x):
        self.w = self.u * x

    def choose(self, x):
        return x + 1 if self.mode == "fast" else x + self.order

    def fail(self, i):
        self.u[0] = 99.0
        self.steps += 1
        return self.v[i]


def same(one: Simulation, other: Simulation) -> None:
    assert vars(one).keys() == vars(other).keys()
    for name, value in vars(other).items():
        if isinstance(value, str):
            assert vars(one)[name] == value
        else:
            np.testing.assert_allclose(vars(one)[name], value, err_msg=name)
        assert type(vars(one)[name]) is type(value), name


@pytest.fixture(autouse=True)
def no_warnings():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


@pytest.mark.parametrize("jit_compile", [None, False])
@pytest.mark.parametrize(
    "calls",
    [
        [("read", 2.0), ("write", 1.5), ("read", 2.0)],
        [("advance", 0.5), ("advance", 0.25), ("read", 1.0)],
        [("run", 3, 0.5), ("run", 0, 0.5), ("run", 4, 0.25)],
        [("swap",), ("write", 1.0), ("swap",), ("read", 1.0)],
        [("new", 2.0), ("new", 3.0)],
    ],
)
def test_methods_do_at_each_call_what_python_does(calls, jit_compile):
    plain, compiled = Simulation(), Simulation()
    methods = {
        name: ag.jit(getattr(Simulation, name), jit_compile=jit_compile) for name, *_ in calls
    }
    for name, *arguments in calls:
        wanted = getattr(plain, name)(*arguments)
        found = methods[name](compiled, *arguments)
        assert (found is None) == (wanted is None)
        if wanted is not None:
            np.testing.assert_allclose(found, wanted)
        same(compiled, plain)


def test_arrays_are_the_ones_that_the_object_holds_when_it_is_called():
    one = Simulation()
    read = ag.jit(Simulation.read)
    x = np.ones(4)
    for change in (
        lambda: one.u.__setitem__(1, 50.0),
        lambda: setattr(one, "u", np.full(4, 3.0)),
        lambda: setattr(one, "u", np.full(4, 3, np.int32)),
        lambda: setattr(one, "u", np.ones((2, 4))),
        lambda: setattr(one, "order", 5),
        lambda: setattr(one, "order", 5.5),
    ):
        change()
        np.testing.assert_array_equal(read(one, x), one.read(x))
        np.testing.assert_array_equal(read(one, x), one.read(x))


def test_arrays_stay_the_same_objects_where_python_leaves_them():
    one = Simulation()
    u, v = one.u, one.v
    ag.jit(Simulation.write)(one, 1.0)
    assert one.u is u
    ag.jit(Simulation.swap)(one)
    assert one.u is v
    assert one.v is u


def test_text_and_numbers_that_a_trace_depends_on():
    one = Simulation()
    choose = ag.jit(Simulation.choose)
    assert choose(one, 1.0) == 2
    one.mode = "slow"
    assert choose(one, 1.0) == 3
    one.order = 7
    assert choose(one, 1.0) == 8


def test_two_attributes_that_hold_one_array():
    class Two:
        pass

    @ag.jit
    def f(two):
        two.a[0] = 5.0
        return two.b[0]

    two = Two()
    two.a = two.b = np.zeros(3)
    assert f(two) == 5
    two.a = np.zeros(3)
    two.b = np.ones(3)
    assert f(two) == 1
    assert two.a[0] == 5


def test_a_failing_call_leaves_the_object_alone():
    one = Simulation()
    before = copy.deepcopy(one)
    with pytest.raises(IndexError):
        ag.jit(Simulation.fail)(one, 9)
    same(one, before)
    assert ag.jit(Simulation.fail)(one, 1) == 0
    assert (one.u[0], one.steps) == (99, 1)


def test_an_attribute_that_shares_memory_with_an_argument():
    class Holder:
        def __init__(self) -> None:
            self.u = np.zeros(4)

        @ag.jit
        def take(self, x):
            self.u[:2] = x

    holder = Holder()
    with pytest.raises(ValueError, match="writes into 'u', which shares memory with 'x'"):
        holder.take(holder.u[1:3])
    holder.take(np.ones(2))
    assert holder.u.tolist() == [1, 1, 0, 0]


def test_objects_are_not_kept_alive():
    class Holder:
        def __init__(self) -> None:
            self.u = np.zeros(4)
            self.n = 0

        @ag.jit
        def step(self, x):
            self.u += x
            self.n += 1
            return self.u

    holder = Holder()
    assert holder.step(1.0) is holder.u
    reference = weakref.ref(holder)
    del holder
    gc.collect()
    assert reference() is None


def test_under_tensorflows_conventions_they_are_constants():
    one = Simulation()
    read = ag.function(lambda x: one.read(x))
    x = ag.ones([4], ag.float64)
    first = read(x).numpy()
    one.u[:] = 100.0
    np.testing.assert_array_equal(read(x).numpy(), first)
