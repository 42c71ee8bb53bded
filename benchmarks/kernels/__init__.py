"""Fourteen programs as NumPy users write them: agir next to NumPy, Numba and JAX.

Each is a module with

* a function of the module's own name, the NumPy program, which knows nothing of agir;
* ``inputs(size)``, its arguments for ``"full"`` and ``"small"``;
* ``CHANGED``, where there is one: the positions of the arguments that it writes its results into;
* ``SCALE``, where there is one: what errors are relative to where the result itself is near zero;
* ``loops``, where there is one: the same as loops over elements, for Numba;
* ``with_jax(jax)``: the program as a JAX user writes it, a function that returns all results.
"""

from __future__ import annotations

import importlib
import types
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

NAMES = (
    "jacobi_2d",
    "hdiff",
    "vadv",
    "adi",
    "nbody",
    "azimint_hist",
    "spmv",
    "cholesky",
    "mandelbrot",
    "floyd_warshall",
    "softmax",
    "smith_waterman",
    "lbfgs",
    "dynamic_rnn",
)

_TOLERANCES = {np.dtype(np.float32): 1e-4, np.dtype(np.float64): 1e-6}


class Kernel:
    """One of the programs, with what it is called with and compared with."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.module = importlib.import_module(f"{__name__}.{name}")
        self.function: Callable[..., Any] = getattr(self.module, name)
        self.loops: Callable[..., Any] | None = getattr(self.module, "loops", None)
        self.with_jax: Callable[[Any], Callable[..., Any]] = self.module.with_jax
        self.inputs: Callable[[str], tuple[Any, ...]] = self.module.inputs
        self.scale: float = getattr(self.module, "SCALE", 0.0)
        self._changed: tuple[int, ...] = getattr(self.module, "CHANGED", ())

    def results(self, returned: Any, arguments: Sequence[Any]) -> list[Any]:
        """What a call has computed: what it returned, and the arguments that it has changed."""
        changed = [arguments[position] for position in self._changed]
        given = returned if isinstance(returned, tuple) else (returned,)
        return [*(value for value in given if value is not None), *changed]

    def expected(self, size: str) -> list[Any]:
        """The results of the program as NumPy runs it."""
        arguments = fresh(self.inputs(size))
        return self.results(self.function(*arguments), arguments)


def fresh(arguments: Sequence[Any]) -> tuple[Any, ...]:
    """Copies of the arguments, which a call may write into."""
    return tuple(a.copy() if isinstance(a, np.ndarray) else a for a in arguments)


def check(found: Sequence[Any], expected: Sequence[Any], scale: float = 0.0) -> None:
    """Hold results against NumPy's: integers exactly, others by the relative 2-norm."""
    assert len(found) == len(expected), (len(found), len(expected))
    for value, wanted in zip(map(np.asarray, found), map(np.asarray, expected), strict=True):
        assert value.shape == wanted.shape, (value.shape, wanted.shape)
        if wanted.dtype.kind in "iub":
            np.testing.assert_array_equal(value, wanted)
            continue
        size = max(np.linalg.norm(wanted.ravel()), scale)
        error = np.linalg.norm((value - wanted).ravel())
        assert size > 0, "a result that is zero altogether shows nothing"
        assert error <= _TOLERANCES[wanted.real.dtype] * size, error / size


def with_numba(numba: Any, function: Callable[..., Any]) -> Any:
    """The function compiled by Numba, and the functions of its module that it calls."""
    helpers = {
        name: value
        for name, value in function.__globals__.items()
        if name in function.__code__.co_names and isinstance(value, types.FunctionType)
    }
    compiled = {name: with_numba(numba, value) for name, value in helpers.items()}
    copied = types.FunctionType(
        function.__code__, {**function.__globals__, **compiled}, function.__name__
    )
    return numba.njit(fastmath=True)(copied)
