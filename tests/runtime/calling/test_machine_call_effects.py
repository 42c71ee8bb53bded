"""What calls by machine code do besides giving results: memory, state, failures, threads."""

from __future__ import annotations

import gc
import math
import subprocess
import sys
import threading
import traceback
import weakref

import numpy as np
import pytest

import agir as ag
from agir.backends.cpu.native.tables import Recipe
from agir.runtime.calling import machine_calls

from ..machine import calls, early, needs_machine, python_only, taken
from ..ways import note

__all__ = ["early"]

pytestmark = [needs_machine, pytest.mark.usefixtures("early")]

X, Y = np.linspace(0.0, 1.0, 8), np.linspace(-3.0, 7.0, 8)


def warm(function, *args, **kwargs):
    """Called until machine code makes the call."""
    for _ in range(3):
        function(*args, **kwargs)
    assert taken(function, *args, **kwargs)
    return function


# References and memory.


@pytest.mark.parametrize("decorate", [ag.jit, ag.function])
def test_references_are_counted(decorate):
    @decorate
    def program(p, q, flag):
        return p["x"] + q[0], (p["x"], None, q[1] * 2.0), flag

    row, pair = {"x": X}, (Y, ag.constant(2.5))
    warm(program, row, pair, "text")
    seen = (row, pair, X, Y, pair[1], pair[1].array, X.dtype, np.ndarray, None, "text", program)

    def counts():
        return [sys.getrefcount(each) for each in (*seen, program._recipes[0])]

    program(row, pair, "text")
    gc.collect()
    before = counts()
    for _ in range(1000):
        program(row, pair, "text")
    assert calls(program) > 1000
    # others may come and go meanwhile, but not one for each call
    assert all(abs(now - then) < 500 for now, then in zip(counts(), before, strict=True))


def test_references_stay_when_a_call_fails_or_is_left_to_python():
    @ag.jit
    def part(x, i):
        return x[i], x * 2

    warm(part, X, 1)
    gc.collect()
    before = [sys.getrefcount(each) for each in (X, X.dtype, part._recipes[0])]
    for _ in range(300):
        with pytest.raises(IndexError):
            part(X, 9)
        part(X[::-1], 1)
    gc.collect()
    after = [sys.getrefcount(each) for each in (X, X.dtype, part._recipes[0])]
    assert all(abs(one - other) < 20 for one, other in zip(before, after, strict=True))


@pytest.mark.parametrize("size", [4, 100_000])
def test_results_are_freed_with_their_arrays(size):
    double = warm(ag.jit(lambda x: x * 2.0), np.ones(size))
    result = double(np.ones(size))
    base = result.base
    gone = weakref.ref(result)
    assert (base is None) == (size == 4)
    del result, base
    assert gone() is None


def _resident_pages() -> int:
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1])


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
def test_memory_does_not_grow():
    x = np.ones(300_000)

    @ag.jit
    def program(x, i):
        return x * 2.0, x[:100], x[i]

    warm(program, x, 0)
    for _ in range(20):
        program(x, 0)
    before = _resident_pages()
    for iteration in range(300):
        if iteration % 3:
            program(x, 0)
        else:
            with pytest.raises(IndexError):
                program(x, 10**7)
    assert _resident_pages() - before < 30 * 300_000 * 8 // 4096


def test_an_argument_that_the_call_frees_may_be_a_result():
    same = ag.jit(lambda p: (p[0], p[0] * 2))
    warm(same, [X])
    given, doubled = same([np.full(8, 3.0)])
    assert given.tolist() == [3.0] * 8
    assert doubled.tolist() == [6.0] * 8


def test_a_finaliser_may_call_the_same_function():
    """Making tensors may start the garbage collector, and that anything."""
    step = ag.function(lambda x: (x + 1.0, x * 2.0))
    warm(step, X)
    found = []

    class Node:
        def __init__(self):
            self.me = self

        def __del__(self):
            found.append(step(X)[1].numpy()[-1])

    before = gc.get_threshold()
    gc.set_threshold(1, 1, 1)
    try:
        for _ in range(200):
            Node()
            one, two = step(Y)
            np.testing.assert_array_equal(one, Y + 1.0)
            np.testing.assert_array_equal(two, Y * 2.0)
    finally:
        gc.set_threshold(*before)
    gc.collect()
    assert found == [2.0] * 200


