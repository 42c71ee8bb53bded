"""Attributes, subscripts, displays, and variables of other functions.

Before something is written to, the stagings are told of the `Place`; properties and the special
methods of a user's classes are converted like other functions.
"""

from __future__ import annotations

import builtins
import functools
from collections.abc import Callable, Sequence
from types import FunctionType, MethodWrapperType
from typing import Any

from agir.autograph.libraries import ATTRIBUTES
from agir.autograph.operators.calls import announced, call, is_converted_on_the_way, native
from agir.autograph.operators.places import Attribute, Contents, Entry, FreeVariable, Place
from agir.autograph.operators.staging import active

__all__ = [
    "del_attr",
    "del_item",
    "get_attr",
    "get_item",
    "kept",
    "listed",
    "new",
    "new_dict",
    "new_set",
    "of_attribute",
    "rebinds",
    "set_attr",
    "set_item",
    "set_of",
    "slice_",
    "tupled",
    "unpack",
    "unpack_starred",
    "updating",
    "writing",
]


def writing(place: Place) -> None:
    """Tell the stagings that a place is about to be written to."""
    for staging in active():
        staging.writing(place)


def updating(target: Any, value: Any) -> Any:
    """``target |= value`` comes next: gives the value."""
    if isinstance(target, set | dict):
        for staging in active():
            staging.updating(target, value)
        if active() and Contents.known(target):
            writing(Contents(target))
    return value


def new(value: Any) -> Any:
    """A list, dict or set that converted code has just made."""
    return announced(value)


def new_set(*items: Any) -> Any:
    """``{a, b}``."""
    for staging in active():
        if (made := staging.displayed(items, None)) is not None:
            return made
    return new(set(items))


def new_dict(*entries: Any) -> Any:
    """``{a: b, c: d}``, its keys and values in turn."""
    keys, values = entries[::2], entries[1::2]
    for staging in active():
        if (made := staging.displayed(keys, values)) is not None:
            return made
    return new(dict(zip(keys, values, strict=True)))


def listed(*parts: Any) -> Any:
    """``[*a, b]``: a list of the items of several parts."""
    made = new([])
    for part in parts:
        made.extend(part)
    return made


def tupled(*parts: Any) -> Any:
    """``(*a, b)``, likewise."""
    return call(tuple, (listed(*parts),))


def set_of(*parts: Any) -> Any:
    """``{*a, b}``: a set of the items of several parts."""
    made = call(set, ())
    for part in parts:
        call(made.update, (part,))
    return made


def unpack(value: Any, count: int) -> Any:
    """What ``a, b = value`` takes apart: the value, or its items where they have to be counted."""
    for staging in active():
        if (replacement := staging.unpack(value, count)) is not None:
            return replacement()
    return value


def unpack_starred(value: Any, before: int, after: int) -> Sequence[Any]:
    """What ``a, *b, c = value`` binds: so many items, a list of those between, and the last ones."""
    for staging in active():
        if (replacement := staging.unpack_starred(value, before, after)) is not None:
            return replacement()
    items = [*value]
    if len(items) < before + after:
        raise ValueError(
            f"not enough values to unpack (expected at least {before + after}, got {len(items)})"
        )
    end = len(items) - after
    return [*items[:before], new(items[before:end]), *items[end:]]


def rebinds(**reads: Callable[[], Any]) -> None:
    """Tell of the variables of enclosing functions and modules that a function assigns to.

    Each is given by a function that reads it, which knows where it is.
    """
    if not active():
        return
    for name, read in reads.items():
        assert isinstance(read, FunctionType)
        if read.__closure__:
            writing(FreeVariable(read.__closure__[0], name))
        else:
            writing(Entry(read.__globals__, name, name))


# Attributes.


def in_class(obj: object, name: str) -> Any:
    """What the class of an object has under a name, as it is there; else None."""
    for each in type(obj).__mro__:
        if name in each.__dict__:
            return each.__dict__[name]
    return None


def _converted_method(obj: object, name: str) -> FunctionType | None:
    """The special method that the user has written for the class of an object."""
    found = in_class(obj, name)
    return found if type(found) is FunctionType and is_converted_on_the_way(found) else None


def _descriptor_method(found: Any, name: str) -> FunctionType | None:
    """The method of a descriptor whose class is the user's."""
    method = getattr(type(found), name, None)
    return method if type(method) is FunctionType and is_converted_on_the_way(method) else None


def get_attr(obj: Any, name: str) -> Any:
    """``obj.name``."""
    for give in ATTRIBUTES.get(name, ()):
        if (given := give(obj)) is not None:
            return given()
    for staging in active():
        staged = staging.get_attr(obj, name)
        if staged is not None:
            return staged()
    missing = _converted_method(obj, "__getattr__")
    if missing is None:
        return _attribute(obj, name)
    kind: Any = type(obj)
    try:
        return _attribute(obj, name, kind.__getattribute__)
    except AttributeError:
        return call(missing, (obj, name))


def _attribute(obj: Any, name: str, plain: Callable[[Any, str], Any] = getattr) -> Any:
    """An attribute, which ``plain`` finds where there is no method of the user's to call."""
    found = in_class(obj, name)
    if isinstance(found, property):
        if type(found.fget) is FunctionType:
            return call(found.fget, (obj,))
    elif type(found) is functools.cached_property and name not in vars(obj):
        if is_converted_on_the_way(found.func):
            return kept(obj, name, call(found.func, (obj,)))
    elif (method := _descriptor_method(found, "__get__")) is not None and (
        hasattr(type(found), "__set__") or name not in getattr(obj, "__dict__", ())
    ):
        return call(method, (found, obj, type(obj)))
    return plain(obj, name)


