"""From the arguments of a call to its trace type: the key of a trace, and the run-time values.

A run-time value (array, tensor; a number under NumPy's conventions) is keyed by its type, a Python
value by itself, any other object by its identity.
"""

from __future__ import annotations

import inspect
import weakref
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from agir.ir import structure
from agir.ir.convention import Convention
from agir.ir.tensor import Tensor
from agir.ir.types import DType, Shape, TensorSpec, as_dtype, is_python_number, python_dtype
from agir.ir.variables import Variable
from agir.runtime.array_arguments import Column, packed
from agir.runtime.tensor import EagerTensor


@dataclass(frozen=True)
class Leaf:
    """One run-time value of a signature: its type, and whether it is a weak number."""

    dtype: DType
    shape: Shape
    weak: bool = False
    name: str | None = None

    def spec(self) -> TensorSpec:
        """The leaf as a public :class:`TensorSpec`."""
        return TensorSpec(self.shape, self.dtype, self.name)


class Constant:
    """A Python value that is part of the key: equal only to one of the same type and value."""

    __slots__ = ("_hash", "value")

    def __init__(self, value: Any) -> None:
        self.value = value
        self._hash = hash((type(value), value))

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Constant)
            and type(self.value) is type(other.value)
            and (self.value is other.value or self._equal(other))
        )

    def _equal(self, other: Constant) -> bool:
        if isinstance(self.value, (float, complex)):  # -0.0 is not 0.0 here, and NaN is itself
            return repr(self.value) == repr(other.value)
        return bool(self.value == other.value)

    def __repr__(self) -> str:
        return repr(self.value)


class Identity:
    """An object that is part of the key by its identity; it is held weakly where that is possible."""

    __slots__ = ("_hash", "_reference")

    def __init__(self, value: Any) -> None:
        self._hash = hash((type(value), id(value)))
        try:
            self._reference: Callable[[], Any] = weakref.ref(value)
        except TypeError:
            self._reference = lambda: value

    @property
    def value(self) -> Any:
        """The object; None once it is gone."""
        return self._reference()

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Identity) and self.value is other.value is not None

    def __repr__(self) -> str:
        return f"<{type(self.value).__name__} object>"


_BY_VALUE = (str, bytes, bool, int, float, complex, type(None), type, slice, range, type(Ellipsis))


def static_key(value: Any) -> Any:
    """The part of a key that stands for a value that is not a run-time one."""
    if isinstance(value, (*_BY_VALUE, DType)):
        try:
            return Constant(value)
        except TypeError:  # a slice is not hashable before Python 3.12
            return Constant(repr(value))
    return Identity(value)


_NUMBERS = frozenset((bool, int, float, complex))


class Placeholder:
    """Stands in bound arguments where a run-time value goes."""


PLACEHOLDER = Placeholder()