# Failures.


def test_a_failed_check_raises_with_the_users_line():
    def part(x, i):
        y = x * 2
        return y[i]

    decorated = warm(ag.jit(part), X, 2)
    before = calls(decorated)
    with pytest.raises(
        IndexError, match="index 9 is out of bounds for axis 0 with size 8"
    ) as raised:
        decorated(X, 9)
    assert calls(decorated) == before + 1
    assert "return y[i]" in str(raised.value)
    assert any("test_machine_call_effects" in line for line in traceback.format_tb(raised.tb))
    assert decorated(X, 2) == 2 * X[2]


def test_what_fails_leaves_arguments_alone():
    @ag.jit
    def put(x, i):
        x += 1.0
        x[i] = 7.0

    target = np.zeros(8)
    warm(put, target, 3)
    before = target.copy()
    with pytest.raises(IndexError):
        put(target, 8)
    np.testing.assert_array_equal(target, before)
    assert taken(put, target, 0)
    assert target[0] == 7.0
    assert target[1] == before[1] + 1.0


# Writing into arguments.


def test_arguments_are_written_in_place():
    @ag.jit
    def add(x, y):
        x += y
        return x

    target = np.zeros(8)
    warm(add, target, X)
    target[...] = 0.0
    assert add(target, X) is target
    np.testing.assert_array_equal(target, X)


def test_read_only_arrays_are_refused():
    add = ag.jit(lambda x, y: np.add(x, y, out=x))
    warm(add, np.zeros(8), X)
    frozen = np.zeros(8)
    frozen.flags.writeable = False
    with pytest.raises(ValueError, match="read-only"):
        add(frozen, X)
    assert not frozen.any()


@pytest.mark.parametrize("shift", [0, 1, 7, 8])
def test_arguments_that_share_memory(shift):
    @ag.jit
    def smooth(x, y):
        x[1:] += y[:-1]
        x[0] = y[-1]

    warm(smooth, np.zeros(8), X)
    memory = np.arange(16.0)
    expected = np.arange(16.0)
    smooth.python_function(expected[shift : shift + 8], expected[:8])
    smooth(memory[shift : shift + 8], memory[:8])
    np.testing.assert_array_equal(memory, expected)
    assert taken(smooth, memory[8:], memory[:8])
    assert not taken(smooth, memory[4:12], memory[:8])


# State.


def test_variables():
    table, count = ag.Variable(np.zeros(8)), ag.Variable(0)

    @ag.function
    def step(x):
        table.assign_add(x)
        count.assign_add(1)
        return table.read_value() * 2.0, count.read_value()

    warm(step, X)
    table.assign(np.zeros(8))
    count.assign(0)
    for iteration in range(1, 5):
        doubled, counted = step(X)
        np.testing.assert_allclose(doubled, 2 * iteration * X)
        assert counted.numpy() == iteration
    assert taken(step, X)


def test_what_was_read_of_a_variable_does_not_change():
    table = ag.Variable(np.zeros(8))

    @ag.function
    def step(x):
        table.assign_add(x)

    warm(step, X)
    table.assign(np.zeros(8))
    kept = [table.numpy()]
    for iteration in range(1, 5):
        step(X)
        kept.append(table.read_value().numpy())
        np.testing.assert_allclose(kept[-1], iteration * X)
    for iteration, value in enumerate(kept):
        np.testing.assert_allclose(value, iteration * X)
    assert not taken(step, X)  # somebody has the array
    assert taken(step, X)


def test_a_variable_that_is_gone():
    holder = {"v": ag.Variable(np.ones(8))}
    step = ag.function(lambda x: x * holder["v"])
    warm(step, X)
    gone = weakref.ref(holder["v"])
    holder.clear()
    gc.collect()
    assert gone() is None
    with pytest.raises(ag.errors.FailedPreconditionError, match="gone"):
        step(X)


