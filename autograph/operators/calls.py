"""Calls: a user's functions are converted on the way, all others are called as they are."""

from __future__ import annotations

import contextlib
import dataclasses
import dis
import functools
import inspect
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from types import BuiltinFunctionType, CodeType, FrameType, FunctionType, MethodType
from typing import Any

from agir.autograph.libraries import is_library_module
from agir.autograph.operators.effects import changed
from agir.autograph.operators.staging import Staging, active, find

__all__ = [
    "Reconverted",
    "call",
    "is_converted_on_the_way",
    "keywords",
    "overload_operators",
    "watch_operators",
]


def is_converted_on_the_way(f: Any) -> bool:
    """Whether `call` converts a function: whether it is the user's."""
    return type(f) is FunctionType and _converter(f) is not None


def _as_it_is(function: FunctionType) -> FunctionType | None:
    return None


_converter: Callable[[FunctionType], FunctionType | None] = _as_it_is


def _not_converted(code: CodeType) -> bool | None:
    return None


_with_operators: Callable[[CodeType], bool | None] = _not_converted
_resumable: Callable[[CodeType], bool | None] = _not_converted


def use_converter(
    converter: Callable[[FunctionType], FunctionType | None],
    with_operators: Callable[[CodeType], bool | None],
    resumable: Callable[[CodeType], bool | None],
) -> None:
    """Set what converts a function on the way to its call; it returns None to leave it.

    `with_operators` is told of converted code whose operators have to be converted, too; it returns
    False if they are, and None for other code.  `resumable` is told of generators that are left, and
    gone on with where only the run time knows how far they are; it returns True if they can be made so.
    """
    global _converter, _with_operators, _resumable
    _converter, _with_operators, _resumable = converter, with_operators, resumable


class Reconverted(BaseException):
    """Ends what runs converted code: a function is to be converted anew.

    With its operators, or with generators that can be left and gone on with.
    """


def make_resumable(code: CodeType) -> None:
    """Raise `Reconverted` if generators that were made by that code can be made otherwise."""
    if _resumable(code):
        raise Reconverted


def overload_operators(frames: Sequence[FrameType], is_truth: bool) -> None:
    """Raise `Reconverted` if an operator of Python's has asked for what a staged value does not have.

    `frames` are the user's, innermost first: those of special methods that are not converted, before
    them the converted code that has the operator; or that alone, if it compares (`is_truth`).
    """
    if frames and not _is_special(frames[0].f_code) and not (is_truth and _compares(frames[0])):
        return
    for frame in frames:
        changed = _with_operators(frame.f_code)
        if changed:
            raise Reconverted
        if changed is False or not _is_special(frame.f_code):
            return


def watch_operators(frames: Sequence[FrameType]) -> None:
    """Raise `Reconverted` if the containers that operators make there have not been announced."""
    changed = [_with_operators(frame.f_code) for frame in frames]
    if any(changed):
        raise Reconverted


def _is_special(code: CodeType) -> bool:
    return code.co_name.startswith("__") and code.co_name.endswith("__")


def _compares(frame: FrameType) -> bool:
    instruction = frame.f_code.co_code[frame.f_lasti]
    return dis.opname[instruction] == "COMPARE_OP"


def call(f: Any, args: tuple[Any, ...], kwargs: dict[str, Any] | None = None) -> Any:
    """``f(*args, **kwargs)``."""
    if kwargs is None:
        kwargs = {}
    if IMPLEMENTATIONS and (given := _given(f, args, kwargs)) is not None:
        return call(given, args, kwargs)
    if type(f) is functools.partial:
        return call(f.func, f.args + args, {**f.keywords, **kwargs})
    if type(f) is FunctionType and f.__code__ is _MANAGING and active():
        return contextlib._GeneratorContextManager(_generating(f), args, kwargs)  # type: ignore[arg-type]
    target = _converted(f)
    if target is None and (method := _special(f, args)) is not None:
        return call(method, args, kwargs)
    stagings = active()
    if target is None and stagings and type(f) is MethodType and f.__name__ == "__init__":
        fields = _generated(type(f.__self__), f.__func__)
        target = (
            None if fields is None else functools.partial(_fill, f.__func__, fields, f.__self__)
        )
    if target is not None:
        for staging in stagings:
            target = staging.calling(target)
        return target(*args, **kwargs)
    for staging in stagings:
        replacement = staging.builtin(f, args, kwargs)
        if replacement is not None:
            result = replacement(*args, **kwargs)
            return staging.result(f, result) if type(result) in _CONTAINERS else result
    if isinstance(f, type):
        return _instance(f, args, kwargs)
    if stagings and (place := changed(f, args)) is not None:
        for staging in stagings:
            staging.writing(place)
    result = native(f, args, kwargs)
    for staging in stagings:
        result = staging.result(f, result)
    return result


