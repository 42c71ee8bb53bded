"""Derivatives of what the host computes: by the name of the operation that a declaration says."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from agir.ir import bindings
from agir.ir.gradients.core import graph
from agir.ir.gradients.core.expressions import Expression, dtype_of, shaped
from agir.ir.gradients.core.matrices import in_dtype
from agir.ir.gradients.core.sweep import Sweep, refuse
from agir.ir.host import callbacks, hosts, template
from agir.ir.ops.lapack import common_dtype
from agir.ir.types import DType, TensorType

E = Expression

OPERATIONS: dict[str, Callable[[Site, int, E], Sequence[E | None]]] = {}
"""``(site, number of the result, its cotangent)``: the cotangents of the operands."""


class Site:
    """A call of an operation that the host computes."""

    def __init__(self, sweep: Sweep, operation: Any, call: Any, said: Any, fetches: Any) -> None:
        self.sweep, self.trace = sweep, sweep.trace
        self.operation = operation
        self.name: str = said[hosts.OPERATION].value
        self.options = hosts.options_of(said)
        self.operands = [sweep.resolve(value) for value in call.operands]
        kinds = [_type_of(value) for value in self.operands]
        self.dtype: DType = common_dtype(self.name, kinds)
        self._fetches: dict[int, Any] = fetches

    def input(self, number: int) -> E:
        """An operand, in the dtype that is computed in."""
        return in_dtype(E(self.trace, self.operands[number]), self.dtype)

    def result(self, number: int, like: tuple[DType, Any] | None = None) -> E:
        """A result; one that the program has not asked for is computed again."""
        if number in self._fetches:
            return _plain(self.sweep, self._fetches[number])
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
        return refuse(self.operation, why)

    def wants(self, number: int) -> bool:
        """Whether the cotangent of an operand is of use."""
        return self.sweep.wants(self.operands[number])


def _type_of(value: Any) -> TensorType:
    dtype, tensor = dtype_of(value.type), shaped(value.type)
    assert dtype is not None
    marker = bindings.ir.ShapedType.get_dynamic_size()
    shape = () if tensor is None else tensor.shape
    return TensorType(dtype, tuple(None if n == marker else n for n in shape))


def backward(sweep: Sweep, operation: Any, cotangents: list[Any]) -> bool:
    """Whether a call is one of an operation that has a rule, which is applied."""
    found = _site(sweep, operation)
    if found is None:
        return False
    site, number = found
    rule = OPERATIONS.get(site.name)
    if rule is None:
        raise refuse(operation, f"agir knows no rule for {site.name}()")
    received = sweep.received(cotangents[0])
    cotangent = _unwrapped(sweep, operation, received)
    for value, total in zip(site.operands, rule(site, number, cotangent), strict=True):
        if total is not None and sweep.wants(value):
            sweep.add(value, in_dtype(total, E(sweep.trace, value).dtype))
    return True


def _site(sweep: Sweep, operation: Any) -> tuple[Site, int] | None:
    """The call that a result comes from, and the number of the result."""
    said = _said(sweep, operation)
    if said is None:
        return None
    kind = said[hosts.CALLBACK].value
    if kind == "compute":
        call, fetches = operation, {int(said[hosts.RESULT].value): operation}
    elif kind == "fetch":
        handle = operation.operands[0]
        origin = _origin(handle)
        if origin is None:
            return None
        call, fetches = origin, _fetches(sweep, operation, handle)
    else:
        return None
    declared = _said(sweep, call)
    if declared is None or hosts.OPERATION not in declared:
        return None
    return Site(sweep, operation, call, declared, fetches), int(said[hosts.RESULT].value)


def _said(sweep: Sweep, operation: Any) -> Any:
    """What the declaration of a call says; None for a call of something else."""
    if operation.name != "func.call":
        return None
    callback = callbacks.known(sweep.trace, operation.attributes["callee"].value)
    return None if callback is None else callback.attributes


def _origin(handle: Any) -> Any:
    """The call that gave the number of the results; it may stand in a branch."""
    operation = graph.defining(handle)
    while operation is not None and operation.name == "scf.if":
        number = list(operation.results).index(handle)
        inner = graph.terminator(operation.regions[0].blocks[0]).operands[number]
        handle, operation = inner, graph.defining(inner)
    return operation if operation is not None and operation.name == "func.call" else None


def _fetches(sweep: Sweep, operation: Any, handle: Any) -> dict[int, Any]:
    """The calls that fetch results of the same call, by number."""
    found: dict[int, Any] = {}
    for use in handle.uses:
        user = use.owner.operation
        said = _said(sweep, user) if user.block == operation.block else None
        if said is not None and said[hosts.CALLBACK].value == "fetch":
            found[int(said[hosts.RESULT].value)] = user
    return found


def _is_scalar(sweep: Sweep, operation: Any) -> bool:
    """Whether the result is a number, which crosses as an array of one element."""
    said = _said(sweep, operation)
    shape: str = template.plain(said[hosts.SHAPE])
    return not shape


def _plain(sweep: Sweep, operation: Any) -> E:
    value = E(sweep.trace, sweep.resolve(operation.results[0]))
    return _unwrapped(sweep, operation, value)


def _unwrapped(sweep: Sweep, operation: Any, value: E) -> E:
    if not _is_scalar(sweep, operation):
        return value
    trace = sweep.trace
    ssa = trace.op("tensor.extract", value.element, value.ssa, trace.index(0))
    return E(trace, ssa, value.masked)
