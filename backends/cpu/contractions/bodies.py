"""The scalar body of a ``linalg`` operation, written again for vectors."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from agir.backends.cpu.contractions.code import Code
from agir.backends.mlir.modules import walk
from agir.ir.building import bindings

_IN_VECTORS = frozenset({"math.absf", "math.absi", "math.copysign", "math.fma", "math.sqrt"})
_TRAPS = ("div", "rem")
_CONTRACTED = ("arith.mulf", "arith.addf", "arith.subf")


def arguments(generic: Any) -> list[Any]:
    """The arguments of the body: an element of each operand."""
    return list(generic.regions[0].blocks[0].arguments)


def operations(generic: Any) -> list[Any]:
    """The operations of the body, without the yield at its end."""
    return walk(generic)[1:-1]


def yielded(generic: Any) -> Any:
    """The value that a body with one result computes."""
    return all_yielded(generic)[0]


def all_yielded(generic: Any) -> list[Any]:
    """The values that a body computes."""
    return list(walk(generic)[-1].operands)


def used_arguments(generic: Any) -> list[bool]:
    """Which of the body's arguments it uses."""
    read = {value for operation in walk(generic)[1:] for value in operation.operands}
    return [argument in read for argument in arguments(generic)]


def is_plain(generic: Any) -> bool:
    """Whether the body is straight-line code that does not ask where it is."""
    return not any(
        len(op.regions) or op.name.startswith(("linalg.", "memref.", "func.", "tensor."))
        for op in operations(generic)
    )


def fits_vectors(generic: Any) -> bool:
    """Whether every operation of the body has a form for vectors that is cheap and never traps."""
    return all(fits(op) for op in operations(generic))


def fits(operation: Any, addresses: bool = False) -> bool:
    """Whether an operation has such a form; of addresses too, where they are asked for."""
    kinds = {value.type for value in (*operation.operands, *operation.results)}
    if any(not (_is_number(kind) or (addresses and _is_address(kind))) for kind in kinds):
        return False
    name = operation.name
    if name.startswith("arith."):
        integral = name.endswith(("i", "ui"))
        return not (integral and any(trap in name for trap in _TRAPS))
    return name in _IN_VECTORS


def _is_number(kind: Any) -> bool:
    ir = bindings.ir
    return isinstance(kind, (ir.F16Type, ir.F32Type, ir.F64Type, ir.IntegerType))


def _is_address(kind: Any) -> bool:
    return isinstance(kind, bindings.ir.IndexType)


def write(
    code: Code, generic: Any, values: Sequence[Any], lanes: int, contract: bool = False
) -> Any:
    """What the body of an operation computes of these values, one for each of its arguments.

    With `contract` a product and a sum may become one operation.
    """
    return write_all(code, generic, values, lanes, contract)[0]


def write_all(
    code: Code,
    generic: Any,
    values: Sequence[Any],
    lanes: int,
    contract: bool = False,
    others: Mapping[str, Callable[[Any, list[Any]], Any]] = MappingProxyType({}),
) -> list[Any]:
    """All that the body of an operation computes.

    Operations in `others` are written by what it has there for them, of their new operands.
    """
    return _written(code, generic, values, lanes, contract, others, all_yielded(generic))


def write_one(code: Code, generic: Any, values: Sequence[Any], wanted: Any) -> Any:
    """A value inside the body of an operation, for numbers; what does not lead to it may be None."""
    return _written(code, generic, values, 0, False, {}, [wanted])[0]


def _written(
    code: Code,
    generic: Any,
    values: Sequence[Any],
    lanes: int,
    contract: bool,
    others: Mapping[str, Callable[[Any, list[Any]], Any]],
    wanted: list[Any],
) -> list[Any]:
    ir = bindings.ir
    known = dict(zip(arguments(generic), values, strict=True))

    def get(value: Any) -> Any:
        if value not in known:  # from outside: a number
            known[value] = code.broadcast(value, lanes)
        return known[value]

    for operation in _needed(generic, wanted):
        if operation.name in others:
            given = [known.get(value, value) for value in operation.operands]
            known[operation.results[0]] = others[operation.name](operation, given)
            continue
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
    return [get(value) for value in wanted]


def _needed(generic: Any, wanted: list[Any]) -> list[Any]:
    """The operations of the body that lead to some values."""
    needed = set(wanted)
    found = []
    for operation in reversed(operations(generic)):
        if needed.intersection(operation.results):
            needed.update(operation.operands)
            found.append(operation)
    return found[::-1]


def combiner(generic: Any) -> Any | None:
    """The operation that adds to the accumulator last of all, if the body is a sum."""
    inner = {result: op for op in operations(generic) for result in op.results}
    last = inner.get(yielded(generic))
    accumulator = arguments(generic)[-1]
    if last is None or last.name not in ("arith.addf", "arith.addi"):
        return None
    uses = sum(list(op.operands).count(accumulator) for op in inner.values())
    return last if accumulator in list(last.operands) and uses == 1 else None
