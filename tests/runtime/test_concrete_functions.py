"""Concrete functions: how they are called, their types, their graphs, their captures."""

from __future__ import annotations

import numpy as np
import pytest

import agir as ag

F32 = ag.float32


@pytest.fixture
def scaled():
    @ag.function
    def f(x, k=2, *, pair=None):
        return {"y": x * k, "k": str(k)} if pair is None else (x * pair[0], pair)

    return f


def test_constants_may_be_given_or_left_out(scaled):
    x = ag.constant([1.0, 2.0])
    concrete = scaled.get_concrete_function(ag.TensorSpec([None], F32), 3)
    assert isinstance(concrete, ag.types.ConcreteFunction)
    for result in (
        concrete(x),
        concrete(x, 3),
        concrete(x=x),
        concrete(x, k=3),
        concrete(k=3, x=x, pair=None),
        concrete([1.0, 2.0]),
        concrete(np.float32([1, 2])),
    ):
        np.testing.assert_array_equal(result["y"], [3.0, 6.0])
        assert result["k"] == "3"


def test_structures_can_be_given_flat(scaled):
    spec = ag.TensorSpec([], F32)
    concrete = scaled.get_concrete_function(spec, pair=(spec, {"a": spec}))
    one, two = ag.constant(1.0), ag.constant(2.0)
    for result in (concrete(two, pair=(two, {"a": one})), concrete(two, two, one)):
        assert float(result[0]) == 4.0
        assert float(result[1][1]["a"]) == 1.0


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda f, x: f(), "missing a required argument: 'x'"),
        (lambda f, x: f(x, 4), "'k' is the constant 3, got 4"),
        (lambda f, x: f(x, 3.0), "'k' is the constant 3, got 3.0"),
        (lambda f, x: f(x, other=1), "unexpected keyword argument 'other'"),
        (lambda f, x: f(x, x, x), "too many positional"),
        (lambda f, x: f(ag.ones([2, 2])), "'x' must be compatible"),
        (lambda f, x: f(ag.constant([1])), "'x' must be compatible"),
        (lambda f, x: f([1.0, 2.0 + 1j]), "'x' must be compatible"),
        (lambda f, x: f("text"), "'x' must be a tensor"),
        (lambda f, x: f((x, x)), "'x' must be compatible"),
    ],
)
def test_arguments_of_other_types_are_refused(scaled, call, message):
    concrete = scaled.get_concrete_function(ag.TensorSpec([None], F32), 3)
    with pytest.raises(TypeError, match=message) as info:
        call(concrete, ag.ones([2]))
    assert "f takes (x: TensorSpec(shape=(None,)" in str(info.value)
    assert f"{__file__}:" in str(info.value)


def test_objects_and_structures_must_be_those_of_the_trace():
    class Config:
        by = 2.0

    config = Config()
    f = ag.function(lambda x, c: x["a"] * c.by)
    concrete = f.get_concrete_function({"a": ag.TensorSpec([], F32)}, config)
    one = ag.constant(1.0)
    assert float(concrete({"a": one}, config)) == float(concrete({"a": one})) == 2.0
    with pytest.raises(TypeError, match="'c' must be the object"):
        concrete({"a": one}, Config())
    with pytest.raises(TypeError, match="'x' must have the structure"):
        concrete({"b": one})


def test_numbers_of_jit_keep_their_kind():
    concrete = ag.jit(lambda x, n: x * n).get_concrete_function(2.0, 3)
    assert concrete(1.5, 2) == 3.0
    assert concrete(np.float64(1.5), n=2) == 3.0
    with pytest.raises(TypeError, match=r"'n' must be a number of int64, got 2\.5"):
        concrete(1.5, 2.5)


