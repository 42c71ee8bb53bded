"""Calls of Python functions by the program, whose results are known from an example of a call.

What a function gives is found out while tracing: the dtype and the number of dimensions, and the
sizes where all arguments are known.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from agir.errors import StagingError
from agir.ir.building.types import DType, as_dtype, float64, int64
from agir.ir.emission import emit
from agir.ir.host import callbacks
from agir.ir.ops.core.host_calls import HostFunction, Result, record
from agir.ir.tensors import dispatch, structure
from agir.ir.tensors.symbolic import SymbolicTensor, is_run_time
from agir.ir.tracing.trace import Trace

Get = Callable[[], Callable[..., Any]]
"""Gives the function, when it is called: another object may stand for it each time."""

_EXAMPLES = ((1, 0), (1, 1), (0, 0), (-1, -1))
"""Numbers for the run-time arguments, one after the other: the first and the step."""


class Call:
    """The arguments of a call, of which the program gives those that only the run time knows."""

    def __init__(
        self, trace: Trace, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> None:
        self.trace = trace
        self.name = name
        self._leaves, self._key = structure.flatten((args, kwargs))
        self._places = [n for n, leaf in enumerate(self._leaves) if is_run_time(leaf)]
        with trace.at_user_line():
            self.inputs = [emit.lift(trace, self._leaves[n]) for n in self._places]

    def made(self, function: Callable[..., Any], values: Sequence[Any]) -> Any:
        """The call with these values of the inputs: those of Python's numbers are Python's."""
        leaves = list(self._leaves)
        for place, own, value in zip(self._places, self.inputs, values, strict=True):
            leaves[place] = value if np.ndim(value) else _number(own, value)
        args, kwargs = self._arguments(leaves)
        return function(*args, **kwargs)

    def _arguments(self, leaves: Sequence[Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
        args, kwargs = structure.unflatten(self._key, iter(leaves))
        return args, kwargs

    def sampled(self, example: Get) -> Any:
        """What it gives for some values of these types."""
        try:
            return self._tried(example)
        except (TypeError, ValueError, IndexError) as error:
            raise dispatch.located(error, self.trace) from error.__cause__

    def _tried(self, example: Get) -> Any:
        if not self.inputs:
            return self.made(example(), ())
        failed: Exception | None = None
        for first, step in _EXAMPLES:
            values = [_sample(each, first + step * n) for n, each in enumerate(self.inputs)]
            try:
                return self.made(example(), values)
            except (ValueError, IndexError, OverflowError, ZeroDivisionError) as error:
                failed = error
        raise StagingError(
            self.trace.explain(
                f"{self.name}(): no arguments were found that show what it gives ({failed})"
            )
        )

    def record(self, function: Get, found: Any) -> Any:
        """Record the call of a function that gives something like what was found."""
        if found is None:
            record(self.trace, HostFunction(self.name, self._caller(function)), self.inputs)
            return None
        array = np.asarray(found)
        dtype = self._dtype(found, array)
        weak = type(found) in (int, float)
        if not self.inputs and not array.ndim and dtype in _CROSSING:
            given = Numbers(function, *self._arguments(self._leaves))
            return single(self, dtype, weak, given)  # it has not raised before
        shape = (None,) * array.ndim if self.inputs else array.shape
        host = HostFunction(self.name, self._caller(function), [Result(0, dtype, shape)])
        made = record(self.trace, host, self.inputs)[0]
        made.weak = weak
        return [made[n] for n in range(len(array))] if type(found) is list else made

    def _caller(self, function: Get) -> Callable[[Sequence[Any], Sequence[Result]], list[Any]]:
        place = self.trace.explain("")

        def call(values: Sequence[Any], results: Sequence[Result]) -> list[Any]:
            try:
                made = self.made(function(), values)
            except (TypeError, ValueError, IndexError) as error:
                error.args = (f"{error}{place}",)
                raise
            return [np.asarray(made, result.dtype.numpy) for result in results]

        return call

    def _dtype(self, found: Any, array: Any) -> DType:
        try:
            return as_dtype(array.dtype)
        except TypeError:
            raise StagingError(
                self.trace.explain(
                    f"{self.name}() gives a {type(found).__name__}, which is no number and no array of "
                    "them: call it outside, and pass the result"
                )
            ) from None


_CROSSING = {float64: float, int64: int}
"""The dtypes of numbers that callbacks give."""


class Numbers:
    """What gives a number, each time that the program asks."""

    def __init__(self, function: Get, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        self._function = function
        self._args, self._kwargs = args, kwargs

    def next(self) -> Any:
        """The number."""
        return self._function()(*self._args, **self._kwargs)


def single(
    call: Call, dtype: DType, weak: bool, given: Any, inputs: Sequence[SymbolicTensor] = ()
) -> SymbolicTensor:
    """Record the call of ``given.next`` with numbers, which gives a number and raises nothing."""
    ssa = callbacks.number(call.trace, call.name, dtype, given, inputs, {})
    return call.trace.make(ssa, dtype, (), weak)


def _number(own: SymbolicTensor, value: Any) -> Any:
    number = np.asarray(value, own.dtype.numpy)[()]
    return number.item() if own.weak else number


def _sample(own: SymbolicTensor, number: int) -> Any:
    """A value of the type of an input: a number, or an array of ones or of shares of one."""
    shape = tuple(n if isinstance(n, int) else 1 for n in own.shape)
    dtype = own.dtype.numpy
    if not shape:
        return np.asarray(number).astype(dtype)
    share = 1 if dtype.kind in "biu" else 1 / max(int(np.prod(shape)), 1)
    return np.full(shape, share, dtype)
