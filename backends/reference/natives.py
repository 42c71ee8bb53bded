"""What programs call of the C library, and of agir's own code, in the place of machine code."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

import numpy as np

from agir.errors import UnsupportedOperation

from .core.bytes import Memory


class Machine(Protocol):
    """What such a function works on."""

    @property
    def memory(self) -> Memory:
        """The bytes of the module."""

    def pointed(self, address: int) -> Any:
        """The function at an address."""


Native = Callable[[Machine, Sequence[Any]], list[Any]]

_MANY = 1 << 30
"""Iterations after which signals would be handled."""
_UNARY = {
    "sin": np.sin, "cos": np.cos, "tan": np.tan, "asin": np.arcsin, "acos": np.arccos,
    "atan": np.arctan, "sinh": np.sinh, "cosh": np.cosh, "tanh": np.tanh, "asinh": np.arcsinh,
    "acosh": np.arccosh, "atanh": np.arctanh, "exp": np.exp, "exp2": np.exp2, "expm1": np.expm1,
    "log": np.log, "log2": np.log2, "log10": np.log10, "log1p": np.log1p, "sqrt": np.sqrt,
    "cbrt": np.cbrt, "floor": np.floor, "ceil": np.ceil, "trunc": np.trunc, "fabs": np.fabs,
    "rint": np.rint, "roundeven": np.rint,
}  # fmt: skip
_BINARY = {
    "pow": np.power, "atan2": np.arctan2, "fmod": np.fmod, "hypot": np.hypot,
    "copysign": np.copysign,
}  # fmt: skip


def _allocate(machine: Machine, operands: Sequence[Any]) -> list[Any]:
    return [np.int64(machine.memory.allocate(int(operands[-1])))]


def _allocate_aligned(machine: Machine, operands: Sequence[Any]) -> list[Any]:
    align, size = map(int, operands)
    return [np.int64(machine.memory.allocate(size, align))]


def _free(machine: Machine, operands: Sequence[Any]) -> list[Any]:
    machine.memory.free(int(operands[0]))
    return []


def _run_iterations(machine: Machine, operands: Sequence[Any]) -> list[Any]:
    task, data, iterations, *_ = operands
    machine.pointed(int(task)).run([data, np.int64(0), iterations])
    return []


def _leave(machine: Machine, operands: Sequence[Any]) -> list[Any]:
    raise UnsupportedOperation("a loop is left by a failure, before there are branches")


def _of_complex(function: Callable[..., Any]) -> Native:
    """A function of complex numbers, each of which is one, or two numbers."""

    def computed(machine: Machine, operands: Sequence[Any]) -> list[Any]:
        given = [_complex(*each) if isinstance(each, tuple) else each for each in operands]
        result = function(*given)
        if given[0] is operands[0] or not np.iscomplexobj(result):
            return [result]
        return [(result.real, result.imag)]

    return computed


def _complex(real: Any, imaginary: Any) -> Any:
    return (np.complex64 if real.dtype.itemsize == 4 else np.complex128)(complex(real, imaginary))


def _computed(function: Callable[..., Any]) -> Native:
    return lambda machine, operands: [operands[0].dtype.type(function(*operands))]


_COMPLEX = {
    "abs": np.abs, "acos": np.arccos, "acosh": np.arccosh, "asin": np.arcsin, "asinh": np.arcsinh,
    "atan": np.arctan, "atanh": np.arctanh, "cos": np.cos, "cosh": np.cosh, "exp": np.exp,
    "log": np.log, "pow": np.power, "sin": np.sin, "sinh": np.sinh, "sqrt": np.sqrt, "tan": np.tan,
    "tanh": np.tanh,
}  # fmt: skip

NATIVES: dict[str, Native] = {
    "malloc": _allocate,
    "aligned_alloc": _allocate_aligned,
    "free": _free,
    "agir_iterations": lambda machine, operands: [np.int64(_MANY)],
    "agir_iterations_left": lambda machine, operands: [np.int64(_MANY)],
    "agir_iterations_done": lambda machine, operands: [],
    "agir_run_iterations": _run_iterations,
    "agir_leave_loop": _leave,
    "agir_left_loop": lambda machine, operands: [],
    **{
        f"{name}{suffix}": _computed(function)
        for table in (_UNARY, _BINARY)
        for name, function in table.items()
        for suffix in ("", "f")
    },
    **{
        f"c{name}{suffix}": _of_complex(function)
        for name, function in _COMPLEX.items()
        for suffix in ("", "f")
    },
}
"""By their names, what gives the results for the operands."""
