"""Chains of elementary functions over large arrays: one pass of SIMD code, without a temporary."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

import agir as ag

from .harness import Contender, Row, call_by_machine_code, measure, optional

SIZES = (1_000, 100_000, 10_000_000)
ALONE = 100_000
DTYPES = (np.float32, np.float64)

# One function each, and the bounds of its arguments.
FUNCTIONS: dict[str, tuple[Callable[..., Any], tuple[float, float]]] = {
    "exp": (lambda x: np.exp(x), (0.1, 8.0)),
    "exp2": (lambda x: np.exp2(x), (0.1, 8.0)),
    "expm1": (lambda x: np.expm1(x), (0.1, 8.0)),
    "log": (lambda x: np.log(x), (0.1, 8.0)),
    "log2": (lambda x: np.log2(x), (0.1, 8.0)),
    "log10": (lambda x: np.log10(x), (0.1, 8.0)),
    "log1p": (lambda x: np.log1p(x), (0.1, 8.0)),
    "sin": (lambda x: np.sin(x), (0.1, 8.0)),
    "cos": (lambda x: np.cos(x), (0.1, 8.0)),
    "tan": (lambda x: np.tan(x), (0.1, 8.0)),
    "sinh": (lambda x: np.sinh(x), (0.1, 8.0)),
    "cosh": (lambda x: np.cosh(x), (0.1, 8.0)),
    "tanh": (lambda x: np.tanh(x), (0.1, 8.0)),
    "arcsin": (lambda x: np.arcsin(x), (-1.0, 1.0)),
    "arccos": (lambda x: np.arccos(x), (-1.0, 1.0)),
    "arctan": (lambda x: np.arctan(x), (0.1, 8.0)),
    "arcsinh": (lambda x: np.arcsinh(x), (0.1, 8.0)),
    "arccosh": (lambda x: np.arccosh(x), (1.1, 8.0)),
    "arctanh": (lambda x: np.arctanh(x), (-1.0, 1.0)),
    "cbrt": (lambda x: np.cbrt(x), (0.1, 8.0)),
    "arctan2": (lambda x, y: np.arctan2(x, y), (0.1, 8.0)),
    "power": (lambda x, y: np.power(x, y), (0.1, 8.0)),
}

Array = NDArray[Any]


def chain(x: Array, y: Array) -> Array:
    return np.tanh(x * y + 1) * np.exp(-x * x) + np.sin(y) * np.log(x * x + 1)  # type: ignore[no-any-return]


def with_numba(numba: Any) -> Callable[..., Array]:
    return numba.njit(fastmath=True)(chain)  # type: ignore[no-any-return]


def with_jax(jax: Any, name: str | None = None) -> Callable[..., Array]:
    """A function of NumPy arrays whose result is waited for."""
    jax.config.update("jax_enable_x64", True)
    jnp = jax.numpy

    def formula(x: Any, y: Any) -> Any:
        return jnp.tanh(x * y + 1) * jnp.exp(-x * x) + jnp.sin(y) * jnp.log(x * x + 1)

    compiled = jax.jit(getattr(jnp, name) if name else formula)
    return lambda *arrays: compiled(*arrays).block_until_ready()  # type: ignore[no-any-return]


def benchmark(rounds: int) -> list[Row]:
    peers = {name: optional(name) for name in ("numba", "jax")}
    rows: list[Row] = []
    call_by_machine_code()
    for size in SIZES:
        for dtype in DTYPES:
            rows += chains(size, dtype, rounds, peers)
    for name in FUNCTIONS:
        for dtype in DTYPES:
            rows += alone(name, dtype, rounds, peers)
    return rows


def chains(size: int, dtype: Any, rounds: int, peers: dict[str, Any]) -> list[Row]:
    generator = np.random.default_rng(0)
    arrays = [generator.uniform(-3, 3, size).astype(dtype) for _ in range(2)]
    functions = {"agir": ag.jit(chain), "NumPy": chain}
    if peers["numba"]:
        functions["Numba"] = with_numba(peers["numba"])
    if peers["jax"]:
        functions["JAX"] = with_jax(peers["jax"])
    title = f"chain of 4 functions, {size:.0e} {np.dtype(dtype)}"
    return compare(title, functions, arrays, rounds, chain)


def alone(name: str, dtype: Any, rounds: int, peers: dict[str, Any]) -> list[Row]:
    formula, (low, high) = FUNCTIONS[name]
    generator = np.random.default_rng(1)
    count = formula.__code__.co_argcount
    arrays = [generator.uniform(low, high, ALONE).astype(dtype) for _ in range(count)]
    ufunc = getattr(np, name)
    functions = {"agir": ag.jit(formula), "NumPy": ufunc}
    if peers["numba"]:
        functions["Numba"] = peers["numba"].njit(fastmath=True)(formula)
    if peers["jax"]:
        functions["JAX"] = with_jax(peers["jax"], name)
    return compare(f"{name}, {ALONE:.0e} {np.dtype(dtype)}", functions, arrays, rounds, ufunc)


def compare(
    title: str,
    functions: dict[str, Callable[..., Any]],
    arrays: Sequence[Array],
    rounds: int,
    exact: Callable[..., Array],
) -> list[Row]:
    """Ratios are to agir: how many times as long the others take."""
    expected = exact(*(array.astype(np.float64) for array in arrays))
    tolerance = 1e-5 if arrays[0].dtype == np.float32 else 1e-12
    calls = max(1, 200_000 // arrays[0].size)

    def contender(name: str, function: Callable[..., Any]) -> Contender:
        def run() -> Any:
            for _ in range(calls):
                result = function(*arrays)
            return result

        def check(result: Any) -> None:
            error = np.linalg.norm(np.asarray(result) - expected) / np.linalg.norm(expected)
            assert error < tolerance, (title, name, error)

        return Contender(name, run, calls=calls, check=check)

    contenders = [contender(name, function) for name, function in functions.items()]
    return measure(title, contenders, rounds, reference="agir")
