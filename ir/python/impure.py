"""Functions that give another result each time: draws of random numbers, and clocks.

Under NumPy's conventions they are called when the program runs, each time and in its order, on the
generator that plain Python would use.  What they give is found out while tracing, from a call of a
copy of the generator: the dtype and the number of dimensions, and the extents where all arguments
are known.  A generator that the function makes is made anew by each call.
"""

from __future__ import annotations

import copy
import math
import random
import sys
import threading
import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from agir.autograph.operators import State
from agir.errors import StagingError
from agir.ir import emit, structure
from agir.ir.host import callbacks
from agir.ir.host.streams import Stream
from agir.ir.ops.host_calls import HostFunction, Result, record
from agir.ir.symbolic import SymbolicTensor, is_run_time
from agir.ir.trace import Trace
from agir.ir.types import DType, as_dtype, float64

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
        return partial(_called, trace, function.__name__, lambda: function, lambda: function)
    if "numpy.random" not in sys.modules:  # importing it takes long
        return None
    if isinstance(owner, np.random.Generator | np.random.RandomState):
        return partial(_drawn, trace, _Known(trace, owner), function.__name__)
    if function in _of_module():
        return partial(_drawn, trace, _Known(trace, np.random.mtrand._rand), _of_module()[function])
    if function in (np.random.default_rng, np.random.RandomState, random.Random):
        return partial(_made, trace, function)
    return None


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


def _made(trace: Trace, kind: Callable[..., Any], *args: Any, **kwargs: Any) -> TracedGenerator:
    """A call of a class of generators, or of what makes one."""
    leaves, key = structure.flatten((args, kwargs))

    def example() -> Any:
        given, named = _filled(key, [_example(each, 1) for each in leaves])
        return kind(*given, **named)

    source = _Made(kind, example)

    def make(*args: Any, **kwargs: Any) -> None:
        source.take(kind(*args, **kwargs))

    _called(trace, kind.__name__, lambda: make, lambda: lambda *_, **__: None, *args, **kwargs)
    return TracedGenerator(trace, source)


def _drawn(trace: Trace, source: _Known | _Made, name: str, *args: Any, **kwargs: Any) -> Any:
    """A call of a method of a generator."""

    stream = source.stream()
    if name in _UNIFORM and stream is not None and not args and not kwargs:
        return _single(trace, name, stream)
    if name == "uniform" and stream is not None and (bounds := _bounds(*args, **kwargs)):
        low, extent = bounds
        return extent * _single(trace, name, stream) + low

    def method() -> Any:
        return getattr(source.now(), name)

    def example() -> Any:
        return getattr(source.example(), name)

    if name not in _PERMUTING:
        return _called(trace, name, method, example, *args, **kwargs)
    return _permuted(trace, name, method, example, *args, **kwargs)


def _single(trace: Trace, name: str, stream: Stream) -> Any:
    """One number in [0, 1)."""
    held: list[Any] = [trace.make(trace.constant(float64, 0.0), float64, ())]

    def draw() -> None:
        kind = (float64.mlir(),)
        (number,) = callbacks.record(trace, "draw", (), {}, kind, given=stream, what=name)
        held[0] = trace.make(number, float64, ())

    def restore(values: tuple[Any, ...]) -> None:
        held[0] = values[0]

    with trace.at_user_line():
        state = State(lambda: (held[0],), restore, ("the number drawn",))
        callbacks.unless_failed(trace, draw, state)
    return trace.make(held[0].ssa, float64, (), True)


def _bounds(low: Any = 0.0, high: Any = 1.0, size: Any = None) -> tuple[float, float] | None:
    """The lower bound of one uniform number and the extent of its range, where they are known."""
    if size is not None or not all(type(each) in (int, float) for each in (low, high)):
        return None
    extent = float(high) - float(low)
    return (float(low), extent) if math.isfinite(extent) else None