def test_a_variable_that_another_call_has_is_waited_for():
    count = ag.Variable(0)

    @ag.function
    def step():
        count.assign_add(1)

    warm(step)
    from agir.runtime.state.buffers import buffer_of

    before = int(count)
    waiting = threading.Thread(target=step)
    with buffer_of(count).lock:
        waiting.start()
        waiting.join(0.05)
        assert waiting.is_alive()
    waiting.join()
    assert int(count) == before + 1


def test_attributes_of_objects():
    class Model:
        def __init__(self):
            self.w, self.k = np.arange(8.0), 3

        @ag.jit
        def run(self, x):
            return x + self.w * self.k

    model = Model()
    warm(model.run, X)
    np.testing.assert_array_equal(model.run(X), X + np.arange(8.0) * 3)
    model.k = 4
    np.testing.assert_array_equal(model.run(X), X + np.arange(8.0) * 4)
    warm(model.run, X)
    model.w = np.ones(8)
    assert taken(model.run, X)
    np.testing.assert_array_equal(model.run(X), X + 4)
    model.w = np.ones(8, np.float32)
    np.testing.assert_array_equal(model.run(X), X + 4)
    model.w = None
    with pytest.raises(Exception, match=r".*"):
        model.run(X)
    other = Model()
    np.testing.assert_array_equal(other.run(X), X + np.arange(8.0) * 3)
    gone = weakref.ref(model)
    del model
    gc.collect()
    assert gone() is None


class Simulation:
    def __init__(self):
        self.u, self.v, self.t, self.n = np.zeros(8), np.ones(8), 0.0, 0

    @ag.jit
    def step(self, dt):
        self.u, self.v = self.v, self.u + dt
        self.t += dt
        self.n += 1
        return {"t": self.t}, self.u


def test_attributes_that_are_assigned_to():
    one, other = Simulation(), Simulation()
    warm(one.step, 0.5)
    one.__init__()
    before = calls(one.step)
    for iteration in range(5):
        times, u = one.step(0.5)
        expected, wanted = Simulation.step.python_function(other, 0.5)
        assert times == expected
        assert u is one.u
        np.testing.assert_array_equal(u, wanted)
        np.testing.assert_array_equal(one.v, other.v)
        assert (one.t, one.n) == (other.t, other.n)
        assert (type(one.t), type(one.n)) == (float, int)
        assert calls(one.step) == before + iteration + 1
    one.u, one.v = np.zeros(3), np.ones(3)  # arrays of another type: another trace
    assert one.step(0.5)[1].tolist() == [1.0, 1.0, 1.0]
    assert one.v.tolist() == [0.5, 0.5, 0.5]


def test_objects_among_the_arguments_are_not_kept():
    class Thing:
        pass

    thing = Thing()
    chosen = ag.jit(lambda x, thing: x * 2)
    warm(chosen, X, thing)
    gone = weakref.ref(thing)
    del thing
    gc.collect()
    assert gone() is None
    assert chosen._recipes == ()
    assert chosen(X, Thing()).shape == (8,)
    warm(chosen, np.ones(8), None)  # tracing leaves circles of frames behind
    gc.collect()
    array = np.ones(8)
    chosen(array[::-1], None)
    chosen(array, None)
    alive = weakref.ref(array)
    del array
    assert alive() is None


# What makes calls take the long way.


def test_running_eagerly():
    seen = []

    @ag.jit
    def double(x):
        note(seen, not isinstance(x, ag.Tensor))
        return x * 2

    warm(double, X)
    before = len(seen)
    ag.config.run_functions_eagerly(True)
    try:
        assert not taken(double, X)
        assert seen[before:] == [True]
    finally:
        ag.config.run_functions_eagerly(False)
    double(X)
    assert seen[before:] == [True]


def test_tapes_see_the_calls():
    square = ag.function(lambda x: x * x)
    x = ag.constant(X)
    warm(square, x)
    with ag.GradientTape() as tape:
        tape.watch(x)
        y = square(x)
    np.testing.assert_allclose(tape.gradient(y, x), 2 * X)
    assert taken(square, x)


