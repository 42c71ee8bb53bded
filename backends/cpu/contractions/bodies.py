"""The scalar body of a ``linalg`` operation, written again for vectors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from agir.backends.cpu.contractions.code import Code
from agir.backends.mlir.modules import walk
from agir.ir import bindings

_IN_VECTORS = frozenset({"math.absf", "math.absi", "math.copysign", "math.fma", "math.sqrt"})
_TRAPS = ("div", "rem")
_CONTRACTED = ("arith.mulf", "arith.addf")


def operations(body: Any) -> list[Any]:
    """The operations of a body, without the yield at its end."""
    return [op for op in walk(body.owner) if op.block == body and op.name != "linalg.yield"]


def yielded(body: Any) -> Any:
    """The value that a body with one result computes."""
    (end,) = (op for op in walk(body.owner) if op.name == "linalg.yield")
    return end.operands[0]


def is_plain(body: Any) -> bool:
    """Whether a body is straight-line code that does not ask where it is."""
    inner = operations(body)
    return len(inner) + 1 == len(walk(body.owner)) - 1 and not any(
        op.name.startswith(("linalg.", "memref.", "func.", "tensor.")) for op in inner
    )


def fits_vectors(body: Any) -> bool:
    """Whether every operation of a body has a form for vectors that is cheap and never traps."""
    return all(_fits(op) for op in operations(body))


def _fits(operation: Any) -> bool:
    kinds = {value.type for value in (*operation.operands, *operation.results)}
    if any(not _is_number(kind) for kind in kinds):
        return False
    name = operation.name
    if name.startswith("arith."):
        integral = name.endswith(("i", "ui"))
        return not (integral and any(trap in name for trap in _TRAPS))
    return name in _IN_VECTORS


def _is_number(kind: Any) -> bool:
    ir = bindings.ir
    return isinstance(kind, (ir.F16Type, ir.F32Type, ir.F64Type, ir.IntegerType))


def write(code: Code, body: Any, values: Sequence[Any], lanes: int, contract: bool = False) -> Any:
    """What the body computes of these values, one for each of its arguments.

    With `contract` a product and a sum may become one operation.
    """
    ir = bindings.ir
    known = dict(zip(body.arguments, values, strict=True))

    def get(value: Any) -> Any:
        if value not in known:  # from outside: a number
            known[value] = code.broadcast(value, lanes)
        return known[value]

    for operation in operations(body):
        attributes = dict(operation.attributes.items())
        if contract and operation.name in _CONTRACTED:
            attributes["fastmath"] = ir.Attribute.parse("#arith.fastmath<contract>")
        if operation.name == "arith.constant":
            made = operation.clone().results[0]
            known[operation.results[0]] = code.broadcast(made, lanes)
            continue
        kinds = [code.vector(lanes, result.type) for result in operation.results]
        with operation.location:
            made = ir.Operation.create(
                operation.name,
                operands=[get(value) for value in operation.operands],
                results=kinds,
                attributes=attributes,
            )
        known.update(zip(operation.results, made.results, strict=True))
    return get(yielded(body))


def combiner(body: Any) -> Any | None:
    """The operation that adds to the accumulator last of all, if a body is a sum."""
    inner = {result: op for op in operations(body) for result in op.results}
    last = inner.get(yielded(body))
    accumulator = list(body.arguments)[-1]
    if last is None or last.name not in ("arith.addf", "arith.addi"):
        return None
    uses = sum(list(op.operands).count(accumulator) for op in inner.values())
    return last if accumulator in list(last.operands) and uses == 1 else None
