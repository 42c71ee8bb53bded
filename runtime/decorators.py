"""The two decorators: ``function`` under TensorFlow's conventions, ``jit`` under NumPy's."""

from __future__ import annotations

import functools
import inspect
import warnings
from collections.abc import Callable, Iterable, Sequence
from typing import Any, ParamSpec, TypeVar, overload

import numpy as np

from agir import errors
from agir.autograph.features import features
from agir.errors import OperandTypeError, OperandValueError
from agir.ir.convention import NUMPY, TENSORFLOW
from agir.runtime.blame import at_caller, caller
from agir.runtime.function import GenericFunction
from agir.runtime.recording.traced import Options

P = ParamSpec("P")
R = TypeVar("R")

_DEPRECATED = {
    "experimental_compile": "jit_compile",
    "experimental_relax_shapes": "reduce_retracing",
    "experimental_follow_type_hints": "a TensorSpec in input_signature, or reduce_retracing",
}


def _warn_deprecated(**given: Any) -> None:
    for name, value in given.items():
        if value is not None:
            line = caller()
            warnings.warn_explicit(
                f"{name} is deprecated: use {_DEPRECATED[name]}",
                DeprecationWarning,
                *((line.file, line.line) if line is not None else ("unknown", 0)),
            )


def _renamed(former: str, old: Any, name: str, new: Any) -> Any:
    """The value of an option that may be given under its former name, but not under both."""
    if old is None:
        return new
    if new is not None:
        raise OperandValueError(
            at_caller(f"{former} is the former name of {name}: give {name} alone")
        )
    return old


def _checked_flag(name: str, value: Any) -> bool | None:
    if value is not None and not isinstance(value, (bool, np.bool_)):
        raise OperandTypeError(at_caller(f"{name} is True, False or None, not {value!r}"))
    return None if value is None else bool(value)


def _passes(given: Sequence[Any], jit_compile: Any) -> tuple[Any, ...]:
    """The passes that a function is given for itself."""
    if isinstance(given, str) or not isinstance(given, Iterable):
        raise OperandTypeError(at_caller(f"passes= is a list of passes, not {given!r}"))
    if not given:
        return ()
    if jit_compile is False:
        raise OperandValueError(
            at_caller(
                "passes= is for what is compiled: jit_compile=False interprets what was traced"
            )
        )
    from agir.backends.mlir.added import as_pass  # few programs have any

    try:
        return tuple(as_pass(each) for each in given)
    except (OperandTypeError, OperandValueError) as error:
        raise type(error)(at_caller(error.message)) from None


def _decorated(func: Any, options: Options) -> Any:
    """The decorated function, or the decorator where there is no function yet."""
    if func is None:
        return engine(functools.partial(_decorated, options=options))
    if isinstance(func, (staticmethod, classmethod)):
        return type(func)(_decorated(func.__func__, options))
    if not callable(func):
        raise OperandTypeError(at_caller(f"a function can be decorated, not {func!r}"))
    plain = getattr(func, "python_function", func)
    if options.convention is not TENSORFLOW and inspect.isgeneratorfunction(plain):
        return _generator_function(plain, options)
    return GenericFunction(plain, options)


def _generator_function(func: Any, options: Options) -> Any:
    from agir.runtime.generator_functions import GeneratorFunction  # few programs have any

    if options.input_signature is not None:
        raise OperandTypeError(
            at_caller(f"{func.__name__} is a generator function, which takes no input_signature")
        )
    return GeneratorFunction(func, options)


