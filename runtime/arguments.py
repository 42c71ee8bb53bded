"""From the arguments of a call to its trace type: the key of a trace, and the run-time values."""

from __future__ import annotations

import inspect
import types
import typing
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from agir.ir import dispatch, structure
from agir.ir.convention import Convention
from agir.ir.tensor import Tensor
from agir.ir.types import DType, TensorSpec, as_dtype, is_python_number, python_dtype
from agir.runtime import pattern
from agir.runtime.blame import at_caller
from agir.runtime.pattern import PLACEHOLDER, Made
from agir.runtime.pattern import Placeholder as Placeholder
from agir.runtime.tensor import EagerTensor, convert_to_tensor
from agir.runtime.trace_types import (
    PROTOCOL,
    CallType,
    Leaf,
    TraceType,
    TracingContext,
    static_key,
)

_NUMBERS = frozenset((bool, int, float, complex))
_QUICK_CONSTANTS = frozenset((bool, int, float, str, type(None)))


class Signature:
    """How a function's parameters become keys: its Python signature and the convention."""

    def __init__(
        self,
        function: Callable[..., Any],
        convention: Convention,
        static: Sequence[str] = (),
        input_signature: Any = None,
        follow_type_hints: bool = False,
    ) -> None:
        self.name = getattr(function, "__name__", type(function).__name__)
        self.python = inspect.signature(function)
        self.convention = convention
        self.static = frozenset((static,) if isinstance(static, str) else static)
        unknown = self.static - set(self.python.parameters)
        if unknown:
            raise ValueError(
                at_caller(f"static names no parameter of {self.name}: {sorted(unknown)}")
            )
        self.input_signature = checked_signature(input_signature, self)
        self.hinted = hinted(function, self.python) if follow_type_hints else frozenset()
        kinds = {p.kind for p in self.python.parameters.values()}
        self._simple = kinds <= {inspect.Parameter.POSITIONAL_OR_KEYWORD}
        self._plain = self._simple and not self.static and not self.hinted
        self._arity = len(self.python.parameters)
        self._names = tuple(self.python.parameters)
        self.has_required = any(
            p.default is p.empty and p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)
            for p in self.python.parameters.values()
        )
        """Whether a call needs arguments."""
        self._numbers_run = not convention.numbers_are_constants and input_signature is None
        self._constants = _QUICK_CONSTANTS if input_signature is None else frozenset()

    def quick_key(self, args: tuple[Any, ...]) -> tuple[Any, ...] | None:
        """A cheap key of positional arrays, numbers and text; None for any other call.

        Calls with equal quick keys have equal keys; the converse does not matter.
        """
        if not self._plain or len(args) != self._arity:
            return None
        parts: list[Any] = []
        for value in args:
            kind = type(value)
            if kind is np.ndarray:
                parts += (value.dtype, value.shape)
            elif kind is EagerTensor:
                parts += (kind, value.array.dtype, value.array.shape)
            elif self._numbers_run and kind in _NUMBERS:
                parts.append(kind)
            elif kind in self._constants and (kind is not float or (value and value == value)):
                parts += (kind, value)
            else:
                return None
        return tuple(parts)

    def run_time_positions(self, args: tuple[Any, ...]) -> list[int] | None:
        """Which arguments with a quick key are run-time values; None if all are."""
        positions = [
            number
            for number, value in enumerate(args)
            if isinstance(value, (np.ndarray, Tensor))
            or (self._numbers_run and type(value) in _NUMBERS)
        ]
        return None if len(positions) == len(args) else positions

    def bind(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> dict[str, Any]:
        """The arguments by parameter, defaults filled in; ``TypeError`` as Python raises it.

        Those that the input signature covers are checked against it.
        """
        return self.prepared(self.bind_python(args, kwargs))

    def bind_python(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> dict[str, Any]:
        """The arguments by parameter, defaults filled in, and nothing more."""
        if self._simple and not kwargs and len(args) == self._arity:
            return dict(zip(self._names, args, strict=True))
        try:
            bound = self.python.bind(*args, **kwargs)
        except TypeError as error:
            raise TypeError(at_caller(f"{self.name}(): {error}")) from None
        bound.apply_defaults()
        return bound.arguments

    def prepared(self, arguments: dict[str, Any]) -> dict[str, Any]:
        """Bound arguments as the type hints and the input signature want them."""
        if self.hinted:
            arguments = {
                name: self._as_hinted(name, value) if name in self.hinted else value
                for name, value in arguments.items()
            }
        if self.input_signature is None:
            return arguments
        try:
            return self._conformed(arguments, self.input_signature)
        except TypeError as error:
            raise TypeError(at_caller(f"{self.name}(): {error}")) from None

    def _as_hinted(self, name: str, value: Any) -> Any:
        kind = self.python.parameters[name].kind
        if kind is inspect.Parameter.VAR_POSITIONAL:
            return tuple(_tensor(each, name) for each in value)
        if kind is inspect.Parameter.VAR_KEYWORD:
            return {key: _tensor(each, name) for key, each in value.items()}
        return _tensor(value, name)

    def _conformed(self, arguments: dict[str, Any], specs: tuple[Any, ...]) -> dict[str, Any]:
        result = dict(arguments)
        rest = list(specs)
        for name in self.covered():
            if self.python.parameters[name].kind is inspect.Parameter.VAR_POSITIONAL:
                values = arguments.get(name, ())
                if len(values) != len(rest):
                    raise TypeError(f"*{name} takes {len(rest)} arguments, got {len(values)}")
                pairs = zip(values, rest, strict=True)
                result[name] = tuple(
                    conform(v, s, f"{name}[{i}]") for i, (v, s) in enumerate(pairs)
                )
                return result
            if not rest:
                break
            result[name] = conform(arguments[name], rest.pop(0), name)
        return result

    def covered(self) -> Iterator[str]:
        """The parameters that an input signature is about, in its order."""
        for number, (name, parameter) in enumerate(self.python.parameters.items()):
            is_receiver = number == 0 and name == "self"
            if not is_receiver and parameter.kind is not inspect.Parameter.VAR_KEYWORD:
                yield name

    def split(self, arguments: dict[str, Any]) -> tuple[CallType, list[Any]]:
        """(the type of the call, its run-time values) of bound arguments."""
        splitter = _Splitter(self)
        try:
            keys = tuple(
                splitter.key(value, name, static=name in self.static)
                for name, value in arguments.items()
            )
        except RecursionError:
            raise TypeError(
                at_caller(f"{self.name}(): an argument contains itself, or nests too deeply")
            ) from None
        return CallType(keys, tuple(splitter.parts), tuple(splitter.leaves)), splitter.values

    def pattern(self, arguments: dict[str, Any], call_type: CallType) -> dict[str, Any]:
        """The bound arguments with placeholders wherever a run-time value goes."""
        parts = iter(call_type.parts)
        return {
            name: pattern.constant(value, next(parts))
            if name in self.static
            else self._pattern(value, name, parts)
            for name, value in arguments.items()
        }

    def _pattern(self, value: Any, name: str, parts: Iterator[Any]) -> Any:
        if isinstance(value, TraceType) or hasattr(type(value), PROTOCOL):
            return Made(next(parts), name)
        if self.leaf(value, name) is not None:
            return PLACEHOLDER
        found = structure.children(value)
        if found is None:
            return pattern.constant(value, next(parts))
        return structure.rebuild(found[0], [self._pattern(item, name, parts) for item in found[1]])

    def apply(self, function: Callable[..., Any], arguments: dict[str, Any]) -> Any:
        """Call the function with bound arguments: positional, ``*args`` and ``**kwargs`` apart."""
        bound = inspect.BoundArguments(self.python, arguments)
        return function(*bound.args, **bound.kwargs)

    def leaf(self, value: Any, name: str) -> Leaf | None:
        """The type of a run-time value; None for any other."""
        if isinstance(value, Conformed):
            return Leaf(value.spec.dtype, value.spec.shape, name=value.spec.name or name)
        if isinstance(value, (np.ndarray, np.generic)):
            return Leaf(_dtype_of(value, name), value.shape, name=name)
        if isinstance(value, Tensor):
            return Leaf(value.dtype, value.shape, name=name)
        if isinstance(value, TensorSpec):
            return Leaf(value.dtype, value.shape, name=value.name or name)
        if is_python_number(value) and not self.convention.numbers_are_constants:
            return Leaf(python_dtype(value), (), weak=True, name=name)
        return None


class _Splitter:
    """Takes arguments apart into the parts of a :class:`CallType` and the run-time values."""

    def __init__(self, signature: Signature) -> None:
        self.signature = signature
        self.values: list[Any] = []
        self.leaves: list[Leaf] = []
        self.parts: list[Any] = []

    def key(self, value: Any, name: str, static: bool) -> Any:
        """What stands for the value in the structure of the call."""
        if static:
            return self._part(value, name)
        if isinstance(value, TraceType) or hasattr(type(value), PROTOCOL):
            return self._users(value, name)
        leaf = self.signature.leaf(value, name)
        if leaf is not None:
            self.values.append(value.value if isinstance(value, Conformed) else value)
            self.leaves.append(leaf)
            return "*"
        found = structure.children(value)
        if found is None:
            return self._part(value, name)
        return (found[0], tuple(self.key(item, name, static) for item in found[1]))

    def _part(self, value: Any, name: str) -> str:
        try:
            self.parts.append(static_key(value))
        except TypeError:
            raise TypeError(
                at_caller(
                    f"argument {name!r}: a {type(value).__name__} can be neither hashed nor referred "
                    "to weakly, so no trace can be found by it"
                )
            ) from None
        return "."

    def _users(self, value: Any, name: str) -> str:
        if isinstance(value, TraceType):
            kind, tensors = value, None
        else:
            kind = getattr(value, PROTOCOL)(TracingContext(name))
            if not isinstance(kind, TraceType):
                raise TypeError(
                    at_caller(
                        f"argument {name!r}: {type(value).__name__}.{PROTOCOL} must give an "
                        f"ag.types.TraceType, not {kind!r}"
                    )
                )
            tensors = list(kind.to_tensors(value))
        specs = list(kind.flatten())
        if tensors is not None and len(tensors) != len(specs):
            raise TypeError(
                at_caller(
                    f"argument {name!r}: {type(kind).__name__} says that it has {len(specs)} "
                    f"tensors, and to_tensors gives {len(tensors)}"
                )
            )
        self.parts.append(kind)
        for number, spec in enumerate(specs):
            given = conform(spec if tensors is None else tensors[number], spec, name)
            self.values.append(given.value)
            self.leaves.append(Leaf(spec.dtype, spec.shape, name=spec.name or name))
        return "."


def _dtype_of(value: Any, name: str) -> DType:
    try:
        return as_dtype(value.dtype)
    except TypeError as error:
        raise TypeError(at_caller(f"argument {name!r}: {error}")) from None


def _tensor(value: Any, name: str) -> Any:
    """A Python value that is annotated as a tensor, as one."""
    if value is None or isinstance(value, (Tensor, TensorSpec, np.ndarray, np.generic)):
        return value
    try:
        return convert_to_tensor(value)
    except (TypeError, ValueError) as error:
        raise TypeError(
            at_caller(
                f"argument {name!r} is annotated as a tensor, which {value!r} is not: {error}"
            )
        ) from None


class Conformed:
    """A value that an input signature covers: it is traced by the spec, not by its own type."""

    __slots__ = ("spec", "value")

    def __init__(self, value: Any, spec: TensorSpec) -> None:
        self.value = value
        self.spec = spec


def conform(value: Any, spec: Any, name: str) -> Any:
    """The value as the spec (or structure of specs) has it; ``TypeError`` where it does not fit."""
    if isinstance(spec, TraceType):
        return value
    if not isinstance(spec, TensorSpec):
        below, above = structure.children(value), structure.children(spec)
        if below is None or above is None or below[0] != above[0]:
            raise TypeError(
                f"argument {name!r} does not have the structure of the input signature, {spec!r}"
            )
        items = [conform(v, s, name) for v, s in zip(below[1], above[1], strict=True)]
        return structure.rebuild(below[0], items)
    if is_python_number(value) or isinstance(value, (list, tuple)):
        value = _array(value, spec, name)
    if _is_weak(value) and _KINDS[value.dtype.kind] <= _KINDS[spec.dtype.kind]:
        value = dispatch.call("cast", value, spec.dtype)
    if not hasattr(value, "shape") or not hasattr(value, "dtype"):
        raise TypeError(f"argument {name!r} must be a tensor of {spec}, got {value!r}")
    if not (_dtype_of(value, name) == spec.dtype and _shape_fits(value, spec)):
        got = TensorSpec(value.shape, value.dtype)
        raise TypeError(f"argument {name!r} must be compatible with {spec}, got {got}")
    return Conformed(value, spec)


def _shape_fits(value: Any, spec: TensorSpec) -> bool:
    """Whether the shape may be passed for the spec; one that is symbolic is checked when it runs."""
    if spec.shape is None:
        return True
    if value.shape is None:
        return False
    open_ended = isinstance(value, Tensor) and value.is_symbolic
    return len(value.shape) == len(spec.shape) and all(
        wide is None or mine == wide or (open_ended and mine is None)
        for mine, wide in zip(value.shape, spec.shape, strict=True)
    )


def _is_weak(value: Any) -> bool:
    """Whether it is a number of the run time that has no dtype of its own yet."""
    return isinstance(value, Tensor) and value.is_symbolic and value.type.weak


_KINDS = {kind: number for number, kinds in enumerate(("b", "iu", "f", "c")) for kind in kinds}


def _array(value: Any, spec: TensorSpec, name: str) -> Any:
    """A Python number, or nested lists of such, as an array of the spec's dtype."""
    leaves, _ = structure.flatten(value)
    if any(isinstance(leaf, Tensor) and leaf.is_symbolic for leaf in leaves):
        return convert_to_tensor(value)
    natural = np.asarray(value)
    if natural.size and _KINDS.get(natural.dtype.kind, 9) > _KINDS[spec.dtype.kind]:
        raise TypeError(f"argument {name!r} must be compatible with {spec}, got {value!r}")
    try:
        return np.asarray(value, spec.dtype.numpy)
    except (OverflowError, ValueError) as error:
        raise TypeError(f"argument {name!r} must be compatible with {spec}: {error}") from None


def checked_signature(specs: Any, signature: Signature) -> tuple[Any, ...] | None:
    """An input signature as a tuple; ``TypeError`` for one that does not fit the parameters."""
    if specs is None:
        return None
    if not isinstance(specs, (list, tuple)):
        raise TypeError(
            at_caller(f"input_signature takes a list or tuple of TensorSpecs, not {specs!r}")
        )
    for leaf in structure.flatten(list(specs))[0]:
        if not isinstance(leaf, (TensorSpec, TraceType)):
            raise TypeError(
                at_caller(
                    f"input_signature takes TensorSpecs, and structures of them, not {leaf!r}"
                )
            )
    _check_coverage(tuple(specs), signature)
    return tuple(specs)


def _check_coverage(specs: tuple[Any, ...], signature: Signature) -> None:
    """Refuse a signature with too many specs, or with none for a parameter that has no default."""
    parameters = [signature.python.parameters[name] for name in signature.covered()]
    if any(p.kind is inspect.Parameter.VAR_POSITIONAL for p in parameters):
        return
    if len(specs) > len(parameters):
        raise TypeError(
            at_caller(
                f"input_signature has {len(specs)} specs, and {signature.name} takes "
                f"{len(parameters)} arguments"
            )
        )
    for parameter in parameters[len(specs) :]:
        if parameter.default is inspect.Parameter.empty:
            raise TypeError(
                at_caller(
                    f"input_signature has no spec for {parameter.name!r} of {signature.name}, "
                    "which has no default"
                )
            )


def hinted(function: Callable[..., Any], signature: inspect.Signature) -> frozenset[str]:
    """The parameters that are annotated as tensors, or as tensors or None."""
    try:
        hints = typing.get_type_hints(inspect.unwrap(function))
    except (NameError, TypeError, AttributeError):  # annotations that only a checker understands
        hints = {name: p.annotation for name, p in signature.parameters.items()}
    return frozenset(name for name in signature.parameters if _is_tensor(hints.get(name)))


def _is_tensor(hint: Any) -> bool:
    if isinstance(hint, str):
        return hint.rpartition(".")[2] == "Tensor"
    is_union = typing.get_origin(hint) in (typing.Union, types.UnionType)
    alternatives = typing.get_args(hint) if is_union else (hint,)
    kinds = [kind for kind in alternatives if kind is not type(None)]
    return bool(kinds) and all(isinstance(k, type) and issubclass(k, Tensor) for k in kinds)
