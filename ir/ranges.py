"""Intervals of integer SSA values, read off the operations that define them.

Just enough to drop the checks of subscripts that cannot fail: loop counters, sums and products with
constants, remainders.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from agir.ir import bindings
from agir.ir.trace import Trace

Interval = tuple[int, int]
_DEPTH = 16


def assume(trace: Trace, ssa: Any, low: int, high: int) -> None:
    """Note that a block argument of the current region lies in ``low..high`` (both included)."""
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


def _reaches(bound: Any, least: Any) -> bool:
    """True where ``bound`` is the SSA value ``least``, or the greater of it and another."""
    if bound == least:
        return True
    if isinstance(bound.owner, bindings.ir.Block):
        return False
    operation = bound.owner.operation
    return operation.name == "arith.maxsi" and any(
        _reaches(strip(operand), least) for operand in operation.operands
    )


def strip(ssa: Any) -> Any:
    """The value behind conversions between integer types that keep it."""
    while not isinstance(ssa.owner, bindings.ir.Block):
        if ssa.owner.operation.name != "arith.index_cast":
            break
        ssa = ssa.owner.operation.operands[0]
    return ssa


def counter(trace: Trace, ssa: Any) -> Any:
    """The ``index`` that an integer was converted from, where the conversion kept its value."""
    if isinstance(ssa.owner, bindings.ir.Block) or ssa.owner.operation.name != "arith.index_cast":
        return None
    source = ssa.owner.operation.operands[0]
    if str(source.type) != "index":
        return None
    return source if ssa.type.width == 64 or interval(trace, ssa) is not None else None


def interval(trace: Trace, ssa: Any, depth: int = _DEPTH) -> Interval | None:
    """The least and the greatest value that ``ssa`` can have; None where unknown."""
    noted: Interval | None = trace.scope.recall("memo", ("interval", ssa))
    if noted is not None or depth == 0:
        return noted
    ir = bindings.ir
    if isinstance(ssa.owner, ir.Block):
        return None
    operation = ssa.owner.operation
    if operation.name == "arith.constant":
        attribute = operation.attributes["value"]
        if not isinstance(attribute, ir.IntegerAttr):
            return None
        return (attribute.value, attribute.value)
    transfer = _TRANSFER.get(operation.name)
    if transfer is None:
        return None
    operands = [interval(trace, operand, depth - 1) for operand in operation.operands]
    found = transfer(*operands)
    return found if found is not None and _fits(found, ssa.type) else None


def _fits(found: Interval, mlir_type: Any) -> bool:
    width = 64 if str(mlir_type) == "index" else int(mlir_type.width)
    limit: int = 2 ** (width - 1)
    return -limit <= found[0] and found[1] < limit


def _add(a: Interval | None, b: Interval | None) -> Interval | None:
    return (a[0] + b[0], a[1] + b[1]) if a and b else None


def _sub(a: Interval | None, b: Interval | None) -> Interval | None:
    return (a[0] - b[1], a[1] - b[0]) if a and b else None


def _mul(a: Interval | None, b: Interval | None) -> Interval | None:
    if not (a and b):
        return None
    products = [x * y for x in a for y in b]
    return min(products), max(products)


def _same(a: Interval | None) -> Interval | None:
    return a


def _select(_: Interval | None, a: Interval | None, b: Interval | None) -> Interval | None:
    return (min(a[0], b[0]), max(a[1], b[1])) if a and b else None


def _max(a: Interval | None, b: Interval | None) -> Interval | None:
    return (max(a[0], b[0]), max(a[1], b[1])) if a and b else None


def _min(a: Interval | None, b: Interval | None) -> Interval | None:
    return (min(a[0], b[0]), min(a[1], b[1])) if a and b else None


def _mask(a: Interval | None, b: Interval | None) -> Interval | None:
    return (0, b[1]) if b and b[0] >= 0 else None


def _floor_divide(a: Interval | None, b: Interval | None) -> Interval | None:
    if not (a and b) or b[0] <= 0:
        return None
    return min(a[0] // b[0], a[0] // b[1]), max(a[1] // b[0], a[1] // b[1])


_TRANSFER: dict[str, Callable[..., Interval | None]] = {
    "arith.addi": _add,
    "arith.subi": _sub,
    "arith.muli": _mul,
    "arith.index_cast": _same,
    "arith.extsi": _same,
    "arith.trunci": _same,
    "arith.select": _select,
    "arith.maxsi": _max,
    "arith.minsi": _min,
    "arith.andi": _mask,
    "arith.floordivsi": _floor_divide,
}