def kept(obj: Any, name: str, value: Any) -> Any:
    """What a ``cached_property`` has found, which the object has from now on, even a frozen one."""
    writing(Attribute(obj, name))
    vars(obj)[name] = value
    return value


def set_attr(obj: Any, name: str, value: Any) -> None:
    """``obj.name = value``."""
    for staging in active():
        staged = staging.set_attr(obj, name, value)
        if staged is not None:
            staged()
            return
    if (setter := _converted_method(obj, "__setattr__")) is not None:
        call(setter, (obj, name, value))
    else:
        _set_attribute(obj, name, value, setattr)


def _set_attribute(obj: Any, name: str, value: Any, plain: Callable[[Any, str, Any], None]) -> None:
    found = in_class(obj, name)
    if isinstance(found, property) and type(found.fset) is FunctionType:
        call(found.fset, (obj, value))
    elif (method := _descriptor_method(found, "__set__")) is not None:
        call(method, (found, obj, value))
    else:
        if not isinstance(found, property):
            writing(Attribute(obj, name))
        native(plain, (obj, name, value), {})


def del_attr(obj: Any, name: str) -> None:
    """``del obj.name``."""
    if (deleter := _converted_method(obj, "__delattr__")) is not None:
        call(deleter, (obj, name))
    else:
        _delete_attribute(obj, name, delattr)


def _delete_attribute(obj: Any, name: str, plain: Callable[[Any, str], None]) -> None:
    found = in_class(obj, name)
    if isinstance(found, property) and type(found.fdel) is FunctionType:
        call(found.fdel, (obj,))
        return
    if not isinstance(found, property):
        writing(Attribute(obj, name))
    plain(obj, name)


def _get_or(obj: Any, name: str, *default: Any) -> Any:
    """``getattr(obj, name, default)``."""
    try:
        return get_attr(obj, name)
    except AttributeError:
        if not default:
            raise
        return default[0]


_MISSING = object()
_BY_NAME: dict[str, Callable[..., Any]] = {
    "getattr": _get_or,
    "hasattr": lambda obj, name: _get_or(obj, name, _MISSING) is not _MISSING,
    "setattr": set_attr,
    "delattr": del_attr,
}
_OF_OBJECT: dict[str, Callable[..., Any]] = {
    "__setattr__": functools.partial(_set_attribute, plain=object.__setattr__),
    "__delattr__": functools.partial(_delete_attribute, plain=object.__delattr__),
}


def of_attribute(function: Any, args: Sequence[Any]) -> Callable[..., Any] | None:
    """What stands for a function of Python's that meets an attribute with methods of the user's.

    ``getattr`` and its like, ``object.__setattr__`` and ``__delattr__``.
    """
    name = getattr(function, "__name__", "")
    found = _BY_NAME.get(name) or _OF_OBJECT.get(name)
    if found is None:
        return None
    if isinstance(function, MethodWrapperType):  # of ``super()``
        args = (function.__self__, *args)
        found = functools.partial(found, args[0])
        is_pythons = function.__objclass__ is object
    else:
        is_pythons = function is getattr(builtins if name in _BY_NAME else object, name)
    if not is_pythons or len(args) < 2 or not isinstance(args[1], str):
        return None
    known = in_class(args[0], args[1])
    if isinstance(known, property) or _descriptor_method(known, "__set__") is not None:
        return found
    methods = ("__getattr__", "__setattr__", "__delattr__") if name in _BY_NAME else ()
    return found if any(_converted_method(args[0], each) for each in methods) else None


# Subscripts.

slice_ = slice
"""``a:b:c`` between brackets."""


def get_item(obj: Any, key: Any) -> Any:
    """``obj[key]``."""
    for staging in active():
        replacement = staging.get_item(obj, key)
        if replacement is not None:
            return replacement()
    method = _own_method(obj, "__getitem__")
    if method is not None:
        return call(method, (obj, key))
    found = obj[key]
    return new(found) if type(found) is list and isinstance(key, slice) else found


def set_item(obj: Any, key: Any, value: Any) -> None:
    """``obj[key] = value``."""
    for staging in active():
        replacement = staging.set_item(obj, key, value)
        if replacement is not None:
            replacement()
            return
    method = _own_method(obj, "__setitem__")
    if method is not None:
        call(method, (obj, key, value))
        return
    _writing_item(obj, key)
    obj[key] = value


def del_item(obj: Any, key: Any) -> None:
    """``del obj[key]``."""
    method = _own_method(obj, "__delitem__")
    if method is not None:
        call(method, (obj, key))
        return
    _writing_item(obj, key)
    del obj[key]


def _own_method(obj: Any, name: str) -> FunctionType | None:
    found = in_class(obj, name)
    is_users = type(found) is FunctionType and found.__module__ != "collections"
    return found if is_users else None


def _writing_item(obj: Any, key: Any) -> None:
    if isinstance(obj, dict):
        hash(key)
        writing(Entry(obj, key))
    elif Contents.known(obj):
        writing(Contents(obj))
