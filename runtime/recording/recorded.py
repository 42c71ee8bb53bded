"""What tracing a function gives: the module, how to call it and how to read its results."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from types import MethodType
from typing import TYPE_CHECKING, Any

from agir.ir.building.checks import Site
from agir.ir.building.types import DType
from agir.ir.state.creation import Created
from agir.ir.state.outside import Guard, PlaceGuard
from agir.ir.tensors import structure
from agir.ir.tensors.tensor import Tensor
from agir.ir.values import abstract_values
from agir.runtime.signatures.trace_types import Leaf

if TYPE_CHECKING:
    from agir.runtime.recording.assigned import Assigned
    from agir.runtime.recording.callers import Changed, Passed


@dataclass(frozen=True)
class Result:
    """Where a leaf of the returned structure comes from.

    ``index`` numbers the compiled function's results; ``argument`` is the run-time argument that
    the leaf is, where the function returns an array that it was given, and ``captured`` the
    captured array; ``path`` says which of the caller's containers it is, and ``kind`` what is in
    that; ``abstract`` makes the leaf of several results, from ``index`` on; else ``value`` is
    constant, or what ``held`` refers to.
    """

    index: int | None = None
    argument: int | None = None
    captured: int | None = None
    value: Any = None
    abstract: abstract_values.AbstractValue | None = None
    held: weakref.ref[Any] | None = None
    choices: tuple[int | None, ...] | None = None
    """Where the leaf may be one of several arrays: for each of them the argument that it is, if any.
    Then ``index`` is the number of that array, and the next result the elements."""
    is_array: bool = False
    """Whether it is an array without dimensions, and no number."""
    is_number: bool = False
    """Whether it is a number of Python's, and none of NumPy's."""
    path: tuple[Any, ...] | None = None
    kind: Any = None
    """What is in it, and of which type, where the others do not say."""
    alternatives: tuple[tuple[Any, tuple[Result, ...]], ...] | None = None
    """Where the leaf may be one of several containers: the structure and leaves of each; ``index`` is
    that of the number of the one that it is."""

    def constant(self) -> Any:
        """The value of a leaf that is constant."""
        return self.value if self.held is None else self.held()


def nothing() -> None:
    """There is nothing to put back."""


@dataclass
class Recorded:
    """What tracing a function gives: the module, and how to call it and read its results."""

    name: str
    module: Any
    leaves: list[Leaf]
    dtypes: list[DType]
    structure: Any
    results: list[Result]
    mutated: list[tuple[int, int]]
    captures: list[Any]
    """What the arguments after the leaves are: arrays, and `state.Captured` for variables."""
    sites: list[Site] = field(default_factory=list)
    given: dict[str, Any] = field(default_factory=dict)
    """What callbacks use that only this process has, by their names."""
    updates: list[tuple[int, Result]] = field(default_factory=list)
    """The arguments that are TensorArrays which are written to, and what is in them afterwards."""
    updated: list[tuple[int, int]] = field(default_factory=list)
    """(capture, result) for each variable that the function writes."""
    in_place: dict[int, int] = field(default_factory=dict)
    """By result, the last ones of all, the arguments that compiled code writes them into."""
    constants: list[Tensor] = field(default_factory=list)
    """Tensors of outside that stand in the text."""
    outputs: list[Any] = field(default_factory=list)
    """For each of the results its type; None for a constant."""
    created: list[Created] = field(default_factory=list)
    """The variables that the trace has created; then the results are their initial values."""
    forget: Callable[[], None] = nothing
    """Puts back the places of Python's that a trace which creates variables has written to."""
    assigned: list[Assigned] = field(default_factory=list)
    """The attributes of objects of outside that get new values."""
    changed: list[Changed] = field(default_factory=list)
    """The containers of the caller's that get other contents."""
    passed: list[Passed] = field(default_factory=list)
    """The lists and objects of the caller's that were passed as arrays, and can be told apart."""
    unused: frozenset[int] = frozenset()
    """The arguments that are arrays of an object which other arguments are the arrays of."""
    by_rows: list[int] = field(default_factory=list)
    """The arguments of which it matters that they lie in memory row by row."""
    may_act: bool = False
    """Whether callbacks may do what cannot be taken back."""
    draws: bool = False
    """Whether it draws from generators of outside, which machine code does without a callback."""
    defers_errors: bool = False
    """Whether what tracing has raised is raised when the function runs."""
    guards: list[Guard | PlaceGuard] = field(default_factory=list)
    """The attributes of objects of outside whose numbers are constants here."""

    @cached_property
    def has_slots(self) -> bool:
        """Whether results are put together of several: an object among them is one for all."""
        return any(result.abstract is not None for result in self.results)

    def settle(self) -> None:
        """Let go of the variables, and of the objects that hold them."""
        self.created, self.forget = [], nothing

    @property
    def structured_outputs(self) -> Any:
        """The structure that is returned, with the types of what is computed."""
        pairs = zip(self.results, self.outputs, strict=True)
        leaves = [result.constant() if kind is None else kind for result, kind in pairs]
        return structure.unflatten(self.structure, iter(leaves), structure.told)

    def let_go(self, objects: Sequence[Any]) -> None:
        """Hold these objects weakly, where they are returned."""
        owners = [getattr(each, "__self__", each) for each in objects]
        for position, result in enumerate(self.results):
            value = result.value
            method = isinstance(value, MethodType)
            owner = value.__self__ if method else value
            if any(owner is each for each in owners if each is not None):
                held = (weakref.WeakMethod if method else weakref.ref)(value)
                self.results[position] = replace(result, value=None, held=held)

    @property
    def writes_in_place(self) -> bool:
        """True where compiled code writes into its arguments; otherwise the caller copies."""
        return any(result in self.in_place for _, result in self.mutated)

    @property
    def can_fail(self) -> bool:
        """True where the compiled function returns an error record."""
        return bool(self.sites)