def test_a_function_with_one_trace_needs_no_arguments():
    f = ag.function(lambda x: x + 1)
    concrete = f.get_concrete_function(ag.TensorSpec([], F32))
    assert f.get_concrete_function() is concrete
    with_default = ag.function(lambda x=1: x)
    with_default(2)
    assert int(with_default.get_concrete_function()()) == 1
    g = ag.function(lambda: ag.constant(1) + 1)
    assert int(g.get_concrete_function()()) == 2
    h = ag.function(lambda x: x, input_signature=[ag.TensorSpec([None], F32)])
    np.testing.assert_array_equal(h.get_concrete_function()(ag.ones([2])), [1, 1])


# --- types -----------------------------------------------------------------------------------


def test_the_signature_is_that_of_the_function(scaled):
    spec = ag.TensorSpec([2], F32, name="x")
    concrete = scaled.get_concrete_function(ag.TensorSpec([2], F32), 3)
    assert concrete.structured_input_signature == ((spec, 3), {"pair": None})
    assert concrete.structured_outputs == {"y": ag.TensorSpec([2], F32), "k": "3"}
    kind = concrete.function_type
    assert isinstance(kind, ag.types.FunctionType)
    assert list(kind.parameters) == ["x", "k", "pair"]
    assert kind.parameters["x"].annotation == spec
    assert kind.output == concrete.structured_outputs
    assert "k: 3" in str(kind)
    assert "x: float32 Tensor, shape=(2,)" in repr(concrete)


def test_pretty_printed_signatures_list_every_trace():
    @ag.function
    def f(x, *rest, k=1, **options):
        return [x, options["o"]]

    one = ag.constant(1.0)
    f(one, one, o=one)
    f(ag.ones([2, 0]), k=2, o=(1,))
    assert f.pretty_printed_concrete_signatures().split("\n") == [
        "f(x, *rest, k, **options)",
        "  Args:",
        "    x: float32 Tensor, shape=()",
        "    rest: (<float32 Tensor, shape=()>,)",
        "    k: 1",
        "    options: dict(o: <float32 Tensor, shape=()>)",
        "  Returns:",
        "    [<float32 Tensor, shape=()>, <float32 Tensor, shape=()>]",
        "",
        "f(x, *rest, k, **options)",
        "  Args:",
        "    x: float32 Tensor, shape=(2, 0)",
        "    rest: ()",
        "    k: 2",
        "    options: dict(o: <(<1>,)>)",
        "  Returns:",
        "    [<float32 Tensor, shape=(2, 0)>, <(<int64 Tensor, shape=()>,)>]",
    ]


def test_results_that_only_the_run_time_shapes():
    @ag.jit
    def f(n):
        found = []
        for i in range(n):
            found.append(i)
        return found, ag.range(n) * 1.5

    outputs = f.get_concrete_function(3).structured_outputs
    assert isinstance(outputs[0], str)
    assert outputs[1] == ag.TensorSpec([None], ag.float64)


# --- graphs ------------------------------------------------------------------------------------


def test_a_graph_shows_what_was_recorded():
    table = np.arange(20.0)

    @ag.function
    def f(x, n):
        y = x * table
        if n > 0:
            y = y + 1.0
        return y, n

    concrete = f.get_concrete_function(ag.TensorSpec([20], ag.float64), ag.TensorSpec([], ag.int32))
    graph = concrete.graph
    assert isinstance(graph, ag.Graph)
    assert concrete.graph is graph
    assert (concrete.inputs, concrete.outputs) == (graph.inputs, graph.outputs)
    assert (graph.name, graph.finalized, graph.building_function) == ("f", True, True)
    assert [t.name for t in graph.inputs] == ["x:0", "n:0", "captured0:0"]
    assert [(t.shape, t.dtype) for t in graph.inputs] == [
        ((20,), ag.float64),
        ((), ag.int32),
        ((20,), ag.float64),
    ]
    ((outer, inner),) = graph.captures
    np.testing.assert_array_equal(outer, table)
    assert inner is graph.inputs[2]
    assert [t.shape for t in graph.outputs] == [(20,), ()]
    assert graph.outputs[1] is graph.inputs[1]
    assert graph.structured_outputs[0] == ag.TensorSpec([20], ag.float64)
    assert graph.as_text() == str(graph)
    assert "func.func @f" in graph.as_text()
    assert str(graph.module.operation.name) == "builtin.module"


