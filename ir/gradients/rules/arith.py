"""Derivatives of the `arith` dialect."""

from __future__ import annotations

from typing import Any

from agir.ir.gradients.core.expressions import (
    Expression,
    dimension_size,
    dtype_of,
    element_type,
    known_dims,
    shaped,
    zeros_like,
)
from agir.ir.gradients.core.sweep import RULES, Sweep
from agir.ir.gradients.rules.elementwise import elementwise, without_derivative
from agir.ir.ops.ordering.sorting import SORTED
from agir.ir.tensors import dispatch
from agir.ir.tracing import loops

elementwise("arith.addf", lambda c, x, y, r: c, lambda c, x, y, r: c)
elementwise("arith.subf", lambda c, x, y, r: c, lambda c, x, y, r: -c)
elementwise("arith.mulf", lambda c, x, y, r: c * y, lambda c, x, y, r: c * x)
elementwise("arith.divf", lambda c, x, y, r: c / y, lambda c, x, y, r: -(c * (r / y)))
elementwise("arith.negf", lambda c, x, r: -c)
elementwise("arith.extf", lambda c, x, r: c.converted(x.dtype))
elementwise("arith.truncf", lambda c, x, r: c.converted(x.dtype))


def _quotient(x: Expression, y: Expression) -> Expression:
    """The integer by which ``arith.remf`` multiplies the divisor."""
    return (x / y).function("math.trunc")


elementwise("arith.remf", lambda c, x, y, r: c, lambda c, x, y, r: -(c * _quotient(x, y)))


def _chosen(predicate: str, c: Expression, one: Expression, other: Expression) -> Expression:
    """The cotangent where the operand is the one that is taken; the first one of two equal ones."""
    return one.compared(predicate, other).choose(c, 0)


for _name, _first, _second in (("max", "oge", "ogt"), ("min", "ole", "olt")):
    for _kind in (f"arith.{_name}imumf", f"arith.{_name}numf"):
        elementwise(
            _kind,
            lambda c, x, y, r, p=_first: _chosen(p, c, x, y),
            lambda c, x, y, r, p=_second: _chosen(p, c, y, x),
        )


def _sorted(sweep: Sweep, operation: Any, cotangents: list[Any]) -> None:
    """Each sorted element's cotangent goes to where the element has been."""
    trace = sweep.trace
    elements = sweep.resolve(operation.operands[2])
    descending = operation.attributes[SORTED].value
    dtype = dtype_of(elements.type)
    assert dtype is not None
    rank = shaped(elements.type).rank
    tensor = trace.make(elements, dtype, known_dims(elements))
    order = dispatch.call("argsort", tensor, -1, descending).ssa
    sizes = [dimension_size(trace, elements, axis) for axis in range(rank)]

    def put(indices: list[Any], carried: list[Any]) -> list[Any]:
        i64, index = element_type(order.type), trace.index_type()
        place = trace.op("tensor.extract", i64, order, *indices)
        where = [*indices[:-1], trace.op("arith.index_cast", index, place)]
        found = trace.op("tensor.extract", dtype.mlir(), cotangents[0], *indices)
        return [trace.op("tensor.insert", elements.type, found, carried[0], *where)]

    (back,) = loops.nest(trace, sizes, [zeros_like(trace, elements)], put)
    sweep.add(elements, back)


def _select(sweep: Sweep, operation: Any, cotangents: list[Any]) -> None:
    if SORTED in operation.attributes:
        _sorted(sweep, operation, cotangents)
        return
    condition, left, right = operation.operands
    sweep.mask()
    received = sweep.received(cotangents[0])
    where = Expression(sweep.trace, sweep.resolve(condition))
    if sweep.wants(left):
        sweep.add(left, where.choose(received, 0))
    if sweep.wants(right):
        sweep.add(right, where.choose(received.like(0), received))


RULES["arith.select"] = _select


def _bitcast(sweep: Sweep, operation: Any, cotangents: list[Any]) -> None:
    (operand,) = operation.operands
    if operand.type == operation.result.type:
        sweep.add(operand, cotangents[0])


RULES["arith.bitcast"] = _bitcast

without_derivative("arith.constant", "arith.sitofp", "arith.uitofp")
