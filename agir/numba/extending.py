"""Numba's ``extending`` module, as far as it is about programs and not about Numba's compiler."""

from __future__ import annotations

import functools
import pkgutil
from collections.abc import Callable
from typing import Any

from agir.autograph.libraries import ATTRIBUTES
from agir.autograph.operators.calls import IMPLEMENTATIONS, call
from agir.ir.host.foreign import capsule_pointer
from agir.ir.tensors.tensor import Tensor
from agir.numba import types
from agir.numba.absent import COMPILER, Absent, AbsentDecorator
from agir.numba.decorators import prepared as register_jitable
from agir.numba.dispatchers import Dispatcher

intrinsic = AbsentDecorator("intrinsic", "it writes LLVM IR, which is agir's own here")
_OF_THE_COMPILER = (
    "NativeValue", "as_numba_type", "box", "infer", "infer_getattr", "lower_builtin", "lower_cast",
    "lower_getattr", "lower_getattr_generic", "lower_setattr", "lower_setattr_generic",
    "make_attribute_wrapper", "models", "overload_classmethod", "reflect", "register_model",
    "type_callable", "typeof_impl", "unbox",
)  # fmt: skip


def __getattr__(name: str) -> Any:
    if name in _OF_THE_COMPILER:
        return Absent(f"extending.{name}", COMPILER)
    raise AttributeError(f"agir.numba.extending has no {name!r}")


__all__ = [
    "get_cython_function_address",
    "intrinsic",
    "is_jitted",
    "overload",
    "overload_attribute",
    "overload_method",
    "register_jitable",
]


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


def overload_method(kind: Any, name: str, **_: Any) -> Callable[[Any], Any]:
    """A method of a type's values in compiled code (`numba.extending.overload_method`).

    ``kind`` is a class of types such as ``types.Array``, or a type; the decorated function gets the
    types of the value and of the arguments, and gives the implementation.
    """

    def made(choose: Any) -> Any:
        def method(*_: Any, **__: Any) -> Any:
            raise TypeError(f"{kind} has no method {name!r} for such arguments")

        overload(method)(choose)
        _give(kind, name, lambda value: lambda: functools.partial(method, value))
        return choose

    return made


def overload_attribute(kind: Any, name: str, **_: Any) -> Callable[[Any], Any]:
    """An attribute of a type's values in compiled code (`numba.extending.overload_attribute`)."""

    def made(choose: Any) -> Any:
        def get(value: Any) -> Any:
            given = choose(_type_of(value))
            return None if given is None else functools.partial(call, given, (value,))

        _give(kind, name, get)
        return choose

    return made


def _give(kind: Any, name: str, get: Callable[[Any], Any]) -> None:
    """Give an attribute to the values of a type, or of a class of types."""

    def given(value: Any) -> Any:
        found = _type_of(value)
        is_meant = isinstance(found, kind) if isinstance(kind, type) else found == kind
        return get(value) if is_meant else None

    ATTRIBUTES.setdefault(name, []).insert(0, given)


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