def test_calls_in_traces_are_parts_of_them():
    inner = ag.jit(lambda x: x * 2)
    warm(inner, X)
    outer = ag.jit(lambda x: inner(x) + 1)
    before = calls(inner)
    np.testing.assert_array_equal(outer(X), X * 2 + 1)
    assert calls(inner) == before
    assert taken(inner, X)


def test_traces_that_go_take_their_recipes_along():
    double = ag.jit(lambda x: x * 2)
    warm(double, X)
    double.clear_cache()
    assert double._recipes == ()
    warm(double, X)
    assert double.experimental_get_tracing_count() == 2


def test_the_trace_that_machine_code_calls_is_not_the_first_to_go():
    double = ag.jit(lambda x: x * 2)
    with ag.config.scope(max_traces=3, retrace_warning=0):
        warm(double, X)
        traced = double.experimental_get_tracing_count()
        for size in range(1, 7):
            double(np.ones(size))
            double(X)
        assert double.experimental_get_tracing_count() == traced + 6


def test_a_new_trace_is_asked_before_an_open_recipe():
    known = ag.function(lambda x: x.shape[0] if x.shape[0] is not None else -1)
    assert int(known(X)) == 8
    known.get_concrete_function(ag.TensorSpec([None], ag.float64))
    for size in (8, 5, 8, 3, 5, 8):
        for _ in range(3):
            assert int(known(np.ones(size))) == (8 if size == 8 else -1)


def test_static_and_python_arguments():
    @ag.jit(static="n")
    def power(x, n):
        return x**n

    warm(power, X, 2)
    np.testing.assert_allclose(power(X, 3), X**3)
    np.testing.assert_allclose(power(X, 2), X**2)
    scale = ag.function(lambda x, factor: x * factor)
    warm(scale, X, 0.5)
    np.testing.assert_allclose(scale(X, 0.25), X * 0.25)
    assert np.signbit(scale(X, -0.0)).all()
    assert not np.signbit(scale(X, 0.0)).any()
    assert np.isnan(scale(X, float("nan"))).all()


def test_deleted_attributes():
    double = ag.function(lambda x: x * 2.0)
    tensor = ag.constant(X)
    warm(double, tensor)
    broken = ag.constant(X)
    del broken.array
    with pytest.raises(AttributeError):
        double(broken)
    del double._recipes
    double._uses.left = 0
    with pytest.raises(AttributeError):
        double(tensor)
    double._recipes = None
    double._uses.left = 10
    np.testing.assert_array_equal(double(tensor), X * 2)


# Threads.


