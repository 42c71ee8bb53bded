"""The short way from run-time values to what is returned, where it is made of results alone.

What it leaves out is little; but a call that comes after much else finds none of it in a cache, and
then each step of Python takes microseconds.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from agir.backends.entry import Run
from agir.ir import structure
from agir.runtime import failures
from agir.runtime.recorded import Recorded, Result
from agir.runtime.tensor import EagerTensor
from agir.runtime.written import WrittenArrays

Call = Callable[[Sequence[Any]], Any]


def short_call(
    recorded: Recorded, run: Run, written: WrittenArrays | None, returns_tensors: bool
) -> Call | None:
    """The function from arrays and numbers to what is returned; None where there is more to do.

    ``written`` are the arrays that compiled code itself writes into.
    """
    more = recorded.captures, recorded.assigned, recorded.guards, recorded.by_rows, recorded.updates
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
    other = (result.argument, result.captured, result.slot, result.choices)
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
            failures.check(sites, outputs)
        return read(outputs)

    return call


def _reader(recorded: Recorded, returns_tensors: bool) -> Call:
    """From the outputs of compiled code to what is returned."""
    wrap = _tensor if returns_tensors else None
    results = recorded.results
    if recorded.structure is None and len(results) == 1:
        index = results[0].index
        if index is None:
            constant = results[0].constant
            return lambda outputs: constant()
        if wrap is None:
            return lambda outputs: outputs[index]
        return lambda outputs: wrap(outputs[index])

    def read(outputs: Sequence[Any]) -> Any:
        leaves = [
            each.constant() if each.index is None else outputs[each.index] for each in results
        ]
        if wrap is not None:
            leaves = [
                leaf if each.index is None else wrap(leaf)
                for each, leaf in zip(results, leaves, strict=True)
            ]
        return structure.unflatten(recorded.structure, iter(leaves))

    return read


def _tensor(value: Any) -> EagerTensor:
    return EagerTensor(np.asarray(value))


def _raw(value: Any) -> Any:
    return value.array if type(value) is EagerTensor else value
