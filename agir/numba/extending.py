"""Numba's ``extending`` module, as far as it is about programs and not about Numba's compiler."""

from __future__ import annotations

import pkgutil
from collections.abc import Callable
from typing import Any

from agir.autograph.operators.calls import IMPLEMENTATIONS
from agir.ir.host.foreign import capsule_pointer
from agir.ir.tensors.tensor import Tensor
from agir.numba import types
from agir.numba.decorators import prepared as register_jitable
from agir.numba.dispatchers import Dispatcher

__all__ = ["get_cython_function_address", "is_jitted", "overload", "register_jitable"]


def get_cython_function_address(module_name: str, function_name: str) -> int:
    """The address of a C function that a module of Cython's offers, for ``ctypes.CFUNCTYPE``."""
    return capsule_pointer(pkgutil.resolve_name(module_name).__pyx_capi__[function_name])


def overload(func: Any, *_: Any, **__: Any) -> Callable[[Any], Any]:
    """What compiled code calls in the place of a function; a decorator (`numba.extending.overload`).

    The decorated function gets the types of the arguments and gives the implementation, or None
    where it has none for these; what was given last is asked first.
    """

    def made(choose: Any) -> Any:
        def chosen(args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
            named = {name: _type_of(value) for name, value in kwargs.items()}
            return choose(*map(_type_of, args), **named)

        IMPLEMENTATIONS.setdefault(func, []).insert(0, chosen)
        return choose

    return made


def _type_of(value: Any) -> Any:
    """The type of a value, which a trace may know by its dtype and dimensions alone."""
    if isinstance(value, Tensor):
        item = types.of_dtype(value.dtype.numpy)
        rank = len(value.shape)
        return types.Array(item, rank, "A") if rank else item
    return types.of_value(value)


def is_jitted(function: Any) -> bool:
    """Whether it is a compiled function (`numba.extending.is_jitted`)."""
    return isinstance(function, Dispatcher)
