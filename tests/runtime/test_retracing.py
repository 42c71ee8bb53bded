"""Retracing: what generalises, what is explained and warned of, what is kept and for how long."""

from __future__ import annotations

import gc
import warnings
import weakref

import numpy as np
import pytest

import agir as ag

from .ways import note


def counted(function, convention=ag.function, **options):
    shapes = []

    @convention(**options)
    def f(x):
        note(shapes, tuple(None if isinstance(n, ag.Tensor) else n for n in x.shape))
        return function(x)

    return f, shapes


@pytest.mark.parametrize("convention", [ag.function, ag.jit])
@pytest.mark.parametrize("jit_compile", [None, False])
def test_reduce_retracing_opens_the_dimensions_that_vary(convention, jit_compile):
    f, shapes = counted(
        lambda x: x * 2 + x[:, :1], convention, reduce_retracing=True, jit_compile=jit_compile
    )
    for rows in (2, 3, 4, 0, 1):
        x = np.ones((rows, 3))
        np.testing.assert_array_equal(f(x), x * 3)
    assert shapes == [(2, 3), (None, 3)]
    np.testing.assert_array_equal(f(np.ones((2, 5))), np.full((2, 5), 3.0))
    np.testing.assert_array_equal(f(np.ones((7, 1))), np.full((7, 1), 3.0))
    assert shapes == [(2, 3), (None, 3), (2, None), (None, None)] or shapes[2:] == [(None, None)]


def test_a_general_trace_is_explained_as_such():
    f, _ = counted(lambda x: x, reduce_retracing=True)
    f(np.ones(2))
    f(np.ones(3))
    line = f.explain_retracing().splitlines()[2]
    assert "for (x: float64[?]): argument 'x' has another shape, (3,) and not (2,)" in line


def test_containers_of_another_kind_and_empty_ones_are_explained():
    @ag.function
    def f(x, **rest):
        return 1

    for value in ((1, 2), [1, 2], {}, [], {"a": [2]}, {"a": (2,)}):
        f(value)
    f({"a": (2,)}, k=1)
    said = f.explain_retracing()
    assert "argument 'x' has another structure, list and not tuple" in said
    assert "argument 'x' has another structure, empty list and not empty dict" in said
    assert "argument \"x['a']\" has another structure, tuple and not list" in said
    assert "trace 7, for (x['a'][0]: 2, rest['k']: 1): argument 'rest' has" in said
    assert "is not kept" not in said


def test_what_could_not_be_traced_is_no_trace():
    @ag.function
    def f(x):
        raise ValueError("no")

    for _ in range(10):
        with pytest.raises(ValueError, match="no"):
            f(1)
    assert f.experimental_get_tracing_count() == 0


def test_reduce_retracing_keeps_ranks_and_dtypes_apart():
    f, shapes = counted(lambda x: x + 1, reduce_retracing=True)
    for x in (np.ones(1), np.ones(2), np.ones((1, 1)), np.ones(3, np.int32), np.ones((2, 1))):
        np.testing.assert_array_equal(f(x), x + 1)
    assert shapes == [(1,), (None,), (1, 1), (3,), (None, 1)]


def test_relax_shapes_is_the_former_name():
    with pytest.warns(DeprecationWarning, match="reduce_retracing"):
        f, shapes = counted(lambda x: x + 1, experimental_relax_shapes=True)
    for n in range(1, 6):
        f(np.ones(n))
    assert shapes == [(1,), (None,)]


def test_without_reduce_retracing_each_shape_has_a_trace():
    f, shapes = counted(lambda x: x + 1)
    for n in range(1, 5):
        f(np.ones(n))
    assert shapes == [(1,), (2,), (3,), (4,)]


def test_a_trace_for_a_spec_serves_the_calls_that_fit_it():
    f, shapes = counted(lambda x: x + 1)
    concrete = f.get_concrete_function(ag.TensorSpec([None, 2], ag.float64))
    assert f.get_concrete_function(np.ones((3, 2))) is concrete
    f(np.ones((4, 2)))
    assert shapes == [(None, 2)]
    wider = f.get_concrete_function(ag.TensorSpec([None, None], ag.float64))
    assert f.get_concrete_function(np.ones((9, 2))) is concrete  # the more specific one
    assert f.get_concrete_function(np.ones((9, 3))) is wider


# --- explanations --------------------------------------------------------------------------


def test_every_trace_is_explained():
    @ag.function
    def f(x, k, options=None):
        return x

    assert f.explain_retracing() == "f has not been traced yet"
    f(np.ones(2), 1)
    f(np.ones(3), 1)
    f(np.ones(3), 2)
    f(np.ones(3, np.int32), 2)
    f(np.ones(3), 2, options={"a": [1]})
    f(np.ones(3), 2, options={"a": [2]})
    assert f.experimental_get_tracing_count() == 6
    first, *lines = f.explain_retracing().splitlines()
    assert first == "f has been traced 6 times"
    for line, wanted in zip(
        lines,
        (
            "trace 1, for (x: float64[2], k: 1, options: None): the first call",
            "argument 'x' has another shape, (3,) and not (2,)",
            "argument 'k' has another value, 2 and not 1",
            "argument 'x' has another dtype, int32[3] and not float64[3]",
            "argument 'options' has another structure, {options['a'][0]} and not {options}",
            "argument \"options['a'][0]\" has another value, 2 and not 1",
        ),
        strict=True,
    ):
        assert wanted in line


def test_the_log_says_why(caplog):
    f = ag.jit(lambda x: x + 1)
    with caplog.at_level("INFO", "agir.retrace"):
        f(1.0)
        f(1)
        f(2)
    said = [record.getMessage() for record in caplog.records]
    assert said == [
        "<lambda>: trace 1, for (x: float64[]): the first call",
        "<lambda>: trace 2, for (x: int64[]): "
        "argument 'x' has another dtype, int64[] and not float64[]",
    ]