Choice = Callable[[tuple[Any, ...], dict[str, Any]], Callable[..., Any] | None]
IMPLEMENTATIONS: dict[Any, list[Choice]] = {}
"""What programs have given for functions: it chooses what is called for arguments, or None."""


def _given(f: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Callable[..., Any] | None:
    try:
        choices = IMPLEMENTATIONS.get(f, ())
    except TypeError:  # it cannot be a key
        return None
    found = (choose(args, kwargs) for choose in choices)
    return next((each for each in found if each is not None), None)


_CONTAINERS = frozenset((list, dict, set))
"""Python's own, of which nobody may have been told that they have been made."""


@contextlib.contextmanager
def _nothing() -> Iterator[None]:
    yield


_OWN = __name__.partition(".")[0]
_MANAGING = _nothing.__code__
"""The code of all functions that ``contextlib.contextmanager`` makes."""


def _generating(f: Any) -> Callable[..., Iterator[Any]]:
    """What makes the generator of a context manager: as converted code, which Python goes through."""

    def generate(*args: Any, **kwargs: Any) -> Any:
        made = call(f.__wrapped__, args, kwargs)
        return made.lazily() if hasattr(made, "lazily") else made

    return generate


def native(f: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """A call of what is not converted; what a library cannot do with a staged value is refused."""
    try:
        return f(*args, **kwargs)
    except Exception as error:
        is_told = callable(f) and _tells_of_values(error)
        staged = _staged_among((*args, *kwargs.values())) if is_told else None
        if staged is None:
            raise
        name = getattr(f, "__qualname__", type(f).__qualname__)
        raise staged.refusal(
            f"{name}() is not converted, and needs a value that exists only when the compiled function "
            f"runs: {error}"
        ) from error


def _tells_of_values(error: Exception) -> bool:
    """Whether C code, or a library in Python, has not known what to do with what it was given."""
    last = error.__traceback__
    if last is None:
        return False
    if last.tb_next is None:
        return isinstance(error, TypeError) or type(error).__module__ != "builtins"
    while last.tb_next is not None:
        last = last.tb_next
    name = str(last.tb_frame.f_globals.get("__name__"))
    module = None if name.startswith(f"{_OWN}.") else sys.modules.get(name)
    is_of_kind = isinstance(error, TypeError | AttributeError)
    return is_of_kind and module is not None and is_library_module(module)


def _items(value: Any) -> Iterable[Any]:
    """What is in a list, a tuple or a dict."""
    if isinstance(value, dict):
        return value.values()
    return value if isinstance(value, list | tuple) else ()


def _staged_among(values: Sequence[Any]) -> Staging | None:
    items = (item for each in values for item in _items(each))
    found = next((found for each in (*values, *items) if (found := find(each)) is not None), None)
    if found is None and any(getattr(type(each), "is_users", False) for each in values):
        return next(iter(active()), None)  # text, or a dict, that only the run time knows
    return found


_SPECIAL = {
    len: "__len__",
    abs: "__abs__",
    bool: "__bool__",
    round: "__round__",
    int: "__int__",
    float: "__float__",
    complex: "__complex__",
    str: "__str__",
    repr: "__repr__",
    hash: "__hash__",
}


def _special(f: Any, args: tuple[Any, ...]) -> FunctionType | None:
    """The method of a user's class that a function of Python's calls."""
    if type(f) not in (BuiltinFunctionType, type) or f not in _SPECIAL or not args:
        return None
    method = getattr(type(args[0]), _SPECIAL[f], None)
    return method if type(method) is FunctionType and _converter(method) is not None else None


def _instance(kind: type, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """A new object; a constructor that the user wrote is converted."""
    if kind is type and len(args) == 1:
        return type(*args, **kwargs)  # the class of an object, which is not new
    initialise = _initialiser(kind)
    method: Any = getattr(kind, "__init__", None)
    fields = _generated(kind, method) if initialise is None and active() else None
    if fields is not None and is_called_plainly(kind) and "__new__" not in _names_of(kind):
        initialise = functools.partial(_fill, method, fields)
    for staging in active():
        if (made := staging.begun(kind)) is not None:
            (initialise or method)(made, *args, **kwargs)
            staging.initialised(made)
            return made
    if initialise is None:
        made = native(kind, args, kwargs)
        return announced(made) if type(made) is kind else made
    made = kind.__new__(kind, *args, **kwargs)
    if isinstance(made, kind):
        made = announced(made)
        if initialise(made, *args, **kwargs) is not None:
            raise TypeError("__init__() should return None")
    return made


def is_called_plainly(kind: type) -> bool:
    """Whether to call a class makes an object and initialises it, and nothing else knows of it.

    Its metaclass may add to what the class is (``ABC``); those of Python's library are left to it.
    """
    if type(kind) is type:
        return True
    is_library = kind.__module__.partition(".")[0] in sys.stdlib_module_names
    return type(kind).__call__ is type.__call__ and not is_library


def _names_of(kind: type) -> set[str]:
    """What the classes say that a class stands on, but for `object`."""
    return {name for each in kind.__mro__[:-1] for name in vars(each)}


def _generated(kind: type, method: Any) -> dict[str, Any] | None:
    """The fields that a constructor of a class sets, where `dataclasses` has written it."""
    if type(method) is not FunctionType or method.__code__.co_filename != "<string>":
        return None
    owner = next((each for each in kind.__mro__ if vars(each).get("__init__") is method), kind)
    return vars(owner).get("__dataclass_fields__")


def _fill(method: Any, fields: dict[str, Any], made: Any, *args: Any, **kwargs: Any) -> None:
    """What a constructor of a data class does; its factories and ``__post_init__`` are converted."""
    try:
        given = inspect.signature(method).bind(made, *args, **kwargs).arguments
    except TypeError:
        method(made, *args, **kwargs)  # which says it as Python does
        raise
    frozen = type(made).__dataclass_params__.frozen
    later: list[Any] = []
    for name, each in fields.items():
        if name in given:
            value = given[name]
        elif each.default_factory is not dataclasses.MISSING:
            value = call(each.default_factory, ())
        elif each.default is not dataclasses.MISSING:
            value = each.default
        else:
            continue  # what the constructor does not set
        if each._field_type is dataclasses._FIELD_INITVAR:  # type: ignore[attr-defined]
            later.append(value)
        elif each._field_type is dataclasses._FIELD:  # type: ignore[attr-defined]
            (object.__setattr__ if frozen else setattr)(made, name, value)
    if hasattr(made, "__post_init__"):
        call(made.__post_init__, tuple(later))


def announced(made: Any) -> Any:
    """An object that has come into being, or what stands for it."""
    for staging in active():
        made = staging.made(made)
    return made


def _initialiser(kind: type) -> Callable[..., Any] | None:
    method = getattr(kind, "__init__", None)
    if not is_called_plainly(kind) or type(method) is not FunctionType:
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


def taking_tuple(f: Any) -> FunctionType | None:
    """A user's function ``f(*args)``, converted, that gets ``args`` as one argument; or None."""
    target = _converter(f) if type(f) is FunctionType else None
    code = None if target is None else _of_one_tuple(target.__code__)
    if target is None or code is None:
        return None
    made = FunctionType(code, target.__globals__, target.__name__, None, target.__closure__)
    made.__dict__.update(target.__dict__)
    return made


@functools.lru_cache(maxsize=1024)
def _of_one_tuple(code: CodeType) -> CodeType | None:
    """What runs with the arguments in the first variable; None where that is another parameter."""
    named = code.co_argcount or code.co_kwonlyargcount
    if named or not code.co_flags & inspect.CO_VARARGS:
        return None
    return code.replace(co_argcount=1, co_flags=code.co_flags & ~inspect.CO_VARARGS)


def keywords(f: Any, /, **kwargs: Any) -> dict[str, Any]:
    """The keyword arguments of a call that mixes ``name=value`` and ``**mapping``."""
    return kwargs
