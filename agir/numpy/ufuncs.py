"""A function of each element, with the methods of NumPy's ufunc that it is."""

from __future__ import annotations

import inspect
from typing import Any

import numpy as np

from agir.ir import hooks, table
from agir.ir.building.types import is_python_number
from agir.ir.ops.core.recorded import RECORDED
from agir.ir.ops.shapes.numpy_creation import CREATING
from agir.ir.tensors.dispatch import Operation
from agir.numpy.arguments import array, operand


def counterpart(function: Any) -> Any:
    """What is recorded for a function of NumPy's; None where nothing is.

    It is an operation of the table, or a function that takes NumPy's arguments.
    """
    places: list[Any] = [RECORDED, CREATING, table.NUMPY]
    if isinstance(function, np.ufunc):
        places.reverse()
    return next((place[function] for place in places if function in place), None)


class Elementwise:
    """A function of each element, with the methods of NumPy's ufunc that it is."""

    def __init__(self, name: str, ufunc: Any) -> None:
        operation = counterpart(ufunc)
        self.__name__ = self.__qualname__ = name
        self.__doc__ = inspect.getdoc(operation)
        self.__signature__ = _SIGNATURES[ufunc.nin]
        self.operation = operation
        """What is recorded."""
        self.ufunc = ufunc
        """NumPy's function."""

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Apply the function; keywords are NumPy's ``out``, ``where`` and ``dtype``."""
        if not kwargs and isinstance(self.operation, Operation):
            return self.operation(*_operands(args))
        self.__signature__.bind(*args, **{k: v for k, v in kwargs.items() if k not in _KEYWORDS})
        return hooks.tensors.ufunc(self.ufunc, "__call__", tuple(map(array, args)), kwargs)

    def _method(self, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        first, *rest = args
        return hooks.tensors.ufunc(self.ufunc, name, (array(first), *rest), kwargs)

    def reduce(self, *args: Any, **kwargs: Any) -> Any:
        """The function applied between the elements along an axis."""
        return self._method("reduce", args, kwargs)

    def accumulate(self, *args: Any, **kwargs: Any) -> Any:
        """The results of :meth:`reduce` on the way along an axis."""
        return self._method("accumulate", args, kwargs)

    def outer(self, *args: Any, **kwargs: Any) -> Any:
        """The function of each pair of elements of two arrays."""
        return self._method("outer", tuple(map(array, args)), kwargs)

    def at(self, *args: Any, **kwargs: Any) -> Any:
        """The function applied in place to the elements at some indices, repeated ones as often."""
        return self._method("at", args, kwargs)

    def __repr__(self) -> str:
        return f"<function agir.numpy.{self.__name__}>"


def _one(x: Any, /) -> Any: ...


def _two(x1: Any, x2: Any, /) -> Any: ...


_SIGNATURES = {1: inspect.signature(_one), 2: inspect.signature(_two)}
_KEYWORDS = ("out", "where", "dtype", "casting", "order", "subok")


def _operands(args: tuple[Any, ...]) -> list[Any]:
    """Python numbers count as weak only beside an array."""
    found = [operand(value) for value in args]
    return [array(v) for v in found] if all(map(is_python_number, found)) else found
