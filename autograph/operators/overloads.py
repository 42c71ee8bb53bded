"""Operators between objects of the user's classes, and comparisons of tuples and lists.

Converted code has them in the place of ``a + b`` only where objects have come up whose class has
operators of the user's, or where Python's own have been found to ask a staged value for its truth.
"""

from __future__ import annotations

import dataclasses
import functools
import operator
from collections.abc import Callable, Sequence
from types import FunctionType
from typing import Any

from agir.autograph.operators.calls import announced, call, is_converted_on_the_way
from agir.autograph.operators.conditionals import if_exp
from agir.autograph.operators.logical import and_, not_
from agir.autograph.operators.staging import find

__all__ = [
    "augmented",
    "binary",
    "compare",
    "has_operators",
    "has_order",
    "hashed_fields",
    "of_function",
    "unary",
]

_MIRRORED = {"lt": "gt", "gt": "lt", "le": "ge", "ge": "le", "eq": "eq", "ne": "ne"}


_UNARY = ("neg", "pos", "invert")
_BINARY = (
    *("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul"),
    *("lshift", "rshift", "and_", "or_", "xor"),
)
_METHODS = (
    *(f"__{name}__" for name in (*_UNARY, *_MIRRORED)),
    *(f"__{kind}{name.strip('_')}__" for name in _BINARY for kind in ("", "r", "i")),
)


def has_operators(kind: type) -> bool:
    """Whether a user has written a special method that an operator calls, for objects of a class."""
    methods = (getattr(kind, name, None) for name in _METHODS)
    return any(type(each) is FunctionType and is_converted_on_the_way(each) for each in methods)


def of_function(function: Any, operands: Sequence[Any]) -> Callable[..., Any] | None:
    """What stands for a function of the module `operator` that meets objects with operators."""
    found = _functions().get(function)
    return found if found is not None and _has_methods(*operands) else None


@functools.cache
def _functions() -> dict[Any, Callable[..., Any]]:
    tables = ((unary, "", _UNARY), (binary, "", _BINARY), (compare, "", _MIRRORED))
    return {
        getattr(operator, f"{kind}{name.strip('_') if kind else name}"): functools.partial(
            made, name
        )
        for made, kind, names in (*tables, (augmented, "i", _BINARY))
        for name in names
    }


def unary(name: str, operand: Any) -> Any:
    """``-x``, ``+x``, ``~x``, under the names of the module `operator`."""
    method = _method(operand, name)
    return _made(name, operand) if method is None else call(method, (operand,))


def binary(name: str, left: Any, right: Any) -> Any:
    """``left + right`` and its like."""
    plain = name.strip("_")
    result = _first_answer(left, plain, right, f"r{plain}", type(left) is not type(right))
    return _made(name, left, right) if result is NotImplemented else result


def _made(name: str, *operands: Any) -> Any:
    """What an operator of Python's gives: a container is a new one."""
    result = getattr(operator, name)(*operands)
    is_new = isinstance(result, dict | set) and all(each is not result for each in operands)
    return announced(result) if is_new else result


def augmented(name: str, left: Any, right: Any) -> Any:
    """``left += right`` and its like: what `left` is after it."""
    method = _method(left, f"i{name.strip('_')}")
    if method is not None and (result := call(method, (left, right))) is not NotImplemented:
        return result
    if method is None and not _has_methods(left, right):
        return getattr(operator, f"i{name.strip('_')}")(left, right)
    return binary(name, left, right)


def compare(name: str, left: Any, right: Any) -> Any:
    """``left < right`` and its like, ``==`` and ``!=``."""
    for kind in (tuple, list):
        both = isinstance(left, kind) and isinstance(right, kind)
        if both and not (find(left) or find(right)) and not _has_methods(left, right):
            return _in_order(name, left, right)
    if fields := _generated(name, left, right):
        return compare(name, *fields)
    if name == "ne" and _method(left, "ne") is None and _method(left, "eq") is not None:
        return not_(compare("eq", left, right))
    result = _first_answer(left, name, right, _MIRRORED[name], True)
    return getattr(operator, name)(left, right) if result is NotImplemented else result


