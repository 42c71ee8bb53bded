"""Operations made at the insertion point, of which the result is what matters."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from agir.backends.mlir.modules import walk
from agir.ir.building import bindings

_INTEGERS = ("eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge")
_ORDERED = ("oeq", "ogt", "oge", "olt", "ole", "one", "ord")
_UNORDERED = ("ueq", "ugt", "uge", "ult", "ule", "une", "uno")
_PREDICATES = {
    "arith.cmpi": _INTEGERS,
    "arith.cmpf": ("false", *_ORDERED, *_UNORDERED, "true"),
}
INTEGERS, REALS = (
    {name: number for number, name in enumerate(names)} for names in _PREDICATES.values()
)
_PREDICATES |= {"llvm.icmp": _PREDICATES["arith.cmpi"], "llvm.fcmp": _PREDICATES["arith.cmpf"]}
"""The numbers of predicates of ``arith.cmpi`` and of ``arith.cmpf``; what is unordered holds of NaN."""


def op(name: str, kind: Any, *operands: Any, **attributes: Any) -> Any:
    """The result of an operation that has one, of this type.

    >>> def minus(module):
    ...     for each in ag.plugins.Graph(module).find("arith.addf"):
    ...         with ag.plugins.before(each):
    ...             x, y = each.operands
    ...             ag.plugins.replace(each, ag.plugins.op("arith.subf", x.type, x, y))
    >>> ag.jit(lambda x: x + 1.0, passes=[minus])(2.0)
    1.0
    """
    return bindings.ir.Operation.create(name, [kind], list(operands), attributes).results[0]


def i1() -> Any:
    """The type of a truth value."""
    return bindings.ir.IntegerType.get_signless(1)


def i64() -> Any:
    """The type of an integer of 64 bits."""
    return bindings.ir.IntegerType.get_signless(64)


def number_attribute(number: int) -> Any:
    """An i64."""
    return bindings.ir.IntegerAttr.get(i64(), number)


def constant(kind: Any, number: float) -> Any:
    """A number of a type; of a tensor, all of whose elements it is.

    >>> def five(module):
    ...     for each in ag.plugins.Graph(module).find("func.return"):
    ...         with ag.plugins.before(each):
    ...             each.operands[0] = ag.plugins.constant(each.operands[0].type, 5)
    >>> ag.jit(lambda x: x & 1, passes=[five])(2)
    5
    """
    return op("arith.constant", kind, value=_attribute(kind, number))


def _attribute(kind: Any, number: float) -> Any:
    ir = bindings.ir
    if isinstance(kind, (ir.IntegerType, ir.IndexType)):
        return ir.IntegerAttr.get(kind, number)
    if isinstance(kind, (ir.RankedTensorType, ir.VectorType)):
        return ir.DenseElementsAttr.get_splat(kind, _attribute(kind.element_type, number))
    return ir.FloatAttr.get(kind, number)


def index_constant(number: int) -> Any:
    """A constant of type ``index``."""
    return constant(bindings.ir.IndexType.get(), number)


def compare(left: Any, predicate: str, right: Any) -> Any:
    """Whether two integers or two real numbers are in a relation (i1)."""
    ir = bindings.ir
    if isinstance(left.type, (ir.IntegerType, ir.IndexType)):
        number = number_attribute(INTEGERS[predicate])
        return op("arith.cmpi", i1(), left, right, predicate=number)
    return op("arith.cmpf", i1(), left, right, predicate=number_attribute(REALS[predicate]))


def expected(condition: Any, usual: bool) -> Any:
    """A condition of which LLVM is told what it mostly is."""
    return op("llvm.intr.expect", i1(), condition, constant(i1(), usual))


def predicate(comparison: Any) -> str:
    """That of an ``arith.cmpi`` or ``arith.cmpf``, or of LLVM's comparisons."""
    number: int = comparison.attributes["predicate"].value
    return _PREDICATES[comparison.name][number]


def cast(value: Any, kind: Any, name: str = "arith.index_cast") -> Any:
    """A value as one of another type, by this operation where they differ."""
    return value if value.type == kind else op(name, kind, value)


def size_of(array: Any, axis: int) -> Any:
    """That of a tensor or a buffer along an axis."""
    dialect = "tensor" if isinstance(array.type, bindings.ir.RankedTensorType) else "memref"
    return op(f"{dialect}.dim", bindings.ir.IndexType.get(), array, index_constant(axis))


def unknown_sizes(array: Any) -> list[Any]:
    """Those sizes of a tensor or a buffer that its type does not say."""
    unknown = bindings.ir.ShapedType.get_dynamic_size()
    return [size_of(array, axis) for axis, n in enumerate(array.type.shape) if n == unknown]


def empty_like(tensor: Any) -> Any:
    """A tensor of the same type and sizes with nothing in it."""
    return op("tensor.empty", tensor.type, *unknown_sizes(tensor))


def copied_tensor(tensor: Any) -> Any:
    """A tensor that has memory of its own, with the same in it."""
    segments = bindings.ir.DenseI32ArrayAttr.get([0, 1, 0])
    return op("bufferization.alloc_tensor", tensor.type, tensor, operandSegmentSizes=segments)


def clone(operation: Any, names: dict[Any, Any]) -> Any:
    """A copy with other operands for some; what it makes is added to the names."""
    copy = operation.clone(ip=bindings.ir.InsertionPoint.current)
    rename(copy, names)
    names.update(zip(operation.results, copy.results, strict=True))
    return copy


def rename(root: Any, names: Mapping[Any, Any]) -> None:
    """Have an operation, and all that is in it, use other values in the place of some."""
    for operation in walk(root):
        for position, value in enumerate(operation.operands):
            if value in names:
                operation.operands[position] = names[value]


def use_instead(operation: Any, values: Iterable[Any]) -> None:
    """Have these values used in the place of an operation's results."""
    for old, new in zip(operation.results, values, strict=True):
        old.replace_all_uses_with(new)


def versions(operation: Any, conditions: Sequence[Any]) -> Any:
    """Put a branch in an operation's place: a copy where all conditions hold, or itself; gives it."""
    ir = bindings.ir
    with ir.InsertionPoint(operation), operation.location:
        holds, *others = conditions
        for each in others:
            holds = op("arith.andi", each.type, holds, each)
        kinds = [result.type for result in operation.results]
        branch = ir.Operation.create("scf.if", results=kinds, operands=[holds], regions=2)
    use_instead(operation, branch.results)
    blocks = [region.blocks.append() for region in branch.regions]
    with ir.InsertionPoint(blocks[0]) as here, operation.location:
        copy = operation.clone(here)
    blocks[1].append(operation)
    for block, each in zip(blocks, (copy, operation), strict=True):
        with ir.InsertionPoint(block), operation.location:
            ir.Operation.create("scf.yield", operands=list(each.results))
    return copy


def called(name: str, kinds: Sequence[Any], operands: Sequence[Any]) -> Any:
    """A call of the function of this name."""
    callee = bindings.ir.FlatSymbolRefAttr.get(name)
    return bindings.ir.Operation.create(
        "func.call", list(kinds), list(operands), {"callee": callee}
    )
