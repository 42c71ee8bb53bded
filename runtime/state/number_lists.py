"""Long lists of numbers as arguments: one array, and no argument for each of the numbers.

A trace is then one for lists of any length, and its size does not depend on it.  The function gets
a list whose length only the run time knows.  Where it needs more than that (it unpacks the list, or
makes a set of it), its trace fails, and is made once more with an argument for each number.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from agir.ir.trace import Trace
from agir.ir.types import python_dtype
from agir.ir.values.lists import TracedList, traced_list
from agir.ir.values.rows import Rows
from agir.runtime.state.columns import Numbers

LONG = 128
"""A list of so many numbers is passed as an array: fewer are compiled in less than a second."""
_NUMBERS = frozenset((bool, int, float, complex))


class Listed(NamedTuple):
    """A long list of numbers among the arguments of a call."""

    column: Any


def listed(value: Any, least: int = LONG) -> Listed | None:
    """What is passed for a long list of numbers of one class; None for any other value."""
    if type(value) is not list or len(value) < least:
        return None
    kind = type(value[0])
    if kind not in _NUMBERS or any(type(each) is not kind for each in value):
        return None
    try:
        return Listed(np.array(value, python_dtype(value[0]).numpy).view(Numbers))
    except OverflowError:  # an int of more than 64 bits
        return None


def unlisted(trace: Trace, given: Listed) -> TracedList:
    """The list that the function gets."""
    with trace.at_user_line():
        made = traced_list(Rows.of(trace, given.column))
    trace.journal.given(made)
    return made
