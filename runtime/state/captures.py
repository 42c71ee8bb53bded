"""How a call of a compiled function reads and writes the variables that its trace has captured.

A call that writes variables holds the locks of all that it uses, in one order for all calls, and
stores what it has computed after it has succeeded.  One that only reads them holds the locks just
long enough to refer to their arrays; as long as it does, writers leave these arrays alone and go on
with copies (`buffers`).
"""

from __future__ import annotations

import threading
import weakref
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from agir.errors import FailedPreconditionError
from agir.ir.building.types import DType, Shape
from agir.ir.state.outside import Outside
from agir.ir.state.variables import Variable
from agir.ir.tensors.tensor import Tensor
from agir.records import dataclass
from agir.runtime.blame import at_caller
from agir.runtime.state.buffers import Buffer, buffer_of

Run = Callable[[Sequence[Any]], list[Any]]


class Captured:
    """A variable that a trace uses, and does not keep alive."""

    __slots__ = ("_reference", "is_scalar", "name", "number")

    def __init__(self, variable: Variable) -> None:
        self._reference = weakref.ref(variable)
        self.name = variable.name
        self.number = variable.number
        self.is_scalar = not variable.shape

    @property
    def is_alive(self) -> bool:
        """Whether the variable exists still."""
        return self._reference() is not None

    def get(self) -> Variable:
        """The variable; ``FailedPreconditionError`` once it is gone."""
        variable = self._reference()
        if variable is None:
            raise FailedPreconditionError(
                at_caller(
                    f"the Variable {self.name!r}, which the function has captured, is gone: "
                    "compiled functions do not keep variables alive; keep it in an attribute or a "
                    "global name"
                )
            )
        return variable


@dataclass(frozen=True)
class Fresh:
    """Memory of a type, for compiled code to write a variable's new value to."""

    shape: Shape
    dtype: DType

    def array(self) -> Any:
        """The memory."""
        return np.empty(self.shape, self.dtype.numpy)


def captured(owner: Any) -> Any:
    """What is kept of a captured value: variables are referred to weakly."""
    return Captured(owner) if isinstance(owner, Variable) else owner


def array_of(owner: Any) -> Any:
    """A captured value that is no variable, as an array."""
    if isinstance(owner, Fresh | Outside):
        return owner.array()
    return owner.numpy() if isinstance(owner, Tensor) else owner


class _Locks:
    """Several locks, taken in the order of the variables' numbers."""

    def __init__(self, locks: Sequence[Any]) -> None:
        self._locks = locks

    def __enter__(self) -> None:
        for count, lock in enumerate(self._locks):
            try:
                lock.acquire()
            except BaseException:
                self._release(count)
                raise

    def __exit__(self, *exception: object) -> None:
        self._release(len(self._locks))

    def _release(self, count: int) -> None:
        for lock in reversed(self._locks[:count]):
            lock.release()


def _run_taking(buffers: Sequence[Buffer], run: Run, arrays: Sequence[Any]) -> list[Any]:
    """Run the function; as long as it runs nothing else changes what it is going to replace."""
    for buffer in buffers:
        buffer.is_taken = True
    try:
        return run(arrays)
    finally:
        for buffer in buffers:
            buffer.is_taken = False


class State:
    """The captured values of a trace: which are variables, and which of these it writes.

    ``replaced`` maps the variables that are written, by their place among the captured values, to
    results; ``written`` to the places into which compiled code writes instead of giving a result:
    the variable's own, or that of `Fresh` memory.
    """

    def __init__(
        self, inputs: Sequence[Any], replaced: dict[int, int], written: dict[int, int]
    ) -> None:
        self._inputs = inputs
        outside = {n for n, each in enumerate(inputs) if isinstance(each, Outside)}
        self._stored = {n: result for n, result in replaced.items() if n in outside}
        self._replaced = {n: result for n, result in replaced.items() if n not in outside}
        self._in_place = {p for p, target in written.items() if p == target and p not in outside}
        self._fresh = {p: target for p, target in written.items() if p != target}
        self._places = [n for n, each in enumerate(inputs) if isinstance(each, Captured)]
        self._places.sort(key=lambda n: inputs[n].number)

    def variables(self) -> list[Variable]:
        """The variables that exist still, in the order of the function's arguments."""
        found = [each for each in self._inputs if isinstance(each, Captured)]
        return [each.get() for each in found if each.is_alive]

    def call(self, run: Run, arguments: Sequence[Any], check: Callable[[list[Any]], None]) -> Any:
        """Run the function; ``check`` raises what it has raised."""
        if not self._places:
            arrays = [*arguments, *map(array_of, self._inputs)]
            outputs = run(arrays)
            check(outputs)
            self._store(arrays, outputs)
            return outputs
        alive = [self._inputs[n].get() for n in self._places]
        buffers = [buffer_of(variable) for variable in alive]
        with _Locks([buffer.lock for buffer in buffers]):
            found = dict(zip(self._places, buffers, strict=True))
            changed = [found[n] for n in (*self._replaced, *self._fresh, *self._in_place)]
            for buffer in changed:
                buffer.refuse_if_taken()
            arrays = [*arguments, *(self._array(n, found.get(n)) for n in range(len(self._inputs)))]
            if changed:
                outputs = _run_taking(changed, run, arrays)
                check(outputs)
                for n, result in self._replaced.items():
                    found[n].replace(np.asarray(outputs[result]))
                for n, place in self._fresh.items():
                    found[n].replace(arrays[place - len(self._inputs)])
                self._store(arrays, outputs)
                return outputs
        outputs = run(arrays)
        check(outputs)
        self._store(arrays, outputs)
        return outputs

    def peek(self) -> list[Any]:
        """Copies of what the captured values hold now."""
        values = []
        for each in self._inputs:
            buffer = buffer_of(each.get()) if isinstance(each, Captured) else None
            array = array_of(each) if buffer is None else buffer.current()
            values.append(array[()] if buffer is not None and each.is_scalar else np.array(array))
        return values

    def _store(self, arrays: Sequence[Any], outputs: Sequence[Any]) -> None:
        """Write into the arrays of objects of outside."""
        first = len(arrays) - len(self._inputs)
        for n, result in self._stored.items():
            arrays[first + n][...] = outputs[result]

    def _array(self, place: int, buffer: Buffer | None) -> Any:
        captured = self._inputs[place]
        if buffer is None:
            return array_of(captured)
        if captured.is_scalar:
            return buffer.current()[()]
        return buffer.own() if place in self._in_place else buffer.current()


class Initialiser:
    """Computes the initial values of variables that a trace has created, once."""

    def __init__(
        self, variables: Sequence[Variable], compute: Callable[[Sequence[Any]], Any]
    ) -> None:
        self._variables = [Captured(each) for each in variables]
        self._compute = compute
        self._lock = threading.Lock()
        self._done = False

    def run(self, values: Sequence[Any]) -> None:
        """Compute from the run-time values of a call what has no value yet."""
        with self._lock:
            if self._done:
                return
            buffers = [buffer_of(each.get()) for each in self._variables if each.is_alive]
            initial = self._compute(values)
            for buffer, value in zip(buffers, initial, strict=True):
                if not buffer.is_set:
                    buffer.assign(np.asarray(value))
            self._done = True
