"""The machine code of a call in memory: made once in a process, when calls have become many.

It stays until the process ends, and so does all that it refers to: objects may be called, and
arrays freed, as long as there is an interpreter.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import numpy as np

from agir.backends.cpu.native import objects, program
from agir.backends.cpu.native.tables import State

_FASTCALL_WITH_KEYWORDS = 0x80 | 0x02


class ImpossibleError(Exception):
    """This process cannot have the machine code."""


class _Definition(ctypes.Structure):
    """``PyMethodDef``."""

    _fields_ = (
        ("name", ctypes.c_char_p),
        ("function", ctypes.c_void_p),
        ("flags", ctypes.c_int),
        ("doc", ctypes.c_char_p),
    )


class Machine:
    """The code, with the state that it reads: its own fields and those that are given."""

    def __init__(
        self, load: Callable[[], tuple[int, Any]], fields: Mapping[State, int], kept: Any
    ) -> None:
        """``load`` gives the address of what begins, and what has the code in memory."""
        if not is_possible():
            raise ImpossibleError("objects of this interpreter, or arrays, do not lie as expected")
        self._state = np.zeros(len(State), np.uint64)
        for name, value in {**of_the_process(), **fields}.items():
            self._state[name] = value
        addresses = np.zeros(len(program.BY_PYTHON), np.uint64)
        begin, self._code = load()
        packed(begin, self._state, addresses)
        self.generic, self.concrete, self.bound, self.get = map(int, addresses)
        for each in (self, self._state, self._code, kept):
            keep(each)

    def method(self, kind: type, address: int, function: Any) -> Any:
        """A method of a class, at an address, in the place of a function of Python's."""
        name = function.__name__
        signature = (
            "($self, instance, owner=None, /)"
            if name == "__get__"
            else "($self, /, *args, **kwargs)"
        )
        text = f"{name}{signature}\n--\n\n{function.__doc__ or ''}".encode()
        definition = _Definition(name.encode(), address, _FASTCALL_WITH_KEYWORDS, text)
        keep(definition)
        return _new_method(kind, ctypes.addressof(definition))


def packed(address: int, *arrays: Any) -> None:
    """Call a function through the wrapper that MLIR makes: it takes pointers to pointers."""
    function = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(address)
    addresses = (ctypes.c_void_p * len(arrays))(
        *(array.__array_interface__["data"][0] for array in arrays)
    )
    step = ctypes.sizeof(ctypes.c_void_p)
    first = ctypes.addressof(addresses)
    function((ctypes.c_void_p * len(arrays))(*(first + step * n for n in range(len(arrays)))))


def of_the_process() -> dict[State, int]:
    """What the state has of CPython and NumPy."""
    kinds = {
        State.TUPLE: tuple,
        State.LIST: list,
        State.DICT: dict,
        State.FLOAT: float,
        State.INT: int,
        State.BOOL: bool,
        State.COMPLEX: complex,
        State.ARRAY: np.ndarray,
        State.TRUE: True,
        State.FALSE: False,
        State.NONE: None,
        State.ZERO: 0,
    }
    found = {name: id(each) for name, each in kinds.items()}
    heads = (State.INT_POSITIVE, State.INT_NEGATIVE, State.INT_ZERO)
    found |= zip(heads, objects.heads_of_ints(), strict=True)
    return found | {State[name]: address for name, address in objects.functions().items()}


def keep(item: object) -> None:
    """Keep an object until the process ends, whatever becomes of those who refer to it."""
    ctypes.pythonapi.Py_IncRef(ctypes.py_object(item))


def _new_method(kind: type, definition: int) -> Any:
    make = ctypes.pythonapi.PyDescr_NewMethod
    make.argtypes = [ctypes.py_object, ctypes.c_void_p]
    make.restype = ctypes.py_object
    return make(kind, definition)


@cache
def is_possible() -> bool:
    """Whether the objects of this process lie in memory as the code expects them."""
    return objects.are_as_expected()
