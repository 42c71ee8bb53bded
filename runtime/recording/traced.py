"""The part of a decorated function that its traces share; it holds no trace itself."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from types import MethodType
from typing import TYPE_CHECKING, Any

from agir import autograph
from agir.autograph.features import Feature
from agir.autograph.libraries import adopt
from agir.config import config
from agir.ir.building.attributes import NOT_RESTORED
from agir.ir.building.symbol_names import symbol
from agir.ir.convention import Convention
from agir.runtime.recording import plain_runs
from agir.runtime.signatures.arguments import Signature

if TYPE_CHECKING:
    from agir.ir.tracing.trace import Trace


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
    fallback: bool | None = False
    """Whether plain Python runs what cannot be recorded; None leaves that to `config.fallback`."""
    is_inner: bool = False
    """Whether it is a form of another function, which sees to that itself."""
    finish: Callable[[Trace, Any], Any] | None = None
    """What a trace returns in the place of what the function has returned."""
    restores: bool = True
    """Whether arrays that it writes into are as they were where a call fails."""
    passes: tuple[Any, ...] = ()
    """Passes of its own (`agir.backends.mlir.added.Pass`)."""
    lengths_vary: bool = False
    """Whether lists of a few numbers, too, are one argument of any length."""


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
        if self.convert:
            adopt(function)
        self.signature = Signature(
            self.python_function,
            options.convention,
            options.static,
            options.input_signature,
            options.follow_type_hints,
        )
        if options.lengths_vary:
            self.signature.lengths_vary = True
        self.powers_are_mixed = False
        """Whether an int to the power of an int may be a float: an exponent has been negative."""
        self.classes_by_number: frozenset[Any] = frozenset()
        """The classes whose objects are known by their numbers: it was refused without."""
        self.symbol = _symbol(function)
        self.attributes = {} if options.implements is None else {"implements": options.implements}
        if not options.restores:
            self.attributes[NOT_RESTORED] = ""
        named = Feature.NAME_SCOPES in options.features
        self.name_scope = self.symbol if named else None
        """The scope of the operations that it records; None for that of the caller."""

    @property
    def falls_back(self) -> bool:
        """Whether plain Python runs what cannot be recorded, or needs more than 64 bits."""
        given = self.options.fallback
        return config.fallback if given is None else given

    @property
    def receiver(self) -> Any:
        """The object whose method it is, while that lives; None for a function."""
        return None if self._receiver is None else self._receiver()

    @property
    def python_function(self) -> Callable[..., Any]:
        """The function as it was written; a method is bound."""
        if self._receiver is None:
            return self._function
        instance = self.receiver
        if instance is None:
            raise ReferenceError(
                f"the object whose method {self.symbol} is does not exist any more"
            )
        return MethodType(self._function, instance)

    @property
    def is_run_by_python(self) -> bool:
        """Whether a call has come back to a function that plain Python runs, of whatever object."""
        return plain_runs.is_running(self._function)

    def run_by_python(self, call: Callable[[], Any]) -> Any:
        """Make a call of the function as it was written."""
        return plain_runs.run(self._function, call)

    def source(self) -> str:
        """The converted source: the ``autograph`` stage."""
        return autograph.to_code(self._function)


def _symbol(python_function: Callable[..., Any]) -> str:
    name = getattr(python_function, "__name__", type(python_function).__name__)
    return symbol(name)