@overload
def function(
    func: Callable[P, R],
    input_signature: Any = ...,
    autograph: bool = ...,
    jit_compile: bool | None = ...,
    reduce_retracing: bool = ...,
    experimental_implements: str | None = ...,
    experimental_autograph_options: Any = ...,
    experimental_relax_shapes: bool | None = ...,
    experimental_compile: bool | None = ...,
    experimental_follow_type_hints: bool | None = ...,
    passes: Sequence[Any] = ...,
) -> GenericFunction[P, R]: ...
@overload
def function(
    func: None = None,
    input_signature: Any = ...,
    autograph: bool = ...,
    jit_compile: bool | None = ...,
    reduce_retracing: bool = ...,
    experimental_implements: str | None = ...,
    experimental_autograph_options: Any = ...,
    experimental_relax_shapes: bool | None = ...,
    experimental_compile: bool | None = ...,
    experimental_follow_type_hints: bool | None = ...,
    passes: Sequence[Any] = ...,
) -> Callable[[Callable[P, R]], GenericFunction[P, R]]: ...
def function(
    func: Callable[..., Any] | None = None,
    input_signature: Any = None,
    autograph: bool = True,
    jit_compile: bool | None = None,
    reduce_retracing: bool = False,
    experimental_implements: str | None = None,
    experimental_autograph_options: Any = None,
    experimental_relax_shapes: bool | None = None,
    experimental_compile: bool | None = None,
    experimental_follow_type_hints: bool | None = None,
    passes: Sequence[Any] = (),
) -> Any:
    """Compile a function under TensorFlow's conventions; a decorator, with or without arguments.

    Tensors and arrays are run-time values, Python values are compile-time constants, results are
    ``ag.Tensor``.

    ``input_signature``: the :class:`TensorSpec` of each argument (or structures of them); there is
    one trace, and other arguments are refused.
    ``autograph``: False leaves control flow to Python.
    ``jit_compile``: True refuses, while tracing, what cannot be compiled; False runs the trace in
    the reference interpreter.
    ``reduce_retracing``: sizes that change from call to call are left open.
    ``experimental_implements``: an attribute of the recorded function.
    ``experimental_autograph_options``: an ``ag.autograph.experimental.Feature``, or several.
    ``experimental_relax_shapes``, ``experimental_compile``: former names of ``reduce_retracing``
    and ``jit_compile``.
    ``experimental_follow_type_hints``: arguments annotated as ``ag.Tensor`` become tensors.
    ``passes``: further passes over what is traced (``agir.plugins.Pass``, functions, texts of MLIR's).

    >>> @ag.function
    ... def double(x):
    ...     return 2 * x
    >>> double(ag.constant(4)).numpy()
    np.int32(8)

    Shapes: arguments any
    Raises: TypeError for arguments that do not fit; StagingError for what cannot be recorded
    """
    _warn_deprecated(
        experimental_compile=experimental_compile,
        experimental_relax_shapes=experimental_relax_shapes,
        experimental_follow_type_hints=experimental_follow_type_hints,
    )
    options = Options(
        convention=TENSORFLOW,
        input_signature=input_signature,
        jit_compile=_checked_flag(
            "jit_compile",
            _renamed("experimental_compile", experimental_compile, "jit_compile", jit_compile),
        ),
        convert=autograph,
        implements=experimental_implements,
        reduce_retracing=reduce_retracing or bool(experimental_relax_shapes),
        follow_type_hints=bool(experimental_follow_type_hints),
        features=_features(experimental_autograph_options),
        passes=_passes(passes, jit_compile),
    )
    return _decorated(func, options)


def _features(options: Any) -> frozenset[Any]:
    try:
        return features(options)
    except TypeError as error:
        raise OperandTypeError(at_caller(errors.message(error))) from None


@overload
def jit(
    func: Callable[P, R],
    *,
    static: Sequence[str] = ...,
    input_signature: Any = ...,
    jit_compile: bool | None = ...,
    reduce_retracing: bool = ...,
    fallback: bool | None = ...,
    passes: Sequence[Any] = ...,
) -> GenericFunction[P, R]: ...
@overload
def jit(
    func: None = None,
    *,
    static: Sequence[str] = ...,
    input_signature: Any = ...,
    jit_compile: bool | None = ...,
    reduce_retracing: bool = ...,
    fallback: bool | None = ...,
    passes: Sequence[Any] = ...,
) -> Callable[[Callable[P, R]], GenericFunction[P, R]]: ...
def jit(
    func: Callable[..., Any] | None = None,
    *,
    static: Sequence[str] = (),
    input_signature: Any = None,
    jit_compile: bool | None = None,
    reduce_retracing: bool = False,
    fallback: bool | None = None,
    passes: Sequence[Any] = (),
) -> Any:
    """Compile a function under NumPy's conventions; a decorator, with or without arguments.

    Python numbers are run-time scalars, numbers come back of the classes that plain Python gives,
    arrays come in and go out as ``numpy.ndarray``, and an array that the function writes into
    changes for the caller.  ``static`` names parameters whose values are compile-time constants.
    ``fallback``: True has plain Python run what cannot be recorded, or needs ints of more than 64
    bits, with a ``FallbackWarning``; None, the default, is ``config.fallback``.  The other options
    are those of :func:`function`.

    >>> @ag.jit
    ... def double(x):
    ...     return 2 * x
    >>> double(4)
    8

    Shapes: arguments any
    Raises: TypeError for arguments that do not fit; StagingError for what cannot be recorded
    """
    options = Options(
        convention=NUMPY,
        static=static,
        input_signature=input_signature,
        jit_compile=_checked_flag("jit_compile", jit_compile),
        reduce_retracing=reduce_retracing,
        fallback=_checked_flag("fallback", fallback),
        passes=_passes(passes, jit_compile),
    )
    return _decorated(func, options)


def engine(decorator: Any) -> Any:
    """A decorator that pandas takes as an engine (`agir.runtime.dataframes`)."""
    decorator.__pandas_udf__ = _PandasEngine
    return decorator


class _PandasEngine:
    """The engine, imported when pandas first calls it."""

    @staticmethod
    def map(*args: Any, **kwargs: Any) -> Any:
        """The function of each element."""
        from agir.runtime.dataframes import Engine

        return Engine.map(*args, **kwargs)

    @staticmethod
    def apply(*args: Any, **kwargs: Any) -> Any:
        """The function of each row or column."""
        from agir.runtime.dataframes import Engine

        return Engine.apply(*args, **kwargs)


engine(jit)
