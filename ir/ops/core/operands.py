"""What operations ask of their operands: the type of nested lists, axes, operations of others."""

from __future__ import annotations

import functools
import inspect
import operator
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np

from agir.errors import AgirError, AxisError, StagingError
from agir.ir import hooks, recording, table
from agir.ir.binding import Parameters
from agir.ir.building.types import TensorType, bfloat16, is_python_number, promote
from agir.ir.emission import broadcast
from agir.ir.tensors import dispatch
from agir.ir.tensors.number_lists import COUNTING, counting
from agir.ir.tensors.tensor import Tensor

Function = TypeVar("Function", bound=Callable[..., Any])


def operand_type(operand: Any) -> TensorType:
    """The type of an operand; nested lists mean the array that NumPy makes of them."""
    if not isinstance(operand, list):
        return operand  # type: ignore[no-any-return]
    if not operand:
        return dispatch.type_of(np.zeros(0))  # type: ignore[no-any-return]
    items = [operand_type(item) for item in operand]
    inner = broadcast.shapes(*(item.shape for item in items))
    return TensorType(promote(*items)[0], (len(items), *inner))


def axis_index(axis: Any, rank: int, name: str) -> int:
    """The axis counted from the front; ``AxisError`` where there is none of that number."""
    if isinstance(axis, (bool, np.bool_)):
        raise TypeError(f"{name}(): an axis is an integer, not {axis}")
    number = operator.index(axis)
    if not -rank <= number < rank:
        raise AxisError(f"{name}(): axis {number} is out of bounds for {rank} dimensions")
    return number % rank


def axis_indices(axis: Any, rank: int, name: str) -> tuple[int, ...]:
    """The axes counted from the front and in order; all where ``axis`` is None."""
    if axis is None:
        return tuple(range(rank))
    given = list(axis) if isinstance(axis, (tuple, list, np.ndarray)) else [axis]
    axes = sorted(axis_index(a, rank, name) for a in given)
    if len(set(axes)) != len(axes):
        raise ValueError(f"{name}(): an axis is given twice in {tuple(given)}")
    return tuple(axes)


def needing_sizes(message: str, kind: type[AgirError] = StagingError) -> AgirError:
    """The error where a program depends on sizes: a trace for each shape does without it."""
    error = kind(message)
    error.needs_sizes = True
    return error


def native(value: Any) -> Any:
    """The array in a dtype that all of NumPy knows: bfloat16 as float32."""
    if isinstance(value, (list, tuple)):
        return [native(v) for v in value]
    if getattr(value, "dtype", None) == bfloat16.numpy:
        return np.asarray(value, np.float32)
    return value


def composition(
    *names: str, convert: Callable[[Any], Any] | None = None, leaving: Sequence[str] = ()
) -> Callable[[Function], Function]:
    """A public function that is composed of operations.

    Lists of run-time length and variables become tensors (but for those under parameters that are
    left to the function), and so do Python numbers and lists under the named parameters: by
    ``convert``, else in TensorFlow's dtypes.  Errors name the user's line while a function is traced.
    """

    def change(given: dict[str, Any]) -> None:
        for name, value in given.items() if recording.current() is not None else ():
            value = value if name in leaving else dispatch.operand(value)
            counts = name in COUNTING or name == "shape"
            if counts and isinstance(value, (Tensor, np.ndarray)):
                value = counting(value)
            given[name] = value
        for name in names:
            value = given.get(name)
            if isinstance(value, (list, tuple)) or is_python_number(value):
                given[name] = (convert or hooks.runtime.convert)(value)

    def decorate(function: Function) -> Function:
        @functools.wraps(function)
        def call(*args: Any, **kwargs: Any) -> Any:
            trace = recording.current()
            try:
                return _parameters(function).apply(function, args, kwargs, change)
            except (TypeError, ValueError, IndexError) as error:
                raise dispatch.located(error, trace) from error.__cause__

        return call  # type: ignore[return-value]

    return decorate


@functools.cache
def _parameters(function: Callable[..., Any]) -> Parameters:
    """Made at the first call: there are hundreds of functions, of which a program calls few."""
    return Parameters(inspect.signature(function))


@dataclass(frozen=True)
class Composite(dispatch.Operation):
    """An operation written in terms of others, which are what is recorded or evaluated."""

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Call the function; what it applies is evaluated or recorded."""
        try:
            bound = self.with_known(self.bind(args, kwargs))
            given = inspect.BoundArguments(self.signature, bound)
            return self.evaluate(*given.args, **given.kwargs)
        except (TypeError, ValueError, IndexError) as error:
            raise dispatch.located(error, recording.current()) from error.__cause__


def compose(
    name: str,
    function: Callable[..., Any],
    *,
    operands: Sequence[str] = ("x",),
    numpy: tuple[Any, ...] = (),
    accepts: str = "biufc",
    sequences: tuple[str, ...] = (),
) -> Composite:
    """Add an operation to the table whose definition is a function of tensors."""
    operation = Composite(
        name=name,
        operands=tuple(operands),
        rule=function,
        evaluate=function,
        emit=function,
        signature=inspect.signature(function),
        doc=inspect.cleandoc(function.__doc__ or ""),
        numpy=numpy,
        accepts=accepts,
        sequences=sequences,
    )
    table.TABLE[name] = operation
    table.NUMPY.update(dict.fromkeys(numpy, operation))
    return operation


def dimension_sizes(value: Any) -> tuple[Any, ...]:
    """The sizes of a tensor: ints, and symbolic scalars where only the run time knows them."""
    kind = dispatch.type_of(value)
    if None not in kind.shape:
        return tuple(kind.shape)
    run_time = dispatch.call("shape", value)
    return tuple(run_time[i] if e is None else e for i, e in enumerate(kind.shape))
