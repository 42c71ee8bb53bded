"""Decorated functions: calling, traces for each signature, the two conventions, errors."""

import gc
import inspect
import threading
import weakref

import numpy as np
import pytest

import agir as ag

from .ways import note


def test_results_are_tensors_under_function_and_arrays_under_jit():
    def double(x):
        return x * 2

    assert isinstance(ag.function(double)(np.arange(3.0)), ag.Tensor)
    result = ag.jit(double)(np.arange(3.0))
    assert type(result) is np.ndarray
    np.testing.assert_array_equal(result, [0, 2, 4])
    assert type(ag.jit(double)(1.5)) is float


def test_python_numbers_are_constants_under_function_and_run_time_values_under_jit():
    traces = []

    def add(x, k):
        note(traces, type(k))
        return x + k

    f, g = ag.function(add), ag.jit(add)
    x = np.zeros(2, np.float32)
    assert f(x, 1).dtype == f(x, 2).dtype == ag.float32
    assert len(traces) == 2
    np.testing.assert_array_equal(g(x, 0.1), np.float32([0.1, 0.1]))
    np.testing.assert_array_equal(g(x, 0.2), np.float32([0.2, 0.2]))
    assert len(traces) == 3
    assert g(x, 0.2).dtype == np.float32  # weak: it takes the dtype that it meets


def test_static_names_make_constants_of_arguments():
    @ag.jit(static=("n",))
    def power(x, n):
        for _ in range(n):
            x = x * x
        return x

    assert power(2.0, 3) == 256.0
    assert power(2.0, n=1) == 4.0
    with pytest.raises(ValueError, match="names no parameter"):
        ag.jit(lambda x: x, static="y")


def test_one_trace_for_each_dtype_and_shape():
    seen = []

    @ag.function
    def f(x):
        seen.append((x.dtype, x.shape))
        return x + 1

    for array in (np.zeros(2), np.ones(2), np.zeros(3), np.zeros(2, np.int32)):
        f(array)
    assert seen == [(ag.float64, (2,)), (ag.float64, (3,)), (ag.int32, (2,))]


def test_equal_numbers_of_different_types_have_traces_of_their_own():
    @ag.function
    def f(k):
        return ag.constant(1.0) * (10 if isinstance(k, bool) else 20)

    assert float(f(True)) == 10.0
    assert float(f(1)) == 20.0


@pytest.mark.parametrize("convention", [ag.function, ag.jit])
def test_structures_defaults_and_keywords(convention):
    @convention
    def f(pair, *rest, scale=2.0, **options):
        return {"sum": pair["a"] + pair["b"][0], "rest": [r * scale for r in rest], **options}

    out = f({"a": np.array(1.0), "b": (np.array(2.0),)}, np.ones(2), scale=3.0, name="x")
    assert float(out["sum"]) == 3.0
    assert out["name"] == "x"
    np.testing.assert_array_equal(out["rest"][0], [3.0, 3.0])


def test_an_array_that_is_assigned_into_changes_for_the_caller_under_jit_only():
    def put(x):
        x[1] = 7
        return x

    array = np.zeros(3)
    assert ag.jit(put)(array) is array
    np.testing.assert_array_equal(array, [0, 7, 0])
    array = np.zeros(3)
    np.testing.assert_array_equal(ag.function(put)(array), [0, 7, 0])
    np.testing.assert_array_equal(array, [0, 0, 0])


def test_arguments_of_any_layout_are_read_and_written_in_place():
    @ag.jit
    def bump(x):
        x += 1.0
        return x.sum()

    whole = np.arange(24.0).reshape(4, 6)
    part = whole[::2, ::-2].T
    expected = part + 1
    assert bump(part) == expected.sum()
    np.testing.assert_array_equal(part, expected)
    assert whole[0, 0] == 0.0


def test_a_read_only_argument_can_be_read_and_not_written():
    x = np.arange(3.0)
    x.flags.writeable = False
    np.testing.assert_array_equal(ag.jit(lambda a: a + 1)(x), [1, 2, 3])

    @ag.jit
    def put(a):
        a[0] = 1.0

    with pytest.raises(ValueError, match="read-only"):
        put(x)


def test_a_result_that_is_given_twice_is_one_object():
    @ag.jit
    def f(x):
        y = x + 1
        return y, [y], y[1:]

    for size in (3, 1000):
        a, (b,), c = f(np.zeros(size))
        assert a is b
        assert c.shape == (size - 1,)


