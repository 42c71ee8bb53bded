"""``max(*items)`` and ``zip(*rows)`` where only the run time knows how many items there are."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from agir.autograph.operators import call
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


def find(trace: Trace, function: Any, items: Any, named: dict[str, Any]) -> Replacement | None:
    """What such a call does; None where Python goes through the items."""
    if function is max or function is min:
        replace: Any = _extremum if named.keys() <= {"key"} else None
    else:
        replace = _columns if function is zip and not named else None
    if replace is None:
        return None
    given = listed(trace, items) if isinstance(items, Table | View) else items
    if not isinstance(given, TracedList) or run_time_items(given) is None:
        return None
    found: Replacement | None = replace(trace, function, given, named)
    return found


def _extremum(trace: Trace, function: Any, items: Any, named: dict[str, Any]) -> Replacement | None:
    element = items.staged(trace).element
    if not (isinstance(element, Mixed) or (isinstance(element, Typed) and not element.dims)):
        return None  # of one list, say, it would be an item of that

    def largest() -> Any:
        several = call(spreading.several, (items, function.__name__))
        return call(function, (several,), named)

    return largest


def _columns(trace: Trace, function: Any, rows: Any, named: dict[str, Any]) -> Replacement | None:
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
