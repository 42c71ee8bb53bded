"""Converting functions: the public interface."""

from __future__ import annotations

import ast
import functools
import gc
import inspect
import logging
import os
import threading
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import CodeType, FunctionType, MethodType
from typing import Any, TypeVar, cast

from agir.autograph import operators
from agir.autograph.added import BEGIN, END, rewritten
from agir.autograph.converters.common.context import Context
from agir.autograph.libraries import (
    ORDERING,
    adopt,
    convert_mark,
    do_not_convert_mark,
    is_adopted,
    is_library,
)
from agir.autograph.operators import calls
from agir.autograph.operators.exceptions import in_try
from agir.autograph.operators.staging import active
from agir.autograph.pyct import loader, parser
from agir.autograph.pyct.exchange import to_ast
from agir.autograph.pyct.naming import Namer
from agir.autograph.pyct.trees import walk
from agir.by_identity import IdentityDict
from agir.config import config
from agir.errors import ConversionError, NoSourceError, UnsupportedError

F = TypeVar("F", bound=Callable[..., Any])

logger = logging.getLogger("agir.autograph")
_lock = threading.RLock()
if hasattr(os, "register_at_fork"):  # a child would have the lock, and not the thread that holds it
    os.register_at_fork(
        before=_lock.acquire, after_in_parent=_lock.release, after_in_child=_lock.release
    )

CO_SPECIAL = inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR | inspect.CO_ITERABLE_COROUTINE


class _Conversion:
    """What became of a code object."""

    def __init__(self, template: loader.Template, tree: ast.AST, context: Context) -> None:
        self.template = template
        self.tree = tree
        self._context = (context.operators, context.names)

    def instantiate(self, f: FunctionType) -> FunctionType:
        """The converted function, with the names and cells of the function itself."""
        extra = dict(zip(self._context, (operators, operators.Names(f)), strict=True))
        return loader.instantiate(self.template, f, extra)


_conversions: IdentityDict[_Conversion] = IdentityDict()
_stepwise: IdentityDict[_Conversion] = IdentityDict()
"""Conversions for calls in a `try`: nothing in them takes effect after a failure."""
_failures: IdentityDict[str] = IdentityDict()
_converted: IdentityDict[weakref.ref[CodeType]] = IdentityDict()
"""The code of which each converted code object is made."""
_overloading: IdentityDict[bool] = IdentityDict()
"""The code whose operators are converted, too."""
_resumed: IdentityDict[set[int]] = IdentityDict()
"""The code with generator functions whose generators are left and gone on with, and their lines."""
_libraries: IdentityDict[bool] = IdentityDict()
_OWN = __name__.partition(".")[0]


def convert(f: F) -> F:
    """The converted function, method or callable object.

    Functions marked with `do_not_convert`, functions of Python's library and NumPy's, classes and
    coroutines are returned as they are.  One of another installed package is converted, and what it
    calls of that package, too.  Raises `ConversionError` if there is no source.

    >>> ag.autograph.convert(textwrap.dedent)("  x")
    'x'

    Raises: ConversionError where there is no source
    """
    adopt(f)
    if isinstance(f, functools.partial):
        new = functools.partial(convert(f.func), *f.args, **f.keywords)
        return cast(F, new)
    if isinstance(f, MethodType):
        return cast(F, _bind(f.__func__, f.__self__, f))
    if isinstance(f, FunctionType):
        return cast(F, f if _left_alone(f) else _convert(f))
    if not isinstance(f, type):
        method = getattr(type(f), "__call__", None)  # noqa: B004
        if isinstance(method, FunctionType):
            return cast(F, _bind(method, f, f))
    return f


def _bind(function: Any, receiver: object, unchanged: Any) -> Any:
    if not isinstance(function, FunctionType) or _left_alone(function):
        return unchanged
    return MethodType(_convert(function), receiver)


def _left_alone(f: FunctionType) -> bool:
    return (
        is_converted(f)
        or getattr(f, do_not_convert_mark, False) is True
        or bool(f.__code__.co_flags & CO_SPECIAL)
        or _is_library(f)
    )


def _is_library(f: FunctionType) -> bool:
    known = _libraries.get(f.__code__)
    if known and is_adopted(f.__globals__):
        known = None  # since it was looked at
    if known is None:
        known = is_library(f)
        _libraries.set(f.__code__, known)
    return known


def to_graph(f: Callable[..., Any]) -> Callable[..., Any]:
    """The converted function, even where `convert` would return it as it is.

    Raises `ConversionError` if `f` cannot be converted.

    >>> ag.autograph.to_graph(textwrap.dedent)("  x")
    'x'

    Raises: ConversionError where the function cannot be converted
    """
    f = _undecorated(f)
    if isinstance(f, MethodType):
        return MethodType(to_graph(f.__func__), f.__self__)
    function = _function(f)
    return function if is_converted(function) else _convert(function)


