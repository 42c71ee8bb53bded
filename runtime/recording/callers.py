"""The caller's own lists, dicts and records: what a function changes in them, or returns of them.

A trace works on containers of its own, which stand for those among the arguments.  Where it has
changed one of them, the caller's gets the contents when the call has succeeded; where it returns one,
or puts it into another container, that is the caller's own, too.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import chain
from typing import Any

import numpy as np

from agir.errors import StagingError
from agir.ir.building.types import int64
from agir.ir.plain.entering import OfArrays, StandIn
from agir.ir.plain.text.byte_strings import ByteArray
from agir.ir.python import run_time_keys
from agir.ir.tensors import structure
from agir.ir.tensors.staged import Staged, StandsIn
from agir.ir.tracing.trace import Trace
from agir.ir.values.abstract_values import unchanged
from agir.ir.values.heap import assembling, references
from agir.ir.values.heap.abstract_items import holds_lists
from agir.ir.values.heap.kinds import ByReference
from agir.ir.values.heap.references import Refilled
from agir.ir.values.sequences.lists import TracedList
from agir.records import dataclass
from agir.runtime.recording.outputs import Outputs
from agir.runtime.recording.recorded import Recorded, Result
from agir.runtime.signatures.given import Given, Path, Values, at
from agir.runtime.state.passed_lists import refilled, rows_of

_NUMBERED = (
    "a dict or set among the arguments is put where there may be another one, and there is something "
    "among the arguments that tables cannot hold"
)


class Own:
    """Makes the containers of a trace that stand for the caller's."""

    def __init__(self, trace: Trace, same: Sequence[Sequence[Path]]) -> None:
        self._trace = trace
        self._first = {path: paths[0] for paths in same for path in paths}
        self._made: dict[Path, Any] = {}
        self.unused: set[int] = set()
        """The identities of arrays of objects that have been given before, and are those."""

    def of(self, value: Any, path: Path) -> Any:
        """An argument whose containers are the trace's."""
        first = self._first.get(path, path)
        if first in self._made:
            if isinstance(value, OfArrays):
                self.unused.update(map(id, structure.flatten(value, structure.parts)[0]))
            return self._made[first]
        if isinstance(value, list) and isinstance(value, Staged):
            return self._noted(value, path)
        if isinstance(value, run_time_keys.Table):
            return (
                self._numbered(value) if isinstance(value, StandsIn) else self._table(value, path)
            )
        if isinstance(value, ByteArray):
            return self._table(value, path)
        if isinstance(value, OfArrays):
            return self._noted(value, path)
        found = structure.children(value)
        place = ("argument", path)
        if isinstance(value, dict | set) and place in self._trace.tables:
            made = run_time_keys.table_of(self._trace, value)
            return self._numbered(made) if isinstance(made, StandsIn) else self._table(made, path)
        if found is None:
            if type(value) is set:
                return self._known(set(value), path)
            return self._once(value, path)
        key, items = found
        made = structure.rebuild(key, [self.of(i, (*path, n)) for n, i in enumerate(items)])
        if isinstance(made, tuple):
            return self._once(made, path)
        own = self._trace.made(made)
        return self._table(own, path) if isinstance(own, StandIn) else self._known(own, path)

    def _once(self, value: Any, path: Path) -> Any:
        """What stands for an array or a tuple, at all its places if it is given at several."""
        if path in self._first:
            self._made[path] = value
        return value

    def _known(self, own: Any, path: Path) -> Any:
        self._trace.made_at[id(own)] = (own, ("argument", path))
        return self._noted(own, path)

    def _numbered(self, own: Any) -> Any:
        """A dict or set that is known by its number: one of the data, which are told of changes."""
        if all(own is not each for each in self._trace.given_roots):
            error = StagingError(self._trace.explain(_NUMBERED))
            error.wants_numbers = True  # type: ignore[attr-defined]
            raise error
        return own

    def _table(self, own: Any, path: Path) -> Any:
        for part in vars(own).values():
            if isinstance(part, TracedList):
                self._trace.parts_of_callers[id(part)] = (part, own)
                self._trace.journal.given(part)
        return self._noted(own, path)

    def _noted(self, own: Any, path: Path) -> Any:
        self._made[path] = own
        if self._trace.convention.arrays_are_mutable:
            self._trace.callers[id(own)] = (own, path)
        self._trace.journal.given(own)
        return own


