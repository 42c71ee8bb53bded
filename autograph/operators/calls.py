"""Calls: a user's functions are converted on the way, all others are called as they are."""

from __future__ import annotations

import functools
from collections.abc import Callable
from types import BuiltinFunctionType, FunctionType, MethodType
from typing import Any

from agir.autograph.operators.effects import changed
from agir.autograph.operators.staging import active

__all__ = ["call", "is_converted_on_the_way", "keywords", "use_converter"]


def is_converted_on_the_way(f: Any) -> bool:
    """Whether `call` converts a function: whether it is the user's."""
    return type(f) is FunctionType and _converter(f) is not None


def _as_it_is(function: FunctionType) -> FunctionType | None:
    return None


_converter: Callable[[FunctionType], FunctionType | None] = _as_it_is


def use_converter(converter: Callable[[FunctionType], FunctionType | None]) -> None:
    """Set what converts a function on the way to its call; it returns None to leave it."""
    global _converter
    _converter = converter


def call(f: Any, args: tuple[Any, ...], kwargs: dict[str, Any] | None = None) -> Any:
    """``f(*args, **kwargs)``."""
    if kwargs is None:
        kwargs = {}
    if type(f) is functools.partial:
        return call(f.func, f.args + args, {**f.keywords, **kwargs})
    target = _converted(f)
    if target is None and (method := _special(f, args)) is not None:
        return call(method, args, kwargs)
    stagings = active()
    if target is not None:
        for staging in stagings:
            target = staging.calling(target)
        return target(*args, **kwargs)
    for staging in stagings:
        replacement = staging.builtin(f, args, kwargs)
        if replacement is not None:
            return replacement(*args, **kwargs)
    if isinstance(f, type):
        return _instance(f, args, kwargs)
    if stagings and (place := changed(f, args)) is not None:
        for staging in stagings:
            staging.writing(place)
    return f(*args, **kwargs)


_SPECIAL = {len: "__len__", abs: "__abs__", bool: "__bool__", round: "__round__"}


def _special(f: Any, args: tuple[Any, ...]) -> FunctionType | None:
    """The method of a user's class that a function of Python's calls."""
    if type(f) not in (BuiltinFunctionType, type) or f not in _SPECIAL or not args:
        return None
    method = getattr(type(args[0]), _SPECIAL[f], None)
    return method if type(method) is FunctionType and _converter(method) is not None else None


def _instance(kind: type, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """A new object; a constructor that the user wrote is converted."""
    initialise = _initialiser(kind)
    if initialise is None:
        made = kind(*args, **kwargs)
        return _announced(made) if type(made) is kind else made
    made = kind.__new__(kind, *args, **kwargs)
    if isinstance(made, kind):
        made = _announced(made)
        if initialise(made, *args, **kwargs) is not None:
            raise TypeError("__init__() should return None")
    return made


def _announced(made: Any) -> Any:
    for staging in active():
        made = staging.made(made)
    return made


def _initialiser(kind: type) -> Callable[..., Any] | None:
    method = getattr(kind, "__init__", None)
    if type(kind) is not type or type(method) is not FunctionType:
        return None
    return _converter(method)


def _converted(f: Any) -> Callable[..., Any] | None:
    """What to call in the place of a user's callable, or None."""
    if type(f) is FunctionType:
        return _converter(f)
    if isinstance(f, type):
        return None
    function: Any
    if type(f) is MethodType:
        function, receiver = f.__func__, f.__self__
    else:
        function, receiver = getattr(type(f), "__call__", None), f  # noqa: B004
    if type(function) is not FunctionType:
        return None
    converted = _converter(function)
    return None if converted is None else MethodType(converted, receiver)


def keywords(f: Any, /, **kwargs: Any) -> dict[str, Any]:
    """The keyword arguments of a call that mixes ``name=value`` and ``**mapping``."""
    return kwargs
