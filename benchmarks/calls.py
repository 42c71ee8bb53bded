"""What a call costs that computes next to nothing, by the kinds of arguments and of results."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

import agir as ag

from .harness import Contender, Row, measure, optional

CALLS = 5_000


def expression(x: Any, y: Any, z: Any) -> Any:
    return x * 2 + y - z


def scalar(a: Any, b: Any) -> Any:
    return a * 2.0 + b


def in_place(x: Any, y: Any) -> Any:
    x += y
    return x


def with_names(x: Any, shift: Any, scale: Any = 2.0) -> Any:
    return x * scale + shift


def of_pair(pair: Any, z: Any) -> Any:
    return pair[0] * 2 + pair[1] - z


def two_results(x: Any, y: Any) -> Any:
    return x + y, x - y


def element(x: Any, i: Any) -> Any:
    return x[i]


class Model:
    """Something with a method; ``jitted`` and ``function`` are decorated ones."""

    def __init__(self) -> None:
        self.w = np.linspace(-1.0, 1.0, 8)
        self.table = ag.Variable(np.zeros(8))
        self.count = ag.Variable(0)

    def plain(self, x: Any) -> Any:
        return x * 2.0 + self.w

    jitted = ag.jit(plain)

    @ag.function
    def update(self, x: Any) -> Any:
        self.table.assign(x * 2.0)
        self.count.assign_add(1)
        return self.table + 1.0


def many(function: Callable[..., Any], arguments: Sequence[Any], names: Any) -> Callable[[], Any]:
    """Calls of the function, as many as fill a measurable time."""

    def run() -> Any:
        for _ in range(CALLS):
            result = function(*arguments, **names)
        return result

    return run


@dataclass
class Case:
    """A program, what it is called with, and who else can run it."""

    title: str
    function: Callable[..., Any]
    arguments: Sequence[Any]
    names: dict[str, Any] = field(default_factory=dict)
    numba: bool = True
    jax: bool = True
    tensors: bool = True
    changes: bool = False
    """Whether the first result is not that of the other calls."""


ARRAYS = [np.linspace(low, low + 1.0, 8) for low in (0.0, 1.0, 2.0)]
X, Y, Z = ARRAYS

CASES = (
    Case("call, three f64[8], x * 2 + y - z", expression, ARRAYS),
    Case("call, two floats, a * 2.0 + b", scalar, (1.5, 2.5)),
    Case(
        "call, x += y in place", in_place, (np.zeros(8), Y), jax=False, tensors=False, changes=True
    ),
    Case("call, a name and a default", with_names, (X,), {"shift": 1.5}),
    Case("call, a tuple of arrays", of_pair, ((X, Y), Z), tensors=False),
    Case("call, two results", two_results, (X, Y)),
    Case("call, a checked index, x[i]", element, (X, 3)),
)


def contenders(case: Case) -> list[Contender]:
    expected = case.function(*case.arguments, **case.names)

    def check(result: Any) -> None:
        if not case.changes:
            for one, other in zip(_leaves(result), _leaves(expected), strict=True):
                np.testing.assert_array_equal(np.asarray(one), other)

    def contender(name: str, run: Callable[..., Any], arguments: Sequence[Any]) -> Contender:
        return Contender(name, many(run, arguments, case.names), calls=CALLS, check=check)

    jitted = ag.jit(case.function)
    found = [contender("agir, @ag.jit", jitted, case.arguments)]
    if case is CASES[0]:
        concrete = jitted.get_concrete_function(*case.arguments)
        found.append(contender("agir, its concrete function", concrete, case.arguments))
    if case.tensors:
        tensors = [ag.constant(x, getattr(x, "dtype", ag.float64)) for x in case.arguments]
        if case.function is element:
            tensors[1] = case.arguments[1]
        tensor_function = ag.function(case.function)
        found.append(contender("agir, @ag.function on tensors", tensor_function, tensors))
    is_scalar = not any(isinstance(x, (np.ndarray, tuple)) for x in case.arguments)
    plain = "plain Python" if is_scalar else "NumPy"
    found.append(contender(plain, case.function, case.arguments))
    if case.numba and (numba := optional("numba")):
        found.append(contender("Numba", numba.njit(case.function), case.arguments))
    if case.jax and (jax := optional("jax")):
        jax.config.update("jax_enable_x64", True)
        compiled = jax.jit(case.function)
        ready = jax.tree.map(jax.numpy.asarray, tuple(case.arguments))
        found.append(
            contender(
                "JAX on its arrays",
                lambda *a, **names: jax.block_until_ready(compiled(*a, **names)),
                ready,
            )
        )
    return found


def _leaves(value: Any) -> Sequence[Any]:
    return value if isinstance(value, tuple) else (value,)


def _methods() -> list[Contender]:
    model = Model()
    expected = model.plain(X)

    def contender(name: str, run: Callable[[], Any]) -> Contender:
        check = lambda result: np.testing.assert_allclose(np.asarray(result), expected)  # noqa: E731
        return Contender(name, many(run, (), {}), calls=CALLS, check=check)

    return [
        contender("agir, @ag.jit on a method", lambda: model.jitted(X)),
        contender("NumPy, a method", lambda: model.plain(X)),
    ]


def _state() -> list[Contender]:
    model, table, x = Model(), np.zeros(8), ag.constant(X)
    count = [0]

    def by_hand() -> Any:
        np.multiply(X, 2.0, out=table)
        count[0] += 1
        return table + 1.0

    def contender(name: str, run: Callable[[], Any]) -> Contender:
        check = lambda result: np.testing.assert_allclose(np.asarray(result), X * 2 + 1)  # noqa: E731
        return Contender(name, many(run, (), {}), calls=CALLS, check=check)

    return [
        contender("agir, two Variables of an object", lambda: model.update(x)),
        contender("NumPy, by hand", by_hand),
    ]


def benchmark(rounds: int) -> list[Row]:
    rows: list[Row] = []
    for case in CASES:
        rows += measure(case.title, contenders(case), rounds, aim=1.5e-6)
    rows += measure("call, a method, x * 2.0 + self.w", _methods(), rounds, aim=1.5e-6)
    rows += measure("call, a method that writes state", _state(), rounds, aim=1.5e-6)
    return rows
