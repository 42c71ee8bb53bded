"""The lists that a function gets for long lists of numbers, and for lists of such."""

from __future__ import annotations

from typing import Any

from agir.ir.plain.text import texts
from agir.ir.plain.text.byte_strings import ByteArray
from agir.ir.python import run_time_keys
from agir.ir.tracing.trace import Trace
from agir.ir.values import text
from agir.ir.values.abstract_values import Typed
from agir.ir.values.heap import references
from agir.ir.values.heap.kinds import ByReference
from agir.ir.values.heap.references import Given
from agir.ir.values.sequences.lists import TracedList, traced_list
from agir.ir.values.sequences.rows import Rows
from agir.runtime.state.passed_lists import (
    Listed,
    ListedBytes,
    ListedEntries,
    ListedRows,
    ListedText,
)

_SEARCHES = 150
"""A trace that records more of them is made for each text: what it does is known then, as a rule."""


def unlisted_rows(trace: Trace, given: ListedRows) -> TracedList:
    """The list of lists that the function gets; the lists are known by themselves."""
    if trace.pools is None:
        raise ByReference
    kind = trace.pools.kinds.at(("given", len(trace.given)))
    trace.pools.kinds.admit("a list of lists", kind, Typed(given.numbers.dtype, (), weak=True))
    with trace.at_user_line():
        pool = trace.pools.of(kind)
        numbers = Rows.of(trace, given.numbers)
        first = pool.enter(numbers, given.starts.ssa, given.lengths.ssa)
        made = traced_list(references.numbered(trace, kind, given.order, first))
    trace.given.append(Given(kind, first, pool.contents(), made))
    trace.journal.given(made)
    return made


def unlisted_entries(trace: Trace, given: ListedEntries) -> Any:
    """The dict or set that the function gets, with these keys."""
    with trace.at_user_line():
        columns = (given.keys,) if given.values is None else (given.keys, given.values)
        return run_time_keys.entered(
            trace, given.kind, [traced_list(Rows.of(trace, each)) for each in columns]
        )


def unlisted_bytes(trace: Trace, given: ListedBytes) -> ByteArray:
    """The bytearray that the function gets."""
    with trace.at_user_line():
        return ByteArray(traced_list(Rows.of(trace, given.column)))


def unlisted_text(trace: Trace, given: ListedText) -> texts.Text:
    """The text that the function gets."""
    text.need_codes(trace)
    trace.searches_left = _SEARCHES
    with trace.at_user_line():
        return texts.Text(traced_list(Rows.of(trace, given.codes)))


def unlisted(trace: Trace, given: Listed) -> TracedList:
    """The list that the function gets."""
    with trace.at_user_line():
        made = traced_list(Rows.of(trace, given.column))
    trace.journal.given(made)
    return made
