"""How a function is run: natively, interpreted, eagerly, from many threads, without MLIR."""

from __future__ import annotations

import gc
import subprocess
import sys
import textwrap
import threading
import weakref
from itertools import pairwise

import numpy as np
import pytest

import agir as ag
from agir.backends.cpu import engine

from .ways import note

# --- jit_compile ------------------------------------------------------------------------


@pytest.mark.parametrize("decorate", [ag.function, ag.jit])
@pytest.mark.parametrize("jit_compile", [None, True])
def test_none_and_true_compile(monkeypatch, decorate, jit_compile):
    made = counting(monkeypatch)
    f = decorate(lambda x: x + 1, jit_compile=jit_compile)
    np.testing.assert_array_equal(f(np.ones(2)), [2.0, 2.0])
    assert len(made) == 1


def test_false_interprets(monkeypatch):
    made = counting(monkeypatch)
    f = ag.function(lambda x: x + 1, jit_compile=False)
    np.testing.assert_array_equal(f(np.ones(2)), [2.0, 2.0])
    assert not made
    with pytest.raises(ValueError, match="not compiled") as info:
        f.experimental_get_compiler_ir(np.ones(2))
    assert "f.experimental_get_compiler_ir(np.ones(2))" in str(info.value)


def test_the_former_name_of_jit_compile(monkeypatch):
    made = counting(monkeypatch)
    with pytest.warns(DeprecationWarning, match="experimental_compile is deprecated: use jit_comp"):
        f = ag.function(lambda x: x + 1, experimental_compile=False)
    assert int(f(ag.constant(1))) == 2
    assert not made


@pytest.mark.parametrize(
    ("options", "kind", "message"),
    [
        ({"jit_compile": True, "experimental_compile": False}, ValueError, "former name of jit_c"),
        ({"jit_compile": "yes"}, TypeError, "jit_compile is True, False or None, not 'yes'"),
        ({"experimental_compile": 1}, TypeError, "jit_compile is True, False or None, not 1"),
    ],
)
@pytest.mark.filterwarnings("ignore:experimental_compile is deprecated")
def test_what_jit_compile_can_be(options, kind, message):
    with pytest.raises(kind, match=message) as info:
        ag.function(lambda x: x, **options)
    assert "ag.function(lambda x: x, **options)" in str(info.value)


def shows(x):
    print("value", x)
    return x


def shows_in_try(x):
    if x < 0:
        raise ValueError(f"bad {x}")
    try:
        print("value", x)
    except Exception:
        x = x + 1
    return x


@pytest.mark.parametrize("function", [shows, shows_in_try])
def test_true_refuses_what_cannot_be_compiled_while_tracing(function, capsys):
    f = ag.jit(function, jit_compile=True)
    with pytest.raises(ag.errors.InvalidArgumentError, match="'print' is a call of Python") as info:
        f(1.0)
    assert isinstance(info.value, ag.errors.CannotCompileError)
    assert f"{__file__}:" in str(info.value)
    assert 'print("value", x)' in str(info.value)
    assert ag.jit(function)(1.0) == 1.0
    assert capsys.readouterr().out == "value 1.0\n"


def test_true_holds_for_what_a_function_calls_and_where_it_is_called():
    def helper(x):
        print(x)
        return x

    strict = ag.jit(helper, jit_compile=True)
    for outer in (ag.jit(lambda x: helper(x), jit_compile=True), ag.jit(lambda x: strict(x))):
        with pytest.raises(ag.errors.CannotCompileError, match=r"print\(x\)"):
            outer(1.0)


def test_messages_of_failures_can_be_compiled():
    @ag.jit(jit_compile=True)
    def f(x):
        if x < 0:
            raise ValueError(f"{x} is negative")
        return x

    assert f(1.0) == 1.0
    with pytest.raises(ValueError, match=r"-1\.0 is negative"):
        f(-1.0)


# --- compiler IR ------------------------------------------------------------------------


def test_what_compiler_ir_is_asked_for():
    f = ag.function(lambda x: x + 1)
    dump = f.experimental_get_compiler_ir(ag.TensorSpec([None], ag.float32))
    assert "tensor<?xf32>" in dump()
    assert dump(stage="hlo", device_name="/CPU:0") == dump("hlo")
    with pytest.raises(
        ValueError, match="no stage 'nothing'; the stages are autograph, hlo"
    ) as info:
        dump(stage="nothing")
    assert 'dump(stage="nothing")' in str(info.value)
    with pytest.raises(ValueError, match="no device '/GPU:0'") as info:
        dump(stage="hlo", device_name="/GPU:0")
    assert "device_name=" in str(info.value)
    with pytest.raises(TypeError, match="symbolic"):
        ag.function(lambda x: f.experimental_get_compiler_ir({"x": x})())(ag.constant(1.0))
    with pytest.raises(TypeError, match="symbolic") as info:
        ag.function(lambda x: f.experimental_get_compiler_ir(x)())(ag.constant(1.0))
    assert "f.experimental_get_compiler_ir(x)" in str(info.value)