def test_operations_of_a_graph():
    f = ag.jit(lambda x, y: x * y if x > y else x * y * y)
    graph = f.get_concrete_function(1.0, 2.0).graph
    names = [operation.name for operation in graph.get_operations()]
    assert len(set(names)) == len(names)
    assert graph.operations == tuple(graph.get_operations())
    product = graph.get_operation_by_name("arith.mulf")
    assert product.type == "arith.mulf"
    assert [t.name for t in product.inputs] == ["x:0", "y:0"]
    (result,) = product.outputs
    assert (result.op, result.graph) == (product, graph)
    assert graph.get_tensor_by_name("arith.mulf:0") is result
    assert graph.get_tensor_by_name("y:0") is graph.inputs[1]
    assert __file__ in product.location
    assert "arith.mulf" in str(product)
    assert "predicate" in graph.get_operation_by_name("arith.cmpf").attributes
    with pytest.raises(KeyError, match="no operation 'nothing'"):
        graph.get_operation_by_name("nothing")
    with pytest.raises(KeyError, match="no tensor 'nothing:0'"):
        graph.get_tensor_by_name("nothing:0")


def test_arguments_of_loop_bodies_are_tensors_too():
    @ag.jit
    def f(n):
        total = 0
        while n > total:
            total += 2
        return total

    graph = f.get_concrete_function(5).graph
    inputs = [t for operation in graph.operations for t in operation.inputs]
    assert any(t.name.startswith("argument") for t in inputs)
    assert all(t.dtype in (ag.int64, ag.bool_) for t in inputs)


def test_captured_inputs_are_the_tensors_of_outside():
    small, large, folded = ag.constant([1.0, 2.0]), ag.ones([40]), ag.constant(3.0)
    made = []

    @ag.function
    def f(x):
        own = ag.constant([5.0, 6.0])
        made.append(own)
        return x * small + ag.reduce_sum(large) + own + (folded + 1.0)

    concrete = f.get_concrete_function(ag.TensorSpec([2], F32))
    captured = concrete.captured_inputs
    assert [c for c in captured if c is large] == [large]
    assert [c for c in captured if c is small] == [small]
    assert [c for c in captured if c is folded] == [folded]
    assert len(captured) == 3
    assert len(concrete.function_type.captures) == 3
    np.testing.assert_array_equal(concrete(ag.ones([2])), [50.0, 52.0])


def test_the_inference_function_is_flat():
    f = ag.function(lambda pair, k: {"s": pair[0] + pair[1], "k": str(k), "p": pair[0]})
    spec = ag.TensorSpec([], F32)
    inference = f.get_concrete_function((spec, spec), 7).inference_fn
    assert [float(v) for v in inference(ag.constant(1.0), 2.0)] == [3.0, 1.0]
    assert inference.name == "lambda_"
    assert isinstance(inference.graph, ag.Graph)
    assert "k: 7" in str(inference.function_type)
    with pytest.raises(TypeError, match="takes 2 tensors, got 1"):
        inference(1.0)


def test_a_concrete_function_in_a_trace_becomes_part_of_it():
    inner = ag.function(lambda x, k: x * k if x > 0 else x).get_concrete_function(
        ag.TensorSpec([], F32), 3
    )

    @ag.function
    def outer(x):
        return inner(x) + 1

    assert (float(outer(ag.constant(2.0))), float(outer(ag.constant(-2.0)))) == (7.0, -1.0)
    with pytest.raises(TypeError, match="'x' must be compatible") as info:
        outer(ag.constant(1))
    assert "return inner(x) + 1" in str(info.value)