def test_arrays_from_outside_are_captured_and_seen_as_they_are_at_each_call():
    table = np.arange(100.0)

    @ag.jit
    def f(i):
        return table[i] if False else (table + i).sum()

    first = f(1)
    table[:] = 0
    assert f(1) == 100.0
    assert first == np.arange(100.0).sum() + 100


def test_run_time_errors_name_the_line_and_leave_arguments_alone():
    @ag.jit
    def f(x, i):
        x[0] = 99.0
        return x[i]

    x = np.zeros(4)
    with pytest.raises(IndexError, match="index 9 is out of bounds for axis 0 with size 4") as info:
        f(x, 9)
    assert isinstance(info.value, ag.errors.InvalidArgumentError)
    line = inspect.getsourcelines(f.python_function)[1] + 3
    assert f"{__file__}:{line}" in str(info.value)
    assert "return x[i]" in str(info.value)
    np.testing.assert_array_equal(x, np.zeros(4))
    assert f(x, -1) == 0.0


@pytest.mark.parametrize("dtype", [np.int8, np.int64, np.uint16])
def test_integer_division_by_zero(dtype):
    f = ag.jit(lambda x, y: (x // y, x % y))
    x = np.array([7, 8], dtype)
    np.testing.assert_array_equal(f(x, np.array([2, 3], dtype))[0], [3, 2])
    # NumPy's numbers give 0, in arrays and outside of them; for Python's it is an error
    quotient, rest = f(x, np.array([2, 0], dtype))
    assert (quotient.tolist(), rest.tolist()) == ([3, 0], [1, 0])
    assert f(x[0], np.array([2, 0], dtype)[1]) == (0, 0)
    assert f(x[0], 0) == f(7, x[0] - x[0]) == (0, 0)
    with pytest.raises(ZeroDivisionError):
        f(7, 0)
    with pytest.raises(ZeroDivisionError):
        ag.function(lambda x, y: x // y)(x, np.array([2, 0], dtype))


def test_overflowing_division_wraps_and_does_not_trap():
    f = ag.jit(lambda x, y: (x // y, x % y))
    quotient, remainder = f(np.array([-128], np.int8), np.array([-1], np.int8))
    assert (quotient[0], remainder[0]) == (-128, 0)


def test_dynamic_dimensions_that_do_not_fit_are_an_error():
    f = ag.function(lambda x, y: x + y)
    spec = ag.TensorSpec([None], ag.float64)
    concrete = f.get_concrete_function(spec, spec)
    np.testing.assert_array_equal(concrete(np.ones(3), np.ones(1)), [2, 2, 2])
    np.testing.assert_array_equal(concrete(np.ones(0), np.ones(1)), np.ones(0))
    with pytest.raises(ValueError, match="2 and 3 do not broadcast"):
        concrete(np.ones(2), np.ones(3))


def test_a_failure_stops_a_loop_that_could_not_end():
    @ag.jit
    def f(x, n):
        while n != 1:
            n = x[n] if n > 100 else n - 3
        return n

    with pytest.raises(IndexError):
        f(np.ones(3, np.int64), 1000)


def test_an_input_signature_is_one_trace_and_refuses_others():
    traces = []

    @ag.function(input_signature=[ag.TensorSpec([None, 2], ag.float32)])
    def f(x):
        note(traces, 1)
        return ag.reduce_sum(x)

    assert float(f(np.ones((3, 2), np.float32))) == 6.0
    assert float(f(np.ones((5, 2), np.float32))) == 10.0
    assert len(traces) == 1
    with pytest.raises(TypeError, match="'x' must be compatible"):
        f(np.ones((3, 3), np.float32))


def test_a_concrete_function_refuses_other_types():
    concrete = ag.function(lambda x: x + 1).get_concrete_function(ag.TensorSpec([2], ag.float32))
    with pytest.raises(TypeError, match="takes"):
        concrete(np.zeros(3, np.float32))


def test_methods_bind_their_instance():
    class Scale:
        def __init__(self, k):
            self.k = k

        @ag.function
        def by(self, x):
            return x * self.k

    two, three = Scale(2.0), Scale(3.0)
    assert float(two.by(ag.constant(1.0))) == 2.0
    assert float(three.by(ag.constant(1.0))) == 3.0
    assert float(Scale(4.0).by(ag.constant(1.0))) == 4.0


def test_a_decorated_function_called_in_a_trace_becomes_part_of_it():
    @ag.jit
    def inner(x):
        return x * 2 if x > 0 else x

    @ag.jit
    def outer(x):
        return inner(x) + 1

    assert outer(3.0) == 7.0
    assert outer(-3.0) == -2.0


def test_a_function_that_is_dropped_leaves_nothing_behind():
    def build():
        def f(x):
            return x + 1

        decorated = ag.jit(f)
        decorated(1.0)
        return weakref.ref(decorated), weakref.ref(f)

    references = [build() for _ in range(3)]
    gc.collect()
    assert all(ref() is None for pair in references for ref in pair)


def test_racing_first_calls_compile_each_signature_once():
    traces = []

    @ag.jit
    def f(x):
        note(traces, x.shape)
        return (x * 2).sum()

    barrier = threading.Barrier(16)
    failures = []

    def work(k):
        barrier.wait()
        for _ in range(5):
            if f(np.ones(k % 4 + 1)) != 2 * (k % 4 + 1):
                failures.append(k)

    threads = [threading.Thread(target=work, args=(k,)) for k in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures
    assert sorted(traces) == [(1,), (2,), (3,), (4,)]


def test_the_reference_interpreter_runs_what_is_not_compiled():
    @ag.function(jit_compile=False)
    def f(x):
        while x > 1:
            x = x / 2
        return x

    assert float(f(ag.constant(20.0))) == 0.625
    with pytest.raises(ValueError, match="not compiled"):
        f.experimental_get_compiler_ir(ag.constant(1.0))


def test_eager_mode_runs_plain_python():
    @ag.jit
    def f(x):
        return type(x)

    with ag.config.scope(disable_jit=True):
        assert f(1.5) is float


def test_a_symbolic_tensor_that_escapes_is_refused():
    kept = []
    keep = kept.append  # of a list that the function does not see

    @ag.jit
    def leak(x):
        keep(x)
        return x

    with pytest.warns(ag.errors.SideEffectWarning, match="the list gets a run-time value"):
        leak(1.0)
    with pytest.raises(ag.errors.InaccessibleTensorError):
        ag.jit(lambda y: y + kept[0])(2.0)


def test_python_asking_for_a_value_names_the_line():
    @ag.jit
    def f(x, items):
        return "7".zfill(x)

    with pytest.raises(ag.errors.OperatorNotAllowedInGraphError, match="Python integer") as info:
        f(5000, 2)
    assert "zfill(x)" in str(info.value)


def test_an_array_that_is_written_into_may_overlap_another_argument_as_slices_do():
    @ag.jit
    def add_to(x, y):
        x += y

    whole = np.arange(8.0)
    add_to(whole[:4], whole[4:])
    np.testing.assert_array_equal(whole[:4], [4, 6, 8, 10])
    add_to(whole[::2], whole[1::2])
    expected = whole.copy()
    expected[:4] += expected[2:6]
    add_to(whole[:4], whole[2:6])
    np.testing.assert_array_equal(whole, expected)
    add_to(whole, whole)
    np.testing.assert_array_equal(whole, 2 * expected)
    square = np.arange(4.0).reshape(2, 2)
    expected = square + square.T
    add_to(square, square.T)
    np.testing.assert_array_equal(square, expected)


def test_a_function_that_cannot_fail_writes_in_place():
    @ag.jit
    def scale(x, k):
        for i in range(len(x)):
            x[i] = x[i] * k

    x = np.arange(6.0)
    scale(x, 2.0)
    np.testing.assert_array_equal(x, np.arange(6.0) * 2)
    bufferized = scale.experimental_get_compiler_ir(x, 2.0)("bufferized")
    assert "memref.alloc" not in bufferized
    assert "memref.copy" not in bufferized
    x.flags.writeable = False
    with pytest.raises(ValueError, match="read-only"):
        scale(x, 2.0)


def test_options_reach_the_compiler(caplog, tmp_path):
    @ag.jit
    def f(x):
        return x * 2 + 1

    with (
        caplog.at_level("INFO", "agir"),
        ag.config.scope(opt_level=0, verify=True, dump_dir=str(tmp_path)),
    ):
        assert f(3.0) == 7.0
        f(np.ones(2))
    said = [record.getMessage() for record in caplog.records]
    assert any(line.startswith("f: trace 2, for") and "float64" in line for line in said)
    assert any(line.startswith("optimized_hlo made in") for line in said)
    folders = sorted(tmp_path.iterdir())
    assert len(folders) == 2
    assert (folders[0] / "02.hlo.mlir").read_text().startswith("module {")


def test_a_callable_object_is_a_function_too():
    class Shift:
        def __init__(self, by):
            self.by = by

        def __call__(self, x):
            return x + self.by if x > 0 else x

    shift = ag.jit(Shift(10.0))
    assert (shift(1.0), shift(-1.0)) == (11.0, -1.0)
    assert shift.__name__ == "Shift"
    assert "@Shift" in shift.experimental_get_compiler_ir(1.0)("hlo")
