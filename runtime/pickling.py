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

from agir.ir.tensors import structure
from agir.runtime.blame import at_caller
from agir.runtime.signatures.pattern import Made, Placeholder, Weak
from agir.runtime.signatures.trace_types import CallType

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
    """Whether its name does not lead to it: that of a decorated function leads to the decorated one."""
    return function.__module__ == "__main__" or _found(function) is not function


def _found(function: Any) -> Any:
    """What the name of a function stands for in its module."""
    found: Any = sys.modules.get(function.__module__)
    for part in function.__qualname__.split("."):
        found = getattr(found, part, None)
    return found


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
    if _found(function) is function:
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


_NUMBERS: dict[str, Any] = {"b": True, "i": 1, "f": 1.0, "c": 1j}
"""A number of Python's of each kind."""


def types_of_call(name: str, kind: CallType, pattern: dict[str, Any]) -> dict[str, Any]:
    """The arguments with which a function has a trace of a type; `PicklingError` if none do."""
    leaves = iter(kind.leaves)

    def given(leaf: Any) -> Any:
        if isinstance(leaf, Weak):
            return leaf.get()
        if not isinstance(leaf, Placeholder):
            return leaf
        one = next(leaves)
        if isinstance(leaf, Made) or one.steps is not None or one.read_only:
            raise of_more_than_types(name)
        return _NUMBERS[one.dtype.kind] if one.weak else one.spec()

    if any(_is_of_data(value) for value in pattern.values()):
        raise of_more_than_types(name)
    return {key: structure.transform(given, value) for key, value in pattern.items()}


def _is_of_data(value: Any) -> bool:
    """Whether something else is passed for an argument than what the caller has."""
    if type(value).__module__.startswith("agir.runtime."):
        return not isinstance(value, Placeholder)
    found = structure.children(value)
    return found is not None and any(map(_is_of_data, found[1]))


def of_more_than_types(name: str) -> pickle.PicklingError:
    """The error for a trace that another process cannot have asked for."""
    return pickle.PicklingError(
        at_caller(
            f"this trace of {name} is for more than types of arrays and numbers (how they lie in "
            "memory, what data are made of, an instance): pickle the function, which traces anew "
            "where it arrives"
        )
    )


def arrived(function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """A concrete function where its pickle is read: traced anew, its code taken from the cache."""
    return function.get_concrete_function(*args, **kwargs)
