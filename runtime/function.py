"""Decorated functions: ``GenericFunction``, which traces and retraces, and ``ConcreteFunction``."""

from __future__ import annotations

import functools
import logging
import threading
import warnings
from collections.abc import Callable, Sequence
from typing import Any, Generic, ParamSpec, TypeVar, cast, overload

from agir import autograph
from agir.backends.stages import STAGES
from agir.config import config
from agir.ir import dispatch, staging, trace
from agir.ir.convention import NUMPY, TENSORFLOW, Convention
from agir.runtime.arguments import Signature
from agir.runtime.concrete import ConcreteFunction, TracedFunction
from agir.runtime.first_calls import FirstCalls

__all__ = ["ConcreteFunction", "GenericFunction", "function", "jit", "staging"]

_log = logging.getLogger("agir.retrace")
P = ParamSpec("P")
R = TypeVar("R")


class GenericFunction(Generic[P, R]):
    """A decorated function: one callable over all signatures, with a trace for each.

    The first call with a signature traces and compiles; later ones look it up.  Calls are
    thread-safe: racing first calls of one signature compile it once.
    """

    def __init__(
        self,
        python_function: Callable[P, R],
        convention: Convention = TENSORFLOW,
        *,
        static: Sequence[str] = (),
        input_signature: Any = None,
        jit_compile: bool | None = None,
        convert: bool = True,
        implements: str | None = None,
    ) -> None:
        self._signature = Signature(python_function, convention, static, input_signature)
        self._traced = TracedFunction(
            python_function, convention, self._signature, jit_compile, convert, implements
        )
        self._concrete: dict[Any, ConcreteFunction] = {}
        self._quick: dict[Any, ConcreteFunction] = {}
        self._lock = threading.RLock()
        self._first_calls = FirstCalls()
        functools.update_wrapper(self, python_function)
        if not hasattr(python_function, "__name__"):  # a callable object
            self.__name__ = self.__qualname__ = type(python_function).__name__

    @property
    def python_function(self) -> Callable[P, R]:
        """The function as it was written."""
        return cast("Callable[P, R]", self._traced.python_function)

    @property
    def input_signature(self) -> Any:
        """The specs that every call must fit; None where each signature has its own trace."""
        return self._signature.input_signature

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """Call the function: traced and compiled at the first call of a signature."""
        if trace.current() is not None:
            return self._inline(args, kwargs)
        if config.functions_run_eagerly():
            return self.python_function(*args, **kwargs)
        key = None if kwargs else self._signature.quick_key(args)
        concrete = self._quick.get(key) if key is not None else None
        if concrete is not None:
            return concrete.quick(args)  # type: ignore[no-any-return]
        concrete, values = self._lookup(args, kwargs)
        if key is not None:
            self._quick[key] = concrete
        return cast(R, concrete.call_flat(values))

    def _inline(self, args: Any, kwargs: Any) -> R:
        """While another function is traced, a call becomes part of that trace."""
        target = self.python_function
        if not self._traced.convert:
            return target(*args, **kwargs)
        return cast(R, autograph.operators.call(autograph.convert(target), args, kwargs))

    def _lookup(self, args: Any, kwargs: Any) -> tuple[ConcreteFunction, list[Any]]:
        arguments = self._signature.bind(args, kwargs)
        key, values, leaves = self._signature.split(arguments)
        concrete = self._concrete.get(key)
        if concrete is None:
            with self._lock:
                concrete = self._concrete.get(key)
                if concrete is None:
                    first = self._first_calls.is_first(arguments)
                    concrete = self._traced.trace(arguments, leaves, may_create=first)
                    self._first_calls.note(arguments)
                    self._concrete[key] = concrete
                    _log.info("%s: trace %d, for %s", self.__name__, len(self._concrete), key)
        return concrete, values

    def get_concrete_function(self, *args: Any, **kwargs: Any) -> ConcreteFunction:
        """The trace for arguments given as values or as :class:`TensorSpec`.

        With an input signature no arguments are needed.
        """
        if self.input_signature is not None and not args and not kwargs:
            args = self.input_signature
        return self._lookup(args, kwargs)[0]

    def experimental_get_compiler_ir(self, *args: Any, **kwargs: Any) -> Callable[..., Any]:
        """A function ``dump(stage="hlo", device_name=None)`` for the trace of these arguments.

        It returns the text of the stage, bytes for the serialized ones and machine code.  Stages
        are those of ``agir.backends.stages.STAGES``.  Raises ``ValueError`` for an unknown stage
        or a function with ``jit_compile=False``, ``TypeError`` for symbolic arguments.
        """
        if self._traced.jit_compile is False:
            raise ValueError(
                f"{self.__name__} is not compiled (jit_compile=False), so it has no compiler IR"
            )
        if dispatch.any_symbolic(args, kwargs):
            raise TypeError(
                "experimental_get_compiler_ir takes values or TensorSpecs; it was given a symbolic "
                "tensor, inside a traced function"
            )
        concrete = self.get_concrete_function(*args, **kwargs)
        return functools.partial(self._stage, concrete)

    def _stage(
        self, concrete: ConcreteFunction, stage: str = "hlo", device_name: str | None = None
    ) -> str | bytes:
        if device_name is not None and "CPU" not in device_name.upper():
            raise ValueError(f"agir compiles for the CPU only; there is no device {device_name!r}")
        if stage == "autograph":
            return self._traced.source()
        if stage not in STAGES:
            raise ValueError(f"there is no stage {stage!r}; the stages are {', '.join(STAGES)}")
        return concrete.compilation.text(stage)

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        if instance is None:
            return self
        self._first_calls.of_methods = True
        return _BoundFunction(self, instance)

    def __repr__(self) -> str:
        return f"<agir.{self._traced.convention.name} {self.__qualname__}>"

    __name__: str
    __qualname__: str


