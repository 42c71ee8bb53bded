"""One of several Python values: what a variable is where branches leave different strings,
functions or objects in it.

Nothing but the number of the value exists at run time.  What is done with such a value is recorded
once for each of them; what the function returns is looked up by the caller.
"""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from agir.ir.cells import Scope
from agir.ir.slots import JOINS, KINDS, Slot, Static, Take, Wrap, same_value
from agir.ir.staged import Staged
from agir.ir.structure import children
from agir.ir.symbolic import SymbolicTensor
from agir.ir.tensor import Tensor
from agir.ir.trace import Trace
from agir.ir.types import DType, int64, is_python_number


class Chosen(Staged):
    """One of several Python values, by a number known only at run time."""

    def __init__(self, trace: Trace, index: SymbolicTensor, values: tuple[Any, ...]) -> None:
        self._trace = trace
        self._index = index
        self._values = values

    def each(self, function: Callable[[Any], Any]) -> Any:
        """The function of the value: recorded for every one, run for the one that it is."""
        from agir.ir import control_flow

        def at(position: int) -> Any:
            value = self._values[position]
            if position + 1 == len(self._values):
                return function(value)
            return control_flow.if_exp(
                self._trace,
                self._index == position,
                lambda: function(value),
                lambda: at(position + 1),
            )

        return at(0)

    def truth(self, trace: Trace) -> Any:
        """The truth of the value that it is."""
        from agir.ir import control_flow

        return control_flow.truth(trace, self.matches(bool))

    def matches(self, predicate: Callable[[Any], bool]) -> Any:
        """For which values a predicate of Python's holds: a bool, or a bool scalar."""
        table = [bool(predicate(value)) for value in self._values]
        if len(set(table)) == 1:
            return table[0]
        found = [self._index == position for position, holds in enumerate(table) if holds]
        return functools.reduce(operator.or_, found)

    def __eq__(self, other: object) -> Any:
        if isinstance(other, Chosen):
            return other.each(lambda value: self == value)
        return self.matches(lambda value: value == other)

    def __ne__(self, other: object) -> Any:
        if isinstance(other, Chosen):
            return other.each(lambda value: self != value)
        return self.matches(lambda value: value != other)

    __hash__ = None  # type: ignore[assignment]

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return self.each(lambda value: getattr(value, name))

    def __getitem__(self, key: Any) -> Any:
        return self.each(lambda value: value[key])

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        from agir.autograph import operators

        return self.each(lambda value: operators.call(value, args, kwargs))


def _binary(name: str) -> tuple[Any, Any]:
    function = getattr(operator, name)

    def method(self: Chosen, other: Any) -> Any:
        return self.each(lambda value: function(value, other))

    def reflected(self: Chosen, other: Any) -> Any:
        return self.each(lambda value: function(other, value))

    return method, reflected


for _name in ("add", "sub", "mul", "truediv", "floordiv", "mod"):
    _method, _reflected = _binary(_name)
    setattr(Chosen, f"__{_name}__", _method)
    setattr(Chosen, f"__r{_name}__", _reflected)


@dataclass(frozen=True)
class Choice(Slot):
    """One of several Python values; its number is carried."""

    values: tuple[Any, ...]

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Choice)
            and len(self.values) == len(other.values)
            and all(map(same_value, self.values, other.values))
        )

    __hash__ = None  # type: ignore[assignment]

    def types(self) -> list[Any]:
        return [int64.mlir()]

    def dtypes(self) -> list[DType]:
        return [int64]

    def pack(self, trace: Trace, value: Any) -> list[Any]:
        if not isinstance(value, Chosen):
            return [trace.constant(int64, self._number(value))]
        numbers = [self._number(each) for each in value._values]
        if numbers == list(range(len(numbers))):
            return [value._index.ssa]
        return [_translated(trace, value._index, numbers)]

    def _number(self, value: Any) -> int:
        return next(n for n, each in enumerate(self.values) if same_value(each, value))

    def unpack(self, trace: Trace, carried: list[Any]) -> Any:
        return Chosen(trace, trace.make(carried.pop(0), int64, ()), self.values)

    def placeholder(self, trace: Trace) -> list[Any]:
        return [trace.constant(int64, 0)]

    def assemble(self, take: Take, wrap: Wrap) -> Any:
        return self.values[int(take())]

    def describe(self) -> str:
        return f"one of the Python values {', '.join(map(repr, self.values))}"

    def outside(self, scope: Scope) -> Slot:
        return self

    def absorb(self, name: str, other: Slot, strict: bool) -> Slot | None:
        more = other.values if isinstance(other, Choice) else _alternatives(other)
        return None if more is None else _united(self.values, more)


def _translated(trace: Trace, index: SymbolicTensor, numbers: list[int]) -> Any:
    result = trace.constant(int64, numbers[-1])
    for position, number in reversed(list(enumerate(numbers[:-1]))):
        here = trace.compare("eq", index.ssa, trace.constant(int64, position))
        chosen = trace.constant(int64, number)
        result = trace.op("arith.select", result.type, here, chosen, result)
    return result


def _united(left: tuple[Any, ...], right: tuple[Any, ...]) -> Choice:
    more = [value for value in right if not any(same_value(value, each) for each in left)]
    return Choice((*left, *more))


def _alternatives(slot: Slot) -> tuple[Any, ...] | None:
    """The value of a slot that one can choose from: not a number, an array or a container."""
    if not isinstance(slot, Static):
        return None
    value = slot.value
    refused = is_python_number(value) or isinstance(value, (Tensor, np.ndarray))
    return None if refused or children(value) is not None else (value,)


def _of_two(name: str, left: Slot, right: Slot, strict: bool) -> Slot | None:
    one, other = _alternatives(left), _alternatives(right)
    return None if one is None or other is None else _united(one, other)


def _slot_of_chosen(trace: Trace, value: Chosen, around: Scope | None) -> Slot:
    return Choice(value._values)


KINDS[Chosen] = _slot_of_chosen
JOINS.append(_of_two)
