"""What is asked of a value's class: ``type``, ``isinstance``, ``hasattr``, ``callable``, ``match``.

What stands for a value of the run time is an object of a class of agir's own, which has methods that
the value would not have, and lacks others.  So these questions go to the class that the value would
be of if nothing were compiled: to an empty object of it, which knows what no class says
(``hasattr(int, "mro")``, protocols, classes that register others).
"""

from __future__ import annotations

import builtins
import functools
import inspect
from collections.abc import Callable, Iterator
from functools import cache, partial
from types import CodeType, FunctionType, MemberDescriptorType, UnionType
from typing import Any, get_args

import numpy as np

from agir.autograph import operators
from agir.errors import StagingError
from agir.ir.building import locations
from agir.ir.building.types import DType, bool_
from agir.ir.plain.entering import StandIn
from agir.ir.plain.records import Fields
from agir.ir.plain.times import OfTime
from agir.ir.python.dicts import Missing
from agir.ir.python.texts.coded_texts import is_text
from agir.ir.tensors import lacking
from agir.ir.tensors.symbolic import SymbolicTensor, is_array
from agir.ir.tracing.trace import Trace
from agir.ir.values.alternatives.choices import Chosen
from agir.ir.values.alternatives.mixed_numbers import CLASSES, MixedNumber
from agir.ir.values.sequences.lists import TracedList

_PACKAGE = __name__.partition(".")[0]


def class_of(trace: Trace, value: Any) -> type | None:
    """The class that it would be of if nothing were compiled; None where it is what it is.

    A weakly typed scalar is a Python number; where arrays are NumPy's, other tensors are NumPy's
    scalars and arrays.  A number of one of several classes is of none of them.
    """
    if isinstance(value, SymbolicTensor):
        return None if isinstance(value, MixedNumber) else _class_of_tensor(trace, value)
    if isinstance(value, TracedList | StandIn | Missing):
        return getattr(value, "stands_for", None)
    return str if is_text(value) else None


def _class_of_tensor(trace: Trace, value: SymbolicTensor) -> type | None:
    if _is_of_its_own(value):
        return None
    if value.weak and not value.dims:
        return _number(value.dtype)
    if not _is_numpys(trace):
        return None
    return np.ndarray if is_array(value) else value.dtype.numpy.type


def _is_of_its_own(value: SymbolicTensor) -> bool:
    """Whether it is an object of agir's that programs know: a variable, or a part of one."""
    return hasattr(type(value), "assign")


def _is_numpys(trace: Trace) -> bool:
    return trace.convention.arrays_are_mutable


def _number(dtype: DType) -> type | None:
    """Python's class of the numbers of a dtype."""
    if dtype == bool_:
        return bool
    if dtype.is_integer:
        return int
    if dtype.is_floating:
        return float
    return complex if dtype.is_complex else None


@cache
def _example(kind: type) -> Any:
    """An object of a class of Python's or NumPy's, empty or zero."""
    nothing: dict[Any, Any] = {}
    views: tuple[Any, ...] = (nothing.keys(), nothing.values(), nothing.items())
    records = np.recarray(1, [("field", bool)])
    known = {type(each): each for each in (*views, np.empty((0, 0)), records, records[0])}
    known[np.void] = np.void(b"")
    if kind.__module__.startswith("scipy.sparse"):
        return kind((1, 1))
    return known[kind] if kind in known else kind()


# The questions.


def _type(trace: Trace, value: Any) -> Any:
    """``type(value)``."""
    if isinstance(value, MixedNumber):
        return Chosen(trace, value.place(), tuple(CLASSES[n] for n in value.classes))
    return class_of(trace, value) or type(value)


def _isinstance(trace: Trace, value: Any, kinds: Any) -> Any:
    """``isinstance(value, kinds)``; a class of agir's own, such as `Tensor`, is one as well."""
    if any(builtins.isinstance(value, kind) for kind in _of_agir(kinds)):
        return True
    if isinstance(value, MixedNumber):
        return value.where(lambda kind: builtins.isinstance(_example(kind), kinds))
    kind = class_of(trace, value)
    return builtins.isinstance(value if kind is None else _example(kind), kinds)


def _of_agir(kinds: Any) -> Iterator[type]:
    """The classes of agir's among those that are asked for."""
    if isinstance(kinds, tuple | UnionType):
        for each in kinds if isinstance(kinds, tuple) else get_args(kinds):
            yield from _of_agir(each)
    elif getattr(kinds, "__module__", "").partition(".")[0] == _PACKAGE:
        yield kinds


def _hasattr(trace: Trace, value: Any, name: str) -> Any:
    """``hasattr(value, name)``."""
    if isinstance(value, MixedNumber):
        return value.where(lambda kind: hasattr(_example(kind), name))
    kind = _class_with_attributes(trace, value)
    return hasattr(value if kind is None else _example(kind), name)


