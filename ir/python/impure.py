"""Functions that give another result each time: draws of random numbers, and clocks.

Under NumPy's conventions they are called when the program runs, each time and in its order, on the
generator that plain Python would use.  What they give is known from an example, of a copy of the
generator.  A generator that the function makes is made anew by each call.
"""

from __future__ import annotations

import copy
import math
import random
import sys
import threading
import time
from collections.abc import Callable, Sequence
from functools import cache, partial
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from agir.autograph import operators
from agir.errors import StagingError
from agir.ir.building.types import float64
from agir.ir.host.streams import Stream
from agir.ir.plain import picking
from agir.ir.python.by_example import Call, single
from agir.ir.tensors.symbolic import SymbolicTensor
from agir.ir.tracing.trace import Trace

_CLOCKS = frozenset(
    {
        time.monotonic,
        time.monotonic_ns,
        time.perf_counter,
        time.perf_counter_ns,
        time.process_time,
        time.process_time_ns,
        time.thread_time,
        time.thread_time_ns,
        time.time,
        time.time_ns,
    }
)
_UNIFORM = ("rand", "random", "random_sample")
"""Methods that give one number in [0, 1) where they are given nothing."""
_PERMUTING = ("shuffle",)
"""Methods that change their first argument."""
_PICKING = ("choice", "choices", "sample")
"""Methods of Python's generators that give items of a sequence."""
_STREAMS: WeakKeyDictionary[Trace, dict[int, Stream]] = WeakKeyDictionary()
"""Those of a trace, by the generators' identity."""


def find(trace: Trace, function: Any) -> Callable[..., Any] | None:
    """What records the calls of such a function; None for any other."""
    if not trace.convention.arrays_are_mutable:
        return None
    owner = getattr(function, "__self__", None)
    if isinstance(owner, random.Random):
        return partial(_drawn, trace, _Known(trace, owner), function.__name__)
    if function in _CLOCKS:
        return partial(_clock, trace, function)
    if function is random.Random:
        return partial(_made, trace, function)
    if "numpy.random" not in sys.modules:  # importing it takes long
        return None
    if isinstance(owner, np.random.Generator | np.random.RandomState):
        return partial(_drawn, trace, _Known(trace, owner), function.__name__)
    if (name := _of_module().get(function)) is not None:
        return partial(_drawn, trace, _Known(trace, np.random.mtrand._rand), name)
    if function in (np.random.default_rng, np.random.RandomState):
        return partial(_made, trace, function)
    return None


@cache
def _of_module() -> dict[Any, str]:
    """NumPy's functions that are no methods of its global generator, as such a method."""
    module = np.random
    return {module.seed: "seed", module.ranf: "random_sample", module.sample: "random_sample"}


class _Known:
    """A generator that exists while tracing."""

    def __init__(self, trace: Trace, generator: Any) -> None:
        self.generator = generator
        self._streams = _STREAMS.setdefault(trace, {})

    def stream(self) -> Stream | None:
        """Where single numbers can be drawn without Python."""
        if isinstance(self.generator, random.Random):
            return None
        return self._streams.setdefault(id(self.generator), Stream(self.generator))

    def now(self) -> Any:
        """The generator, when the program runs."""
        return self.generator

    def example(self) -> Any:
        """One like it, whose draws change nothing."""
        return copy.deepcopy(self.generator)


class _Made:
    """A generator that each call of the program makes anew."""

    def __init__(self, kind: Callable[..., Any], make: Callable[[], Any]) -> None:
        self.example = make
        self._of_thread = threading.local()
        self._stream = None if kind is random.Random else Stream()

    def stream(self) -> Stream | None:
        """Where single numbers can be drawn without Python."""
        return self._stream

    def take(self, generator: Any) -> None:
        """The generator from here on."""
        self._of_thread.generator = generator
        if self._stream is not None:
            self._stream.point(generator)

    def now(self) -> Any:
        """The one that this thread has made last."""
        return self._of_thread.generator


class TracedGenerator:
    """What a traced function gets where it makes a generator: its methods record draws."""

    def __init__(self, trace: Trace, source: _Made) -> None:
        self._trace = trace
        self._source = source

    def __getattr__(self, name: str) -> Callable[..., Any]:
        if name.startswith("_") or not callable(getattr(self._source.example(), name)):
            raise AttributeError(name)
        return partial(_drawn, self._trace, self._source, name)


