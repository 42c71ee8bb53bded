"""Derivatives of what the host computes: by the name of the operation that a declaration says."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from agir.ir.building import bindings
from agir.ir.building.types import DType, TensorType
from agir.ir.gradients.core import hosted
from agir.ir.gradients.core.expressions import Expression, dtype_of, shaped
from agir.ir.gradients.core.matrices import in_dtype
from agir.ir.gradients.core.sweep import Sweep, refuse
from agir.ir.host import callbacks, hosts, template
from agir.ir.ops.linalg.lapack import common_dtype
from agir.ir.tracing.trace import Trace

E = Expression

OPERATIONS: dict[str, Callable[[Site, int, E], Sequence[E | None]]] = {}
"""``(site, number of the result, its cotangent)``: the cotangents of the operands."""


UNKNOWN: Any = object()
"""In the place of a cotangent: there is one, and no formula for it."""
NO_FORMULA = "agir knows no derivative by this argument"


class Site:
    """A call of an operation that the host computes."""

    def __init__(
        self, trace: Trace, operation: Any, call: hosted.Call, resolve: Callable[[Any], Any]
    ) -> None:
        """``resolve`` gives what stands here for a value."""
        self.trace = trace
        self.operation = operation
        self.name: str = call.name
        self.options = call.options
        self.operands = [resolve(value) for value in call.operands]
        kinds = [_type_of(value) for value in self.operands]
        self.dtype: DType = common_dtype(self.name, kinds)
        self._fetches = call.fetches
        self._resolve = resolve

    def input(self, number: int) -> E:
        """An operand, in the dtype that is computed in."""
        return in_dtype(E(self.trace, self.operands[number]), self.dtype)

    def result(self, number: int, like: tuple[DType, Any] | None = None) -> E:
        """A result; one that the program has not asked for is computed again."""
        if number in self._fetches:
            found = E(self.trace, self._resolve(self._fetches[number].results[0]))
            return unwrapped(self.trace, self._fetches[number], found)
        assert like is not None, "only some results are asked for that need not be there"
        dtype, kind = like
        return E(
            self.trace,
            callbacks.compute(
                self.trace, self.name, number, self.operands, (dtype, kind), self.options
            ),
        )

    def host(self, name: str, number: int, kind: Any, *operands: E, **options: Any) -> E:
        """A result of another operation that the host computes; ``kind`` is a value of its type."""
        dtype = dtype_of(kind)
        assert dtype is not None
        values = [operand.ssa for operand in operands]
        masked = any(operand.masked for operand in operands)
        found = callbacks.compute(self.trace, name, number, values, (dtype, kind), options)
        return E(self.trace, found, masked)

    def refuse(self, why: str) -> Exception:
        """The error that there is no derivative here."""
        return refuse(self.operation, why, f"{self.name}()")


def _type_of(value: Any) -> TensorType:
    dtype, tensor = dtype_of(value.type), shaped(value.type)
    assert dtype is not None
    marker = bindings.ir.ShapedType.get_dynamic_size()
    shape = () if tensor is None else tensor.shape
    return TensorType(dtype, tuple(None if n == marker else n for n in shape))


def backward(sweep: Sweep, operation: Any, cotangents: list[Any]) -> bool:
    """Whether a call is one of an operation that has a rule, which is applied."""
    call = hosted.call_of(sweep.trace, operation, operation.operands)
    if call is None:
        return False
    site = Site(sweep.trace, operation, call, sweep.resolve)
    rule = OPERATIONS.get(site.name)
    if rule is None:
        raise site.refuse("agir knows no rule for it")
    received = sweep.received(cotangents[0])
    cotangent = unwrapped(sweep.trace, operation, received)
    for value, total in zip(site.operands, rule(site, call.number, cotangent), strict=True):
        if total is UNKNOWN and sweep.wants(value):
            raise site.refuse(NO_FORMULA)
        if total not in (None, UNKNOWN) and sweep.wants(value):
            sweep.add(value, in_dtype(total, E(sweep.trace, value).dtype))
    return True


def is_python(operation: Any) -> Exception:
    """The error that a call of Python code has no derivative."""
    why = "it is Python code, which agir cannot see into; use agir's operations, or custom_gradient"
    return refuse(operation, why, "a call of the host")


def is_scalar(trace: Trace, operation: Any) -> bool:
    """Whether the result is a number, which crosses as an array of one element."""
    said = hosted.said(trace, operation)
    return hosts.SHAPE in said and not template.plain(said[hosts.SHAPE])


def unwrapped(trace: Trace, operation: Any, value: E) -> E:
    """The result of a call, as a number where it is one."""
    if not is_scalar(trace, operation):
        return value
    ssa = trace.op("tensor.extract", value.element, value.ssa, trace.index(0))
    return E(trace, ssa, value.masked)
