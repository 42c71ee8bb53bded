"""Trace types: what of an argument a trace depends on.

An array or tensor is a :class:`Leaf` (its dtype and shape), a Python value a :class:`Constant`, any
other object an :class:`Identity`, and a value whose class has ``__ag_tracing_type__`` the
:class:`TraceType` that this method gives.
"""

from __future__ import annotations

import weakref
from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, replace
from types import MethodType
from typing import Any, Protocol, runtime_checkable

from agir.ir.building.types import DType, Shape, TensorSpec

PROTOCOL = "__ag_tracing_type__"


class TracingContext:
    """What ``__ag_tracing_type__`` and ``placeholder_value`` are given.

    ``name`` is the parameter that the value is an argument for, or a part of one.

    >>> ag.types.TracingContext("x").name
    'x'
    """

    def __init__(self, name: str) -> None:
        self.name = name

    def __repr__(self) -> str:
        return f"TracingContext({self.name!r})"


class TraceType(ABC):
    """The type of a user's value as an argument: which traces it can share, and what they see.

    Two values whose types are equal share a trace.  So does a value with the trace of another type
    of which its own is a subtype.  Types are keys of dictionaries: they must be hashable, must not
    change, and should not hold the values that they are types of.

    >>> issubclass(ag.types.TraceType, object)
    True
    """

    @abstractmethod
    def is_subtype_of(self, other: TraceType) -> bool:
        """True where a trace for ``other`` is right for values of this type too."""

    @abstractmethod
    def most_specific_common_supertype(self, others: Sequence[TraceType]) -> TraceType | None:
        """The narrowest type that this one and the others are subtypes of; None if there is none.

        Asked for by functions with ``reduce_retracing=True``.
        """

    @abstractmethod
    def placeholder_value(self, placeholder_context: TracingContext) -> Any:
        """What the function is traced with in the place of a value of this type."""

    @abstractmethod
    def __hash__(self) -> int: ...

    @abstractmethod
    def __eq__(self, other: object) -> bool: ...

    def flatten(self) -> Sequence[TensorSpec]:
        """The types of the tensors that values of this type consist of; none unless overridden."""
        return ()

    def to_tensors(self, value: Any) -> Sequence[Any]:
        """The tensors of a value, one for each type in :meth:`flatten`."""
        return ()

    def from_tensors(self, tensors: Iterator[Any]) -> Any:
        """The value that the traced function gets, made of tensors in the order of :meth:`flatten`.

        Called in the place of :meth:`placeholder_value` where :meth:`flatten` gives any.
        """
        raise NotImplementedError(f"{type(self).__name__} has tensors, but no from_tensors")


@runtime_checkable
class SupportsTracing(Protocol):
    """A value that says its own :class:`TraceType`.

    >>> isinstance(ag.constant(1), ag.types.SupportsTracing)
    False
    """

    def __ag_tracing_type__(self, context: TracingContext) -> TraceType:
        """The type of this value as an argument."""
        ...


@dataclass(frozen=True)
class Leaf:
    """One run-time value of a signature: its type, and whether it is a weak number.

    ``shape`` is None where not even the rank is known.  ``steps`` are the distances of the elements
    along each axis, where the function depends on how the array lies and that is not row by row.
    ``read_only`` tells that nothing may be written into it, where the function would.
    """

    dtype: DType
    shape: Shape | None
    weak: bool = False
    name: str | None = None
    steps: tuple[int, ...] | None = None
    read_only: bool = False

    def spec(self) -> TensorSpec:
        """The leaf as a public :class:`TensorSpec`."""
        return TensorSpec(self.shape, self.dtype, self.name)

    def _beside_sizes(self) -> tuple[Any, ...]:
        return self.dtype, self.weak, self.steps, self.read_only

    def fits(self, other: Leaf) -> bool:
        """True where a value of this type may be passed for the other."""
        if self._beside_sizes() != other._beside_sizes():
            return False
        if other.shape is None or self.shape == other.shape:
            return True
        return (
            self.shape is not None
            and len(self.shape) == len(other.shape)
            and all(
                wide is None or mine == wide
                for mine, wide in zip(self.shape, other.shape, strict=True)
            )
        )

    def joined(self, other: Leaf) -> Leaf | None:
        """The narrowest type for both, which differ in sizes only; None where there is none."""
        if self._beside_sizes() != other._beside_sizes():
            return None
        if self.shape is None or other.shape is None or len(self.shape) != len(other.shape):
            return None
        if self.steps is not None and self.shape != other.shape:
            return None  # what the steps are of depends on the sizes
        pairs = zip(self.shape, other.shape, strict=True)
        return replace(self, shape=tuple(a if a == b else None for a, b in pairs))

    def __str__(self) -> str:
        shape = "of any rank" if self.shape is None else str(list(self.shape)).replace("None", "?")
        return f"{self.dtype}{shape}" if self.shape is not None else f"{self.dtype} {shape}"