# --- running Python ---------------------------------------------------------------------


def test_functions_run_eagerly_on_demand():
    seen = []

    @ag.function
    def f(x):
        seen.append(type(x))
        return x + 1

    assert not ag.config.functions_run_eagerly()
    f(1)
    ag.config.run_functions_eagerly(True)
    try:
        assert ag.config.functions_run_eagerly()
        assert [f(1), f(1)] == [2, 2]
        assert f(np.float64(1.5)) == 2.5
    finally:
        ag.config.run_functions_eagerly(False)
    assert not ag.config.functions_run_eagerly()
    f(1)
    assert seen == [int, int, int, np.float64]


# --- without MLIR -----------------------------------------------------------------------

HIDDEN = """
    import sys

    class Hidden:
        def find_spec(self, name, path=None, target=None):
            if name.partition(".")[0] in ("mlir", "torch_mlir"):
                {how}

    sys.meta_path.insert(0, Hidden())
    import agir as ag

    print(int(ag.constant(1) + 1))
    f = ag.function(lambda x: x + 1)
    try:
        f(ag.constant(1))
    except ValueError as error:
        print(error)
    ag.config.run_functions_eagerly(True)
    print(int(f(ag.constant(2))))
"""


@pytest.mark.parametrize(
    ("how", "reason"),
    [
        ("raise ModuleNotFoundError(name, name=name)", "here: run"),
        ('raise ImportError("libMLIR.so: no such file")', "here (libMLIR.so: no such file): run"),
    ],
)
def test_where_mlir_cannot_be_imported_one_sentence_says_what_to_do(tmp_path, how, reason):
    program = tmp_path / "program.py"
    program.write_text(textwrap.dedent(HIDDEN.format(how=how)))
    done = subprocess.run(
        [sys.executable, str(program)], capture_output=True, text=True, check=True, timeout=60
    )
    two, message, place, three = done.stdout.splitlines()
    assert (two, three) == ("2", "3")
    assert message.startswith("agir compiles through MLIR's Python bindings")
    assert reason in message
    assert message.endswith("run 'pip install torch-mlir' (the wheel on PyPI that carries them).")
    assert "program.py:" in place
    assert place.endswith("f(ag.constant(1))")


# --- threads ----------------------------------------------------------------------------


def counting(monkeypatch):
    """The executables that are made from now on."""
    made = []
    original = engine.Executable.__init__

    def initialise(self, compilation, name, *rest, **options):
        made.append(name)
        original(self, compilation, name, *rest, **options)

    monkeypatch.setattr(engine.Executable, "__init__", initialise)
    return made


