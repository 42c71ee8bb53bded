"""What is no result: it computes only when it is iterated over or awaited."""

from __future__ import annotations

import gc
from collections.abc import AsyncGenerator, Coroutine, Generator, ItemsView, Sequence, ValuesView
from types import CodeType, FunctionType, ModuleType
from typing import Any

from agir.autograph.operators.generators import Producer
from agir.errors import StagingError
from agir.ir.tensors import structure
from agir.ir.tensors.staged import Staged
from agir.ir.tensors.symbolic import SymbolicTensor
from agir.ir.tracing.trace import Trace
from agir.ir.values.sequences.counted import Counted
from agir.ir.values.sequences.progressions import Progression

_ITERATED: tuple[Any, ...] = ([], (), {}, set(), "", range(0), {}.items(), {}.values())
_REVERSED: tuple[Any, ...] = ([], {}, range(0))
_ITERATORS = frozenset(
    {type(iter(each)) for each in _ITERATED}
    | {type(reversed(each)) for each in _REVERSED}
    | {map, filter, zip, enumerate, reversed}
)
"""Those of Python's own, of which the items of a trace are symbols and are given once."""


_ITERATING = "agir.ir.python.iterators.iterator_builtins"
"""Where the generators are that stand for ``map`` and its like."""


def is_lazy(value: Any) -> bool:
    """Whether it computes what it gives when it is asked for that."""
    return isinstance(value, (Producer, Generator, Coroutine, AsyncGenerator))


def refuse_lazy(trace: Trace, leaf: Any) -> None:
    """Refuse as a result what computes only when it is iterated over or awaited: too late."""
    views = isinstance(leaf, (ValuesView, ItemsView))
    iterated = isinstance(leaf, Counted) and not isinstance(leaf, Progression)
    iterated = iterated or (isinstance(leaf, Producer) and type(leaf).__module__ == _ITERATING)
    if views or iterated or type(leaf) in _ITERATORS:
        kind = "an iterator" if iterated else f"a {type(leaf).__name__}"
        raise _iterator(
            trace,
            leaf,
            f"{trace.name} returns {kind}, which is one object for all calls: return a list of its "
            "items",
        )
    if not is_lazy(leaf):
        return
    if isinstance(leaf, Coroutine):
        leaf.close()
    raise _iterator(
        trace,
        leaf,
        f"{trace.name} returns a generator or coroutine, which would run after the call, when its "
        "tensors have no values any more: return a list, or do not decorate the function",
    )


_MOST = 1000
"""So many objects are looked at."""
_OF_PROGRAMS = (type, ModuleType, CodeType)


def refuse_symbols(trace: Trace, leaf: Any) -> None:
    """Refuse as a result what holds run-time values where nobody can put them when they are known."""
    waiting, seen = [leaf], {id(leaf): leaf}
    while waiting and len(seen) < _MOST:
        value = waiting.pop()
        if _is_symbol(value):
            kind = type(leaf).__name__
            raise StagingError(
                trace.explain(
                    f"{trace.name} returns a {kind} that holds a value of the run time, and of what "
                    f"{kind} objects hold nothing is known: return what is in it"
                )
            )
        for each in _held(trace, value):
            if id(each) not in seen:
                seen[id(each)] = each
                waiting.append(each)


def _is_symbol(value: Any) -> bool:
    outlives = getattr(type(value), "outlives_traces", False)
    return isinstance(value, SymbolicTensor | Staged) and not outlives


def _held(trace: Trace, value: Any) -> Sequence[Any]:
    """What an object refers to, but for the program's text, and what outside gets after the call."""
    if isinstance(value, FunctionType):
        return [*(value.__defaults__ or ()), *(value.__closure__ or ())]
    if isinstance(value, _OF_PROGRAMS) or type(value) in structure.LEAVES:
        return ()
    if structure.attributes(value) is not None and not trace.journal.is_made_here(value):
        return ()
    return gc.get_referents(value)


def _iterator(trace: Trace, leaf: Any, message: str) -> StagingError:
    """The refusal of an iterator, which there may be another way to."""
    error = StagingError(trace.explain(message))
    waits = isinstance(leaf, (Coroutine, AsyncGenerator))
    error.returns_iterator = not waits  # type: ignore[attr-defined]
    return error
