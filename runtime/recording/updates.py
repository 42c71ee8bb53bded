"""What a traced function gives new contents: array arguments under NumPy's conventions, variables.

Each is a result of the compiled function, which may have an argument for its destination.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

from agir.ir.building.cells import Cell
from agir.ir.building.types import DType
from agir.ir.state.outside import Outside
from agir.ir.state.variables import Variable
from agir.ir.tensors.symbolic import Owned, SymbolicTensor
from agir.ir.tracing.trace import Trace
from agir.records import dataclass
from agir.runtime.state.captures import Fresh


@dataclass
class Written:
    """An argument of the compiled function that it gives new contents, and which result these are.

    ``target`` is the argument into which compiled code writes them; None where it returns them.
    """

    argument: int
    cell: Cell
    dtype: DType
    target: int | None
    result: int = -1


def written_arguments(
    trace: Trace, symbols: Sequence[SymbolicTensor], restores: bool
) -> list[Written]:
    """The array arguments that the function writes into, and the variables that it writes.

    What can fail leaves variables alone until it has succeeded, and puts back what was in arrays; of
    what a callback raises, compiled code does not know.  Unless it ``restores`` them, arrays are
    written to whatever comes.
    """
    written = trace.root.written
    found = []
    in_place = not (restores and trace.can_fail and trace.callbacks)
    if trace.convention.arrays_are_mutable:
        for position, symbol in enumerate(symbols):
            storage = symbol.storage
            if isinstance(storage, Owned) and storage.cell in written:
                target = position if in_place else None
                found.append(Written(position, storage.cell, symbol.dtype, target))
    found += _written_outside(trace, len(symbols), in_place)
    found += [
        _written_variable(trace, owner, tensor, number, len(symbols))
        for number, (owner, tensor) in enumerate(list(trace.captures), len(symbols))
        if isinstance(owner, Variable) and owner.storage.cell in written
    ]
    return sorted(found, key=lambda each: each.target is not None)


def _written_outside(trace: Trace, first: int, in_place: bool) -> Iterator[Written]:
    """The arrays in attributes of objects that the function writes into."""
    for number, (owner, tensor) in enumerate(trace.captures, first):
        cell = getattr(tensor.storage, "cell", None)
        if isinstance(owner, Outside) and cell in trace.root.written:
            yield Written(number, cell, tensor.dtype, number if in_place else None)


FRESH = 32 << 20
"""A variable of at least so many bytes, written by a function that can fail, gets memory of NumPy's.
That is quicker to be had than compiled code's, for the C library returns such large pieces to the
system each time."""


def _written_variable(
    trace: Trace, variable: Variable, tensor: SymbolicTensor, number: int, first: int
) -> Written:
    """Where compiled code puts the new value: into the variable's array, or other memory."""
    target, shape = None, tensor.shape
    if shape and None not in shape:
        if not (trace.can_fail or trace.callbacks):
            target = number
        elif math.prod(shape) * tensor.dtype.itemsize >= FRESH:  # type: ignore[arg-type]
            fresh = Fresh(shape, tensor.dtype)
            trace.state_argument(fresh, tensor.dtype, shape, f"new_{variable.name[:-2]}")
            target = first + len(trace.captures) - 1
    return Written(number, variable.storage.cell, tensor.dtype, target)


def return_contents(
    trace: Trace, written: Sequence[Written], ssa: list[Any], dtypes: list[DType]
) -> dict[int, int]:
    """Return the new contents, too; gives the arguments that take some of these, by result."""
    for each in written:
        each.result = len(ssa)
        ssa.append(trace.root.read(each.cell))
        dtypes.append(each.dtype)
    return {each.result: each.target for each in written if each.target is not None}
