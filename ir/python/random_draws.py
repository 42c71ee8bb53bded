"""Random numbers of NumPy's and Python's generators, under NumPy's conventions.

They are drawn by the generator itself when the compiled function runs, in the order of the program,
so that they are the numbers that the plain function would have drawn.  What they are is seen from a
copy of the generator, with numbers in the place of those that only the run time knows.
"""

from __future__ import annotations

import copy
import random
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

from agir.errors import StagingError
from agir.ir import structure
from agir.ir.ops.host_calls import HostFunction, Result, record
from agir.ir.symbolic import SymbolicTensor
from agir.ir.trace import Trace
from agir.ir.types import as_dtype

_GENERATORS = (np.random.Generator, np.random.RandomState, random.Random)
_MAKING = (np.random.default_rng, np.random.RandomState, random.Random)
_NOT_DRAWN = frozenset(
    [
        "bit_generator",
        "get_state",
        "set_state",
        "getstate",
        "setstate",
        "spawn",
        "jumped",
        "__init__",
    ]
)
_SHUFFLING = "shuffle"
_GLOBAL = np.random.random.__self__  # type: ignore[attr-defined]
_FUNCTIONS = {
    np.random.seed: _GLOBAL.seed,
    np.random.ranf: _GLOBAL.random_sample,
    np.random.sample: _GLOBAL.random_sample,
}
"""Functions of ``numpy.random`` that are no methods, and the methods that they stand for."""


def find(trace: Trace, function: Any) -> Callable[..., Any] | None:
    """What stands for a method of a generator, or what makes one; None for anything else."""
    if not trace.convention.arrays_are_mutable:
        return None
    if function in _MAKING:
        return partial(_made, trace, function)
    function = _FUNCTIONS.get(function, function)
    owner, name = getattr(function, "__self__", None), getattr(function, "__name__", "")
    if not isinstance(owner, _GENERATORS) or name in _NOT_DRAWN:
        return None
    return partial(_drawn, trace, owner, name)


def _made(trace: Trace, kind: Any, *args: Any, **kwargs: Any) -> Any:
    """A generator that begins anew whenever the program gets here."""
    call = _Call(kind, args, kwargs)
    if any(isinstance(leaf, _GENERATORS) for leaf in call.leaves):
        return kind(*args, **kwargs)
    generator = call.sampled(kind)

    def begin(values: Sequence[Any], _: Sequence[Result]) -> list[Any]:
        _set_state(generator, _state(call.made(kind, values)))
        return []

    record(trace, HostFunction(call.name, begin), call.inputs)
    return generator


def _drawn(trace: Trace, owner: Any, name: str, *args: Any, **kwargs: Any) -> Any:
    call = _Call(getattr(owner, name), args, kwargs)
    if name == _SHUFFLING and args and isinstance(args[0], SymbolicTensor):
        return _shuffled(trace, owner, call, args[0])
    found = _Found(trace, call.name, call.sampled(getattr(copy.deepcopy(owner), name)))
    results = [] if found.kind is None else [found.result(exact=not call.inputs)]

    def draw(values: Sequence[Any], _: Sequence[Result]) -> list[Any]:
        given = call.made(getattr(owner, name), values)
        return [np.asarray(given, each.dtype.numpy) for each in results]

    drawn = record(trace, HostFunction(call.name, draw, results), call.inputs)
    return found.seen(drawn[0]) if results else None


def _shuffled(trace: Trace, owner: Any, call: _Call, array: SymbolicTensor) -> None:
    result = Result(0, array.dtype, array.shape)

    def shuffle(values: Sequence[Any], _: Sequence[Result]) -> list[Any]:
        values = [values[0].copy(), *values[1:]]
        call.made(owner.shuffle, values)
        return [values[0]]

    array[...] = record(trace, HostFunction(call.name, shuffle, [result]), call.inputs)[0]


class _Call:
    """The arguments of a call, of which the program gives those that only the run time knows."""

    def __init__(self, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        self.name = getattr(function, "__name__", repr(function))
        self.args, self.kwargs = args, kwargs
        self.leaves, self._structure = structure.flatten((args, kwargs))
        self.inputs = [leaf for leaf in self.leaves if isinstance(leaf, SymbolicTensor)]

    def made(self, function: Callable[..., Any], values: Sequence[Any]) -> Any:
        """The call with these values of the inputs; numbers of Python's are Python's."""
        if not self.inputs:
            return function(*self.args, **self.kwargs)
        pairs = zip(self.inputs, values, strict=True)
        given = iter([_plain(value) if own.weak else _scalar(value) for own, value in pairs])
        leaves = [next(given) if isinstance(x, SymbolicTensor) else x for x in self.leaves]
        args, kwargs = structure.unflatten(self._structure, iter(leaves))
        return function(*args, **kwargs)

    def sampled(self, function: Callable[..., Any]) -> Any:
        """The call with some numbers: 1, 2, ... for integers, which may be bounds, 0.5 for others."""
        numbers = range(1, len(self.inputs) + 1)
        return self.made(function, [*map(_sample, self.inputs, numbers)])


def _sample(tensor: SymbolicTensor, number: int) -> Any:
    value = number if tensor.dtype.is_integer else 0.5
    return np.full([extent or 1 for extent in tensor.shape], value, tensor.dtype.numpy)


def _plain(value: Any) -> Any:
    return np.asarray(value).item()


def _scalar(value: Any) -> Any:
    return value if np.ndim(value) else np.asarray(value)[()]


class _Found:
    """What a call gives, by an example of it."""

    def __init__(self, trace: Trace, name: str, example: Any) -> None:
        self.kind = None if example is None else type(example)
        self._array = np.asarray(example)
        if example is not None and self._array.dtype.kind not in "biufc":
            message = f"{name}() draws what is no number: draw its position, or draw outside"
            raise StagingError(trace.explain(message))

    def result(self, exact: bool) -> Result:
        """The result of the call; its extents are those of the example where nothing else counts."""
        shape = self._array.shape
        return Result(0, as_dtype(self._array.dtype), shape if exact else (None,) * len(shape))

    def seen(self, drawn: Any) -> Any:
        """What the program goes on with: Python's numbers are weakly typed, a list is one."""
        if self.kind is list:
            return [drawn[number] for number in range(len(self._array))]
        drawn.weak = self.kind in (int, float, bool)
        return drawn


def _state(generator: Any) -> Any:
    if isinstance(generator, np.random.Generator):
        return generator.bit_generator.state
    return generator.get_state() if hasattr(generator, "get_state") else generator.getstate()


def _set_state(generator: Any, state: Any) -> None:
    if isinstance(generator, np.random.Generator):
        generator.bit_generator.state = state
    elif isinstance(generator, np.random.RandomState):
        generator.set_state(state)
    else:
        generator.setstate(state)
