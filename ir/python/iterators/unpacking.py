"""``a, b = x`` and ``a, *b = x`` where only the run time knows how many items there are."""

from __future__ import annotations

from itertools import islice
from typing import Any

from agir.autograph import operators
from agir.autograph.operators.generators import Producer
from agir.ir.building.types import int64
from agir.ir.emission import emit
from agir.ir.plain.hashed.tables import Table
from agir.ir.python.iterators.iterator_builtins import listed
from agir.ir.tensors.symbolic import SymbolicTensor
from agir.ir.tracing.trace import Trace
from agir.ir.values.sequences.lists import TracedList, characters_of
from agir.ir.values.text import StagedText, is_coded


def is_counted_at_run_time(value: Any) -> bool:
    """Whether the number of items of a value is not known while tracing."""
    if isinstance(value, StagedText | Table) or is_coded(value):
        return True
    if isinstance(value, TracedList):
        return value.is_staged
    known = not isinstance(value, SymbolicTensor) or not value.dims
    return not (known or isinstance(value.dims[0], int))


def unpack(trace: Trace, value: Any, count: int) -> list[Any]:
    """The items, checked to be as many."""
    if isinstance(value, Producer):
        value = listed(trace, operators.call(islice, (value, count + 1)))  # it may have no end
    value = listed(trace, value) if isinstance(value, Table) else characters_of(value)
    if isinstance(value, TracedList) and not value.is_staged:
        return list(operators.unpack(value, count))
    with trace.at_user_line():
        length = _length(trace, value)
        fits = trace.compare("eq", length.ssa, trace.constant(int64, count))
        trace.guard(fits, trace.site("unpack", count), length.ssa)
        return [value[at] for at in range(count)]


def unpack_starred(trace: Trace, value: Any, before: int, after: int) -> list[Any]:
    """The first items, a list of those between, and the last ones: ``a, *b, c = value``."""
    is_taken = isinstance(value, Producer | Table)
    value = listed(trace, value) if is_taken else characters_of(value)
    if isinstance(value, TracedList) and not value.is_staged:
        return list(operators.unpack_starred(value, before, after))
    with trace.at_user_line():
        length = _length(trace, value)
        fits = trace.compare("sge", length.ssa, trace.constant(int64, before + after))
        trace.guard(fits, trace.site("unpack_starred", before + after), length.ssa)
        between = value[before : -after or None]
        first = [value[at] for at in range(before)]
        last = [value[at - after] for at in range(after)]
    if not isinstance(between, TracedList) or between.stands_for is not list:
        between = listed(trace, between)
    return [*first, between, *last]


def _length(trace: Trace, value: Any) -> SymbolicTensor:
    if isinstance(value, TracedList):
        return value.staged(trace).length
    return emit.counted(trace, emit.dim_value(trace, value.dims[0]))