def _made(trace: Trace, kind: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """A call of a class of generators, or of what makes one."""
    call = Call(trace, kind.__name__, args, kwargs)
    source = _Made(kind, lambda: call.sampled(lambda: kind))

    def make(*args: Any, **kwargs: Any) -> None:
        source.take(kind(*args, **kwargs))

    call.record(lambda: make, None)
    return TracedGenerator(trace, source)


def _drawn(trace: Trace, source: _Known | _Made, name: str, *args: Any, **kwargs: Any) -> Any:
    """A call of a method of a generator."""
    stream = source.stream()
    if stream is not None and name in _UNIFORM and not args and not kwargs:
        return single(Call(trace, name, (), {}), float64, True, stream)
    if stream is not None and name == "uniform" and (bounds := _bounds(args, kwargs)):
        low, size = bounds
        return size * single(Call(trace, name, (), {}), float64, True, stream) + low
    if name in _PERMUTING and args and isinstance(args[0], list):
        return _rearranged(trace, source, name, *args)
    if name in _PICKING and args and isinstance(args[0], Sequence) and _is_pythons(source):
        return _picked(trace, source, name, *args, **kwargs)
    call = Call(trace, name, args, kwargs)
    if name in _PERMUTING:
        return _permuted(call, source, name, args)
    found = call.sampled(lambda: getattr(source.example(), name))
    return call.record(lambda: getattr(source.now(), name), found)


def _bounds(args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[float, float] | None:
    """The lower bound of one uniform number and the size of its range, where they are known."""
    given = {"low": 0.0, "high": 1.0, **dict(zip(("low", "high"), args, strict=False)), **kwargs}
    if len(args) > 2 or len(given) > 2 or any(type(n) not in (int, float) for n in given.values()):
        return None
    low, size = float(given["low"]), float(given["high"]) - float(given["low"])
    return (low, size) if math.isfinite(size) else None


def _is_pythons(source: _Known | _Made) -> bool:
    return isinstance(source.example(), random.Random)


def _picked(
    trace: Trace, source: _Known | _Made, name: str, population: Any, *args: Any, **kwargs: Any
) -> Any:
    """Items of a sequence: the generator draws their positions, which takes it as many numbers."""
    found = _positions(trace, source, name, operators.call(len, (population,)), args, kwargs)
    made = operators.call(picking.picked, (population, found))
    return made[0] if name == "choice" else made


def _rearranged(trace: Trace, source: _Known | _Made, name: str, items: Any, *args: Any) -> None:
    """A list whose items change their places, as the generator draws them."""
    found = _positions(trace, source, name, operators.call(len, (items,)), args, {})
    operators.call(picking.rearrange, (items, found))


def _positions(
    trace: Trace, source: _Known | _Made, name: str, length: Any, args: Any, kwargs: Any
) -> Any:
    """What a method gives for the numbers up to a length."""
    call = Call(trace, name, (length, *args), kwargs)

    def drawing(generator: Any) -> Callable[..., Any]:
        def draw(length: int, *args: Any, **kwargs: Any) -> Any:
            numbers = list(range(length))
            found = getattr(generator, name)(numbers, *args, **kwargs)
            return np.atleast_1d(np.asarray(numbers if found is None else found, np.int64))

        return draw

    some = np.zeros(1, np.int64)
    found = some if call.inputs else call.sampled(lambda: drawing(source.example()))
    return call.record(lambda: drawing(source.now()), found)


def _permuted(call: Call, source: _Known | _Made, name: str, args: tuple[Any, ...]) -> None:
    """A call of a method that changes its first argument."""
    if not args or not isinstance(args[0], SymbolicTensor):
        kind = "list" if args and isinstance(args[0], list) else type([*args, None][0]).__name__
        raise StagingError(
            call.trace.explain(f"{name}() of a {kind}: give it an array, which is changed")
        )

    def permuted(x: Any, *args: Any, **kwargs: Any) -> Any:
        changed = np.array(x)
        getattr(source.now(), name)(changed, *args, **kwargs)
        return changed

    array = args[0]
    array[...] = call.record(lambda: permuted, np.empty((1,) * len(array.dims), array.dtype.numpy))


def _clock(trace: Trace, function: Callable[[], Any]) -> Any:
    return Call(trace, function.__name__, (), {}).record(lambda: function, function())
