"""Jacobians both ways, of functions and by tapes; products of second derivatives and vectors."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import agir as ag

A = np.random.default_rng(7).normal(size=(4, 3))


def wide(v: Any) -> Any:
    return ag.sin(ag.linalg.matvec(A, v)) * v[0]


def looped(v: Any) -> Any:
    r = ag.linalg.matvec(A, v)
    for _ in ag.range(3):
        r = ag.sin(r) * v[1] + r
    while ag.reduce_sum(r * r) < 40.0:
        r = r * 1.5
    return r


def solved(v: Any) -> Any:
    return ag.linalg.solve(A[:3] + ag.linalg.diag(v), A[:3])


def branched(v: Any) -> Any:
    r = v
    for i in ag.range(4):
        if r[0] > 0.5:
            r = r * v
        else:
            r = ag.sort(r) + ag.cast(i, ag.float64)
    return [r, ag.stack([r, r * r])]


FUNCTIONS = {"wide": wide, "looped": looped, "solved": solved, "branched": branched}
V = np.array([0.7, 0.4, 1.1])


def differences(f: Any, v: Any, step: float = 1e-6) -> list[Any]:
    columns = []
    for direction in np.eye(v.size).reshape(v.size, *v.shape):
        ends = [ag.nest.flatten(ag.function(f)(v + s * direction)) for s in (step, -step)]
        columns.append(
            [(np.asarray(a) - np.asarray(b)) / (2 * step) for a, b in zip(*ends, strict=True)]
        )
    leaves = zip(*columns, strict=True)
    return [np.stack(leaf, -1).reshape(*leaf[0].shape, *v.shape) for leaf in leaves]


@pytest.mark.parametrize("way", ["jacfwd", "jacrev"])
@pytest.mark.parametrize("name", FUNCTIONS)
def test_jacobians_of_functions(name: str, way: str) -> None:
    f = FUNCTIONS[name]
    for jit_compile in (None, False):
        found = getattr(ag, way)(ag.function(f, jit_compile=jit_compile))(V)
        expected = differences(f, V)
        for one, other in zip(ag.nest.flatten(found), expected, strict=True):
            np.testing.assert_allclose(one, other, rtol=1e-6, atol=1e-7)


@pytest.mark.parametrize("way", [ag.jacfwd, ag.jacrev])
def test_structures(way: Any) -> None:
    def f(p: Any, c: Any) -> Any:
        return {"y": p["a"] * p["b"][0] * c, "z": p["b"] * c}

    given = {"a": 2.0, "b": np.array([3.0, 5.0])}
    found = way(f, argnums=(0, 1))(given, np.float64(7.0))
    p, c = found["z"]
    np.testing.assert_allclose(p["a"], [0, 0])
    np.testing.assert_allclose(p["b"], 7 * np.eye(2))
    np.testing.assert_allclose(c, [3, 5])
    assert float(found["y"][0]["a"]) == 21
    assert found["y"][0]["a"].dtype == ag.float32
    np.testing.assert_allclose(found["y"][0]["b"], [14, 0])


@pytest.mark.parametrize("way", [ag.jacfwd, ag.jacrev])
def test_shapes(way: Any) -> None:
    x = np.arange(6.0).reshape(2, 3)
    found = way(lambda x: ag.reduce_sum(x * x, 0, keepdims=True))(x)
    assert found.shape == (1, 3, 2, 3)
    np.testing.assert_allclose(found[0, 1], [[0, 2, 0], [0, 8, 0]])
    assert way(lambda x: x[:0])(x).shape == (0, 3, 2, 3)
    assert way(lambda x: ag.reduce_sum(x))(x[:0]).shape == (0, 3)
    assert float(way(lambda x: x * x)(3.0)) == 6
    np.testing.assert_allclose(way(lambda x: x * np.ones(2))(np.float64(3.0)), [1, 1])
    np.testing.assert_allclose(way(lambda x: np.ones(2) + 0 * x[0, 0])(x), np.zeros((2, 2, 3)))


@pytest.mark.parametrize("way", [ag.jacfwd, ag.jacrev])
def test_the_conventions_of_numpy(way: Any) -> None:
    @ag.jit
    def f(x: Any) -> Any:
        y = np.zeros(4)
        y[1:] = x * x
        y[0] = x[2]
        return y

    found = way(f)(np.array([1.0, 2.0, 3.0]))
    assert isinstance(found, np.ndarray)
    np.testing.assert_allclose(found, [[0, 0, 1], [2, 0, 0], [0, 4, 0], [0, 0, 6]])


@pytest.mark.parametrize("way", [ag.jacfwd, ag.jacrev])
def test_sizes_of_the_run_time(way: Any) -> None:
    kinds = [ag.TensorSpec([None], ag.float64)]
    f = ag.function(way(lambda v: ag.concat([v, v * v], 0)), input_signature=kinds)
    for n in (0, 1, 3):
        v = np.arange(1.0, n + 1)
        np.testing.assert_allclose(f(v), np.concatenate([np.eye(n), np.diag(2 * v)]))


def test_with_something_else() -> None:
    jac, aux = ag.jacfwd(lambda x: (x * x, x + 1.0), has_aux=True)(np.array([1.0, 2.0]))
    np.testing.assert_allclose(jac, [[2, 0], [0, 4]])
    np.testing.assert_allclose(aux, [2, 3])


def test_what_has_no_jacobian() -> None:
    with pytest.raises(TypeError, match=r"jacfwd\(\) of complex numbers"):
        ag.jacfwd(lambda z: z * z)(np.array([1j]))
    np.testing.assert_allclose(ag.jacrev(lambda z: z * z)(np.array([1j])), [[-2j]])
    with pytest.raises(TypeError, match="returns int64"):
        ag.jacrev(lambda x: ag.cast(x, ag.int64))(1.0)


@pytest.mark.parametrize("shape", [(3, 2), (2, 3)], ids=str)
def test_a_tape_takes_the_shorter_way(shape: tuple[int, int]) -> None:
    matrix = np.arange(6.0).reshape(shape) + 0.5

    def eager(v: Any) -> Any:
        with ag.GradientTape(persistent=True) as tape:
            tape.watch(v)
            u = v * v
            with tape.stop_recording():
                constant = ag.reduce_sum(v)
            y = ag.sin(ag.linalg.matvec(matrix, u)) * constant
        return tape.jacobian(y, v), tape.jacobian(y, u)

    v = ag.constant(np.linspace(0.2, 0.9, shape[1]))
    for one, other in zip(ag.function(eager)(v), eager(v), strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-12)


@pytest.mark.parametrize("shape", [(3, 2), (2, 3), (2, 0), (0, 2)], ids=str)
def test_rows_of_a_batch(shape: tuple[int, int]) -> None:
    matrix = np.arange(float(np.prod(shape))).reshape(shape) + 0.5
    rows = np.linspace(0.2, 0.9, 4 * shape[1]).reshape(4, shape[1])

    def batch(v: Any) -> Any:
        with ag.GradientTape() as tape:
            tape.watch(v)
            y = ag.sin(v @ matrix.T) * ag.reduce_sum(v, 1, keepdims=True)
        return tape.batch_jacobian(y, v)

    found = ag.function(batch)(rows)
    assert found.shape == (4, *shape)
    for row, one in zip(rows, found.numpy(), strict=True):
        np.testing.assert_allclose(one, _of_row(matrix, row), rtol=1e-9)
    np.testing.assert_allclose(batch(ag.constant(rows)), found)


def _of_row(matrix: Any, v: Any) -> Any:
    inner = matrix @ v
    return np.cos(inner)[:, None] * matrix * v.sum() + np.sin(inner)[:, None]


# Products of second derivatives and a vector.


@ag.custom_gradient
def steep(x: Any) -> Any:
    return ag.tanh(x), lambda upstream: upstream * (1.0 - ag.tanh(x) ** 2)


@ag.function
def power(x: Any, n: Any) -> Any:
    if n <= 0:
        return ag.ones_like(x)
    return x * power(ag.sin(x), n - 1)


OBJECTIVES = {
    "loops": lambda v: ag.reduce_sum(looped(v) ** 2),
    "branches": lambda v: ag.reduce_sum(branched(v)[1]),
    "custom": lambda v: ag.reduce_sum(steep(v * v) * v),
    "host": lambda v: ag.reduce_sum(solved(v) ** 2) + ag.linalg.det(A[:3] + ag.linalg.diag(v)),
    "expm": lambda v: ag.reduce_sum(ag.linalg.expm(ag.linalg.diag(v) + 0.1 * A[:3])),
    "fourier": lambda v: ag.reduce_sum(ag.abs(ag.numpy.fft.rfft(v * v)) ** 2),
    "recursion": lambda v: ag.reduce_sum(power(v, 3)),
    "again": lambda v: ag.reduce_sum(ag.recompute_grad(looped)(v)),
}


def checkpointed(kind: Any) -> Any:
    def f(v: Any) -> Any:
        r = v
        for _ in ag.range(5):
            ag.autograph.set_loop_options(checkpoint=kind)
            r = ag.sin(r) * v[1] + r * r * 0.1
        return ag.reduce_sum(r)

    return f


OBJECTIVES |= {f"checkpoint={kind}": checkpointed(kind) for kind in ("sqrt", "log")}


@pytest.mark.parametrize("name", OBJECTIVES)
def test_second_derivatives_times_a_vector(name: str) -> None:
    f, direction = OBJECTIVES[name], np.array([0.3, -1.0, 0.5])
    gradient = ag.grad(f)
    ends = [gradient(V + step * direction).numpy() for step in (1e-6, -1e-6)]
    expected = (ends[0] - ends[1]) / 2e-6
    for jit_compile in (None, False):
        of = ag.grad(ag.function(f, jit_compile=jit_compile))
        value, product = ag.jvp(of, (V,), (direction,))
        np.testing.assert_allclose(product, expected, rtol=1e-5, atol=1e-7)
        np.testing.assert_allclose(value, gradient(V), rtol=1e-12)
    np.testing.assert_allclose(ag.hessian(f)(V) @ direction, expected, rtol=1e-5, atol=1e-7)
    np.testing.assert_allclose(ag.jacfwd(ag.grad(f))(V) @ direction, expected, rtol=1e-5, atol=1e-7)
