"""The state of a function that is left at a `yield`: what of it the caller has already.

Arrays and containers have to stay the objects that they are.  So marks take the place of those that
are arguments, or are in the state twice; what cannot stay itself is refused.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from agir.autograph.operators.generators import Producer
from agir.autograph.operators.undefined import Undefined
from agir.errors import StagingError
from agir.ir.building.types import shape_of
from agir.ir.python.impure import TracedGenerator
from agir.ir.recording import explained
from agir.ir.state.held import held
from agir.ir.state.outside import Guard
from agir.ir.tensors import structure
from agir.ir.tensors.staged import Staged
from agir.ir.tensors.symbolic import Owned, SymbolicTensor
from agir.ir.tracing.trace import Trace
from agir.ir.values.abstract_values import AbstractValue, MaybeUnbound, Structure, returned
from agir.ir.values.alternatives.choices import Chosen
from agir.ir.values.sequences.abstract_lists import Listed
from agir.runtime.state.boxes import Unboxed
from agir.runtime.yielding.lazy import is_lazy, refuse_lazy
from agir.runtime.yielding.marks import Mark, Same, given, outside, same

_CONTAINERS = (list, dict, set, deque)


def refusal(message: str) -> StagingError:
    """What is raised where something cannot live across a `yield`."""
    return StagingError(explained(message))


Get = Callable[[], Any]


def place_outside(trace: Trace, value: Any) -> Get | None:
    """What gives a container or iterator that an attribute or a name of outside holds; else None."""
    if not isinstance(value, (*_CONTAINERS, Iterator)) or isinstance(value, (Staged, Producer)):
        return None
    if trace.is_callers(value) or trace.journal.is_made_here(value):
        return None
    for each in trace.guards.values():
        is_attribute = isinstance(each, Guard)
        get: Get = partial(held, each.reference, each.name) if is_attribute else each.place.get
        found = _found(get(), value, get, _DEPTH)
        if found is not None:
            return found
    return None


_DEPTH = 4
"""So deep in other containers one of outside is found."""


def _found(there: Any, value: Any, get: Get, depth: int) -> Get | None:
    if there is value:
        return get
    parts = (
        structure.children(there) if depth and isinstance(there, (*_CONTAINERS, tuple)) else None
    )
    for n, each in enumerate(parts[1] if parts is not None else ()):
        found = _found(each, value, partial(_part, get, n), depth - 1)
        if found is not None:
            return found
    return None


def _part(get: Get, number: int) -> Any:
    parts = structure.children(get())
    return parts[1][number] if parts is not None else None


_ITERATOR = (
    "an iterator made in a compiled generator function would live across a yield: write the call that "
    "makes it into the loop or the yield from that uses it"
)
_RANDOM = (
    "a generator of random numbers that the function has made would live across a yield: make it "
    "outside, and give it to the function as an argument"
)
_IN_LIST = (
    "a list or dict with arrays in it would live across a yield: keep the arrays in variables, in a "
    "tuple, or side by side in one array"
)
_SHARED = (
    "what is in a list, a dict or an object, or one of several things, would live across a yield under "
    "another name, too: keep it under one name, or make it a copy (x = x.copy())"
)


class Leaving:
    """Puts marks in the place of what the caller has already, or gets at another place."""

    def __init__(self, trace: Trace | None) -> None:
        self.trace = trace
        self.seen: dict[int, tuple[Any, tuple[int, ...] | None]] = {}
        """What there is already, and where; None for what is there on some paths."""
        self.lives = False
        self.is_certain = True

    def state(self, values: tuple[Any, ...]) -> tuple[Any, ...]:
        """The variables that live across the `yield`."""
        if self.trace is None:
            return values
        self.lives = True
        made = tuple(self.marked(each, (0, n)) for n, each in enumerate(values))
        self.lives = False
        return made

    def value(self, value: Any, path: tuple[int, ...]) -> Any:
        """What is yielded or returned."""
        return value if self.trace is None else self.marked(value, path)

    def marked(self, value: Any, path: tuple[int, ...]) -> Any:
        """The value with marks in it; ``path`` is where it will be."""
        trace = self.trace
        assert trace is not None, "marks are of a trace"
        if isinstance(value, (Mark, Undefined)):
            return value
        if isinstance(value, MaybeUnbound):
            inner = self.perhaps(value.value, path)
            return MaybeUnbound(trace, value.name, value.bound, inner)
        if isinstance(value, Chosen):
            values = tuple(self.perhaps(each, path) for each in value._values)
            return Chosen(trace, value._index, values)
        if isinstance(value, SymbolicTensor):
            return self.array(trace, value, path)
        if trace.is_callers(value):
            return self.known(trace, id(value), value, path)
        if isinstance(value, TracedGenerator):
            raise refusal(_RANDOM)
        if (get := place_outside(trace, value)) is not None:
            return self.outside(trace, value, get)
        if not self.lives:
            refuse_lazy(trace, value)
        elif is_lazy(value) or (isinstance(value, Iterator) and not isinstance(value, Staged)):
            raise refusal(_ITERATOR)
        return self.container(trace, value, path)

    def perhaps(self, value: Any, path: tuple[int, ...]) -> Any:
        """The same for what is there on some paths only."""
        outer, self.is_certain = self.is_certain, False
        made = self.marked(value, path)
        self.is_certain = outer
        return made

    def container(self, trace: Trace, value: Any, path: tuple[int, ...]) -> Any:
        """A container of the function's own, or what is none."""
        found = structure.children(value)
        if found is None:
            return self.whole(trace, value, path) if structure.is_mutable(value) else value
        key, items = found
        made = [self.marked(each, (*path, n)) for n, each in enumerate(items)]
        changed = any(new is not old for new, old in zip(made, items, strict=True))
        rebuilt = structure.rebuild(key, made) if changed else value
        if isinstance(value, tuple):
            return rebuilt
        if self.lives:
            if any(isinstance(each, SymbolicTensor) and each.dims for each in items):
                raise refusal(_IN_LIST)
            if any(isinstance(each, Same) for each in structure.flatten(made)[0]):
                raise refusal(_SHARED)
        return self.keyed(id(value), value, rebuilt, path)

    def whole(self, trace: Trace, value: Any, path: tuple[int, ...]) -> Any:
        """A container whose items only the run time knows, or an object that the function has made."""
        if isinstance(value, Staged):
            if self.lives and _holds_arrays(returned(trace, value)):
                raise refusal(_IN_LIST)
        elif self.lives and trace.journal.is_made_here(value):
            found = structure.attributes(value)
            for n, each in enumerate(found[1] if found is not None else ()):
                if self.marked(each, (*path, n)) is not each:
                    raise refusal(_SHARED)
        return self.keyed(id(value), value, value, path)

    def outside(self, trace: Trace, value: Any, get: Get) -> Mark:
        """A list or dict that an attribute or a name of the module holds."""
        if self.lives:
            raise refusal(
                f"a {type(value).__name__} of outside, which an attribute or a name of the module "
                "holds, would live across a yield: give it to the generator as an argument"
            )
        return outside(trace, value, get)

    def array(self, trace: Trace, value: SymbolicTensor, path: tuple[int, ...]) -> Any:
        """An array or number."""
        if isinstance(value, Unboxed):
            return self.known(trace, id(value.column), value, path)
        if not value.dims:
            return value
        storage = value.storage
        if isinstance(storage, Owned):
            is_captured = any(each is value for _, each in trace.outside)
            if is_captured or storage.cell in trace.argument_cells:
                return self.known(trace, id(storage.cell), value, path)
            return self.keyed(id(storage.cell), value, value, path)
        if self.lives and trace.convention.arrays_are_mutable:
            raise refusal(
                "a part or view of an array, or one of several arrays, would live across a yield: "
                "take it again after the yield, or make it a copy (x = x.copy())"
            )
        return value

    def known(self, trace: Trace, key: int, value: Any, path: tuple[int, ...]) -> Any:
        """What stands for an argument, which is once in a state."""
        mark = given(trace, value)
        return self.keyed(key, value, mark, path) if self.lives and self.is_certain else mark

    def keyed(self, key: int, value: Any, made: Any, path: tuple[int, ...]) -> Any:
        """What stands for something of the function's own, which may be there already."""
        if key not in self.seen:
            self.seen[key] = (value, path if self.is_certain else None)
            return made
        there = self.seen[key][1]
        if there is None or not self.is_certain:
            raise refusal(_SHARED)
        return same(there)


def _holds_arrays(abstract: AbstractValue) -> bool:
    """Whether there are arrays among the items of a list."""
    if isinstance(abstract, Listed):
        return any(shape_of(each) != () for each in abstract.element.types())
    return isinstance(abstract, Structure) and any(map(_holds_arrays, abstract.items))