def test_threads_call_one_function():
    @ag.jit
    def program(x, k):
        return x * k, x.sum() + k

    small, large = np.ones(8), np.ones(50_000)
    warm(program, small, 1.0)
    warm(program, large, 1.0)
    wrong = []

    def work(k):
        for iteration in range(300):
            x = large if iteration % 7 == 0 else small
            scaled, total = program(x, k)
            if scaled[0] != k or scaled[-1] != k or total != len(x) + k:
                wrong.append(k)

    threads = [threading.Thread(target=work, args=(float(k),)) for k in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_threads_change_one_variable():
    count = ag.Variable(0)
    step = ag.function(lambda: count.assign_add(1).read_value())
    warm(step)
    count.assign(0)
    threads = [threading.Thread(target=lambda: [step() for _ in range(300)]) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert int(count) == 1200


def test_other_threads_run_meanwhile_where_there_is_much_to_do():
    def releases(function):
        return [bool(entry[0][Recipe.RELEASES]) for entry in function._recipes]

    double = ag.jit(lambda x: x * 2)
    warm(double, X)
    assert releases(double) == [False]
    warm(double, np.ones(100_000))
    assert releases(double) == [True, False]

    @ag.jit
    def counted(n):
        s = 0
        while s < n:
            s += 1
        return s

    warm(counted, 3)
    assert releases(counted) == [True]
    product = ag.jit(lambda a, b: a @ b)
    warm(product, np.ones((4, 4)), np.ones((4, 4)))
    warm(product, np.ones((90, 90)), np.ones((90, 90)))
    assert releases(product) == [True, False]


def test_lists_that_another_thread_empties():
    """Where other threads run meanwhile the arrays are held."""
    total = ag.jit(lambda arrays: arrays[0].sum() + arrays[1].sum())
    make = lambda: [np.ones(200_000), np.ones(200_000)]  # noqa: E731
    warm(total, make())
    shared = [make()]
    stopped = threading.Event()

    def empty():
        while not stopped.is_set():
            shared[0][:] = make()

    thread = threading.Thread(target=empty)
    thread.start()
    try:
        found = {float(total(shared[0])) for _ in range(50)}
    finally:
        stopped.set()
        thread.join()
    assert found == {400_000.0}


# The process.


def run(folder, program):
    """What a program prints, in a process of its own."""
    path = folder / "program.py"
    path.write_text(program)
    done = subprocess.run(
        [sys.executable, "-X", "faulthandler", str(path)], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    return done.stdout


UNTIL_THE_END = """
import atexit, sys
import numpy as np
import agir as ag
from agir.backends.cpu.native.tables import Recipe
from agir.runtime.calling import machine_calls

machine_calls.SOME = machine_calls.MANY = machine_calls.MOST = 1
seen = []

@ag.autograph.do_not_convert
def note(x):
    seen.append(not isinstance(x, ag.Tensor))

@ag.jit
def double(x):
    note(x)
    return x * 2

small, large = np.ones(4), np.ones(10_000)
for _ in range(3):
    double(small), double(large)
assert all(entry[0][Recipe.CALLS] for entry in double._recipes)

# A scope is seen by some contexts only, so from now on Python asks at every call.
with ag.config.scope(disable_jit=True):
    double(small)
double(small)
assert seen == [False, False, True]
ag.config.reset("disable_jit")

class Last:
    def __init__(self):
        self.me, self.kept, self.call = self, double(large), double
    def __del__(self):
        assert self.call(small)[0] == 2 and self.kept[-1] == 2

last = Last()
atexit.register(lambda: print("exit", double(large)[0], double(small)[0]))
"""


def test_calls_until_the_end_of_the_process(tmp_path):
    assert run(tmp_path, UNTIL_THE_END) == "exit 2.0 2.0\n"


def test_few_calls_compile_nothing(monkeypatch):
    monkeypatch.setattr(machine_calls, "SOME", 64)
    monkeypatch.setattr(machine_calls, "PAUSE", math.inf)
    double = ag.jit(lambda x: x * 2)
    for _ in range(50):
        double(X)
    assert double._recipes == ()


def test_calls_after_pauses_count_as_many(early, monkeypatch):
    monkeypatch.setattr(machine_calls, "SOME", 64)
    monkeypatch.setattr(machine_calls, "PAUSE", -1.0)
    double = ag.jit(lambda x: x * 2)
    double(X)
    assert double._recipes == ()
    double(X)
    assert taken(double, X)
    for _ in range(50):
        double(X)
    assert len(double._recipes) == 1


OTHER_OBJECTS = """
import numpy as np
import agir as ag
from agir.backends.cpu.native import machine, objects
from agir.runtime.calling import machine_calls

objects.RANK = 28
assert not objects.are_as_expected()
machine_calls.SOME = machine_calls.MANY = machine_calls.MOST = 1
double = ag.jit(lambda x: x * 2)
for _ in range(5):
    assert double(np.ones(3)).tolist() == [2, 2, 2]
assert not double._recipes and type(ag.types.GenericFunction.__call__).__name__ == "function"
"""


def test_where_objects_lie_otherwise_python_makes_all_calls(tmp_path):
    assert run(tmp_path, OTHER_OBJECTS) == ""


def test_python_only_is_what_it_says():
    double = ag.jit(lambda x: x * 2)
    warm(double, X)
    with python_only():
        assert not taken(double, X)
    assert taken(double, X)
