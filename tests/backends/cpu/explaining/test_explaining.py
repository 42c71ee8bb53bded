"""``f.explain()``: kernels, loops, checks and memory, and how fast they are."""

from __future__ import annotations

import json

import numpy as np
import pytest

import agir as ag
from agir.backends.cpu.explaining import counting, machine, timing
from agir.backends.cpu.explaining.report import Loop
from agir.backends.mlir.modules import find
from agir.backends.mlir.places import SourceLocation, number_in, numbered, places
from agir.backends.stages import Compilation
from agir.ir.building import bindings


def here(function) -> int:
    return function.python_function.__code__.co_firstlineno


@ag.jit
def several(x, y, index):
    total = 0.0
    for i in range(len(x)):
        total += x[index[i]] * y[i]
    for _ in range(5):
        x[1:-1] = 0.5 * (x[:-2] + x[2:])
    return total, np.sin(x) * y + 1


@pytest.fixture(scope="module")
def explanation():
    x, index = np.random.default_rng(0).random(1000), np.arange(1000)
    before = x.copy()
    made = several.explain(x, x.copy(), index)
    assert (x == before).all(), "the caller's arrays are left alone"
    return made


@ag.jit
def fibonacci(n):
    return n if n < 2 else fibonacci(n - 1) + fibonacci(n - 2)


def rows(explanation, kind: str, line: int):
    return [
        row
        for row in explanation.rows
        if row.kind == kind and here(several) + line in {place.line for place in row.places}
    ]


def test_a_loop_and_why_it_is_not_vectorised(explanation) -> None:
    [loop] = rows(explanation, "loop", 3)
    assert loop.size == "1,000 iterations"
    assert loop.flops == 2000
    assert [each.width for each in loop.loops] == [1]
    assert loop.loops[0].reason
    assert loop.executions == 1
    assert loop.seconds > 0


def test_operations_that_are_fused_are_one_kernel(explanation) -> None:
    [kernel] = rows(explanation, "kernel", 7)
    assert kernel.what == "sin, mul, add"
    assert kernel.bytes == 3 * 8 * 1000
    assert kernel.flops > 10 * 1000, "a polynomial for the sine"
    assert kernel.loops[0].width > 1
    assert 0 < kernel.roofline


def test_a_kernel_in_a_loop(explanation) -> None:
    [loop] = rows(explanation, "loop", 5)
    [kernel] = rows(explanation, "kernel", 6)
    assert (loop.depth, kernel.depth) == (0, 1)
    assert (loop.executions, kernel.executions) == (1, 5)
    assert kernel.what == "add, mul"
    assert kernel.seconds < loop.seconds


def test_checks_that_are_left(explanation) -> None:
    [check] = explanation.checks
    assert check.place.line == here(several) + 4
    assert check.what == "RuntimeIndexError"
    assert check.in_loop


def test_memory(explanation) -> None:
    results = [each for each in explanation.buffers if each.where == "result"]
    assert {each.size for each in results} == {8000}
    assert not any(each.in_loop for each in explanation.buffers)


def test_as_text_and_as_data(explanation) -> None:
    text = str(explanation)
    assert "test_explaining.py" in text
    assert "sin, mul, add" in text
    assert "RuntimeIndexError: total += x[index[i]] * y[i]" in text
    data = json.loads(json.dumps(explanation.as_json()))
    assert [row["kind"] for row in data["rows"]] == [row.kind for row in explanation.rows]


def test_types_are_not_measured() -> None:
    spec = ag.TensorSpec([1000], ag.float64)
    made = several.explain(spec, spec, ag.TensorSpec([1000], ag.int64))
    assert made.seconds is None
    assert "no values were given" in str(made)
    assert [row.seconds for row in made.rows] == [None] * len(made.rows)


