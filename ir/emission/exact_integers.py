"""Integers of Python's are exact: a result that needs more than 64 bits is an error of the call.

Where its operands' intervals do not say that a result fits, it is computed in 128 bits as well, and
compared.  What loops say of their variables is known later: ``ir/proofs/proving.py`` takes checks
out again. Such an error goes to the caller: plain Python has none there that a handler could be
for.
"""

from __future__ import annotations

from functools import reduce
from typing import Any

from agir.ir.building.checks import EXCEEDS
from agir.ir.building.program import Operation
from agir.ir.building.types import bool_, int64, wide_type
from agir.ir.emission import emit, inequalities
from agir.ir.tensors.symbolic import SymbolicTensor
from agir.ir.tracing import ranges
from agir.ir.tracing.trace import Trace

_TOLD = {"arith.addi": "{} + {}", "arith.subi": "{} - {}", "arith.muli": "{} * {}"}
"""How a computation is told of, by the operation."""
_LEAST, _GREATEST = ranges.LEAST, ranges.GREATEST


def check(trace: Trace, number: SymbolicTensor) -> SymbolicTensor:
    """The sum, difference or product of two ints, checked to be what it would be in Python."""
    made = number.ssa.maker
    if made is None or made.name not in _TOLD:
        return number
    trace.exact_sums.add(number.ssa)
    if not _fits(trace, number.ssa):
        constant = _constant_operand(made)
        if constant is None:
            require(trace, _in_twice_the_bits(trace, made), _TOLD[made.name], *made.operands)
        else:
            _check_other(trace, made, *constant)
    return number


def fits(trace: Trace, number: SymbolicTensor) -> Any:
    """Whether a sum, difference or product fits (i1); None where that is sure."""
    made = number.ssa.maker
    if made is None or made.name not in _TOLD or _fits(trace, number.ssa):
        return None
    return _in_twice_the_bits(trace, made)


def _in_twice_the_bits(trace: Trace, made: Operation) -> Any:
    """Whether a sum, difference or product fits (i1), by computing it without a limit."""
    wide = wide_type()
    operands = [trace.op("arith.extsi", wide, each) for each in made.operands]
    exact = trace.op(made.name, wide, *operands)
    narrow = trace.op("arith.trunci", made.result.type, exact)
    return trace.compare("eq", trace.op("arith.extsi", wide, narrow), exact)


def _constant_operand(made: Operation) -> tuple[int, int] | None:
    """The number that one of the operands is, and which one."""
    for position, each in enumerate(made.operands):
        number = emit.constant_value(each)
        if number is not None:
            return int(number), position
    return None


def _check_other(trace: Trace, made: Operation, number: int, position: int) -> None:
    """Check that a result fits, by comparing the operand that is no constant."""
    other = made.operands[1 - position]
    least, greatest = ranges.interval(trace, other) or (_LEAST, _GREATEST)
    low, high = _allowed(made.name, number, position)
    comparisons = [("sge", low)] * (least < low) + [("sle", high)] * (greatest > high)
    found = [trace.compare(way, other, trace.constant(int64, end)) for way, end in comparisons]
    if found:
        ok = reduce(lambda one, two: trace.op("arith.andi", one.type, one, two), found)
        require(trace, ok, _TOLD[made.name], *made.operands)


def _allowed(name: str, number: int, position: int) -> ranges.Interval:
    """For which operands a result fits, if the one at this position is this number."""
    if name == "arith.addi":
        return _LEAST - number, _GREATEST - number
    if name == "arith.subi":
        if position == 0:
            return number - _GREATEST, number - _LEAST
        return _LEAST + number, _GREATEST + number
    if number == 0:
        return _LEAST, _GREATEST
    first, last = (_LEAST, _GREATEST) if number > 0 else (_GREATEST, _LEAST)
    return -(first // -number), last // number


def _fits(trace: Trace, ssa: Any) -> bool:
    return ranges.interval(trace, ssa) is not None or inequalities.is_exact(trace, ssa)


HALF = 32
"""The bits of one half of an int."""


def check_total(trace: Trace, total: SymbolicTensor, upper: Any, lower: Any) -> None:
    """Check that a sum fits, of which the sums of the upper and lower halves of its terms are known."""
    wide = wide_type()
    high, low, narrow = (trace.op("arith.extsi", wide, x) for x in (upper, lower, total.ssa))
    unit = trace.op("arith.extsi", wide, trace.constant(int64, 2**HALF))
    exact = trace.op("arith.addi", wide, trace.op("arith.muli", wide, high, unit), low)
    require(trace, trace.compare("eq", narrow, exact), "sum(...)")


def is_never_least(trace: Trace, ssa: Any) -> bool:
    """Whether an int is known not to be the least one, which has no absolute value."""
    known = ranges.interval(trace, ssa)
    return known is not None and known[0] > _LEAST


def check_negation(trace: Trace, ssa: Any, what: str) -> None:
    """Check that an int is not the least one, whose opposite does not fit."""
    if not is_never_least(trace, ssa):
        ok = trace.compare("ne", ssa, trace.constant(int64, _LEAST))
        require(trace, ok, what, ssa)


def require(
    trace: Trace, ok: Any, what: str, *operands: Any, limit: str = "the 64 bits that ints have here"
) -> None:
    """Check that a result fits; ``what`` is the computation, with places for two operands.

    Of what is computed before it is known whether it is needed, the check waits for that.
    """
    site = trace.refusal(EXCEEDS, what, limit)
    if trace.checks_wait:
        trace.waiting_checks.append((ok, site, operands))
    else:
        trace.guard(ok, site, *operands)


def fitting(trace: Trace, number: int) -> int:
    """A number of Python's; zero and a check that fails for one that needs more than 64 bits."""
    if _LEAST <= number <= _GREATEST or not trace.convention.arrays_are_mutable:
        return number
    require(trace, trace.constant(bool_, False), str(number))
    return 0


def settle_waiting(trace: Trace, first: int, needed: Any) -> None:
    """Record the checks that wait, from that one on: they count where ``needed`` (i1) is true."""
    waiting = trace.waiting_checks[first:]
    del trace.waiting_checks[first:]
    for ok, site, operands in waiting:
        idle = trace.op("arith.xori", needed.type, needed, trace.constant(bool_, True))
        ok = trace.op("arith.ori", ok.type, ok, idle)
        if trace.checks_wait:
            trace.waiting_checks.append((ok, site, operands))
        else:
            trace.guard(ok, site, *operands)
