"""``ag.GradientTape``: around values, around decorated functions, and inside them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import agir as ag


def power(x: Any, n: Any) -> Any:
    r = x * 0.0 + 1.0
    for _ in ag.range(n):
        r = r * x + ag.sin(r)
    return r


def slope(x: float, n: int, step: float = 1e-5) -> tuple[float, float]:
    """The first and second derivative of ``power``."""

    def value(x: float) -> float:
        r = 1.0
        for _ in range(n):
            r = r * x + np.sin(r)
        return float(r)

    low, here, high = (value(x + d) for d in (-step, 0, step))
    return (high - low) / (2 * step), (high - 2 * here + low) / step**2


WAYS = {
    "values": power,
    "compiled": ag.function(power),
    "interpreted": ag.function(power, jit_compile=False),
    "jit": ag.jit(power),
}


@pytest.mark.parametrize("way", WAYS)
def test_first_and_second_derivatives(way: str) -> None:
    x = ag.constant(0.7, ag.float64)
    with ag.GradientTape() as outer:
        outer.watch(x)
        with ag.GradientTape() as inner:
            inner.watch(x)
            y = WAYS[way](x, ag.constant(3))
        first = inner.gradient(y, x)
    second = outer.gradient(first, x)
    expected = slope(0.7, 3)
    np.testing.assert_allclose(first, expected[0], rtol=1e-8)
    np.testing.assert_allclose(second, expected[1], rtol=1e-4)


@pytest.mark.parametrize("decorate", [ag.function, ag.jit])
def test_first_and_second_derivatives_inside(decorate: Any) -> None:
    @decorate
    def both(x: Any) -> Any:
        with ag.GradientTape() as outer:
            outer.watch(x)
            with ag.GradientTape() as inner:
                inner.watch(x)
                y = power(x, 3)
            first = inner.gradient(y, x)
        return first, outer.gradient(first, x)

    expected = slope(0.7, 3)
    np.testing.assert_allclose(both(np.float64(0.7)), expected, rtol=1e-4)


def test_a_persistent_tape_gives_second_derivatives_of_its_own() -> None:
    x = ag.constant(0.7, ag.float64)
    with ag.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = WAYS["compiled"](x, ag.constant(3))
        first = tape.gradient(y, x)
    np.testing.assert_allclose(tape.gradient(first, x), slope(0.7, 3)[1], rtol=1e-4)


def test_variables_are_watched_when_they_are_used() -> None:
    w, b, unused = ag.Variable([1.0, 2.0]), ag.Variable(0.5), ag.Variable(1.0)
    fixed = ag.Variable(1.0, trainable=False)

    @ag.function
    def loss(x: Any) -> Any:
        return ag.reduce_sum((x * w + b * fixed) ** 2)

    with ag.GradientTape() as tape:
        y = loss(ag.constant([3.0, 4.0]))
    found = tape.gradient(y, [w, b, unused, fixed])
    np.testing.assert_allclose(found[0], [21, 68])
    np.testing.assert_allclose(found[1], 24)
    assert found[2] is None
    assert found[3] is None
    assert [v is w or v is b for v in tape.watched_variables()] == [True, True]


def test_variables_and_their_parts_outside_of_functions() -> None:
    w = ag.Variable([1.0, 2.0])
    with ag.GradientTape() as tape:
        y = ag.reduce_sum(w * w) * w[0] + w.read_value()[1]
    np.testing.assert_allclose(tape.gradient(y, w), [7, 5])


def test_variables_are_not_watched_where_that_is_said() -> None:
    w = ag.Variable(2.0)
    with ag.GradientTape(watch_accessed_variables=False, persistent=True) as tape:
        y = w * w
    assert tape.gradient(y, w) is None
    with ag.GradientTape(watch_accessed_variables=False) as tape:
        tape.watch(w)
        y = w * w
    assert float(tape.gradient(y, w)) == 4


def test_a_function_that_assigns_to_a_variable() -> None:
    v = ag.Variable(2.0)

    @ag.function
    def scaled(x: Any) -> Any:
        v.assign(v * x)
        return v * v

    x = ag.constant(3.0)
    with ag.GradientTape() as tape:
        tape.watch(x)
        y = scaled(x)
    assert float(v.read_value()) == 6
    assert [float(g) for g in tape.gradient(y, [x, v])] == [24, 36]


def test_a_training_loop_in_one_function() -> None:
    w = ag.Variable(np.zeros(3))
    inputs = np.random.default_rng(0).normal(size=(20, 3))
    outputs = inputs @ np.array([1.0, -2.0, 0.5])

    @ag.function
    def train(x: Any, y: Any, steps: Any) -> None:
        for _ in ag.range(steps):
            with ag.GradientTape() as tape:
                loss = ag.reduce_mean((ag.linalg.matvec(x, w) - y) ** 2)
            w.assign_sub(0.1 * tape.gradient(loss, w))

    train(inputs, outputs, ag.constant(300))
    np.testing.assert_allclose(w.numpy(), [1, -2, 0.5], rtol=1e-6)


def test_arrays_that_a_function_writes_into() -> None:
    @ag.jit
    def running(a: Any, x: Any) -> Any:
        for i in range(1, len(a)):
            a[i] = a[i - 1] * x + a[i]
        return a[-1]

    a, x = np.array([1.0, 2.0, 3.0]), np.asarray(2.0)
    with ag.GradientTape() as tape:
        tape.watch([a, x])
        y = running(a, x)
    np.testing.assert_array_equal(a, [1, 4, 11])
    a[:] = 0  # the tape has what it needs
    found = tape.gradient(y, [a, x])
    np.testing.assert_array_equal(found[0], [4, 2, 1])
    np.testing.assert_array_equal(found[1], 6)


def test_tensor_arrays() -> None:
    @ag.function
    def powers(x: Any, n: Any) -> Any:
        array = ag.TensorArray(ag.float32, size=0, dynamic_size=True)
        v = x
        for i in ag.range(n):
            v = v * x
            array = array.write(i, v)
        return ag.reduce_sum(array.stack())

    x = ag.constant(2.0)
    with ag.GradientTape() as tape:
        tape.watch(x)
        y = powers(x, ag.constant(3))
    assert float(tape.gradient(y, x)) == 2 * 2 + 3 * 4 + 4 * 8


def test_tensors_that_a_function_closes_over() -> None:
    small, large = ag.constant([1.0, 2.0]), ag.constant(np.arange(30.0))

    @ag.function
    def f(x: Any) -> Any:
        return ag.reduce_sum(x * small) + ag.reduce_sum(large)

    x = ag.constant([2.0, 3.0])
    with ag.GradientTape() as tape:
        tape.watch([small, large])
        y = f(x)
    found = tape.gradient(y, [small, large])
    np.testing.assert_array_equal(found[0], [2, 3])
    np.testing.assert_array_equal(found[1], np.ones(30))


def test_tensors_with_values_inside_a_function() -> None:
    @ag.function
    def f(z: Any) -> Any:
        x = ag.constant(3.0)
        with ag.GradientTape() as tape:
            tape.watch(x)
            y = x * x * z
        return tape.gradient(y, x)

    assert float(f(ag.constant(2.0))) == 12


def test_what_is_printed_is_printed_once(capfd: Any) -> None:
    @ag.function
    def f(x: Any) -> Any:
        ag.print("value", x)
        return x * x

    x = ag.constant(2.0)
    with ag.GradientTape() as tape:
        tape.watch(x)
        y = f(x)
    assert float(tape.gradient(y, x)) == 4
    captured = capfd.readouterr()
    assert (captured.out + captured.err).count("value") == 1


def test_operations_that_are_not_recorded() -> None:
    for inside in (False, True):

        def f(x: Any) -> Any:
            with ag.GradientTape(persistent=True) as tape:
                tape.watch(x)
                y = x * x
                with tape.stop_recording():
                    z = y * x
                u = y * z
            late = u * x
            found = [tape.gradient(each, x) for each in (y, z, u, late)]
            assert [each is None for each in found] == [False, True, False, True]
            zero = tape.gradient(z, x, unconnected_gradients="zero")
            return found[0], found[2], zero

        run = ag.function(f) if inside else f
        assert [float(each) for each in run(ag.constant(2.0))] == [4, 32, 0]


@pytest.mark.parametrize("inside", [False, True])
def test_structures_and_weights(inside: bool) -> None:
    def f(x: Any, y: Any) -> Any:
        with ag.GradientTape() as tape:
            tape.watch((x, y))
            targets = {"p": x * y, "q": x * x}
        weights = {"p": ag.constant([1.0, 10.0]), "q": ag.constant([0.0, 1.0])}
        return tape.gradient(targets, {"a": x, "b": [y]}, output_gradients=weights)

    run = ag.function(f) if inside else f
    found = run(ag.constant([1.0, 2.0]), ag.constant([3.0, 4.0]))
    np.testing.assert_array_equal(found["a"], [3, 44])
    np.testing.assert_array_equal(found["b"][0], [1, 20])


@pytest.mark.parametrize("inside", [False, True])
def test_jacobians(inside: bool) -> None:
    def f(x: Any) -> Any:
        with ag.GradientTape(persistent=True) as tape:
            tape.watch(x)
            y = x * x * x[:, :1]
        return tape.jacobian(y, x), tape.batch_jacobian(y, x)

    run = ag.function(f) if inside else f
    x = np.array([[1.0, 2.0], [3.0, 4.0]])
    whole, rows = run(ag.constant(x))
    expected = np.zeros((2, 2, 2, 2))
    for b in range(2):
        for i in range(2):
            expected[b, i, b, i] += 2 * x[b, i] * x[b, 0]
            expected[b, i, b, 0] += x[b, i] ** 2
    np.testing.assert_allclose(whole, expected)
    np.testing.assert_allclose(rows, np.stack([expected[b, :, b] for b in range(2)]))


def test_operations_on_arrays_of_many_shapes_do_not_warn() -> None:
    for n in range(1, 14):
        x = ag.ones([n])
        with ag.GradientTape() as tape:
            tape.watch(x)
            y = x * x * 3.0
        np.testing.assert_allclose(tape.gradient(y, x), np.full(n, 6.0))


def test_a_tape_gives_its_gradients_once() -> None:
    x = ag.constant(2.0)
    with ag.GradientTape() as tape:
        tape.watch(x)
        y = x * x
    tape.gradient(y, x)
    with pytest.raises(RuntimeError, match="persistent=True"):
        tape.gradient(y, x)


def test_integers_carry_no_gradients() -> None:
    with ag.GradientTape() as tape, pytest.raises(TypeError, match="int32"):
        tape.watch(ag.constant(2))


@pytest.mark.parametrize("inside", [False, True])
def test_python_code_has_no_derivative(inside: bool) -> None:
    @ag.function
    def f(x: Any) -> Any:
        y = ag.numpy_function(lambda a: a * 2, [x], ag.float32)
        return ag.reduce_sum(y)

    def gradient(x: Any) -> Any:
        with ag.GradientTape() as tape:
            tape.watch(x)
            y = f(x)
        return tape.gradient(y, x)

    run = ag.function(gradient) if inside else gradient
    with pytest.raises(LookupError, match=r"no derivative(.|\n)*test_tape.py:\d+") as caught:
        run(ag.constant([1.0, 2.0]))
    assert isinstance(caught.value, ag.errors.NotDifferentiableError)


def of_an_array(x: Any) -> Any:
    with ag.GradientTape() as tape:
        tape.watch(x)
        array = ag.TensorArray(ag.float64, size=3)
        for i in range(3):
            array = array.write(i, x[i] ** 2)
        y = ag.reduce_sum(array.stack() * x) + array.read(1) + ag.reduce_sum(array.gather([0, 0]))
        other = ag.TensorArray(ag.float64, size=3).unstack(x * 2.0)
        other.scatter([0, 2], ag.stack([x[0] * x[1], x[2]]))
        y = y + ag.reduce_sum(other.stack() * x)
    return tape.gradient(y, x)


@pytest.mark.parametrize("inside", [False, True])
def test_arrays_of_tensors(inside: bool) -> None:
    x = ag.constant(np.array([1.0, 2.0, 3.0]))
    found = (ag.function(of_an_array) if inside else of_an_array)(x)
    np.testing.assert_allclose(found, [3 + 4 + 4, 12 + 4 + 1 + 8, 27 + 6])


def test_pieces_of_an_array_of_tensors() -> None:
    x = ag.constant([1.0, 2.0, 3.0])
    with ag.GradientTape() as tape:
        tape.watch(x)
        array = ag.TensorArray(ag.float32, size=2, infer_shape=False).split(x * x, [1, 2])
        y = ag.reduce_sum(array.concat() * x)
    np.testing.assert_allclose(tape.gradient(y, x), [3, 12, 27])


def test_an_array_of_tensors_has_what_was_written() -> None:
    """Whatever becomes of the array or Variable that it was."""
    row, variable = np.ones(2), ag.Variable(np.ones(2))
    array = ag.TensorArray(ag.float64, size=3).write(0, row).write(1, variable).write(2, [3, 4])
    row[0] = 7.0
    variable.assign([5.0, 6.0])
    np.testing.assert_allclose(array.stack(), [[1, 1], [1, 1], [3, 4]])


@pytest.mark.parametrize("inside", [False, True])
def test_a_numpy_array_that_is_watched(inside: bool) -> None:
    def f() -> Any:
        a = np.array([1.0, 2.0])
        with ag.GradientTape() as tape:
            tape.watch(a)
            tensor = ag.convert_to_tensor(a)
            y = ag.reduce_sum(tensor * a)
        return tape.gradient(y, a)

    np.testing.assert_allclose((ag.function(f) if inside else f)(), [2, 4])


@pytest.mark.parametrize("inside", [False, True])
def test_jacobians_of_what_has_no_influence(inside: bool) -> None:
    x, v = ag.constant(3.0), ag.constant([1.0, 2.0, 3.0])

    def f() -> Any:
        with ag.GradientTape(persistent=True) as tape:
            tape.watch(v)
            y = v * v
        return tape.jacobian(y, [v, x]), tape.jacobian(y, x, unconnected_gradients="zero")

    (own, none), zero = (ag.function(f) if inside else f)()
    np.testing.assert_allclose(own, np.diag([2, 4, 6]))
    assert none is None
    np.testing.assert_allclose(zero, [0, 0, 0])


@pytest.mark.parametrize("decorate", [lambda f: f, ag.function])
def test_output_gradients_of_another_shape(decorate: Any) -> None:
    @decorate
    def f(x: Any, seed: Any) -> Any:
        with ag.GradientTape() as tape:
            tape.watch(x)
            y = x * x
        return tape.gradient(y, x, output_gradients=seed)

    x = ag.constant([1.0, 2.0])
    for seed in ([1.0, 2.0, 3.0], 2.0, [[1.0, 2.0]]):
        with pytest.raises(ValueError, match="output_gradients of shape"):
            f(x, ag.constant(seed))
    np.testing.assert_allclose(f(x, ag.constant([1.0, 0.5])).numpy(), [2.0, 2.0])


@pytest.mark.parametrize("decorate", [lambda f: f, ag.function])
@pytest.mark.parametrize("name", ["jacobian", "batch_jacobian"])
def test_jacobians_of_several_targets(name: str, decorate: Any) -> None:
    @decorate
    def f(x: Any) -> Any:
        with ag.GradientTape() as tape:
            tape.watch(x)
            y = x * x
        return getattr(tape, name)([y, y], x)

    with pytest.raises(TypeError, match=r"of 2 targets: it takes one tensor"):
        f(ag.constant([[1.0, 2.0]]))