class Constant:
    """A Python value that is part of the key: equal only to one of the same type and value."""

    __slots__ = ("_hash", "value")

    def __init__(self, value: Any) -> None:
        self.value = value
        by_text = isinstance(value, (float, complex))  # every NaN has a hash of its own
        self._hash = hash((type(value), repr(value) if by_text else value))

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
    """An object that is part of the key by its identity; it is held weakly."""

    __slots__ = ("_hash", "_reference", "kind")

    def __init__(self, value: Any) -> None:
        self._hash = hash((type(value), id(value)))
        self._reference = weakref.ref(value)
        self.kind = type(value).__name__

    @property
    def value(self) -> Any:
        """The object; None once it is gone."""
        return self._reference()

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Identity) and self.value is other.value is not None

    def __repr__(self) -> str:
        return f"<{self.kind} object>"


class Method:
    """A bound method as an argument: made anew by each access, so keyed by its two parts."""

    __slots__ = ("function", "receiver")

    def __init__(self, value: MethodType) -> None:
        self.function = static_key(value.__func__)
        self.receiver = static_key(value.__self__)

    def __hash__(self) -> int:
        return hash((self.function, self.receiver))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Method) and (self.function, self.receiver) == (
            other.function,
            other.receiver,
        )

    def __repr__(self) -> str:
        return f"<method of {self.receiver!r}>"


BY_VALUE = (str, bytes, bool, int, float, complex, type(None), slice, range, type(Ellipsis), DType)


def static_key(value: Any) -> Hashable:
    """The part of a key that stands for a value that is not a run-time one.

    An object is held weakly; one that does not allow that (a NumPy dtype, an object with
    ``__slots__``) is taken by its value, and is held.
    """
    if isinstance(value, BY_VALUE):
        try:
            return Constant(value)
        except TypeError:  # a slice is not hashable before Python 3.12
            return Constant(repr(value))
    if type(value) is MethodType:
        return Method(value)
    if type(value) in (set, frozenset):
        return (type(value), frozenset(map(static_key, value)))
    try:
        return Identity(value)
    except TypeError:
        return Constant(value)


def referents(part: Any) -> Iterator[Any]:
    """The objects that a part of a key holds weakly."""
    if isinstance(part, Method):
        yield from referents(part.function)
        yield from referents(part.receiver)
    elif isinstance(part, Identity):
        yield part.value


