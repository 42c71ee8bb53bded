"""The part of a decorated function that its traces share; it holds no trace itself."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from types import MethodType
from typing import Any

from agir import autograph, errors
from agir.ir import bindings
from agir.ir.convention import Convention
from agir.runtime import nested
from agir.runtime.arguments import Signature
from agir.runtime.blame import at_caller
from agir.runtime.concrete import ConcreteFunction
from agir.runtime.pattern import objects
from agir.runtime.state import Initialiser
from agir.runtime.trace_types import CallType, Leaf
from agir.runtime.tracing import Recorded, record
from agir.runtime.unranked import UnrankedFunction


@dataclass(frozen=True)
class Options:
    """What a decorator was told."""

    convention: Convention
    static: Sequence[str] = ()
    input_signature: Any = None
    jit_compile: bool | None = None
    convert: bool = True
    implements: str | None = None
    reduce_retracing: bool = False
    follow_type_hints: bool = False
    features: frozenset[Any] = field(default_factory=frozenset)


class TracedFunction:
    """A Python function, how it is called, and how it is traced.

    A method of an object that may die first holds the object weakly.
    """

    def __init__(
        self,
        function: Callable[..., Any],
        options: Options,
        receiver: weakref.ref[Any] | None = None,
    ) -> None:
        self._function = function
        self._receiver = receiver
        self.options = options
        self.convention = options.convention
        self.jit_compile = options.jit_compile
        self.convert = options.convert
        self.signature = Signature(
            self.python_function,
            options.convention,
            options.static,
            options.input_signature,
            options.follow_type_hints,
        )
        self.symbol = _symbol(function)
        self.attributes = {} if options.implements is None else {"implements": options.implements}

    @property
    def python_function(self) -> Callable[..., Any]:
        """The function as it was written; a method is bound."""
        if self._receiver is None:
            return self._function
        instance = self._receiver()
        if instance is None:
            raise ReferenceError(
                f"the object whose method {self.symbol} is does not exist any more"
            )
        return MethodType(self._function, instance)

    def source(self) -> str:
        """The converted source: the ``autograph`` stage."""
        return autograph.to_code(self._function)

    def trace(
        self, kind: CallType, pattern: dict[str, Any], *, may_create: bool = False
    ) -> ConcreteFunction:
        """Trace for calls of this type: twice, if that creates variables."""
        if kind.is_unranked:
            return UnrankedFunction(self, kind, pattern, may_create)
        recorded = self.record(kind.leaves, pattern, may_create=may_create)
        if not recorded.created:
            return ConcreteFunction(recorded, self, kind, pattern)
        try:
            concrete = ConcreteFunction(self.record(kind.leaves, pattern), self, kind, pattern)
        except BaseException:
            recorded.forget()
            raise
        if computed := [c.variable for c in recorded.created if c.initial is not None]:
            initial = ConcreteFunction(recorded, self, kind, pattern)
            concrete.initialiser = Initialiser(computed, initial.call_flat)
        recorded.settle()
        return concrete

    def record(
        self, leaves: Sequence[Leaf], pattern: dict[str, Any], *, may_create: bool = False
    ) -> Recorded:
        """What the function does with run-time values of these types."""
        try:
            bindings.carrier()
        except ValueError as error:
            raise ValueError(at_caller(errors.message(error))) from error.__cause__
        recorded = record(
            self.python_function,
            pattern,
            leaves,
            self.signature.apply,
            self.convention,
            self.symbol,
            self.attributes,
            self.convert,
            creating=may_create,
            must_compile=self.jit_compile is True,
            scope=self.symbol if nested.NAME_SCOPES in self.options.features else "",
        )
        recorded.let_go([*objects(pattern), *([self._receiver()] if self._receiver else [])])
        return recorded

    def inline(self, arguments: dict[str, Any]) -> Any:
        """Run the function on bound arguments as a part of the trace that is being recorded."""
        return nested.run(self, arguments)


def _symbol(python_function: Callable[..., Any]) -> str:
    name = getattr(python_function, "__name__", type(python_function).__name__)
    return "lambda_" if name == "<lambda>" else name
