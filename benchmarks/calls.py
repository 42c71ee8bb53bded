"""What a call costs: three small arrays and an expression of them; two numbers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

import agir as ag

from .harness import Contender, Row, measure, optional

CALLS = 5_000


def expression(x: Any, y: Any, z: Any) -> Any:
    return x * 2 + y - z


def scalar(a: Any, b: Any) -> Any:
    return a * 2.0 + b


def many(function: Callable[..., Any], arguments: Sequence[Any]) -> Callable[[], Any]:
    """Calls of the function, as many as fill a measurable time."""

    def run() -> Any:
        for _ in range(CALLS):
            result = function(*arguments)
        return result

    return run


def compare(
    title: str, function: Callable[..., Any], arguments: Sequence[Any], rounds: int, plain: str
) -> list[Row]:
    expected = function(*arguments)

    def check(result: Any) -> None:
        np.testing.assert_array_equal(np.asarray(result), expected)

    def contender(name: str, run: Callable[..., Any], arguments: Sequence[Any]) -> Contender:
        return Contender(name, many(run, arguments), calls=CALLS, check=check)

    tensors = [ag.constant(argument, ag.float64) for argument in arguments]
    jitted = ag.jit(function)
    concrete = jitted.get_concrete_function(*arguments)
    contenders = [
        contender("agir, @ag.jit", jitted, arguments),
        contender("agir, its concrete function", concrete, arguments),
        contender("agir, @ag.function on tensors", ag.function(function), tensors),
        contender(plain, function, arguments),
    ]
    if numba := optional("numba"):
        contenders.append(contender("Numba", numba.njit(function), arguments))
    if jax := optional("jax"):
        jax.config.update("jax_enable_x64", True)
        ready = [jax.numpy.asarray(argument) for argument in arguments]
        compiled = jax.jit(function)
        contenders.append(
            contender("JAX on its arrays", lambda *a: compiled(*a).block_until_ready(), ready)
        )
    return measure(title, contenders, rounds, aim=1.5e-6)


def benchmark(rounds: int) -> list[Row]:
    arrays = [np.linspace(low, low + 1.0, 8) for low in (0.0, 1.0, 2.0)]
    return [
        *compare("call, three f64[8], x * 2 + y - z", expression, arrays, rounds, "NumPy"),
        *compare("call, two floats, a * 2.0 + b", scalar, (1.5, 2.5), rounds, "plain Python"),
    ]
