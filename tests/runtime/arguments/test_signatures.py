"""Signatures: what of the arguments a trace depends on, and what is refused."""

from __future__ import annotations

import collections
import dataclasses
import functools
import gc
import warnings

import numpy as np
import pytest

import agir as ag

from ..ways import note

# The symbols that functions are traced with are kept on purpose.
pytestmark = pytest.mark.filterwarnings("ignore:the list gets a run-time value")


def traced(function=None, **options):
    """A decorated function with the list of what it was traced with."""
    seen = []

    @ag.function(**options)
    @functools.wraps(function)
    def f(*args, **kwargs):
        note(seen, (args, kwargs))
        return function(*args, **kwargs)

    return f, seen


Point = collections.namedtuple("Point", "x y")


@dataclasses.dataclass
class Options:
    scale: object
    name: str


# --- input signatures -------------------------------------------------------------------


def unranked(jit_compile):
    traces = []

    @ag.function(input_signature=[ag.TensorSpec(None, ag.float32)], jit_compile=jit_compile)
    def f(x):
        note(traces, x.shape)
        return x + 1

    return f, traces


@pytest.mark.parametrize("jit_compile", [None, False])
def test_a_spec_of_unknown_rank_is_one_concrete_function_with_a_trace_for_each_rank(jit_compile):
    f, traces = unranked(jit_compile)
    values = [ag.constant(1.0), ag.ones([2]), ag.ones([3]), ag.ones([2, 0]), ag.ones([1, 2, 1])]
    concrete = f.get_concrete_function()
    for value in values:
        assert f.get_concrete_function(value) is concrete
        np.testing.assert_array_equal(f(value), value.numpy() + 1)
        np.testing.assert_array_equal(concrete(value), value.numpy() + 1)
    assert traces == [(), (None,), (None, None), (None, None, None)]
    assert "tensor<?x?x?xf32>" in str(concrete.graph)
    with pytest.raises(TypeError, match="must be compatible") as info:
        f(ag.constant([1, 2]))
    assert "f(ag.constant([1, 2]))" in str(info.value)


def test_a_spec_of_unknown_rank_among_others_and_without_an_input_signature():
    @ag.function
    def f(x, y, k):
        return ag.reduce_sum(x) * k + y

    spec = ag.TensorSpec(None, ag.float64)
    concrete = f.get_concrete_function(spec, ag.TensorSpec([2], ag.float64), 3)
    np.testing.assert_array_equal(concrete(np.ones(4), np.zeros(2)), [12.0, 12.0])
    np.testing.assert_array_equal(f(np.ones((2, 2)), np.zeros(2), 3), [12.0, 12.0])
    assert f.get_concrete_function(np.ones((2, 2)), np.zeros(2), 3) is concrete
    assert f.get_concrete_function(np.ones((2, 2)), np.zeros(2), 4) is not concrete


def test_a_graph_of_unknown_rank_needs_a_call_first():
    f, _ = unranked(None)
    concrete = f.get_concrete_function()
    assert concrete.structured_outputs is None
    assert concrete.captured_inputs == []
    for name in ("graph", "compilation"):
        with pytest.raises(ValueError, match="before its first call") as info:
            getattr(concrete, name)
        assert "getattr(concrete, name)" in str(info.value)
    with pytest.raises(ValueError, match="before its first call"):
        f.experimental_get_compiler_ir()
    assert "tensor<?xf32>" in f.experimental_get_compiler_ir(ag.ones([2]))("hlo")
    assert "tensor<?xf32>" in f.experimental_get_compiler_ir()("hlo")
    with pytest.raises(ValueError, match="rank of a TensorSpec is open") as info:
        f.experimental_get_compiler_ir(ag.TensorSpec(None, ag.float32))
    assert "f.experimental_get_compiler_ir(ag.TensorSpec" in str(info.value)