def test_a_function_that_calls_python_is_not_run() -> None:
    calls = []

    @ag.function
    def noted(x):
        ag.py_function(lambda v: calls.append(1) or v, [x], ag.float64)
        return x + 1

    made = noted.explain(ag.constant([1.0, 2.0], ag.float64))
    assert "it calls Python functions" in str(made)
    assert calls == []


def test_variables_are_left_alone() -> None:
    v = ag.Variable([1.0, 2.0])

    @ag.function
    def step(x):
        v.assign_add(x)
        return v * 2

    step(ag.constant([1.0, 1.0]))
    made = step.explain(ag.constant([1.0, 1.0]))
    assert made.seconds > 0
    assert v.numpy().tolist() == [2.0, 3.0]


def test_methods_and_scalars() -> None:
    class Model:
        @ag.jit
        def rest(self, n):
            while n > 10:
                n = n - 3
            return n

    made = Model().rest.explain(1000)
    [loop] = made.rows
    assert loop.what == "while"
    assert not ag.jit(lambda x: x + 1).explain(1.0).rows
    assert "no loops" in str(ag.jit(lambda x: x + 1).explain(1.0))


def test_recursion() -> None:
    made = fibonacci.explain(10)
    assert made.seconds > 0
    assert not made.rows


def test_what_is_not_compiled_cannot_be_explained() -> None:
    with pytest.raises(ag.errors.StageError, match="jit_compile=False"):
        ag.function(lambda x: x, jit_compile=False).explain(1.0)


def test_vectors_of_our_own_are_seen() -> None:
    assert str(Loop(8, 4)) == "8 lanes x 4"
    assert str(Loop(reason="a call")) == "no: a call"


def test_the_machine_is_measured() -> None:
    assert machine.flops_per_second("f32") > machine.flops_per_second("f64") > 1e8
    assert machine.bytes_per_second(1 << 16) > 1e8
    assert 1e-11 < timing.seconds_of_a_cycle() < 1e-7


GENERIC = """
func.func @f(%a: memref<4x?xf32>, %b: memref<4xf32>, %c: memref<4x8xf32>) {
  linalg.generic {
    indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>],
    iterator_types = ["parallel", "reduction"]
  } ins(%c : memref<4x8xf32>) outs(%b : memref<4xf32>) {
  ^bb0(%x: f32, %y: f32):
    %p = arith.mulf %x, %x : f32
    %s = arith.addf %y, %p : f32
    linalg.yield %s : f32
  }
  linalg.generic {
    indexing_maps = [affine_map<(i, j) -> (i, j)>],
    iterator_types = ["parallel", "parallel"]
  } outs(%a : memref<4x?xf32>) {
  ^bb0(%x: f32):
    %p = math.sqrt %x : f32
    linalg.yield %p : f32
  }
  return
}"""


def test_counting() -> None:
    module = Compilation.from_text(GENERIC, "bufferized").get("bufferized")
    reduction, unknown = find(module, "linalg.generic")
    assert counting.dimension_sizes(reduction) == (4, 8)
    assert counting.flops_inside(reduction) == 64
    assert counting.bytes_moved(reduction) == 4 * (32 + 4)
    assert counting.float_type([reduction]) == "f32"
    assert counting.dimension_sizes(unknown) == (4, None)
    assert counting.flops_inside(unknown) is None
    assert counting.bytes_moved(unknown) is None


def test_places() -> None:
    with bindings.context():
        location = bindings.ir.Location
        inner = location.file("-", 3, 1)
        outer = location.file("a b.py", 7, 2)
        assert places(location.callsite(inner, [outer])) == [SourceLocation("a b.py", 7, 2)]
        assert number_in(numbered("x", 12), "x") == 12
        assert number_in(numbered("y", 12), "x") is None


def test_new_arrays_of_complex_numbers():
    def f(n):
        z = np.zeros((n, n), complex)
        z[0] = 1j
        return abs(z)

    assert "memref<?x?xcomplex<f64>>" in str(ag.jit(f).explain(3))
