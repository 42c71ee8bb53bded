"""Blocks of compiled functions that are left to Python (`autograph.converters.leaving.left_blocks`)."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from agir.errors import InvalidArgumentError, OperandTypeError
from agir.ir.building.types import as_dtype
from agir.ir.control_flow.messages import Given
from agir.ir.ops.core.host_calls import HostFunction, Result, record
from agir.ir.tensors.symbolic import SymbolicTensor
from agir.ir.tracing import trace
from agir.runtime.declared import reading, types
from agir.runtime.effects.host_functions import Host


class LeavesBlock(contextlib.nullcontext[None]):
    """A manager whose block is run by Python; ``results`` are the types of the variables it gives."""

    __ag_leaves_block__ = True

    def __init__(self, **results: Any) -> None:
        super().__init__()
        self._results = {
            name: reading.read(kind) if isinstance(kind, str) else kind
            for name, kind in results.items()
        }

    def run(
        self,
        block: Callable[..., tuple[Any, ...]],
        inputs: Sequence[Any],
        names: Sequence[str],
        written: Sequence[str],
    ) -> tuple[Any, ...]:
        """Call the block's function, now or when the program that is recorded runs.

        It gives the results and what is in the inputs that are ``written``.
        """
        current = trace.current()
        if current is None:
            return block(*inputs)
        arrays = [inputs[names.index(name)] for name in written]
        for name, array in zip(written, arrays, strict=True):
            if not (isinstance(array, (SymbolicTensor, np.ndarray)) and len(array.shape)):
                raise OperandTypeError(
                    f"a block that is left to Python assigns into {name}, which is no array"
                )
        with current.at_user_line():
            results = [
                _result(n, name, kind) for n, (name, kind) in enumerate(self._results.items())
            ]
            for array in arrays:
                dtype = as_dtype(array.dtype)
                results.append(Result(len(results), dtype, (None,) * len(array.shape)))
            given = [Given(current, each) for each in inputs]
            values = [value for each in given for value in each.values]
            call = _Block(block, given, names, written)
            host = Host("objmode", call, lambda value: value, True, current.place())
            found = record(current, HostFunction("objmode", host, results), values)
        for each in given:
            each.forget()
        python = [getattr(kind, "name", None) in types.OF_PYTHON for kind in self._results.values()]
        numbers = [found[n].item() if is_python else found[n] for n, is_python in enumerate(python)]
        return (*numbers, *found[len(numbers) :])


def _result(number: int, name: str, kind: Any) -> Result:
    if isinstance(kind, types.Array):
        return Result(number, as_dtype(kind.dtype.dtype), (None,) * kind.ndim)
    if isinstance(kind, types.Number):
        return Result(number, as_dtype(kind.dtype), ())
    raise OperandTypeError(
        f"a block that is left to Python gives numbers and arrays: {name} is to be {kind}"
    )


class _Block:
    """What the host calls."""

    def __init__(
        self, block: Any, inputs: Sequence[Given], names: Sequence[str], written: Sequence[str]
    ) -> None:
        self._block = block
        self._given = inputs
        self._names = names
        self._written = set(written)

    def __call__(self, *values: Any) -> tuple[Any, ...]:
        """What the block gives."""
        given = self._inputs(values)
        found: tuple[Any, ...] = self._block(*given)
        for name, one, other in zip(self._names, given, self._inputs(values), strict=True):
            if not isinstance(one, np.ndarray) and not _equal(one, other):
                raise InvalidArgumentError(
                    f"a block that is left to Python changes {name}: it can assign into arrays only"
                )
        return found

    def _inputs(self, values: Sequence[Any]) -> list[Any]:
        supply = iter(values)
        return [
            self._own(name, each.known(supply))
            for name, each in zip(self._names, self._given, strict=True)
        ]

    def _own(self, name: str, value: Any) -> Any:
        """Memory that the block may write into, or which says that it may not."""
        if not isinstance(value, np.ndarray):
            return value
        if name in self._written:
            return value.copy()
        view = value.view()
        view.flags.writeable = False
        return view


def _equal(one: Any, other: Any) -> bool:
    if isinstance(one, (list, tuple, dict, set)):
        return repr(one) == repr(other)
    return True