def test_an_input_signature_covers_structures_methods_and_defaults():
    spec = ag.TensorSpec([None], ag.float32)

    class Model:
        @ag.function(input_signature=[{"a": spec, "b": (spec, spec)}])
        def run(self, x, k=2):
            return x["a"] + x["b"][0] * x["b"][1] * k

    one = ag.ones([2])
    run = Model().run
    np.testing.assert_array_equal(run({"b": (one, one), "a": one}), [3.0, 3.0])
    np.testing.assert_array_equal(run({"a": one, "b": (one, one)}), [3.0, 3.0])
    np.testing.assert_array_equal(run({"a": one, "b": (one, one)}, 3), [4.0, 4.0])
    np.testing.assert_array_equal(run({"a": [1.0, 1.0], "b": ([1, 2], one)}), [3.0, 5.0])
    with pytest.raises(TypeError, match="structure of the input signature") as info:
        run({"a": one, "b": [one, one]})
    assert 'run({"a": one, "b": [one, one]})' in str(info.value)


def test_an_input_signature_leaves_the_instance_out_whatever_it_is_called():
    spec = ag.TensorSpec([None], ag.float32)

    class Model:
        @ag.function(input_signature=[spec])
        def twice(this, x):
            return x * 2

        @staticmethod
        @ag.function(input_signature=[spec])
        def thrice(x):
            return x * 3

        @classmethod
        @ag.function(input_signature=[spec])
        def four_times(cls, x):
            return x * 4

    model = Model()
    assert model.twice([1.0]).numpy() == Model.twice(model, [1]).numpy() == [2.0]
    assert model.thrice([1.0]).numpy() == Model.thrice([1]).numpy() == [3.0]
    assert model.four_times([1.0]).numpy() == Model.four_times([1]).numpy() == [4.0]
    with pytest.raises(TypeError, match="no spec for 'y' of f"):

        class Wrong:
            @ag.function(input_signature=[spec])
            def f(this, x, y):
                return x


def test_an_input_signature_covers_variable_arguments():
    spec = ag.TensorSpec([], ag.float32)
    f = ag.function(lambda x, *rest: x + rest[0] * rest[1], input_signature=[spec] * 3)
    assert float(f(1, 2.0, 3)) == 7.0
    with pytest.raises(TypeError, match=r"\*rest takes 2 arguments, got 1"):
        f(1.0, 2.0)


@pytest.mark.parametrize(
    ("value", "dtype"), [(1.5, ag.int32), (1j, ag.float32), (2, ag.bool_), ([1, 2.5], ag.int64)]
)
def test_python_values_become_the_specified_tensor_only_without_loss(value, dtype):
    shape = [] if np.ndim(value) == 0 else [None]
    f = ag.function(lambda x: x, input_signature=[ag.TensorSpec(shape, dtype)])
    with pytest.raises(TypeError, match="must be compatible") as info:
        f(value)
    assert "f(value)" in str(info.value)


def test_a_number_too_large_for_the_specified_dtype_is_refused():
    f = ag.function(lambda x: x, input_signature=[ag.TensorSpec([], ag.int8)])
    assert int(f(100)) == 100
    with pytest.raises(TypeError, match="must be compatible"):
        f(300)


@pytest.mark.parametrize(
    ("signature", "message"),
    [
        ([ag.TensorSpec([])] * 3, "has 3 specs, and f takes 2 arguments"),
        ([ag.TensorSpec([])], "no spec for 'y' of f"),
        ([1, 2], "takes TensorSpecs"),
        (ag.TensorSpec([]), "a list or tuple"),
    ],
)
def test_a_signature_that_does_not_fit_is_refused_when_decorating(signature, message):
    def f(x, y):
        return x

    with pytest.raises(TypeError, match=message) as info:
        ag.function(f, input_signature=signature)
    assert "ag.function(f, input_signature=signature)" in str(info.value)


# --- what keys a trace -------------------------------------------------------------------


