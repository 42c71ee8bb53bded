"""Decorated functions: ``GenericFunction``, which traces and retraces, and ``ConcreteFunction``."""

from __future__ import annotations

import functools
import threading
import warnings
from collections.abc import Callable, Sequence
from typing import Any, Generic, ParamSpec, TypeVar, cast, overload

import numpy as np

from agir import autograph
from agir.backends.cpu.engine import Executable
from agir.backends.reference import Interpreter
from agir.backends.stages import STAGES, Compilation
from agir.config import config
from agir.ir import dispatch, staging, structure, trace
from agir.ir.convention import NUMPY, TENSORFLOW, Convention
from agir.ir.tensor import Tensor
from agir.ir.types import TensorSpec
from agir.runtime import failures
from agir.runtime.arguments import Signature
from agir.runtime.dumping import dump
from agir.runtime.tensor import EagerTensor
from agir.runtime.tracing import Recorded, as_array, record

__all__ = ["ConcreteFunction", "GenericFunction", "function", "jit", "staging"]

P = ParamSpec("P")
R = TypeVar("R")


class ConcreteFunction:
    """One trace of a function, compiled for the types of its run-time arguments.

    It is called with the run-time values in the order of the signature, or with the arguments of
    the function; ``module`` is its MLIR, ``compilation`` its stages.
    """

    def __init__(self, recorded: Recorded, owner: _Traced) -> None:
        self._recorded = recorded
        self._owner = owner
        self._executable: Callable[[Sequence[Any]], list[Any]] | None = None
        self._lock = threading.Lock()
        self._accepted: set[Any] = set()
        self.quick: Callable[[Sequence[Any]], Any] = self.call_flat
        """Calls with positional run-time values whose quick key is known to fit."""
        self._dtypes = [d.numpy for d in recorded.dtypes]
        self.compilation = Compilation.from_module(recorded.module)

    @property
    def name(self) -> str:
        """The symbol of the function in its module."""
        return self._recorded.name

    @property
    def structured_input_signature(self) -> tuple[tuple[TensorSpec, ...], dict[str, TensorSpec]]:
        """The types of the run-time arguments."""
        return tuple(leaf.spec() for leaf in self._recorded.leaves), {}

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Call with arguments of the types that it was traced for; ``TypeError`` for others."""
        key = None if kwargs else self._owner.signature.quick_key(args)
        if key is not None and key in self._accepted:
            return self.quick(args)
        values = self._owner.values_for(self, args, kwargs)
        if key is not None and len(values) == len(args):
            self._accepted.add(key)
        return self.call_flat(values)

    def accepts(self, leaves: Sequence[Any]) -> bool:
        """True where values of these types may be passed."""
        mine = self._recorded.leaves
        return len(leaves) == len(mine) and all(
            m.spec().is_compatible_with(other) for m, other in zip(mine, leaves, strict=True)
        )

    def call_flat(self, values: Sequence[Any]) -> Any:
        """Call with the run-time values alone."""
        recorded = self._recorded
        arrays = [as_array(v, leaf) for v, leaf in zip(values, recorded.leaves, strict=True)]
        arrays += [_captured(owner) for owner in recorded.captures]
        outputs = (self._executable or self._compile())(arrays)
        if recorded.can_fail:
            code, first, second = (int(v) for v in outputs[-3:])
            if code:
                raise failures.exception(recorded.sites, code, first, second)
        for position, result in recorded.mutated:
            values[position][...] = outputs[result]
        return self._structured(values, outputs)

    def _structured(self, values: Sequence[Any], outputs: Sequence[Any]) -> Any:
        wrap = self._owner.convention.returns_tensors
        leaves = []
        for result in self._recorded.results:
            if result.index is not None:
                value = outputs[result.index]
                leaves.append(EagerTensor(np.asarray(value)) if wrap else value)
            else:
                leaves.append(result.value if result.argument is None else values[result.argument])
        return structure.unflatten(self._recorded.structure, iter(leaves))

    def _shorten(self) -> None:
        """Where nothing but one result comes back, skip what other functions need."""
        recorded, run = self._recorded, self._executable
        alone = recorded.structure is None and recorded.results[0].index == 0
        if not alone or recorded.captures or recorded.can_fail or recorded.mutated or run is None:
            return
        if not self._owner.convention.returns_tensors:
            self.quick = lambda values: run([_raw(v) for v in values])[0]
            return
        self.quick = lambda values: EagerTensor(np.asarray(run([_raw(v) for v in values])[0]))

    def _compile(self) -> Callable[[Sequence[Any]], list[Any]]:
        with self._lock:
            if self._executable is None:
                dtypes = [
                    *self._dtypes,
                    *([np.dtype(np.int64)] * 3 if self._recorded.can_fail else []),
                ]
                dump(self.compilation, self.name, self._owner.source())
                if self._owner.jit_compile is False:
                    interpreter = Interpreter(self._recorded.module)
                    self._executable = lambda values: [
                        v.view(d)
                        for v, d in zip(interpreter.call(self.name, *values), dtypes, strict=True)
                    ]
                else:
                    self._executable = Executable(self.compilation, self.name, dtypes).call
                self._shorten()
            return self._executable


def _raw(value: Any) -> Any:
    return value.array if type(value) is EagerTensor else value


def _captured(owner: Any) -> Any:
    return owner.numpy() if isinstance(owner, Tensor) else owner


class _Traced:
    """The part of a decorated function that its traces share; it holds no trace itself."""

    def __init__(
        self,
        python_function: Callable[..., Any],
        convention: Convention,
        signature: Signature,
        jit_compile: bool | None,
        convert: bool,
        implements: str | None,
    ) -> None:
        self.python_function = python_function
        self.convention = convention
        self.signature = signature
        self.jit_compile = jit_compile
        self.convert = convert
        self.attributes = {} if implements is None else {"implements": implements}

    def source(self) -> str:
        """The converted source: the ``autograph`` stage."""
        return autograph.to_code(self.python_function)

    def values_for(
        self, concrete: ConcreteFunction, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> list[Any]:
        """The run-time values in a call of a concrete function, checked against its types."""
        leaves = list(args) + list(kwargs.values())
        values, types = self._leaves(leaves)
        if not concrete.accepts(types) and len(args) + len(kwargs) == len(
            self.signature.python.parameters
        ):
            values, types = self._leaves(list(self.signature.bind(args, kwargs).values()))
        if not concrete.accepts(types):
            expected = ", ".join(map(repr, concrete.structured_input_signature[0]))
            given = ", ".join(repr(TensorSpec(t.shape, t.dtype)) for t in types)
            raise TypeError(f"{concrete.name} takes ({expected}), got ({given})")
        return values

    def _leaves(self, arguments: list[Any]) -> tuple[list[Any], list[Any]]:
        flat = [leaf for a in arguments for leaf in structure.flatten(a)[0]]
        values = [v for v in flat if v is not None and not isinstance(v, (str, bytes))]
        return values, [dispatch.type_of(v) for v in values]

    def trace(self, arguments: dict[str, Any], leaves: Sequence[Any]) -> ConcreteFunction:
        """Trace for these arguments."""
        recorded = record(
            self.python_function,
            self.signature.template(arguments),
            leaves,
            self.signature.apply,
            self.convention,
            _symbol(self.python_function),
            self.attributes,
            self.convert,
        )
        return ConcreteFunction(recorded, self)


def _symbol(python_function: Callable[..., Any]) -> str:
    name = getattr(python_function, "__name__", type(python_function).__name__)
    return "lambda_" if name == "<lambda>" else name


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
        self._traced = _Traced(
            python_function, convention, self._signature, jit_compile, convert, implements
        )
        self._concrete: dict[Any, ConcreteFunction] = {}
        self._quick: dict[Any, ConcreteFunction] = {}
        self._lock = threading.RLock()
        functools.update_wrapper(self, python_function)

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
        converted = autograph.convert(target) if self._traced.convert else target
        return converted(*args, **kwargs)

    def _lookup(self, args: Any, kwargs: Any) -> tuple[ConcreteFunction, list[Any]]:
        arguments = self._signature.bind(args, kwargs)
        key, values, leaves = self._signature.split(arguments)
        concrete = self._concrete.get(key)
        if concrete is None:
            with self._lock:
                concrete = self._concrete.get(key)
                if concrete is None:
                    concrete = self._concrete[key] = self._traced.trace(arguments, leaves)
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
        return self if instance is None else _BoundFunction(self, instance)

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