def in_threads(work, count):
    """Run ``work(number)`` in so many threads at once; gives what was raised."""
    barrier = threading.Barrier(count)
    raised = []

    def run(number):
        barrier.wait()
        try:
            work(number)
        except BaseException as error:
            raised.append(error)

    threads = [threading.Thread(target=run, args=(n,)) for n in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return raised


@pytest.mark.parametrize("decorate", [ag.function, ag.jit])
def test_mixed_signatures_from_32_threads_compile_once_each(monkeypatch, decorate):
    made, traces = counting(monkeypatch), []

    @decorate
    def f(x, k):
        note(traces, type(k))
        return x * 2 + k

    arguments = [
        (np.arange(3.0), np.ones(3)),
        (np.arange(4), np.int64(1)),
        (np.float32([[1.0, 2.0]]), np.float32(0.5)),
        (np.arange(5.0)[::2], np.zeros(1)),
        (ag.constant([1, 2]), ag.constant(7)),
    ]

    def work(number):
        for iteration in range(10):
            x, k = arguments[(number + iteration) % len(arguments)]
            np.testing.assert_array_equal(f(x, k), np.asarray(x) * 2 + np.asarray(k))

    assert in_threads(work, 32) == []
    assert len(traces) == len(made) == len(arguments)


def test_functions_and_methods_that_race_for_the_compiler(monkeypatch):
    made = counting(monkeypatch)

    class Model:
        def __init__(self, k):
            self.k = k

        @ag.jit
        def run(self, x):
            return x * self.k

    models = [Model(float(k)) for k in range(4)]
    unranked = ag.function(lambda x: x + 1, input_signature=[ag.TensorSpec(None, ag.float64)])

    def work(number):
        model = models[number % 4]
        assert model.run(2.0) == 2 * model.k
        x = np.ones((1,) * (number % 3))
        np.testing.assert_array_equal(unranked(x), x + 1)

    assert in_threads(work, 12) == []
    assert 4 + 3 <= len(made) <= 4 + 3 + 1  # perhaps one more, that is for all instances


@ag.jit
def long_chain(n):
    state = 1
    while n > 0:
        state = state // 2 + n if state % 2 == 0 else 3 * state + 1
        n -= 1
    return state


def test_python_goes_on_while_native_code_runs():
    long_chain(1)
    started, finished = threading.Event(), []

    def work():
        started.set()
        finished.append(long_chain(40_000_000))

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1000.0)  # nobody gives up the lock but who lets go of it
    try:
        thread = threading.Thread(target=work)
        thread.start()
        started.wait()
        iterations = sum(1 for _ in range(1000))
        went_on = iterations == 1000 and not finished
    finally:
        sys.setswitchinterval(interval)
    thread.join()
    assert went_on
    assert len(finished) == 1


# --- memory -----------------------------------------------------------------------------


def resident():
    """Bytes of memory that the process has; None where the system does not tell."""
    try:
        with open("/proc/self/statm") as file:
            return int(file.read().split()[1]) * 4096
    except OSError:
        return None


def growth(work, times):
    """How many bytes of resident memory are gained, after a warm-up that is as long.

    The least of three rounds: what is kept is gained in each, what the allocator holds in some.
    """
    held = []
    for _ in range(4):
        for _ in range(times):
            work()
        gc.collect()
        held.append(resident() or 0)
    return min(later - earlier for earlier, later in pairwise(held))


def test_calls_leave_nothing_behind():
    f = ag.jit(lambda x, y: x * 2 + y)
    g = ag.function(lambda x: {"y": x + 1})
    loose = ag.function(lambda x: x * 2, input_signature=[ag.TensorSpec([None], ag.float64)])
    x, t, sizes = np.ones(100), ag.ones([10]), iter(range(1, 20_000))

    def work():
        f(x, 1.0)
        g(t)
        loose(np.ones(next(sizes)))

    assert growth(work, 3000) < 1_000_000
    assert len(loose._quick) <= 1024


def test_functions_that_are_dropped_leave_little_behind():
    references = []

    def work():
        def f(x):
            return x * len(references) + 1 if x.sum() > 0 else x

        decorated = ag.jit(f)
        decorated(np.ones(3))
        references.append(weakref.ref(decorated))

    assert growth(work, 12) < 12 * 100_000
    assert all(reference() is None for reference in references)


def test_a_call_of_many_shapes_keeps_few_of_them():
    concrete = ag.jit(lambda x: x + 1).get_concrete_function(ag.TensorSpec([None], ag.float64))
    for n in range(1500):
        concrete(np.ones(n))
    assert len(concrete._accepted) <= 1024


@pytest.mark.parametrize(
    ("name", "body"),
    [
        ("py_function", lambda x: ag.py_function(lambda v: v, [x], ag.float64)),
        ("numpy_function", lambda x: ag.numpy_function(np.sin, [x], ag.float64)),
        ("cholesky", ag.linalg.cholesky),
    ],
)
def test_the_call_of_python_that_cannot_be_compiled_is_named(name, body):
    f = ag.function(lambda x: body(x), jit_compile=True)
    with pytest.raises(ag.errors.InvalidArgumentError, match=f"'{name}' is a call of Python"):
        f(np.eye(2))


@pytest.mark.parametrize("convention", [ag.function, ag.jit])
def test_what_runs_after_the_call_is_no_result(convention):
    def lazy(x):
        yield x + 1

    async def later(x):
        return x + 1

    def inside(x):
        return {"a": [x, lazy(x)]}

    refused = (later, inside) if convention is ag.jit else (lazy, later, inside)
    for function in refused:
        with pytest.raises(TypeError, match=f"{function.__name__} returns a generator or corout"):
            convention(function)(ag.constant(1))
    assert [int(x) for x in convention(lambda x: list(lazy(x)))(ag.constant(1))] == [2]
