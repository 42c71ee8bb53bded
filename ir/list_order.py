"""The order of run-time items: ``list.sort()`` and ``sorted()``, of any number of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from agir.autograph.operators import call, collect, each
from agir.errors import StagingError
from agir.ir import dispatch
from agir.ir.items import Items, staged_items
from agir.ir.slots import Slot, Static, Structure, Typed
from agir.ir.symbolic import SymbolicTensor
from agir.ir.trace import Trace


def ordered(trace: Trace, items: Items, key: Any, reverse: Any) -> Items:
    """The items in order, by what ``key`` makes of each; equal ones stay in theirs."""
    ranks = items if key is None else _ranked(trace, items, key)
    return _arranged(trace, items, ranks, reverse)


def ordered_values(trace: Trace, values: list[Any], ranks: list[Any], reverse: Any) -> list[Any]:
    """Known numbers of values in the order of their ranks."""
    with trace.at_user_line():
        items, by = staged_items(trace, values), staged_items(trace, ranks)
    found = _arranged(trace, items, by, reverse)
    return [found.item(trace.index(position)) for position in range(len(values))]


def _arranged(trace: Trace, items: Items, ranks: Items, reverse: Any) -> Items:
    with trace.at_user_line():
        order = _order(trace, ranks, bool(reverse))
        if order is None:
            return items
        places: SymbolicTensor = order
        return items.rearranged(lambda column: dispatch.call("gather", column, places, 0))


def _ranked(trace: Trace, items: Items, key: Any) -> Items:
    from agir.ir.lists import traced_list

    source = traced_list(items)
    made = collect([], lambda add: each(source, lambda item: add(call(key, (item,))), add))
    ranks: Items = made.staged_like(trace, [])
    return ranks


def _order(trace: Trace, ranks: Items, descending: bool) -> SymbolicTensor | None:
    """Where the items stand in their order; None where all are equal.

    Of tuples the last component is sorted by first, and the first one last.
    """
    compared = list(_compared(trace, ranks.element))
    order: SymbolicTensor | None = None
    for number in reversed(range(len(compared))):
        column = ranks.array(number)
        if order is not None:
            column = dispatch.call("gather", column, order, 0)
        found = dispatch.call("argsort", column, 0, descending)
        order = found if order is None else dispatch.call("gather", order, found, 0)
    return order


def _compared(trace: Trace, element: Slot) -> Iterator[Slot]:
    """The components of an item, which are compared one after the other."""
    if isinstance(element, Structure) and element.key[0] in (tuple, list):
        for item in element.items:
            yield from _compared(trace, item)
        return
    if isinstance(element, Typed) and not element.dims and not element.dtype.is_complex:
        yield element
        return
    if isinstance(element, Static):  # the same value in all items
        return
    raise StagingError(
        trace.explain(
            f"items that are {element.describe()} have no order; sort by a number, or a tuple of "
            "numbers, with key="
        )
    )
