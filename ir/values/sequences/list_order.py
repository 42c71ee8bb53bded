"""The order of run-time items: ``list.sort()`` and ``sorted()``, of any number of them."""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable, Iterator
from typing import Any

from agir.autograph.operators import call, collect, compare, each, has_order, if_exp
from agir.errors import StagingError
from agir.ir import hooks
from agir.ir.plain.sorting import ordered_places
from agir.ir.plain.times import NAT
from agir.ir.tensors import dispatch, structure
from agir.ir.tensors.staged import Keyed
from agir.ir.tensors.symbolic import SymbolicTensor, holds_run_time
from agir.ir.tracing.trace import Trace
from agir.ir.values.abstract_values import GROWING_TEXT, AbstractValue, Static, Structure
from agir.ir.values.alternatives.mixed_numbers import is_number, told_apart
from agir.ir.values.heap.abstract_items import ITEM
from agir.ir.values.heap.items import Items, staged_items
from agir.ir.values.heap.references import ByNumber
from agir.ir.values.text import is_of_run_time

SORTED = 32
"""So many values, if their number is known, are compared in pairs; more are sorted as columns."""


def of_known_number(trace: Trace, values: Any, key: Any, reverse: Any) -> list[Any]:
    """Values whose number is known, in order: a few are compared in pairs of neighbours."""
    values = told_apart(trace, values)
    ranks = values if key is None else [call(key, (item,)) for item in values]
    pairs = list(zip(ranks, values, strict=True))
    if not any(holds_run_time(each) or has_order(each) or is_of_run_time(each) for each in ranks):
        pairs = sorted(pairs, key=operator.itemgetter(0), reverse=reverse)
        return [item for _, item in pairs]
    if len(pairs) > SORTED or any(isinstance(rank, (tuple, list)) for rank in ranks):
        return _as_columns(trace, list(values), list(ranks), reverse)
    for rank in ranks if len(ranks) > 1 else ():
        _refuse_nan(trace, rank, len(ranks), isinstance(rank, Keyed))
    before = functools.partial(compare, "gt" if reverse else "lt")
    for step in range(len(pairs)):
        for place in range(step % 2, len(pairs) - 1, 2):
            pairs[place : place + 2] = _exchanged(before, *pairs[place : place + 2])
    return [item for _, item in pairs]


def _exchanged(before: Callable[[Any, Any], Any], left: Any, right: Any) -> Any:
    if left[0] is left[1]:
        swap = before(right[0], left[0])
        first = if_exp(swap, lambda: right[0], lambda: left[0])
        second = if_exp(swap, lambda: left[0], lambda: right[0])
        return [(first, first), (second, second)]
    return if_exp(before(right[0], left[0]), lambda: [right, left], lambda: [left, right])


def _as_columns(trace: Trace, values: list[Any], ranks: list[Any], reverse: Any) -> list[Any]:
    with trace.at_user_line():
        items, by = staged_items(trace, values), staged_items(trace, ranks)
    found = ordered(trace, items, by, reverse)
    return [found.item(trace.index(position)) for position in range(len(values))]


def ordered(trace: Trace, items: Items, ranks: Items, reverse: Any) -> Items:
    """The items in the order of their ranks; those of equal rank stay in theirs."""
    with trace.at_user_line():
        wanted = _comparable(trace, ranks.element)
        if wanted != ranks.element:
            ranks = ranks.converted(hooks.values.referring(ITEM, wanted))
        find = _merged if _has_order_of_its_own(ranks.element) else _order
        order = find(trace, ranks, bool(reverse))
        if order is None:
            return items
        places: SymbolicTensor = order
        return items.rearranged(lambda column: dispatch.call("gather", column, places, 0))


