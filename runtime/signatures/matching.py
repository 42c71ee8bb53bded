"""The arguments of a call of a concrete function, checked against the types of its trace."""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Sequence
from types import MethodType
from typing import Any

import numpy as np

from agir.ir.building.types import as_dtype, is_python_number, python_dtype
from agir.ir.tensors import structure
from agir.ir.tensors.tensor import Tensor
from agir.records import dataclass
from agir.runtime.signatures.conforming import conform
from agir.runtime.signatures.function_type import typed
from agir.runtime.signatures.given import Given, Values, shared
from agir.runtime.signatures.opened import Opened
from agir.runtime.signatures.pattern import Made, Placeholder, Weak, fill, is_constant
from agir.runtime.signatures.trace_types import PROTOCOL, CallType, Constant, Leaf, TracingContext
from agir.runtime.state.array_arguments import packed
from agir.runtime.state.boxes import Boxed, boxed, is_box
from agir.runtime.state.passed_lists import (
    ANY,
    Listed,
    ListedBytes,
    ListedEntries,
    ListedRows,
    ListedText,
    listed_text,
    passed,
)

_OTHERWISE = (
    "it was traced for arguments of which others are one object: call the function, which traces "
    "for these"
)


@dataclass(frozen=True)
class Parameters:
    """What a concrete function can be called with: parameters, of which some are constants."""

    python: inspect.Signature
    kind: CallType
    pattern: dict[str, Any]
    """The arguments, with placeholders for the run-time values."""
    opened: tuple[Opened, ...] = ()
    """The containers of outside that are passed beside them."""
    identities: bool | None = None
    """Whether containers that are given twice are one object, and arrays and tuples as well; None
    where that makes no difference."""

    def types(self) -> dict[str, Any]:
        """The type, or the constant, of each."""
        types: dict[str, Any] = typed(
            self.pattern, iter([leaf.spec() for leaf in self.kind.leaves])
        )
        return types

    def values(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> list[Any]:
        """The run-time values of a call; ``TypeError`` where it does not fit the trace."""
        try:
            values = self._structured(args, kwargs)
        except TypeError:
            try:
                return self.flat(args, kwargs)
            except TypeError:
                pass
            raise
        assert values.given is not None, "they were taken of the arguments"
        if self._tells_otherwise(values.given):
            raise TypeError(_OTHERWISE)
        return values

    def flat(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> list[Any]:
        """The run-time values, given one by one, by position or by the names of the leaves."""
        leaves = self.kind.leaves
        names = [leaf.name for leaf in leaves[len(args) :]]
        if len(args) > len(leaves) or sorted(map(str, names)) != sorted(kwargs):
            raise TypeError(f"it takes {len(leaves)} tensors, got {len(args) + len(kwargs)}")
        given = [*args, *(kwargs[str(name)] for name in names)]
        return [_leaf(v, leaf, str(leaf.name)) for v, leaf in zip(given, leaves, strict=True)]

    def filled(self, values: Sequence[Any]) -> dict[str, Any]:
        """The arguments that are made of these values, in containers of their own."""
        return {
            name: _unpacked(argument) for name, argument in fill(self.pattern, iter(values)).items()
        }

    def _structured(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Values:
        given = self._bound(args, kwargs)
        matcher = _Matcher(self.kind.leaves, given)
        for each in self.opened:
            given[each.parameter] = each.find(given).container
        for name, pattern in self.pattern.items():
            if name in given:
                matcher.match(pattern, packed(given[name], name), name)
            elif not is_constant(pattern):
                raise TypeError(f"missing a required argument: {name!r}")
        return matcher.values

    def _tells_otherwise(self, given: Given) -> bool:
        """Whether others of the arguments are one object than when it was traced."""
        of_all = self.identities
        return of_all is not None and shared(given, self.pattern, of_all) != self.kind.same

    def _bound(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> dict[str, Any]:
        """What is given, by parameter; of ``*args`` and ``**kwargs`` also empty ones."""
        given = self.python.bind_partial(*args, **kwargs).arguments
        for name, parameter in self.python.parameters.items():
            if parameter.kind is inspect.Parameter.VAR_POSITIONAL:
                given.setdefault(name, ())
            elif parameter.kind is inspect.Parameter.VAR_KEYWORD:
                given.setdefault(name, {})
        return given


class _Matcher:
    """Takes the run-time values out of arguments that have to fit a pattern."""

    def __init__(self, leaves: tuple[Leaf, ...], given: dict[str, Any]) -> None:
        self.values = Values()
        self.values.given = given
        self._leaves: Iterator[Leaf] = iter(leaves)

    def match(self, pattern: Any, value: Any, name: str) -> None:
        """Check one argument, or a part of one."""
        if isinstance(pattern, Boxed) and is_box(value):
            value = boxed(value)
        if isinstance(pattern, (Listed, ListedBytes, ListedRows, ListedEntries)):
            value = passed(value, ANY) or value
        if isinstance(pattern, ListedText) and type(value) is str:
            value = listed_text(value)
        if isinstance(pattern, Made):
            self._match_users(pattern, value, name)
        elif isinstance(pattern, Weak):
            if not _is_object(value, pattern.get()):
                raise TypeError(f"argument {name!r} must be the object that it was traced with")
        elif isinstance(pattern, Placeholder):
            self.values.append(_leaf(value, next(self._leaves), name))
        elif (found := structure.children(pattern)) is not None:
            given = structure.children(structure.in_order_of(pattern, value))
            if given is None or given[0] != found[0]:
                raise TypeError(f"argument {name!r} must have the structure of {pattern!r}")
            for number, (inner, item) in enumerate(zip(found[1], given[1], strict=True)):
                self.match(inner, item, f"{name}[{number}]")
        elif not _is_same(value, pattern):
            raise TypeError(f"argument {name!r} is the constant {pattern!r}, got {value!r}")

    def _match_users(self, pattern: Made, value: Any, name: str) -> None:
        kind = getattr(value, PROTOCOL)(TracingContext(name)) if hasattr(value, PROTOCOL) else None
        if kind is None or not (kind == pattern.kind or kind.is_subtype_of(pattern.kind)):
            raise TypeError(f"argument {name!r} must be of type {pattern.kind!r}, got {value!r}")
        for tensor in kind.to_tensors(value):
            self.values.append(_leaf(tensor, next(self._leaves), name))


def _unpacked(value: Any) -> Any:
    """An argument without what is passed in the place of others."""
    if isinstance(value, Listed):
        return value.column.tolist()
    if isinstance(value, ListedBytes):
        return bytearray(value.column.tolist())
    if isinstance(value, ListedText):
        return value.text()
    if isinstance(value, ListedEntries):
        keys = value.keys.tolist()
        if value.values is None:
            return value.kind(keys)
        return value.kind(dict(zip(keys, value.values.tolist(), strict=True)))
    if isinstance(value, ListedRows):
        parts = np.split(value.numbers, value.starts[1:])
        rows = [part.tolist() for part in parts]
        return [rows[number] for number in value.order]
    if isinstance(value, Boxed):
        return value.column.source
    found = structure.children(value)
    if found is None:
        return value
    return structure.rebuild(found[0], list(map(_unpacked, found[1])))


def _is_object(value: Any, wanted: Any) -> bool:
    return value is wanted or (isinstance(wanted, MethodType) and bool(value == wanted))


def _is_same(value: Any, constant: Any) -> bool:
    try:
        return Constant(value) == Constant(constant)
    except TypeError:  # a slice, before Python 3.12
        return type(value) is type(constant) and bool(value == constant)


def _leaf(value: Any, leaf: Leaf, name: str) -> Any:
    if not leaf.weak:
        return conform(value, leaf.spec(), name).value
    assert leaf.shape is not None, "the rank of what is weak is known"
    fits = (
        python_dtype(value) == leaf.dtype and leaf.shape == ()
        if is_python_number(value)
        else isinstance(value, (np.ndarray, np.generic, Tensor))
        and as_dtype(value.dtype) == leaf.dtype
        and len(value.shape) == len(leaf.shape)
    )
    if not fits:
        what = "a list of numbers" if leaf.shape else "a number"
        raise TypeError(f"argument {name!r} must be {what} of {leaf.dtype}, got {value!r}")
    return value
