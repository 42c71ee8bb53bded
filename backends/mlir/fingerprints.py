"""What a function does, as a hash: of its code, and of all that it refers to.

A function is its bytecode, the values of its defaults and closure, and of the globals that it
reads: numbers, texts, containers of such, arrays, further functions.  Of a class or module it is
the content of the file.  What is none of these has no hash, nor has what refers to it.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from pathlib import Path
from types import BuiltinFunctionType, CodeType, FunctionType, MethodType, ModuleType
from typing import Any

import numpy as np

_OWN = __name__.partition(".")[0]
_PLAIN = (bool, int, float, complex, str, bytes, slice, range, type(...))


class _UnknownError(Exception):
    """It cannot be told from others."""


def fingerprint(value: Any) -> str | None:
    """A hash of a value; None where what it refers to cannot be hashed."""
    try:
        return hashlib.sha256("\0".join(_Reader().parts(value)).encode()).hexdigest()
    except _UnknownError:
        return None


class _Reader:
    def __init__(self) -> None:
        self._met: dict[int, Any] = {}
        """What was met, by identity, kept alive meanwhile."""
        self._package = ""
        """That of the first function: those of others are told by their files."""

    def parts(self, value: Any) -> Iterator[str]:
        """Texts that say what a value is."""
        yield type(value).__qualname__
        if value is None or isinstance(value, _PLAIN):
            yield repr(value)
        elif id(value) in self._met:
            yield f"as {list(self._met).index(id(value))}"
        else:
            self._met[id(value)] = value
            yield from self._of_object(value)

    def _of_object(self, value: Any) -> Iterator[str]:
        if isinstance(value, (tuple, list)):
            yield from self._all(value)
        elif isinstance(value, (set, frozenset)):
            yield from sorted("\0".join(_Reader().parts(each)) for each in value)
        elif isinstance(value, dict):
            yield from self._all(each for pair in value.items() for each in pair)
        elif isinstance(value, FunctionType):
            yield from self._of_function(value)
        elif isinstance(value, MethodType):
            yield from self._all((value.__func__, value.__self__))
        elif isinstance(value, CodeType):
            yield value.co_code.hex()
            yield from value.co_names
            yield from self._all(value.co_consts)
        elif isinstance(value, (np.ndarray, np.generic)) and not value.dtype.hasobject:
            yield f"{value.dtype} {value.shape} {value.tobytes().hex()}"
        elif isinstance(value, (type, ModuleType)):
            yield from self._of_file(value)
        elif isinstance(value, BuiltinFunctionType):
            yield value.__name__
            yield from self.parts(value.__self__)
        elif isinstance(value, np.ufunc):
            yield value.__name__
        elif is_dataclass(value):
            yield from self._all((type(value), *(getattr(value, f.name) for f in fields(value))))
        else:
            raise _UnknownError

    def _all(self, values: Any) -> Iterator[str]:
        for each in values:
            yield from self.parts(each)

    def _of_function(self, function: FunctionType) -> Iterator[str]:
        package = str(function.__module__).partition(".")[0]
        self._package = self._package or package
        if package != self._package or _is_known(package):
            yield from self._of_file(function)
            return
        try:
            cells = [cell.cell_contents for cell in function.__closure__ or ()]
        except ValueError:  # one is not filled yet
            raise _UnknownError from None
        names = dict.fromkeys(_globals_of(function.__code__))
        used = {n: function.__globals__[n] for n in names if n in function.__globals__}
        told = (function.__code__, function.__defaults__, function.__kwdefaults__, cells, used)
        yield from self._all(told)

    def _of_file(self, value: Any) -> Iterator[str]:
        name = value.__name__ if isinstance(value, ModuleType) else str(value.__module__)
        yield f"{name}.{value.__name__}"
        file = getattr(sys.modules.get(name), "__file__", None)
        if not _is_known(name) and file is not None:
            try:
                yield hashlib.sha256(Path(file).read_bytes()).hexdigest()
            except OSError:
                raise _UnknownError from None
        elif name == "__main__":
            raise _UnknownError


def _is_known(module: str | None) -> bool:
    """Whether what is in a module is agir's, which is in the key as it is, or of Python's library."""
    top = str(module).partition(".")[0]
    return top == _OWN or top in sys.stdlib_module_names


def _globals_of(code: CodeType) -> Iterator[str]:
    yield from code.co_names
    for each in code.co_consts:
        if isinstance(each, CodeType):
            yield from _globals_of(each)
