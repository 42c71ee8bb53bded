"""``ag.Variable``: eager, and in compiled functions, where it must do what plain Python does."""

from __future__ import annotations

import copy
import gc
import inspect
import pickle
import threading
import weakref
from typing import Any

import numpy as np
import pytest

import agir as ag
from agir.runtime.recording import updates

from ..ways import note

MODES: list[Any] = [
    pytest.param(ag.function, id="function"),
    pytest.param(lambda f: ag.function(f, jit_compile=False), id="interpreted"),
    pytest.param(ag.jit, id="jit"),
    pytest.param(lambda f: ag.jit(f, jit_compile=False), id="jit interpreted"),
]
compiled_modes = pytest.mark.parametrize("compiled", MODES)
modes = pytest.mark.parametrize("compiled", [*MODES, pytest.param(lambda f: f, id="eager")])


def line_of(function: Any, text: str) -> int:
    lines, start = inspect.getsourcelines(function)
    return start + next(n for n, line in enumerate(lines) if text in line)


def same(got: Any, expected: Any) -> None:
    np.testing.assert_array_equal(np.asarray(got), expected)


# What it is.


def test_its_type_is_that_of_a_constant_of_the_initial_value() -> None:
    assert ag.Variable(1).dtype == ag.int32
    assert ag.Variable([1.0, 2.0]).dtype == ag.float32
    assert ag.Variable(np.zeros((2, 3))).dtype == ag.float64
    assert ag.Variable(1, dtype=ag.float64).dtype == ag.float64
    assert ag.Variable(np.zeros((2, 3))).shape == (2, 3)
    assert ag.Variable(lambda: ag.ones((2,))).shape == (2,)
    same(ag.Variable(ag.Variable([1, 2])), [1, 2])
    same(ag.Variable(ag.constant([1, 2]), dtype=ag.float32), np.float32([1, 2]))


def test_names() -> None:
    assert ag.Variable(1).name == "Variable:0"
    assert ag.Variable(1, name="w").name == "w:0"
    with ag.name_scope("outer"), ag.name_scope("inner"):
        assert ag.Variable(1, name="w").name == "outer/inner/w:0"
    assert "'w:0' shape=(2,) dtype=int32" in repr(ag.Variable([1, 2], name="w"))


def test_trainable() -> None:
    assert ag.Variable(1.0).trainable
    assert ag.Variable(1.0, trainable=None).trainable
    assert not ag.Variable(1.0, trainable=False).trainable


def test_it_is_a_tensor_to_operators_functions_and_python() -> None:
    v = ag.Variable([1.0, 4.0])
    assert isinstance(v, ag.Tensor)
    same(v + 1, [2, 5])
    same(np.ones(2, np.float32) - v, [0, -3])
    same(np.sqrt(v), [1, 2])
    same(ag.stack([v, v]), [[1, 4], [1, 4]])
    same(v @ v, 17)
    same(v[1], 4)
    same(v.sum(), 5)
    assert [float(x) for x in v] == [1.0, 4.0]
    assert len(v) == 2
    assert float(ag.Variable(1.5)) == 1.5
    assert int(ag.Variable(3)) == 3
    assert complex(ag.Variable(2j)) == 2j
    assert [10, 20, 30][ag.Variable(1)] == 20
    assert bool(ag.Variable(1))
    assert not ag.Variable(0)
    assert v.tolist() == [1.0, 4.0]
    assert ag.Variable(7).item() == 7
    assert f"{ag.Variable(1.5):.2f}" == "1.50"
    with pytest.raises(TypeError, match=r"variable.ref\(\)"):
        hash(v)
    assert {v.ref(): 1}[v.ref()] == 1
    assert v.ref().deref() is v


@pytest.mark.parametrize("shape", [(), (0, 3), (2, 3)])
@pytest.mark.parametrize(
    "dtype", ["bool", "int8", "uint8", "int64", "float16", "bfloat16", "float64", "complex64"]
)
@compiled_modes
def test_every_dtype_and_empty_and_scalar(compiled: Any, dtype: str, shape: Any) -> None:
    kind = getattr(ag, dtype)
    v, w = (ag.Variable(ag.cast(np.ones(shape), kind)) for _ in range(2))

    @compiled
    def f() -> Any:
        w.assign(v)
        if dtype != "bool":
            v.assign_add(w)
            v.assign_add(w)
            v.assign_sub(w)
        return v.read_value()

    expected = np.full(shape, 1 if dtype == "bool" else 2)
    same(np.asarray(f()).astype(complex), expected)
    same(np.asarray(v).astype(complex), expected)
    assert v.dtype == kind