def _permuted(
    trace: Trace, name: str, method: Any, example: Any, x: Any, *args: Any, **kwargs: Any
) -> None:
    """A call of a method that changes its first argument."""
    if not is_run_time(x) or not isinstance(x, SymbolicTensor):
        raise StagingError(
            trace.explain(f"{name}() of a {_kind(x)}: give it an array, which is changed")
        )

    def changing(get: Callable[[], Any]) -> Callable[[], Any]:
        def call(x: Any, *args: Any, **kwargs: Any) -> Any:
            changed = np.array(x)
            get()(changed, *args, **kwargs)
            return changed

        return lambda: call

    x[...] = _called(trace, name, changing(method), changing(example), x, *args, **kwargs)


def _kind(value: Any) -> str:
    return "list" if isinstance(value, list) else type(value).__name__


def _called(
    trace: Trace,
    name: str,
    function: Callable[[], Callable[..., Any]],
    example: Callable[[], Callable[..., Any]],
    *args: Any,
    **kwargs: Any,
) -> Any:
    """Record a call of what ``function`` gives when the program runs."""
    leaves, key = structure.flatten((args, kwargs))
    at_run_time = [n for n, leaf in enumerate(leaves) if is_run_time(leaf)]
    found = _tried(trace, name, example, leaves, key)

    def call(values: Sequence[Any], results: Sequence[Result]) -> list[Any]:
        filled = list(leaves)
        for place, value in zip(at_run_time, values, strict=True):
            filled[place] = value if np.ndim(value) else np.asarray(value).item()
        given, named = _filled(key, filled)
        made = function()(*given, **named)
        return [np.asarray(made, result.dtype.numpy) for result in results]

    if found is None:
        results = []
    else:
        shape = (None,) * np.ndim(found) if at_run_time else np.shape(found)
        results = [Result(0, _dtype(trace, name, found), shape)]
    with trace.at_user_line():
        inputs = [emit.lift(trace, leaves[n]) for n in at_run_time]
    made = record(trace, HostFunction(name, call, results), inputs)
    if not made:
        return None
    made[0].weak = type(found) in (int, float)
    return made[0]


def _dtype(trace: Trace, name: str, found: Any) -> DType:
    try:
        return as_dtype(np.asarray(found).dtype)
    except TypeError:
        raise StagingError(
            trace.explain(
                f"{name}() gives a {type(found).__name__}, which is no number and no array of them: "
                "call it outside, and pass the result"
            )
        ) from None


def _tried(trace: Trace, name: str, example: Callable[[], Any], leaves: list[Any], key: Any) -> Any:
    """What it gives for some arguments of these types."""
    if not any(map(is_run_time, leaves)):
        given, named = _filled(key, leaves)
        return example()(*given, **named)
    failed: Exception | None = None
    for first, slope in ((1, 0), (1, 1), (0, 0), (-1, -1)):
        shown = [_example(each, first + slope * n) for n, each in enumerate(leaves)]
        given, named = _filled(key, shown)
        try:
            return example()(*given, **named)
        except (ValueError, IndexError, OverflowError, ZeroDivisionError) as error:
            failed = error
    raise StagingError(
        trace.explain(f"{name}(): no arguments were found that show what it gives ({failed})")
    )


def _filled(key: Any, leaves: list[Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
    args, kwargs = structure.unflatten(key, iter(leaves))
    return args, kwargs


def _example(leaf: Any, number: int) -> Any:
    """A value of the type of a run-time one: a number, or an array of ones or of shares of one."""
    if not is_run_time(leaf):
        return leaf
    shape = tuple(n if isinstance(n, int) else 1 for n in leaf.shape)
    dtype = leaf.dtype.numpy
    if not shape:
        return np.asarray(number).astype(dtype).item()
    share = 1 if dtype.kind in "biu" else 1 / max(int(np.prod(shape)), 1)
    return np.full(shape, share, dtype)
