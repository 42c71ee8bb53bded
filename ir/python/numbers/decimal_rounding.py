"""``round(x, digits)`` of a float of Python's, which is the float nearest to the rounded decimal.

The product of the float and a power of ten is known with its error, by one fused multiply-add, so that
ties and what only looks like one are told apart.  Powers up to 10**22 are exact in float64 (Dekker, A
floating-point technique for extending the available precision, 1971, has the error of a product).
"""

from __future__ import annotations

from typing import Any

from agir.errors import StagingError
from agir.ir.building.types import float64
from agir.ir.emission import emit
from agir.ir.tensors import dispatch
from agir.ir.tensors.symbolic import SymbolicTensor
from agir.ir.tracing.trace import Trace

_EXACT_POWERS = 22
_TOO_MANY = "round() of a float of the run time to {} digits; agir rounds to 22 at most"
_WHOLE = 2.0**52
"""Floats of this size have no fraction."""


class _Numbers:
    """Arithmetic of scalars, written shortly."""

    def __init__(self, trace: Trace) -> None:
        self.trace = trace

    def number(self, value: float) -> Any:
        return self.trace.constant(float64, value)

    def op(self, name: str, *operands: Any) -> Any:
        return self.trace.op(name, operands[0].type, *operands)

    def fused(self, x: Any, y: Any, z: Any) -> Any:
        """``x * y + z``, rounded once."""
        return self.op("math.fma", x, y, z)

    def holds(self, predicate: str, x: Any, y: Any) -> Any:
        return emit.compare_floats(self.trace, predicate, (), x, y)

    def where(self, condition: Any, x: Any, y: Any) -> Any:
        return emit.select(self.trace, condition, x, y)

    def rest(self, x: Any, whole: Any, scale: Any) -> Any:
        """``x - whole * scale``."""
        return self.fused(self.op("arith.negf", whole), scale, x)

    def by_size(self, number: Any, small: Any, near: Any, large: Any) -> Any:
        """One of three, by the size of a number: with a fraction, about whole, and far beyond."""
        size = self.op("math.absf", number)
        whole = self.where(self.holds("olt", size, self.number(4 * _WHOLE)), near, large)
        return self.where(self.holds("olt", size, self.number(_WHOLE)), small, whole)

    def nearest(self, whole: Any, rest: Any, half: Any) -> Any:
        """The integer nearest to ``whole`` and a rest, of which a half is told by its size."""
        one = self.op("math.copysign", self.number(1.0), rest)
        far = self.holds("ogt", self.op("math.absf", rest), half)
        return self.where(far, self.op("arith.addf", whole, one), whole)


def rounded(trace: Trace, value: SymbolicTensor, digits: int) -> SymbolicTensor:
    """A float rounded to so many decimals, or to tens where they are negative, as Python does it."""
    if abs(digits) > _EXACT_POWERS:
        raise StagingError(trace.explain(_TOO_MANY.format(digits)))
    numbers = _Numbers(trace)
    scale = numbers.number(10.0 ** abs(digits))
    found = (_decimals if digits >= 0 else _tens)(numbers, value.ssa, scale)
    return _with_infinite(numbers, value, found)


def rounded_to_run_time(trace: Trace, value: SymbolicTensor, digits: SymbolicTensor) -> Any:
    """The same where only the run time knows to how many."""
    numbers = _Numbers(trace)
    wanted = dispatch.call("abs", digits)
    exact = wanted <= _EXACT_POWERS
    trace.guard(exact.ssa, trace.refusal("check", _TOO_MANY.format("so many")))
    powers = emit.table(trace, [10.0**power for power in range(_EXACT_POWERS + 1)])
    scale = dispatch.call("getitem", powers, dispatch.call("minimum", wanted, _EXACT_POWERS)).ssa
    right, left = _decimals(numbers, value.ssa, scale), _tens(numbers, value.ssa, scale)
    return _with_infinite(numbers, value, numbers.where((digits >= 0).ssa, right, left))


def _with_infinite(numbers: _Numbers, value: SymbolicTensor, found: Any) -> SymbolicTensor:
    """What was found for a finite value, with its sign; what is not finite stays as it is."""
    finite = numbers.holds("olt", numbers.op("math.absf", value.ssa), numbers.number(float("inf")))
    signed = numbers.op("math.copysign", found, value.ssa)
    return numbers.trace.make(numbers.where(finite, signed, value.ssa), float64, (), weak=True)


def _decimals(numbers: _Numbers, x: Any, scale: Any) -> Any:
    """The nearest multiple of 1 / scale."""
    product = numbers.op("arith.mulf", x, scale)
    error = numbers.fused(x, scale, numbers.op("arith.negf", product))
    whole = numbers.op("math.roundeven", product)
    rest = numbers.op("arith.subf", product, whole)  # exact, as far as there is a fraction
    # a tie that the error takes away from the even neighbour
    tie = numbers.holds("oeq", numbers.op("math.absf", rest), numbers.number(0.5))
    same = numbers.holds("ogt", numbers.op("arith.mulf", rest, error), numbers.number(0.0))
    step = numbers.op("math.copysign", numbers.number(1.0), rest)
    beyond = numbers.trace.op("arith.andi", tie.type, tie, same)
    whole = numbers.where(beyond, numbers.op("arith.addf", whole, step), whole)
    small = numbers.op("arith.divf", whole, scale)
    # the product is whole: what its error says is less than the distance of two floats
    left = numbers.op("arith.subf", numbers.op("math.roundeven", error), error)
    near = numbers.op("arith.addf", x, numbers.op("arith.divf", left, scale))
    return numbers.by_size(product, small, near, x)


def _tens(numbers: _Numbers, x: Any, scale: Any) -> Any:
    """The nearest multiple of scale; of two the even one."""
    quotient = numbers.op("arith.divf", x, scale)
    whole = numbers.op("math.roundeven", quotient)
    rest = numbers.rest(x, whole, scale)
    half = numbers.op("arith.mulf", scale, numbers.number(0.5))
    whole = numbers.nearest(whole, rest, half)
    odd = numbers.holds(
        "une", numbers.op("arith.remf", whole, numbers.number(2.0)), numbers.number(0.0)
    )
    tie = numbers.holds("oeq", numbers.op("math.absf", rest), half)
    step = numbers.op("math.copysign", numbers.number(1.0), rest)
    both = numbers.trace.op("arith.andi", odd.type, odd, tie)
    whole = numbers.where(both, numbers.op("arith.addf", whole, step), whole)
    left = numbers.rest(x, whole, scale)  # of a quotient beyond 2**53, which is even
    left = numbers.rest(
        left, numbers.op("math.roundeven", numbers.op("arith.divf", left, scale)), scale
    )
    near = numbers.op("arith.subf", x, left)
    return numbers.by_size(quotient, numbers.op("arith.mulf", whole, scale), near, x)