class _BoundFunction:
    """A decorated method bound to its instance, which it holds for as long as it lives."""

    def __init__(self, function: GenericFunction[..., Any], instance: Any) -> None:
        self.__func__ = function
        self.__self__ = instance
        functools.update_wrapper(self, function.python_function)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self.__func__(self.__self__, *args, **kwargs)

    def get_concrete_function(self, *args: Any, **kwargs: Any) -> ConcreteFunction:
        """The trace of the method for these arguments."""
        return self.__func__.get_concrete_function(self.__self__, *args, **kwargs)

    def experimental_get_compiler_ir(self, *args: Any, **kwargs: Any) -> Callable[..., Any]:
        """The stages of the method's trace for these arguments."""
        return self.__func__.experimental_get_compiler_ir(self.__self__, *args, **kwargs)


_DEPRECATED = {
    "experimental_compile": "jit_compile",
    "experimental_relax_shapes": "reduce_retracing",
    "experimental_follow_type_hints": "a TensorSpec in input_signature",
}


def _warn_deprecated(**given: Any) -> None:
    for name, value in given.items():
        if value is not None:
            warnings.warn(
                f"{name} is deprecated: use {_DEPRECATED[name]}", DeprecationWarning, stacklevel=3
            )


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
) -> Any:
    """Compile a function under TensorFlow's conventions; a decorator, with or without arguments.

    Tensors and arrays are run-time values, Python values are compile-time constants, results are
    ``ag.Tensor``.  ``input_signature`` fixes the types of the arguments; ``autograph=False`` leaves
    control flow to Python; ``jit_compile=False`` runs the trace in the reference interpreter;
    ``experimental_implements`` becomes an attribute of the recorded function.
    """
    _warn_deprecated(
        experimental_compile=experimental_compile,
        experimental_relax_shapes=experimental_relax_shapes,
        experimental_follow_type_hints=experimental_follow_type_hints,
    )
    make = functools.partial(
        GenericFunction,
        convention=TENSORFLOW,
        input_signature=input_signature,
        jit_compile=experimental_compile if jit_compile is None else jit_compile,
        convert=autograph,
        implements=experimental_implements,
    )
    return make if func is None else make(func)


@overload
def jit(
    func: Callable[P, R],
    *,
    static: Sequence[str] = ...,
    input_signature: Any = ...,
    jit_compile: bool | None = ...,
) -> GenericFunction[P, R]: ...
@overload
def jit(
    func: None = None,
    *,
    static: Sequence[str] = ...,
    input_signature: Any = ...,
    jit_compile: bool | None = ...,
) -> Callable[[Callable[P, R]], GenericFunction[P, R]]: ...
def jit(
    func: Callable[..., Any] | None = None,
    *,
    static: Sequence[str] = (),
    input_signature: Any = None,
    jit_compile: bool | None = None,
) -> Any:
    """Compile a function under NumPy's conventions; a decorator, with or without arguments.

    Python numbers are run-time scalars, arrays come in and go out as ``numpy.ndarray``, and an
    array that the function writes into changes for the caller.  ``static`` names parameters whose
    values are compile-time constants.
    """
    make = functools.partial(
        GenericFunction,
        convention=NUMPY,
        static=static,
        input_signature=input_signature,
        jit_compile=jit_compile,
    )
    return make if func is None else make(func)
