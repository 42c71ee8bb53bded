"""Operations of StableHLO, made at the insertion point, and the tensors that they take.

Everything is a tensor there: a number is one of rank 0, and an index is an i64.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from typing import Any

from agir.backends.mlir.making import op
from agir.errors import StageError, UnsupportedOperation
from agir.ir.building import bindings
from agir.ir.building.locations import with_source

Regions = Sequence[tuple[Sequence[Any], Callable[[Sequence[Any]], Sequence[Any]]]]
"""For each region the types of its arguments, and from these to what it returns."""


@cache
def load_dialect() -> None:
    """Have MLIR know StableHLO."""
    try:
        register = bindings.stablehlo.register_dialect
    except ImportError:
        raise StageError(
            f"the MLIR that is installed ({bindings.carrier()}) has no StableHLO; 'torch-mlir' has"
        ) from None
    bindings.add_dialect(lambda: register(bindings.ir.Context.current, True))


def refuse(operation: Any, reason: str) -> Any:
    """Raise the error that says what has no counterpart, and the user's line."""
    raise UnsupportedOperation(
        f"the program has no form in StableHLO: {operation.name}: {reason}"
        f"{with_source(operation.location)}"
    )


def parsed(text: str) -> Any:
    """An attribute."""
    return bindings.ir.Attribute.parse(text)


def dense(text: str, kind: Any) -> Any:
    """A constant with this value; made from text, for the bindings have no complex ones."""
    ir = bindings.ir
    made = ir.Operation.parse(
        f'"stablehlo.constant"() <{{value = {text} : {kind}}}> : () -> {kind}'
    ).operation
    ir.InsertionPoint.current.insert(made)
    return made.results[0]


def numbers(values: Iterable[int]) -> Any:
    """An array of integers as an attribute."""
    return bindings.ir.DenseI64ArrayAttr.get(list(values))


def i64() -> Any:
    """The type of the elements that indices become."""
    return bindings.ir.IntegerType.get_signless(64)


def tensor(shape: Sequence[int], element: Any) -> Any:
    """A type."""
    return bindings.ir.RankedTensorType.get(list(shape), element)


def shape_of(value: Any) -> tuple[int, ...]:
    """The sizes of a value."""
    return tuple(value.type.shape)


def element_of(value: Any) -> Any:
    """The type of the elements of a value."""
    return value.type.element_type


def converted(kind: Any, operation: Any) -> Any:
    """The type in StableHLO of a value of `hlo`."""
    ir = bindings.ir
    if not isinstance(kind, ir.RankedTensorType):
        return tensor((), element(kind, operation))
    if not kind.has_static_shape:
        refuse(operation, f"{kind} has sizes that are known only at run time; give it sizes")
    return tensor(kind.shape, element(kind.element_type, operation))


def element(kind: Any, operation: Any) -> Any:
    """The type in StableHLO of numbers of `hlo`."""
    ir = bindings.ir
    if isinstance(kind, ir.IndexType):
        return i64()
    known = (ir.IntegerType, ir.FloatType, ir.ComplexType)
    return kind if isinstance(kind, known) else refuse(operation, f"the type {kind}")


def constant(number: float | bool, kind: Any, shape: Sequence[int] = ()) -> Any:
    """A tensor that holds a number everywhere."""
    ir = bindings.ir
    whole = tensor(shape, kind)
    if isinstance(kind, ir.ComplexType):
        parts = (constant(part, kind.element_type, shape) for part in (number, 0))
        return each("complex", *parts, element=kind)
    if isinstance(kind, ir.FloatType):
        value = ir.DenseElementsAttr.get_splat(whole, ir.FloatAttr.get(kind, float(number)))
    else:
        value = ir.DenseElementsAttr.get_splat(whole, ir.IntegerAttr.get(kind, int(number)))
    return op("stablehlo.constant", whole, value=value)


def like(value: Any, number: float | bool) -> Any:
    """A constant of a value's type."""
    return constant(number, element_of(value), shape_of(value))


def each(name: str, *operands: Any, element: Any = None, **attributes: Any) -> Any:
    """An elementwise operation; its elements are those of the first operand, if not said otherwise."""
    first = operands[0]
    kind = first.type if element is None else tensor(shape_of(first), element)
    return op(f"stablehlo.{name}", kind, *operands, **attributes)