def has_order(obj: Any) -> bool:
    """Whether a class of the user's says what is less: its methods, or its fields in order."""
    if _method(obj, "lt") is not None or _method(obj, "gt") is not None:
        return True
    return bool(_generated("lt", obj, obj))


def _method(obj: Any, name: str) -> FunctionType | None:
    """The special method that the user has written for the class of an object."""
    found = getattr(type(obj), f"__{name}__", None)
    return found if type(found) is FunctionType and is_converted_on_the_way(found) else None


_OWN = f"{__name__.partition('.')[0]}."


def _has_methods(*operands: Any) -> bool:
    """Whether the class of an operand is one that a user has written special methods for."""
    return any(
        type(each) is FunctionType and is_converted_on_the_way(each)
        for operand in operands
        for kind in type(operand).__mro__[:-1]
        if not kind.__module__.startswith(_OWN)
        for name, each in vars(kind).items()
        if name.startswith("__") and name not in ("__init__", "__new__", "__repr__")
    )


def _first_answer(left: Any, name: str, right: Any, mirrored: str, asks_right: bool) -> Any:
    """What the first operand says that knows the operator; `NotImplemented` if the user's do not."""
    if _method(left, name) is None and _method(right, mirrored) is None:
        return NotImplemented
    asked = [(left, name, right), (right, mirrored, left)]
    derived = type(right) is not type(left) and issubclass(type(right), type(left))
    if derived and _method(right, mirrored) is not _method(left, mirrored):
        asked.reverse()
    for owner, method, other in asked if asks_right else asked[:1]:
        result = _answer(owner, method, other)
        if result is not NotImplemented:
            return result
    return NotImplemented


def _answer(owner: Any, name: str, other: Any) -> Any:
    method = _method(owner, name)
    if method is not None:
        return call(method, (owner, other))
    plain: Callable[..., Any] | None = getattr(type(owner), f"__{name}__", None)
    return NotImplemented if plain is None else plain(owner, other)


def _in_order(name: str, left: Sequence[Any], right: Sequence[Any]) -> Any:
    """The first items that differ decide; else the lengths do."""
    if name in ("eq", "ne") and len(left) != len(right):
        return name == "ne"
    if name == "ne":
        return not_(_in_order("eq", left, right))

    def decided(position: int) -> Any:
        if position == min(len(left), len(right)):
            return getattr(operator, name)(len(left), len(right))
        one, other = left[position], right[position]
        same = one is other or compare("eq", one, other)
        if name == "eq":
            return and_(same, lambda: decided(position + 1))
        return if_exp(same, lambda: decided(position + 1), lambda: compare(name, one, other))

    return decided(0)


def _generated(name: str, left: Any, right: Any) -> tuple[Any, Any] | None:
    """The fields that the method compares which `dataclasses` has written, if it has."""
    method = getattr(type(left), f"__{name}__", None)
    if name == "ne" and method is object.__ne__:
        method = getattr(type(left), "__eq__", None)
    if not _is_generated(left, method) or left.__class__ is not right.__class__:
        return None
    names = [each.name for each in dataclasses.fields(left) if each.compare]
    one, other = (tuple(getattr(each, name) for name in names) for each in (left, right))
    return one, other


def hashed_fields(obj: Any) -> tuple[Any, ...] | None:
    """The fields that are hashed by the method which `dataclasses` has written, if it has."""
    if not _is_generated(obj, getattr(type(obj), "__hash__", None)):
        return None
    fields = [(f.name, f.compare if f.hash is None else f.hash) for f in dataclasses.fields(obj)]
    return tuple(getattr(obj, name) for name, is_hashed in fields if is_hashed)


def _is_generated(obj: Any, method: Any) -> bool:
    written = type(method) is FunctionType and not is_converted_on_the_way(method)
    return written and dataclasses.is_dataclass(obj)
