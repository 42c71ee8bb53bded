"""The functions of NumPy that are recorded on traced arrays, under NumPy's names and arguments."""

from __future__ import annotations

import inspect
from typing import Any

import numpy as np

from agir.ir import hooks
from agir.ir.tensors import dispatch
from agir.numpy.arguments import array, joined
from agir.numpy.ufuncs import Elementwise, counterpart


class Recorded:
    """A function of NumPy's on tensors, arrays and lists: the operation that the table has for it."""

    def __init__(self, name: str, function: Any, operation: Any) -> None:
        self.__name__ = self.__qualname__ = name
        self.__doc__ = inspect.getdoc(operation)
        self.__signature__ = inspect.signature(operation)
        self.function = function
        """NumPy's function."""
        self.operation = operation
        """What is recorded: an operation of the table, or a function that takes NumPy's arguments."""

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Call the function with NumPy's arguments."""
        if not isinstance(self.operation, dispatch.Operation):
            return self.operation(*args, **kwargs)
        names = list(self.operation.signature.parameters)
        variadic = any(
            p.kind is inspect.Parameter.VAR_POSITIONAL
            for p in self.operation.signature.parameters.values()
        )
        given = [self._value(None if variadic else n, v) for n, v in zip(names, args, strict=False)]
        given = [self._value(None, v) for v in args] if variadic else [*given, *args[len(given) :]]
        named = {name: self._value(name, value) for name, value in kwargs.items()}
        return hooks.tensors.array_function(self.function, tuple(given), named)

    def _value(self, name: str | None, value: Any) -> Any:
        if name is not None and name not in self.operation.operands:
            return value
        if name in self.operation.sequences and isinstance(value, (list, tuple)):
            return [array(each) for each in value]
        return joined(value) if isinstance(value, (list, tuple)) else value

    def __repr__(self) -> str:
        return f"<function agir.numpy.{self.__name__}>"


def find(name: str, space: Any = np) -> Any:
    """The function under NumPy's name; None where the table has no operation for it."""
    function = getattr(space, name, None)
    operation = counterpart(function) if callable(function) else None
    if operation is None:
        return None
    if isinstance(function, np.ufunc):
        return Elementwise(name, function)
    return Recorded(name, function, operation)


def missing(name: str, space: Any, module: str) -> Any:
    """The function for a name that a module of this package does not define."""
    found = find(name, space)
    if found is None:
        raise AttributeError(f"module {module!r} has no attribute {name!r}")
    return found