# Assignments.


@modes
def test_assignments_happen_in_program_order(compiled: Any) -> None:
    v = ag.Variable([1, 2, 3])

    @compiled
    def f(x: Any) -> Any:
        before = v.read_value()
        assert v.assign_add(x) is v
        middle = v * 1
        v.assign(v * 10).assign_sub(x, read_value=False)
        return before, middle, v.value()

    before, middle, after = f(ag.constant([1, 1, 1]))
    same(before, [1, 2, 3])
    same(middle, [2, 3, 4])
    same(after, [19, 29, 39])
    same(v, [19, 29, 39])


@modes
def test_parts_are_assigned_to(compiled: Any) -> None:
    v = ag.Variable(np.arange(12.0).reshape(3, 4))
    expected = np.arange(12.0).reshape(3, 4)

    @compiled
    def f(i: Any) -> None:
        v[0].assign(v[1])
        v[1, 2:].assign_add([1.0, 1.0])
        v[2, 1].assign_sub(0.5)
        v[-1, ::2] = 0.0
        v[i, 1] += 5.0
        v[v > 8.0] = -1.0
        v[[0, 2], [1, 1]] = 77.0
        v[1:] *= 2.0

    f(ag.constant(1))
    expected[0] = expected[1]
    expected[1, 2:] += 1
    expected[2, 1] -= 0.5
    expected[-1, ::2] = 0
    expected[1, 1] += 5
    expected[expected > 8] = -1
    expected[[0, 2], [1, 1]] = 77
    expected[1:] *= 2
    same(v, expected)


@modes
def test_a_part_is_a_value_of_its_own(compiled: Any) -> None:
    v = ag.Variable([1, 2, 3, 4])

    @compiled
    def f() -> Any:
        part = v[1:3]
        v[:] = 0
        return part

    same(f(), [2, 3])
    same(v, [0, 0, 0, 0])


@modes
def test_all_of_a_scalar_is_assigned_to(compiled: Any) -> None:
    v = ag.Variable(1.5)

    @compiled
    def f() -> Any:
        v[...] = 3.0
        v[()] = v + 1
        return v[...]

    same(f(), 4.0)
    same(v, 4.0)


@modes
def test_aliases_and_containers(compiled: Any) -> None:
    v = ag.Variable([1.0, 2.0])

    @compiled
    def f(x: Any) -> Any:
        alias, holder = v, [v, {"k": v}]
        alias.assign_add(x)
        holder[1]["k"][0].assign(9.0)
        holder[0][1] = 3.0
        same_one = v if x[0] > 0 else alias
        same_one.assign_add(x)
        return alias + holder[0]

    same(f(ag.constant([1.0, 1.0])), [20, 8])
    same(v, [10, 4])


@modes
def test_one_of_two_variables(compiled: Any) -> None:
    v, w = ag.Variable([1.0, 2.0]), ag.Variable([3.0, 4.0])

    @compiled
    def f(x: Any) -> Any:
        chosen = v if x[0] > 0 else w
        chosen.assign_add(x)
        return ag.exp(chosen) * 0 + chosen * 2

    same(f(ag.constant([-1.0, 1.0])), [4, 10])
    same(v, [1, 2])
    same(w, [2, 5])


@modes
def test_conditions_loops_and_iteration(compiled: Any) -> None:
    n, v = ag.Variable(2), ag.Variable([1, 2, 3])

    @compiled
    def f() -> Any:
        total = ag.constant(0)
        if n:
            n.assign(0)
        while n < 5:
            n.assign_add(1)
        for x in v:
            total += x
            v.assign_add([1, 1, 1])
        for i, x in enumerate(v):
            total += i * x
        for _ in range(n):
            total += 1
        return total + len(v), not n

    total, negated = f()
    same(total, 6 + 17 + 5 + 3)
    assert not bool(negated)
    same(v, [4, 5, 6])