def to_code(f: Callable[..., Any]) -> str:
    """The source of the converted function.

    >>> ag.autograph.to_code(textwrap.dedent).startswith("def ")
    True

    Raises: ConversionError where the function cannot be converted
    """
    function = _function(f)
    conversion = _conversion(function)
    return _text(conversion.tree)


def code_and_lines(f: Callable[..., Any]) -> tuple[str, dict[int, list[int]]]:
    """What `to_code` gives, and for each of its lines those of the user's file it stands for."""
    from agir.autograph.pyct.origins import origins

    tree = _conversion(_function(f)).tree
    text = _text(tree)
    return text, origins(tree, text)


def _text(tree: ast.AST) -> str:
    from agir.autograph.pyct.unparser import unparse  # few look at what is converted

    return unparse(tree)


def _undecorated(f: Any) -> Any:
    """The function or method that a decorated one calls."""
    return getattr(f, "python_function", f)


def _function(f: Any) -> FunctionType:
    f = _undecorated(f)
    if isinstance(f, functools.partial):
        return _function(f.func)
    if isinstance(f, MethodType):
        f = f.__func__
    found = f
    if not isinstance(f, FunctionType) and not isinstance(f, type):
        found = getattr(type(f), "__call__", f)  # noqa: B004
    if not isinstance(found, FunctionType):
        raise UnsupportedError(f"{f!r} is not a Python function")
    return found


def is_converted(f: object) -> bool:
    """Whether a function is the result of a conversion, or was defined inside of one.

    >>> ag.autograph.is_converted(len)
    False
    """
    if isinstance(f, functools.partial):
        return is_converted(f.func)
    if isinstance(f, MethodType):
        f = f.__func__
    return isinstance(f, FunctionType) and _converted.get(f.__code__) is not None


def do_not_convert(f: F) -> F:
    """Mark a function, so that it is called as it is; can be used as a decorator.

    >>> ag.autograph.do_not_convert(len) is len
    False
    """
    if isinstance(f, FunctionType):
        setattr(f, do_not_convert_mark, True)
        return f

    @functools.wraps(f)
    def unconverted(*args: Any, **kwargs: Any) -> Any:
        return f(*args, **kwargs)

    setattr(unconverted, do_not_convert_mark, True)
    return cast(F, unconverted)


setattr(do_not_convert, "__ag_leaves_alone__", True)  # noqa: B010


def set_loop_options(
    *,
    unroll: bool | None = None,
    checkpoint: bool | int | str | None = None,
    maximum_iterations: Any = None,
    parallel_iterations: object = None,
    swap_memory: object = None,
    shape_invariants: object = None,
) -> None:
    """Decide how the loop is staged in whose body this is called, as a statement of its own.

    `unroll`: True has Python run a loop over what it knows while tracing, so that every iteration is
    recorded; False has it recorded as one loop, or an error says why it cannot be; None, the
    default, lets an analysis of the body decide.

    `checkpoint`: how much a gradient of the loop keeps of its n iterations, which are else all
    kept: "sqrt" (or True) the variables of about 2 √n of them, "log" those of at most log2(n) + 2,
    a number k the variables at each k-th one and all of k iterations.  The others are computed
    again, which takes the time of two more loops, or ("log") of log2(n) / 2.

    `maximum_iterations`: a ``while``, or a ``for`` over a tensor, ends after so many iterations.

    The other options are TensorFlow's and have no
    effect: shapes and dtypes are found without them.  Where nothing is staged, all of it has none.

    >>> ag.autograph.set_loop_options(unroll=True)
    """


_options = frozenset(inspect.signature(set_loop_options).parameters)
setattr(set_loop_options, "__ag_loop_options__", _options)  # noqa: B010


def set_verbosity(level: int) -> None:
    """Say more about conversions: 1 what is left alone, 2 what is converted, 3 the code.

    It sets the option ``ag.config.autograph_verbosity``.

    >>> ag.autograph.set_verbosity(0)
    """
    config.autograph_verbosity = level
    logger.setLevel(logging.DEBUG if level else logging.NOTSET)


def _log(level: int, message: str, *args: object) -> None:
    if config.autograph_verbosity < level:
        return
    if not logger.handlers and not logging.getLogger().handlers:
        logger.addHandler(logging.StreamHandler())
    logger.setLevel(logging.DEBUG)
    logger.debug(message, *args)


def _convert(f: FunctionType) -> FunctionType:
    conversion = _conversion(f, in_try())  # a decorated function may be called in a try
    return conversion.instantiate(f)


def _conversion(f: FunctionType, stepwise: bool = False) -> _Conversion:
    code = f.__code__
    known = _stepwise if stepwise else _conversions
    if _with_all_operators():
        _overload(f)
    conversion = known.get(code)
    if conversion is None:
        config.load_plugins()
        with _lock:
            conversion = known.get(code)
            if conversion is None:
                with _without_collector():
                    conversion = _make(f, stepwise)
                known.set(code, conversion)
    return conversion