@pytest.mark.parametrize("convention", [ag.function, ag.jit])
def test_the_order_of_keys_does_not_matter_to_a_concrete_function(convention):
    spec = ag.TensorSpec([], ag.int32)
    f = convention(lambda d, **k: d["a"] - d["b"] + 10 * (k["x"] - k["y"]))
    concrete = f.get_concrete_function({"a": spec, "b": spec}, x=spec, y=spec)
    assert int(concrete({"b": 1, "a": 3}, y=2, x=5)) == 32
    with pytest.raises(TypeError, match=r"must have the structure of \{'a': <tensor>, 'b': <te"):
        concrete({"a": 1}, x=1, y=2)


def test_variables_of_a_concrete_function():
    v, w = ag.Variable(1.0, name="v"), ag.Variable(2.0, name="w", trainable=False)
    concrete = ag.function(lambda x: v * x + w).get_concrete_function(1.0)
    assert [each.name for each in concrete.variables] == ["v:0", "w:0"]
    assert [each.name for each in concrete.trainable_variables] == ["v:0"]


def test_one_signature_is_printed_for_people():
    @ag.function
    def power(a, b):
        return a**b

    concrete = power.get_concrete_function(ag.TensorSpec([2], ag.float32), b=2)
    assert concrete.pretty_printed_signature().split("\n") == [
        "power(a, b)",
        "  Args:",
        "    a: float32 Tensor, shape=(2,)",
        "    b: 2",
        "  Returns:",
        "    float32 Tensor, shape=(2,)",
    ]
    assert repr(concrete) == f"<agir.ConcreteFunction {concrete.pretty_printed_signature()}>"
    in_a_line = concrete.pretty_printed_signature(verbose=False)
    assert in_a_line.startswith("power(a: TensorSpec(")
    assert "\n" not in in_a_line


def test_what_a_function_of_any_rank_returns_is_known_once_it_has_been_called():
    f = ag.function(lambda x: x + 1)
    concrete = f.get_concrete_function(ag.TensorSpec(None, ag.float32))
    assert concrete.pretty_printed_signature().endswith("Returns:\n    known after the first call")
    concrete(ag.ones([2, 3]))
    assert concrete.pretty_printed_signature().endswith(
        "Returns:\n    float32 Tensor, shape=(?, ?)"
    )


def test_a_table_of_known_numbers_is_one_argument_however_often_it_is_looked_up():
    @ag.jit
    def f(k, n):
        rows = [[i * j % 7 for j in range(30)] for i in range(3)]
        total = 0
        for i in range(n):
            if i % 2:
                total += rows[k][i] - rows[k][i + 1]
            total += rows[(k + i) % 3][i]
        return total

    def plain(k, n):
        return f.python_function(k, n)

    assert [f(k, 20) for k in range(3)] == [plain(k, 20) for k in range(3)]
    assert len(f.get_concrete_function(1, 20).captured_inputs) == 3


@pytest.mark.parametrize(
    ("expression", "told"),
    [
        ("text", "'a str'"),
        ("text.encode()", "'a bytes'"),
        ("(text, items)", "('a str', 'a list of a tensor of int64[]')"),
        ("table", "'a dict of a tensor of int64[] to a str'"),
        ("members", "'a set of a tensor of int64[]'"),
        ("table.keys()", "'a dict_keys'"),
        ("None if n else text", "'None or a str'"),
    ],
)
def test_what_is_told_of_data_that_is_returned(expression, told, tmp_path):
    path = tmp_path / "program.py"
    path.write_text(
        "def f(n):\n"
        "    text, items, table, members = '', [], {}, set()\n"
        "    for i in range(n):\n"
        "        text += chr(97 + i)\n"
        "        items.append(i)\n"
        "        table[i] = text\n"
        "        members.add(i)\n"
        f"    return {expression}\n"
    )
    names: dict[str, object] = {}
    exec(compile(path.read_text(), str(path), "exec"), names)
    concrete = ag.jit(names["f"]).get_concrete_function(3)
    assert repr(concrete.structured_outputs) == told
    assert "agir.ir" not in repr(concrete)