@modes
def test_recursion_and_nested_functions(compiled: Any) -> None:
    calls, v = ag.Variable(0), ag.Variable([0.0, 0.0])

    @compiled
    def factorial(n: Any) -> Any:
        calls.assign_add(1)
        v[1] += 2.0
        if n <= 1:
            return n * 0 + 1
        return n * factorial(n - 1)

    @compiled
    def outer(n: Any) -> Any:
        return factorial(n) + calls

    same(outer(ag.constant(5)), 125)
    same(v, [0, 10])


@modes
def test_a_handler_finds_what_was_assigned_before_the_failure(compiled: Any) -> None:
    v, n = ag.Variable([1, 2, 3]), ag.Variable(0)

    @compiled
    def f(i: Any) -> Any:
        try:
            v.assign_add([1, 1, 1])
            n.assign(v[i])
            v.assign_add([1, 1, 1])
        except IndexError:
            n.assign_sub(1)
        return n.read_value()

    same(f(ag.constant(1)), 3)
    same(v, [3, 4, 5])
    same(f(ag.constant(7)), 2)
    same(v, [4, 5, 6])


@modes
def test_swapping_two_variables(compiled: Any) -> None:
    v, w = ag.Variable([1.0, 2.0]), ag.Variable([3.0, 4.0])

    @compiled
    def f() -> Any:
        old = v.read_value()
        v.assign(w)
        w.assign(old)
        return old

    same(f(), [1, 2])
    same(v, [3, 4])
    same(w, [1, 2])


@modes
def test_text_has_the_value_of_then(compiled: Any) -> None:
    v = ag.Variable(3)

    @compiled
    def f() -> Any:
        text = f"{v}"
        v.assign(4)
        return text

    assert f() == "3"


# How functions hold variables.


@modes
def test_variables_as_arguments_and_defaults(compiled: Any) -> None:
    shared = ag.Variable([0.0, 0.0])

    @compiled
    def f(v: Any, w: Any = None, *, u: Any = shared) -> Any:
        v.assign_add([1.0, 1.0])
        if w is not None:
            w.assign(v * 2.0)
        u.assign_add(v)
        return v * 1.0

    a, b = ag.Variable([1.0, 2.0]), ag.Variable([0.0, 0.0])
    f(a)
    f(a, b)
    same(a, [3, 4])
    same(b, [6, 8])
    same(f(b, b), [14, 18])  # one variable under two names
    same(f(shared), shared)


@compiled_modes
def test_a_new_value_needs_no_new_trace_and_another_variable_does(compiled: Any) -> None:
    traces = []

    @compiled
    def f(v: Any) -> Any:
        note(traces, 1)
        return v * 2

    v = ag.Variable([1, 2])
    same(f(v), [2, 4])
    v.assign([5, 6])
    same(f(v), [10, 12])
    assert len(traces) == 1
    same(f(ag.Variable([1.0, 2.0, 3.0])), [2, 4, 6])
    assert len(traces) == 2


@compiled_modes
def test_a_failing_call_leaves_all_variables(compiled: Any) -> None:
    v, n = ag.Variable([1, 2, 3]), ag.Variable(0)

    @compiled
    def f(i: Any) -> Any:
        n.assign_add(1)
        v.assign(v * 2)
        return v[i]

    with pytest.raises(IndexError, match=f"test_variable.py:{line_of(f.python_function, 'v[i]')}"):
        f(ag.constant(7))
    same(v, [1, 2, 3])
    same(n, 0)
    same(f(ag.constant(1)), 4)
    same(n, 1)


@compiled_modes
def test_results_do_not_change_with_the_variable(compiled: Any) -> None:
    v = ag.Variable([1.0, 2.0])

    @compiled
    def f() -> Any:
        v.assign_add([1.0, 1.0])
        return v, v[0:1], v * 1

    results, seen, part = f(), v.numpy(), v[1:]
    f()
    v.assign([9.0, 9.0])
    v[0] = 1.0
    for got, expected in zip(results, ([2, 3], [2], [2, 3]), strict=True):
        assert not isinstance(got, ag.Variable)
        same(got, expected)
    same(seen, [2, 3])
    same(part, [3])


@compiled_modes
def test_a_variable_does_not_share_memory_with_what_is_assigned(compiled: Any) -> None:
    given = np.array([5.0, 6.0], np.float32)
    v = ag.Variable(given)

    @compiled
    def f(x: Any) -> None:
        v.assign(x)

    f(given)
    given[0] = 100
    same(v, [5, 6])
    v.assign(given)
    given[0] = 7
    same(v, [100, 6])
    f(v.numpy()[::-1])
    same(v, [6, 100])


