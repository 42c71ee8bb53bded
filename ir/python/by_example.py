"""Calls of Python functions by the program, whose results are known from examples of the call.

What a function gives is found out while tracing: the dtype and the number of dimensions, and the
sizes where all arguments are known.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from agir.errors import StagingError
from agir.ir.building.types import (
    DType,
    TensorType,
    as_dtype,
    float64,
    int64,
    is_python_number,
)
from agir.ir.control_flow.messages import Given
from agir.ir.host import callbacks
from agir.ir.ops.core.host_calls import HostFunction, Result, record
from agir.ir.plain import sparse
from agir.ir.tensors import dispatch, structure
from agir.ir.tensors.symbolic import SymbolicTensor
from agir.ir.tracing.trace import Trace

Get = Callable[[], Callable[..., Any]]
"""Gives the function, when it is called: another object may stand for it each time."""


class Way(NamedTuple):
    """How values are made up with which a function shows what it gives."""

    first: int
    """The first number; the next ones differ by ``step``."""
    step: int
    size: int = 1
    """The size of arrays where only the run time knows it."""
    is_regular: bool = True
    """Whether arrays are units and shares of one, or numbers of which no two are alike."""
    is_small: bool = False
    """Whether large arrays are small ones here."""

    def samples(self, kinds: Sequence[TensorType]) -> list[Any]:
        """Values of these types."""
        sizes = {n: n for kind in kinds for n in kind.shape if n is not None}
        if self.is_small:
            large = sorted(n for n in sizes if n > _SMALL)
            sizes |= {n: _SMALL + 1 + rank for rank, n in enumerate(large)}
        made = []
        for number, kind in enumerate(kinds):
            shape = [self.size if n is None else sizes[n] for n in kind.shape]
            made.append(self._sample(kind.dtype.numpy, shape, self.first + self.step * number))
        return made

    def _sample(self, dtype: Any, shape: Sequence[int], number: int) -> Any:
        if not shape:
            return np.asarray(number).astype(dtype)[()]
        made = _regular(dtype, shape) if self.is_regular else _irregular(dtype, shape)
        return made.astype(dtype)


_SMALL = 6
_ONE_BY_ONE = tuple((Way(*each),) for each in ((1, 0), (1, 1), (0, 0), (-1, -1)))
_SEVERAL = (
    (Way(1, 0, 3, is_small=True), Way(1, 1, 4, False, is_small=True)),
    (Way(1, 0, 3), Way(1, 1, 4, False)),
    *_ONE_BY_ONE,
)
"""Ways that are tried together, until some of them show something."""


def _regular(dtype: Any, shape: Sequence[int]) -> Any:
    """Unit matrices, or shares of one."""
    if dtype.kind not in "biu" and len(shape) > 1:
        return np.broadcast_to(np.eye(shape[-2], shape[-1]), shape)
    return np.full(shape, 1 if dtype.kind in "biu" else 1 / max(int(np.prod(shape)), 1))


def _irregular(dtype: Any, shape: Sequence[int]) -> Any:
    """Rising numbers, or matrices that are not symmetric, with complex eigenvalues."""
    places = np.arange(int(np.prod(shape))).reshape(shape)
    if dtype.kind == "b":
        return places % 2 == 0
    if len(shape) == 1:
        return places + 1 if dtype.kind in "iu" else places + 1.25 + 0.25 * np.cos(places**2)
    made = np.cos(places**2 + 1.0)
    made = made + 2 * np.sign(np.arange(shape[-1]) - np.arange(shape[-2])[:, None])
    return np.abs(made) if dtype.kind == "u" else made


class Call:
    """The arguments of a call, of which the program gives those that only the run time knows."""

    changes = False
    """Whether a call has changed arrays that it was given."""

    def __init__(
        self, trace: Trace, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> None:
        self.trace = trace
        self.name = name
        self._place = trace.explain("")
        with trace.at_user_line():
            self._given = Given(trace, (args, kwargs))
        self.inputs = self._given.values
        self._types = [each.type for each in self.inputs]
        self._given.forget()

    def made(self, function: Callable[..., Any], values: Sequence[Any]) -> Any:
        """The call with these values of the inputs: those of Python's numbers are Python's."""
        given = self._given.known(iter(values))
        args, kwargs = structure.transform(_own, given) if self.changes else given
        return function(*args, **kwargs)

    def _example(self, function: Callable[..., Any], values: Sequence[Any]) -> Any:
        """The call with made up values, in arrays of its own."""
        given = structure.transform(_own, self._given.known(iter(values), _exemplary))
        before = list(map(_own, structure.flatten(given, _parts)[0]))
        found = function(*given[0], **given[1])
        if any(map(_differ, before, structure.flatten(given, _parts)[0])):
            self.changes = True
        return found

    def sampled(self, example: Get) -> Any:
        """What it gives for some values of these types."""
        return self._shown(example, _ONE_BY_ONE)[0]

    def _shown(self, example: Get, groups: Sequence[Sequence[Way]]) -> list[Any]:
        """What it gives for values of the first group of kinds for which it gives something."""
        failed: Exception | None = None
        for group in groups:
            found = []
            for way in group:
                try:
                    found.append(self._example(example(), way.samples(self._types)))
                except (ValueError, IndexError) as error:
                    if not self.inputs:
                        raise dispatch.located(error, self.trace) from error.__cause__
                    failed = error
                except (OverflowError, ZeroDivisionError) as error:
                    failed = error
                except TypeError as error:
                    raise dispatch.located(error, self.trace) from error.__cause__
            if found:
                return found
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
            given = Numbers(lambda: self.made(function(), ()))
            return single(self, dtype, weak, given)  # it has not raised before
        shape = (None,) * array.ndim if self.inputs else array.shape
        host = HostFunction(self.name, self._caller(function), [Result(0, dtype, shape)])
        made = record(self.trace, host, self.inputs)[0]
        made.weak = weak
        return [made[n] for n in range(len(array))] if type(found) is list else made

    def _caller(self, function: Get) -> Callable[[Sequence[Any], Sequence[Result]], list[Any]]:
        def call(values: Sequence[Any], results: Sequence[Result]) -> list[Any]:
            made = self._located(function, values)
            return [np.asarray(made, result.dtype.numpy) for result in results]

        return call

    def _located(self, function: Get, values: Sequence[Any]) -> Any:
        """What a call of the program gives."""
        try:
            return self.made(function(), values)
        except (TypeError, ValueError, IndexError) as error:
            error.args = (f"{error}{self._place}",)
            raise

    def several(self, function: Get, example: Get, may_change: bool) -> Any:
        """Record the call of a function that gives numbers, arrays, None and text, and tuples of them.

        What it writes into its arguments is not kept, which is refused unless it ``may_change`` them.
        """
        groups = _SEVERAL[1:] if self._given.holds(sparse.Sparse) else _SEVERAL
        shown = [structure.flatten(each, _parts) for each in self._shown(example, groups)]
        gives_nothing = shown[0][1] is None and shown[0][0][0] is None
        if gives_nothing or (self.changes and not may_change):
            raise StagingError(
                self.trace.explain(
                    f"{self.name}() writes into its arguments, which is not recorded"
                )
            )
        key = shown[0][1]
        if any(other != key for _, other in shown):
            raise StagingError(
                self.trace.explain(f"{self.name}() gives another number of values each time")
            )
        try:
            structure.unflatten(key, iter(shown[0][0]))
        except TypeError as error:  # an object of further attributes, as some named tuples have
            raise StagingError(
                self.trace.explain(f"what {self.name}() gives cannot be put together: {error}")
            ) from None
        columns = list(zip(*(leaves for leaves, _ in shown), strict=True))
        parts = [self._part(number, column) for number, column in enumerate(columns)]
        results = [each for each in parts if isinstance(each, Result)]
        host = HostFunction(self.name, partial(self._arrays, function, key, parts), results)
        made = iter(record(self.trace, host, self.inputs))
        found = []
        for part, column in zip(parts, columns, strict=True):
            found.append(next(made) if isinstance(part, Result) else part)
            if isinstance(part, Result):
                found[-1].weak = all(map(is_python_number, column))
        return structure.unflatten(key, iter(found))

    def _part(self, number: int, column: Sequence[Any]) -> Any:
        """A result, known from examples; None, text and sizes of matrices are what they are there."""
        kinds: tuple[type, ...] = (str, type(None))
        kinds += (sparse.Size,) if len(column) > 1 else ()
        if isinstance(column[0], kinds) and all(each == column[0] for each in column):
            return int(column[0]) if type(column[0]) is sparse.Size else column[0]
        arrays = [np.asarray(each) for each in column]
        dtypes = [self._dtype(*each).numpy for each in zip(column, arrays, strict=True)]
        return Result(number, as_dtype(np.result_type(*dtypes)), (None,) * arrays[0].ndim)

    def _arrays(
        self, function: Get, key: Any, parts: Sequence[Any], values: Any, results: Sequence[Result]
    ) -> list[Any]:
        leaves, found = structure.flatten(self._located(function, values), _parts)
        if found != key:
            raise self._unlike("another number of values")
        arrays = []
        for leaf, part in zip(leaves, parts, strict=True):
            if isinstance(part, Result):
                arrays.append(self._fitting(leaf, part))
            elif leaf != part:
                raise self._unlike(repr(leaf))
        return arrays

    def _fitting(self, leaf: Any, result: Result) -> Any:
        """The array of a result; one that the program does not use may be any."""
        dtype, array = result.dtype.numpy, np.asarray(leaf)
        if not result.used:
            return array
        if not np.can_cast(array.dtype, dtype):
            raise self._unlike(f"{array.dtype} instead of {dtype}")
        if array.ndim != len(result.shape or ()):
            raise self._unlike(f"an array of {array.ndim} dimensions")
        return np.asarray(array, dtype, order="C")

    def _unlike(self, what: str) -> Exception:
        return StagingError(
            f"{self.name}() gives {what}, which no example of the call did: call it outside, and "
            f"pass the result{self._place}"
        )

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


def _own(value: Any) -> Any:
    return value.copy() if isinstance(value, np.ndarray) else value


def _differ(before: Any, after: Any) -> bool:
    return isinstance(before, np.ndarray) and before.tobytes() != after.tobytes()


def _exemplary(key: Any, items: list[Any]) -> Any:
    """What is made of such items as an example."""
    if hasattr(key[0], "example"):
        return structure.rebuild(key, items).example()
    return structure.finished(key, items)


def _parts(value: Any) -> Any:
    """What a value consists of; a sparse matrix consists of its arrays."""
    return sparse.parts_of(value) or structure.children(value)


_CROSSING = {float64: float, int64: int}
"""The dtypes of numbers that callbacks give."""


class Numbers:
    """What gives a number, each time that the program asks."""

    def __init__(self, next_one: Callable[[], Any]) -> None:
        self.next = next_one


def single(
    call: Call, dtype: DType, weak: bool, given: Any, inputs: Sequence[SymbolicTensor] = ()
) -> SymbolicTensor:
    """Record the call of ``given.next`` with numbers, which gives a number and raises nothing."""
    ssa = callbacks.number(call.trace, call.name, dtype, given, inputs, {})
    return call.trace.make(ssa, dtype, (), weak)