@dataclass(frozen=True)
class Changed:
    """A container of the caller's and what is in it after a call."""

    path: Path
    structure: Any
    leaves: tuple[Result, ...]

    @property
    def own(self) -> tuple[int, Refilled] | None:
        """Where its number is among the results, for a list that is known by itself."""
        (first, *_) = self.leaves or (None,)
        if first is None or first.index is None or not isinstance(first.abstract, Refilled):
            return None
        return first.index, first.abstract


@dataclass(frozen=True)
class Passed:
    """Lists or objects of the caller's that are passed as arrays: what these are, and get."""

    find: Callable[[Given, Sequence[Any]], list[Any]]
    """Finds them by the arguments of a call and its run-time values."""
    kind: Any
    first: int | None
    """Which of the results the number of the first of them is; None for 1."""
    contents: Result | None
    """None where none of them can have changed."""

    @property
    def is_of_data(self) -> bool:
        """Whether they are found by what Python has gathered of data."""
        return getattr(self.find, "func", None) is _gathered


def passed(trace: Trace, outputs: Outputs) -> list[Passed]:
    """The caller's lists and objects of which a call must be able to tell each."""
    return [_passed(trace, outputs, each) for each in trace.given if _is_seen(trace, each)]


def _is_seen(trace: Trace, given: references.Given) -> bool:
    """Whether the function has these, and not those of an equal argument that came before."""
    return given.key is not None or id(given.source) in trace.callers


def _passed(trace: Trace, outputs: Outputs, given: references.Given) -> Passed:
    if given.key is None:
        find: Any = partial(_rows_at, trace.callers[id(given.source)][1])
    else:
        find = partial(_gathered, outputs.argument(given.source), given.key)
    first = None
    if given.first is not None:
        first = outputs.result(trace.make(given.first, int64, (), weak=True)).index
    changed = given.changed(trace)
    contents = outputs.rewritten(given.kind, changed) if changed else None
    return Passed(find, given.kind, first, contents)


def _rows_at(path: Path, given: Given, values: Sequence[Any]) -> list[Any]:
    return rows_of(at(given, path))


def _gathered(argument: int, key: Any, given: Given, values: Sequence[Any]) -> list[Any]:
    return values[argument].source.of(key)  # type: ignore[no-any-return]


def changed(trace: Trace, outputs: Outputs) -> list[Changed]:
    """The caller's containers that the function has changed, inner ones first."""
    noted = trace.journal.frames[0].noted
    found: dict[int, tuple[Any, Path]] = {}
    for key, note in list(noted.items()):
        place = note.place
        _, owner = trace.parts_of_callers.get(id(place.owner), (None, place.owner))
        if (known := trace.callers.get(id(owner))) is None:
            continue
        del noted[key]  # what it holds now dies with the trace
        if not unchanged(note.before, place.get()):
            found[id(owner)] = known
    ordered = sorted(found.values(), key=lambda each: -len(each[1]))
    for own, _ in ordered:
        _tell_apart(trace, own)
    return [_contents(outputs, own, path) for own, path in ordered]


def _tell_apart(trace: Trace, own: Any) -> None:
    """Trace again, lists known by themselves, where a container holds what is perhaps the caller's."""
    if trace.pools is not None:
        return
    if isinstance(own, TracedList) and (items := own.items) is not None:
        if holds_lists(items.element):
            raise ByReference
        return
    if (found := structure.children(own)) is None:
        return
    callers = [each for each, _ in trace.callers.values()]
    stands = trace.journal.perhaps(callers).keys() - set(map(id, callers))
    if any(id(item) in stands for item in found[1]):
        raise ByReference


