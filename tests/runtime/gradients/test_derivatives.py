"""``grad``, ``value_and_grad``, ``vjp``, ``jvp``, ``hessian``, and gradients that the user says."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import agir as ag


def test_the_gradient_of_a_plain_function() -> None:
    found = ag.grad(lambda x: x**3)(3.0)
    assert float(found) == 27
    assert found.dtype == ag.float32


@pytest.mark.parametrize("jit_compile", [None, False])
def test_the_gradient_of_a_decorated_function(jit_compile: Any) -> None:
    @ag.jit(jit_compile=jit_compile)
    def f(x: Any, y: Any) -> Any:
        return np.sum(x * x * y)

    x = np.array([1.0, 2.0])
    found = ag.grad(f)(x, 3.0)
    assert isinstance(found, np.ndarray)
    np.testing.assert_array_equal(found, [6, 12])
    both = ag.grad(f, argnums=(0, 1))(x, 3.0)
    np.testing.assert_array_equal(both[0], [6, 12])
    assert both[1] == 5


def test_arguments_are_left_alone() -> None:
    @ag.jit
    def f(a: Any) -> Any:
        a[0] = a[1] * a[0]
        return a[0] * a[2]

    a = np.array([1.0, 2.0, 3.0])
    np.testing.assert_array_equal(ag.grad(f)(a), [6, 3, 2])
    np.testing.assert_array_equal(a, [1, 2, 3])


def test_structures_and_further_results() -> None:
    def loss(p: Any, x: Any) -> Any:
        y = ag.reduce_sum(p["w"] * x) + p["b"]
        return y * y, {"y": y}

    p = {"w": ag.constant([1.0, 2.0]), "b": ag.constant(0.5)}
    (value, aux), found = ag.value_and_grad(loss, has_aux=True)(p, np.float32([3, 4]))
    assert float(value) == 11.5**2
    assert float(aux["y"]) == 11.5
    np.testing.assert_array_equal(found["w"], [69, 92])
    assert float(found["b"]) == 23
    gradient, aux = ag.grad(loss, has_aux=True)(p, np.float32([3, 4]))
    assert float(gradient["b"]) == 23


def test_gradients_of_gradients_inside_functions() -> None:
    @ag.function
    def f(x: Any) -> Any:
        return ag.grad(ag.grad(lambda z: z**4))(x) + ag.grad(lambda z, w: z * w, 1)(x, x)

    assert float(f(ag.constant(2.0))) == 48 + 2


def test_the_pullback() -> None:
    value, pull = ag.vjp(lambda x, y: (x * y, ag.sin(x)), 2.0, 3.0)
    assert float(value[0]) == 6
    np.testing.assert_allclose([float(g) for g in pull((1.0, 1.0))], [3 + np.cos(2), 2], rtol=1e-6)
    inside = ag.function(lambda x: ag.vjp(lambda z: z * z, x)[1](ag.constant(3.0)))
    assert float(inside(ag.constant(2.0))[0]) == 12


def test_the_derivative_in_a_direction() -> None:
    def f(x: Any, y: Any) -> Any:
        r = x
        while r < 2.0:
            r = r * r * y
        return r, ag.reduce_sum(x * y)

    value, tangent = ag.jvp(f, (1.2, 1.1), (1.0, 0.5))
    low, high = (ag.function(f)(ag.constant(1.2 + d, ag.float64), ag.constant(1.1 + d / 2, ag.float64))
                 for d in (-1e-6, 1e-6))  # fmt: skip
    for got, one, other in zip(tangent, low, high, strict=True):
        np.testing.assert_allclose(got, (other.numpy() - one.numpy()) / 2e-6, rtol=1e-5)
    np.testing.assert_allclose(value[1], 1.2 * 1.1, rtol=1e-6)


def test_the_matrix_of_second_derivatives() -> None:
    x = ag.constant(np.array([1.0, 2.0, 3.0]))
    found = ag.hessian(lambda x: ag.reduce_sum(x**3) + x[0] * x[1])(x)
    np.testing.assert_allclose(found, [[6, 1, 0], [1, 12, 0], [0, 0, 18]])


def test_gradients_without_a_tape() -> None:
    @ag.function
    def f(x: Any, y: Any) -> Any:
        z = x * y
        return ag.gradients([z * z, z], [x, y, z], stop_gradients=[])

    found = f(ag.constant(2.0), ag.constant(3.0))
    assert [float(each) for each in found] == [39, 26, 13]
    with pytest.raises(RuntimeError, match="GradientTape"):
        ag.gradients(ag.constant(1.0), ag.constant(1.0))


@ag.custom_gradient
def log1pexp(x: Any) -> Any:
    e = ag.exp(x)

    def gradient(upstream: Any) -> Any:
        return upstream * (1.0 - 1.0 / (1.0 + e))

    return ag.math.log(1.0 + e), gradient


def test_a_gradient_of_the_users() -> None:
    x = ag.constant(100.0)  # where the formula itself gives NaN
    compiled = ag.function(lambda x: log1pexp(x) * 2.0)
    for f, expected in ((log1pexp, 1), (compiled, 2)):
        with ag.GradientTape() as tape:
            tape.watch(x)
            y = f(x)
        assert float(tape.gradient(y, x)) == expected
    np.testing.assert_allclose(ag.grad(compiled)(ag.constant(1.0)), 2 / (1 + np.exp(-1)), rtol=1e-6)


def test_a_gradient_of_the_users_in_a_loop() -> None:
    def f(x: Any) -> Any:
        for _ in ag.range(3):
            x = log1pexp(x)
        return x

    x, step = 0.5, 1e-4
    low, high = (ag.function(f)(ag.constant(x + d, ag.float64)).numpy() for d in (-step, step))
    found = ag.grad(f)(ag.constant(x, ag.float64))
    np.testing.assert_allclose(found, (high - low) / (2 * step), rtol=1e-6)


def test_values_through_which_nothing_flows() -> None:
    def f(x: Any) -> Any:
        return x * ag.stop_gradient(x)

    x = ag.constant(3.0)
    with ag.GradientTape() as tape:
        tape.watch(x)
        y = f(x)
    assert float(tape.gradient(y, x)) == 3
    assert float(ag.grad(f)(x)) == 3


def test_values_that_are_computed_again() -> None:
    def block(x: Any) -> Any:
        return ag.sin(ag.exp(ag.sin(x))) * x

    again = ag.recompute_grad(block)
    x = ag.constant([0.3, 0.4])
    expected = ag.grad(lambda x: ag.reduce_sum(block(block(x))))(x)
    np.testing.assert_allclose(ag.grad(lambda x: ag.reduce_sum(again(again(x))))(x), expected)
    compiled = ag.function(lambda x: ag.reduce_sum(again(again(x))))
    for f in (compiled, compiled.python_function):
        with ag.GradientTape() as tape:
            tape.watch(x)
            y = f(x)
        np.testing.assert_allclose(tape.gradient(y, x), expected, rtol=1e-6)


@pytest.mark.parametrize(
    ("f", "argument", "message"),
    [
        (lambda x: x, [1.0, 2.0], "one real floating-point number"),
        (lambda x: (x, x), 1.0, "2 values"),
        (lambda x: x, 1, "int"),
        (lambda x: ag.cast(x, ag.int32), 1.0, "one real floating-point number"),
    ],
)
def test_what_has_no_gradient(f: Any, argument: Any, message: str) -> None:
    with pytest.raises(TypeError, match=f"{message}(.|\n)*test_derivatives.py"):
        ag.grad(f)(ag.constant(argument))


W = ag.Variable(np.array([1.0, 2.0]))
B = ag.Variable(np.float64(0.5))


@ag.custom_gradient
def layer(x: Any) -> Any:
    def gradient(upstream: Any, variables: Any = None) -> Any:
        assert [each is W or each is B for each in variables] == [True, True]
        own = {id(W): upstream * x * 100.0, id(B): ag.reduce_sum(upstream) * 1000.0}
        return upstream * 10.0, [own[id(each)] for each in variables]

    return x * W + B, gradient


def _layer_gradients(x: Any) -> Any:
    with ag.GradientTape() as tape:
        tape.watch(x)
        y = ag.reduce_sum(layer(x))
    return tape.gradient(y, [x, W, B])


@pytest.mark.parametrize("way", ["eager", "in a trace", "around a trace", "in a loop"])
def test_a_gradient_of_the_users_for_variables(way: str) -> None:
    x = ag.constant(np.array([3.0, 4.0]))
    if way == "eager":
        found = _layer_gradients(x)
    elif way == "in a trace":
        found = ag.function(_layer_gradients)(x)
    else:

        @ag.function
        def looped(x: Any, n: Any) -> Any:
            total = x * 0.0
            for _ in ag.range(n):
                total = total + layer(x)
            return total

        with ag.GradientTape() as tape:
            tape.watch(x)
            y = looped(x, np.int64(1)) if way == "in a loop" else ag.function(layer)(x)
            y = ag.reduce_sum(y)
        found = tape.gradient(y, [x, W, B])
    for one, expected in zip(found, ([10.0, 10.0], [300.0, 400.0], 2000.0), strict=True):
        np.testing.assert_allclose(one, expected)


@pytest.mark.parametrize("traced", [False, True])
def test_a_gradient_function_has_to_know_variables(traced: bool) -> None:
    @ag.custom_gradient
    def forgets(x: Any) -> Any:
        return x * W, lambda upstream: upstream

    @ag.custom_gradient
    def too_few(x: Any) -> Any:
        return x * W, lambda upstream, variables=None: (upstream, [])

    def run(f: Any) -> Any:
        x = ag.constant(np.array([3.0, 4.0]))
        with ag.GradientTape() as tape:
            tape.watch(x)
            y = (ag.function(f) if traced else f)(x)
        return tape.gradient(y, x)

    with pytest.raises(TypeError, match=r"uses 1 Variables(.|\n)*keyword argument 'variables'"):
        run(forgets)
    with pytest.raises(ValueError, match="gives 0 values for 1 Variables"):
        run(too_few)


def test_variables_that_are_arguments_are_arguments() -> None:
    @ag.custom_gradient
    def scaled(x: Any, w: Any) -> Any:
        return x * w, lambda upstream: (upstream * 2.0, upstream * 3.0)

    x = ag.constant(np.array([3.0, 4.0]))
    with ag.GradientTape() as tape:
        tape.watch(x)
        y = scaled(x, W)
    for one, expected in zip(tape.gradient(y, [x, W]), (2.0, 3.0), strict=True):
        np.testing.assert_allclose(one, expected)


@pytest.mark.parametrize("decorated", [True, False])
def test_changes_of_what_a_context_computes(decorated: bool) -> None:
    def f(x: Any) -> Any:
        return ag.reduce_sum(ag.sin(x) * W) ** 2

    x = ag.constant(np.array([3.0, 4.0]))
    tangents = [ag.constant([1.0, 0.0], ag.float64), ag.constant([0.0, 1.0], ag.float64)]
    with ag.ForwardAccumulator([x, W], tangents) as accumulator:
        y = (ag.function(f) if decorated else f)(x)
        other = ag.constant(1.0) * 2.0
    expected = 2 * (np.sin(3) + 2 * np.sin(4)) * (np.cos(3) + np.sin(4))
    np.testing.assert_allclose(accumulator.jvp(y), expected)
    both = accumulator.jvp({"y": y, "other": other})
    np.testing.assert_allclose(both["y"], expected)
    assert both["other"] is None
    assert float(accumulator.jvp(other, unconnected_gradients="zero")) == 0.0
    with pytest.raises(ValueError, match="2 primals and 1 tangents"):
        ag.ForwardAccumulator([x, W], tangents[:1])


def test_changes_in_a_trace() -> None:
    @ag.function
    def f(x: Any) -> Any:
        with ag.ForwardAccumulator(x, ag.ones_like(x)) as accumulator:
            y = x**3
        return accumulator.jvp(y)

    np.testing.assert_allclose(f(ag.constant(np.array([3.0, 4.0]))), [27.0, 48.0])


def test_directions_that_do_not_fit() -> None:
    x = np.ones(3)
    with pytest.raises(ValueError, match=r"float64\[3\] and a tangent of float64\[2\]"):
        ag.jvp(lambda x: x * 2.0, (x,), (np.ones(2),))
    with pytest.raises(ValueError, match="1 primals and 0 tangents"):
        ag.jvp(lambda x: x * 2.0, (x,), ())
    with pytest.raises(TypeError, match="complex direction"):
        ag.jvp(lambda x: x * 2.0, (x,), (x * 1j,))
    for direction in (x, np.ones(3, np.float32), np.ones(3, np.int32), [1.0, 1.0, 1.0]):
        directions = (np.asarray(direction),)
        value, change = ag.jvp(lambda x: x * x, (x.astype(np.float32),), directions)
        assert change.dtype == value.dtype == ag.float32
        np.testing.assert_allclose(change, [2, 2, 2])


def test_the_way_back_of_plain_arrays() -> None:
    """A plain function is called with tensors: NumPy's own arithmetic notes nothing."""
    value, pullback = ag.vjp(lambda x: x * 2.0, np.ones(3))
    np.testing.assert_allclose(value, [2, 2, 2])
    np.testing.assert_allclose(pullback(np.array([1.0, 2.0, 3.0]))[0], [2, 4, 6])
    inside = ag.function(lambda c: ag.vjp(lambda x: x * 2.0, np.ones(3))[1](c))
    np.testing.assert_allclose(inside(np.array([1.0, 2.0, 3.0]))[0], [2, 4, 6])
    _, pullback = ag.vjp(ag.jit(lambda x: np.sin(x)), np.zeros(3))
    np.testing.assert_allclose(pullback(np.ones(3))[0], [1, 1, 1])


def test_seeds_of_gradients_are_converted() -> None:
    f = ag.function(lambda x: ag.gradients([x * x, x], x, grad_ys=[2.0, 3]))
    assert float(f(ag.constant(3.0))[0]) == 15


@pytest.mark.parametrize("name", ["reduce_max", "reduce_min"])
def test_equal_elements_share_forwards_too(name: str) -> None:
    x, t = np.array([2.0, 2.0, 1.0]), np.array([1.0, 0.0, 5.0])
    reduce, x = getattr(ag, name), x if name == "reduce_max" else -x
    assert float(ag.jvp(lambda x: reduce(x), (x,), (t,))[1]) == 0.5
    given = ((np.stack([x, x], 1),), (np.stack([t, t], 1),))
    np.testing.assert_allclose(ag.jvp(lambda x: reduce(x * 2.0, 0), *given)[1], [1, 1])