def test_what_python_values_a_trace_is_shared_by():
    f, seen = traced(lambda x, k: x)
    x = ag.ones([2])
    given = (1, 1, True, 1.0, 0.0, -0.0, 0.0, "a", "a", None, (1, 2), (1, 2), [1, 2], b"a", 1j)
    with ag.config.scope(retrace_warning=0):
        for k in given:
            f(x, k)
    assert [args[1] for args, _ in seen] == [
        1, True, 1.0, 0.0, -0.0, "a", None, (1, 2), [1, 2], b"a", 1j,
    ]  # fmt: skip


def test_static_structures_are_constants_through_and_through():
    seen = []

    @ag.jit(static="options")
    def f(x, options):
        note(seen, options)
        return x * options["k"][0]

    for k in (2, 2, 3):
        assert f(1.5, {"k": [k]}) == 1.5 * k
    assert f(np.ones(1), options={"k": [2]}) == 2.0
    assert seen == [{"k": [2]}, {"k": [3]}, {"k": [2]}]


def test_sets_are_taken_by_what_is_in_them():
    f, seen = traced(lambda x, s: x)
    changing = {1, 2}
    for s in ({1, 2}, {2, 1}, frozenset((1, 2)), changing, changing | {3}, {1.0, 2}):
        f(ag.constant(1.0), s)
    assert [args[1] for args, _ in seen] == [{1, 2}, frozenset((1, 2)), {1, 2, 3}, {1.0, 2}]


def test_nan_is_one_constant():
    f, seen = traced(lambda x, k: x * k)
    for _ in range(3):
        assert np.isnan(f(ag.constant(1.0), float("nan")))
    assert len(seen) == 1


@pytest.mark.parametrize(
    "make",
    [
        lambda v: [v, (v, {"k": v})],
        lambda v: Point(v, 2),
        lambda v: Options(v, "n"),
        lambda v: collections.OrderedDict(b=v, a=1),
    ],
)
def test_structures_of_tensors_share_a_trace(make):
    f, seen = traced(lambda s: s)
    for value in (1.0, 2.0):
        given = make(ag.constant(value))
        assert type(f(given)) is type(given)
    assert len(seen) == 1
    f(make(ag.constant(1)))
    assert len(seen) == 2


def test_keywords_defaults_and_positions_are_one_call():
    traces = []

    @ag.function
    def f(x, k=2, *, scale=1.0, **rest):
        note(traces, k)
        return x * k * scale + rest.get("c", 0)

    x = ag.constant(3.0)
    assert {float(v) for v in (f(x), f(x, 2), f(x=x, k=2), f(k=2, x=x, scale=1.0))} == {6.0}
    assert len(traces) == 1
    assert float(f(x, c=x)) == float(f(x, c=ag.constant(3.0))) == 9.0
    assert len(traces) == 2


def test_an_argument_too_many_names_the_users_line():
    f = ag.function(lambda x: x)
    with pytest.raises(TypeError, match=r"<lambda>\(\): too many positional") as info:
        f(1, 2)
    assert "f(1, 2)" in str(info.value)


@pytest.mark.parametrize("spec", [ag.TensorSpec([2]), ag.TensorSpec([])])
def test_a_call_needs_values(spec):
    f = ag.function(lambda x: x[0])
    with pytest.raises(TypeError, match="a value is needed for 'x'") as info:
        f([spec])
    assert "f([spec])" in str(info.value)


def test_arguments_that_cannot_be_keys_are_refused():
    f = ag.function(lambda x: x)
    endless = []
    endless.append(endless)
    with pytest.raises(TypeError, match="contains itself") as info:
        f(endless)
    assert "f(endless)" in str(info.value)

    class Slotted:
        __slots__ = ()
        __hash__ = None

    with pytest.raises(TypeError, match="neither hashed nor referred to weakly") as info:
        f(Slotted())
    assert "f(Slotted())" in str(info.value)
    with pytest.raises(TypeError, match="argument 'x': arrays of dtype object") as info:
        f(np.array([None]))
    assert "f(np.array([None]))" in str(info.value)