def _comparable(trace: Trace, abstract: AbstractValue) -> AbstractValue:
    """The abstract value with text in code points in the place of several texts, and of templates."""
    if isinstance(abstract, Structure) and issubclass(abstract.key[0], (tuple, list)):
        return abstract.of(_comparable(trace, each) for each in abstract.items)
    if isinstance(abstract, Static) or abstract.settling is not GROWING_TEXT:
        return abstract
    hooks.texts.need_codes(trace)
    return abstract if not trace.codes_text else hooks.texts.abstract()


def _is_coded(abstract: Structure) -> bool:
    """Whether it is a text of so many characters as all of them have."""
    return getattr(abstract.key[0], "stands_for", None) is str


def ranked(trace: Trace, source: list[Any], key: Any) -> Items:
    """What ``key`` makes of each item of a list of run-time length."""
    made = collect([], lambda add: each(source, lambda item: add(call(key, (item,))), add))
    ranks: Items = made.staged_like(trace, [])
    return ranks


def _order(trace: Trace, ranks: Items, descending: bool) -> SymbolicTensor | None:
    """Where the items stand in their order; None where all are equal.

    Of tuples the last component is sorted by first, and the first one last.
    """
    compared = list(_compared(trace, ranks.element, 0))
    order: SymbolicTensor | None = None
    for number, is_time in reversed(compared):
        column = ranks.array(number)
        _refuse_nan(trace, column, ranks.length, is_time)
        if order is not None:
            column = dispatch.call("gather", column, order, 0)
        found = dispatch.call("argsort", column, 0, descending)
        order = found if order is None else dispatch.call("gather", order, found, 0)
    return order


def _refuse_nan(trace: Trace, ranks: Any, count: Any, is_time: bool = False) -> None:
    """Where Python puts a NaN, or NaT, follows from which items it compares: several are refused."""
    ranks = ranks.ticks if isinstance(ranks, Keyed) else ranks
    if isinstance(ranks, SymbolicTensor) and (is_time or ranks.dtype.kind == "f"):
        with trace.at_user_line():
            is_nan = ranks == NAT if is_time else dispatch.call("isnan", ranks)
            nan = dispatch.call("any", is_nan)
            fine = dispatch.call("logical_or", dispatch.call("logical_not", nan), count < 2)
            trace.guard(fine.ssa, trace.refusal("check", _UNORDERED))


_UNORDERED = "NaN or NaT, which is neither less nor more than others, is among what is sorted"


def _has_order_of_its_own(abstract: AbstractValue) -> bool:
    """Whether lists of run-time length, or objects with operators, are among what is compared."""
    if isinstance(abstract, Structure):
        made = abstract.key[0]
        if issubclass(made, Keyed):
            return False
        if structure.is_of_a_program(made) and not structure.is_own(made):
            return not issubclass(made, tuple)
        return any(map(_has_order_of_its_own, abstract.items))
    return isinstance(abstract, ByNumber)


def _merged(trace: Trace, ranks: Items, descending: bool) -> SymbolicTensor | None:
    """Where the items stand in their order, which is found by comparing pairs of them."""
    values = trace.made([])
    values.restore(ranks)
    places: SymbolicTensor = call(ordered_places, (values, descending)).staged(trace).tensor()
    return places


def _compared(
    trace: Trace, element: AbstractValue, first: int, is_time: bool = False
) -> Iterator[tuple[int, bool]]:
    """The columns from ``first`` on that hold what is compared of an item, one after the other.

    And whether they are of dates or differences.
    """
    if isinstance(element, Structure) and (
        issubclass(element.key[0], (tuple, list, Keyed)) or _is_coded(element)
    ):
        for item in element.items:
            yield from _compared(trace, item, first, issubclass(element.key[0], Keyed))
            first += len(item.types())
        return
    if is_number(element) and not element.dtypes()[0].is_complex:
        yield first, is_time
        return
    if isinstance(element, Static):  # the same value in all items
        return
    raise StagingError(
        trace.explain(
            f"items that are {element.describe()} have no order; sort by a number, or a tuple of "
            "numbers, with key="
        )
    )