def compare(direction: str, left: Any, right: Any) -> Any:
    """A comparison; floating-point ones are false of NaN, but for NE."""
    direction_attribute = parsed(f"#stablehlo<comparison_direction {direction}>")
    boolean = bindings.ir.IntegerType.get_signless(1)
    return each("compare", left, right, element=boolean, comparison_direction=direction_attribute)


def select(condition: Any, yes: Any, no: Any) -> Any:
    """The one or the other."""
    return op("stablehlo.select", yes.type, condition, yes, no)


def convert(value: Any, kind: Any) -> Any:
    """Elements of another type with the same values."""
    return value if element_of(value) == kind else each("convert", value, element=kind)


def reshape(value: Any, shape: Sequence[int]) -> Any:
    """The same elements in another shape."""
    if shape_of(value) == tuple(shape):
        return value
    return op("stablehlo.reshape", tensor(shape, element_of(value)), value)


def broadcast(value: Any, shape: Sequence[int], dimensions: Sequence[int] = ()) -> Any:
    """A value in a shape of more dimensions; `dimensions` are those that it has."""
    if shape_of(value) == tuple(shape) and list(dimensions) == [*range(len(shape))]:
        return value
    kind = tensor(shape, element_of(value))
    return op("stablehlo.broadcast_in_dim", kind, value, broadcast_dimensions=numbers(dimensions))


def transpose(value: Any, permutation: Sequence[int]) -> Any:
    """The dimensions in another order."""
    if list(permutation) == [*range(len(permutation))]:
        return value
    kind = tensor([shape_of(value)[each] for each in permutation], element_of(value))
    return op("stablehlo.transpose", kind, value, permutation=numbers(permutation))


def concatenate(values: Sequence[Any], axis: int) -> Any:
    """Tensors one after the other."""
    if len(values) == 1:
        return values[0]
    shape = list(shape_of(values[0]))
    shape[axis] = sum(shape_of(value)[axis] for value in values)
    dimension = bindings.ir.IntegerAttr.get(i64(), axis)
    kind = tensor(shape, element_of(values[0]))
    return op("stablehlo.concatenate", kind, *values, dimension=dimension)


def iota(shape: Sequence[int], axis: int) -> Any:
    """The number of each element along a dimension."""
    dimension = bindings.ir.IntegerAttr.get(i64(), axis)
    return op("stablehlo.iota", tensor(shape, i64()), iota_dimension=dimension)


def gather(value: Any, indices: Sequence[Any], shape: Sequence[int]) -> Any:
    """The elements at indices, each of which is a tensor of the shape of the result."""
    if not indices:
        return broadcast(value, shape)
    if 0 in shape_of(value):  # of which nothing is taken
        return constant(0, element_of(value), shape)
    along = len(shape)
    if along == 0:
        sizes = numbers([1] * len(indices))
        kind = tensor([1] * len(indices), element_of(value))
        part = op("stablehlo.dynamic_slice", kind, value, *indices, slice_sizes=sizes)
        return reshape(part, ())
    columns = [reshape(index, (*shape, 1)) for index in indices]
    dimensions = list(range(len(indices)))
    numbering = parsed(
        f"#stablehlo.gather<collapsed_slice_dims = {dimensions}, start_index_map = {dimensions}, "
        f"index_vector_dim = {along}>"
    )
    return op(
        "stablehlo.gather",
        tensor(shape, element_of(value)),
        value,
        concatenate(columns, along),
        dimension_numbers=numbering,
        slice_sizes=numbers([1] * len(indices)),
    )


def with_regions(
    name: str,
    results: Sequence[Any],
    operands: Sequence[Any],
    regions: Regions,
    **attributes: Any,
) -> list[Any]:
    """An operation with regions, each given as the types of its arguments and what it returns."""
    ir = bindings.ir
    made = ir.Operation.create(
        f"stablehlo.{name}", list(results), list(operands), attributes, regions=len(regions)
    )
    here = ir.Location.current
    for region, (kinds, body) in zip(made.regions, regions, strict=True):
        block = region.blocks.append(*kinds, arg_locs=[here] * len(kinds))
        with ir.InsertionPoint(block):
            ir.Operation.create("stablehlo.return", [], list(body(list(block.arguments))))
    return list(made.results)