# --- type hints ---------------------------------------------------------------------------


def hinted(function):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        return ag.function(function, experimental_follow_type_hints=True)


def test_values_annotated_as_tensors_become_tensors():
    traces = []

    @hinted
    def f(
        x: ag.Tensor, *more: ag.Tensor, k: int = 1, y: ag.Tensor | None = None, **rest: ag.Tensor
    ):
        note(traces, 1)
        total = x * k + sum(more)
        return total if y is None else total + y + rest["z"]

    assert (int(f(1)), int(f(2)), int(f(3, k=1))) == (1, 2, 3)
    assert len(traces) == 1
    assert (int(f(1, 10)), int(f(2, 20)), int(f(2, np.int32(20)))) == (11, 22, 22)
    assert len(traces) == 2
    assert (int(f(1, y=2, z=3)), int(f(1, y=3, z=4))) == (6, 8)
    assert len(traces) == 3
    assert (int(f(1, k=2)), int(f(1, k=3))) == (2, 3)
    assert len(traces) == 5
    np.testing.assert_array_equal(f([1, 2]), [1, 2])
    with pytest.raises(TypeError, match="'x' is annotated as a tensor") as info:
        f("text")
    assert 'f("text")' in str(info.value)


def test_only_tensors_count_as_hints():
    traces = []

    @hinted
    def f(x: list[ag.Tensor], k: int):
        note(traces, k)
        return x[0] * k

    f([ag.constant(1.0)], 1)
    f([ag.constant(1.0)], 2)
    assert traces == [1, 2]


# --- the tracing protocol -----------------------------------------------------------------


class Kind(ag.types.TraceType):
    """The type of a :class:`Fruit`: its class."""

    def __init__(self, kind):
        self.kind = kind

    def is_subtype_of(self, other):
        return isinstance(other, Kind) and issubclass(self.kind, other.kind)

    def most_specific_common_supertype(self, others):
        for kind in self.kind.__mro__[:-1]:
            if all(issubclass(each.kind, kind) for each in others):
                return Kind(kind)
        return None

    def placeholder_value(self, placeholder_context):
        assert placeholder_context.name == "fruit"
        return self.kind()

    def __eq__(self, other):
        return isinstance(other, Kind) and self.kind is other.kind

    def __hash__(self):
        return hash(self.kind)

    def __repr__(self):
        return self.kind.__name__


class Fruit:
    flavor = 1

    def __ag_tracing_type__(self, context):
        assert isinstance(context, ag.types.TracingContext)
        return Kind(type(self))


class Apple(Fruit):
    flavor = 2


class Pear(Fruit):
    flavor = 3


def test_values_say_their_own_type():
    f, seen = traced(lambda x, fruit: x * fruit.flavor)
    x = ag.constant(1.0)
    assert (float(f(x, Apple())), float(f(x, Apple())), float(f(x, Pear()))) == (2.0, 2.0, 3.0)
    assert len(seen) == 2
    assert isinstance(Apple(), ag.types.SupportsTracing)
    assert f.get_concrete_function(x, Kind(Pear)) is f.get_concrete_function(x, Pear())


def test_a_subtype_uses_the_trace_of_its_supertype():
    f, seen = traced(lambda x, fruit: x * fruit.flavor)
    x = ag.constant(1.0)
    f(x, Fruit())
    assert float(f(x, Apple())) == 1.0
    assert len(seen) == 1


def test_reduce_retracing_asks_for_a_common_supertype():
    f, seen = traced(lambda x, fruit: x * fruit.flavor, reduce_retracing=True)
    x = ag.constant(1.0)
    for fruit in (Apple(), Pear(), Apple(), Fruit(), Pear()):
        f(x, fruit)
    assert [type(args[1]) for args, _ in seen] == [Apple, Fruit]