def tell_returned_apart(trace: Trace, returned: Sequence[Any]) -> None:
    """Trace again, lists known by themselves, where a list is returned that is perhaps the caller's."""
    lists = [each for each in returned if isinstance(each, TracedList)]
    if trace.pools is not None or not lists or not trace.convention.arrays_are_mutable:
        return
    perhaps = trace.journal.perhaps([each for each, _ in trace.callers.values()])
    if any(id(each) in perhaps and not trace.is_callers(each) for each in lists):
        raise ByReference


def _contents(outputs: Outputs, own: Any, path: Path) -> Changed:
    if isinstance(own, Staged) and own.is_staged:
        return Changed(path, None, (outputs.contents(own),))
    if type(own) is set:
        return Changed(path, None, (Result(value=frozenset(own)),))
    leaves, key = outputs.taken_apart(own, is_contents=True)
    return Changed(path, key, tuple(map(outputs.result, leaves)))


@contextmanager
def changing(
    recorded: Recorded, given: Given, values: Values, outputs: Sequence[Any]
) -> Iterator[Callable[[Callable[[Result], Any]], None]]:
    """While the results are made, and then the caller's containers get their contents."""
    changed = recorded.changed
    targets = [at(given, each.path) for each in changed]
    with assembling.call:
        for known in recorded.passed:
            first = 1 if known.first is None else int(outputs[known.first])
            assembling.are_callers(known.kind, first, known.find(given, values))
        for each, target in zip(changed, targets, strict=True):
            if (own := each.own) is not None:
                first, abstract = own
                abstract.enter(iter(outputs[first:]).__next__, target)

        def store(leaf: Callable[[Result], Any]) -> None:
            made = [
                (
                    target,
                    structure.for_caller(
                        each.structure, iter(map(leaf, each.leaves)), values.known
                    ),
                )
                for each, target in zip(changed, targets, strict=True)
                if not _has_got_numbers(target, each, outputs)
            ]
            inner = [leaf(each.contents) for each in recorded.passed if each.contents is not None]
            for target, contents in chain(*inner, made):
                _refill(target, contents)

        yield store


def _has_got_numbers(target: Any, changed: Changed, outputs: Sequence[Any]) -> bool:
    """Whether a list of numbers has been given its contents: what has not changed stays as it is."""
    (result, *others) = changed.leaves or (None,)
    if type(target) is not list or others or result is None or result.index is None:
        return False
    if changed.structure is not None or not getattr(result.abstract, "is_of_numbers", False):
        return False
    length, after = int(outputs[result.index]), outputs[result.index + 1]
    kind = _KINDS.get(after.dtype)
    return kind is not None and refilled(target, kind, after[:length])


_KINDS = {np.dtype(kind): kind for kind in (int, float, bool)}


def _refill(target: Any, contents: Any) -> None:
    """Give a container other contents."""
    if isinstance(target, (list, deque)):
        target.clear()
        target.extend(contents)
    elif isinstance(target, bytearray):
        target[:] = contents
    elif isinstance(target, set):
        target.clear()
        target.update(contents)
    elif isinstance(target, dict):
        if isinstance(target, defaultdict):
            target.default_factory = contents.default_factory
        target.clear()
        for key, value in contents.items():
            target[key] = value
    else:
        _set_fields(target, contents)


def _set_fields(target: Any, contents: Any) -> None:
    if type(contents) is dict:  # an object of a table
        _set_attributes(target, contents)
        return
    parts = structure.children(contents)
    assert parts is not None, "it is a record"
    (_, names), values = parts
    _set_attributes(target, dict(zip(names, values, strict=True)))


def _set_attributes(target: Any, values: dict[str, Any]) -> None:
    for name, value in values.items():
        old = getattr(target, name, structure.MISSING)
        if old is not value and not (type(old) is type(value) is str and old == value):
            object.__setattr__(target, name, value)
