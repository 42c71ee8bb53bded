"""Decorated generator functions."""

from __future__ import annotations

import functools
from types import FunctionType, MethodType
from typing import Any, ParamSpec, TypeVar, cast

from agir.config import config
from agir.errors import ConversionError
from agir.ir import recording
from agir.runtime.function import GenericFunction
from agir.runtime.iterators.generators import CompiledGenerator
from agir.runtime.iterators.segments import Machine
from agir.runtime.recording.traced import Options

P = ParamSpec("P")
R = TypeVar("R")


def _taken_apart(function: Any) -> tuple[FunctionType, tuple[Any, ...], dict[str, Any]]:
    """The function of a method or partial application, and the arguments that it has already."""
    if isinstance(function, MethodType):
        plain, given, named = _taken_apart(function.__func__)
        return plain, (*given, function.__self__), named
    if isinstance(function, functools.partial):
        plain, given, named = _taken_apart(function.func)
        return plain, (*given, *function.args), {**named, **function.keywords}
    return getattr(function, "python_function", function), (), {}


class GeneratorFunction(GenericFunction[P, R]):
    """A generator function under `jit`: a call gives a generator that runs compiled code.

    Its traces are those of the functions from one `yield` to the next.
    """

    __slots__ = ("_given", "_machine", "_named")

    makes_generators = True

    def __init__(self, python_function: Any, options: Options) -> None:
        super().__init__(python_function, options)
        function, self._given, self._named = _taken_apart(python_function)
        self._machine = Machine(function, options, GenericFunction)

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """The generator; nothing of the function has run yet."""
        if recording.current() is not None:
            return cast(R, self._nested(args, kwargs))
        if config.calls_ask() and config.functions_run_eagerly():
            return self.python_function(*args, **kwargs)
        self._signature.bind_python(args, kwargs)
        try:
            self._machine.segmented  # noqa: B018 (what cannot be compiled is refused at once)
        except ConversionError as error:
            key = None if kwargs else self._signature.quick_key(args)
            known = None if self._fallbacks is None else self._fallbacks.known(key)
            plan = known or self._plan(error, args, kwargs)
            if plan is None:
                raise
            return self._by_python(plan, key, args, kwargs)
        given = {**self._named, **kwargs}
        return cast(R, CompiledGenerator(self._machine, (*self._given, *args), given))

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        return self if instance is None else MethodType(self, instance)

    def get_concrete_function(self, *args: Any, **kwargs: Any) -> Any:
        """The trace of the function from its beginning to the first `yield`."""
        return self._machine.first.get_concrete_function(*args, **kwargs)

    def explain(self, *args: Any, **kwargs: Any) -> Any:
        """What became of the same."""
        return self._machine.first.explain(*args, **kwargs)

    def experimental_get_compiler_ir(self, *args: Any, **kwargs: Any) -> Any:
        """The stages of the same."""
        return self._machine.first.experimental_get_compiler_ir(*args, **kwargs)

    def experimental_get_tracing_count(self) -> int:
        """How many traces were made, of the function from each `yield` to the next."""
        return sum(each.experimental_get_tracing_count() for each in self._machine.compiled())

    def explain_retracing(self) -> str:
        """Every trace of them, with what made it necessary."""
        return "\n".join(each.explain_retracing() for each in self._machine.compiled())

    def clear_cache(self) -> None:
        """Drop all traces and their compiled code."""
        for each in self._machine.compiled():
            each.clear_cache()
