"""Intervals of integer SSA values, read off the operations that define them.

Just enough to drop the checks of subscripts that cannot fail: loop counters, sums and products with
constants, remainders.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

from agir.ir.building import bindings
from agir.ir.tracing.trace import Trace

Interval = tuple[int, int]
_DEPTH = 16
LEAST, GREATEST = -(2**63), 2**63 - 1
_ANY = (LEAST, GREATEST)
LONGEST_LIST = 1 << 40
"""No list has more items: the memory would be larger than any."""
_MOST_BITS = 127
"""Shifts by more bits are of numbers of no size that occurs."""


def assume(trace: Trace, ssa: Any, low: int, high: int) -> None:
    """Note that a value lies in ``low..high`` (both included) in the current scope."""
    trace.scope.memo["interval", ssa] = (low, high)


def assume_below(trace: Trace, ssa: Any, bound: Any) -> None:
    """Note that ``ssa`` is less than the SSA value ``bound`` (and not negative)."""
    trace.scope.memo["below", strip(ssa)] = strip(bound)


def is_below(trace: Trace, ssa: Any, bound: Any, depth: int = _DEPTH) -> bool:
    """True where ``ssa`` is known to lie in ``0..bound - 1``, or below something that does."""
    noted = trace.scope.recall("memo", ("below", strip(ssa)))
    if noted is None or not depth:
        return False
    return _reaches(strip(bound), noted) or is_below(trace, noted, bound, depth - 1)


def place(trace: Trace, index: Any, size: Any) -> tuple[Any, Any] | None:
    """What `note_place` has noted of an index of an axis of this size."""
    found: tuple[Any, Any] | None = trace.scope.recall("memo", ("position", index, size))
    return found


def note_place(trace: Trace, index: Any, size: Any, found: tuple[Any, Any]) -> tuple[Any, Any]:
    """Note where an index lies: (offset inside the axis, i1 where even that needs an element)."""
    trace.scope.memo["position", index, size] = found
    return found


def _reaches(bound: Any, least: Any) -> bool:
    """True where ``bound`` is the SSA value ``least``, or the greater of it and another."""
    if bound == least:
        return True
    operation = bound.maker
    if operation is None:
        return False
    return operation.name == "arith.maxsi" and any(
        _reaches(strip(operand), least) for operand in operation.operands
    )


def strip(ssa: Any) -> Any:
    """The value behind conversions between integer types that keep it."""
    while (maker := ssa.maker) is not None and maker.name == "arith.index_cast":
        ssa = maker.operands[0]
    return ssa


def counter(trace: Trace, ssa: Any) -> Any:
    """The ``index`` that an integer was converted from, where the conversion kept its value."""
    maker = ssa.maker
    if maker is None or maker.name != "arith.index_cast":
        return None
    source = maker.operands[0]
    if str(source.type) != "index":
        return None
    return source if ssa.type.width == 64 or interval(trace, ssa) is not None else None


Found = dict[Any, tuple[int, Interval | None]]
"""What was found of values, and how deep was looked."""


def interval(trace: Trace, ssa: Any, found: Found | None = None) -> Interval | None:
    """The least and the greatest value that ``ssa`` can have; None where unknown.

    Several questions that are asked together can share what is found.
    """
    return _interval(trace, ssa, _DEPTH, {} if found is None else found)


def _interval(trace: Trace, ssa: Any, depth: int, found: Found) -> Interval | None:
    """The same; what many values are made of is looked at once (``found``: how deep, and what)."""
    maker = ssa.maker
    if maker is not None and maker.name == "arith.constant":
        value = _constant(maker)
        return None if value is None else (value, value)
    noted: Interval | None = trace.scope.recall("memo", ("interval", ssa))
    if noted is not None or depth == 0 or maker is None:
        return noted
    before, known = found.get(ssa, (0, None))
    if known is None and before < depth:
        known = _derived(trace, ssa, depth - 1, found)
        found[ssa] = depth, known
    return known


def _derived(trace: Trace, ssa: Any, depth: int, found: Found) -> Interval | None:
    operation = ssa.maker
    if operation.name == "scf.if":
        ends = handed_on(operation, ssa.number)
        return _select(None, *(_interval(trace, value, depth, found) for value in ends))
    if operation.name not in _TRANSFER:
        return None
    operands = [_interval(trace, operand, depth, found) for operand in operation.operands]
    return computed(operation, operands)


def constant(ssa: Any) -> int | None:
    """The integer that a value is, or all its elements are; None where it is no constant."""
    operation = _made_by(ssa, "arith.constant")
    return None if operation is None else _constant(operation)


def _constant(operation: Any) -> int | None:
    ir, attribute = bindings.ir, operation.attributes["value"]
    if isinstance(attribute, ir.DenseIntElementsAttr) and attribute.is_splat:
        attribute = attribute.get_splat_value()
    return int(attribute.value) if isinstance(attribute, ir.IntegerAttr) else None


def handed_on(branch: Any, number: int) -> list[Any]:
    """What the two sides of a branch give as this result."""
    return [block.terminator.operands[number] for block in branch.blocks]


def is_known(operation: Any) -> bool:
    """Whether what an operation computes of intervals is known."""
    return operation.name in _TRANSFER


def computed(operation: Any, operands: Sequence[Interval | None]) -> Interval | None:
    """The interval of an operation's result, from those of its operands."""
    found = unbounded(operation, operands)
    return found if found is not None and _fits(found, operation.results[0].type) else None


