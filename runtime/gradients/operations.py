"""How an operation that was evaluated is differentiated: by a function made for calls like it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from agir.ir.building.types import as_dtype
from agir.ir.convention import TENSORFLOW
from agir.ir.gradients import reverse
from agir.ir.state.variables import Variable
from agir.ir.tensors.tensor import Tensor
from agir.ir.tracing import trace as tracing
from agir.runtime.function import GenericFunction
from agir.runtime.recording.traced import Options

_LIMIT = 2048
_functions: dict[Any, GenericFunction[..., Any]] = {}


class _Input:
    """The place of an array that is known only when the function runs."""

    def __init__(self, number: int) -> None:
        self.number = number


class Call:
    """A call of an operation: its arrays of numbers, and the rest of its parameters."""

    def __init__(self, operation: Any, parameters: dict[str, Any]) -> None:
        self._operation = operation
        self.inputs: list[Any] = []
        self._parameters = {
            name: value if name in operation.verbatim else self._taken(value)
            for name, value in parameters.items()
        }

    def _taken(self, value: Any) -> Any:
        if isinstance(value, (list, tuple)) and type(value) in (list, tuple):
            return type(value)(self._taken(each) for each in value)
        if isinstance(value, (Tensor, np.ndarray, np.generic)) and _is_number(value):
            self.inputs.append(value)
            return _Input(len(self.inputs) - 1)
        return value

    def pull(self, live: Sequence[bool]) -> Callable[[list[Any]], list[Any]]:
        """From the cotangents of the results to those of the live inputs."""
        values = [_value(each) for each in self.inputs]
        # A function for each kind of inputs: one that is traced for many of them warns of it.
        kinds = tuple((str(v.dtype), tuple(v.shape)) for v in values)
        key = (self._operation.name, frozen(self._parameters), tuple(live), kinds)

        def run(received: list[Any]) -> list[Any]:
            function = _functions.get(key)
            if function is None:
                if len(_functions) >= _LIMIT:
                    _functions.clear()
                function = _functions[key] = self._function(live)
            return list(function(tuple(values), tuple(received)))

        return run

    def _function(self, live: Sequence[bool]) -> GenericFunction[..., Any]:
        operation, parameters = self._operation, self._parameters

        def body(inputs: Any, received: Any) -> Any:
            trace = tracing.current()
            assert trace is not None
            own = [
                reverse.separate(trace, v) if w else v for v, w in zip(inputs, live, strict=True)
            ]
            result = operation(**{name: _filled(v, own) for name, v in parameters.items()})
            outputs = result if isinstance(result, tuple) else (result,)
            pairs = [(o, c) for o, c in zip(outputs, received, strict=True) if c is not None]
            sources = [v for v, wanted in zip(own, live, strict=True) if wanted]
            found = reverse.backward(
                trace,
                [o.ssa for o, _ in pairs],
                [c.ssa for _, c in pairs],
                [v.storage.origin for v in sources],
            )
            return tuple(
                None if ssa is None else trace.make(ssa, v.dtype, v.dims)
                for ssa, v in zip(found, sources, strict=True)
            )

        body.__name__ = f"{operation.name}_backward"
        options = Options(convention=TENSORFLOW, jit_compile=False, convert=False)
        return GenericFunction(body, options)


def _value(value: Any) -> Any:
    return value.read_value() if isinstance(value, Variable) else value


def _is_number(value: Any) -> bool:
    try:
        return as_dtype(value.dtype).kind in "fc"
    except TypeError:
        return False


def _filled(value: Any, inputs: Sequence[Any]) -> Any:
    if isinstance(value, _Input):
        return inputs[value.number]
    if type(value) in (list, tuple):
        return type(value)(_filled(each, inputs) for each in value)
    return value


_kept: list[Any] = []


def frozen(value: Any) -> Any:
    """A key for what a function is made for: equal for values that mean the same."""
    if isinstance(value, _Input):
        return ("input", value.number)
    if isinstance(value, (Tensor, np.ndarray, np.generic)):
        array = np.asarray(value.numpy() if isinstance(value, Tensor) else value)
        return ("array", array.dtype.str, array.shape, array.tobytes())
    if isinstance(value, (list, tuple)):
        return (type(value), *map(frozen, value))
    if isinstance(value, dict):
        return (dict, *((name, frozen(each)) for name, each in value.items()))
    if isinstance(value, slice):
        return (slice, frozen(value.start), frozen(value.stop), frozen(value.step))
    try:
        hash(value)
    except TypeError:
        _kept.append(value)
        return ("object", id(value))
    return (type(value), value)