class Signature:
    """How a function's parameters become keys: its Python signature and the convention."""

    def __init__(
        self,
        function: Callable[..., Any],
        convention: Convention,
        static: Sequence[str] = (),
        input_signature: Any = None,
    ) -> None:
        self.name = getattr(function, "__name__", type(function).__name__)
        self.python = inspect.signature(function)
        self.convention = convention
        self.static = frozenset((static,) if isinstance(static, str) else static)
        unknown = self.static - set(self.python.parameters)
        if unknown:
            raise ValueError(f"static names no parameter of {function.__name__}: {sorted(unknown)}")
        self.input_signature = None if input_signature is None else tuple(input_signature)
        kinds = {p.kind for p in self.python.parameters.values()}
        self._simple = kinds <= {inspect.Parameter.POSITIONAL_OR_KEYWORD}
        self._plain = self._simple and not self.static and input_signature is None
        self._arity = len(self.python.parameters)
        self._names = tuple(self.python.parameters)

    def quick_key(self, args: tuple[Any, ...]) -> tuple[Any, ...] | None:
        """A cheap key of positional arrays and run-time numbers; None for any other call.

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
            elif kind in _NUMBERS and not self.convention.numbers_are_constants:
                parts.append(kind)
            else:
                return None
        return tuple(parts)

    def bind(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> dict[str, Any]:
        """The arguments by parameter, defaults filled in; ``TypeError`` as Python raises it."""
        if self._simple and not kwargs and len(args) == self._arity:
            return dict(zip(self._names, args, strict=True))
        try:
            bound = self.python.bind(*args, **kwargs)
        except TypeError as error:
            raise TypeError(f"{self.name}(): {error}") from None
        bound.apply_defaults()
        return bound.arguments

    def split(self, arguments: dict[str, Any]) -> tuple[Any, list[Any], list[Leaf]]:
        """(key, run-time values, their types) of bound arguments."""
        arguments = self._by_signature(arguments)
        values: list[Any] = []
        leaves: list[Leaf] = []
        keys = tuple(
            self._key(value, name, values, leaves, static=name in self.static)
            for name, value in arguments.items()
        )
        return (keys, tuple(leaves)), values, leaves

    def template(self, arguments: dict[str, Any]) -> dict[str, Any]:
        """The bound arguments with :data:`PLACEHOLDER` wherever a run-time value goes."""
        return {
            name: value if name in self.static else self._template(value, name)
            for name, value in self._by_signature(arguments).items()
        }

    def _template(self, value: Any, name: str) -> Any:
        if self._leaf(value, name) is not None:
            return PLACEHOLDER
        found = structure.children(value)
        if found is None:
            return value
        return structure.rebuild(found[0], [self._template(item, name) for item in found[1]])

    def apply(self, function: Callable[..., Any], arguments: dict[str, Any]) -> Any:
        """Call the function with bound arguments: positional, ``*args`` and ``**kwargs`` apart."""
        bound = inspect.BoundArguments(self.python, arguments)
        return function(*bound.args, **bound.kwargs)

    def _by_signature(self, arguments: dict[str, Any]) -> dict[str, Any]:
        arguments = {name: packed(value) for name, value in arguments.items()}
        if self.input_signature is None:
            return arguments
        names = [n for n in arguments if n != "self"]
        specs = dict(zip(names, self.input_signature, strict=False))
        return {
            name: conform(value, specs[name], name) if name in specs else value
            for name, value in arguments.items()
        }

    def _key(
        self, value: Any, name: str, values: list[Any], leaves: list[Leaf], static: bool
    ) -> Any:
        if static:
            return static_key(value)
        leaf = self._leaf(value, name)
        if leaf is not None:
            values.append(value.value if isinstance(value, Conformed) else value)
            leaves.append(leaf)
            return "*"
        found = structure.children(value)
        if found is None:
            return static_key(value)
        items = tuple(self._key(item, name, values, leaves, static) for item in found[1])
        return (found[0], items)

    def _leaf(self, value: Any, name: str) -> Leaf | None:
        if isinstance(value, Conformed):
            return Leaf(value.spec.dtype, value.shape, name=value.spec.name or name)
        if isinstance(value, Column):
            return Leaf(_dtype_of(value, name), value.traced_shape, name=name)
        if isinstance(value, Variable):
            return None  # it is itself, like other objects
        if isinstance(value, (np.ndarray, np.generic)):
            return Leaf(_dtype_of(value, name), value.shape, name=name)
        if isinstance(value, Tensor):
            return Leaf(value.dtype, value.shape, name=name)
        if isinstance(value, TensorSpec):
            if value.shape is None:
                raise ValueError(f"argument {name!r}: a TensorSpec needs a rank")
            return Leaf(value.dtype, value.shape, name=value.name or name)
        if is_python_number(value) and not self.convention.numbers_are_constants:
            return Leaf(python_dtype(value), (), weak=True, name=name)
        return None


def _dtype_of(value: Any, name: str) -> DType:
    try:
        return as_dtype(value.dtype)
    except TypeError as error:
        raise TypeError(f"argument {name!r}: {error}") from None


@dataclass(frozen=True)
class Conformed:
    """A value that an input signature covers: it is traced by the spec, not by its own type."""

    value: Any
    spec: TensorSpec

    @property
    def shape(self) -> Shape:
        """The spec's shape; the value's own where the spec leaves the rank open."""
        return self.value.shape if self.spec.shape is None else self.spec.shape


def conform(value: Any, spec: Any, name: str) -> Any:
    """The value as the spec (or structure of specs) has it; ``TypeError`` where it does not fit."""
    if not isinstance(spec, TensorSpec):
        below, above = structure.children(value), structure.children(spec)
        if below is None or above is None or below[0] != above[0]:
            raise TypeError(f"argument {name!r} does not have the structure of the input signature")
        items = [conform(v, s, name) for v, s in zip(below[1], above[1], strict=True)]
        return structure.rebuild(below[0], items)
    if isinstance(value, TensorSpec):
        return Conformed(value, spec)
    if is_python_number(value) or isinstance(value, (list, tuple)):
        value = np.asarray(value, spec.dtype.numpy)
    if not hasattr(value, "shape") or not hasattr(value, "dtype"):
        raise TypeError(f"argument {name!r} must be a tensor of {spec}, got {value!r}")
    if not spec.is_compatible_with(value):
        got = TensorSpec(value.shape, value.dtype)
        raise TypeError(f"argument {name!r} must be compatible with {spec}, got {got}")
    return Conformed(value, spec)