def unbounded(operation: Any, operands: Sequence[Interval | None]) -> Interval | None:
    """The same, as if its result had no limit of bits."""
    return _remainder(operation) or _TRANSFER[operation.name](*operands) or _of_width(operation)


def _remainder(operation: Any) -> Interval | None:
    """Of ``x - x // m * m``, where ``m`` is a positive constant."""
    if operation.name != "arith.subi":
        return None
    whole = _made_by(operation.operands[1], "arith.muli")
    quotient = whole and _made_by(whole.operands[0], "arith.floordivsi")
    divisor = whole and _made_by(whole.operands[1], "arith.constant")
    if not (quotient and divisor and quotient.operands[0] == operation.operands[0]):
        return None
    number = _constant(divisor) or 0
    is_same = _made_by(quotient.operands[1], "arith.constant") == divisor
    return (0, number - 1) if is_same and number > 0 else None


def _made_by(ssa: Any, name: str) -> Any:
    """The operation that makes a value, recorded or of a module, if it is of this name; else None."""
    owner = ssa.owner
    return owner if getattr(owner, "name", None) == name else None


_WIDENING = {
    "arith.extsi": True, "arith.index_cast": True, "arith.extui": False, "arith.index_castui": False,
}  # fmt: skip
"""Whether conversions to more bits take numbers to be signed."""


def _of_width(operation: Any) -> Interval | None:
    """What numbers of fewer bits can be; None for what only computes."""
    signed = _WIDENING.get(operation.name)
    return None if signed is None else of_bits(_width(operation.operands[0].type), signed)


