"""Integers of Python's are exact: a result that needs more than 64 bits is an error of the call.

Where its operands' intervals do not say that a result fits, it is computed in 128 bits as well, and
compared.  What loops say of their variables is known later: ``ir/proving.py`` takes checks out again.
Such an error goes to the caller: plain Python has none there that a handler could be for.
"""

from __future__ import annotations

from typing import Any

from agir.ir import inequalities, ranges
from agir.ir.checks import EXCEEDS
from agir.ir.symbolic import SymbolicTensor
from agir.ir.trace import Trace
from agir.ir.types import bool_, int64, wide_type

_TOLD = {"arith.addi": "{} + {}", "arith.subi": "{} - {}", "arith.muli": "{} * {}"}
"""How a computation is told of, by the operation."""
_LEAST = -(2**63)


def check(trace: Trace, number: SymbolicTensor) -> SymbolicTensor:
    """The sum, difference or product of two ints, checked to be what it would be in Python."""
    made = number.ssa.maker
    if made is None or made.name not in _TOLD:
        return number
    trace.exact_sums.add(number.ssa)
    if not _fits(trace, number.ssa):
        left, right = made.operands
        wide = wide_type()
        operands = [trace.op("arith.extsi", wide, each) for each in (left, right)]
        exact = trace.op(made.name, wide, *operands)
        narrow = trace.op("arith.trunci", number.ssa.type, exact)
        ok = trace.compare("eq", trace.op("arith.extsi", wide, narrow), exact)
        require(trace, ok, _TOLD[made.name], left, right)
    return number


def _fits(trace: Trace, ssa: Any) -> bool:
    return ranges.interval(trace, ssa) is not None or inequalities.is_exact(trace, ssa)


def is_never_least(trace: Trace, ssa: Any) -> bool:
    """Whether an int is known not to be the least one, which has no absolute value."""
    known = ranges.interval(trace, ssa)
    return known is not None and known[0] > _LEAST


def check_negation(trace: Trace, ssa: Any, what: str) -> None:
    """Check that an int is not the least one, whose opposite does not fit."""
    if not is_never_least(trace, ssa):
        ok = trace.compare("ne", ssa, trace.constant(int64, _LEAST))
        require(trace, ok, what, ssa)


def require(trace: Trace, ok: Any, what: str, *operands: Any) -> None:
    """Check that a result fits; ``what`` is the computation, with places for two operands.

    Of what is computed before it is known whether it is needed, the check waits for that.
    """
    site = trace.site(EXCEEDS, what)
    if trace.speculation:
        trace.waiting_checks.append((ok, site, operands))
    else:
        trace.guard(ok, site, *operands)


def settle_waiting(trace: Trace, first: int, needed: Any) -> None:
    """Record the checks that wait, from that one on: they count where ``needed`` (i1) is true."""
    waiting = trace.waiting_checks[first:]
    del trace.waiting_checks[first:]
    for ok, site, operands in waiting:
        idle = trace.op("arith.xori", needed.type, needed, trace.constant(bool_, True))
        ok = trace.op("arith.ori", ok.type, ok, idle)
        if trace.speculation:
            trace.waiting_checks.append((ok, site, operands))
        else:
            trace.guard(ok, site, *operands)
