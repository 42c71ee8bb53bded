"""Pickling decorated functions: by the name under which their module has them, or by value.

Who pickles functions by value (cloudpickle, and what is made of it) gets the function as it was
written, with the text that it is read from, and the options; where it arrives, it is traced anew, and
its machine code may be in the cache.
"""

from __future__ import annotations

import inspect
import linecache
import os
import pickle
import re
import sys
from collections.abc import Iterable, Iterator
from types import CodeType, FunctionType
from typing import Any, NamedTuple

from agir.runtime.blame import at_caller

_PICKLERS = re.compile(r"(?:^|[._])(?:cloudpickle|dill)(?:[._]|$)")
"""The modules that pickle functions by value."""


def is_by_value() -> bool:
    """Whether the pickler that asks an object for what it is made of would take a function so."""
    asking = sys._getframe(2)  # no frame of Python's is between
    return _PICKLERS.search(str(asking.f_globals.get("__name__"))) is not None


def blank(cls: type[Any]) -> Any:
    """An object of a class before it has its state."""
    return object.__new__(cls)


class Source(NamedTuple):
    """Where a function stands, which is pickled by value and so without its text."""

    function: FunctionType
    file: str
    text: str


def sources(function: Any) -> list[Source]:
    """The texts of a function and of those that it refers to, as far as they go by value."""
    found: dict[int, Source] = {}
    waiting = [function]
    while waiting:
        plain = inspect.unwrap(waiting.pop())
        if type(plain) is not FunctionType or id(plain) in found or not _goes_by_value(plain):
            continue
        code = plain.__code__
        text = "".join(linecache.getlines(code.co_filename, plain.__globals__))
        found[id(plain)] = Source(plain, code.co_filename, text)
        waiting += _referred_to(plain)
    return list(found.values())


def _goes_by_value(function: FunctionType) -> bool:
    name = function.__qualname__
    return function.__module__ == "__main__" or "<lambda>" in name or "<locals>" in name


def _referred_to(function: FunctionType) -> list[Any]:
    """What a function refers to, by globals and by variables of the functions around it."""
    cells = function.__closure__ or ()
    names = [*_names(function.__code__)]
    known = [function.__globals__[name] for name in names if name in function.__globals__]
    held = [cell.cell_contents for cell in cells if _is_filled(cell)]
    return [each for each in (*known, *held) if callable(each)]


def _is_filled(cell: Any) -> bool:
    try:
        cell.cell_contents  # noqa: B018 - it raises
    except ValueError:
        return False
    return True


def _names(code: CodeType) -> Iterator[str]:
    yield from code.co_names
    for each in code.co_consts:
        if isinstance(each, CodeType):
            yield from _names(each)


def restore(found: Iterable[Source]) -> None:
    """Let functions that have come by value have their texts again."""
    for function, file, text in found:
        name = file
        if "".join(linecache.getlines(file)) != text:
            name = file if not os.path.exists(file) else f"{file} (pickled)"
            linecache.cache[name] = len(text), None, text.splitlines(keepends=True), name
        function.__code__ = _in_file(function.__code__, name)


def _in_file(code: CodeType, name: str) -> CodeType:
    inner = [
        _in_file(each, name) if isinstance(each, CodeType) else each for each in code.co_consts
    ]
    return code.replace(co_filename=name, co_consts=tuple(inner))


def qualified_name(function: Any) -> str:
    """The name by which unpickling finds the function again; ``PicklingError`` if it would not."""
    name: str = function.__qualname__
    found: Any = sys.modules.get(function.__module__)
    for part in name.split("."):
        found = getattr(found, part, None)
    if found is function:
        return name
    if "<lambda>" in name:
        reason = "it is a lambda; give it a name, with def, at the top level of its module"
    elif "<locals>" in name:
        reason = "it is defined inside a function; define it at the top level of its module"
    else:
        reason = (
            f"{function.__module__}.{name} is something else; the decorated function must be what "
            "that name stands for"
        )
    raise pickle.PicklingError(
        at_caller(f"{name} of {function.__module__} cannot be pickled by its name: {reason}")
    )