def of_bits(bits: int, signed: bool) -> Interval:
    """What integers of so many bits can be."""
    count: int = 2**bits
    return (-count // 2, count // 2 - 1) if signed else (0, count - 1)


@lru_cache(maxsize=256)
def _width(mlir_type: Any) -> int:
    """The bits of a number, or of an array's elements."""
    if isinstance(mlir_type, bindings.ir.ShapedType):
        mlir_type = mlir_type.element_type
    return 64 if str(mlir_type) == "index" else int(mlir_type.width)


def _fits(found: Interval, mlir_type: Any) -> bool:
    low, high = of_bits(_width(mlir_type), signed=True)
    return low <= found[0] and found[1] <= high


def _add(a: Interval | None, b: Interval | None) -> Interval | None:
    return (a[0] + b[0], a[1] + b[1]) if a and b else None


def _sub(a: Interval | None, b: Interval | None) -> Interval | None:
    return (a[0] - b[1], a[1] - b[0]) if a and b else None


def _mul(a: Interval | None, b: Interval | None) -> Interval | None:
    if not (a and b):
        return None
    products = [x * y for x in a for y in b]
    return min(products), max(products)


def _same(a: Interval | None, *_sizes: Interval | None) -> Interval | None:
    return a


def _not_negative(a: Interval | None) -> Interval | None:
    return a if a and a[0] >= 0 else None


def _select(_: Interval | None, a: Interval | None, b: Interval | None) -> Interval | None:
    return (min(a[0], b[0]), max(a[1], b[1])) if a and b else None


def _max(a: Interval | None, b: Interval | None) -> Interval | None:
    a, b = a or _ANY, b or _ANY
    return max(a[0], b[0]), max(a[1], b[1])


def _min(a: Interval | None, b: Interval | None) -> Interval | None:
    a, b = a or _ANY, b or _ANY
    return min(a[0], b[0]), min(a[1], b[1])


def _mask(a: Interval | None, b: Interval | None) -> Interval | None:
    """Of ``a & b``: not negative and not above either number that is not negative."""
    tops = [each[1] for each in (a, b) if each and each[0] >= 0]
    return (0, min(tops)) if tops else None


def _with_more_bits(a: Interval | None, b: Interval | None) -> Interval | None:
    """Of ``a | b`` and ``a ^ b``: no more bits than the numbers have."""
    if not (a and b):
        return None
    ends = (*a, *b)
    bits = max(end.bit_length() if end >= 0 else (~end).bit_length() for end in ends)
    return (0 if min(ends) >= 0 else -(2**bits)), 2**bits - 1


def _quotient(divide: Callable[[int, int], int]) -> Callable[..., Interval | None]:
    """Of a division that rounds in some way, which is monotone on either side of zero."""

    def found(a: Interval | None, b: Interval | None) -> Interval | None:
        if not (a and b):
            return None
        ends = [end for end in (*b, -1, 1) if end and b[0] <= end <= b[1]]
        results = [divide(x, y) for x in a for y in ends]
        return (min(results), max(results)) if results else None

    return found


def _truncated(x: int, y: int) -> int:
    return abs(x) // abs(y) * (1 if (x < 0) == (y < 0) else -1)


def _rest(a: Interval | None, b: Interval | None) -> Interval | None:
    """Of the remainder that has the sign of the dividend."""
    if not (a and b):
        return None
    most = max(abs(b[0]), abs(b[1])) - 1
    if most < 0:
        return None
    return max(-most, min(a[0], 0)), min(most, max(a[1], 0))


def _shifted_right(a: Interval | None, b: Interval | None) -> Interval | None:
    if not (a and b) or b[0] < 0 or b[1] > _MOST_BITS:
        return None
    ends = [x >> y for x in a for y in b]
    return min(ends), max(ends)


def _shifted_left(a: Interval | None, b: Interval | None) -> Interval | None:
    if not (a and b) or b[0] < 0 or b[1] > _MOST_BITS:
        return None
    ends = [x << y for x in a for y in b]
    return min(ends), max(ends)


_TRANSFER: dict[str, Callable[..., Interval | None]] = {
    "arith.addi": _add,
    "arith.subi": _sub,
    "arith.muli": _mul,
    "arith.index_cast": _same,
    "arith.index_castui": _not_negative,
    "tensor.splat": _same,
    "arith.extsi": _same,
    "arith.extui": _not_negative,
    "arith.trunci": _same,
    "arith.select": _select,
    "arith.maxsi": _max,
    "arith.minsi": _min,
    "arith.andi": _mask,
    "arith.ori": _with_more_bits,
    "arith.xori": _with_more_bits,
    "arith.floordivsi": _quotient(operator.floordiv),
    "arith.divsi": _quotient(_truncated),
    "arith.remsi": _rest,
    "arith.shrsi": _shifted_right,
    "arith.shli": _shifted_left,
}
