"""``max(*items)``, ``zip(*rows)``, ``f(*items)`` where the run time knows how many items there are."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from agir.autograph.operators import call
from agir.autograph.operators.calls import taking_tuple
from agir.ir.functions.calls import entering
from agir.ir.plain import spreading
from agir.ir.plain.hashed.tables import Table
from agir.ir.plain.hashed.views import View
from agir.ir.python.iterators.iterator_builtins import listed
from agir.ir.tracing.trace import Trace
from agir.ir.values.abstract_values import Structure, Typed
from agir.ir.values.alternatives.mixed_numbers import Mixed
from agir.ir.values.heap.references import AbstractReference
from agir.ir.values.sequences.abstract_lists import Listed
from agir.ir.values.sequences.lists import TracedList, run_time_items

Replacement = Callable[[], Any]
Replacing = Callable[[Trace, Any], Replacement | None]


def find(trace: Trace, function: Any, items: Any, named: dict[str, Any]) -> Replacement | None:
    """What such a call does; None where Python goes through the items."""
    replace = _replacing(function, named)
    if replace is None:
        return None
    given = listed(trace, items) if isinstance(items, Table | View) else items
    if not isinstance(given, TracedList) or run_time_items(given) is None:
        return None
    return replace(trace, given)


def _replacing(function: Any, named: dict[str, Any]) -> Replacing | None:
    if (function is max or function is min) and named.keys() <= {"key"}:
        return partial(_extremum, function, named)
    if function is zip:
        return None if any(named.values()) or named.keys() - {"strict"} else _columns
    whole = taking_tuple(function)
    return None if whole is None else partial(_in_one, whole, named)


def _in_one(function: Any, named: dict[str, Any], trace: Trace, items: Any) -> Replacement:
    """A call of the user's function that gets its arguments as one tuple."""
    return lambda: entering(trace, function)(call(tuple, (items,)), **named)


def _extremum(function: Any, named: dict[str, Any], trace: Trace, items: Any) -> Replacement | None:
    element = items.staged(trace).element
    if not (isinstance(element, Mixed) or (isinstance(element, Typed) and not element.dims)):
        return None  # of one list, say, it would be an item of that

    def largest() -> Any:
        several = call(spreading.several, (items, function.__name__))
        return call(function, (several,), named)

    return largest


def _columns(trace: Trace, rows: Any) -> Replacement | None:
    element = rows.staged(trace).element
    if isinstance(element, Structure) and element.key[0] in (tuple, list):
        return partial(_known_columns, rows, len(element.items))
    if isinstance(element, Listed | AbstractReference):
        return partial(call, spreading.transposed, (rows,))
    return None


def _known_columns(rows: Any, width: int) -> Iterator[Any]:
    """Tuples, of which there are as many as each row has items."""
    call(spreading.check_rows, (rows,))
    return iter([call(spreading.column, (rows, place)) for place in range(width)])
