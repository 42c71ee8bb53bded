"""How large the arrays of a loop's body are, as far as that is known before the loop.

The sizes are followed from a value to where it was made: through loops that write into an array,
to the numbers that it was made with.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from agir.ir.emission import emit
from agir.ir.gradients.core import graph
from agir.ir.gradients.core.expressions import dtype_of, element_type, shaped
from agir.ir.tracing.trace import Trace

_WRITES = {"tensor.insert": 1, "tensor.insert_slice": 1}
"""The operand that an operation gives with something written into it."""
_ARITH = (
    "constant addi subi muli andi ori xori cmpi select extsi extui trunci index_cast index_castui "
    "maxsi minsi maxui minui shli"
)
_NUMBERS = {"tensor.dim", *(f"arith.{name}" for name in _ARITH.split())}
_DIVISIONS = ("arith.ceildivsi", "arith.floordivsi", "arith.divsi", "arith.divui", "arith.remsi")


class Known:
    """The open sizes of a value of a block, each computed from values of outside of it."""

    def __init__(self, sizes: list[Any], needed: list[Any]) -> None:
        self._sizes = sizes
        self._needed = needed

    def record(self, trace: Trace) -> list[Any]:
        """Record the sizes where the values of outside are known."""
        mapping: dict[Any, Any] = {}
        for operation in self._needed:
            graph.copy(trace, operation, mapping)
        return [
            found(trace) if callable(found) else mapping.get(found, trace.replacement(found))
            for found in self._sizes
        ]


def known(value: Any, block: Any) -> Known | None:
    """The open sizes of a value, where the block's arguments have no say in them."""
    tensor = shaped(value.type)
    sizes: list[Any] = []
    needed: dict[Any, None] = {}
    for axis in range(0 if tensor is None else tensor.rank):
        if not tensor.is_dynamic_dim(axis):
            continue
        found = _size(value, axis, block)
        if found is None or not (callable(found) or _collect(found, block, needed)):
            return None
        sizes.append(found)
    return Known(sizes, list(needed))


def _size(value: Any, axis: int, block: Any) -> Any:
    """The ``index`` that a size is, or a function that records it; None where it is not known."""
    value = made_from(value, block)
    operation = graph.defining(value)
    tensor = shaped(value.type)
    if graph.block_of(value) != block:
        return _outer(value, axis)
    if operation is None:
        return None
    if operation.name in ("tensor.empty", "tensor.splat"):
        before = sum(tensor.is_dynamic_dim(each) for each in range(axis))
        return list(operation.operands)[int(operation.name == "tensor.splat") + before]
    if _is_elementwise(operation):
        like = next(each for each in operation.operands if shaped(each.type) is not None)
        return _size(like, axis, block)
    return None


def _outer(value: Any, axis: int) -> Callable[[Trace], Any]:
    def record(trace: Trace) -> Any:
        index = trace.index_type()
        return trace.op("tensor.dim", index, trace.replacement(value), trace.index(axis))

    return record


def _is_elementwise(operation: Any) -> bool:
    return (
        operation.name.partition(".")[0] in ("arith", "math")
        and operation.name != "arith.constant"
        and shaped(operation.results[0].type) is not None
    )


def made_from(value: Any, block: Any) -> Any:
    """The array of a block that a value is, with elements written into it."""
    while (source := _written(value)) is not None and graph.block_of(value) == block:
        value = source
    return value


def _written(value: Any) -> Any:
    """The array that an operation wrote into to make a value; None where it made a new one."""
    operation = graph.defining(value)
    if operation is None:
        return None
    if operation.name in _WRITES:
        return operation.operands[_WRITES[operation.name]]
    if operation.name != "scf.for":
        return None
    number = value.number
    (body,) = operation.blocks
    variable = body.arguments[1 + number]
    left = graph.terminator(body).operands[number]
    return operation.operands[3 + number] if made_from(left, body) == variable else None


def _collect(value: Any, block: Any, needed: dict[Any, None]) -> bool:
    """Note the operations of a block that compute a number; whether it can be computed outside."""
    if graph.block_of(value) != block:
        return True
    operation = graph.defining(value)
    if operation is None or not _is_number(operation):
        return False
    if operation in needed:
        return True
    if not all(_collect(each, block, needed) for each in operation.operands):
        return False
    needed[operation] = None
    return True


def _is_number(operation: Any) -> bool:
    """Whether an operation computes an integer, and can do so at any time."""
    if operation.name in _DIVISIONS:
        divisor = emit.constant_value(operation.operands[1])
        return isinstance(divisor, int) and divisor > 0
    kind = operation.results[0].type
    dtype = dtype_of(element_type(kind))
    return operation.name in _NUMBERS and (dtype is None or dtype.kind in "iub")


def written_arrays(values: Sequence[Any], block: Any) -> Iterator[tuple[int, Any]]:
    """For each value that is a new array of a block and written into: its number, the array."""
    uses = block.uses()
    for number, value in enumerate(values):
        array = made_from(value, block)
        operation = graph.defining(array)
        if operation is None or operation.name != "tensor.empty" or array == value:
            continue
        if operation.block is block and uses[array] == 1:
            yield number, array