class CallType:
    """The type of a call: the structure of its arguments, their Python values, their tensors' types.

    It is the key of a trace.  ``structure`` has ``"*"`` for each of ``leaves`` and ``"."`` for each
    of ``parts``, in order; a user's :class:`TraceType` is a part whose tensors are leaves as well.
    ``same`` has the places of each container that is found at several
    (`agir.runtime.recording.callers`).
    """

    __slots__ = ("_hash", "leaves", "parts", "same", "structure")

    def __init__(
        self,
        structure: Any,
        parts: tuple[Any, ...],
        leaves: tuple[Leaf, ...],
        same: tuple[Any, ...] = (),
    ) -> None:
        self.structure = structure
        self.parts = parts
        self.leaves = leaves
        self.same = same
        self._hash = hash((structure, parts, leaves, same))

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        return (
            isinstance(other, CallType)
            and self._hash == other._hash
            and self.structure == other.structure
            and self.leaves == other.leaves
            and self.parts == other.parts
            and self.same == other.same
        )

    def fits(self, other: CallType) -> bool:
        """True where a call of this type may use the trace of the other."""
        return (
            self.structure == other.structure
            and self.same == other.same
            and len(self.leaves) == len(other.leaves)
            and all(map(_part_fits, self.parts, other.parts))
            and all(map(Leaf.fits, self.leaves, other.leaves))
        )

    def joined(self, other: CallType) -> CallType | None:
        """The narrowest type for calls of both; None where they differ in more than sizes."""
        if (self.structure, self.same) != (other.structure, other.same):
            return None
        if len(self.leaves) != len(other.leaves):
            return None
        parts = tuple(map(_joined_part, self.parts, other.parts))
        leaves = tuple(map(Leaf.joined, self.leaves, other.leaves))
        if any(part is _NO_PART for part in parts) or None in leaves:
            return None
        return CallType(self.structure, parts, leaves, self.same)  # type: ignore[arg-type]

    def differs_in_lengths(self, other: CallType) -> bool:
        """Whether the two are alike but for the lengths of lists of numbers, and keys that are such."""
        if self.structure != other.structure:
            return all(map(_alike_but_for_lengths, self.structure, other.structure))
        return self.parts != other.parts and all(map(_alike_but_for_items, self.parts, other.parts))

    @property
    def is_general(self) -> bool:
        """Whether the trace can serve calls of other types than this."""
        return any(isinstance(part, TraceType) for part in self.parts) or any(
            leaf.shape is None or None in leaf.shape for leaf in self.leaves
        )

    @property
    def is_unranked(self) -> bool:
        """Whether the rank of an argument is open."""
        return any(leaf.shape is None for leaf in self.leaves)


def _alike_but_for_lengths(one: Any, other: Any) -> bool:
    if one == other:
        return True
    if not (isinstance(one, tuple) and isinstance(other, tuple)):
        return False
    (key, items), (other_key, others) = one, other
    if key == other_key:
        return all(map(_alike_but_for_lengths, items, others))
    both = one, other
    return any(
        all(map(are_such, both)) for are_such in (_is_of_numbers, _is_of_rows, _is_by_number)
    )


def _alike_but_for_items(one: Any, other: Any) -> bool:
    """Whether two parts of types are the same, or sets of numbers."""
    return one == other or all(
        isinstance(each, tuple)
        and each[0] is set
        and all(type(getattr(item, "value", None)) in _KEYS for item in each[1])
        for each in (one, other)
    )


_KEYS = frozenset((bool, int, float))


def _is_by_number(key: Any) -> bool:
    """Whether a structure is that of a dict of run-time numbers by numbers, of which there are some."""
    if not isinstance(key, tuple) or not isinstance(key[0][1], tuple):
        return False
    (kind, names), values = key
    return issubclass(kind, dict) and set(values) == {"*"} and set(map(type, names)) <= _KEYS


def _is_of_numbers(key: Any) -> bool:
    """Whether a structure is that of a list of run-time numbers, of which there are some."""
    return isinstance(key, tuple) and key[0][0] is list and set(key[1]) == {"*"}


def _is_of_rows(key: Any) -> bool:
    """Whether it is that of a list of such lists."""
    return isinstance(key, tuple) and key[0][0] is list and all(map(_is_of_numbers, key[1]))


_NO_PART: Any = object()


def _part_fits(mine: Any, other: Any) -> bool:
    if isinstance(mine, TraceType) and isinstance(other, TraceType):
        return mine == other or mine.is_subtype_of(other)
    return bool(mine == other)


def _joined_part(mine: Any, other: Any) -> Any:
    if mine == other:
        return mine
    if isinstance(mine, TraceType) and isinstance(other, TraceType):
        common = mine.most_specific_common_supertype([other])
        return _NO_PART if common is None else common
    return _NO_PART
