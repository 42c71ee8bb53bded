"""What branches and loop bodies have in common: recorded into detached blocks, with places carried."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from agir.autograph.operators import Contents, Place, State
from agir.errors import StagingError
from agir.ir.building.cells import Cell, Scope
from agir.ir.control_flow import deferred_errors
from agir.ir.emission.failing import Unreachable
from agir.ir.tensors import structure
from agir.ir.tracing.journal import Frame, Note
from agir.ir.tracing.trace import Trace
from agir.ir.values import abstract_values
from agir.ir.values.abstract_values import AbstractValue, JoinError
from agir.ir.values.alternatives.optional import for_place


def refusal(trace: Trace, error: JoinError) -> StagingError:
    """What the user is told of abstract values that do not join."""
    return StagingError(trace.explain(str(error)))


def kept_variables(trace: Trace, state: State) -> frozenset[str]:
    """The variables that a handler may read after a failure in the statement."""
    return frozenset(state.keep) if trace.tries else frozenset()


def store(trace: Trace) -> Callable[[Place, Any], None]:
    """How a place gets the value that a branch or loop leaves in it."""

    def store(place: Place, value: Any) -> None:
        trace.journal.note(place)
        place.set(for_place(place, value))

    return store


def changed(frame: Frame) -> list[Place]:
    """The places that hold something else at the end of a region."""
    return [note.place for note in frame.noted.values() if _is_changed(note)]


def _is_changed(note: Note) -> bool:
    before, after = note.before, note.place.get()
    if not isinstance(note.place, Contents):
        return not _is_same(before, after)
    one, other = structure.children(before), structure.children(after)
    if one is None or other is None or one[0] != other[0]:
        return not abstract_values.same_value(before, after)
    return not all(map(_is_same, one[1], other[1]))


def _is_same(before: Any, after: Any) -> bool:
    """Whether a place holds what it did: an object that only looks like it is another one."""
    if isinstance(before, tuple) and isinstance(after, tuple) and len(before) == len(after):
        return all(map(_is_same, before, after))
    return abstract_values.same_value(before, after)


def run_recorded(trace: Trace, body: Callable[[], None]) -> bool:
    """Run a branch or loop body while it is recorded; tells whether control reaches its end.

    An exception that is raised there is raised at run time, if control gets there.
    """
    try:
        body()
    except Unreachable:
        return False
    except BaseException as error:
        if not deferred_errors.record(trace, error):
            raise
        return False
    return True


def written_cells(scopes: Sequence[Scope]) -> list[Cell]:
    """The outer cells that the regions write, in the order of the first write."""
    found = {cell: None for scope in scopes for cell in scope.written if cell.home not in scopes}
    return list(found)


def block_arguments(
    trace: Trace, scope: Scope, names: Sequence[str], carried: Sequence[AbstractValue]
) -> Any:
    """Block arguments for the abstract values, and the Python values that they stand for."""
    ir_names = [
        name for name, abstract in zip(names, carried, strict=True) for _ in abstract.types()
    ]
    types = [t for abstract in carried for t in abstract.types()]
    made = [
        scope.block.add_argument(t, trace.named_location(name))
        for t, name in zip(types, ir_names, strict=True)
    ]
    return abstract_values.unpack_all(trace, carried, made)


def left_by(trace: Trace, state: State, arguments: tuple[Any, ...], ends: bool) -> tuple[Any, ...]:
    """What a loop body leaves in its variables: what it got, where control never ends it."""
    if ends:
        return state.get()
    kept = kept_variables(trace, state)
    values = zip(state.names, state.get(), arguments, strict=True)
    return tuple(new if name in kept else old for name, new, old in values)


def contents_of(places: Sequence[Place]) -> dict[Any, Any]:
    """What places hold, by their keys."""
    return {place.key: place.get() for place in places}
