"""The short way from run-time values to what is returned, where it is made of results alone.

What it leaves out is little; but a call that comes after much else finds none of it in a cache, and
then each step of Python takes microseconds.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from agir.backends.entry import Run
from agir.ir.tensors import structure
from agir.runtime.calling import failures
from agir.runtime.recording.recorded import Recorded, Result
from agir.runtime.recording.written import WrittenArrays
from agir.runtime.tensor import EagerTensor

Call = Callable[[Sequence[Any]], Any]


def short_call(
    recorded: Recorded, run: Run, written: WrittenArrays | None, returns_tensors: bool
) -> Call | None:
    """The function from arrays and numbers to what is returned; None where there is more to do.

    ``written`` are the arrays that compiled code itself writes into.
    """
    more = (
        *(recorded.captures, recorded.assigned, recorded.changed, recorded.passed),
        *(recorded.guards, recorded.by_rows, recorded.updates),
    )
    if any(more) or (recorded.mutated and written is None):
        return None
    if not all(map(_is_plain, recorded.results)):
        return None
    return _checked(recorded, run, written, _reader(recorded, returns_tensors))


def on_tensors(call: Call) -> Call:
    """The same for values some of which are tensors."""
    return lambda values: call([_raw(value) for value in values])


def _is_plain(result: Result) -> bool:
    """Whether a leaf is a result as it is, or the same in every call."""
    other = (
        *(result.argument, result.captured, result.abstract),
        *(result.choices, result.path, result.alternatives),
    )
    return all(each is None for each in other) and not result.is_array


def _checked(recorded: Recorded, run: Run, written: WrittenArrays | None, read: Call) -> Call:
    sites = recorded.sites
    if written is None and not sites:
        return lambda values: read(run(values))
    check = None if written is None else written.check

    def call(values: Sequence[Any]) -> Any:
        if check is not None:
            check(values)
        outputs = run(values)
        if sites:
            failures.check(recorded, outputs)
        return read(outputs)

    return call


def _reader(recorded: Recorded, returns_tensors: bool) -> Call:
    """From the outputs of compiled code to what is returned."""
    readers = [_leaf(each, returns_tensors) for each in recorded.results]
    if recorded.structure is None and len(readers) == 1:
        return readers[0]

    def read(outputs: Sequence[Any]) -> Any:
        leaves = (reader(outputs) for reader in readers)
        return structure.for_caller(recorded.structure, leaves)

    return read


def _leaf(result: Result, is_tensor: bool) -> Call:
    """From the outputs of compiled code to one leaf of what is returned."""
    index = result.index
    if index is None:
        return lambda outputs: result.constant()
    if is_tensor:
        return lambda outputs: _tensor(outputs[index])
    if result.is_number:
        return lambda outputs: outputs[index].item()
    return lambda outputs: outputs[index]


def _tensor(value: Any) -> EagerTensor:
    return EagerTensor(np.asarray(value))


def _raw(value: Any) -> Any:
    return value.array if type(value) is EagerTensor else value
