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
from agir.ir.values.abstract_values import as_it_is
from agir.ir.values.heap import assembling
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
    if more_than_results(recorded) or recorded.captures or recorded.guards or recorded.by_rows:
        return None
    if recorded.mutated and written is None:
        return None
    read = reader(recorded, returns_tensors)
    return None if read is None else _checked(recorded, run, written, read)


def more_than_results(recorded: Recorded) -> bool:
    """Whether something of the caller's, or of outside, is changed once there are results."""
    return bool(recorded.assigned or recorded.changed or recorded.passed or recorded.updates)


def on_tensors(call: Call) -> Call:
    """The same for values some of which are tensors."""
    return lambda values: call([_raw(value) for value in values])


def _is_plain(result: Result) -> bool:
    """Whether a leaf is made of results as they are, or the same in every call."""
    other = (
        *(result.argument, result.captured),
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


def reader(recorded: Recorded, returns_tensors: bool) -> Call | None:
    """From the outputs of compiled code to what is returned; None where there is more to do."""
    abstract = [each.index for each in recorded.results if each.abstract is not None]
    if not all(map(_is_plain, recorded.results)) or len(set(abstract)) < len(abstract):
        return None  # what is put together is one object wherever it is
    readers = [_leaf(each, returns_tensors) for each in recorded.results]
    if recorded.structure is None and len(readers) == 1:
        read = readers[0]
    else:
        make = structure.maker(recorded.structure)

        def read(outputs: Sequence[Any]) -> Any:
            return make(iter([leaf(outputs) for leaf in readers]))

    return _together(read) if recorded.has_slots else read


def _together(read: Call) -> Call:
    """The same for what is put together of several outputs."""

    def read_in_one_call(outputs: Sequence[Any]) -> Any:
        with assembling.call:
            return read(outputs)

    return read_in_one_call


def _leaf(result: Result, is_tensor: bool) -> Call:
    """From the outputs of compiled code to one leaf of what is returned."""
    index = result.index
    if result.abstract is not None:
        assemble, wrap = result.abstract.assemble, wrapped if is_tensor else as_it_is
        return lambda outputs: assemble(iter(outputs[index:]).__next__, wrap)
    if index is None:
        return lambda outputs: result.constant()
    if is_tensor:
        return lambda outputs: wrapped(outputs[index], False)
    if result.is_number:
        return lambda outputs: outputs[index].item()
    return lambda outputs: outputs[index]


def wrapped(value: Any, is_number: bool) -> EagerTensor:
    """An output as a tensor."""
    return EagerTensor(np.asarray(value))


def _raw(value: Any) -> Any:
    return value.array if type(value) is EagerTensor else value
