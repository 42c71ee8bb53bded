"""What an operation is, and how a call of one becomes a NumPy evaluation or a recording.

An :class:`Operation` is defined once, in ``ir/ops``: its type rule, its NumPy evaluation, its
emission into MLIR and its documentation.  Calling it evaluates at once where every operand has a
value, and records into the current trace where one is symbolic.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from agir.errors import AgirError, OperandTypeError, OperandValueError, RuntimeIndexError
from agir.ir import hooks, recording
from agir.ir.binding import Parameters
from agir.ir.building import locations
from agir.ir.building.types import TensorType, as_dtype, is_python_number, python_dtype
from agir.ir.recording import Recorder
from agir.ir.table import NUMPY, TABLE
from agir.ir.tensors import mistakes, number_lists
from agir.ir.tensors.staged import Staged
from agir.ir.tensors.symbolic import SymbolicTensor, as_known, static_shape
from agir.ir.tensors.tensor import Tensor


@dataclass(frozen=True)
class Operation:
    """One operation of the table.

    ``operands`` names the parameters that are tensors, or lists of them (``sequences``); the others
    are attributes.  ``rule`` takes the parameters, operands as :class:`TensorType`, and returns the
    type of the result (a tuple for several), raising ``TypeError`` or ``ValueError`` in the user's
    terms.  ``evaluate`` takes NumPy arrays and Python numbers, and the attributes in ``verbatim`` as
    they were given.  ``emit`` takes the trace, the
    result type and the parameters as they were given.
    """

    name: str
    operands: tuple[str, ...]
    rule: Callable[..., Any]
    evaluate: Callable[..., Any]
    emit: Callable[..., Any]
    signature: inspect.Signature
    doc: str
    creates: bool = False
    numpy: tuple[Any, ...] = ()
    accepts: str = "biufc"
    verbatim: tuple[str, ...] = ()
    sequences: tuple[str, ...] = ()
    parameters: Parameters = field(init=False, repr=False, compare=False)
    attributes: tuple[str, ...] = field(init=False, repr=False, compare=False)
    """The parameters that say what is recorded."""
    _results: dict[Any, Any] = field(init=False, repr=False, compare=False, default_factory=dict)
    """The types of results, by what tells parameters apart."""

    def __post_init__(self) -> None:
        # What `help` and editors look at, and what calls need.
        for name, value in (
            ("__doc__", self.doc),
            ("__name__", self.name),
            ("__qualname__", self.name),
            ("__signature__", self.signature),
            ("parameters", Parameters(self.signature)),
            ("attributes", tuple(self.signature.parameters.keys() - {*self.operands, "key"})),
        ):
            object.__setattr__(self, name, value)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Apply the operation."""
        trace = recording.current()
        try:
            if trace is None:
                if hooks.observers.active:
                    return hooks.gradients.observe(self, args, kwargs)
                return self.run(self.bind(args, kwargs))
            if not (kwargs or self.attributes or trace.stand_ins) and _are_plain(args):
                given = self.parameters.named(args, kwargs)
                if given is not None:
                    return trace.record(self, given)
            args = tuple(map(operand, args))
            if kwargs:
                kwargs = {name: operand(value) for name, value in kwargs.items()}
            if trace.stand_ins:
                args = tuple(map(trace.standing_in, args))
                kwargs = {name: trace.standing_in(value) for name, value in kwargs.items()}
            parameters = self.bind(args, kwargs)
            parameters = self.with_known(parameters)
            if self.creates or any_symbolic(args, kwargs):
                return trace.record(self, parameters)
            return trace.fold(self.run(parameters), _leaves((*args, *kwargs.values())))
        except (TypeError, ValueError, IndexError, OverflowError) as error:
            raise located(error, trace) from error.__cause__

    def bind(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> dict[str, Any]:
        """The parameters by name, defaults filled in, lists of numbers in the dtype that they get.

        TensorFlow's ``name`` has no meaning here.
        """
        if "name" in kwargs and "name" not in self.signature.parameters:
            kwargs = {key: value for key, value in kwargs.items() if key != "name"}
        try:
            bound = self.parameters.bound(args, kwargs)
        except TypeError as error:
            raise TypeError(f"{self.name}(): {error}") from None
        trace = recording.current()
        if trace is None or trace.convention.lists_adapt:
            return number_lists.typed(bound, self.operands, self.sequences)
        return bound

    def with_known(self, parameters: dict[str, Any]) -> dict[str, Any]:
        """The parameters, with the elements of arrays that say what is recorded, as far as known."""
        for name in self.attributes:
            if isinstance(value := parameters[name], (Tensor, np.ndarray)):
                counts = name in number_lists.COUNTING
                parameters[name] = (number_lists.counting if counts else as_known)(value)
        return parameters

    def types(self, parameters: dict[str, Any]) -> dict[str, Any]:
        """The parameters with each operand replaced by its type."""
        return {
            name: type_of(value, self.name) if name in self.operands else value
            for name, value in parameters.items()
        }

    def result_type(self, trace: Recorder, parameters: dict[str, Any]) -> Any:
        """The type of the result, as the rule says; once for operands of the same types."""
        operands = self.operands
        told = [
            (value.dtype, static_shape(value.dims), value.weak)
            if type(value) is SymbolicTensor and name in operands
            else _told_apart(value, name in operands)
            for name, value in parameters.items()
        ]
        if None in told:
            return self.rule(**self.types(parameters))
        key = (trace.convention, *told)
        found = self._results.get(key)
        if found is None:
            found = self.rule(**self.types(parameters))
            if len(self._results) < _MANY:
                self._results[key] = found
        return found

    def run(self, parameters: dict[str, Any]) -> Any:
        """Evaluate in NumPy and wrap what comes out."""
        values = {
            name: _numpy_operand(value) if name in self.operands else _plain(value)
            for name, value in parameters.items()
            if name not in self.verbatim
        }
        values |= {name: parameters[name] for name in self.verbatim}
        result = self.rule(**self.types({**parameters, **_attributes(self, values)}))
        with np.errstate(all="ignore"):
            output = self.evaluate(**values)
        read = [parameters[name] for name in self.operands]
        if isinstance(result, tuple):
            return tuple(
                hooks.runtime.result(np.asarray(o, t.dtype.numpy), _leaves(read))
                for o, t in zip(output, result, strict=True)
            )
        return hooks.runtime.result(np.asarray(output, result.dtype.numpy), _leaves(read))


OWN: dict[type, type[AgirError]] = {
    TypeError: OperandTypeError,
    ValueError: OperandValueError,
    IndexError: RuntimeIndexError,
}
"""What an operation raises for Python's classes, which its rule and NumPy use."""


def located(error: Exception, trace: Recorder) -> Exception:
    """The error of an operation in a class of agir's, with the user's line where one is traced."""
    mistakes.check(error)
    own = OWN.get(type(error))
    if own is not None and not locations.raised_by_user(error):
        error = own(*error.args).with_traceback(error.__traceback__)
    if trace is not None:
        trace.locate(error)
    return error


def _attributes(operation: Operation, values: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in values.items() if name not in operation.operands}


def define(
    name: str | None = None,
    *,
    operands: tuple[str, ...],
    rule: Callable[..., Any],
    emit: Callable[..., Any],
    doc: str | None = None,
    signature: Callable[..., Any] | None = None,
    numpy: tuple[Any, ...] = (),
    creates: bool = False,
    accepts: str = "biufc",
    verbatim: tuple[str, ...] = (),
    sequences: tuple[str, ...] = (),
) -> Callable[[Callable[..., Any]], Operation]:
    """Make an operation of its evaluation by NumPy, and add it to the table.

    Its name, parameters and documentation are those of the function where they are not given
    (``signature`` is a function that has the parameters).  ``numpy`` lists the NumPy functions that
    mean this operation, ``accepts`` the kinds of dtype that it takes.
    """

    def defined(evaluate: Callable[..., Any]) -> Operation:
        operation = Operation(
            name=name or evaluate.__name__,
            operands=operands,
            rule=rule,
            evaluate=evaluate,
            emit=emit,
            signature=inspect.signature(signature or evaluate),
            doc=inspect.cleandoc(doc or evaluate.__doc__ or ""),
            creates=creates,
            numpy=numpy,
            accepts=accepts,
            verbatim=verbatim,
            sequences=sequences,
        )
        TABLE[operation.name] = operation
        NUMPY.update(dict.fromkeys(numpy, operation))
        return operation

    return defined


def call(name: str, *args: Any, **kwargs: Any) -> Any:
    """Apply the operation of that name."""
    return TABLE[name](*args, **kwargs)


def operand(value: Any) -> Any:
    """The tensor that stands for a list of run-time length or a variable; anything else as it is."""
    return value.operand() if isinstance(value, Staged) and value.is_staged else value


_PLAIN = frozenset((SymbolicTensor, bool, int, float, complex))


def _are_plain(args: tuple[Any, ...]) -> bool:
    """Whether they are tensors of the trace, and perhaps Python numbers: what operators are given."""
    kinds = set(map(type, args))
    return SymbolicTensor in kinds and kinds <= _PLAIN


def _leaves(values: Any) -> Iterator[Any]:
    for value in values:
        if isinstance(value, (list, tuple)):
            yield from _leaves(value)
        elif isinstance(value, slice):
            yield from (value.start, value.stop, value.step)
        else:
            yield value


def any_symbolic(args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool:
    """True where an argument is, or holds, a symbolic tensor."""
    for each in args:
        if isinstance(each, Tensor) and each.is_symbolic:
            return True
    return any(
        isinstance(leaf, Tensor) and leaf.is_symbolic
        for group in (args, kwargs.values())
        for leaf in _leaves(group)
    )


def type_of(value: Any, operation: str = "operation") -> Any:
    """The type of a tensor, array or number; of each in a list; None stays None."""
    if value is None:
        return None
    if isinstance(value, Tensor):
        return value.type
    if is_python_number(value):
        return TensorType(python_dtype(value), (), weak=True)
    if isinstance(value, (list, tuple)):
        return [type_of(v, operation) for v in value]
    if isinstance(value, (np.ndarray, np.generic)):
        return TensorType(as_dtype(value.dtype), value.shape)
    if hasattr(value, "__array__"):
        return type_of(np.asarray(value), operation)
    raise TypeError(f"{operation}(): expected a tensor, an array or a number, got {value!r}")


def _numpy_operand(value: Any) -> Any:
    if isinstance(value, Tensor):
        return value.numpy()
    if isinstance(value, (list, tuple)):
        return [_numpy_operand(v) for v in value]
    if value is None or is_python_number(value) or isinstance(value, (np.ndarray, np.generic)):
        return value
    return np.asarray(value)


_NUMBERS = frozenset((bool, int, float, complex))
_MANY = 4096
"""Types of results that are remembered for an operation."""


def _told_apart(value: Any, is_operand: bool) -> Any:
    """What type rules tell a parameter by; None where that is not known to be enough."""
    kind = type(value)
    if kind in _NUMBERS:
        return kind if is_operand else (kind, value)
    return (kind, value) if kind is str or value is None else None


def _plain(value: Any) -> Any:
    if isinstance(value, Tensor):
        array = value.numpy()
        return array[()] if array.ndim == 0 else array.tolist()
    if isinstance(value, (list, tuple)):
        return type(value)(_plain(v) for v in value) if type(value) in (list, tuple) else value
    return value