def test_a_warning_names_the_argument_and_its_values_once():
    @ag.function
    def f(x, step):
        return x * step

    x = ag.constant(1.0)
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        for step in range(12):
            f(x, step)
    (warning,) = seen
    assert warning.category is ag.errors.RetraceWarning
    assert "f has been traced 8 times" in str(warning.message)
    assert "'step' had another value each time: 0, 1, 2, 3, 4, 5, 6, 7" in str(warning.message)
    assert "ag.constant" in str(warning.message)
    assert warning.filename == __file__
    with open(__file__) as file:
        assert file.readlines()[warning.lineno - 1].strip() == "f(x, step)"


def test_shapes_that_vary_are_warned_of_with_advice():
    f, _ = counted(lambda x: x)
    with (
        ag.config.scope(retrace_warning=3),
        pytest.warns(ag.errors.RetraceWarning, match="another shape each time: .*reduce_retracing"),
    ):
        list(map(f, map(np.ones, range(3))))


def test_few_traces_and_an_option_keep_quiet():
    f, _ = counted(lambda x: x)
    for n in range(5):
        f(np.ones(n))
    f, _ = counted(lambda x: x)
    with ag.config.scope(retrace_warning=0):
        for n in range(10):
            f(np.ones(n))


# --- caches --------------------------------------------------------------------------------


def test_the_trace_used_longest_ago_goes_first():
    f, shapes = counted(lambda x: x + 1)
    with ag.config.scope(max_traces=2):
        for n in (1, 2, 1, 3, 1, 2):
            np.testing.assert_array_equal(f(np.ones(n)), np.full(n, 2.0))
    assert shapes == [(1,), (2,), (3,), (2,)]
    assert "such a trace is not kept" not in f.explain_retracing().splitlines()[2]


def test_a_cleared_cache_traces_anew():
    f, shapes = counted(lambda x: x + 1)
    for _ in range(2):
        f(np.ones(2))
        f.clear_cache()
    assert shapes == [(2,), (2,)]
    assert "no trace is kept" in f.explain_retracing()
    assert f.pretty_printed_concrete_signatures() == ""


def test_clearing_a_method_clears_that_of_every_instance():
    traces = []

    class Model:
        @ag.function
        def run(self, x):
            note(traces, 1)
            return x

    a, b = Model(), Model()
    for model in (a, b, a):
        model.run(1)
    Model.run.clear_cache()
    a.run(1)
    a.run.clear_cache()
    a.run(1)
    b.run(1)
    assert len(traces) == 5


class Scale:
    def __init__(self, by):
        self.by = by

    def method(self):
        return self.by


@pytest.mark.parametrize("pick", [lambda s: s, lambda s: s.method, lambda s: [{"s": s}]])
def test_the_traces_of_an_object_go_when_it_goes(pick):
    @ag.function
    def f(x, scale):
        return x, scale

    scale = Scale(2.0)
    f(ag.constant(1.0), pick(scale))
    f(ag.constant(1.0), pick(scale))
    f(ag.constant(1.0), None)
    assert len(f._concrete) == 2
    reference = weakref.ref(scale)
    del scale
    gc.collect()
    assert reference() is None
    assert len(f._concrete) == 1


def test_a_dead_objects_trace_is_not_that_of_the_next_one():
    f = ag.function(lambda x, scale: x * scale.by)
    results = []
    for by in range(6):
        results.append(float(f(ag.constant(1.0), Scale(by))))
        gc.collect()
    assert results == list(map(float, range(6)))


def test_a_class_as_an_argument_is_not_held():
    f = ag.function(lambda x, kind: x)
    local = type("Local", (), {})
    f(1, local)
    reference = weakref.ref(local)
    del local
    gc.collect()
    assert reference() is None


def test_what_cannot_be_referred_to_weakly_is_a_constant():
    class Slotted:
        __slots__ = ("by",)

        def __init__(self, by):
            self.by = by

        def __eq__(self, other):
            return self.by == other.by

        def __hash__(self):
            return hash(self.by)

    traces = []

    @ag.function
    def f(x, scale):
        note(traces, scale.by)
        return x * scale.by

    x = ag.constant(1.0)
    assert (float(f(x, Slotted(2))), float(f(x, Slotted(2))), float(f(x, Slotted(3)))) == (2, 2, 3)
    assert traces == [2, 3]


def test_other_layouts_and_permissions_are_called_so():
    def written(x):
        v = x.ravel()
        v[0] = 1
        return v

    def first(x, n):
        for _ in range(n):
            x[0] = 1
        return x

    x, flat, once = np.zeros((2, 3)), ag.jit(written), ag.jit(first)
    flat(x)
    flat(np.asfortranarray(x))
    said = flat.explain_retracing()
    assert "argument 'x' has another memory layout, steps (1, 2) and not by rows" in said
    once(x, 0)
    x.flags.writeable = False
    once(x, 0)
    said = once.explain_retracing()
    assert "argument 'x' has another permission, read-only and not writeable" in said


def test_many_numbers_that_are_arguments_are_told_of():
    @ag.jit
    def total(numbers, more):
        return numbers[0] + more[-1]

    array = np.ones(2)  # what has an array in it is no data
    assert total((1.0,) * 400, (array, *(2.0,) * 499)) == 3.0
    with pytest.warns(
        ag.errors.UnrollWarning, match=r"1200 values in argument 'more'.*array\(more\)"
    ):
        assert total((1.0,), (array, *(2.0,) * 1199)) == 3.0
