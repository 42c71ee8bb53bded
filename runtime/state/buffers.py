"""What a variable holds outside of traces: an array, written in place while nobody else has it.

Whoever reads the variable gets a view of the array, which refers to it.  Before the array is written
to, its references are counted, and a copy takes its place if there is any besides the variable's
own: what has been read never changes, and a variable that nobody has read is updated without a copy.
The lock is held while the array is written to, so that nobody begins to read it then.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from agir import errors
from agir.errors import AssignmentError, FailedPreconditionError
from agir.ir import table
from agir.ir.state.variables import Variable
from agir.ir.tensors import dispatch
from agir.runtime.blame import at_caller
from agir.runtime.state.locks import CallLock
from agir.runtime.tensor import EagerTensor

Array = np.ndarray[Any, Any]
_UPDATES = {"add": np.add, "subtract": np.subtract}


class Buffer:
    """The array of one variable; None until the call that computes it has succeeded."""

    __slots__ = ("__weakref__", "array", "is_taken", "lock", "name")

    def __init__(self, name: str, array: Array | None) -> None:
        self.name = name
        self.array: Any = None if array is None else np.array(array, order="C")
        self.lock = CallLock()
        self.is_taken = False
        """Whether a compiled function runs that is going to replace the value."""

    @property
    def is_set(self) -> bool:
        """Whether there is a value."""
        return self.array is not None

    # All but `tensor` and `assign` are called while the lock is held.

    def current(self) -> Array:
        """The array itself; an error where there is no value yet."""
        if self.array is None:
            raise FailedPreconditionError(
                at_caller(
                    f"the Variable {self.name!r} has no value yet: the call of the function that "
                    "computes its initial value has not succeeded"
                )
            )
        found: Array = self.array
        return found

    def refuse_if_taken(self) -> None:
        """Refuse to change what the call around this one, which called Python, is to replace."""
        if self.is_taken:
            raise FailedPreconditionError(
                at_caller(
                    f"the Variable {self.name!r} is changed here by Python code that a compiled "
                    "function has called, and the function itself changes it: one of the changes "
                    "would be lost; return the value and assign it in the function"
                )
            )

    def own(self) -> Array:
        """The array, to be written to: nobody else has it."""
        if not self.is_alone():
            self.array = self.array.copy()
        return self.current()

    def is_alone(self) -> bool:
        """Whether nobody else has the array, or a view of it."""
        array, base = _references(self)
        return array <= _ALONE and base <= _BASE_ALONE

    def replace(self, array: Array) -> None:
        """Have another array, which belongs to the variable from now on.

        A view is copied: who else reads its memory could not be counted.
        """
        self.array = array if array.base is None else np.array(array, order="C")

    def tensor(self) -> EagerTensor:
        """The value as it is now."""
        with self.lock:
            return EagerTensor(self.current().view())

    def assign(self, array: Array) -> None:
        """Replace the value."""
        with self.lock:
            self.refuse_if_taken()
            alone = self.is_set and self.array.ndim and self.is_alone()
            if alone and self.array.shape == array.shape:
                np.copyto(self.array, array)
            else:
                self.array = np.array(array, order="C")

    def update(self, operation: str, array: Array) -> None:
        """Add to or subtract from the value."""
        with self.lock:
            self.refuse_if_taken()
            if self.current().shape != array.shape:
                raise AssignmentError(
                    f"the Variable {self.name!r} has the shape {list(self.array.shape)}, and what "
                    f"is added or subtracted {list(array.shape)}"
                )
            with np.errstate(all="ignore"):
                dispatch_update(operation, self.own(), array)

    def put(self, key: Any, array: Array) -> None:
        """Replace a part."""
        with self.lock:
            self.refuse_if_taken()
            self.current()
            target = self.own()
            try:
                target[key] = array
            except ValueError as error:
                raise AssignmentError(
                    f"item assignment to the Variable {self.name!r} of shape "
                    f"{list(target.shape)}: {errors.message(error)}"
                ) from None

    def part(self, variable: Variable, key: Any) -> Part:
        """The part that a key takes."""
        found = dispatch.call("getitem", self.tensor(), key)
        return Part(variable, key, found.array)


def dispatch_update(operation: str, target: Array, array: Array) -> None:
    """``target op= array``."""
    if target.dtype == bool:
        np.copyto(target, table.TABLE[operation].evaluate(target, array))
    else:
        _UPDATES[operation](target, array, out=target)


def _references(buffer: Buffer) -> tuple[int, int]:
    """How many references there are to the array, and to the object that its memory belongs to.

    A view of the array refers to one or the other, depending on where the array comes from.
    """
    base = buffer.array.base
    return sys.getrefcount(buffer.array), 0 if base is None else sys.getrefcount(base)


_ALONE = _references(Buffer("", np.zeros(1)))[0]
_view = Buffer("", np.zeros(1))
_view.replace(np.zeros(4).reshape(2, 2))
_BASE_ALONE = _references(_view)[1]


class Part(EagerTensor):
    """What ``variable[key]`` is: a tensor of its own, and a place to assign to."""

    __slots__ = ("_key", "_variable")

    def __init__(self, variable: Variable, key: Any, array: Array) -> None:
        super().__init__(array)
        self._variable = variable
        self._key = key

    def assign(self, value: Any, name: str | None = None) -> Variable:
        """Replace this part of the variable, which is returned."""
        self._variable[self._key] = value
        return self._variable

    def assign_add(self, delta: Any, name: str | None = None) -> Variable:
        """Add to this part of the variable, which is returned."""
        with buffer_of(self._variable).lock:
            return self.assign(self._variable[self._key] + delta)

    def assign_sub(self, delta: Any, name: str | None = None) -> Variable:
        """Subtract from this part of the variable, which is returned."""
        with buffer_of(self._variable).lock:
            return self.assign(self._variable[self._key] - delta)


def store(variable: Variable, array: np.ndarray[Any, Any] | None) -> Buffer:
    """What keeps the value of a variable between calls."""
    return Buffer(variable.name, array)


def buffer_of(variable: Variable) -> Buffer:
    """The buffer of a variable."""
    found = variable._stored
    assert isinstance(found, Buffer)
    return found