def test_a_compiled_step_writes_in_place_unless_others_hold_the_array() -> None:
    v = ag.Variable(np.zeros(1000))

    @ag.function
    def step() -> None:
        v.assign_add(np.ones(1000))

    def address() -> int:
        found: int = v.numpy().__array_interface__["data"][0]
        return found

    step()
    before = address()
    step()
    assert address() == before
    held = v.numpy()
    step()
    assert address() != before
    assert held[0] == 2
    assert float(v[0]) == 3


@compiled_modes
@pytest.mark.parametrize("shape", [(), (3,), (1000,), (40, 50)])
def test_what_was_read_does_not_change_wherever_the_array_comes_from(
    compiled: Any, shape: Any
) -> None:
    v = ag.Variable(np.zeros(shape))
    one = np.ones(shape)

    @compiled
    def fallible(i: Any) -> Any:
        v.assign_add(one)
        return ag.constant([1, 2])[i]

    @compiled
    def step() -> None:
        v.assign_add(one)

    def change_a_part() -> None:
        v[...] = v + 1

    ways = [lambda: fallible(ag.constant(1)), step, lambda: v.assign_add(one), change_a_part]
    ways.append(lambda: v.assign(np.asarray(v) + one))
    count = 0
    for first in ways:
        for second in ways:
            first()
            count += 1
            held = [v.numpy(), np.asarray(v), v.read_value(), v[...], ag.reshape(v, (-1,))]
            second()
            for each in held:
                assert np.all(np.asarray(each) == count)
            count += 1
    same(v, np.full(shape, count))


