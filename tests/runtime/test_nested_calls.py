"""Decorated functions that call decorated functions."""

from __future__ import annotations

import numpy as np
import pytest

import agir as ag

SPEC = ag.TensorSpec([2], ag.float32)


@pytest.mark.parametrize("jit_compile", [None, False])
def test_a_nested_call_is_checked_against_its_own_signature(jit_compile):
    @ag.function(input_signature=[SPEC])
    def inner(x):
        return x * 2

    @ag.function(jit_compile=jit_compile)
    def outer(x):
        return inner(x) + 1

    np.testing.assert_array_equal(outer(ag.ones([2])), [3.0, 3.0])
    np.testing.assert_array_equal(outer([1.0, 2.0]), [3.0, 5.0])
    for wrong in (ag.ones([3]), ag.constant([1, 2])):
        with pytest.raises(TypeError, match="'x' must be compatible") as info:
            outer(wrong)
        assert "return inner(x) + 1" in str(info.value)


@pytest.mark.parametrize("jit_compile", [None, False])
def test_sizes_of_the_run_time_are_checked_when_it_runs(jit_compile):
    @ag.function(input_signature=[SPEC])
    def inner(x):
        return ag.constant([1.0, 2.0]) + x, x.shape

    outer = ag.function(lambda x: inner(x)[0], jit_compile=jit_compile)
    concrete = outer.get_concrete_function(ag.TensorSpec([None], ag.float32))
    assert concrete.structured_outputs.shape == (2,)
    np.testing.assert_array_equal(concrete(ag.ones([2])), [2.0, 3.0])
    with pytest.raises(ag.errors.InvalidArgumentError, match=r"not compatible with .*: 2 and 3"):
        concrete(ag.ones([3]))


def test_an_array_of_unknown_rank_has_a_rank_inside():
    inner = ag.function(lambda x: ag.reduce_sum(x), input_signature=[ag.TensorSpec(None)])
    outer = ag.function(lambda x: inner(x) + inner(x[0]))
    assert float(outer(ag.ones([2, 3]))) == 9.0


def test_each_function_has_its_own_autograph_option():
    @ag.function(autograph=False)
    def plain(x):
        return x if x > 0 else -x

    @ag.function
    def converted(x):
        return x if x > 0 else -x

    with pytest.raises(ag.errors.OperatorNotAllowedInGraphError) as info:
        ag.function(lambda x: plain(x))(ag.constant(1.0))
    assert "return x if x > 0 else -x" in str(info.value)

    outer = ag.function(lambda x: converted(x), autograph=False)
    assert float(outer(ag.constant(-2.0))) == 2.0


@pytest.mark.parametrize("outside", [ag.function, ag.jit])
def test_an_array_is_a_value_to_a_function_and_shared_with_jit(outside):
    @ag.function
    def by_value(x):
        x[0] = 9.0
        return x

    @ag.jit
    def in_place(x):
        x[1] += 5.0

    @outside
    def f(x):
        y = by_value(x)
        in_place(x)
        return x, y

    x = np.zeros(3)
    changed, other = f(x)
    np.testing.assert_array_equal(changed, [0, 5, 0])
    np.testing.assert_array_equal(other, [9, 0, 0])
    np.testing.assert_array_equal(x, [0, 5, 0] if outside is ag.jit else [0, 0, 0])


def test_arrays_and_constants_are_tensors_in_a_nested_function():
    seen = []

    @ag.function
    def inner(x, k):
        seen.append((isinstance(x, ag.Tensor), x.dtype, k))
        x[0] = 4
        return x * k

    outer = ag.function(lambda: (inner(np.arange(2), 2), inner(ag.constant([1.0]), 3)))
    first, second = outer()
    np.testing.assert_array_equal(first, [8, 2])
    np.testing.assert_array_equal(second, [12.0])
    assert seen == [(True, ag.int64, 2), (True, ag.float32, 3)]


def test_a_static_parameter_needs_a_python_value():
    @ag.jit(static="n")
    def power(x, n):
        for _ in range(n):
            x = x * x
        return x

    assert ag.jit(lambda x: power(x, 2))(2.0) == 16.0
    with pytest.raises(TypeError, match="'n' of power is static") as info:
        ag.jit(lambda x: power(x, x))(2)
    assert "power(x, x)" in str(info.value)


@ag.function
def is_even(n):
    return True if n == 0 else is_odd(n - 1)


@ag.function
def is_odd(n):
    return False if n == 0 else is_even(n - 1)


@ag.jit
def power_of_two(n):
    return 1 if n == 0 else doubled(n - 1)


@ag.function
def doubled(n):
    return 2 * power_of_two(n)


class Tree:
    @ag.function
    def depth(self, n):
        if n <= 1:
            return 1
        return 1 + self.depth(n // 2)


@pytest.mark.parametrize("n", [0, 1, 6, 7])
def test_functions_that_call_each_other(n):
    assert bool(is_even(ag.constant(n))) == (n % 2 == 0)
    assert bool(is_even(n)) == (n % 2 == 0)
    assert power_of_two(n) == 2**n
    assert int(Tree().depth(ag.constant(n + 1))) == (n + 1).bit_length()


def test_a_recursion_of_the_run_time_is_a_function_of_the_module():
    text = is_even.experimental_get_compiler_ir(ag.constant(1))("hlo")
    assert "func.func private" in text
    assert "call @" in text


def test_equal_calls_become_part_of_the_trace():
    inner = ag.jit(lambda x: x * 2.0)
    outer = ag.jit(lambda x: inner(x) + inner(x))
    graph = outer.get_concrete_function(1.0).graph
    assert [o.type for o in graph.operations].count("arith.mulf") == 2
    assert "func.call" not in [o.type for o in graph.operations]
    assert not inner._concrete.values()


def test_numbers_of_the_run_time_take_the_dtype_of_the_signature():
    inner = ag.function(lambda x: x * 2, input_signature=[ag.TensorSpec([], ag.float32)])
    outer = ag.jit(lambda n: inner(n))
    assert (outer(3), outer(1.5)) == (6.0, 3.0)
    assert outer(3).dtype == np.float32
    with pytest.raises(TypeError, match="'x' must be compatible"):
        outer(1j)


def test_type_hints_hold_in_nested_calls():
    with pytest.warns(DeprecationWarning, match="follow_type_hints"):

        @ag.function(experimental_follow_type_hints=True)
        def inner(x: ag.Tensor):
            return x.dtype.name

    assert ag.function(lambda: inner(1))() == "int32"


def test_name_scopes_name_what_a_function_records():
    feature = ag.autograph.experimental.Feature.NAME_SCOPES
    inner = ag.function(lambda x: x + 1, experimental_autograph_options=feature)

    @ag.function(experimental_autograph_options=(feature,))
    def outer(x):
        return inner(x) * 2

    operations = outer.get_concrete_function(ag.TensorSpec([], ag.float32)).graph.operations
    locations = {o.type: o.location for o in operations}
    assert '"outer"' in locations["arith.mulf"]
    assert '"outer/lambda_"' in locations["arith.addf"]


@pytest.mark.parametrize("options", ["NAME_SCOPES", 3, ["NAME_SCOPES"]])
def test_only_features_are_autograph_options(options):
    with pytest.raises(TypeError, match="takes Features") as info:
        ag.function(lambda x: x, experimental_autograph_options=options)
    assert "experimental_autograph_options=options" in str(info.value)
    assert repr(options if options != ["NAME_SCOPES"] else "NAME_SCOPES") in str(info.value)