def _callable(trace: Trace, value: Any) -> bool:
    """``callable(value)``."""
    kind = class_of(trace, value)
    return callable(value) if kind is None else callable(_example(kind))


_ASKING: dict[Any, Callable[..., Any]] = {
    type: _type,
    isinstance: _isinstance,
    hasattr: _hasattr,
    callable: _callable,
}
"""What stands for Python's functions, of a value of the run time and the rest."""


def find(trace: Trace, function: Any, args: tuple[Any, ...]) -> Callable[..., Any] | None:
    """What stands for such a function where the value is of another class than Python takes it for."""
    if type(function) is FunctionType and function.__code__ in _DISPATCHING and args:
        return partial(_dispatched, trace, function)
    if function is getattr and len(args) > 1 and isinstance(args[1], str):
        found = attribute(trace, args[0], args[1])
        return found and (lambda value, name, *default: default[0] if default else found())
    if function is hasattr and locations.is_read_by_library():
        return None
    asks = function in _ASKING and len(args) == (1 if function in (type, callable) else 2)
    return partial(_ASKING[function], trace) if asks and is_other(trace, args[0]) else None


_DISPATCHING = tuple(
    code
    for maker in (functools.singledispatch, functools.singledispatchmethod.__get__)
    for code in maker.__code__.co_consts
    if isinstance(code, CodeType) and code.co_name in ("wrapper", "_method")
)
"""The code of functions that look for another one by the class of their first argument."""


def _dispatched(trace: Trace, function: Any, *args: Any, **kwargs: Any) -> Any:
    """What ``functools.singledispatch`` has made is called."""
    around = inspect.getclosurevars(function).nonlocals
    method = around.get("self")
    dispatch = function.dispatch if method is None else method.dispatcher.dispatch

    def found(kind: type) -> Any:
        chosen = dispatch(kind)
        chosen = chosen if method is None else chosen.__get__(around["obj"], around["cls"])
        return operators.call(chosen, args, kwargs)

    kind = _type(trace, args[0]) if is_other(trace, args[0]) else type(args[0])
    return kind.each(found) if isinstance(kind, Chosen) else found(kind)


def is_other(trace: Trace, value: Any) -> bool:
    """Whether it is of another class than Python takes it for."""
    return isinstance(value, MixedNumber) or class_of(trace, value) is not None


def matches(trace: Trace, value: Any, kind: type) -> Any:
    """Whether ``case kind():`` takes the value; as TensorFlow has it, any scalar is a number."""
    is_mixed = isinstance(value, MixedNumber)
    if isinstance(value, SymbolicTensor) and not is_mixed and not _is_numpys(trace):
        number = None if value.dims else _number(value.dtype)
        if number is not None and builtins.isinstance(_example(number), kind):
            return True
        return any(builtins.isinstance(value, each) for each in _of_agir(kind))
    return operators.call(isinstance, (value, kind))


# Attributes.


def attribute(trace: Trace, value: Any, name: str) -> Callable[[], Any] | None:
    """What ``value.name`` is where it is not what our object has under that name; else None."""
    kind = _class_with_attributes(trace, value)
    if name == "__class__" and is_other(trace, value):
        return lambda: _type(trace, value)
    if (
        kind is None
        or name.startswith("__")
        or hasattr(_example(kind), name)
        or locations.is_read_by_library()
    ):
        return None
    return lambda: _lacking(trace, value, kind, name)


def refuses(trace: Trace, value: Any, name: str) -> bool:
    """Whether Python has no such attribute of the value, and takes none.

    What stands for it is made of others, which functions of the library set.
    """
    kind = class_of(trace, value)
    if kind is None or isinstance(value, Fields | OfTime) or locations.is_read_by_library():
        return False
    if type(getattr(kind, name, None)) is MemberDescriptorType:  # a defaultdict's factory
        return False
    return not hasattr(_example(kind), "__dict__")


def refuse(trace: Trace, value: Any, name: str, new: object) -> None:
    """``value.name = new`` of such a value: Python says why not, or it is not recorded."""
    kind = class_of(trace, value)
    assert kind is not None
    setattr(_example.__wrapped__(kind), name, new)
    said = f"the attribute {name} of a {kind.__name__} is not assigned to in traced code"
    raise StagingError(trace.explain(said))


def _class_with_attributes(trace: Trace, value: Any) -> type | None:
    """The class whose attributes it has; as TensorFlow has it, a tensor has a tensor's."""
    if isinstance(value, SymbolicTensor) and not _is_numpys(trace):
        return None
    return None if isinstance(value, Fields | OfTime) else class_of(trace, value)


def _lacking(trace: Trace, value: Any, kind: type, name: str) -> Any:
    if isinstance(value, SymbolicTensor):
        raise AttributeError(lacking.message(value, name))
    raise AttributeError(trace.explain(f"{kind.__name__!r} object has no attribute {name!r}"))
