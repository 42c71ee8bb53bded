"""A tape outside of traces: a list of what was computed, each entry with a way back.

An entry is an operation, which is differentiated by a function of its own that the interpreter runs,
or a call of a decorated function, which runs forwards with saving and has a compiled way back.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from agir.ir import bypass, hooks, table
from agir.ir.building.types import as_dtype
from agir.ir.state.variables import Variable
from agir.ir.tensors import dispatch
from agir.ir.tensors.tensor import Tensor
from agir.records import dataclass
from agir.runtime.blame import at_caller
from agir.runtime.gradients import operations
from agir.runtime.tensor import EagerTensor

Pull = Callable[[list[Any]], list[Any]]
"""From the cotangents of the outputs, None for none, to those of the inputs."""


def is_number(value: Any) -> bool:
    """Whether a value is a tensor, variable or array of floating-point or complex numbers."""
    if isinstance(value, (Tensor, np.ndarray, np.generic)):
        try:
            return as_dtype(value.dtype).kind in "fc"
        except TypeError:
            return False
    return False


@dataclass
class Entry:
    """Something that was computed."""

    inputs: list[Any]
    outputs: list[Any]
    input_keys: list[Any]
    output_keys: list[Any]
    pull: Pull


class EagerTape:
    """What was computed while the tape was on, as far as it depends on what is watched."""

    def __init__(self, accessed: bool, is_persistent: bool = False) -> None:
        self._accessed = accessed
        self.is_persistent = is_persistent
        self._entries: list[Entry] = []
        self._watched: dict[int, Any] = {}
        self._live: set[Any] = set()
        self._versions: dict[int, int] = {}
        self._variables: dict[int, Variable] = {}

    # When it is on.

    def start(self) -> None:
        """From here on it is told of what is computed."""
        hooks.observers.active = (*hooks.observers.active, self)
        bypass.add()

    def stop(self) -> None:
        """It is not told any more."""
        active = hooks.observers.active
        hooks.observers.active = tuple(each for each in active if each is not self)
        if len(hooks.observers.active) < len(active):  # it was on in this thread
            bypass.remove()

    # What is watched.

    def watch(self, value: Any) -> None:
        """Gradients can be asked for with respect to this value."""
        freeze([value])
        self._watched[id(value)] = value
        self._live.add(self.key(value))
        if isinstance(value, Variable):
            self._variables[id(value)] = value

    def watched_variables(self) -> list[Variable]:
        """The variables that were watched or used."""
        return list(self._variables.values())

    def key(self, value: Any) -> Any:
        """What stands for a value as it is now: arrays can be written to."""
        return (id(value), self._versions.get(id(value), 0))

    def is_live(self, value: Any) -> bool:
        """Whether gradients may have to flow to this value."""
        if self.key(value) in self._live:
            return True
        if self._accessed and isinstance(value, Variable) and value.trainable:
            self.watch(value)
            return True
        return False

    def note(
        self, inputs: Sequence[Any], keys: Sequence[Any], outputs: Sequence[Any], pull: Pull
    ) -> None:
        """Something was computed from inputs that had these keys."""
        live = [key in self._live for key in keys]
        if not any(live):
            return
        found = [self.key(value) for value in outputs]
        self._live.update(k for k, v in zip(found, outputs, strict=True) if is_number(v))
        self._entries.append(Entry(list(inputs), list(outputs), list(keys), found, pull))

    def changed(self, value: Any) -> None:
        """An array has been written to, and is another value from now on."""
        self._versions[id(value)] = self._versions.get(id(value), 0) + 1
        self._watched.setdefault(id(value), value)

    # Gradients.

    def gradient(
        self, targets: Sequence[Any], seeds: Sequence[Any], sources: Sequence[Any]
    ) -> list[Any]:
        """The gradients of the sum of the targets; None for a source without influence."""
        found: dict[Any, Any] = {}
        for target, seed in zip(targets, seeds, strict=True):
            if not is_number(target):
                raise TypeError(
                    at_caller(
                        f"the gradient of {target.dtype} values: only floating-point and complex "
                        "ones have gradients"
                    )
                )
            key = self.key(target)
            if key in self._live:
                _accumulate(found, key, _seed(target, seed))
        for entry in reversed(list(self._entries)):
            received = [found.get(key) for key in entry.output_keys]
            if all(each is None for each in received):
                continue
            for key, cotangent in zip(entry.input_keys, entry.pull(received), strict=True):
                if cotangent is not None and key in self._live:
                    _accumulate(found, key, cotangent)
        return [found.get(self._source_key(source)) for source in sources]

    def _source_key(self, source: Any) -> Any:
        first = (id(source), 0)
        return first if id(source) in self._watched and first in self._live else self.key(source)

    def zeros(self, source: Any) -> Any:
        """A gradient of zero."""
        return EagerTensor(zero_array(source))

    def zero_jacobian(self, target: Any, source: Any) -> Any:
        """A Jacobian of zero."""
        return EagerTensor(np.zeros((*np.shape(target), *np.shape(source)), _array(source).dtype))

    def jacobian(self, target: Any, source: Any) -> Any:
        """The derivatives of every element of the target; None where there are none."""
        whole = _array(target)
        rows = []
        for where in np.ndindex(whole.shape):
            seed = np.zeros_like(whole)
            seed[where] = 1
            (row,) = self.gradient([target], [EagerTensor(seed)], [source])
            if row is None:
                return None
            rows.append(row)
        if not rows:
            return self.zero_jacobian(target, source)
        stacked = dispatch.call("stack", rows)
        return dispatch.call("reshape", stacked, (*whole.shape, *np.shape(source)))

    def batch_jacobian(self, target: Any, source: Any, zero: bool) -> Any:
        """The Jacobians of the rows: one sweep for each element of a row."""
        whole, inner = _array(target), _array(source)
        check_batches(whole.shape, inner.shape)
        columns = []
        for where in np.ndindex(whole.shape[1:]):
            seed = np.zeros_like(whole)
            place: Any = (slice(None), *where)
            seed[place] = 1
            (found,) = self.gradient([target], [EagerTensor(seed)], [source])
            if found is None:
                if not zero:
                    return None
                found = self.zeros(source)
            columns.append(found)
        shape = (whole.shape[0], *whole.shape[1:], *inner.shape[1:])
        if not columns:
            return EagerTensor(np.zeros(shape, inner.dtype))
        stacked = dispatch.call("stack", columns, 1)
        return dispatch.call("reshape", stacked, shape)


def check_batches(target: Sequence[Any], source: Sequence[Any]) -> None:
    """Refuse a pair of shapes that have no first dimension in common."""
    if not target or not source or target[0] != source[0]:
        raise ValueError(
            at_caller(
                f"batch_jacobian() of shapes {list(target)} and {list(source)}: the first dimensions "
                "have to be the same"
            )
        )


def _array(value: Any) -> Any:
    return np.asarray(value.numpy() if isinstance(value, Tensor) else value)


def _accumulate(found: dict[Any, Any], key: Any, cotangent: Any) -> None:
    before = found.get(key)
    found[key] = cotangent if before is None else dispatch.call("add", before, cotangent)


def _seed(target: Any, seed: Any) -> Any:
    array = _array(target)
    if seed is None:
        return EagerTensor(np.ones_like(array))
    if (
        isinstance(seed, EagerTensor)
        and seed.array.dtype == array.dtype
        and seed.shape == array.shape
    ):
        return seed
    if isinstance(seed, Tensor):
        seed = dispatch.call("cast", seed, as_dtype(array.dtype))
        return (
            seed if seed.shape == array.shape else dispatch.call("broadcast_to", seed, array.shape)
        )
    return EagerTensor(np.array(np.broadcast_to(np.asarray(seed, array.dtype), array.shape)))


def zero_array(value: Any) -> Any:
    """Zeros like a tensor or array."""
    return np.zeros_like(_array(value))


# What tells the tapes.


@contextmanager
def unobserved() -> Any:
    """What is computed meanwhile is not noted."""
    before, hooks.observers.active = hooks.observers.active, ()
    try:
        yield before
    finally:
        hooks.observers.active = before


def _is_live(tapes: Sequence[EagerTape], value: Any) -> bool:
    """Whether some tape wants gradients of a value; each of them is asked."""
    found = [tape.is_live(value) for tape in tapes]
    return any(found)


def live_inputs(tapes: Sequence[EagerTape], values: Sequence[Any]) -> list[bool]:
    """Which of the values some tape wants gradients of."""
    return [is_number(v) and _is_live(tapes, v) for v in values]


def freeze(values: Sequence[Any]) -> None:
    """Have tensors stay what a tape has taken them for."""
    for value in values:
        if isinstance(value, Tensor):
            value.freeze()


def note(
    tapes: Sequence[EagerTape], inputs: Sequence[Any], outputs: Sequence[Any], pull: Pull
) -> None:
    """Tell the tapes of something that was computed."""
    for tape in tapes:
        tape.note(inputs, [tape.key(value) for value in inputs], outputs, pull)


def observe(operation: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Evaluate an operation, and tell the tapes."""
    parameters = operation.bind(args, kwargs)
    with unobserved() as tapes:
        result = operation.run(parameters)
    call = operations.Call(operation, parameters)
    live = live_inputs(tapes, call.inputs)
    if any(live):
        outputs = list(result) if isinstance(result, tuple) else [result]
        freeze([*call.inputs, *outputs])
        inputs = [value for value, wanted in zip(call.inputs, live, strict=True) if wanted]
        note(tapes, inputs, outputs, call.pull(live))
    return result


def observe_read(variable: Variable, tensor: Any) -> Any:
    """Tell the tapes that a tensor is the value of a variable."""
    tapes = hooks.observers.active
    if _is_live(tapes, variable) and is_number(tensor):
        note(tapes, [variable], [tensor], lambda received: received)
    return tensor


def observe_part(variable: Variable, key: Any, part: Any) -> Any:
    """Tell the tapes that a tensor is a part of a variable."""
    tapes = hooks.observers.active
    if _is_live(tapes, variable) and is_number(part):
        operation = table.TABLE["getitem"]
        call = operations.Call(operation, operation.bind((variable, key), {}))
        note(tapes, [variable], [part], call.pull([True]))
    return part
