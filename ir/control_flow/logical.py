"""``and``, ``or`` and ``not`` of run-time values."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from agir.ir.building.types import bool_
from agir.ir.control_flow.conditionals import if_exp
from agir.ir.emission import exact_integers
from agir.ir.emission.failing import Unreachable
from agir.ir.emission.truth import of_python, truth
from agir.ir.tensors.symbolic import SymbolicTensor
from agir.ir.tracing.trace import Trace
from agir.ir.values.alternatives.optional import flag, unchecked


def logical(trace: Trace, left: Any, right: Callable[[], Any], conjunction: bool) -> Any:
    """``left and right()`` or ``left or right()``.

    The right side is computed only where Python would; where it is cheap and cannot fail, both
    are computed and combined, which is what a compiler makes of it anyway.
    """
    with trace.attempt() as attempt:
        start, waiting = len(trace.scope.recorded), len(trace.waiting_checks)
        value, cheap = _speculative(trace, right)
        cheap &= attempt.only_computed and _are_cheap(trace.scope.recorded[start:])
        if cheap and _is_truth(left) and _is_truth(value):
            with trace.at_user_line():
                name = "arith.andi" if conjunction else "arith.ori"
                first = truth(trace, left)
                ssa = trace.op(name, bool_.mlir(), first, truth(trace, value))
                if len(trace.waiting_checks) > waiting:
                    needed = first if conjunction else negation(trace, left).ssa
                    exact_integers.settle_waiting(trace, waiting, needed)
                pythons = all(isinstance(v, bool) or v.weak for v in (left, value))
                return trace.make(ssa, bool_, (), weak=pythons)
        attempt.roll_back()
    if conjunction:
        return if_exp(trace, left, right, lambda: left)
    return if_exp(trace, left, lambda: _of_truth(left), right)


def _of_truth(value: Any) -> Any:
    """A value that is true, and so not None."""
    return value if flag(value) is None else unchecked(value)


_CHEAP = 8
_LONG = frozenset(("scf.for", "scf.while", "func.call"))
"""What takes longer than a branch, however little is written."""


def _are_cheap(operations: Sequence[Any]) -> bool:
    """Whether computing them costs no more than asking whether they are needed."""
    if len(operations) > _CHEAP:
        return False
    return all(_LONG.isdisjoint(each.name for each in first.walk()) for first in operations)


class TooCostly(BaseException):
    """Ends an attempt to compute what may not be needed: it calls the function that it is in."""


_SHOWN_AGAIN = (LookupError, NameError, TypeError, ValueError, ZeroDivisionError)


def _speculative(trace: Trace, compute: Callable[[], Any]) -> tuple[Any, bool]:
    """The value, and whether it may be computed where it is not needed.

    An error shows again when the value is made in a branch.
    """
    try:
        with trace.speculating():
            return compute(), True
    except (TooCostly, Unreachable, *_SHOWN_AGAIN):
        return None, False


def _is_truth(value: Any) -> bool:
    if isinstance(value, SymbolicTensor):
        return value.dtype == bool_ and not value.dims
    return isinstance(value, bool)


def negation(trace: Trace, value: Any) -> SymbolicTensor:
    """``not value`` as a bool scalar."""
    with trace.at_user_line():
        true = trace.constant(bool_, True)
        return of_python(trace, trace.op("arith.xori", true.type, truth(trace, value), true))