@compiled_modes
def test_a_large_variable_of_a_function_that_can_fail(
    compiled: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(updates, "FRESH", 1 << 20)
    v, w = (ag.Variable(np.full((512, 512), k, np.float32)) for k in (1.0, 2.0))

    @compiled
    def step(i: Any) -> Any:
        old = v.read_value()
        v.assign(w)
        w.assign_add(old)
        return old[i, i]

    with pytest.raises(IndexError):
        step(ag.constant(512))
    assert float(v[511, 511]) == 1
    assert float(w[511, 511]) == 2
    held = w.numpy()
    same(step(ag.constant(511)), 1)
    same(step(ag.constant(0)), 2)
    same(v, np.full((512, 512), 3))
    same(w, np.full((512, 512), 5))
    assert held[0, 0] == 2


def test_functions_can_be_run_eagerly() -> None:
    v = ag.Variable(0)

    @ag.function
    def f(x: Any) -> Any:
        made = ag.Variable(x)
        v.assign_add(made)
        return v * 1

    ag.config.run_functions_eagerly(True)
    try:
        same(f(2), 2)
        same(f(2), 4)
    finally:
        ag.config.run_functions_eagerly(False)


@compiled_modes
def test_sizes_that_assignments_change(compiled: Any) -> None:
    v = ag.Variable([[1.0, 2.0, 3.0]], shape=[None, 3])

    @compiled
    def f(x: Any) -> Any:
        v.assign(ag.concat([v, x], 0))
        for _ in ag.range(2):
            v.assign(ag.concat([v, v[:1]], 0))
        v[0, 0] = 7.0
        return ag.reduce_sum(v), len(v)

    total, length = f(ag.ones((2, 3)))
    assert int(length) == 5
    assert v.shape == (None, 3)
    assert v.numpy().shape == (5, 3)
    same(total, np.asarray(v).sum())
    f(ag.ones((0, 3)))
    assert v.numpy().shape == (7, 3)
    with pytest.raises(ValueError, match=r"\[2, 2\].*\[\?, 3\]"):
        v.assign(ag.ones((2, 2)))
    v.assign(np.ones((1, 3), np.float32))
    assert len(v) == 1


def test_the_compiled_function_names_its_variables() -> None:
    w, b = ag.Variable([1.0, 2.0], name="w"), ag.Variable(0.5, name="b")

    @ag.function
    def f(x: Any) -> Any:
        b.assign_add(1.0)
        return x * w + b

    x = ag.constant([1.0, 1.0])
    text = f.experimental_get_compiler_ir(x)(stage="hlo")
    assert "@f(%x: tensor<2xf32>, %b: f32, %w: tensor<2xf32>)" in text
    assert [each.name for each in f.get_concrete_function(x).variables] == ["b:0", "w:0"]


# Creation.


@modes
def test_a_variable_is_created_on_the_first_call(compiled: Any) -> None:
    class Scale:
        v: Any = None

        @compiled
        def __call__(self, x: Any, k: Any) -> Any:
            if self.v is None:
                self.v = ag.Variable(x * k + 1.0)
                self.count = ag.Variable(10)
            self.count.assign_add(1)
            return self.v * x

    one, other = Scale(), Scale()
    x, k = ag.constant([2.0, 3.0]), ag.constant(2.0)
    same(one(x, k), [10, 21])
    same(one(x + 1, k), [15, 28])
    same(one.v, [5, 7])
    same(one.count, 12)
    same(other(x + 1, k), [21, 36])
    same(one.v, [5, 7])


@compiled_modes
def test_variables_made_in_a_loop_of_the_first_call(compiled: Any) -> None:
    made: list[Any] = []

    @compiled
    def f(x: Any) -> Any:
        if not made:
            for i in range(30):
                made.append(ag.Variable(x * i))
        for v in made:
            x = x + v
        return x

    same(f(ag.constant(1.0)), 436)
    same(made[3], 3)


@compiled_modes
def test_a_trace_for_specs_leaves_the_initial_value_to_the_first_call(compiled: Any) -> None:
    class Scale:
        v: Any = None

        @compiled
        def f(self, x: Any) -> Any:
            if self.v is None:
                self.v = ag.Variable(x + 1.0)
            return self.v * x

    s = Scale()
    s.f.get_concrete_function(ag.TensorSpec([2], ag.float32))
    assert not s.v.is_initialized()
    assert "no value yet" in repr(s.v)
    with pytest.raises(ag.errors.FailedPreconditionError, match="has no value yet"):
        s.v.numpy()
    same(s.f(ag.constant([1.0, 2.0])), [2, 6])
    same(s.v, [2, 3])


@compiled_modes
def test_a_first_call_that_fails_can_be_repeated(compiled: Any) -> None:
    class Scale:
        v: Any = None

        @compiled
        def f(self, x: Any, i: Any) -> Any:
            if self.v is None:
                self.v = ag.Variable(x[i] * 2)
            return self.v * x

    s = Scale()
    x = ag.constant([1.0, 2.0])
    with pytest.raises(IndexError):
        s.f(x, ag.constant(7))
    same(s.f(x, ag.constant(1)), [4, 8])
    same(s.v, 4)


@compiled_modes
def test_a_first_call_that_raises_while_tracing_creates_nothing(compiled: Any) -> None:
    class Scale:
        v: Any = None
        made: Any = None
        works = False

        @compiled
        def f(self, x: Any) -> Any:
            if self.v is None:
                self.v = ag.Variable(x * 2)
                self.made = []
                self.made.append(self.v)
            if not self.works:
                raise KeyError("not yet")
            return self.v * x

        @compiled
        def g(self, x: Any) -> Any:
            if self.v is None:
                self.v = ag.Variable(x * 2)
            return ag.Variable(x) * self.v

    s = Scale()
    with pytest.raises(KeyError):
        s.f(ag.constant(1.0))
    assert s.v is None
    assert s.made is None
    with pytest.raises(ValueError, match="creates a Variable"):
        s.g(ag.constant(1.0))
    assert s.v is None
    s.works = True
    same(s.f(ag.constant(3.0)), 18)


@compiled_modes
def test_instances_and_what_they_create_are_not_kept_alive(compiled: Any) -> None:
    class Scale(ag.Module):
        def __init__(self) -> None:
            super().__init__()
            self.v: Any = None

        @compiled
        def f(self, x: Any) -> Any:
            if self.v is None:
                self.v = ag.Variable(x)
            return self.v * x

    s = Scale()
    s.f(ag.constant(1.0))
    references = [weakref.ref(s), weakref.ref(s.v)]
    del s
    gc.collect()
    assert [reference() for reference in references] == [None, None]


@modes
def test_what_an_operation_leaves_as_it_is_was_read(compiled: Any) -> None:
    v = ag.Variable([3.0, 1.0])

    @compiled
    def f() -> Any:
        found = (
            ag.convert_to_tensor(v),
            ag.constant(v),
            ag.reshape(v, (2,)),
            ag.cast(v, ag.float32),
            v.copy(),
            v[:],
            v.T,
            +v,
            np.squeeze(v),
            list(v),
        )
        v.assign([0.0, 0.0])
        return found

    for each in f():
        same(each, [3, 1])


@modes
def test_one_of_a_list_of_variables_by_a_run_time_index(compiled: Any) -> None:
    variables = [ag.Variable([1, 2]), ag.Variable([3, 4]), ag.Variable([5, 6])]

    @compiled
    def f(i: Any) -> Any:
        variables[i].assign_add([10, 10])
        return variables[i] + 0

    same(f(ag.constant(1)), [13, 14])
    assert [v.tolist() for v in variables] == [[1, 2], [13, 14], [5, 6]]


def test_concrete_functions_and_signatures_take_variables() -> None:
    v = ag.Variable([3.0, 1.0])

    @ag.function
    def f(x: Any, w: Any) -> Any:
        w.assign_add(x)
        return x * w

    spec = ag.TensorSpec([2], ag.float32)
    concrete = f.get_concrete_function(spec, v)
    same(concrete(ag.constant([1.0, 1.0]), v), [4, 2])
    same(concrete(ag.constant([1.0, 1.0])), [5, 3])
    double = ag.function(lambda x: x * 2, input_signature=[ag.TensorSpec([None], ag.float32)])
    same(double(v), [10, 6])
    same(double.get_concrete_function()(v), [10, 6])


@compiled_modes
def test_creation_on_a_later_call_is_an_error(compiled: Any) -> None:
    kept: dict[str, Any] = {}

    @compiled
    def always(x: Any) -> Any:
        return ag.Variable(1.0) + x  # always

    @compiled
    def later(x: Any) -> Any:
        if x.shape[0] == 3 and not kept:
            kept["v"] = ag.Variable(1.0)  # later
        return x

    @compiled
    def inside(x: Any) -> Any:
        if x[0] > 0:
            kept["v"] = ag.Variable(1.0)  # inside
        return x

    later(ag.ones((2,)))
    for function, size in ((always, 2), (later, 3), (inside, 2)):
        line = line_of(function.python_function, f"# {function.__name__}")
        with pytest.raises(ValueError, match="creates a Variable here") as caught:
            function(ag.ones((size,)))
        assert f"test_variable.py:{line}" in str(caught.value)


# Mistakes.


@modes
@pytest.mark.parametrize(
    ("initial", "value", "what"),
    [
        ([1.0, 2.0], [1.0, 2.0, 3.0], r"shape \[3\].*shape \[2\]"),
        ([1.0, 2.0], 1.0, r"shape \[\].*shape \[2\]"),
        (1, 1.5, "a Python float to a Variable of dtype int32"),
        (1, 1j, "a Python complex number"),
        (1.0, np.complex64(1j), "complex64 values"),
        (1, np.float32(1.5), "float32 values"),
        (True, 1, "a Python int to a Variable of dtype bool"),
    ],
)
def test_what_does_not_fit(compiled: Any, initial: Any, value: Any, what: str) -> None:
    v = ag.Variable(initial)

    @compiled
    def f() -> None:
        v.assign(value)

    for kind in (TypeError, ValueError):
        with pytest.raises(kind, match=what) as caught:
            f()
    place = f"test_variable.py:{line_of(test_what_does_not_fit, 'v.assign(value)')}"
    assert place in str(caught.value) or not hasattr(f, "python_function")
    same(v, initial)


@compiled_modes
def test_a_tensor_of_a_wider_dtype_does_not_fit(compiled: Any) -> None:
    v = ag.Variable([1.0, 2.0])

    @compiled
    def f(x: Any) -> None:
        v.assign_add(x)

    with pytest.raises(ValueError, match="float64 values"):
        f(np.ones(2))
    v.assign_add(np.ones(2))  # NumPy data outside of traces is data
    same(v, [2, 3])


def test_sizes_known_at_run_time_are_checked() -> None:
    v = ag.Variable([1.0, 2.0])

    @ag.function(input_signature=[ag.TensorSpec([None], ag.float32)])
    def f(x: Any) -> Any:
        v.assign(x)
        v.assign_add(x)
        return v

    same(f(ag.constant([1.0, 2.0])), [2, 4])
    with pytest.raises(ag.errors.InvalidArgumentError, match="differ in a size: 2 and 3"):
        f(ag.constant([1.0, 2.0, 3.0]))
    same(v, [2, 4])


@modes
def test_in_place_operators_are_refused(compiled: Any) -> None:
    v = ag.Variable(1)

    @compiled
    def f() -> None:
        w = v
        w += 1

    with pytest.raises(RuntimeError, match="assign_add"):
        f()


@modes
def test_item_assignment_that_does_not_fit(compiled: Any) -> None:
    v = ag.Variable([1, 2])

    @compiled
    def f(i: Any, x: Any) -> None:
        v[i] = x

    with pytest.raises(TypeError, match="float32 values"):
        f(ag.constant(0), ag.constant(1.5))
    with pytest.raises(ValueError, match=r"assign|setting an array element"):  # NumPy's words
        f(ag.constant(0), ag.constant([1, 2, 3]))
    with pytest.raises(IndexError, match="out of bounds"):
        f(ag.constant(2), ag.constant(1))
    same(v, [1, 2])


def test_bad_initial_values() -> None:
    with pytest.raises(ValueError, match="needs an initial value"):
        ag.Variable()
    with pytest.raises(TypeError):
        ag.Variable("text")
    with pytest.raises(TypeError, match="loses information"):
        ag.Variable(1.5, dtype=ag.int32)
    with pytest.raises(ValueError, match=r"shape \[3\].*shape \[2\]"):
        ag.Variable([1, 2], shape=[3])
    with pytest.raises(ValueError, match="out of bounds"):
        ag.Variable(300, dtype=ag.int8)
    with pytest.raises(TypeError, match="colour"):
        ag.Variable(1, colour="red")


@compiled_modes
def test_numpy_is_refused_while_tracing(compiled: Any) -> None:
    v = ag.Variable(1)

    @compiled
    def f() -> Any:
        return v.numpy()

    with pytest.raises(TypeError, match=r"read_value\(\)"):
        f()


# Lives.


@compiled_modes
def test_functions_do_not_keep_variables_alive(compiled: Any) -> None:
    box = [ag.Variable([1.0, 2.0], name="gone")]

    @compiled
    def f(v: Any = None) -> Any:
        return (box[0] if v is None else v) * 2.0

    f()
    argument = ag.Variable([1.0])
    f(argument)
    references = [weakref.ref(argument), weakref.ref(box[0])]
    del argument
    box[0] = None
    gc.collect()
    assert [reference() for reference in references] == [None, None]
    with pytest.raises(ag.errors.FailedPreconditionError, match=r"'gone:0'.*is gone") as info:
        f()
    assert "in test_functions_do_not_keep_variables_alive: f()" in str(info.value)


def test_copies_and_pickles() -> None:
    v = ag.Variable([[1.0, 2.0]], name="w", trainable=False, shape=[None, 2])
    for other in (copy.deepcopy(v), pickle.loads(pickle.dumps(v))):
        v.assign([[5.0, 6.0]])
        same(other, [[1, 2]])
        assert (other.name, other.trainable, other.shape) == ("w:0", False, (None, 2))
        v.assign([[1.0, 2.0]])


def test_threads_that_update_one_variable_lose_no_update() -> None:
    v, w = ag.Variable(np.zeros(4096)), ag.Variable(0)

    @ag.function
    def forward() -> Any:
        v.assign_add(np.ones(4096))
        w.assign_add(1)
        return v[0] - v[4095]

    @ag.function
    def backward() -> Any:
        w.assign_add(1)
        v.assign_add(np.ones(4096))
        return ag.reduce_max(v) - ag.reduce_min(v)

    @ag.function
    def look() -> Any:
        return ag.reduce_max(v) - ag.reduce_min(v)

    torn = []

    def work(function: Any) -> None:
        for _ in range(200):
            torn.append(float(function()))
            torn.append(float(look()))
            seen = v.numpy()
            torn.append(float(seen.max() - seen.min()))

    threads = [threading.Thread(target=work, args=(f,)) for f in (forward, backward) * 3]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not any(torn)
    same(w, 1200)
    same(v, np.full(4096, 1200.0))
