"""Blocks of compiled functions that are left to Python (`autograph.converters.leaving.left_blocks`)."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from agir.errors import InvalidArgumentError, OperandTypeError
from agir.ir.building.types import as_dtype
from agir.ir.control_flow.messages import Part
from agir.ir.ops.core.host_calls import HostFunction, Result, record
from agir.ir.tensors import structure
from agir.ir.tensors.symbolic import SymbolicTensor, is_run_time
from agir.ir.tracing import trace
from agir.ir.tracing.trace import Trace
from agir.ir.values.text import as_template
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
            given = [_Input(current, each) for each in inputs]
            values = [value for each in given for part in each.parts for value in part.values]
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


class _Input:
    """A value that the block gets."""

    def __init__(self, current: Trace, value: Any) -> None:
        leaves, self._key = structure.flatten(as_template(value), _parts)
        for leaf in leaves:
            if not is_run_time(leaf) and any(
                map(is_run_time, structure.flatten(leaf, structure.parts)[0])
            ):
                raise OperandTypeError(
                    "a block that is left to Python gets numbers, arrays, text, and lists, tuples, "
                    f"dicts and sets of them, and no {type(leaf).__name__}"
                )
        self.parts = [Part(current, as_template(leaf)) for leaf in leaves]

    def forget(self) -> None:
        """Let go of what it holds of the trace."""
        for part in self.parts:
            part.forget()

    def known(self, supply: Iterator[Any]) -> Any:
        """The value, of what the program gives."""
        leaves = [part.known(supply) for part in self.parts]
        return structure.for_caller(self._key, iter(leaves), {})


def _parts(value: Any) -> Any:
    """What a value consists of; what stands for a dict or set consists of its attributes."""
    stands_for = getattr(type(value), "is_users", False)
    return structure.parts(value) if stands_for else structure.children(value)


class _Block:
    """What the host calls."""

    def __init__(
        self, block: Any, inputs: Sequence[_Input], names: Sequence[str], written: Sequence[str]
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