class Ragged:
    """Two tensors and a tag."""

    def __init__(self, values, rows, tag="t"):
        self.values, self.rows, self.tag = values, rows, tag

    def __ag_tracing_type__(self, context):
        return RaggedType(
            ag.TensorSpec([None], self.values.dtype), ag.TensorSpec.from_tensor(self.rows), self.tag
        )


class RaggedType(Kind):
    def __init__(self, *parts):
        self.parts = parts

    def is_subtype_of(self, other):
        return self == other

    def most_specific_common_supertype(self, others):
        return None

    def flatten(self):
        return self.parts[:2]

    def to_tensors(self, value):
        return (value.values, value.rows)

    def from_tensors(self, tensors):
        return Ragged(next(tensors), next(tensors), self.parts[2])

    def __eq__(self, other):
        return isinstance(other, RaggedType) and self.parts == other.parts

    def __hash__(self):
        return hash(self.parts)

    def __repr__(self):
        return f"Ragged[{self.parts[2]}]"


@pytest.mark.parametrize("convention", [ag.function, ag.jit])
@pytest.mark.parametrize("jit_compile", [None, False])
def test_values_that_consist_of_tensors(convention, jit_compile):
    traces = []

    @convention(jit_compile=jit_compile)
    def f(r, k):
        note(traces, r.tag)
        return ag.reduce_sum(r.values) * k + r.rows[0]

    rows = ag.constant([2.0, 3.0])
    assert float(f(Ragged(ag.ones([4]), rows), 2)) == 10.0
    assert float(f(Ragged(ag.ones([7]), rows), 2)) == 16.0
    assert traces == ["t"]
    assert float(f(Ragged(ag.ones([7]), rows, "u"), 2)) == 16.0
    assert traces == ["t", "u"]
    assert "argument 'r' has another type, Ragged[u] and not Ragged[t]" in f.explain_retracing()


def test_what_a_users_type_makes_is_not_asked_for_at_calls():
    """It dies with the trace: whether its numbers are still those is the type's affair."""
    seen = []

    @ag.jit
    def f(r):
        note(seen, r.tag)
        return r.values * r.tag

    for size, tag in ((2, 3), (4, 3), (2, 5), (2, 3)):
        found = f(Ragged(ag.ones([size]), ag.ones([1]), tag))
        gc.collect()
        assert found.tolist() == [float(tag)] * size
    assert seen == [3, 5]


def test_a_concrete_function_takes_values_of_the_users_type():
    f = ag.function(lambda r, k: ag.reduce_sum(r.values) * k)
    given = Ragged(ag.ones([2]), ag.ones([1]))
    concrete = f.get_concrete_function(given, 3)
    assert float(concrete(given)) == float(concrete(given, 3)) == 6.0
    assert repr(concrete.structured_input_signature) == "((Ragged[t], 3), {})"
    with pytest.raises(TypeError, match="'r' must be of type") as info:
        concrete(Ragged(ag.ones([2]), ag.ones([1]), "other"))
    assert "concrete(Ragged(" in str(info.value)


def test_wrong_answers_of_the_protocol_are_refused():
    class Bad:
        def __init__(self, kind):
            self.kind = kind

        def __ag_tracing_type__(self, context):
            return self.kind

    f = ag.function(lambda x: 1)
    with pytest.raises(TypeError, match=r"must give an ag\.types\.TraceType, not 3") as info:
        f(Bad(3))
    assert "f(Bad(3))" in str(info.value)

    class Short(RaggedType):
        def to_tensors(self, value):
            return ()

    spec = ag.TensorSpec([], ag.float32)
    with pytest.raises(TypeError, match="2 tensors, and to_tensors gives 0"):
        f(Bad(Short(spec, spec, "t")))


@pytest.mark.parametrize("convention", [ag.function, ag.jit])
def test_text_of_numpy_is_a_constant_like_pythons(convention):
    f = convention(lambda x, how: x if how == "a" else x * 2)
    assert [int(f(ag.constant(3), np.str_(how))) for how in "aba"] == [3, 6, 3]
    assert f.experimental_get_tracing_count() == 2