@contextmanager
def _without_collector() -> Iterator[None]:
    """Keep the garbage collector from going through half-made trees again and again.

    It takes a third of the time of a long conversion otherwise, and finds nothing.
    """
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def _make(f: FunctionType, stepwise: bool) -> _Conversion:
    from agir.autograph.converters.functions import convert_tree

    code = f.__code__
    if code.co_flags & CO_SPECIAL:
        raise UnsupportedError(f"{f.__qualname__} is a coroutine")
    try:
        tree, definition = parser.parse(f)
    except RecursionError as error:
        raise NoSourceError(f"the source of {f.__qualname__} nests too deeply") from error
    tree = rewritten(tree, BEGIN, f)
    namer = Namer({*_names(tree), *f.__globals__, *code.co_freevars})
    resumed = frozenset(_resumed.get(code) or ())
    context = Context(
        namer,
        namer.fresh("ag__"),
        _namespace(f),
        namer.fresh("names__"),
        stepwise or bool(resumed),  # they may be gone on with in a `try`
        _overloading.get(code) is not None or code in ORDERING or convert_mark in f.__globals__,
        resumed,
        definition.class_name,
    )
    tree.decorator_list = []
    try:
        converted = rewritten(to_ast(convert_tree(tree, context)), END, f)
        template = loader.compile_function(
            converted,
            code,
            definition.class_name,
            extra=(context.operators, context.names),
            qualname=f.__qualname__,
            generated={**dict.fromkeys(context.generated, ""), **context.shown},
        )
    except (SyntaxError, RecursionError) as error:
        where = f"{code.co_filename}:{code.co_firstlineno}"
        raise ConversionError(f"cannot convert {f.__qualname__} ({where}): {error}") from error
    _remember(template.code, code)
    _log(2, "converted %s (%s:%d)", f.__qualname__, code.co_filename, code.co_firstlineno)
    if config.autograph_verbosity >= 3:
        _log(3, "%s", _text(converted))
    return _Conversion(template, converted, context)


def _names(tree: Any) -> set[str]:
    """Every identifier of a tree."""
    found: set[str] = set()
    for node in walk(tree):
        fields = node.__dict__
        for field in _NAMES & fields.keys():
            value = fields[field]
            found.update(each for each in _listed(value) if isinstance(each, str))
    return found


_NAMES = frozenset({"id", "name", "asname", "attr", "arg", "rest", "names"})


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _namespace(f: FunctionType) -> dict[str, Any]:
    namespace = dict(f.__globals__)
    for name, cell in zip(f.__code__.co_freevars, f.__closure__ or (), strict=True):
        try:
            namespace[name] = cell.cell_contents
        except ValueError:
            namespace.pop(name, None)
    return namespace


def _remember(code: CodeType, original: CodeType) -> None:
    _converted.set(code, weakref.ref(original))
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            _remember(constant, original)


def _with_operators(code: CodeType) -> bool | None:
    """See to it that the operators of converted code are converted, too, from now on.

    False if they are already, None for code that is not converted.
    """
    reference = _converted.get(code)
    original = None if reference is None else reference()
    if original is None or _overloading.get(original) is not None:
        return None if original is None else False
    _convert_operators(original)
    return True


def _resumable(code: CodeType) -> bool:
    """See to it that generators made by converted code can be left and gone on with, from now on.

    False if that has been asked for before, or the code is not converted.
    """
    reference = _converted.get(code)
    original = None if reference is None else reference()
    if original is None:
        return False
    lines = _resumed.get(original) or set()
    if code.co_firstlineno in lines:
        return False
    with _lock:
        _resumed.set(original, lines | {code.co_firstlineno})
        _conversions.discard(original)
        _stepwise.discard(original)
    return True


def _with_all_operators() -> bool:
    return any(each.has_operators() for each in active())


def _overload(f: FunctionType) -> None:
    """Convert the operators of a function of the user's, too."""
    is_own = str(f.__globals__.get("__name__")).partition(".")[0] == _OWN
    if not is_own and _overloading.get(f.__code__) is None:
        _convert_operators(f.__code__)


def _convert_operators(code: CodeType) -> None:
    with _lock:
        _overloading.set(code, True)
        _conversions.discard(code)
        _stepwise.discard(code)


def _on_the_way(f: FunctionType) -> FunctionType | None:
    """The converted function for `operators.call`, or None for one to be called as it is."""
    code = f.__code__
    stepwise = in_try()
    known = _stepwise if stepwise else _conversions
    if (conversion := known.get(code)) is None or _with_all_operators():
        if _converted.get(code) is not None:
            return f
        if _failures.get(code) is not None or _left_alone(f):
            return None
        try:
            conversion = _conversion(f, stepwise)
        except ConversionError as error:
            _failures.set(code, error.message)
            _log(1, "called as it is: %s", error.message)
            return None
    elif getattr(f, do_not_convert_mark, False) is True:
        return None
    return conversion.instantiate(f)


calls.use_converter(_on_the_way, _with_operators, _resumable)
